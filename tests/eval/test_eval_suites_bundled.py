"""The bundled suites: their answers are those of the records, and their gold paths lead there over HTTP."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest
from heldout_truths import TRUTHS as HELD_OUT_TRUTHS
from suite_truths import TRUTHS as SEEN_TRUTHS

from docrev.eval.metrics.accepted_answers import accepts
from docrev.eval.metrics.execution import is_executed, reads
from docrev.eval.metrics.paths import is_correct_path, is_same_order
from docrev.eval.suites.registry import suite
from docrev.eval.suites.suite import Loaded, Urls, serving
from docrev.records import Call, Node, OperationKey, Plan, Task, Trajectory

LOADED, HELD_OUT = suite("bundled").load(), suite("bundled-heldout").load()
TASKS = {task.id: task for task in (*LOADED.tasks, *HELD_OUT.tasks)}
TRUTHS = {**SEEN_TRUTHS, **HELD_OUT_TRUTHS}


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Urls]:
    with serving(LOADED, tmp_path_factory.mktemp("specs")) as found:
        yield found


def call(bases: Mapping[str, str], key: OperationKey, arguments: Mapping[str, Any]) -> Call:
    """One request, made without any part of docrev."""
    base = urlsplit(bases[key.tool])
    path = re.sub(r"{(\w+)}", lambda name: quote(str(arguments[f"path:{name[1]}"]), safe=""), key.path)
    query = urlencode({name[6:]: value for name, value in arguments.items() if name.startswith("query:")})
    connection = HTTPConnection(base.hostname or "", base.port)
    headers = dict(header.split(": ") for header in LOADED.serving.headers)
    body = json.dumps(arguments["body:"]) if "body:" in arguments else None
    connection.request(key.method, f"{base.path}{path}?{query}", body, headers)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return Call(
        id=f"{key} {query}",
        key=key,
        arguments=dict(arguments),
        url=base.path + path,
        status=response.status,
        headers={},
        body=json.loads(content) if content else None,
        media_type="application/json",
        purpose="scenario",
    )


def walk(task: Task, bases: Mapping[str, str]) -> list[Call]:
    return [call(bases, key, arguments) for key, arguments in zip(task.gold[0], task.arguments, strict=True)]


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves(inner)
    else:
        yield value


def said(truth: Any) -> Any:
    """The value that a truth is about."""
    if isinstance(truth, dict):
        kind = next(iter(truth))
        return (
            next((said(one) for one in truth["all"] if "state" not in str(one)), None) if kind == "all" else truth[kind]
        )
    return truth


def trajectory(task: Task, calls: list[Call], answer: Any) -> Trajectory:
    nodes = [Node(f"n{at}", None, task.id, "gold", at, Plan("", one.key), one) for at, one in enumerate(calls)]
    return Trajectory(task.id, "gold", tuple(nodes), tuple(node.id for node in nodes), answer, "answer")


def state(task: Task, bases: Mapping[str, str]) -> list[Call]:
    """What the reads that judge a task return now."""
    return [call(bases, read.key, read.arguments) for read in reads(task.answer)]


def assert_answers_are_true(tasks: Mapping[str, Task], truths: Mapping[str, Callable[[], Any]]) -> None:
    """Every task that only reads has a truth, and the answer of each is that of the records."""
    assert {task.id for task in tasks.values() if not reads(task.answer)} == set(truths)
    for name, truth in truths.items():
        expected, stored = truth(), tasks[name].answer
        if isinstance(expected, dict) and "set" in expected:
            expected, stored = {"set": sorted(expected["set"])}, {"set": sorted(stored["set"])}
        assert stored == expected, name


def test_there_are_enough_tasks_at_three_levels() -> None:
    levels = Counter(task.level for task in LOADED.tasks)
    assert len(LOADED.tasks) >= 60
    assert set(levels) == {"statement", "tool", "operation"}
    assert min(levels.values()) >= 12
    assert sum(len(task.gold[0]) > 1 for task in LOADED.tasks) >= 30
    assert sum(task.gold[0][-1].method != "GET" for task in LOADED.tasks) >= 10
    assert LOADED.findings == ()


def test_the_held_out_part_is_one_of_its_own() -> None:
    assert Counter(task.level for task in HELD_OUT.tasks) == {"statement": 24, "tool": 12, "operation": 12}
    assert {task.group for task in HELD_OUT.tasks} == {"held-out"}
    assert "held-out" not in {task.group for task in LOADED.tasks}
    assert len(TASKS) == len(LOADED.tasks) + len(HELD_OUT.tasks)
    assert not {task.text for task in HELD_OUT.tasks} & {task.text for task in LOADED.tasks}
    assert {len(task.gold[0]) for task in HELD_OUT.tasks} == {1, 2, 3}
    assert sum(len(task.gold[0]) > 1 for task in HELD_OUT.tasks) >= 20
    assert len([task for task in HELD_OUT.tasks if reads(task.answer)]) == 8
    assert HELD_OUT.findings == ()


def test_a_text_names_what_its_level_says() -> None:
    assert TASKS
    for task in TASKS.values():
        operations = re.findall(r"(?:GET|POST|PUT|PATCH|DELETE) /", task.text)
        tools = re.findall(r"Atlas|Airfield", task.text)
        assert bool(operations) == (task.level == "operation"), task.id
        assert bool(tools) or task.level != "tool", task.id
        assert not tools or task.level != "statement", task.id


def test_the_answers_are_those_of_the_records() -> None:
    assert_answers_are_true(TASKS, TRUTHS)


@pytest.mark.parametrize("name", sorted(TASKS))
def test_the_gold_path_leads_to_the_answer(name: str, urls: Urls) -> None:
    task, bases = TASKS[name], urls(name)
    calls = walk(task, bases)
    assert [one.status for one in calls if not one.ok] == []
    judged = state(task, bases)
    answer = said(task.answer)
    found = [leaf for one in calls for leaf in leaves(one.body)]
    if not isinstance(task.answer, dict) or "state" not in task.answer:
        kind = "within" in str(task.answer)
        wanted = answer if isinstance(answer, list) else [task.answer if kind else answer]
        assert [one for one in wanted if not any(accepts(one, leaf) for leaf in found)] == []
    walked = trajectory(task, calls, answer)
    assert is_executed(task, walked, judged)
    assert is_correct_path(task, walked)
    assert is_same_order(task, walked)


@pytest.mark.parametrize("name", sorted(task.id for task in TASKS.values() if reads(task.answer)))
def test_a_task_that_writes_is_not_done_by_doing_nothing(name: str, urls: Urls) -> None:
    task, bases = TASKS[name], urls(f"{name}-untouched")
    assert is_executed(task, trajectory(task, [], said(task.answer)), state(task, bases)) is False


def test_other_ways_are_ways_too() -> None:
    catalog = LOADED.catalog()
    assert all(key in catalog for task in TASKS.values() for path in task.gold for key in path)


@pytest.mark.parametrize("truths", [SEEN_TRUTHS, HELD_OUT_TRUTHS], ids=["seen", "held-out"])
def test_a_wrong_answer_is_not_taken_for_a_true_one(truths: Mapping[str, Callable[[], Any]]) -> None:
    everything = json.dumps([truth() for truth in truths.values()])
    assert truths
    for name in truths:
        task = TASKS[name]
        others = [said(TASKS[other].answer) for other in truths if said(TASKS[other].answer) != said(task.answer)]
        assert [one for one in (*others, everything) if accepts(task.answer, one)] == [], name


def test_rooms_do_not_see_each_other(urls: Urls) -> None:
    key = OperationKey("airfield", "POST /watchlists")
    call(urls("one"), key, {"body:": {"name": "Mine"}})
    seen = call(urls("other"), OperationKey("airfield", "GET /watchlists"), {})
    assert seen.body == {"results": [], "count": 0}


def test_specs_are_written_as_published(tmp_path: Path) -> None:
    files = LOADED.write(tmp_path)
    assert [file.name for file in files] == ["airfield.json", "atlas.yaml"]
    again = Loaded("again", (), {file.name: file.read_text() for file in files}).catalog()
    assert again.digest == LOADED.catalog().digest
