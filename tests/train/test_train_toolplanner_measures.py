"""Rates by granularity, and tag extraction beside retrieval, with the arithmetic of the paper's tables."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from docrev.agent.agent import OfflineAgent
from docrev.errors import AnswerError
from docrev.eval.agents.outcomes import TaskOutcome, outcome
from docrev.models import Model
from docrev.records import Call, Node, OperationKey, Plan, Task, Trajectory
from docrev.runners import Toolbox
from docrev.spec import load
from docrev.train.toolplanner.granularities import (
    MATCHES,
    average,
    by_level,
    extracted,
    retrieved,
    table,
    tag_scores,
    tag_table,
)

LIBRARY = Path(__file__).resolve().parents[1] / "library.yaml"
CATEGORIES = {"hotels": "Travel", "trains": "Travel", "flights": "Transportation"}
GOLD = (OperationKey("hotels", "GET /rooms"), OperationKey("flights", "GET /live"))


def category(key: OperationKey) -> str:
    return CATEGORIES[key.tool]


def made(level: str, *keys: OperationKey) -> TaskOutcome:
    """The outcome of a task of a level in which these operations were called."""
    nodes = tuple(
        Node(
            str(at), None, "t", "dfsdt", at + 1, Plan("", key),
            Call(str(at), key, {}, "", 200, {}, {}, "application/json", "scenario"),
        )
        for at, key in enumerate(keys)
    )  # fmt: skip
    trajectory = Trajectory("t", "dfsdt", nodes, tuple(node.id for node in nodes), "Two.", "answer")
    return outcome(Task("t", "", gold=(GOLD,), level=level), trajectory, CATEGORIES)


def test_a_level_is_matched_at_itself_and_above() -> None:
    """ToolPlanner §5.1 and table 1: match rates by the level of the instruction."""
    assert len(MATCHES) == 9
    other = OperationKey("flights", "GET /other")
    found = by_level("dfsdt", [made("tool", GOLD[0], other), made("hybrid", *GOLD), made("hybrid", GOLD[0], other)])
    assert {key: share.rate for key, share in found.match.items()} == {
        ("tool", "category"): 1.0,
        ("tool", "tool"): 1.0,
        ("hybrid", "category"): 1.0,
        ("hybrid", "tool"): 1.0,
        ("hybrid", "operation"): 0.5,
    }
    assert by_level("x", [made("statement", *GOLD)]).match == {}
    told: Any = found.to_json()["tasks"]
    assert [one["level"] for one in told] == ["tool", "hybrid", "hybrid"]
    assert told[0] == {"id": "t", "level": "tool", "match": {"category": True, "tool": True}, "pass": None, "win": None}
    assert [one["match"].get("operation") for one in told] == [None, True, False]


def test_averages_count_each_column_the_same() -> None:
    """ToolPlanner's row of table 1: nine match rates with the mean 55.9, five pass rates with the mean 84.4."""
    rates = (59, 61, 57, 64, 61, 52, 60, 52, 37)
    outcomes = []
    for (level, at), rate in zip(MATCHES, rates, strict=True):
        fields = {"category": "match_category", "tool": "match_tool", "operation": "same_set"}
        base = replace(made(level, *GOLD), match_category=None, match_tool=None, same_set=None)
        outcomes += [replace(base, **{fields[at]: number < rate}) for number in range(100)]
    for level, rate in zip(("statement", "category", "tool", "operation", "hybrid"), (88, 89, 84, 83, 78), strict=True):
        base = replace(made(level), match_category=None, match_tool=None, same_set=None)
        outcomes += [replace(base, passed=float(number < rate)) for number in range(100)]
    found = by_level("ToolPlanner", outcomes)
    assert [round(100 * share.rate) for share in found.match.values() if share.rate is not None] == list(rates)
    assert average(found.match.values()) == pytest.approx(0.5589, abs=1e-4)
    assert average(found.passed.values()) == pytest.approx(0.844)
    assert found.won == {}
    text = table([found])
    assert "55.9" in text
    assert "84.4" in text
    assert "win rate" not in text
    told = found.to_json()
    assert told["match"]["hybrid at operation"]["tasks"] == 100
    assert told["match"]["hybrid at operation"]["low"] < 0.37 < told["match"]["hybrid at operation"]["high"]


def test_a_table_has_a_column_a_run_with_intervals() -> None:
    rows = [by_level(name, [replace(made("tool", *GOLD), passed=0.5, preferred=1.0)] * 4) for name in ("one", "two")]
    lines = table(rows).splitlines()
    assert [line.split()[-2:] for line in lines if line.endswith("two")] == [["one", "two"]] * 3
    assert sum("100.0 [51.0, 100.0]  100.0 [51.0, 100.0]" in line for line in lines) == 3
    assert [line.split() for line in lines if line.startswith("average")][1] == ["average", "50.0", "50.0"]
    assert by_level("none", []).to_json()["average"] == {"match": None, "pass": None, "win": None}
    assert "none" in table([by_level("none", [])])


def test_tags_are_counted_over_all_tasks_at_once() -> None:
    """Retriever@1 at category level in table 27: 89 of 100 right, of 212 that are right."""
    keys = [OperationKey(f"t{at}", "GET /x") for at in range(400)]
    tasks = [
        Task(str(at), "", gold=((keys[at], keys[100 + at], *([keys[200 + at]] if at < 12 else [])),), level="category")
        for at in range(100)
    ]
    found = {task.id: [task.gold[0][0] if at < 89 else keys[399]] for at, task in enumerate(tasks)}
    [score] = tag_scores("retriever@1", found, tasks, str).levels.values()
    assert (score.precision, round(score.recall or 0, 4), round(score.f1, 4)) == (0.89, 0.4198, 0.5705)


def test_tags_are_compared_at_the_level_of_the_instruction() -> None:
    near = (OperationKey("trains", "GET /seats"), GOLD[1])
    tasks = [Task(level, "", gold=(GOLD,), level=level) for level in ("statement", "category", "tool", "hybrid")]
    tasks.append(Task("none", "", level="tool"))
    scores = tag_scores("tags", {task.id: near for task in tasks}, tasks, category)
    assert {level: one.f1 for level, one in scores.levels.items()} == {"category": 1.0, "tool": 0.5, "hybrid": 0.5}
    assert tag_table([scores]).splitlines()[1].split() == ["tags", *["1.0000"] * 3, *["0.5000"] * 6]


def test_what_a_model_tags_stands_beside_what_is_retrieved() -> None:
    box = Toolbox(load(LIBRARY))
    books = next(sheet.key for sheet in box.sheets if sheet.name == "get_books")
    tasks = [Task("t", "Which books are there?", gold=((books,),), level="operation")]
    said = asyncio.run(extracted(OfflineAgent(), tasks, lambda task: box))
    assert books in said["t"]
    ranked = [books, *(sheet.key for sheet in box.sheets if sheet.key != books)]
    hits = retrieved(lambda task, count: ranked[:count], tasks)
    assert [len(hits[count]["t"]) for count in (1, 3, 5)] == [1, 3, 5]
    rows = [tag_scores(f"retriever@{count}", keys, tasks, str) for count, keys in hits.items()]
    assert [row.levels["operation"].precision for row in rows] == [1.0, 1 / 3, 0.2]


def test_an_answer_that_cannot_be_used_tags_nothing() -> None:
    class Silent:
        name = "silent"

        async def ask(self, prompt: object) -> None:
            raise AnswerError("the answer is cut at 480 tokens")

    box = Toolbox(load(LIBRARY))
    task = Task("t", "Which books are there?", gold=((box.sheets[0].key,),), level="operation")
    found = asyncio.run(extracted(cast(Model, Silent()), [task], lambda task: box))
    assert tag_scores("silent", found, [task], str).levels["operation"].recall == 0
