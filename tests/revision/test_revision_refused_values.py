"""What is written of values that are refused: another field than the ID, and bodies without what some of them need."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from docrev.facts.status_causes import Cause
from docrev.records import Call, Fact, Json, OperationKey
from docrev.revision.documented_values import DocumentedValue
from docrev.revision.identifier_notes import comes_from, identifier, other_identifiers, refused_field
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.places import spots
from docrev.revision.property_notes import sometimes_required
from docrev.revision.validity_notes import _refused, accepted_words, refusal
from docrev.revision.value_notes import example
from docrev.spec import load

SPEC = """
openapi: 3.0.3
info: {title: shelf, version: "1"}
paths:
  /boxes:
    get: {responses: {"200": {description: ok}}}
  /boxes/{id}/books:
    post:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {properties: {format: {type: string}}}}}}
      responses: {"201": {description: ok}}
"""
LIST, ADD = "GET /boxes", "POST /boxes/{id}/books"
FORM = "Not a valid box ID"
NEEDED = "Must specify the format of a text"


def call(number: int, operation: str, status: int, body: Json, id: str = "", **sent: Json) -> Call:
    arguments: dict[str, Json] = {"path:id": id, "body:": sent} if id else {}
    key = OperationKey("shelf", operation)
    return Call(f"c{number}", key, arguments, "http://a", status, {}, body, "application/json", "survey")


BOXES = call(1, LIST, 200, [{"id": "17", "name": "attic"}, {"id": "18", "name": "cellar"}])
TAKEN = call(2, ADD, 201, {}, "17", format="text")


def status(cause: str, location: str, message: str | None, *calls: str) -> Fact:
    value = {"status": 400, "cause": cause, "parameter": location, "message": message}
    return Fact(OperationKey("shelf", ADD), "status", "", value, calls)


def documented(folder: Path, location: str, calls: tuple[Call, ...], *facts: Fact, spec: str = SPEC) -> DocumentedValue:
    """A parameter or property with these calls of its operation, and the facts on that."""
    (folder / "shelf.yaml").write_text(spec)
    catalog = load(folder / "shelf.yaml")
    good, bad = (tuple(one for one in calls if one.ok is ok) for ok in (True, False))
    listed = ObservedOperation(catalog[OperationKey("shelf", LIST)], (BOXES,), ())
    added = ObservedOperation(catalog[OperationKey("shelf", ADD)], good, bad, {"": facts})
    observations = CatalogObservations((listed, added), (), {}, {}, ())
    places = spots(catalog, observations)
    return DocumentedValue(next(one for one in places if one.first.location == location), observations, "", "masked")


@pytest.mark.parametrize(
    ("id", "message", "text"),
    [
        ("cellar", FORM, "The `name` is not accepted: returns 400."),
        ("nobody", FORM, ""),
        ("18", FORM, ""),
        ("cellar", "Too many books", ""),
    ],
)
def test_a_name_that_is_refused_where_an_id_is_taken_is_told(tmp_path: Path, id: str, message: str, text: str) -> None:
    refused = call(3, ADD, 400, {"message": message}, id, format="text")
    blamed = status("id not valid", "path:id", FORM, "c3")
    assert refused_field(documented(tmp_path, "path:id", (TAKEN, refused), blamed)) == text


@pytest.mark.parametrize(("text", "is_said"), [("The box.", False), ("Name or ID of the box.", True)])
def test_that_a_number_is_no_name_is_told_only_if_the_text_says_so(tmp_path: Path, text: str, is_said: bool) -> None:
    refused = call(3, ADD, 400, {"message": FORM}, "cellar", format="text")
    blamed = status("id not valid", "path:id", FORM, "c3")
    number = SPEC.replace("schema: {type: string}}]", f"description: {text}, schema: {{type: integer}}}}]")
    found = refused_field(documented(tmp_path, "path:id", (TAKEN, refused), blamed, spec=number))
    assert bool(found) is is_said


@pytest.mark.parametrize(("pattern", "is_said"), [("^[0-9]+$", True), ("^[a-z-]+$", False)])
def test_what_a_pattern_of_an_id_says_is_not_said_again(tmp_path: Path, pattern: str, is_said: bool) -> None:
    refused = call(3, ADD, 400, {"message": FORM}, "cellar", format="text")
    blamed = status("id not valid", "path:id", FORM, "c3")
    form = SPEC.replace("schema: {type: string}}]", f"schema: {{type: string, pattern: '{pattern}'}}}}]")
    found = refused_field(documented(tmp_path, "path:id", (TAKEN, refused), blamed, spec=form))
    assert bool(found) is not is_said


@pytest.mark.parametrize(
    ("name", "codes", "others"),
    [
        ("code", ("b7", "b8"), ["code"]),
        ("code", ("def a():\n    pass", "def b():\n    pass"), []),
        ("code", ("b7", "b7"), []),
        ("box_code", ("b7", "b8"), ["box_code"]),
        ("currency_code", ("eur", "usd"), []),
    ],
)
def test_what_else_identifies_things_is_of_one_word(name: str, codes: tuple[str, str], others: list[str]) -> None:
    calls = [
        Call(id, OperationKey("shelf", LIST), {"path:id": id}, "", 200, {}, {"id": id, name: code}, "", "survey")
        for id, code in zip(("box-1", "box-2"), codes, strict=True)
    ]
    assert other_identifiers(calls, "path:id") == others


@pytest.mark.parametrize(("ids", "text"), [(("a", "b"), "Takes the `ref`, not the `id`."), ((17, 18), "")])
def test_a_field_that_has_the_id_as_a_text_is_no_other_one(tmp_path: Path, ids: tuple[Json, Json], text: str) -> None:
    (tmp_path / "shelf.yaml").write_text(SPEC.replace("/boxes/{id}/books:\n    post", "/boxes/{id}:\n    get"))
    catalog, key = load(tmp_path / "shelf.yaml"), OperationKey("shelf", "GET /boxes/{id}")
    good = tuple(
        Call(ref, key, {"path:id": ref}, "", 200, {}, {"id": id, "ref": ref}, "application/json", "survey")
        for id, ref in zip(ids, ("17", "18"), strict=True)
    )
    observations = CatalogObservations((ObservedOperation(catalog[key], good, ()),), (), {}, {}, ())
    place = next(one for one in spots(catalog, observations) if one.first.location == "path:id")
    assert identifier(DocumentedValue(place, observations, "", "masked")) == text


EXPORTED = SPEC.replace("get: {res", "get: {parameters: [{name: format, in: query, schema: {type: string}}], res")


@pytest.mark.parametrize(
    ("name", "refused", "text"),
    [
        ("format", True, "Accepts `csv` and `json`, among others."),
        ("format", False, ""),
        ("q", True, ""),
        ("order_by", True, ""),
    ],
)
def test_words_that_are_taken_where_others_are_refused_are_named(
    tmp_path: Path, name: str, refused: bool, text: str
) -> None:
    (tmp_path / "shelf.yaml").write_text(EXPORTED.replace("name: format", f"name: {name}"))
    catalog, key = load(tmp_path / "shelf.yaml"), OperationKey("shelf", LIST)
    calls = tuple(
        Call(f"f{word}", key, {f"query:{name}": word}, "", 200, {}, [{"id": "csv"}], "application/json", "probe")
        for word in ("csv", "json", "docrev-00000000-1")
    )
    value = {"status": 406, "cause": f"{name} not valid", "parameter": f"query:{name}", "message": None}
    facts = {"": (Fact(key, "status", "", value, ("x",)),)} if refused else {}
    observations = CatalogObservations((ObservedOperation(catalog[key], calls, (), facts),), (), {}, {}, ())
    spot = next(one for one in spots(catalog, observations) if one.first.location == f"query:{name}")
    value = DocumentedValue(spot, observations, "", "masked")
    assert accepted_words(value) == text
    # What the sentence has is no further example.
    assert not (text and example(value))


@pytest.mark.parametrize(
    ("accepted", "refused", "text"),
    [
        ("17", ["none", ""], "A text that is not a number"),
        ("17", ["none", "-3"], "An invalid value"),
        ("ten", ["none"], "An invalid value"),
    ],
)
def test_the_class_of_what_is_refused_is_named_where_only_numbers_are_taken(
    tmp_path: Path, accepted: str, refused: list[str], text: str
) -> None:
    bad = [call(4 + number, ADD, 500, {}, "17", format=value) for number, value in enumerate(refused)]
    taken = call(3, ADD, 201, {}, "17", format=accepted)
    value = documented(tmp_path, "body:/format", (taken, *bad))
    assert _refused(value.spot.first, Cause(500, "server error for format", "body:/format", None)) == text


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        (["17"], "An ID, as in `id` of `GET /boxes`."),
        (["17", "17/18"], "One `id` or several joined by `/`, outermost first, as in `GET /boxes`."),
        (["17", "a/b"], ""),
    ],
)
def test_ids_of_several_parts_are_no_single_ids(tmp_path: Path, sent: list[str], text: str) -> None:
    calls = tuple(replace(TAKEN, id=f"t{each}", arguments={**TAKEN.arguments, "path:id": each}) for each in sent)
    source = Fact(
        OperationKey("shelf", ADD),
        "comes-from",
        "path:id",
        {"operation": f"shelf {LIST}", "field": "200:/0/id"},
        ("t",),
    )
    value = documented(tmp_path, "path:id", calls)
    added = value.spot.first.observed
    known = replace(added, facts={"path:id": (source,)})
    observations = replace(value.observations, operations=(value.observations.operations[0], known))
    spot = next(one for one in spots(load(tmp_path / "shelf.yaml"), observations) if one.first.location == "path:id")
    assert comes_from(DocumentedValue(spot, observations, "", "masked")) == text


def test_what_some_requests_need_is_told_in_the_words_of_the_api(tmp_path: Path) -> None:
    lacking = call(3, ADD, 400, {"message": NEEDED}, "17", kind="text")
    other = call(4, ADD, 400, {"message": "kind is not known"}, "17", kind="x")
    missing = status("format missing", "body:/format", None, "c3", "c4")
    value = documented(tmp_path, "body:/format", (TAKEN, lacking, other), missing)
    assert sometimes_required(value) == f"Requests without it may return 400: `{NEEDED}`."


def test_values_that_are_returned_as_references_alone_are_names_where_names_are_too(tmp_path: Path) -> None:
    books = call(3, ADD, 201, [{"box": "attic"}, {"box": "barn"}], "17", format="text")
    known = documented(tmp_path, "path:id", (books,)).observations
    assert known.field_of(["attic", "cellar"]) == known.field_of(["attic", "barn"]) == "name"
    assert known.field_of(["17", "attic"]) == known.field_of(["barn"]) == ""


def test_of_which_things_a_property_is_required_is_told_by_what_was_accepted_without_it(tmp_path: Path) -> None:
    lacking = [
        call(at, ADD, 400, {"message": NEEDED}, "17", kind=kind) for at, kind in ((3, "text"), (4, "docrev-00000000-1"))
    ]
    free = call(5, ADD, 201, {}, "17", kind="folder")
    value = documented(tmp_path, "body:/format", (TAKEN, *lacking, free))
    assert sometimes_required(value) == f"Required if `kind` is `text`; requests without it return 400: `{NEEDED}`."
    beside = call(6, ADD, 400, {"message": NEEDED}, "17", kind="text", content="a")
    value = documented(tmp_path, "body:/format", (TAKEN, beside, free))
    told = "Required if `kind` is `text` and `content` is sent; requests without it return 400"
    assert sometimes_required(value) == f"{told}: `{NEEDED}`."
    same = call(6, ADD, 201, {}, "17", kind="text")
    assert sometimes_required(documented(tmp_path, "body:/format", (TAKEN, *lacking, free, same))) == ""


def test_what_all_requests_need_is_required_and_no_more_is_said(tmp_path: Path) -> None:
    lacking = call(3, ADD, 400, {"message": NEEDED}, "17", kind="text")
    key = OperationKey("shelf", ADD)
    value = documented(tmp_path, "body:/format", (TAKEN, lacking), status("format missing", "body:/format", None, "c3"))
    required = Fact(key, "required", "body:/format", True, ("c3",))
    value.spot.first.observed.facts["body:/format"] = (required,)
    assert sometimes_required(value) == ""


LIMITED = SPEC.replace(
    "get: {responses", "get: {parameters: [{name: max, in: query, schema: {type: integer}}], responses"
)
LOW = "Must be larger than 0"


@pytest.mark.parametrize(
    ("values", "text"),
    [
        # Nobody sends these as a size.
        ([-1, "-1000"], ""),
        (["docrev"], ""),
        ([0, -5], "A value of 0 or less"),
        ([1_000_000], "Too large a value"),
        ([0.5], ""),
        ([-1, "docrev"], "An invalid value"),
    ],
)
def test_a_refusal_is_written_of_the_values_that_were_refused(tmp_path: Path, values: list[Json], text: str) -> None:
    (tmp_path / "shelf.yaml").write_text(LIMITED)
    key = OperationKey("shelf", LIST)
    bad = tuple(
        replace(BOXES, id=f"b{at}", status=422, arguments={"query:max": value}, body={"message": LOW})
        for at, value in enumerate(values)
    )
    cause = {"status": 422, "cause": "max not valid", "parameter": "query:max", "message": LOW}
    blamed = Fact(key, "status", "", cause, ("b0",))
    good = replace(BOXES, arguments={"query:max": 7})
    listed = ObservedOperation(load(tmp_path / "shelf.yaml")[key], (good,), bad, {"": (blamed,)})
    observations = CatalogObservations((listed,), (), {}, {}, ())
    [spot] = [one for one in spots(load(tmp_path / "shelf.yaml"), observations) if one.kind == "parameter"]
    assert refusal(DocumentedValue(spot, observations, "", "masked")) == (text and f"{text} returns 422: `{LOW}`.")
