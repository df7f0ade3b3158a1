"""What is written on existing and missing things, on what a body leaves out, and on what has no effect in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from docrev.records import Call, Fact, Json, OperationKey
from docrev.revision.common_notes import common_statements, uncovered
from docrev.revision.left_out_notes import left_out
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.state_notes import SENTENCES, missing, unexpected_if_there
from docrev.spec import load

SPEC = """
openapi: 3.0.3
info: {title: shelf, version: "1"}
paths:
  /rooms/{room}/boxes:
    parameters: [{name: room, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: ok}}}
    post:
      description: Makes a box.
      requestBody: {content: {application/json: {schema: {properties: {
        id: {type: string, readOnly: true}, name: {type: string}, note: {type: string}, size: {type: integer}}}}}}
      responses: {"201": {description: ok}, "409": {description: taken}}
  /rooms/{room}/boxes/{id}:
    parameters: [{name: room, in: path, required: true, schema: {}}, {name: id, in: path, required: true, schema: {}}]
    get:
      responses:
        "200": {description: ok, content: {application/json: {schema: {properties: {content: {type: string}}}}}}
    put: {requestBody: {content: {application/json: {schema: {}}}}, responses: {"200": {description: ok}}}
    patch: {requestBody: {content: {application/json: {schema: {}}}}, responses: {"200": {description: ok}}}
    delete: {responses: {"204": {description: ok}}}
"""
LIST, MAKE = "GET /rooms/{room}/boxes", "POST /rooms/{room}/boxes"
ITEM, PUT = "GET /rooms/{room}/boxes/{id}", "PUT /rooms/{room}/boxes/{id}"
PATCH, DELETE = "PATCH /rooms/{room}/boxes/{id}", "DELETE /rooms/{room}/boxes/{id}"


def call(operation: str, status: int, body: Json, **arguments: Json) -> Call:
    named = {f"path:{name}": value for name, value in arguments.items() if name != "sent"}
    sent = {"body:": arguments["sent"]} if "sent" in arguments else {}
    key = OperationKey("shelf", operation)
    return Call(f"{status}{arguments}", key, named | sent, "http://a", status, {}, body, "application/json", "survey")


def written(folder: Path, operation: str, *facts: tuple[str, str, Json], calls: tuple[Call, ...] = ()) -> list[str]:
    """The sentences on an operation of which these facts (kind, location, value) are known."""
    (folder / "shelf.yaml").write_text(SPEC)
    key = OperationKey("shelf", operation)
    by_location: dict[str, tuple[Fact, ...]] = {}
    for kind, location, value in facts:
        by_location[location] = (*by_location.get(location, ()), Fact(key, kind, location, value, ("c1",)))
    good, bad = (tuple(one for one in calls if one.ok is ok) for ok in (True, False))
    observed = ObservedOperation(load(folder / "shelf.yaml")[key], good, bad, by_location)
    return [statement.text for _, _, sentences in SENTENCES for statement in sentences(observed)]


def test_what_a_creation_beside_a_list_makes_is_called_as_what_the_list_has(tmp_path: Path) -> None:
    (tmp_path / "shelf.yaml").write_text(SPEC)
    key = OperationKey("shelf", "POST /boxes/copies")
    exists = Fact(key, "exists", "", {"status": 200, "by": "/name", "unchanged": True}, ("c1",))
    for path, noun in (("/boxes", "box"), ("/boxes/{id}", "box"), ("/copies/{id}", "copy")):
        made = Fact(key, "creates", "", {"operation": f"shelf GET {path}", "field": "200:/id"}, ("c1",))
        operation = replace(load(tmp_path / "shelf.yaml")[OperationKey("shelf", MAKE)], key=key)
        [found] = unexpected_if_there(ObservedOperation(operation, (), (), {"": (exists, made)}))
        assert found.text == f"If the `name` is in use, returns the existing {noun} unchanged, with 200."


@pytest.mark.parametrize(
    ("operation", "kind", "location", "value", "text"),
    [
        (
            MAKE,
            "exists",
            "",
            {"status": 201, "by": "/name", "unchanged": True},
            "If the `name` is in use, returns the existing box unchanged, with 201.",
        ),
        (
            MAKE,
            "exists",
            "",
            {"status": 201, "by": "/name", "unchanged": False},
            "If the `name` is in use, returns the existing box, with 201.",
        ),
        (MAKE, "exists", "", {"status": 422, "by": "/name"}, "Returns 422 if the `name` is in use."),
        (MAKE, "exists", "", {"status": 409, "by": "/name"}, "Returns 409 if the `name` is in use."),
        (PUT, "exists", "", {"status": 422}, "Returns 422 if the box exists already."),
        (PUT, "exists", "", {"status": 409, "by": "/name"}, "Returns 409 if the new `name` is in use."),
        (
            MAKE,
            "exists",
            "",
            {"status": 201, "by": "/name", "second": True, "renamed": True},
            "If the `name` is in use, creates a second box whose `name` is changed.",
        ),
        (
            LIST,
            "missing",
            "",
            {"parameter": "path:room", "status": 200, "returns": "array"},
            "If the room does not exist, returns an empty list, not 404.",
        ),
        (
            LIST,
            "missing",
            "",
            {"parameter": "path:room", "status": 200, "returns": "page"},
            "If the room does not exist, returns an empty result, not 404.",
        ),
        (
            ITEM,
            "missing",
            "",
            {"parameter": "path:id", "status": 200, "returns": "null", "at": "/data"},
            "If the box does not exist, returns null in `data`, not 404.",
        ),
        (
            DELETE,
            "missing",
            "",
            {"parameter": "path:id", "status": 204},
            "Returns 204 even if the box does not exist.",
        ),
        (PUT, "left-out", "body:", "removed", "Properties that are left out are removed."),
        (PUT, "left-out", "body:/data", "removed", "Fields of `data` that are left out are removed."),
        (PUT, "left-out", "body:", "kept", "Properties that are left out keep their values."),
        (MAKE, "no-effect", "body:/name", "path", "Ignores `name` in the request body; the URL decides."),
        (MAKE, "substitutes", "body:/size", "L", "An unknown `size` is not refused but treated as `L`."),
        (
            MAKE,
            "unknown-references",
            "body:/shelf_id",
            {"status": 201, "becomes": "kept"},
            "A `shelf_id` that nothing has is not refused but stored.",
        ),
        (
            MAKE,
            "unknown-references",
            "body:/shelf_id",
            {"status": 201, "becomes": "replaced"},
            "A `shelf_id` that nothing has is not refused but replaced by another value.",
        ),
        (
            MAKE,
            "unknown-references",
            "body:/shelf_id",
            {"status": 404, "becomes": "refused"},
            "Returns 404 if nothing has the `shelf_id` that is sent.",
        ),
        (
            PUT,
            "type-by",
            "200:/content",
            {"by": "kind", "types": {"folder": "array", "shelf": "array", "text": "string", "sheet": "object"}},
            "`content` is an array if `kind` is `folder` or `shelf`, a string if `kind` is `text` and an object"
            " if `kind` is `sheet`.",
        ),
    ],
)
def test_each_fact_has_its_sentence(
    tmp_path: Path, operation: str, kind: str, location: str, value: Json, text: str
) -> None:
    assert written(tmp_path, operation, (kind, location, value)) == [text]


@pytest.mark.parametrize(
    ("operation", "kind", "location", "value"),
    [
        (MAKE, "exists", "", {"status": 409}),
        (MAKE, "exists", "", {"status": 409, "by": "/taken"}),
        (PATCH, "left-out", "body:", "kept"),
        (MAKE, "no-effect", "body:/id", "server"),
        (MAKE, "no-effect", "body:/undeclared", "path"),
    ],
)
def test_what_the_document_says_or_everybody_expects_is_not_written(
    tmp_path: Path, operation: str, kind: str, location: str, value: Json
) -> None:
    assert written(tmp_path, operation, (kind, location, value)) == []


def test_one_member_that_was_kept_says_nothing_of_others(tmp_path: Path) -> None:
    fact = Fact(OperationKey("shelf", PUT), "left-out", "body:", "kept", ("c1",))
    (tmp_path / "shelf.yaml").write_text(SPEC)
    catalog = load(tmp_path / "shelf.yaml")

    def told(*names: str) -> list[str]:
        observed = ObservedOperation(
            catalog[fact.key], (), (), {"body:": (fact,)}, left_out={"body:": frozenset(names)}
        )
        return [statement.text for statement in left_out(observed)]

    assert told("note") == ["Properties such as `note` that are left out keep their values."]
    assert told("note", "size") == told() == ["Properties that are left out keep their values."]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("headers", "Objects such as `headers` are replaced whole."),
        ("data", "Fields of `data` that are left out are removed."),
    ],
)
def test_one_object_of_several_that_is_replaced_stands_for_them(tmp_path: Path, name: str, told: str) -> None:
    objects = "".join(f"{one}: {{type: object}}, " for one in (name, "limits"))
    schema = f"{{type: object, properties: {{{objects}size: {{type: integer}}}}}}"
    (tmp_path / "shelf.yaml").write_text(
        "openapi: 3.0.3\ninfo: {title: shelf, version: '1'}\npaths:\n  /boxes/{id}:\n    put:\n"
        f"      requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}\n"
        '      responses: {"200": {description: ok}}\n'
    )
    [operation] = load(tmp_path / "shelf.yaml").operations
    fact = Fact(operation.key, "left-out", f"body:/{name}", "removed", ("c1", "c2"))
    [statement] = left_out(ObservedOperation(operation, (), (), {fact.location: (fact,)}))
    # What lies around the thing itself is no object in it.
    assert statement.text == told


@pytest.mark.parametrize(("beside", "is_shared"), [({}, True), ({"draft": True}, False)])
def test_what_is_left_out_of_the_one_object_of_each_body_is_told_once(
    tmp_path: Path, beside: dict[str, Json], is_shared: bool
) -> None:
    (tmp_path / "shelf.yaml").write_text(SPEC)
    put = load(tmp_path / "shelf.yaml")[OperationKey("shelf", PUT)]
    notes = []
    for noun in ("box", "book", "shelf"):
        key = OperationKey("shelf", f"PUT /{noun}/{{id}}")
        fact = Fact(key, "left-out", f"body:/{noun}", "kept", ("c1", "c2"))
        sent = {"body:": {noun: {"name": "a"}, **beside}}
        call = Call("c1", key, sent, "/", 200, {}, {}, "application/json", "survey")
        calls = (call, replace(call, id="c2", arguments={"body:": {}}))
        observed = ObservedOperation(replace(put, key=key), calls, (), {fact.location: (fact,)})
        notes.append((observed, [replace(one, kind="left-out") for one in left_out(observed)]))
    shared = [statement.text for statement in common_statements(notes)]
    assert shared == (["In a `PUT`, properties that are left out keep their values."] if is_shared else [])
    assert notes[0][1][0].text == "Fields of `box` that are left out keep their values."


def test_fields_on_request_are_written_by_the_list_that_names_them(tmp_path: Path) -> None:
    one, other = ("on-request", "body:/include", "size"), ("on-request", "body:/include", "note")
    assert written(tmp_path, MAKE, one) == ["`size` is returned only if `include` lists it."]
    assert written(tmp_path, MAKE, one, other) == ["`size` and `note` are returned only if `include` lists them."]
    listed = ("allowed-values", "body:/include/0", ["name", "size"])
    plain = call(MAKE, 201, {"id": 1, "name": "box"}, sent={})
    told = ["`include` lists which of `name` and `size` are returned; by default `name`."]
    assert written(tmp_path, MAKE, one, listed, ("nullable", "201:/name", True), calls=(plain,)) == told
    # Nothing shows that the list leaves it out.
    assert written(tmp_path, MAKE, one, listed, calls=(plain,)) == written(tmp_path, MAKE, one)


def test_properties_without_effect_and_missing_things_are_written_together(tmp_path: Path) -> None:
    names = [("no-effect", f"body:/{name}", "path") for name in ("name", "note")]
    assert written(tmp_path, MAKE, *names) == ["Ignores `name` and `note` in the request body; the URL decides."]
    choices = [("no-effect", f"body:/{name}", "unchanged") for name in ("name", "note", "size")]
    told = ["Ignores properties such as `name`, `note` and `size` in the request body."]
    assert written(tmp_path, MAKE, *choices) == told
    missing = [
        ("missing", "", {"parameter": f"path:{name}", "status": 200, "returns": "object"}) for name in ("room", "id")
    ]
    assert written(tmp_path, ITEM, *missing) == ["If the room or box does not exist, returns an empty object, not 404."]


def test_what_is_kept_after_its_deletion_is_there_when_it_is_deleted_again(tmp_path: Path) -> None:
    again = ("missing", "", {"parameter": "path:id", "status": 204})
    assert written(tmp_path, DELETE, again) == ["Returns 204 even if the box does not exist."]
    kept = ("deletes", "", {"thing": "kept"})
    assert not any("does not exist" in text for text in written(tmp_path, DELETE, again, kept))


def test_what_lies_below_the_kinds_of_things_is_no_thing(tmp_path: Path) -> None:
    (tmp_path / "shelf.yaml").write_text(SPEC.replace("/rooms/{room}/boxes:", "/rooms/{room_type}/boxes:"))
    operation = load(tmp_path / "shelf.yaml")[OperationKey("shelf", "GET /rooms/{room_type}/boxes")]
    value = {"parameter": "path:room_type", "status": 200, "returns": "array"}
    facts = (Fact(operation.key, "missing", "", value, ("c1",)),)
    [statement] = missing(ObservedOperation(operation, (), (), {"": facts}))
    assert statement.text == "If the `room_type` does not exist, returns an empty list, not 404."


def test_what_lies_below_metrics_is_called_as_the_path_calls_it(tmp_path: Path) -> None:
    (tmp_path / "shelf.yaml").write_text(SPEC.replace("/rooms/{room}/boxes:", "/metrics/rooms/{roomName}/boxes:"))
    operation = load(tmp_path / "shelf.yaml")[OperationKey("shelf", "GET /metrics/rooms/{roomName}/boxes")]
    value = {"parameter": "path:roomName", "status": 200, "returns": "array"}
    facts = (Fact(operation.key, "missing", "", value, ("c1",)),)
    [statement] = missing(ObservedOperation(operation, (), (), {"": facts}))
    assert statement.text == "If the room does not exist, returns an empty list, not 404."


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("6", "Returns 400 if the box was added already."),
        ("docrev-00000000-6", "Returns 400 if the `id` is in use."),
    ],
)
def test_what_is_added_by_its_id_is_there_already_and_its_id_is_not_in_use(
    tmp_path: Path, sent: str, text: str
) -> None:
    made = call(MAKE, 201, None, room="a", sent={"id": sent})
    assert written(tmp_path, MAKE, ("exists", "", {"status": 400, "by": "/id"}), calls=(made,)) == [text]


@pytest.mark.parametrize(
    ("by", "said", "text"),
    [
        (None, "Duplicate shortcut key.", "Returns 400 if the box exists already: `Duplicate shortcut key`."),
        (None, "A box with the same name exists already.", "Returns 400 if the box exists already."),
        (None, "docrev-00000000-6 is bound twice.", "Returns 400 if the box exists already."),
        ("/name", "Duplicate shortcut key.", "Returns 400 if the `name` is in use."),
    ],
)
def test_a_refusal_that_blames_no_property_is_quoted_where_it_says_more(
    tmp_path: Path, by: str | None, said: str, text: str
) -> None:
    refused = replace(call(MAKE, 400, {"errors": [said]}, room="a", sent={"name": "x"}), id="c1")
    value = {"status": 400, "by": by} if by else {"status": 400}
    assert written(tmp_path, MAKE, ("exists", "", value), calls=(refused,)) == [text]


def test_what_reading_returns_for_ids_that_nothing_has_stands_once(tmp_path: Path) -> None:
    names = ("boxes", "pens", "cups", "tags")
    paths = "".join(
        f"  /{name}/{{{at}}}:\n    parameters: [{{name: {at}, in: path, required: true, schema: {{type: string}}}}]\n"
        f'    get: {{responses: {{"200": {{description: ok}}}}}}\n'
        for name, at in zip(names, ("id", "id", "id", "tag_type"), strict=True)
    )
    (tmp_path / "shelf.yaml").write_text(f"openapi: 3.0.3\ninfo: {{title: shelf, version: '1'}}\npaths:\n{paths}")
    notes = []
    for operation in load(tmp_path / "shelf.yaml").operations:
        value = {"parameter": operation.parameters[0].key, "status": 200, "returns": "object"}
        observed = ObservedOperation(operation, (), (), {"": (Fact(operation.key, "missing", "", value, ("c1",)),)})
        notes.append((observed, [replace(one, kind="missing", category="trap") for one in missing(observed)]))
    shared = common_statements(notes)
    assert [one.text for one in shared] == ["A `GET` of an ID that does not exist returns an empty object, not 404."]
    left = [one.text for _, stated in notes for one in uncovered(stated, shared)]
    assert left == ["If the `tag_type` does not exist, returns an empty object, not 404."]
    # Where others return 404, what some do is said of these alone.
    gone = {"status": 404, "cause": "unknown id", "parameter": "path:id"}
    facts = {"": (Fact(notes[0][0].key, "status", "", gone, ("c1",)),)}
    others = [(replace(notes[0][0], facts=facts), list[Statement]())] * 3
    assert common_statements([*notes, *others]) == []


def test_what_is_read_by_a_query_that_names_it_is_told_once_if_nothing_has_it(tmp_path: Path) -> None:
    paths = "".join(
        f"  /{name}:list: {{get: {{responses: {{'200': {{description: ok}}}}}}}}\n"
        f"  /{name}:get:\n    get:\n      parameters: [{{name: target, in: query, schema: {{type: integer}}}}]\n"
        f"      responses: {{'200': {{description: ok}}}}\n"
        for name in ("boxes", "pens", "cups")
    )
    (tmp_path / "shelf.yaml").write_text(f"openapi: 3.0.3\ninfo: {{title: shelf, version: '1'}}\npaths:\n{paths}")
    notes, value = [], {"parameter": "query:target", "status": 200, "returns": "null", "at": "/data"}
    for operation in load(tmp_path / "shelf.yaml").operations:
        if operation.parameters:
            observed = ObservedOperation(operation, (), (), {"": (Fact(operation.key, "missing", "", value, ("c1",)),)})
            notes.append((observed, [replace(one, kind="missing", category="trap") for one in missing(observed)]))
    shared = common_statements(notes)
    assert [one.text for one in shared] == ["A `GET` of an ID that does not exist returns null in `data`, not 404."]
    assert [one for _, stated in notes for one in uncovered(stated, shared)] == []


def test_what_creations_do_is_told_of_them_and_of_nothing_else(tmp_path: Path) -> None:
    paths = "".join(
        f"  /{name}:\n    post:\n      requestBody: {{content: {{application/json: {{schema: {{}}}}}}}}\n"
        f'      responses: {{"201": {{description: ok}}}}\n'
        for name in ("boxes", "pens", "cups")
    )
    (tmp_path / "shelf.yaml").write_text(f"openapi: 3.0.3\ninfo: {{title: shelf, version: '1'}}\npaths:\n{paths}")
    catalog = load(tmp_path / "shelf.yaml")

    def common(value: dict[str, Json]) -> list[str]:
        notes = []
        for operation in catalog.operations:
            fact = Fact(operation.key, "exists", "", {"by": "/name", **value}, ("c1",))
            observed = ObservedOperation(operation, (), (), {"": (fact,)})
            stated = [(category, one) for _, category, write in SENTENCES for one in write(observed)]
            notes.append((observed, [replace(one, kind="exists", category=category) for category, one in stated]))
        return [statement.text for statement in common_statements(notes)]

    assert common({"status": 409}) == ["A `POST` on a list returns 409 if the `name` is in use."]
    unchanged = "If the `name` is in use, a `POST` on a list returns what exists, unchanged, with 201."
    assert common({"status": 201, "unchanged": True}) == [unchanged]
    second = "If the `name` is in use, a `POST` on a list creates a second thing with it."
    assert common({"status": 201, "second": True}) == [second]
