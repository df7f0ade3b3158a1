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
    "DescribeOperation": {"text": "Gives back what its path names."},
    "DescribeParameter": {"text": "Part of what is asked."},
    "DescribeResponse": {"text": "Part of what is answered."},
}


def answer(body: Body) -> Reply:
    """The answer to any of docrev's prompts."""
    name, question = wanted(body), str(body["messages"][-1]["content"])
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
