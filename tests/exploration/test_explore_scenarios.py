"""Rounds of scenarios, experience and the comparison, over canned answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from driving import called, drive

from docrev.exploration.compare import compare
from docrev.exploration.experience import learn, value_sources
from docrev.exploration.scenarios import NEVER, Board, design_round
from docrev.prompts.questions import (
    Brief,
    DesignScenario,
    ExperienceDraft,
    Prompt,
    Same,
    SameExperience,
    ScenarioDraft,
    SummariseExperience,
)
from docrev.prompts.steps import Invoke
from docrev.records import Call, Experience, Node, OperationKey, Plan, Scenario, Solution
from docrev.search import SearchResult, Strategy

A, B, C, D = (OperationKey("toy", f"GET /{name}") for name in "abcd")
BRIEFS = tuple(Brief(key=key) for key in (A, B, C, D))


def no_call(invoke: Invoke) -> Call:
    raise AssertionError("designing makes no call")


def round_of(board: Board, size: int, partners: dict[OperationKey, tuple[OperationKey, ...]]) -> list[Scenario]:
    def design(prompt: Prompt[Any]) -> ScenarioDraft:
        assert isinstance(prompt, DesignScenario)
        if prompt.first not in partners:
            return ScenarioDraft(text="", reason="nothing to say")
        text = f"{prompt.first} {len(prompt.avoid)}"
        return ScenarioDraft(text=text, operations=(prompt.first, *partners[prompt.first]))

    made: list[Scenario] = drive(design_round(board, size), design, no_call)
    return made


def test_the_least_used_operation_is_taken_first() -> None:
    board = Board(BRIEFS, working={A, B, C, D})
    made = round_of(board, 5, {A: (B,), B: (A,), C: (A,), D: ()})
    assert [scenario.operations[0] for scenario in made] == [A, C, D, B, C]
    assert [scenario.id for scenario in made] == ["s001", "s002", "s003", "s004", "s005"]


def test_what_never_answered_or_has_nothing_to_say_is_skipped_with_the_reason() -> None:
    board = Board(BRIEFS, working={A, B})
    made = round_of(board, 3, {A: ()})
    assert {scenario.operations[0] for scenario in made} == {A}
    assert board.skipped == {B: "nothing to say", C: NEVER, D: NEVER}


def test_a_text_that_exists_is_not_made_again() -> None:
    board = Board(BRIEFS, working={A})

    def design(prompt: Prompt[Any]) -> ScenarioDraft:
        return ScenarioDraft(text="always the same", operations=(A,))

    assert len(drive(design_round(board, 4), design, no_call)) == 1
    assert drive(design_round(board, 4), design, no_call) == []


def test_kept_scenarios_count_as_used() -> None:
    board = Board(BRIEFS, working={A, B})
    board.keep(Scenario("s001", "old", (A,)))
    made = round_of(board, 1, {A: (), B: ()})
    assert (made[0].id, made[0].operations) == ("s002", (B,))


def node(name: str, key: OperationKey | None, label: Any, *, status: int = 200, answer: Any = None) -> Node:
    parent = name.rpartition(".")[0] or None
    call = called(Invoke(key, {}), {"x": 1}, status) if key else None
    plan = Plan("think", key, answer=answer) if parent else None
    return Node(name, parent, "s001", "bfs", name.count("."), plan, call, label=label)


def result(nodes: list[Node], strategy: Strategy = "bfs", scenario: str = "s001") -> SearchResult:
    right = tuple(one for one in nodes if one.label == "right" and one.parent)
    solution = Solution(scenario, strategy, right, "x") if right else None
    made = sum(one.call is not None for one in nodes)
    return SearchResult(Scenario(scenario, "What is x?", ()), strategy, solution, tuple(nodes), made)


SEARCHED = [
    node("0", None, "right"),
    node("0.1", A, "right"),
    node("0.2", B, "wrong", status=404),
    node("0.1.1", C, "right"),
    node("0.1.2", D, "wrong"),
    node("0.1.3", C, "wrong"),
    node("0.1.1.1", None, "right", answer="x"),
]


def lessons(known: tuple[Experience, ...] = (), worth: bool = True) -> list[Experience]:
    def answer(prompt: Prompt[Any]) -> Any:
        if isinstance(prompt, SummariseExperience):
            return ExperienceDraft(worth=worth, known="k", right_plan="r", wrong_plan="w", why="lacks it")
        assert isinstance(prompt, SameExperience)
        return Same(same=any((e.key, e.wrong) == (prompt.new.key, prompt.new.wrong) for e in prompt.known))

    found: list[Experience] = drive(learn(result(SEARCHED), known), answer, no_call)
    return found


def test_experience_is_kept_on_the_operation_after_which_the_choice_is_made() -> None:
    found = lessons()
    assert [(e.key, e.right, e.wrong) for e in found] == [(B, A, B), (A, C, D)]
    assert all(e.scenario == "What is x?" and len(e.calls) >= 2 for e in found)


def test_what_an_argument_was_taken_from_is_noted_with_the_field() -> None:
    listed = called(Invoke(A, {}), {"items": [{"code": "PE", "name": "Peru"}]})
    read = called(Invoke(C, {"path:code": "PE", "query:x": "x", "query:all": True}), {"capital": "Lima"})
    nodes = [
        node("0", None, "right"),
        replace(node("0.1", A, "right"), call=listed),
        replace(node("0.1.1", C, "right"), call=read),
    ]
    [found] = value_sources(result(nodes))
    assert (found.right, found.field, found.wrong, found.location) == (A, "code", C, "path:code")
    assert found.calls == (listed.id, read.id)
    assert value_sources(result([node("0", None, "right"), node("0.1", A, "wrong")])) == []


def test_how_many_there_are_is_no_source_of_ids() -> None:
    listed = called(Invoke(A, {}), {"count": 2, "results": [{"id": 1}, {"id": 2}]})
    read = called(Invoke(C, {"path:id": 2}), {"name": "Peru"})
    nodes = [replace(node("0.1", A, "right"), call=listed), replace(node("0.1.1", C, "right"), call=read)]
    assert [found.field for found in value_sources(result([node("0", None, "right"), *nodes]))] == ["id"]


def test_no_experience_is_invented_or_kept_twice() -> None:
    assert lessons(worth=False) == []
    assert lessons(known=tuple(lessons())) == []


def test_a_search_without_a_solution_teaches_nothing() -> None:
    unsolved = result([node("0", None, None), node("0.1", A, None)])
    assert drive(learn(unsolved, ()), lambda prompt: None, no_call) == []


def test_strategies_are_compared_over_what_all_of_them_solved() -> None:
    short = [node("0", None, "right"), node("0.1", A, "right"), node("0.1.1", None, "right", answer="x")]
    none = [node("0", None, None), node("0.1", A, None, status=404)]
    table = compare(
        {
            "bfs": [result(short), result(SEARCHED, scenario="s002")],
            "react": [result(short, "react"), result(none, "react", "s002")],
        }
    )
    bfs, react = table.rows
    assert (bfs.correct, bfs.length, bfs.common_length, bfs.success, bfs.calls) == (1.0, 1.5, 1.0, 1.0, 6)
    assert (react.correct, react.length, react.common_length, react.calls) == (0.5, 1.0, 1.0, 2)
    assert table.common == 1


def test_an_oracle_decides_what_counts_as_solved() -> None:
    table = compare({"bfs": [result(SEARCHED)]}, solved={"bfs": frozenset()})
    assert table.rows[0].correct == 0.0
    assert table.rows[0].length is None


@pytest.mark.parametrize("size", [1, 3])
def test_a_round_has_at_most_its_size(size: int) -> None:
    assert len(round_of(Board(BRIEFS, working={A, B, C, D}), size, {A: (), B: (), C: (), D: ()})) == size
