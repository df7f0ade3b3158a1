"""Answers that a reader who had not seen Atlas before gave to docrev's questions by hand, for a `ChatServer`.

`recorded_answers/atlas.json` keeps them by what was asked about (the task, the operation, the round), and not by the
question's bytes: evidence that differs in a call or two does not make them worthless. `$ID` stands for the latest id in
the conversation. Where a task was tried again, the line with the call that must not be made once more follows the task,
and in the verdicts the trace's operations do.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from chat_server import Body, Reply, said, wanted

ANSWERS = json.loads((Path(__file__).parent / "recorded_answers" / "atlas.json").read_text(encoding="utf-8"))
TRACE = r"(?m)^Task (s\d+): (.+)\n((?:(?!Task s).*\n?)*)"
"""The name, task and steps of a trace that is judged."""


def answer(body: Body) -> Reply:
    """The reader's answer to a question; nothing where there was none."""
    name, question = wanted(body), str(body["messages"][-1]["content"])
    if name == "NextTurn":
        return _turn(body)
    if name == "JudgeTraces":
        return said({"verdicts": [_verdict(*found) for found in re.findall(TRACE, question)]})
    if name == "FindDoubts":
        number = 2 if "is written next" in question else 1 if "Doubt 1:" in question else 0
        return said(ANSWERS[name][number])
    if name == "DocumentOperation":
        return said(_texts(question))
    return said({"ready": True} if name == "Ready" else ANSWERS[name][0])


def _turn(body: Body) -> Reply:
    """The turn that comes after as many calls as were made."""
    messages = body["messages"]
    task = str(messages[1]["content"]).removeprefix("The task: ").strip()
    made = sum(message["role"] == "tool" for message in messages)
    last, given = str(messages[-1]["content"]).rstrip().rpartition("\n")[2], ANSWERS["NextTurn"]
    for turn in given.get(f"{task}\n{last}", given.get(task, ())):
        if not made:
            ids = re.findall(r'"id": "([^"]+)"', " ".join(str(message["content"]) for message in messages))
            calls = json.loads(json.dumps(turn["calls"]).replace("$ID", ids[-1] if ids else ""))
            return Reply(turn["thought"], calls=tuple((name, arguments) for name, arguments in calls))
        made -= len(turn["calls"])
    return Reply("", calls=(("finish", {"answer": None}),))


def _verdict(name: str, task: str, trace: str) -> dict[str, Any]:
    unknown = {"reason": "Nobody has read it.", "wrong_step": 1, "correct": False}
    steps = ", ".join(re.findall(r"^Step \d+[.] (\S+ \S+)", trace, re.M))
    given = ANSWERS["JudgeTraces"]
    return {"task": name, **given.get(f"{task}\n{steps}", given.get(task, unknown))}


def _texts(question: str) -> dict[str, Any]:
    """The texts on an operation: at first, or those that were written after complaints."""
    operation = re.search(r"^The operation: (.+)$", question, re.M)
    given = ANSWERS["DocumentOperation"].get(operation[1] if operation else "", [])
    at = 1 if "what was wrong with the earlier ones" in question else 0
    return dict(given[at]) if at < len(given) else {"texts": []}
