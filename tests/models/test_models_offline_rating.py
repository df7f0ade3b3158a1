"""The offline ratings of documentation: more is told, a higher score."""

from __future__ import annotations

from promptkit import SPECS

from docrev.graph import ToolGraph
from docrev.models.offline import OfflineModel
from docrev.prompts.questions import RateDocumentation
from docrev.records import OperationKey
from docrev.spec import load


def scores(description: str, parameters: tuple[str, ...] = (), responses: tuple[str, ...] = ()) -> tuple[int, int, int]:
    catalog = load([SPECS])
    prompt = RateDocumentation(
        key=OperationKey("atlas", "GET /countries/{code}/cities"),
        description=description,
        parameters=parameters,
        responses=responses,
    )
    rated = OfflineModel(catalog, ToolGraph(catalog)).answer(prompt)
    assert all(one.reason for one in (rated.description, rated.parameters, rated.responses))
    return rated.description.score, rated.parameters.score, rated.responses.score


def test_a_name_said_again_is_poor() -> None:
    assert scores("Get cities.", ("path:code (string, required)", "query:page (integer): Page."), ("/data",)) == (
        1,
        1,
        1,
    )


def test_what_is_explained_briefly_is_good() -> None:
    told = "Lists the cities of a country by its code, the largest first, 50 a page. Each has a name and an id."
    parameters = ("path:code (string, required): ISO 3166 alpha-2 code of the country.",)
    assert scores(told, parameters, ("/data/0/name (string): What people call it.",)) == (3, 3, 3)


def test_half_of_it_is_middling() -> None:
    parameters = ("path:code (string, required): ISO 3166 code.", "query:page (integer, optional): Page.")
    assert scores("Cities of a country, largest first.", parameters, ("/data/0/id: Key to read it by.", "/total")) == (
        2,
        2,
        2,
    )


def test_too_many_words_are_no_better_than_none() -> None:
    assert scores(" ".join(f"word{at}x" for at in range(200)))[0] == 1
    assert scores("")[0] == 1
