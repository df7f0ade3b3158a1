"""Sentences of documentation: what docrev writes is read back, and so is what people write."""

from __future__ import annotations

import pytest

from docrev.language import documentation_phrases as phrases
from docrev.language.documentation_phrases import Phrase, sentences

Captured = dict[str, str]
BOOKS = "GET /authors/{name}/books"
EMAIL = {"purpose": "the email", "operation": "GET /authors/{id}"}
ONWARD = {"field": "next", "parameter": "cursor"}
GIVEN = {"field": "id", "operation": "GET /authors"}
MOST = {"number": "100"}

# phrase: (what it is written with, what is read of that, human variants with what is read of each)
TABLE: dict[str, tuple[Captured, Captured, list[tuple[str, Captured]]]] = {
    "SOURCE": (
        {"label": "An author ID", **GIVEN},
        GIVEN,
        [
            ("The `id` returned by `GET /authors`.", GIVEN),
            ("Author. Returned as `id` by `GET /authors`.", GIVEN),
            ("ID of the author. Use the `id` field from the response of GET /authors.", GIVEN),
            ("Author ID, as listed by the GET /authors endpoint, in its `id`.", GIVEN),
            ("The id from `GET /authors`", GIVEN),
            ("Call `GET /authors` and use the `id` field.", GIVEN),
            ("See `GET /authors` (field `id`).", GIVEN),
            (f"Takes `data[].id` of `{BOOKS}`.", {"field": "data[].id", "operation": BOOKS}),
        ],
    ),
    "PROVIDER": (
        {"label": "An author ID", "operation": "GET /authors"},
        {"operation": "GET /authors"},
        [
            ("ID of the author (see `GET /authors`).", {"operation": "GET /authors"}),
            ("You can get this from GET /authors.", {"operation": "GET /authors"}),
            ("Obtained by calling `GET /authors`.", {"operation": "GET /authors"}),
            ("Author, as returned by the `GET /authors` endpoint.", {"operation": "GET /authors"}),
            ("Find one with `GET /search/authors`.", {"operation": "GET /search/authors"}),
        ],
    ),
    "ALTERNATIVE": (
        {"purpose": "the email of an author", "operation": "GET /authors/{id}"},
        {"purpose": "the email of an author", "operation": "GET /authors/{id}"},
        [
            ("For the email use `GET /authors/{id}`.", EMAIL),
            ("To get the email, call GET /authors/{id}.", EMAIL),
            ("Use `GET /authors/{id}` to retrieve the email.", EMAIL),
            ("If you need the email, see `GET /authors/{id}`.", EMAIL),
            ("See the `GET /authors/{id}` endpoint for the email.", EMAIL),
        ],
    ),
    "LOOKUP": (
        {"purpose": "a country by its code", "operation": "GET /countries/{code}"},
        {"purpose": "a country by its code", "operation": "GET /countries/{code}"},
        [
            ("To look up a country by code use `GET /c`.", {"purpose": "a country by code", "operation": "GET /c"}),
            ("Use `GET /c/{code}` to find one country.", {"purpose": "one country", "operation": "GET /c/{code}"}),
            ("To search for a country, see GET /search.", {"purpose": "a country", "operation": "GET /search"}),
            ("Call `GET /search` instead to look up names.", {"purpose": "names", "operation": "GET /search"}),
            ("To identify a country, please use the `GET /c`.", {"purpose": "a country", "operation": "GET /c"}),
        ],
    ),
    "DEFAULT": (
        {"value": "`20`"},
        {"value": "20"},
        [
            ("Default: 20.", {"value": "20"}),
            ("Page size (default 20).", {"value": "20"}),
            ("The default value is `name`.", {"value": "name"}),
            ("If omitted, 20 is used.", {"value": "20"}),
            ("`asc` is the default.", {"value": "asc"}),
            ("default = 0.5", {"value": "0.5"}),
        ],
    ),
    "REQUIRED": (
        {"status": 422},
        {},
        [
            ("**Required**. The code.", {}),
            ("The code. Mandatory.", {}),
            ("This parameter is required.", {}),
            ("A code; it must be provided.", {}),
            ("Cannot be omitted.", {}),
            ("Required: calls without it are answered 422.", {}),
        ],
    ),
    "MOST": (
        {"number": 100},
        MOST,
        [
            ("Maximum: 100.", MOST),
            ("Page size, max 100", MOST),
            ("No more than `100` items.", MOST),
            ("A value between 1 and 100.", MOST),
            ("Items per page (1-100).", MOST),
            ("Cannot exceed 100.", MOST),
            ("Up to 1,000 items.", {"number": "1,000"}),
        ],
    ),
    "CLAMP": (
        {"number": 100},
        MOST,
        [
            ("At most 100; larger values are cut.", MOST),
            ("Values greater than 100 are capped.", MOST),
            ("Capped at 100.", MOST),
            ("Silently capped at the server's limit (100).", MOST),
            ("Limited to 100.", MOST),
            ("The maximum is 100, anything above is reduced.", MOST),
        ],
    ),
    "RANGE": (
        {"low": 1, "number": 100},
        MOST,
        [
            ("From 1 to 100.", MOST),
            ("Integer between `1` and `100`.", MOST),
            ("An integer (1 - 100)", MOST),
            ("An integer (1–100)", MOST),
            ("Must be between 1 and 100 inclusive.", MOST),
        ],
    ),
    "MOST_HERE": (
        {"parameter": "limit", "number": 50},
        {"parameter": "limit", "number": "50"},
        [
            ("`limit` is at most 50 here.", {"parameter": "limit", "number": "50"}),
            ("`limit`: at most 50; larger values are cut.", {"parameter": "limit", "number": "50"}),
            ("The **limit** may be up to 50.", {"parameter": "limit", "number": "50"}),
            ("`limit` has a maximum of 50.", {"parameter": "limit", "number": "50"}),
            ("`limit` must not exceed 50.", {"parameter": "limit", "number": "50"}),
        ],
    ),
    "CLAMP_HERE": (
        {"parameter": "limit", "number": 50},
        {"parameter": "limit", "number": "50"},
        [
            ("`limit` is capped at 50.", {"parameter": "limit", "number": "50"}),
            ("`limit`: capped at 50 here.", {"parameter": "limit", "number": "50"}),
            ("`limit`: silently capped at the server's limit (50).", {"parameter": "limit", "number": "50"}),
            ("The **limit** is limited to 50.", {"parameter": "limit", "number": "50"}),
            ("`limit`: max 50, larger values are cut.", {"parameter": "limit", "number": "50"}),
            ("`limit` values greater than 50 are cut.", {"parameter": "limit", "number": "50"}),
        ],
    ),
    "EXAMPLE": (
        {"value": "`PE`"},
        {"value": "PE"},
        [
            ("A code, e.g. PE", {"value": "PE"}),
            ("A code such as `PE`.", {"value": "PE"}),
            ("For example, `name` or `title`.", {"value": "name"}),
            ("A code, for instance PE.", {"value": "PE"}),
            ("Observed values: `PE`, `BR`.", {"value": "PE"}),
        ],
    ),
    "DATE": (
        {"format": "`YYYY-MM-DD`"},
        {"format": "YYYY-MM-DD"},
        [
            ("As `DD.MM.YYYY`.", {"format": "DD.MM.YYYY"}),
            ("Format: YYYY-MM-DD", {"format": "YYYY-MM-DD"}),
            ("The day (MM/DD/YYYY)", {"format": "MM/DD/YYYY"}),
            ("A date like YYYYMMDD", {"format": "YYYYMMDD"}),
            ("DD/MM/YYYY", {"format": "DD/MM/YYYY"}),
        ],
    ),
    "SEARCH": (
        {"field": "name"},
        {"field": "name"},
        [
            ("The search term.", {}),
            ("Search query string.", {}),
            ("Keywords to look for.", {}),
            ("Free-text filter.", {}),
            ("Searches in names and titles.", {}),
        ],
    ),
    "CURSOR": (
        {"field": "next"},
        {"field": "next"},
        [
            ("Where to go on: `next` of the page before.", {"field": "next"}),
            ("The `next_cursor` returned by the previous request.", {"field": "next_cursor"}),
            ("Cursor from the last response.", {}),
            ("The value of `next` from the previous page.", {"field": "next"}),
            ("Taken from the previous response's `meta.next`.", {"field": "meta.next"}),
            ("A pagination token returned by the previous call.", {}),
        ],
    ),
    "NEXT_PAGE": (
        {"field": "next", "parameter": "cursor"},
        {"field": "next", "parameter": "cursor"},
        [
            ("Next page: send `next` of the answer as `cursor`.", ONWARD),
            ("Pass `next` from the response as `cursor` to get the next page.", ONWARD),
            ("To get the next page, use `next` as the `cursor`.", ONWARD),
            ("Set `cursor` to the `next` value to continue.", ONWARD),
            ("Fetch the next page by sending `next` in `cursor`.", ONWARD),
        ],
    ),
    "NEXT_PAGE_URL": (
        {"header": "Next-Page"},
        {"header": "Next-Page"},
        [
            ("The next page is in the `Link` header.", {"header": "Link"}),
            ("The `Link` header holds the URL of the next page.", {"header": "Link"}),
            ("Next page: call the URL in the `Next-Page` response header.", {"header": "Next-Page"}),
            ("Follow the `X-Next` response header for the next page.", {"header": "X-Next"}),
            ("To get the next page, follow the `Link` header.", {"header": "Link"}),
        ],
    ),
    "ABSENT": (
        {"status": 404, "label": "ID"},
        {},
        [
            ("An unknown id is answered 404.", {}),
            ("Responds with a 404 when there is no such movie.", {}),
            ("404 is returned for unknown IDs.", {}),
            ("Any other value returns 422.", {}),
            ("Throws a 400 error for invalid dates.", {}),
        ],
    ),
    "NOTHING_MATCHES": (
        {"status": 200, "list": "`data`"},
        {},
        [
            ("Where nothing matches, `data` is empty, with 200.", {}),
            ("If no movies match, the list is empty.", {}),
            ("When no results are found, `items` is empty.", {}),
            ("Returns an empty list if nothing was found.", {}),
            ("The response is an empty array when there are none.", {}),
        ],
    ),
    "BROKEN": (
        {"status": 500},
        {},
        [
            ("All 3 requests failed with 500.", {}),
            ("The only request failed with 500.", {}),
            ("Requests to this endpoint currently fail with 503.", {}),
            ("Every request fails with 500.", {}),
            ("Requests fail 500.", {}),
        ],
    ),
    "IGNORES": (
        {"name": "lang"},
        {},
        [
            ("`lang` is ignored here.", {}),
            ("Unknown query parameters are ignored.", {}),
            ("Unknown fields are silently ignored.", {}),
            ("Sorting has no effect.", {}),
            ("Extra parameters have no effect.", {}),
        ],
    ),
    "CREDENTIALS": (
        {"status": 401},
        {},
        [
            ("Requires authentication.", {}),
            ("This endpoint requires authentication.", {}),
            ("Requires user authorization.", {}),
            ("This operation requires valid credentials.", {}),
            ("Requires OAuth authentication with any scope.", {}),
        ],
    ),
    "FIELDS": (
        {"noun": "book", "fields": "`title`"},
        {},
        [
            ("Returns `title` and `isbn`.", {}),
            ("The response contains `title`.", {}),
            ("Every item includes a `title`.", {}),
            ("Items have `title`.", {}),
            ("The answer provides `title`.", {}),
        ],
    ),
    "MORE_FIELDS": (
        {"count": 5},
        {},
        [
            ("It has `a`, `b` and 5 more fields.", {}),
            ("It has `a` and several other properties.", {}),
            ("and many more fields", {}),
            ("`a` and 1 more field", {}),
            ("`a`, `b` and some other fields", {}),
        ],
    ),
}  # fmt: skip


def test_every_phrase_is_in_the_table() -> None:
    """`CHOICE` is read by a function of its own, tested below."""
    assert {name for name, value in vars(phrases).items() if isinstance(value, Phrase)} == {*TABLE, "CHOICE"}


@pytest.mark.parametrize("name", TABLE)
def test_a_phrase_is_read_as_it_is_written(name: str) -> None:
    given, expected, _ = TABLE[name]
    phrase: Phrase = getattr(phrases, name)
    assert phrase.read(phrase.write(**given)) == expected


@pytest.mark.parametrize("name", TABLE)
def test_a_phrase_is_read_as_people_write_it(name: str) -> None:
    phrase: Phrase = getattr(phrases, name)
    variants = TABLE[name][2]
    assert len(variants) >= 5
    assert [(text, phrase.read(text)) for text, _ in variants] == variants


CHOICES: list[tuple[str, tuple[str, ...], bool]] = [
    (phrases.CHOICE.write(values="`a`, `b`"), ("a", "b"), True),
    ("Either `true` or `false`.", ("true", "false"), True),
    ("`asc` or `desc`.", ("asc", "desc"), True),
    ("Allowed values: asc, desc.", ("asc", "desc"), True),
    ("The order. Valid values are `asc` and `desc`.", ("asc", "desc"), True),
    ("Possible values: name, -name or title", ("name", "-name", "title"), True),
    ("Direction (asc|desc)", ("asc", "desc"), True),
    ('Must be "asc" or "desc".', ("asc", "desc"), True),
    ("For example, `name` or `title`; prefix a minus sign to descend: `-name`.", ("name", "title", "-name"), False),
    ("Takes `id` of `GET /authors`.", (), False),
    ("Must be given with `lat` and `lon`.", ("lat", "lon"), False),
    ("Either a name or an id.", (), False),
    ("The name.", (), False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values", "closed"), CHOICES)
def test_choices(text: str, values: tuple[str, ...], closed: bool) -> None:
    assert phrases.choices(text) == (values, closed)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("SOURCE", "Returns the movies of `GET`."),
        ("SOURCE", "The `id` of the author; see `GET /authors` for a list of them."),
        ("PROVIDER", "For long lists use `GET /export` instead."),
        ("ALTERNATIVE", "For the email of an author."),
        ("REQUIRED", "Required if `lat` is given."),
        ("REQUIRED", "This is not required."),
        ("MOST", "The 100 most populous cities."),
        ("DEFAULT", "The one that is taken."),
        ("SEARCH", "The name of the city."),
        ("CURSOR", "Number of the page to return."),
        ("ABSENT", "Returns the 500 largest cities."),
        ("NOTHING_MATCHES", "Returns a list of movies."),
    ],
)
def test_other_sentences_are_not_read(name: str, text: str) -> None:
    assert getattr(phrases, name).read(text) is None


def test_an_abbreviation_ends_no_sentence() -> None:
    assert sentences("The name of a setting (e.g. `port`). Set by the server.") == [
        "The name of a setting (e.g. `port`).",
        "Set by the server.",
    ]
