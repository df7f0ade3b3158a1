"""What the built-in agent reads of one operation, and how its parameters are read."""

from __future__ import annotations

import pytest
from agentkit import CITIES, COUNTRIES, COUNTRY, CREATE, argument, doc, docs, sheet

from docrev.agent.documents import read_documents
from docrev.agent.parameters import read_slot
from docrev.prompts.agents import Argument, Sheet

NOUNS = frozenset({"country", "city", "track", "movie"})


def test_what_an_operation_is_about() -> None:
    assert (doc(COUNTRY).noun, doc(COUNTRY).is_single) == ("countri", True)
    assert (doc(COUNTRIES).noun, doc(COUNTRIES).is_single) == ("countri", False)
    assert not doc(COUNTRIES).is_partial
    assert doc(CREATE).is_read is False


def test_the_fields_of_a_response_are_those_of_its_schema_and_of_its_description() -> None:
    assert list(doc(COUNTRIES).fields) == ["data/0/code", "data/0/name"]
    told = read_documents([sheet("GET /movies", "Lists movies. Each movie has `title` and `year`, and 3 more fields.")])
    assert list(told.docs[0].fields) == ["title", "year"]
    assert told.docs[0].is_partial


def test_what_one_document_says_of_another_counts_for_that() -> None:
    assert "capit" not in doc(CITIES).weights
    assert doc(COUNTRY).fields["capit"] == ("capit",)


def test_how_requests_are_handled_is_not_what_an_operation_is_for() -> None:
    one = read_documents([sheet("GET /movies", "Lists movies. Returns 404 if the ID does not exist. Ignores `lang`.")])
    assert not {"404", "exist", "lang"} & one.docs[0].weights.keys()


def test_rare_words_weigh_more_than_common_ones() -> None:
    found = docs()
    assert found.rarity["note"] > found.rarity["countri"]
    assert found.match("nation", found.by_name[COUNTRY.name]) > 0, "a nation is a country"


@pytest.mark.parametrize(
    ("one", "role"),
    [
        (argument("id", "path"), "id"),
        (argument("q"), "search"),
        (argument("name", description="Keywords to look for."), "search"),
        (argument("sort_by"), "sort"),
        (argument("per_page", type="integer"), "size"),
        (argument("cursor"), "page"),
        (argument("from", required=True), "text"),
        (argument("from", type="integer"), "page"),
        (argument("date"), "date"),
        (argument("day", description="As `DD.MM.YYYY`."), "date"),
        (argument("date_range", allowed=("week", "month")), "text"),
        (argument("rating", type="integer"), "number"),
        (argument("genre"), "text"),
        (argument("query", "body"), "text"),
    ],
)  # fmt: skip
def test_the_role_of_a_parameter(one: Argument, role: str) -> None:
    assert read_slot(COUNTRIES, one, NOUNS).role == role


@pytest.mark.parametrize(
    ("operation", "one", "noun", "attr"),
    [
        ("GET /countries/{code}", argument("code", "path"), "countri", "code"),
        ("GET /movies/{movie_id}", argument("movie_id", "path"), "movi", "id"),
        ("GET /tracks", argument("ids", description="The IDs of the tracks."), "track", "id"),
        ("GET /tracks", argument("country"), "countri", ""),
        ("GET /tracks", argument("country_code"), "countri", "code"),
        ("POST /movies", argument("uri", "body", description="The URI of a track."), "track", "uri"),
    ],
)  # fmt: skip
def test_what_a_parameter_identifies(operation: str, one: Argument, noun: str, attr: str) -> None:
    slot = read_slot(Sheet(name="x", key=("shop", operation), description=""), one, NOUNS)  # type: ignore[arg-type]
    assert (slot.noun, slot.attr) == (noun, attr)


def test_what_the_description_of_a_parameter_states() -> None:
    slots = {slot.name: slot for slot in (*doc(CITIES).slots, *doc(COUNTRY).slots)}
    assert (slots["sort"].values, slots["sort"].is_closed) == (("name", "-population"), True)
    assert slots["limit"].maximum == 100
    assert (slots["code"].source, slots["code"].example) == (("code", "GET /countries"), "FR")
    needed = read_slot(COUNTRIES, argument("lat", description="Required; requests without it return 422."), NOUNS)
    assert needed.is_required
    here = sheet("GET /movies", "Lists movies. `limit`: at most 50.")
    assert read_slot(here, argument("limit", type="integer"), NOUNS).maximum == 50
