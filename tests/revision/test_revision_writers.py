"""The purposes that the writer gives operations, parameters and properties, from small samples of calls."""

from __future__ import annotations

from typing import Any

import pytest
from revisekit import call, fact, key

from docrev.prompts.questions import Brief
from docrev.records import Call, Fact, Json
from docrev.revision.operation_purposes import describe_operation
from docrev.revision.parameter_purposes import describe_parameter
from docrev.revision.property_purposes import describe_property
from docrev.revision.value_sources import best_source, find_sources
from docrev.revision.writer_inputs import OperationInput, ParameterInput, PropertyInput

CAST = [{"actor": "Marlon Brando", "role": "Vito"}, {"actor": "Al Pacino", "role": "Michael"}]
MOVIE = {"id": 238, "name": "The Godfather", "cast": CAST}
PAGE = {"data": [{"id": 1, "title": "Jaws"}, {"id": 2, "title": "Alien"}], "total": 40}


def operation(name: str, *bodies: Json, facts: tuple[Fact, ...] = (), status: int = 200, **arguments: Any) -> str:
    """The first paragraph of an operation that returned `bodies`."""
    calls = tuple(call(name, body, status=status, **arguments) for body in bodies)
    return describe_operation(OperationInput(Brief(key=key(name)), facts, calls))


def parameter(name: str, location: str, *calls: Call, facts: tuple[Fact, ...] = (), noun: str = "") -> str:
    place = ParameterInput(Brief(key=key(name)), facts, calls, location=location, noun=noun)
    return describe_parameter(place)


def response_property(name: str, location: str, *bodies: Json, facts: tuple[Fact, ...] = (), noun: str = "") -> str:
    calls = tuple(call(name, body) for body in bodies)
    place = PropertyInput(Brief(key=key(name)), facts, calls, location=location, noun=noun)
    return describe_property(place).text


@pytest.mark.parametrize(
    ("name", "body", "text"),
    [
        ("GET /movies/{id}", MOVIE, "Returns a movie by its ID."),
        ("GET /movies", PAGE, "Lists movies."),
        ("GET /users/{user_id}/movies", [MOVIE], "Lists the movies of a user."),
        ("GET /movies/{id}/similar", PAGE, "Returns movies similar to a movie."),
        ("GET /movies/popular", PAGE, "Returns the popular movies."),
    ],
)
def test_reading_operations_say_what_they_return(name: str, body: Json, text: str) -> None:
    assert operation(name, body) == text


def test_a_search_names_the_parameter_with_the_text() -> None:
    assert operation("GET /movies/search", PAGE, query_q="jaws") == "Searches movies for the text in `q`."


@pytest.mark.parametrize(
    ("name", "status", "text"),
    [
        ("POST /movies", 201, "Creates a movie."),
        ("PUT /movies/{id}", 200, "Replaces a movie by its ID."),
        ("PUT /movies/{id}", 201, "Creates or replaces a movie by its ID."),
        ("PATCH /movies/{id}", 200, "Updates fields of a movie by its ID."),
        ("DELETE /movies/{id}", 200, "Deletes a movie by its ID."),
    ],
)
def test_writing_operations_say_what_they_change(name: str, status: int, text: str) -> None:
    assert operation(name, MOVIE, status=status, body_={"name": "x"}) == text


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
        ("more-than", "200:/data/0/year", "Returns only movies whose `year` is above this value (exclusive)."),
        ("less-than", "200:/data/0/year", "Returns only movies whose `year` is below this value (exclusive)."),
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
        ("sorts", {"value": "asc", "field": "200:/data/0/year", "order": "ascending"}, "Sort direction."),
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
def test_a_source_says_where_values_come_from(location: str, field: str, text: str) -> None:
    shown = fact("GET /cities", "comes-from", location, {"operation": "library GET /countries", "field": field})
    source = best_source(find_sources(key("GET /cities"), location, [shown]))
    assert source is not None
    assert next(source.phrases()) == text


def test_the_source_in_another_tool_is_named_with_its_tool() -> None:
    value = {"operation": "maps GET /places", "field": "200:/0/id"}
    source = best_source(
        find_sources(key("GET /cities"), "query:place", [fact("GET /cities", "comes-from", "query:place", value)])
    )
    assert source is not None
    assert next(source.phrases()) == "A place ID, as in `id` of `GET /places` of maps."


def test_what_lies_below_a_key_that_is_data_is_no_source() -> None:
    value = {"operation": "library GET /api", "field": "200:/paths/~1cities~1{id}/name"}
    assert find_sources(key("GET /cities"), "query:x", [fact("GET /cities", "comes-from", "query:x", value)]) == []


def test_without_facts_a_parameter_is_not_described() -> None:
    found = call("GET /movies", PAGE, query_limit=5)
    assert parameter("GET /movies", "query:limit", found, noun="movie") == ""


@pytest.mark.parametrize("location", ["200:/data", "200:/data/0/id", "200:/data/0/created_at", "200:/data/0"])
def test_a_property_that_says_nothing_of_the_page_is_not_described(location: str) -> None:
    assert response_property("GET /movies", location, PAGE, noun="movie") == ""


def test_what_lies_beside_a_list_is_about_its_pages() -> None:
    last = {"items": [1], "count": 1, "page": 2, "per_page": 2, "next": None}
    first = {"items": [1, 2], "count": 2, "page": 1, "per_page": 2, "next": "https://api.test/movies?page=2"}
    texts = {name: response_property("GET /movies", f"200:/{name}", first, last, noun="movie") for name in first}
    assert texts == {
        "items": "",
        "count": "",
        "page": "",
        "per_page": "",
        "next": "URL of the next page; null on the last page.",
    }


def test_a_source_is_made_to_be_looked_up() -> None:
    """No free text that is the same by chance, and no operation that needs the ID of the very thing."""

    def found(user: str, operation: str, field: str) -> list[str]:
        value = {"operation": f"library {operation}", "field": field}
        location = f"path:{user.rpartition('{')[2].rstrip('}')}"
        return [
            source.name for source in find_sources(key(user), location, [fact(user, "comes-from", location, value)])
        ]

    assert found("GET /books/{book}", "GET /books", "200:/0/name") == ["name"]
    assert found("GET /books/{book}", "GET /books", "200:/0/description") == []
    assert found("GET /books/name/{name}", "GET /books/{id}", "200:/name") == []
    assert found("GET /books/{bookId}", "GET /books", "200:/0/title") == []
    assert found("GET /books/{book}", "GET /books", "200:/0/title") == ["title"]
    assert found("GET /languages/{code}", "GET /countries/{code}", "200:/language_code") == ["language_code"]
    assert found("GET /kinds/{id}", "GET /books/{id}", "200:/series/kind/id") == []


def test_the_list_of_the_things_themselves_is_a_better_source_than_what_names_them() -> None:
    user, location = "GET /books/{bookId}/pages", "path:bookId"
    sources = {"GET /events": "200:/events/0/book", "GET /library": "200:/books/0/id"}
    shown = [
        fact(user, "comes-from", location, {"operation": f"library {operation}", "field": field})
        for operation, field in sources.items()
    ]
    best = best_source(find_sources(key(user), location, shown))
    assert best is not None
    assert best.operation == key("GET /library")


def test_a_list_of_the_things_themselves_is_named_before_one_that_only_refers_to_them() -> None:
    fields = {"GET /entries": "200:/entries/0/user/id", "GET /users": "200:/users/0/id"}
    sources = [{"operation": f"library {operation}", "field": field} for operation, field in fields.items()]
    shown = [fact("GET /users/{user_id}", "comes-from", "path:user_id", source) for source in sources]
    source = best_source(find_sources(key("GET /users/{user_id}"), "path:user_id", shown))
    assert source is not None
    assert next(source.phrases()) == "A user ID, as in `users.id` of `GET /users`."
