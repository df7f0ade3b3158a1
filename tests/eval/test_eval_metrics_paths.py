"""Metrics of the way: subsequence, set and order; length; answered calls; match rate; arguments."""

from __future__ import annotations

from dataclasses import replace

import pytest
from trajectories import did, invented, key, task

from docrev.eval.metrics.arguments import Matched, argument_f1, matched
from docrev.eval.metrics.paths import (
    Share,
    covers_gold,
    delta_length,
    is_correct_path,
    is_match,
    is_same_order,
    is_same_set,
    length,
    tool_calling,
)
from docrev.eval.metrics.paths import invented as count_invented
from docrev.records import OperationKey

A, B, C = "GET /a", "GET /b", "GET /c"


@pytest.mark.parametrize(
    ("gold", "made", "subsequence", "covers", "same_set", "same_order", "delta"),
    [
        ((A, B), (A, B), True, True, True, True, 0),
        ((A, B), (A, C, B), True, True, False, False, 1),
        ((A, B), (B, A), False, True, True, False, None),
        ((A, B), (A, A, B), True, True, True, True, 1),
        ((A, B), (A, B, A), True, True, True, False, 1),
        ((A, A), (A,), False, True, True, True, None),
        ((A, B), (A,), False, False, False, False, None),
        ((A,), (), False, False, False, False, None),
    ],
)
def test_variants_of_the_correct_path(
    gold: tuple[str, ...],
    made: tuple[str, ...],
    subsequence: bool,
    covers: bool,
    same_set: bool,
    same_order: bool,
    delta: int | None,
) -> None:
    wanted, done = task(*gold), did(*made)
    found = (is_correct_path(wanted, done), covers_gold(wanted, done), is_same_set(wanted, done))
    assert found == (subsequence, covers, same_set)
    assert is_same_order(wanted, done) is same_order
    assert delta_length(wanted, done) == delta


def test_any_of_several_gold_paths_is_right_and_the_shortest_that_is_held_counts() -> None:
    wanted, done = task((A, B), (B,), (C, C)), did(A, B)
    assert is_correct_path(wanted, done)
    assert is_same_order(wanted, done)
    assert delta_length(wanted, done) == 1


def test_a_task_without_gold_has_no_correct_path() -> None:
    assert not is_correct_path(task(), did(A))
    assert delta_length(task(), did(A)) is None


def test_only_the_way_counts_not_the_rest_of_the_tree() -> None:
    done = did(A, B)
    way = replace(done, path=(done.path[0], done.path[2]))
    assert length(way) == 1
    assert not is_correct_path(task(A, B), way)


def test_tool_calling_counts_failures_and_what_does_not_exist() -> None:
    done = did(A, (B, {}, 404), (C, {}, None))
    ghost = invented("GET /ghost")
    done = replace(done, nodes=(*done.nodes, ghost), path=(*done.path, ghost.id))
    assert tool_calling(done) == Share(1, 4)
    assert count_invented(done) == 1
    assert tool_calling(did()).rate is None
    assert Share(1, 2) + Share(0.5, 2) == Share(1.5, 4)


def test_match_rate_at_each_level() -> None:
    categories = {"shop": "trade", "bank": "money"}

    def category(one: OperationKey) -> str:
        return categories[one.tool]

    wanted = replace(task(), gold=((key(A), key(B, "bank")),))
    other = did(C)
    paid = replace(other.nodes[0], id="paid", call=replace(other.nodes[0].call, key=key(B, "bank")))  # type: ignore[type-var]
    both = replace(other, nodes=(*other.nodes, paid), path=(*other.path, "paid"))
    assert [is_match(wanted, both, level, category) for level in ("category", "tool", "operation")] == [
        True,
        True,
        False,
    ]
    assert not is_match(wanted, other, "category", category)


def test_arguments_are_held_against_the_call_that_agrees_most() -> None:
    wanted = task(A, B, arguments=({"query:q": "x", "query:n": 2}, {"body:": {"a": 1, "b": [True]}}))
    done = did(
        (A, {"query:q": "wrong"}),
        (A, {"query:q": "x", "query:n": "2", "query:more": 1}),
        (B, {"body:": {"a": 1.0, "b": [False]}}),
    )
    assert argument_f1(wanted, done) == Matched(right=3, sent=5, gold=4)
    assert argument_f1(wanted, did()) == Matched(0, 0, 4)
    assert argument_f1(task(A), did(A)) is None


def test_f1_of_nothing_to_send() -> None:
    assert matched({}, {}).f1 == 1.0
    assert matched({}, {"query:q": 1}).f1 == 0.0
    assert matched({"query:q": 1}, {"query:q": 1, "query:r": 1}).f1 == pytest.approx(2 / 3)
    assert matched({"query:q": True}, {"query:q": "true"}).f1 == 1.0
    assert matched({"query:q": "1"}, {"path:q": "1"}).f1 == 0.0
