"""Links between documents, values for parameters, and the ways that are found."""

from __future__ import annotations

import pytest
from agentkit import CITIES, COUNTRIES, COUNTRY, CREATE, DELETE, argument, doc, docs, sheet

from docrev.agent.clauses import read_clauses
from docrev.agent.documents import read_documents
from docrev.agent.links import field_for, has_code_shape, is_equivalent
from docrev.agent.relevance import Relevance
from docrev.agent.value_fits import CERTAIN, CHOSEN, ValueFits, format_date, is_adjective_of
from docrev.agent.way_search import WaySearch, of_kind
from docrev.agent.ways import ArgumentSource, Way, WayStep
from docrev.records import Json


def test_the_field_that_a_parameter_takes() -> None:
    [code] = doc(COUNTRY).slots
    assert field_for(doc(COUNTRIES), code) == ("code", 1.0)
    assert field_for(doc(CITIES), code)[1] == 0.0


def test_the_same_field_of_the_same_thing_is_as_good_as_the_documented_one() -> None:
    search = sheet("GET /search/countries", "Searches countries.", fields="/results/0/code")
    found = read_documents([COUNTRIES, COUNTRY, search])
    other, documented = found.by_name[search.name], found.by_name[COUNTRIES.name]
    assert is_equivalent(other, documented, "code")
    assert not is_equivalent(other, documented, "name")


def test_codes_are_told_from_names_by_what_the_documentation_shows() -> None:
    [code] = doc(COUNTRY).slots
    assert code.takes_codes
    assert has_code_shape(code, "PE")
    assert not has_code_shape(code, "PERU")
    assert not doc(CITIES).slots[0].takes_codes


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Which cities lie in France?", "France"),
        ("Which cities does the country Peru have?", "Peru"),
    ],
)
def test_a_place_fits_a_parameter_that_takes_one(text: str, value: str) -> None:
    fits = ValueFits(docs(), read_clauses(text)[0])
    fit = fits.fit(doc(CITIES), doc(CITIES).slots[0], fits.clause.values[0])
    assert fit is not None
    assert fit[0] == value


def fitted(text: str, name: str) -> tuple[Json, float] | None:
    slots = (
        argument("region", allowed=("Africa", "Europe")), argument("day", description="As `DD.MM.YYYY`."),
        argument("rating", type="integer"), argument("limit", type="integer"),
    )  # fmt: skip
    found = read_documents([sheet("GET /cities", "Lists cities.", *slots)])
    fits = ValueFits(found, read_clauses(text)[0])
    slot = next(slot for slot in found.docs[0].slots if slot.name == name)
    return fits.fit(found.docs[0], slot, fits.clause.values[0])


def test_values_are_sent_as_documented() -> None:
    assert fitted("List the African cities", "region") == ("Africa", CHOSEN)
    assert fitted("List the cities on 2024-06-01", "day") == ("01.06.2024", CERTAIN)
    assert fitted("List the cities with a rating of 4", "rating") == (4, CERTAIN)
    assert fitted("List the cities with a height of 4", "rating") is None
    assert fitted("List the cities in Asia", "region") is None
    assert is_adjective_of("European", "Europe")
    assert not is_adjective_of("Oceanic", "Europe")
    assert format_date("2024-06-01", "") == "2024-06-01"


def names(text: str) -> list[tuple[str, ...]]:
    return [way.names for way in WaySearch(docs(), read_clauses(text)[0]).best()]


def test_what_is_needed_is_found_out_first() -> None:
    assert names("What is the capital of France?")[0] == (COUNTRIES.name, COUNTRY.name)
    [_, last] = WaySearch(docs(), read_clauses("What is the capital of France?")[0]).best()[0].steps
    assert dict(last.sources)["code"] == ArgumentSource(
        provider=COUNTRIES.name, noun="countri", attr="code", field="code"
    )


def test_a_code_that_the_text_names_needs_no_other_call() -> None:
    assert names('What is the capital of the country with the code "FR"?')[0] == (COUNTRY.name,)


def test_only_what_does_the_deed_ends_a_way() -> None:
    assert names('Create a note with the text "A"')[0] == (CREATE.name,)
    assert {way[-1] for way in names('Delete the note "A"')} <= {DELETE.name}


def test_an_order_is_sent_as_documented() -> None:
    [first, *_] = WaySearch(docs(), read_clauses("List the cities with the highest population")[0]).best()
    assert dict(first.steps[-1].sources)["sort"].value == "-population"


def test_a_way_searches_for_the_kind_of_thing_that_is_needed() -> None:
    search = sheet("GET /search", "Searches.", argument("type", allowed=("artist", "album"), required=True))
    [one] = read_documents([search]).docs
    way = Way((WayStep(one.name, (("type", ArgumentSource("artist")),)),), frozenset(), {}, 0.0)
    assert dict(of_kind(one, way, "album").steps[0].sources)["type"].value == "album"
    assert of_kind(one, way, "track") == way


def test_operations_that_the_text_names_weigh_most() -> None:
    found = docs()
    clause = read_clauses("Use `GET /cities` to list what there is")[0]
    relevance = Relevance(found, clause)

    def score(name: str) -> float:
        return relevance.score(found.by_name[name], Way((WayStep(name, ()),), frozenset(), {}, 0.0))

    assert score(CITIES.name) > score(COUNTRIES.name) + 2
