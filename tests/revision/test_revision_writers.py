"""The purposes that the writer gives operations, parameters and properties, from small samples of calls."""

from __future__ import annotations

from typing import Any

import pytest
from revisekit import call, fact, key

from docrev.prompts.questions import Brief, DescribeOperation, DescribeParameter, DescribeResponse
from docrev.records import Call, Fact, Json
from docrev.revision.operation_purposes import describe_operation
from docrev.revision.parameter_purposes import describe_parameter
from docrev.revision.property_purposes import describe_property

CAST = [{"actor": "Marlon Brando", "role": "Vito"}, {"actor": "Al Pacino", "role": "Michael"}]
MOVIE = {"id": 238, "name": "The Godfather", "cast": CAST}
PAGE = {"data": [{"id": 1, "title": "Jaws"}, {"id": 2, "title": "Alien"}], "total": 40}


def operation(name: str, *bodies: Json, facts: tuple[Fact, ...] = (), status: int = 200, **arguments: Any) -> str:
    """The first paragraph of an operation that returned `bodies`."""
    calls = tuple(call(name, body, status=status, **arguments) for body in bodies)
    return describe_operation(DescribeOperation(operation=Brief(key=key(name)), calls=calls, facts=facts)).text


def parameter(name: str, location: str, *calls: Call, facts: tuple[Fact, ...] = (), noun: str = "") -> str:
    prompt = DescribeParameter(operation=Brief(key=key(name)), calls=calls, facts=facts, location=location, noun=noun)
    return describe_parameter(prompt).text


def response_property(name: str, location: str, *bodies: Json, facts: tuple[Fact, ...] = (), noun: str = "") -> str:
    calls = tuple(call(name, body) for body in bodies)
    prompt = DescribeResponse(operation=Brief(key=key(name)), calls=calls, facts=facts, location=location, noun=noun)
    return describe_property(prompt).text


@pytest.mark.parametrize(
    ("name", "body", "text"),
    [
        (
            "GET /movies/{id}",
            MOVIE,
            "Returns a movie by its ID: `id`, `name` and `cast` (each with `actor` and `role`).",
        ),
        ("GET /movies", PAGE, "Lists movies. Each movie has `id` and `title`."),
        ("GET /users/{user_id}/movies", [MOVIE], "Lists the movies of a user. Each movie has `id`, `name` and `cast`."),
        ("GET /movies/{id}/similar", PAGE, "Returns movies similar to a movie. Each movie has `id` and `title`."),
        ("GET /movies/popular", PAGE, "Returns the popular movies. Each movie has `id` and `title`."),
        ("GET /", {"version": "1"}, "Returns information about the service: `version`."),
        ("GET /movies/{id}", {}, "Returns an empty object."),
    ],
)
def test_reading_operations_say_what_they_return(name: str, body: Json, text: str) -> None:
    assert operation(name, body) == text


def test_a_search_names_the_parameter_with_the_text() -> None:
    text = operation("GET /movies/search", PAGE, query_q="jaws")
    assert text == "Searches movies for the text in `q`. Each movie has `id` and `title`."


def test_a_list_says_how_long_its_pages_are_and_how_they_are_sorted() -> None:
    facts = (
        fact("GET /movies", "limits", "query:limit", "200:/data"),
        fact("GET /movies", "default", "query:limit", 20),
        fact(
            "GET /movies", "sorts", "query:sort", {"value": "-year", "field": "200:/data/0/year", "order": "descending"}
        ),
        fact("GET /movies", "default", "query:sort", "-year"),
    )
    assert operation("GET /movies", PAGE, facts=facts).startswith(
        "Lists movies, up to 20 by default, sorted by `year` in descending order."
    )
    paged = (*facts, fact("GET /movies", "pages", "query:page", {"by": "page", "list": "200:/data"}))
    assert operation("GET /movies", PAGE, facts=paged).startswith(
        "Lists movies, 20 per page, sorted by `year` in descending order."
    )


@pytest.mark.parametrize(
    ("name", "status", "start"),
    [
        ("POST /movies", 201, "Creates a movie. Send `name` in the request body. Returns `id`, `name` and `cast`"),
        ("PUT /movies/{id}", 200, "Replaces a movie by its ID. Returns `id`"),
        ("PUT /movies/{id}", 201, "Creates or replaces a movie by its ID. Returns `id`"),
        ("PATCH /movies/{id}", 200, "Updates fields of a movie by its ID. Returns `id`"),
        ("DELETE /movies/{id}", 200, "Deletes a movie by its ID. Returns `id`"),
    ],
)
def test_writing_operations_say_what_they_change(name: str, status: int, start: str) -> None:
    assert operation(name, MOVIE, status=status, body_={"name": "x"}).startswith(start)


def test_what_must_be_sent_is_required_only_by_a_fact() -> None:
    required = fact("POST /movies", "required", "body:/name", True)
    text = operation("POST /movies", MOVIE, status=201, facts=(required,), body_={"name": "x", "year": 1972})
    assert text.startswith("Creates a movie. Requires `name` in the request body.")


def test_an_operation_without_a_successful_call_gets_no_purpose() -> None:
    assert operation("GET /movies", {"detail": "gone"}, status=410) == ""


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("searches", ["200:/data/0/title"], "Text to search for in `title`."),
        ("searches", [f"200:/data/0/field_{at}" for at in range(9)], "Text to search for."),
        ("filters", "200:/data/0/genre", "Returns only movies with this `genre`."),
        ("filters", "200:/data/0/tags/0", "Returns only movies whose `tags` contain this value."),
        ("filters", "200:/data/0/cast/0", "Returns only movies whose `cast` contains this value."),
        ("excludes", "200:/data/0/tags/0", "Excludes movies whose `tags` contain this value."),
        ("at-least", "200:/data/0/year", "Minimum `year` of the movies to return."),
        ("at-most", "200:/data/0/year", "Maximum `year` of the movies to return."),
        ("more-than", "200:/data/0/year", "Returns only movies whose `year` exceeds this value."),
        ("less-than", "200:/data/0/year", "Returns only movies whose `year` is below this value."),
        ("in-year", "200:/data/0/released", "Returns only movies whose `released` is in this year."),
        ("includes", "200:/data/0/adult", "Whether to include movies whose `adult` is true."),
        ("limits", "200:/data", "Maximum number of movies to return."),
        ("pages", {"by": "page", "list": "200:/data"}, "Number of the page to return."),
        ("pages", {"by": "offset", "list": "200:/data"}, "Number of movies to skip."),
        (
            "pages",
            {"by": "cursor", "list": "200:/data", "next": "200:/meta/next"},
            "Pagination cursor: the `meta.next` value of the previous page.",
        ),
        ("sorts", {"value": "asc", "field": "200:/data/0/year", "order": "ascending"}, "Sort direction for `year`."),
        ("sorts", {"value": "year", "field": "200:/data/0/year", "order": "ascending"}, "Field to sort the movies by."),
        ("selects", "200:/data", "Names of the fields to return."),
        ("ignored", True, ""),
    ],
)
def test_a_parameter_says_what_it_does(kind: str, value: Json, text: str) -> None:
    shown = fact("GET /movies", kind, "query:x", value)
    assert parameter("GET /movies", "query:x", facts=(shown,), noun="movie") == text


@pytest.mark.parametrize(
    ("location", "field", "text"),
    [
        ("query:country", "200:/data/0/code", "A country code, as in `code` of `GET /countries`."),
        ("query:nation", "200:/data/0/id", "A country ID, as in `id` of `GET /countries`."),
        ("query:tz", "200:/data/0/timezones/0", "A timezone, as in `timezones` of `GET /countries`."),
        ("query:region", "200:/data/0/region", "A region, as in `region` of `GET /countries`."),
        ("query:money", "200:/data/0/currency_code", "A currency code, as in `currency_code` of `GET /countries`."),
        ("query:money", "200:/data/0/currency/code", "A currency code, as in `currency.code` of `GET /countries`."),
    ],
)
def test_a_parameter_says_where_its_values_come_from(location: str, field: str, text: str) -> None:
    source = fact("GET /cities", "comes-from", location, {"operation": "library GET /countries", "field": field})
    found = call("GET /cities", PAGE, **{location.replace(":", "_"): "x"})
    assert parameter("GET /cities", location, found, facts=(source,), noun="city") == text


def test_the_source_in_another_tool_is_named_with_its_tool() -> None:
    value = {"operation": "maps GET /places", "field": "200:/0/id"}
    source = fact("GET /cities", "comes-from", "query:place_id", value)
    found = call("GET /cities", PAGE, query_place_id="x")
    text = parameter("GET /cities", "query:place_id", found, facts=(source,))
    assert text == "A place ID, as in `GET /places` of maps."


@pytest.mark.parametrize(
    ("location", "values", "text"),
    [
        ("query:q", ["jaws"], "Text to search for."),
        ("query:limit", ["5"], "Maximum number of movies to return."),
        ("query:limit", ["all"], ""),
        ("query:offset", ["10"], "Number of movies to skip."),
        ("query:page", ["2"], "Number of the page to return."),
        ("query:sort", ["-title"], "Field to sort the movies by."),
        ("query:sort", ["magic"], ""),
        ("query:fields", ["id,title"], "Names of the fields to return."),
        ("query:dir", ["desc"], "Sort direction."),
        ("query:since", ["1999-01-31"], "Date in `YYYY-MM-DD` format."),
        ("query:movie_id", ["7"], "ID."),
    ],
)
def test_without_facts_a_parameter_is_described_by_its_name(location: str, values: list[Json], text: str) -> None:
    calls = [call("GET /movies", PAGE, **{location.replace(":", "_", 1): value}) for value in values]
    assert parameter("GET /movies", location, *calls, noun="movie") == text


@pytest.mark.parametrize(
    ("location", "text"),
    [
        ("200:/data", "The movies."),
        ("200:/total", "Total number of movies, across all pages."),
        ("200:/data/0/id", "ID of the movie."),
        ("200:/data/0/created_at", "When the movie was created."),
        ("200:/data/0/last_modified", "When the movie was last modified."),
        ("200:/data/0/is_adult", "Whether the movie is adult."),
        ("200:/data/0/runtime_mins", "Runtime of the movie in minutes."),
        ("200:/data/0/director/name", "Name of the director."),
        ("200:/data/0/permissions/read", ""),
        ("200:/data/0", ""),
    ],
)
def test_a_property_says_what_it_contains(location: str, text: str) -> None:
    shorter = {"data": PAGE["data"][:1], "total": 40}  # type: ignore[index]
    assert response_property("GET /movies", location, PAGE, shorter, noun="movie") == text


def test_what_lies_beside_a_list_is_about_its_pages() -> None:
    last = {"items": [1], "count": 1, "page": 2, "per_page": 2, "next": None}
    first = {"items": [1, 2], "count": 2, "page": 1, "per_page": 2, "next": "https://api.test/movies?page=2"}
    texts = {name: response_property("GET /movies", f"200:/{name}", first, last, noun="movie") for name in first}
    assert texts == {
        "items": "The movies.",
        "count": "Number of movies in this response.",
        "page": "Number of this page.",
        "per_page": "Maximum number of movies per page.",
        "next": "URL of the next page; null on the last page.",
    }
