"""The hard suites: their answers are those of the records, and who does as the published text says gets another one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hard_truths import MISLED as FIRST_MISLED
from hard_truths import TRUTHS as FIRST_TRUTHS
from second_hard_truths import MISLED as SECOND_MISLED
from second_hard_truths import TRUTHS as SECOND_TRUTHS
from test_eval_suites_bundled import assert_answers_are_true, call, said, state, trajectory, walk

from docrev.eval.metrics.accepted_answers import accepts
from docrev.eval.metrics.execution import is_executed, reads
from docrev.eval.metrics.paths import is_correct_path
from docrev.eval.suites.registry import suite
from docrev.eval.suites.suite import Urls, serving
from docrev.records import Json, OperationKey

LOADED, SECOND = suite("bundled-hard").load(), suite("bundled-hard-2").load()
TASKS = {task.id: task for task in (*LOADED.tasks, *SECOND.tasks)}
TRUTHS, MISLED = {**FIRST_TRUTHS, **SECOND_TRUTHS}, {**FIRST_MISLED, **SECOND_MISLED}
SILENT = sorted(task.id for task in TASKS.values() if task.group == "silent")


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Urls]:
    with serving(LOADED, tmp_path_factory.mktemp("specs")) as found:
        yield found


def test_there_are_enough_tasks_and_most_mislead_silently() -> None:
    groups = Counter(task.group for task in LOADED.tasks)
    assert len(LOADED.tasks) >= 60
    assert groups["silent"] >= 20
    assert set(groups) == {"silent", "empty", "refused", "ids", "hidden"}
    assert len({key.tool for task in LOADED.tasks for key in task.gold[0]}) == 3
    assert LOADED.findings == ()


def test_the_second_half_is_one_of_its_own() -> None:
    groups = Counter(task.group for task in SECOND.tasks)
    assert len(SECOND.tasks) == 32
    assert groups == {"silent": 22, "empty": 3, "refused": 2, "ids": 2, "hidden": 3}
    assert len(TASKS) == len(LOADED.tasks) + len(SECOND.tasks)
    assert not {task.text for task in SECOND.tasks} & {task.text for task in LOADED.tasks}
    assert len([task for task in SECOND.tasks if reads(task.answer)]) == 9
    assert SECOND.findings == ()


def test_no_text_names_what_it_is_answered_with() -> None:
    names = {operation.key.operation for operation in LOADED.catalog().operations}
    parts = {operation.name for operation in LOADED.catalog().operations}
    assert TASKS
    for task in TASKS.values():
        assert not re.search(r"(?:GET|POST|PUT|PATCH|DELETE) /|Atlas|Airfield|Depot", task.text), task.id
        assert not [name for name in names | parts if len(name) > 8 and name in task.text], task.id


def test_the_answers_are_those_of_the_records() -> None:
    assert_answers_are_true(TASKS, TRUTHS)


@pytest.mark.parametrize("name", sorted(TASKS))
def test_the_gold_path_does_the_task(name: str, urls: Urls) -> None:
    task, bases = TASKS[name], urls(name)
    calls = walk(task, bases)
    assert [one.body for one in calls if not one.ok] == []
    assert is_executed(task, trajectory(task, calls, said(task.answer)), state(task, bases))
    assert is_correct_path(task, trajectory(task, calls, said(task.answer)))


@pytest.mark.parametrize("name", SILENT)
def test_the_published_text_misleads_silently(name: str, urls: Urls) -> None:
    task, bases, misled = TASKS[name], urls(f"{name}-misled"), MISLED[name]
    calls = [call(bases, _key(operation), arguments) for operation, arguments in misled.calls]
    assert [one.body for one in calls if not one.ok] == []
    if misled.read is not None:
        assert not accepts(task.answer, misled.read([one.body for one in calls]))
    else:
        assert is_executed(task, trajectory(task, calls, said(task.answer)), state(task, bases)) is False


def test_every_silent_task_says_where_it_misleads() -> None:
    assert sorted(MISLED) == SILENT


def _key(text: str) -> OperationKey:
    tool, _, operation = text.partition(" ")
    return OperationKey(tool, operation)


@pytest.mark.long
def test_a_wrong_answer_is_not_taken_for_a_true_one() -> None:
    answers: list[Json] = [said(task.answer) for task in TASKS.values() if not reads(task.answer)]
    assert answers
    assert TRUTHS
    for name, truth in TRUTHS.items():
        true = said(truth())
        others = [one for one in answers if one != true]
        assert [one for one in others if accepts(TASKS[name].answer, one)] == [], name
