"""Votes of a judge as a server sees them: four votes on one path are four requests, each with a seed of its own."""

from __future__ import annotations

import asyncio
from typing import Any

from chat_server import ChatServer, Reply
from table import Row

from docrev.driver.plain_steps import perform
from docrev.eval.tooleval.judging import VOTES, judge_pass
from docrev.models.asking import Asker
from docrev.models.budgets import Budgets
from docrev.models.chat import ChatBackend
from docrev.models.recorded import RememberingBackend
from docrev.records import Node, Plan, Task, Trajectory

_TASK = Task("t", "What is the capital of Peru?")
_END = Node("t/x/0", None, "t", "x", 1, Plan("done", answer="Lima"))
_DONE = Trajectory("t", "react", (_END,), (_END.id,), "Lima", "answer")


def vote_rows() -> list[Row]:
    with ChatServer([Reply('{"reason": "it says so", "status": "solved"}')]) as server:
        asyncio.run(_judged(server.url))
        asked = list(server.asked)
    bodies = {str((one["messages"], one["seed"])) for one in asked}
    seeds = sorted(one["seed"] for one in asked)
    coldest = min(one["temperature"] for one in asked)
    return [
        Row("votes on one path", str(len(asked)), str(VOTES), len(asked) == VOTES),
        Row("different requests among them", str(len(bodies)), str(VOTES), len(bodies) == VOTES),
        Row("their seeds", ", ".join(map(str, seeds)), "0 to 3", seeds == list(range(VOTES))),
        Row("their temperature", str(coldest), "> 0", coldest > 0),
    ]


async def _judged(url: str) -> Any:
    model = Asker(RememberingBackend(ChatBackend("scripted", url=url), None, Budgets()))
    try:
        return await perform(judge_pass(_TASK, _DONE, ()), lambda ask: model.ask(ask.prompt))
    finally:
        await model.close()
