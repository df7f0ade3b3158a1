"""Which functions a task is likely to need, and what is shown of the others until they are chosen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import called, drive

from docrev.models.rendering import messages
from docrev.prompts.agents import Action, NextAction, finish
from docrev.prompts.questions import Prompt
from docrev.records import Task, Trajectory
from docrev.runners import Toolbox, TrackLimits, runner
from docrev.runners.relevance import ResourceRanking
from docrev.spec import load

VERBS = ("get", "put", "delete")


def toolbox(tmp_path: Path, paths: Mapping[str, str]) -> Toolbox:
    """Functions for three verbs on each path, described by a text: `getBooksA` for `/books/a`."""

    def operation(verb: str, path: str, text: str) -> dict[str, Any]:
        name = verb + path.title().replace("/", "")
        later = f"Only what came later, as {name} sees it: all of the day that is given, and of those behind it."
        parameter = {"name": "since", "in": "query", "description": later, "schema": {"type": "string"}}
        parameters = [parameter] * (verb != "put")
        return {"operationId": name, "description": text, "parameters": parameters, "responses": {}}

    document = {
        "openapi": "3.0.3",
        "info": {"title": "Hall", "version": "1"},
        "paths": {path: {verb: operation(verb, path, text) for verb in VERBS} for path, text in paths.items()},
    }
    file = tmp_path / "hall.json"
    file.write_text(json.dumps(document), "utf-8")
    return Toolbox(load(file))


@pytest.fixture
def hall(tmp_path: Path) -> Toolbox:
    kinds = ("books", "loans", "rooms", "members")
    return toolbox(tmp_path, {f"/{kind}/{at}": f"What {kind} do. Not on Sundays." for kind in kinds for at in "ab"})


def likely(tools: Toolbox, task: str) -> frozenset[str]:
    return ResourceRanking(tools.sheets).likely(task)


def reads(names: frozenset[str] | tuple[str, ...]) -> set[str]:
    return {name for name in names if name.startswith("get")}


def test_whole_resources_are_taken_until_there_are_enough(hall: Toolbox) -> None:
    shown = likely(hall, "Which loans of members are late?")
    assert reads(shown) == {"getLoansA", "getLoansB", "getMembersA", "getMembersB"}
    assert len(shown) == 12


def test_two_words_of_a_task_are_found_as_one_of_the_documents(tmp_path: Path) -> None:
    text = {f"/{kind}/{at}": "" for kind in ("watchlists", "loans", "rooms") for at in "ab"}
    shown = likely(toolbox(tmp_path, text), "Which watch-lists are there, and which loans?")
    assert reads(shown) == {"getWatchlistsA", "getWatchlistsB", "getLoansA", "getLoansB"}


def test_where_no_word_is_shared_and_of_a_few_functions_all_are_shown(hall: Toolbox) -> None:
    assert len(likely(hall, "Hello?")) == 24
    few = hall.narrowed([sheet.name for sheet in hall.sheets if "Books" in sheet.name])
    assert len(likely(few, "Which loans?")) == 6


def test_one_large_resource_is_divided_by_its_paths(tmp_path: Path) -> None:
    text = {f"/api/{kind}/{at}": "" for kind in ("books", "loans", "rooms") for at in "ab"}
    shown = likely(toolbox(tmp_path, text), "Which books and which loans?")
    assert reads(shown) == {"getApiBooksA", "getApiBooksB", "getApiLoansA", "getApiLoansB"}


def test_a_function_that_was_shown_in_short_is_shown_whole_before_it_is_called(hall: Toolbox) -> None:
    asked: list[NextAction] = []

    def answer(prompt: Prompt[Any]) -> Any:
        assert isinstance(prompt, NextAction)
        asked.append(prompt)
        return finish("done") if prompt.history else Action(action="getRoomsA")

    task = Task("t", "Which loans of members are late?")
    result = drive(runner("react")(task, hall, TrackLimits()), answer, lambda invoke: called(invoke, {}))
    assert isinstance(result, Trajectory)
    assert (len(result.calls), result.asks) == (1, 3)
    assert ["getRoomsA" in prompt.folded for prompt in asked] == [True, False, False]
    # Of a function without parameters and fields nothing is left to be shown.
    assert "putRoomsA" not in asked[0].folded
    assert [prompt.chosen for prompt in asked] == ["", "getRoomsA", ""]
    first, second, _ = (messages(prompt)[-1]["content"] for prompt in asked)
    assert "\n- getRoomsA(since): What rooms do.\n" in first
    assert "You chose getRoomsA, which is now shown whole." in second
    assert "You chose" not in first
    assert "\n- getRoomsA: What rooms do. Not on Sundays.\n" in second
    assert "\n- getLoansA: What loans do. Not on Sundays.\n" in first
    assert hall.size(hall.sheets, asked[0].folded) < hall.size(hall.sheets)
    assert hall.folded("Hello?") == ()
    # What its prompts show is what is counted.
    assert result.tokens_in < 3 * hall.size(hall.sheets)
