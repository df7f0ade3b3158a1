"""Experience under `x-docrev`: which look-alike tells the parts of a number, and ways around calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from revisekit import call, explored, fact, origin
from revisekit import experience as learned
from test_revision_texts import revised

from docrev.records import Call, Fact
from docrev.revision import write
from docrev.revision.selection import WantedChanges

ONLY = WantedChanges(only=["experience"])
SPEC = """\
openapi: "3.0.3"
info: {title: Rooms, version: "1"}
paths:
  /rooms:
    get:
      parameters:
        - {name: q, in: query, schema: {type: string}}
        - {name: rate, in: query, description: Rate in euros., schema: {type: integer}}
        - {name: floor, in: query, schema: {type: integer}}
        - {name: number, in: query, schema: {type: integer}}
        - {name: state, in: query, description: free or shut, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer}}
      responses: {"200": {description: OK}}
  /rooms/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {"200": {description: OK}}
    put:
      requestBody: {content: {application/json: {schema: {type: object, properties: {rate: {type: integer}}}}}}
      responses: {"200": {description: OK}}
    patch:
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {tags: {type: array, items: {type: string}}}}
      responses: {"200": {description: OK}}
  /rooms/{id}/beds:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: OK}}
  /rooms/{id}/places:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: OK}}
"""
ROOMS, ROOM, BEDS, PLACES = "GET /rooms", "GET /rooms/{id}", "GET /rooms/{id}/beds", "GET /rooms/{id}/places"
TAKEN = {1: (4, 2), 2: (6, 5), 3: (9, 3)}
"""The places of a room, and how many of them are taken."""


def room(number: int) -> dict[str, Any]:
    rate = {"rate": 100 * number, "rate_text": f"{number}.00 EUR"}
    return {"id": number, "number": 900 - number, "floor": "ground", "state": "open", "tags": ["quiet"], **rate}


def calls(taken: dict[int, tuple[int, int]] = TAKEN) -> list[Call]:
    listed = {"items": [{"id": number, "name": f"Room {number}"} for number in taken]}
    found = [call(ROOMS, listed)]
    for number, (places, used) in taken.items():
        parts = {"places": places, "taken": used, "free": places - used}
        found.append(call(ROOM, room(number), path_id=number))
        found.append(call(BEDS, {"id": number, "beds": places}, path_id=number))
        found.append(call(PLACES, {"id": number, **parts}, path_id=number))
    return found


def facts() -> list[Fact]:
    source = {"operation": f"library {ROOMS}", "field": "200:/items/0/id"}
    scale = {"by": "rate_text", "factor": 100, "number": 100, "text": "1.00 EUR"}
    return [
        fact(ROOM, "comes-from", "path:id", source),
        fact(ROOM, "scaled", "200:/rate", scale),
        fact(ROOMS, "at-least", "query:rate", "200:/items/0/rate"),
        fact(ROOMS, "filters", "query:floor", "200:/items/0/floor"),
        fact(ROOMS, "filters", "query:number", "200:/items/0/number"),
        fact(ROOMS, "matches", "query:q", {"field": "200:/items/0/name", "mode": "beginning"}),
        fact("PUT /rooms/{id}", "left-out", "body:", "removed"),
        fact("PATCH /rooms/{id}", "rewrites", "body:/tags", "replaced"),
    ]


def told(path: Path, evidence: Path, **options: Any) -> dict[str, list[dict[str, Any]]]:
    """The experiences that a revision writes, by operation."""
    changes = revised(path, evidence, **options).changes
    found = [change for change in changes if "experience" in change.classes]
    return {
        change.key.operation: (change.after["experience"] if isinstance(change.after, dict) else change.after)
        for change in found
        if change.key is not None
    }


def sentences(path: Path, evidence: Path, operation: str, **options: Any) -> list[str]:
    return [entry["text"] for entry in told(path, evidence, **options).get(operation, [])]


@pytest.fixture
def rooms(tmp_path: Path) -> tuple[Path, Path]:
    return explored(tmp_path, SPEC, calls=calls(), facts=facts())


def test_a_number_that_another_operation_tells_apart_leads_there(rooms: tuple[Path, Path]) -> None:
    text = f"`beds` counts `taken` and `free` together: `{PLACES}` returns each of them."
    assert told(*rooms, selection=ONLY)[BEDS] == [{"text": text, "use": PLACES}]


def test_numbers_that_add_up_by_chance_lead_nowhere(tmp_path: Path) -> None:
    # Nothing is taken of two of three rooms: what is free is the same as all there is.
    beside = {1: (4, 2), 2: (6, 0), 3: (9, 0)}
    assert BEDS not in told(*explored(tmp_path, SPEC, calls=calls(beside), facts=facts()), selection=ONLY)


def test_ways_around_calls_are_not_told_beside_statements(rooms: tuple[Path, Path]) -> None:
    assert told(*rooms) == {}
    assert told(*rooms, selection=WantedChanges(skip=["experience"])) == {}


def test_a_thing_is_read_before_what_is_left_out_of_a_change_is_lost(rooms: tuple[Path, Path]) -> None:
    put, patch = (sentences(*rooms, f"{method} /rooms/{{id}}", selection=ONLY) for method in ("PUT", "PATCH"))
    assert f"First read the room with `{ROOM}` and send its other properties too: what is left out is removed." in put
    assert patch == [
        f"To add to `tags`, first read it with `{ROOM}` and send what is there too: it is replaced as a whole."
    ]


def test_nobody_is_told_to_send_again_what_is_not_declared(tmp_path: Path) -> None:
    stored = fact("PUT /rooms/{id}", "stored", "body:/view", ["sea"])
    rooms = explored(tmp_path, SPEC, calls=calls(), facts=[*facts(), stored])
    assert sentences(*rooms, "PUT /rooms/{id}", selection=ONLY) == []


def test_a_thing_is_found_by_the_number_that_is_not_its_id(rooms: tuple[Path, Path]) -> None:
    assert sentences(*rooms, ROOM, selection=ONLY) == [f"To find a room by its `number`, use `{ROOMS}` with `number`."]
    path, evidence = rooms
    path.write_text(path.read_text().replace("{name: number, in: query", "{name: no, in: query"))
    assert sentences(path, evidence, ROOM, selection=ONLY) == []


def test_what_a_search_misses_is_found_by_listing(rooms: tuple[Path, Path]) -> None:
    text = (
        "`q` misses rooms that have the text later in `name`: to find all of them, list them without it and compare"
        " `name`."
    )
    assert text in sentences(*rooms, ROOMS, selection=ONLY)


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        (
            {"default": "open"},
            "Without `state`, returns those with `open` alone: for all, ask for each of the others too.",
        ),
        (
            {"default": "open", "catch-all": "any"},
            "Without `state`, returns those with `open` alone: for all, send `state=any`.",
        ),
        ({"combines": "all"}, "For rooms that have any of several `state`, ask once for each of them."),
    ],
)
def test_a_filter_whose_answer_is_easily_misread_says_what_to_do(
    tmp_path: Path, kinds: dict[str, Any], text: str
) -> None:
    more = [fact(ROOMS, kind, "query:state", value) for kind, value in kinds.items()]
    chosen = fact(ROOMS, "filters", "query:state", "200:/items/0/state")
    rooms = explored(tmp_path, SPEC, calls=calls(), facts=[chosen, *more])
    assert text in sentences(*rooms, ROOMS, selection=ONLY)


def test_experience_alone_touches_no_text_and_is_written_once(rooms: tuple[Path, Path]) -> None:
    path, evidence = rooms
    revision = revised(path, evidence, selection=ONLY)
    assert {change.pointer.rpartition("/")[2] for change in revision.changes} == {"x-docrev"}
    write([(revision.documents[str(path)], path)])
    assert revised(path, evidence, selection=ONLY).changes == ()


def test_what_the_documents_say_is_not_told_as_experience(rooms: tuple[Path, Path]) -> None:
    path, evidence = rooms
    whole = revised(path, evidence, edit="contract")
    write([(whole.documents[str(path)], path)])
    assert not sentences(path, evidence, "PATCH /rooms/{id}", selection=ONLY)


def test_choices_of_scenarios_stand_before_the_wrong_call_in_both(tmp_path: Path) -> None:
    library = explored(tmp_path, facts=[origin()], lessons=[learned()])
    text = "For the email of an author, use `GET /authors/{author_id}`."
    for options in ({}, {"selection": ONLY}):
        assert text in sentences(*library, "GET /books", **options)
