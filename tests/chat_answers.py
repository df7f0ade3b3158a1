"""A scripted model for `ChatServer` that explores and revises any API: each answer depends on its question alone.

A scenario asks for something of its first operation, a plan calls it and takes what comes back as the answer.
"""

from __future__ import annotations

import re
import zlib
from typing import Any

from chat_server import Body, Reply, said, wanted

_CANNED: dict[str, Any] = {
    "Ready": {"ready": True},
    "ConstructCall": {"arguments": []},
    "SuggestCall": {"reason": "", "arguments": []},
    "ParseResponse": {"text": "It was answered."},
    "JudgeAnswer": {"reason": "It is what was asked for.", "rule": 0, "correct": True},
    "SummariseExperience": {"why": "", "worth": False, "known": "", "right_plan": "", "wrong_plan": ""},
    "SameExperience": {"same": True},
    "SimilarExperience": {"same": True},
    "ReviseDescription": {"text": "Gives back what its path names."},
    "ReviseParameters": {"texts": []},
    "FitExperience": {"numbers": []},
    "ReviseResponses": {"texts": []},
}


def answer(body: Body) -> Reply:
    """The answer to any of docrev's prompts."""
    name, question = wanted(body), str(body["messages"][-1]["content"])
    if name in _WRITTEN:
        return said(_WRITTEN[name](question))
    if name == "NextTurn":
        return _turn(body)
    if name == "DesignScenario":
        return said(_scenario(question))
    return said(_plan(question) if name == "NextPlan" else _CANNED[name])


def _scenario(question: str) -> dict[str, Any]:
    first = re.search(r"The first operation: (.+)", question)
    if first is None:
        return {"operations": [], "text": "", "goal": None, "reason": "nothing is asked"}
    number = zlib.crc32(question.encode())
    text = f'What does "{first[1].split(" ", 1)[1].replace("{", "(").replace("}", ")")}" say, number {number}?'
    return {"operations": [first[1].strip()], "text": text, "goal": None, "reason": ""}


def _plan(question: str) -> dict[str, Any]:
    task = re.search(r'The task: What does "\w+ (\S+)" say', question)
    done = question.partition("Done so far:")[2]
    step: dict[str, Any] = {"thought": "One step.", "operation": None, "arguments": [], "answer": None}
    if task is None or "Others take" in done:
        return step
    if not done.lstrip().startswith("Nothing"):
        return {**step, "answer": "something"}
    path = re.escape(task[1].replace("(", "{").replace(")", "}"))
    found = re.search(rf"^- (\w+ [A-Z]+ {path})(?::|$)", question, re.M)
    return {**step, "operation": found[1] if found else None}


def _doubts(question: str) -> dict[str, Any]:
    """A doubt in the first operation that takes nothing, with the call that would tell; later its verdict."""
    key = re.search(r"^- (\w+ GET [^{\s:]+)(?::|$)", question, re.M)
    if key is None:
        return {"doubts": []}
    verdict = "It was answered." if "Doubt 1:" in question else ""
    calls = [] if verdict else [{"operation": key[1], "arguments": []}]
    doubt = {"operation": key[1], "place": "", "claim": "Vague.", "hypotheses": ["one", "another"]}
    return {"doubts": [{**doubt, "verdict": verdict, "calls": calls}]}


def _tasks(question: str) -> dict[str, Any]:
    """A task for each operation that is to be covered and takes no path argument."""
    cover = re.search(r"^Cover: (.+)", question, re.M)
    keys = [key for key in (cover[1].split("; ") if cover is not None else ()) if " GET " in key and "{" not in key]
    return {"tasks": [{"operations": [key], "text": f'What does "{key.split(" ", 1)[1]}" say?'} for key in keys]}


def _turn(body: Body) -> Reply:
    """Calls the tool of the task's path, and takes what comes back as the answer."""
    task = re.search(r'The task: What does "GET (\S+)" say', str(body["messages"][1]["content"]))
    if body["messages"][-1]["role"] == "tool" or task is None:
        return Reply("It is known.", calls=(("finish", {"answer": "something"}),))
    return Reply("Read it.", calls=(("get" + re.sub(r"\W+", "_", task[1]).rstrip("_"), {}),))


def _verdicts(question: str) -> dict[str, Any]:
    names = re.findall(r"^Task (s\d+):", question, re.M)
    return {"verdicts": [{"task": name, "reason": "It is.", "wrong_step": 0, "correct": True} for name in names]}


def _texts(question: str) -> dict[str, Any]:
    """A text for the operation, and one for each parameter, with all that there is as its evidence."""
    labels = re.findall(r"^([cte]\d+) ", question, re.M)
    places = ["", *re.findall(r"^- ((?:path|query):\S+) ", question, re.M)]
    texts = {"": "Gives back what its path names."}
    found = [{"location": at, "text": texts.get(at, "Part of what is asked.")} for at in places]
    return {"texts": [{"evidence": labels, "kind": "wording", **one} for one in found] if labels else []}


_CANNED["ReviewDocuments"] = {"complaints": []}
_WRITTEN = {"DocumentOperation": _texts, "FindDoubts": _doubts, "DesignTasks": _tasks, "JudgeTraces": _verdicts}
