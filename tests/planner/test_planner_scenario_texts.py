"""The texts of scenarios and the names in them, word for word."""

from __future__ import annotations

import pytest
from plannerkit import AUTHOR, AUTHORS, BOOK, BOOKS, EVIDENCE, WORKS, knowledge_of, respond

from docrev.planner.field_names import field_phrase
from docrev.planner.filled_paths import FilledPath
from docrev.planner.list_selections import ListSelection
from docrev.planner.operation_paths import Hop, OperationPath, PathStart
from docrev.planner.scenario_texts import quoted, scenario_text, wanted_phrase, wanted_phrase_of_many
from docrev.records import Given, Goal, Json, OperationKey

STATUS = OperationKey("library", "GET /status")
NAME = Given("name", "Ada Lark", "author")
ISBN = Given("isbn", "9-01", "book")
GENRE, SORT = Given("genre", "novel", "book", "query:genre"), Given("sort", "-page_count", "book", "query:sort")
BY_NAME = PathStart(AUTHORS, "name", "name", "query:q")
BY_ISBN = PathStart(BOOK, "code", "isbn", "path:isbn")
LONGEST = ListSelection((("query:genre", "novel"), ("query:sort", "-page_count")), ("query:genre",), "page_count", True)
TO_AUTHOR, TO_WORKS = Hop(AUTHOR, "id", "path:id"), Hop(WORKS, "id", "path:author_id")

TEXTS: dict[str, FilledPath] = {
    'What is the id of the author "Ada Lark"?': FilledPath(OperationPath(BY_NAME), Goal((NAME,), "id", "author"), True),
    'What are the titles of the books of the author "Ada Lark"?': FilledPath(
        OperationPath(BY_NAME, (TO_WORKS,)), Goal((NAME,), "title", "book", many=True), True
    ),
    'I need to know the number of pages of the first book of the author "Ada Lark".': FilledPath(
        OperationPath(BY_NAME, (TO_WORKS, Hop(BOOK, "isbn", "path:isbn"))),
        Goal((NAME,), "page_count", "book"),
        True,
        firsts=frozenset({WORKS}),
    ),
    'I need to know the number of pages of the first of the books of the author "Ada Lark".': FilledPath(
        OperationPath(BY_NAME, (TO_AUTHOR, Hop(BOOK, "books/0/isbn", "path:isbn"))),
        Goal((NAME,), "page_count", "book"),
        True,
    ),
    'I need to know the title of the book with the ISBN "9-01".': FilledPath(
        OperationPath(BY_ISBN), Goal((ISBN,), "title", "book"), True
    ),
    'Tell me the birth year of the author of the book with the ISBN "9-01".': FilledPath(
        OperationPath(BY_ISBN, (Hop(AUTHOR, "author_id", "path:id"),)), Goal((ISBN,), "birth_year", "author"), True
    ),
    'I need to know the title of the book with genre "novel" and the highest number of pages.': FilledPath(
        OperationPath(PathStart(BOOKS, "selection", selection=LONGEST)),
        Goal((GENRE, SORT), "title", "book"),
        True,
        ((BOOKS, (GENRE, SORT)),),
    ),
    "What healthy does the status of Library tell?": FilledPath(
        OperationPath(PathStart(STATUS, "arguments")), Goal((), "healthy", "status"), True
    ),
}


def test_the_text_of_each_kind_of_path() -> None:
    knowledge = knowledge_of([*EVIDENCE, respond(STATUS)])
    assert [scenario_text(knowledge, filled, 0) for filled in TEXTS.values()] == list(TEXTS)


PHRASES = {
    ("elevation_ft", "airport"): ("elevation in feet", "elevations in feet"),
    ("daylight_hours", "daylight"): ("hours", "hours"),
    ("page_count", "page"): ("number of pages", "number of pages"),
    ("iata", "airport"): ("IATA code", "IATA codes"),
    ("isbn", "book"): ("ISBN", "ISBN"),
}


@pytest.mark.parametrize("case", PHRASES)
def test_the_wanted_field_in_words(case: tuple[str, str]) -> None:
    assert (wanted_phrase(*case), wanted_phrase_of_many(*case)) == PHRASES[case]


@pytest.mark.parametrize(("value", "text"), [("Peru", '"Peru"'), (7, "7"), (True, "true")])
def test_values_in_texts(value: Json, text: str) -> None:
    assert quoted(value) == text


@pytest.mark.parametrize(("name", "phrase"), [("iso_alpha", "ISO alpha code"), ("icao", "ICAO code")])
def test_names_of_codes_say_so(name: str, phrase: str) -> None:
    assert field_phrase(name) == phrase
