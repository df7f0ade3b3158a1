"""The notes that follow a purpose: one sentence for each kind of fact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from revisekit import SPEC, call, explored, fact
from test_revision_texts import revised, texts

from docrev.records import Fact, Json
from docrev.revision.response_samples import order

LIST, ONE = "GET /authors", "GET /authors/{author_id}"
COUNTRY = "/paths/~1authors/get/parameters/1"


def after(tmp_path: Path, pointer: str, *facts: Fact, **options: Any) -> str:
    """The text that the revision writes at `pointer` if these facts hold."""
    return str(texts(revised(*explored(tmp_path, facts=facts, **options)))[pointer].after)


def status(code: int, cause: str, parameter: str, message: str = "") -> dict[str, Json]:
    return {"status": code, "cause": cause, "parameter": parameter} | ({"message": message} if message else {})


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ([("ignored", True)], "Has no effect."),
        ([("required", True)], "Required. Example: `IT`."),
        ([("allowed-values", ["IT", "FR"])], "One of `IT`, `FR`."),
        ([("default", "IT")], "Defaults to `IT`."),
        ([("type", "integer")], "Must be an integer. Example: `IT`."),
        ([("type", "boolean")], "Either `true` or `false`. Example: `IT`."),
        ([("type", "integer"), ("range", {"minimum": 1, "maximum": 9})], "Must be an integer between 1 and 9."),
        ([("range", {"minimum": 2})], "Must be 2 or greater."),
        ([("type", "number"), ("range", {"maximum": 9})], "Must be a number, at most 9."),
        ([("clamps", {"maximum": 9})], "Silently capped at the server's limit (9)."),
        ([("clamps", {"minimum": 2})], "Smaller values are treated as 2."),
        ([("length", {"minimum": 2, "maximum": 2})], "Must be 2 characters long."),
        ([("length", {"minimum": 2, "maximum": 9})], "Must be 2 to 9 characters long."),
        ([("length", {"minimum": 1})], "Must not be empty."),
        ([("length", {"maximum": 9})], "Must be 9 characters or fewer."),
        ([("pattern", "^[A-Z]+$")], "Must match `^[A-Z]+$`."),
        ([("format", "uuid")], "A UUID."),
        ([("format", "date-time")], "Format: `YYYY-MM-DDThh:mm:ss` with a time zone."),
        ([("unknown-values", "ignored")], "Unknown values are ignored."),
    ],
)
def test_a_parameter_gets_a_sentence_for_each_kind(tmp_path: Path, facts: list[tuple[str, Json]], text: str) -> None:
    known = (fact(LIST, kind, "query:country", value) for kind, value in facts)
    assert after(tmp_path, COUNTRY, *known).startswith(text)


@pytest.mark.parametrize(
    ("orders", "text"),
    [
        (
            [("name", "ascending"), ("-name", "descending")],
            "For example, `name`; prefix a minus sign for descending order: `-name`.",
        ),
        ([("asc", "ascending"), ("desc", "descending")], "Sort direction. One of `asc`, `desc`."),
        ([("name", "ascending")], "For example, `name`."),
        ([("top", "descending")], "For example, `name`; in descending order: `top`."),
        (
            [("name", "ascending"), ("desc:name", "descending")],
            "For example, `name`; in descending order: `desc:name`.",
        ),
        (
            [("name", "descending"), ("name:asc", "ascending")],
            "For example, `name`; a name alone sorts in descending order; in ascending order: `name:asc`.",
        ),
    ],
)
def test_a_sort_parameter_says_how_to_reverse_the_order(
    tmp_path: Path, orders: list[tuple[str, str]], text: str
) -> None:
    values = [{"value": value, "field": "200:/items/0/name", "order": order} for value, order in orders]
    known = [fact(LIST, "sorts", "query:country", value) for value in values]
    found = after(tmp_path, COUNTRY, *known)
    assert text in found


def test_what_the_api_refuses_is_stated_with_its_status(tmp_path: Path) -> None:
    missing = fact(LIST, "status", "", status(422, "query:country missing", "query:country"))
    invalid = fact(LIST, "status", "", status(422, "query:country not valid", "query:country", "no such country"))
    needed = fact(LIST, "required", "query:country", True)
    assert after(tmp_path, COUNTRY, missing, invalid, needed) == "Required. Example: `IT`."
    assert after(tmp_path / "guess", COUNTRY, missing) == "Example: `IT`.", (
        "a cause alone may be of another kind of thing"
    )
    unusual = fact(LIST, "status", "", status(404, "query:country not valid", "query:country"))
    checked = fact(LIST, "allowed-values", "query:country", ["IT", "FR"])
    assert after(tmp_path / "checked", COUNTRY, invalid, checked) == "One of `IT`, `FR`."
    assert after(tmp_path / "unusual", COUNTRY, unusual, checked) == "One of `IT`, `FR`. Any other value returns 404."


def test_a_message_is_quoted_if_it_says_which_values_are_valid(tmp_path: Path) -> None:
    rule = "country must be at most 2 characters long"
    told = fact(LIST, "status", "", status(422, "query:country not valid", "query:country", rule))
    assert after(tmp_path, COUNTRY, told) == f"An invalid value returns 422: `{rule}`. Example: `IT`."


def test_a_creation_beside_a_list_is_not_the_only_one_that_makes_what_is_in_it(tmp_path: Path) -> None:
    one = "GET /authors/{author_id}"
    need = fact(one, "needs-first", "", {"operation": "library POST /authors/import", "status": 403})
    found = after(tmp_path, "/paths/~1authors~1{author_id}/get", need)
    assert "Returns 403 if the author does not exist." in found
    assert "First create" not in found


@pytest.mark.parametrize(
    ("kind", "location", "value", "text"),
    [
        ("broken", "", {"status": 500}, "Every valid request observed failed with 500."),
        ("needs-credentials", "", {"status": 401}, "Requires credentials; requests without them return 401."),
        ("wrapped-in", "body:", "author", 'The request body must be wrapped in `author`: `{"author": {…}}`.'),
        (
            "needs-first",
            "",
            {"operation": "library PUT /buckets/{id}", "status": 404},
            "First create the bucket (`PUT /buckets/{id}`); returns 404 if it is missing.",
        ),
        (
            "creates",
            "",
            {"operation": "library GET /x/{id}", "replaces": True},
            "If the author does not exist, creates it.",
        ),
        (
            "creates",
            "",
            {"operation": "library GET /authors/{id}", "field": "201:/data/pen_name"},
            "To read it with `GET /authors/{id}`, pass the response's `data.pen_name` as `id`.",
        ),
        (
            "pages",
            "query:after",
            {"by": "cursor", "list": "200:/items", "next": "200:/meta/next"},
            "For the next page, pass the response's `meta.next` as `after`.",
        ),
        (
            "pages",
            "200:header:next-page",
            {"by": "cursor", "list": "200:/items", "next": "200:header:next-page"},
            "For the next page, call the URL in the `Next-Page` response header; the last page has none.",
        ),
        ("unknown-parameters", "", "rejected", "Unknown query parameters are rejected."),
    ],
)
def test_an_operation_gets_a_sentence_for_each_kind(
    tmp_path: Path, kind: str, location: str, value: Json, text: str
) -> None:
    assert text in after(tmp_path, "/paths/~1authors/get", fact(LIST, kind, location, value))


@pytest.mark.parametrize(
    ("kind", "location", "value"),
    [
        ("empty", "200:/items", {"status": 200}),
        ("unknown-parameters", "", "ignored"),
        ("creates", "", {"operation": "library GET /authors/{id}", "field": "201:/data/id"}),
        ("needs-first", "", {"operation": "library POST /authors", "status": 404}),
    ],
)
def test_what_everybody_expects_is_not_written(tmp_path: Path, kind: str, location: str, value: Json) -> None:
    found = texts(revised(*explored(tmp_path, facts=[fact(LIST, kind, location, value)])))
    assert found["/paths/~1authors/get"].after == "Sorted by `id`."


def test_the_status_of_an_unknown_id_is_stated_if_it_is_not_404(tmp_path: Path) -> None:
    pointer = "/paths/~1authors~1{author_id}/get"
    unknown = fact(ONE, "status", "", status(403, "unknown path:author_id", "path:author_id"))
    assert after(tmp_path, pointer, unknown) == "Returns 403 if the ID does not exist."
    usual = fact(ONE, "status", "", status(404, "unknown path:author_id", "path:author_id"))
    assert pointer not in texts(revised(*explored(tmp_path / "usual", facts=[usual])))


def test_a_shared_parameter_that_one_operation_ignores_or_bounds_is_noted_there(tmp_path: Path) -> None:
    bound = fact(LIST, "clamps", "query:limit", {"maximum": 50})
    assert "`limit`: silently capped at the server's limit (50)." in after(tmp_path, "/paths/~1authors/get", bound)
    ignored = fact(LIST, "ignored", "query:limit", True)
    assert "Ignores `limit`." in after(tmp_path / "ignored", "/paths/~1authors/get", ignored)


def test_what_was_not_reached_is_not_written(tmp_path: Path) -> None:
    calls = [call("GET /broken", {"detail": "no"}, status=404), call("GET /authors", [])]
    assert "/paths/~1broken/get" not in texts(revised(*explored(tmp_path, calls=calls)))


def test_what_most_operations_do_stands_once_in_the_info_and_exceptions_at_the_operation(tmp_path: Path) -> None:
    alike = [fact(name, "unknown-parameters", "", "ignored") for name in (LIST, ONE, "GET /books")]
    found = texts(
        revised(*explored(tmp_path, facts=[*alike, fact("GET /broken", "unknown-parameters", "", "rejected")]))
    )
    assert found["/info"].after == "Unknown query parameters are ignored."
    assert [name for name, change in found.items() if "parameters are" in change.after] == [
        "/info",
        "/paths/~1broken/get",
    ]
    assert {id(known.key) for known in found["/info"].facts}
    assert "/info" not in texts(revised(*explored(tmp_path / "two", facts=alike[:2])))


@pytest.mark.parametrize(("takes", "of"), [("query", "of GET requests "), ("header", "")])
def test_what_reads_do_with_unknown_parameters_is_not_said_of_writes_that_take_a_query(
    tmp_path: Path, takes: str, of: str
) -> None:
    mode = f"{{name: mode, in: {takes}, schema: {{type: string}}}}"
    writing = f"  /imports:\n    post: {{parameters: [{mode}], responses: {{'200': {{description: ok}}}}}}\n"
    alike = [fact(name, "unknown-parameters", "", "ignored") for name in (LIST, ONE, "GET /books")]
    found = texts(revised(*explored(tmp_path, SPEC.replace("paths:\n", f"paths:\n{writing}"), facts=alike)))
    assert found["/info"].after == f"Unknown query parameters {of}are ignored."


@pytest.mark.parametrize(
    ("more", "of"), [("", ""), (", {name: all, in: query, schema: {type: string}}", "of GET requests ")]
)
def test_a_deletion_that_takes_what_the_list_takes_passes_over_the_same(tmp_path: Path, more: str, of: str) -> None:
    mode = "{name: mode, in: query, schema: {type: string}}"
    item = "parameters: [%s], responses: {'200': {description: ok}}"
    lists = f"  /marks:\n    get: {{{item % mode}}}\n    delete: {{{item % (mode + more)}}}\n"
    alike = [fact(name, "unknown-parameters", "", "ignored") for name in (LIST, ONE, "GET /books")]
    found = texts(revised(*explored(tmp_path, SPEC.replace("paths:\n", f"paths:\n{lists}"), facts=alike)))
    assert found["/info"].after == f"Unknown query parameters {of}are ignored."


def test_a_change_names_the_classes_of_its_statements_and_the_facts_behind_them(tmp_path: Path) -> None:
    known = [fact(LIST, "clamps", "query:country", {"maximum": 9}), fact(LIST, "default", "query:country", 3)]
    change = texts(revised(*explored(tmp_path, facts=known)))[COUNTRY]
    assert change.classes == ("trap", "bound")
    assert {found.kind for found in change.facts} >= {"clamps", "default"}


def test_no_values_follow_a_list_of_choices_that_is_corrected(tmp_path: Path) -> None:
    listed = SPEC.replace("name: country, in: query,", "name: country, in: query, description: new or IT,")
    assert listed != SPEC
    known = [
        fact(LIST, "unrecognised", "query:country", {"ignored": ["new"], "others": ["FR", "IT"]}),
        fact(LIST, "observed-values", "query:country", ["FR", "IT"]),
    ]
    assert after(tmp_path, COUNTRY, *known, spec=listed) == "`IT`, `FR`, `X`; `new` is ignored."
    assert "Example: `IT`." in after(tmp_path / "plain", COUNTRY, known[1])


def test_a_parameter_that_people_described_gets_no_second_purpose(tmp_path: Path) -> None:
    known = fact(LIST, "filters", "query:country", "200:/data/0/birthplace")
    purpose = "Returns only authors with this `birthplace`."
    assert purpose in after(tmp_path / "none", COUNTRY, known)
    told = "Keeps those who were born in the country"
    listed = SPEC.replace("name: country, in: query,", f"name: country, in: query, description: {told},")
    assert purpose not in after(tmp_path, COUNTRY, known, spec=listed)


def test_ids_that_nobody_can_read_show_how_things_are_stored_and_no_order() -> None:
    items = [{"handle": f"a1b2c3d4e5f{at:04x}", "change": at, "name": "x"} for at in range(9)]
    assert order([call(LIST, items)]) is None
    assert order([call(LIST, [{**item, "handle": "a"} for item in items])]) == ("change", False)


@pytest.mark.parametrize(
    ("changes", "forwards", "backwards"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8], ("id", False), None),
        ([8, 7, 6, 5, 4, 3, 2, 1], None, ("id", True)),
        ([1, 3, 2, 4, 6, 5, 8, 7], ("id", False), ("id", True)),
    ],
)
def test_what_was_never_changed_is_not_known_to_be_sorted_by_its_changes(
    changes: list[int], forwards: tuple[str, bool] | None, backwards: tuple[str, bool] | None
) -> None:
    items = [{"changed_on": at, "id": number} for number, at in enumerate(changes)]
    assert (order([call(LIST, items)]), order([call(LIST, items[::-1])])) == (forwards, backwards)


def test_what_only_the_time_of_changes_explains_is_sorted_by_it() -> None:
    items = [{"changed_on": 90 - number, "id": number * 7 % 10} for number in range(9)]
    assert order([call(LIST, items)]) == ("changed_on", True)


def test_an_order_beside_a_text_on_sorting_is_not_told_again(tmp_path: Path) -> None:
    spec = SPEC.replace("name: country,", "name: order, description: Sorting order,", 1)
    assert spec != SPEC
    shown = fact(LIST, "sorts", "query:order", {"value": "asc", "field": "200:/items/0/name", "order": "ascending"})
    found = texts(revised(*explored(tmp_path, spec, facts=[shown])))
    assert not [change.after for change in found.values() if "Sort direction" in str(change.after)]


@pytest.mark.parametrize(("name", "found"), [("date", None), ("created_on", ("id", False)), ("size", ("id", False))])
def test_what_was_entered_day_by_day_may_be_sorted_by_its_day_as_well_as_by_its_id(
    name: str, found: tuple[str, bool] | None
) -> None:
    items = [{"id": number, name: f"2024-05-0{number}"} for number in range(1, 10)]
    assert order([call(LIST, items)]) == found
