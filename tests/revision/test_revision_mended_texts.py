"""Clauses of people's texts that calls refute, and what tells apart the things that an operation refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from docrev.records import Call, Change, Fact, Json, OperationKey
from docrev.revision.mended_texts import mended_texts, merged
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.places import spots
from docrev.revision.refusal_notes import some_refused
from docrev.spec import load

SPEC = """
openapi: 3.0.3
info: {title: shelf, version: "1"}
paths:
  /rooms/{room}/boxes:
    parameters: [{name: room, in: path, required: true, schema: {type: string}}]
    get: {description: "Boxes of a room, newest first.", responses: {"200": {description: ok}}}
    post:
      summary: Makes a box, unless one of the same name is there.
      description: Makes a box. At least one of `name` or `note` must be provided.
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Box"}}}}
      responses: {"201": {description: ok}}
  /rooms/{room}:
    parameters: [{name: room, in: path, required: true, schema: {type: string}}]
    get: {description: "Returns a room by ID or name.", responses: {"200": {description: ok}}}
    put:
      description: Stores a room by name and room. Fails if the room's state is not open or free, or the room is full.
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Box"}}}}
      responses: {"200": {description: ok}}
components:
  schemas:
    Box: {type: object, description: "A box.\\nAt least one of name or note has to be sent.", properties: {
      name: {type: string}, note: {type: string}, size: {type: integer}}}
"""
PUT = "PUT /rooms/{room}"
MAKE, ROOM = "POST /rooms/{room}/boxes", "GET /rooms/{room}"


def call(operation: str, status: int, body: Json, room: str, sent: Json = None) -> Call:
    key = OperationKey("shelf", operation)
    given = {"path:room": room} | ({"body:": sent} if sent is not None else {})
    return Call(f"{status}{given}", key, given, "http://a", status, {}, body, "application/json", "survey")


def observations(folder: Path, *calls: Call, facts: tuple[Fact, ...] = (), spec: str = SPEC) -> CatalogObservations:
    (folder / "shelf.yaml").write_text(spec)
    operations = []
    for operation in load(folder / "shelf.yaml").operations:
        good, bad = (tuple(c for c in calls if c.key == operation.key and c.ok is ok) for ok in (True, False))
        own = tuple(fact for fact in facts if fact.key == operation.key)
        operations.append(ObservedOperation(operation, good, bad, {"": own}))
    return CatalogObservations(tuple(operations), (), {}, {}, ())


def mends(folder: Path, *calls: Call, facts: tuple[Fact, ...] = (), spec: str = SPEC) -> list[str]:
    found = observations(folder, *calls, facts=facts, spec=spec)
    catalog = load(folder / "shelf.yaml")
    return [str(change.after) for change in mended_texts(catalog, found, spots(catalog, found))]


def test_a_text_that_wants_one_of_some_properties_is_mended_where_it_stands(tmp_path: Path) -> None:
    assert mends(tmp_path, call(MAKE, 201, {}, "a", {"note": "x"}), call(MAKE, 400, {}, "a", {"size": 1})) == []
    told = 'Neither `name` nor `note` is required: without them, returns `{"made":0}`.'
    accepted = call(MAKE, 201, {"made": 0}, "a", {"size": 1})
    assert mends(tmp_path, accepted) == [f"Makes a box. {told}", f"A box.\n{told}"]
    # That nothing at all is accepted does not show that something is accepted without them.
    nothing = call(MAKE, 201, {"made": 0}, "a", {})
    assert mends(tmp_path, nothing)[0].endswith(' should be provided; `{}` is accepted, too, and returns `{"made":0}`.')
    listed = call(MAKE, 201, {"ids": ["1", "2"]}, "a", {})
    assert mends(tmp_path, listed)[0].endswith("required: with `{}`, nothing is filtered out.")


def test_what_is_found_by_its_name_alone_is_not_found_by_id_or_name(tmp_path: Path) -> None:
    named = call(ROOM, 200, {"id": "r-1", "name": "red"}, "red")
    assert mends(tmp_path, named) == []
    assert mends(tmp_path, named, call(ROOM, 404, {}, "r-1")) == ["Returns a room by name."]
    by_id = call(ROOM, 200, {"id": "r-2", "name": "tan"}, "r-2")
    assert mends(tmp_path, named, by_id, call(ROOM, 404, {}, "r-1")) == []


def test_a_name_in_the_body_that_has_no_effect_chooses_nothing(tmp_path: Path) -> None:
    key = OperationKey("shelf", PUT)
    for value, text in (("path", "Stores a room by room. Fails"), ("server", "")):
        found = mends(tmp_path, facts=(Fact(key, "no-effect", "body:/name", value, ("c1",)),))
        assert [one[: len(text)] for one in found] == ([text] if text else [])


def test_a_failure_that_a_text_claims_of_what_was_accepted_is_mended(tmp_path: Path) -> None:
    stored = call(PUT, 200, {}, "A", {"note": "x"})
    closed, free = (call(ROOM, 200, {"id": "A", "state": state}, "A") for state in ("closed", "Free"))
    # What else a sentence names may be why it was accepted.
    assert mends(tmp_path, stored, closed) == []
    alone = SPEC.replace(", or the room is full.", ".")
    accepted = "Stores a room by name and room. Accepted also where `state` is `closed`."
    assert mends(tmp_path, stored, closed, spec=alone) == [accepted]
    assert mends(tmp_path, stored, free, spec=alone) == mends(tmp_path, stored, free, closed, spec=alone) == []


@pytest.mark.parametrize(("by", "clause"), [("/note", "of the same note"), ("/name", ""), ("/key", "")])
def test_what_things_are_told_apart_by_replaces_another_name(tmp_path: Path, by: str, clause: str) -> None:
    fact = Fact(OperationKey("shelf", MAKE), "exists", "", {"status": 201, "by": by, "unchanged": True}, ("c1",))
    found = mends(tmp_path, facts=(fact,))
    assert found == ([f"Makes a box, unless one {clause} is there."] if clause else [])


def test_changes_of_one_place_become_one() -> None:
    first = Change("a", "/x", "old", "mended", None, calls=("c1",), classes=("correction",), confidence="high")
    other = replace(first, pointer="/y")
    second = replace(first, before="mended", after="mended. More.", calls=("c2",), classes=("trap",))
    whole = replace(second, before="old", calls=("c1", "c2"), classes=("correction", "trap"))
    assert merged([first, other, second]) == [whole, other]


def test_what_is_refused_for_some_things_and_accepted_for_others_is_told_in_the_api_s_words(tmp_path: Path) -> None:
    text = "Cannot add to a closed room."
    refused = [call(MAKE, 400, {"message": text}, room, {"name": "x"}) for room in ("a", "b")]

    def told(*calls: Call, facts: tuple[Fact, ...] = ()) -> list[str]:
        found = observations(tmp_path, *calls, facts=facts)
        return [statement.text for statement in some_refused(found.by_key[OperationKey("shelf", MAKE)], found)]

    assert told(*refused) == []
    assert told(*refused, call(MAKE, 201, {}, "c", {"name": "y"})) == []
    same = call(MAKE, 201, {}, "c", {"name": "x"})
    assert told(refused[0], same) == []
    assert told(*refused, same) == [f"For some rooms, returns 400: `{text[:-1]}`."]
    cause = {"status": 400, "cause": "room not valid", "parameter": "path:room", "message": text}
    assert told(*refused, same, facts=(Fact(same.key, "status", "", cause, ("c1",)),)) == []


def test_what_tells_refused_things_apart_is_the_condition(tmp_path: Path) -> None:
    text = "Cannot add to a closed room."
    states = {"A": ("closed", "tall"), "B": ("closed", "tall"), "C": ("open", "low")}
    shown = [call(ROOM, 200, {"id": n, "state": s, "height": h}, n) for n, (s, h) in states.items()]
    refused = [call(MAKE, 400, {"message": text}, room, {"name": "x"}) for room in ("A", "B")]
    found = observations(tmp_path, *shown, *refused, call(MAKE, 201, {}, "C", {"name": "x"}))
    [statement] = some_refused(found.by_key[OperationKey("shelf", MAKE)], found)
    expected = f"The existing room at `room` must have `state` `open`; otherwise returns 400: `{text[:-1]}`."
    assert statement.text == expected


def test_the_order_that_a_text_claims_is_read_off_the_single_things(tmp_path: Path) -> None:
    listing = "GET /rooms/{room}/boxes"
    listed = [call(listing, 200, {"boxes": [{"id": 3}, {"id": 9}, {"id": 4}]}, room) for room in ("a", "b")]
    known = observations(tmp_path, *listed)

    def told(*days: int) -> list[str]:
        times = [f"2026-01-{day:02}T08:00:00Z" for day in days]
        read = {str(id): call(ROOM, 200, {"id": id, "at": at}, "a") for id, at in zip((3, 9, 4), times, strict=True)}
        found = replace(known, things={OperationKey("shelf", listing): read})
        catalog = load(tmp_path / "shelf.yaml")
        return [str(change.after) for change in mended_texts(catalog, found, spots(catalog, found))]

    assert told(1, 2, 3) == ["Boxes of a room, oldest first, not the newest."]
    assert told(3, 2, 1) == told(1, 3, 2) == []
