"""What statements are worth, and which of them a budget of words buys."""

from __future__ import annotations

import re
from dataclasses import replace
from operator import is_
from pathlib import Path
from typing import Any

import pytest
from revisekit import SPEC, call, explored, fact, library_calls
from test_revision_texts import revised, texts

from docrev.evidence import Evidence
from docrev.evidence.part import EvidencePart
from docrev.records import ChangeClass
from docrev.revision.common_errors import disguised_errors
from docrev.revision.common_notes import OF_LISTS, common_statements, uncovered
from docrev.revision.common_values import common_properties, common_sources
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation, read_observations
from docrev.revision.operation_notes import OperationContext, also_creates, alternatives
from docrev.revision.place_statements import PlaceStatements
from docrev.revision.places import Spot, spots
from docrev.revision.word_budget import WeighedStatement, choose
from docrev.revision.worth import worth
from docrev.spec import Schema, load
from docrev.spec.lock import read_marks
from docrev.spec.marks import WrittenText

LIST, ONE, BOOKS = "GET /authors", "GET /authors/{author_id}", "GET /books"


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Spot]:
    path, folder = explored(tmp_path, facts=[fact(LIST, "default", "query:country", "IT")])
    catalog = load([path])
    with Evidence.open(folder, write=False) as evidence:
        found = spots(catalog, read_observations(catalog, EvidencePart(evidence)))
    return {f"{spot.first.observed.key.operation} {spot.first.location}".strip(): spot for spot in found}


def stated(text: str, kind: str = "", category: ChangeClass = "bound", value: Any = None) -> Statement:
    quotes = tuple(re.findall("`([^`]+)`", text))
    return Statement(text, kind, category, (fact(LIST, kind, "query:country", value),) if kind else (), quotes=quotes)


def test_what_names_or_the_present_text_say_is_worth_nothing(places: dict[str, Spot]) -> None:
    limit, country = places[f"{LIST} query:limit"], places[f"{LIST} query:country"]
    assert worth(stated("Maximum number of authors to return.", category="wording"), limit, "") == 0
    assert worth(stated("Returns only authors with this `country`.", category="wording"), country, "") == 0
    assert worth(stated("Returns only authors with this `birthplace`.", category="wording"), country, "") > 0
    search = stated("Searches authors for the text in `q`.", category="wording")
    assert worth(search, places[LIST], "Search") > 0
    operation = places[LIST].first.observed.operation
    found = replace(operation, parameters=(*operation.parameters, replace(operation.parameters[0], name="q")))
    use = replace(places[LIST].first, observed=replace(places[LIST].first.observed, operation=found))
    assert worth(search, replace(places[LIST], uses=(use,)), "Search") == 0
    assert worth(stated("One of `IT`, `FR`."), country, "Either IT or FR.") == 0
    assert worth(stated("One of `IT`, `FR`."), country, "For example IT.") > 0
    missing = Statement("If the author does not exist, returns an empty list, not 404.", "missing", "trap")
    assert worth(missing, country, "If no such author exists, the list will be empty.") == 0
    assert worth(missing, country, "If the author doesn't exist, returns an empty list.") == 0
    assert worth(missing, country, "Returns 200 if it was removed or if it didn't exist") == 0
    assert worth(missing, country, "The list may be empty.") > 0
    assert worth(Statement("Required.", "required", "bound"), country, "A code. It is required.") == 0
    assert worth(Statement("Required.", "required", "bound"), country, "A code.") > 0


def test_a_source_that_the_text_names_and_an_example_of_a_form_that_it_shows_are_worth_nothing(
    places: dict[str, Spot],
) -> None:
    country, source = places[f"{LIST} query:country"], stated("Returned as `code` by `GET /x`.", "comes-from", "source")
    origin = {"operation": "library GET /x", "field": "200:/0/code"}
    source = replace(source, facts=(fact(LIST, "comes-from", "query:country", origin),))
    assert worth(source, country, "") > 0
    assert worth(source, replace(country, text="A code as returned by the /x call."), "") == 0
    # Of `book_id` everybody expects that it is the ID of a book.
    listed = replace(country, name="book_id")
    for field, expected in (("id", False), ("isbn", True)):
        origin = {"operation": "library GET /books", "field": f"200:/0/{field}"}
        source = replace(source, facts=(fact(LIST, "comes-from", "query:country", origin),))
        assert (worth(source, listed, "") > 0) is expected
    example = stated("Example: `IT`.", category="example")
    assert worth(example, country, "Where they were born.") > 0
    assert worth(example, country, "One of the codes or a name in the `XX` form.") == 0


def test_only_values_of_what_has_few_everywhere_are_examples(places: dict[str, Spot]) -> None:
    country = places[f"{LIST} query:country"]
    assert worth(stated("Example: `fam`.", category="example"), replace(country, name="query"), "") == 0
    for name, expected in (("status", True), ("owner", False), ("event_name", False)):
        spot = replace(country, name=name)
        assert (worth(stated("Example: `active`.", category="example"), spot, "") > 0) is expected
        assert (
            worth(stated("Observed values: `active`, `done`.", "observed-values", "example"), spot, "") > 0
        ) is expected


def test_a_short_word_in_a_path_is_the_name_of_a_thing_and_no_code(places: dict[str, Spot]) -> None:
    country, example = places[f"{LIST} query:country"], stated("Example: `gpu`.", category="example")
    assert worth(example, replace(country, name="country"), "") > 0
    use = replace(country.first, location="path:server")
    assert worth(example, replace(country, name="server", uses=(use,)), "") == 0


@pytest.mark.parametrize(("style", "counts"), [("form", False), ("deepObject", True)])
def test_that_a_parameter_has_no_effect_which_stands_for_any_others_is_worth_nothing(
    places: dict[str, Spot], style: str, counts: bool
) -> None:
    country = places[f"{LIST} query:country"]
    operation = country.first.observed.operation
    schema = Schema(country.schema.refs, country.schema.place, {"type": "object"}) if country.schema else None
    assert schema is not None
    open_to_any = replace(operation.parameter("query:country"), schema=schema, style=style)
    found = replace(operation, parameters=(open_to_any,))
    use = replace(country.first, observed=replace(country.first.observed, operation=found))
    ignored = stated("Has no effect.", "ignored", "trap", value=True)
    assert (worth(ignored, replace(country, uses=(use,)), "") > 0) is counts


@pytest.mark.parametrize(("name", "counts"), [("externalId", False), ("area_km2", False), ("externalKind", True)])
def test_a_filter_on_the_field_of_its_name_is_worth_nothing_however_that_is_written(
    places: dict[str, Spot], name: str, counts: bool
) -> None:
    written = "area_km2" if name == "area_km2" else "externalId"
    text = stated(f"Returns only authors with this `{written}`.", category="wording")
    assert (worth(text, replace(places[f"{LIST} query:country"], name=name), "") > 0) is counts


@pytest.mark.parametrize(
    ("declared", "form", "counts"),
    [
        ({"format": "uuid4"}, "uuid", False),
        ({"format": "uuid"}, "uuid", False),
        ({"format": "slug"}, "uuid", True),
        ({"format": "byte"}, "base64", False),
        ({"contentEncoding": "base64"}, "base64", False),
        ({}, "base64", True),
    ],
)
def test_a_format_that_the_schema_declares_more_closely_is_worth_nothing(
    places: dict[str, Spot], declared: dict[str, str], form: str, counts: bool
) -> None:
    country = places[f"{LIST} query:country"]
    assert country.schema is not None
    schema = Schema(country.schema.refs, country.schema.place, {"type": "string"} | declared)
    spot = replace(country, schema=schema)
    assert (worth(stated("Must have this form.", "format", value=form), spot, "") > 0) is counts


def test_that_a_put_creates_stands_once_if_all_do(places: dict[str, Spot]) -> None:
    observed = places[ONE].first.observed
    known = {"operation": "library GET /authors/{id}", "replaces": True}
    puts = []
    for at in range(3):
        key = observed.key._replace(operation=f"PUT /{'x' * (at + 1)}/{{id}}")
        creates = fact(key.operation, "creates", "", known)
        operation = replace(observed.operation, key=key)
        of = replace(observed, operation=operation, good=(call(key.operation, {}),), bad=(), facts={"": (creates,)})
        puts.append((of, [Statement("If the author does not exist, creates it.", "creates", "trap", (creates,))]))
    shared = common_statements(puts)
    assert [one.text for one in shared] == ["A `PUT` of something that does not exist creates it."]
    assert not [left for of, stated in puts for left in uncovered(stated, shared)]
    assert common_statements(puts[:2]) == []
    # That each creates alone what it is about is told where one needs what lies around it.
    below = puts[0][0].key._replace(operation="PUT /authors/{id}/books/{name}")
    need = fact(below.operation, "needs-first", "", {"status": 404, "operation": "library PUT /authors/{id}"})
    operation = replace(puts[0][0].operation, key=below)
    inner = replace(puts[0][0], operation=operation, facts={"": (*puts[0][0].facts[""], need)})
    [found] = common_statements([(inner, puts[0][1]), *puts[1:]])
    assert found.text == "A `PUT` of something that does not exist creates it, but not what it lies in."
    without = replace(puts[0][0], facts={})
    assert common_statements([(without, []), *puts[1:]]) == []


@pytest.mark.parametrize(
    ("fate", "said", "is_news"),
    [
        ("kept", "Properties not specified are left untouched.", False),
        ("removed", "Properties not specified are left untouched.", True),
        ("removed", "What is omitted is reset.", False),
        ("kept", "Sets an author.", True),
    ],
)
def test_what_a_text_says_of_what_is_left_out_in_other_words_is_no_news(
    places: dict[str, Spot], fate: str, said: str, is_news: bool
) -> None:
    shown = fact(ONE, "left-out", "body:", fate)
    text = "Properties that are left out keep their values."
    statement = Statement(text, "left-out", "trap", (shown,))
    assert bool(worth(statement, places[ONE], said)) is is_news


def test_at_least_and_at_most_one_is_exactly_one(places: dict[str, Spot]) -> None:
    rules = ("at-most-one-of", "at-least-one-of")
    facts = tuple(fact(ONE, "alternatives", "", {"rule": rule, "names": ["name", "id"]}) for rule in rules)
    observed = replace(places[ONE].first.observed, facts={"": facts})
    found = [one.text for one in alternatives(OperationContext(observed, None, (), "masked"))]
    assert found == ["Requires exactly one of `name` and `id`."]


@pytest.mark.parametrize(
    ("text", "is_said"),
    [("Sets an author.", True), ("Creates or overwrites the author.", False), ("Update or insert an author.", False)],
)
def test_that_a_put_creates_is_not_said_twice(places: dict[str, Spot], text: str, is_said: bool) -> None:
    observed = places[ONE].first.observed
    creates = fact(ONE, "creates", "", {"operation": f"library {ONE}", "replaces": True})
    operation = replace(observed.operation, summary="", description=text)
    context = OperationContext(replace(observed, operation=operation, facts={"": (creates,)}), None, (), "masked")
    assert bool([*also_creates(context)]) is is_said


def test_what_properties_beside_lists_are_stands_once() -> None:
    def purpose(name: str, kind: str) -> Statement:
        about = f"`{name}` is the total number, across all pages"
        facts = (fact(f"GET /{kind}", "field", f"200:/{name}", True),) if kind != "authors" else ()
        return Statement(f"Total number of {kind}, across all pages.", OF_LISTS, facts=facts, about=about)

    totals = [
        [purpose(name, kind)]
        for name, kind in (("total", "books"), ("total", "authors"), ("total", "loans"), ("count", "shelves"))
    ]
    [shared] = common_properties(totals)
    assert shared.text == "In lists, `total` is the total number, across all pages."
    assert [left.text for stated in totals for left in uncovered(stated, [shared])] == [
        "Total number of shelves, across all pages."
    ]
    assert [*common_properties(totals[1:])] == []


def test_what_only_some_lists_show_of_the_next_page_is_said_once_with_what_all_show() -> None:
    def purpose(about: str) -> list[Statement]:
        return [Statement("", OF_LISTS, facts=(fact(f"GET /{about}", "field", "200:/next", True),), about=about)]

    plain, ended = "`next` is the URL of the next page", "`next` is the URL of the next page; null on the last page"
    stated = [*(purpose(plain) for _ in range(4)), *(purpose(ended) for _ in range(4))]
    [shared] = common_properties(stated)
    assert shared.text == f"In lists, {ended}."
    assert [*uncovered(stated[0], [shared])] == []


def test_what_the_schema_says_is_worth_nothing(places: dict[str, Spot]) -> None:
    country, limit = places[f"{LIST} query:country"], places[f"{LIST} query:limit"]
    assert worth(stated("A text.", "type", value="string"), country, "") == 0
    assert worth(stated("Must be an integer.", "type", value="integer"), country, "") > 0
    assert worth(stated("Defaults to `0`.", "default", value=0), places[f"{LIST} query:limit"], "") > 0
    assert worth(stated("Defaults to `false`.", "default", value=False), limit, "") == 0


@pytest.mark.parametrize(
    ("field", "is_worth"), [("country", False), ("country_code", False), ("code", True), ("birthplace", True)]
)
def test_where_values_come_from_is_worth_nothing_if_a_field_is_called_as_the_parameter(
    places: dict[str, Spot], field: str, is_worth: bool
) -> None:
    """A reader finds such a field by itself; a code of what is called otherwise it takes for a name."""
    value = {"operation": "library GET /books", "field": f"200:/items/0/{field}"}
    source = stated(f"A country, as in `{field}` of `GET /books`.", "comes-from", "source", value)
    assert (worth(source, places[f"{LIST} query:country"], "Where they live.") > 0) == is_worth


@pytest.mark.parametrize(
    ("schema", "text", "kind", "value", "is_news"),
    [
        ("{type: boolean, default: false}", "Defaults to `false`.", "default", "false", False),
        ("{type: integer, default: 7}", "Defaults to `7`.", "default", "7", False),
        ("{type: integer, default: 7}", "Defaults to `8`.", "default", "8", True),
        (
            "{type: array, items: {type: string, pattern: '^[a-z]+$'}}",
            "Must match `^[a-z]+$`.",
            "pattern",
            "^[a-z]+$",
            False,
        ),
        (
            "{type: array, items: {type: string, pattern: '^[a-z]+$'}}",
            "Must match `^[a-z]$`.",
            "pattern",
            "^[a-z]$",
            True,
        ),
    ],
)
def test_what_the_schema_says_of_the_items_of_a_list_or_of_what_is_sent_alike_is_worth_nothing(
    tmp_path: Path, schema: str, text: str, kind: str, value: str, is_news: bool
) -> None:
    path, folder = explored(
        tmp_path, SPEC.replace("country, in: query, schema: {type: string}", f"country, in: query, schema: {schema}")
    )
    with Evidence.open(folder, write=False) as evidence:
        found = spots(catalog := load([path]), read_observations(catalog, EvidencePart(evidence)))
    country = next(spot for spot in found if spot.name == "country" and spot.kind == "parameter")
    assert (worth(stated(text, kind, value=value), country, "") > 0) is is_news


def test_that_something_is_required_is_more_than_its_name(places: dict[str, Spot]) -> None:
    needed = Statement("`country` is required.", "required", "bound")
    assert worth(needed, places[LIST], "Lists the authors of a country.") > 0
    assert worth(needed, places[LIST], "Lists authors. The country is required.") == 0


def test_a_budget_buys_the_most_worth_per_word_and_keeps_the_order(places: dict[str, Spot]) -> None:
    spot = places[f"{LIST} query:country"]
    long, short, none = stated("One two three four five."), stated("Six seven."), stated("Eight.")
    candidates = [WeighedStatement(spot, long, 6), WeighedStatement(spot, short, 6), WeighedStatement(spot, none, 0)]
    assert [taken.statement for taken in choose(candidates, 7)] == [long, short]
    assert [taken.statement for taken in choose(candidates, 6)] == [short]
    assert choose(candidates, 0) == []


def test_what_several_operations_share_is_paid_once_by_the_one_with_most_left(places: dict[str, Spot]) -> None:
    alone, shared = places[f"{LIST} query:country"], places[f"{LIST} query:limit"]
    assert len(shared.uses) == 2
    texts = [stated("One two three."), stated("Four five six."), stated("Seven eight nine.")]
    candidates = [WeighedStatement(spot, text, 6) for spot, text in zip((alone, shared, shared), texts, strict=True)]
    assert len(choose(candidates, 3)) == 2
    assert len(choose(candidates, 6)) == 3


def test_a_list_of_fields_is_whole_and_costs_half_of_the_words(places: dict[str, Spot]) -> None:
    spot = places[LIST]
    names = ", ".join(f"`f{at}`" for at in range(40))
    fields = Statement(f"Each author has {names}.", "field", "undeclared")
    taken = choose(
        [WeighedStatement(spot, fields, 60), WeighedStatement(spot, stated("One two three four five."), 6)], 10
    )
    assert [candidate.statement.kind for candidate in taken] == ["field", ""]


def test_all_fields_that_the_schema_lacks_are_named(tmp_path: Path) -> None:
    book = {f"field_{at}": at for at in range(12)}
    calls = [*library_calls(), call(BOOKS, [book, book])]
    calls = [one for one in calls if one.key.operation != BOOKS or "field_0" in str(one.body)]
    found = texts(revised(*explored(tmp_path, calls=calls)))["/paths/~1books/get"].after
    assert all(f"`{name}`" in found for name in book)
    assert "more fields" not in found


def test_people_s_text_is_closed_before_anything_follows(tmp_path: Path) -> None:
    told = "The country they were born in"
    spec = SPEC.replace("{name: country, in: query,", f"{{name: country, in: query, description: {told},")
    known = [fact(LIST, "allowed-values", "query:country", ["IT", "FR"])]
    found = texts(revised(*explored(tmp_path, spec, facts=known)))["/paths/~1authors/get/parameters/1"].after
    assert found == f"{told}. One of `IT`, `FR`."


def test_what_most_operations_state_is_common_and_its_exceptions_are_not(places: dict[str, Spot]) -> None:
    observed = places[LIST].first.observed
    usual = [note("needs-credentials", status, at) for at, status in enumerate((401, 401, 401, 403))]
    [found] = [one for one in common_statements([(observed, [one]) for one in usual]) if one.kind]
    assert found.text == "Most requests without credentials return 401."
    assert len(found.facts) == 3
    secured = replace(observed, operation=replace(observed.operation, security=("key",)))
    assert not [one for one in common_statements([(secured, [one]) for one in usual]) if one.kind]


def test_what_is_returned_below_a_thing_is_told_with_what_is_returned_on_it(places: dict[str, Spot]) -> None:
    below = [(places[BOOKS].first.observed, [note("needs-first", 403, at)]) for at in range(3)]
    absent = "Returns 403 if the author does not exist."
    below = [(of, [replace(one, text=absent, about="author")]) for of, [one] in below]
    on = (places[ONE].first.observed, [replace(note("status", 403, 9), text="Returns 403 if the ID does not exist.")])
    told = {one.text: len(one.facts) for one in common_statements([*below, on]) if one.kind == "needs-first"}
    assert told == {"Most operations on or below an author that does not exist return 403.": 4}
    put = {"status": 403, "operation": "library PUT /authors/{id}"}
    below = [(of, [replace(one, facts=(replace(one.facts[0], value=put),))]) for of, [one] in below]
    [found] = [one.text for one in common_statements([*below, on]) if one.kind == "needs-first"]
    assert found.endswith("return 403; `PUT /authors/{id}` creates it.")


def test_what_differs_below_one_thing_is_told_with_all_that_it_is_returned_for(places: dict[str, Spot]) -> None:
    shared = [replace(note("needs-first", 403, at), about="author") for at in range(3)]
    author, book = (
        replace(note("needs-first", 404, at), text=f"Returns 404 if the {noun} does not exist.", about=noun)
        for at, noun in ((7, "author"), (8, "book"))
    )
    assert next(one.text for one in uncovered([author, book], shared)) == (
        "Returns 404 if the author or book does not exist."
    )
    assert [one.text for one in uncovered([author], shared)] == [author.text]


def test_where_many_parameters_take_their_values_from_stands_once(places: dict[str, Spot]) -> None:
    def from_keys(text: str, at: int) -> Statement:
        return replace(note("comes-from", 200, at), text=text, about="GET /keys key")

    def sources(text: str, count: int) -> list[str]:
        notes = [from_keys(text, at) for at in range(count)]
        return [one.text for one in common_sources([("tenant", [one]) for one in notes])]

    one, other = "One is returned as `tenant` by `GET /me`.", "A key, as in `key` of `GET /keys`."
    assert sources(one, 5) == []
    assert sources(one, 6) == ["A `tenant` is returned as `tenant` by `GET /me`."]
    assert sources(other, 6) == ["`tenant` is a key, as in `key` of `GET /keys`."]
    added = from_keys("Returned as `key` by `GET /keys`.", 9)
    alone = [from_keys(other, at) for at in range(5)]
    [said] = common_sources([("tenant", [one]) for one in (*alone, added)])
    assert (said.text, len(said.facts)) == ("`tenant` is a key, as in `key` of `GET /keys`.", 6)


def test_fields_that_anybody_expects_are_worth_nothing(places: dict[str, Spot]) -> None:
    def fields(*names: str) -> float:
        facts = tuple(fact(LIST, "field", f"200:/0/{name}", True) for name in names)
        return worth(replace(stated("Each has more.", "field", "undeclared"), facts=facts), places[LIST], "")

    assert fields("id", "last_modified") == 0
    assert fields("id", "height") > 0


def test_a_status_that_everybody_expects_is_not_written_for_the_whole_api(places: dict[str, Spot]) -> None:
    observed = places[LIST].first.observed
    for kind, usual, odd in (("status", 404, 200), ("empty", 200, 204)):
        of_status = {status: [(observed, [note(kind, status, at)]) for at in range(4)] for status in (usual, odd)}
        assert not [one for one in common_statements(of_status[usual]) if one.kind == kind]
        [found] = [one for one in common_statements(of_status[odd]) if one.kind == kind]
        assert str(odd) in found.text


def test_errors_are_objects_where_few_operations_return_any_as_text(places: dict[str, Spot]) -> None:
    observed = places[LIST].first.observed
    failed: list[tuple[ObservedOperation, list[Statement]]] = []
    for name, other in ((LIST, "no"), (ONE, {"error": "no"}), (BOOKS, {"error": "no"}), ("GET /shelves", {"error": 1})):
        bad = (call(name, {"error": "no"}, status=404), call(name, other, status=409))
        operation = replace(observed.operation, key=bad[0].key, responses={})
        failed.append((replace(observed, operation=operation, bad=bad), []))
    assert [one.text for one in common_statements(failed)] == ["Most errors are JSON objects with `error`."]
    assert common_statements(failed[:3]) == []


def test_how_errors_look_is_common(places: dict[str, Spot]) -> None:
    observed = places[LIST].first.observed
    failed: list[tuple[ObservedOperation, list[Statement]]] = []
    for name in (LIST, ONE, BOOKS):
        bad = (call(name, {"error": "no", "code": name}, status=404),)
        operation = replace(observed.operation, key=bad[0].key, responses={})
        failed.append((replace(observed, operation=operation, bad=bad), []))
    [said] = common_statements(failed)
    assert said.text == "Most errors are JSON objects with `error` and `code`."
    assert common_statements(failed[:2]) == []


def test_errors_with_a_status_of_success_are_common(places: dict[str, Spot]) -> None:
    observed, body = places[LIST].first.observed, {"code": 1, "message": "id does not exist", "data": None}
    having = [replace(observed, disguised=(call(name, body),)) for name in (LIST, ONE, BOOKS)]
    [said] = disguised_errors(having)
    assert said.text == "Errors may be returned with status 200: see `code` and `message` in the body."
    assert [*disguised_errors(having[:2])] == []


def note(kind: str, status: int, at: int) -> Statement:
    shown = fact(f"GET /{at}", kind, "", {"status": status})
    return Statement("Requires credentials.", kind, "trap", (shown,))


@pytest.mark.parametrize(
    ("said", "text"), [("The author (and books) were deleted", ""), ("Deleted", "Also deletes its book.")]
)
def test_what_a_response_of_the_document_says_is_no_news(tmp_path: Path, said: str, text: str) -> None:
    delete = f"    delete: {{responses: {{204: {{description: {said}}}}}}}\n"
    spec = SPEC.replace("  /books:\n", f"  /writers/{{id}}:\n{delete}  /books:\n")
    gone = fact("DELETE /writers/{id}", "also-deletes", "", "library GET /books")
    path, evidence = explored(tmp_path, spec, facts=[gone])
    [document] = revised(path, evidence).documents.values()
    assert document.tree["paths"]["/writers/{id}"]["delete"].get("description", "") == text


def test_a_value_inside_a_longer_word_is_not_said(places: dict[str, Spot]) -> None:
    country = places[f"{LIST} query:country"]
    assert worth(stated("One of `id`."), country, "What the author provided.") > 0


def test_what_parameters_of_many_lists_do_is_told_once(tmp_path: Path) -> None:
    names, things, others = ("since", "before"), ("boxes", "pens", "books"), ("cups",)
    listed = "".join(
        f"  /{thing}:\n    get:\n      parameters:\n"
        + "".join(f"        - {{name: {name}, in: query, schema: {{type: integer}}}}\n" for name in names)
        + "      responses: {200: {description: OK}}\n"
        for thing in (*things, *others)
    )
    spec = f'openapi: "3.0.3"\ninfo: {{title: Shelf, version: "1"}}\npaths:\n{listed}'
    facts = [
        fact(f"GET /{thing}", "returns-deleted", f"query:{name}", {"field": "gone"})
        for thing in things
        for name in names
    ]

    def written(folder: str, count: int) -> tuple[str, str]:
        (tmp_path / folder).mkdir()
        [document] = revised(*explored(tmp_path / folder, spec, facts=facts[:count])).documents.values()
        first = document.tree["paths"]["/boxes"]["get"]["parameters"][0]
        return document.tree["info"].get("description", ""), first.get("description", "")

    rule = "each of `before` and `since` also returns deleted items, marked by `gone`."
    assert written("six", 6) == (f"E{rule[1:]}", "")
    assert written("three", 3) == ("", "Also returns deleted boxes, marked by `gone`.")
    # What is not so in every list that has them is said of those where it is.
    facts += [fact("GET /cups", "default", f"query:{name}", 3) for name in names]
    assert written("eight", 8) == (f"In lists of books, boxes and pens, {rule}", "")


def test_what_was_drafted_behind_a_text_is_not_made_again(tmp_path: Path) -> None:
    path, folder = explored(tmp_path, facts=[fact(LIST, "default", "query:country", "IT")])
    catalog = load([path])
    with Evidence.open(folder, write=False) as evidence:
        observations = read_observations(catalog, EvidencePart(evidence))
    found = [spot for spot in spots(catalog, observations) if spot.text]
    marks, _ = read_marks(catalog.documents)
    statements = PlaceStatements(observations, found, marks, "masked")
    for spot in found:
        drafted = statements.drafted(spot)
        made = statements.of(spot, WrittenText(spot.text))
        assert len(drafted) > len(made)
        assert all(map(is_, made, drafted[-len(made) :]))
        assert statements.of(spot, WrittenText(spot.text)) == made
    assert found


def test_that_two_things_may_have_one_title_is_worth_nothing(places: dict[str, Spot]) -> None:
    for by, expected in (("/name", True), ("/email", True), ("/issue/subject", False), ("/title", False)):
        made = Statement("If it is in use, creates a second author with it.", "exists", "trap")
        made = replace(made, facts=(fact(LIST, "exists", "", {"status": 201, "by": by, "second": True}),))
        assert (worth(made, places[LIST], "") > 0) is expected
    refused = Statement("Returns 409 if the `title` is in use.", "exists", "undeclared")
    refused = replace(refused, facts=(fact(LIST, "exists", "", {"status": 409, "by": "/title"}),))
    assert worth(refused, places[LIST], "") > 0
