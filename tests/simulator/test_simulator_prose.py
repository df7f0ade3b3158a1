"""What descriptions tell in words is enforced by a world, and stated as true of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docrev.records import Json, OperationKey
from docrev.simulator import World
from docrev.simulator.prose import ProseRules, read_prose
from docrev.spec import load

SONG = {"type": "object", "properties": {"id": {"type": "integer"}, "title": {"type": "string"}}}
LENGTHS, MODES = ("long", "short"), ("track", "context", "off")
DATED = {**SONG, "properties": {**SONG["properties"], "made_on": {"type": "string", "format": "date"}}}


def world(folder: Path, parameters: list[dict[str, Any]]) -> World:
    """A world of songs whose list has these query parameters."""
    listing = {"type": "object", "properties": {"results": {"type": "array", "items": DATED}}}
    paths = {
        "/songs": {"get": {"parameters": parameters, "responses": {"200": answer(listing)}}},
        "/songs/{song_id}": {
            "get": {
                "parameters": [{"name": "song_id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {"200": answer(DATED)},
            }
        },
    }
    spec = folder / "songs.json"
    spec.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "s", "version": "1"}, "paths": paths}))
    return World(load(spec))


def answer(schema: Json) -> Json:
    return {"description": "", "content": {"application/json": {"schema": schema}}}


def query(name: str, kind: str, description: str = "", **schema: Json) -> dict[str, Any]:
    return {"name": name, "in": "query", "description": description, "schema": {"type": kind, **schema}}


@pytest.mark.parametrize(
    ("kind", "text", "what"),
    [
        ("integer", "Must be a value from 0 to 100 inclusive.", ProseRules(0, 100)),
        ("integer", "How many. Minimum: 1. Maximum: 50.", ProseRules(1, 50)),
        ("integer", "The index. Maximum offset: 100.000\\.", ProseRules(high=100_000)),
        ("string", "A comma-separated list of ids. Maximum: 20 IDs.", ProseRules(most=20)),
        ("string", "Ids. Up to 5 seed values may be given.", ProseRules(most=5)),
        (
            "string",
            "Valid values: `long` (years of data, `all` of them), `short` (a month).",
            ProseRules(choices=LENGTHS),
        ),
        ("string", "**track**, **context** or **off**.<br/>**track** repeats the track.", ProseRules(choices=MODES)),
        ("string", "As `fields`, but for `items` only.", ProseRules()),
        ("integer", "The number of the page, as `page` tells.", ProseRules()),
    ],
)
def test_bounds_and_choices_are_read(tmp_path: Path, kind: str, text: str, what: ProseRules) -> None:
    made = world(tmp_path, [query("x", kind, text)])
    [parameter] = made.catalog[OperationKey("songs", "GET /songs")].parameters
    assert read_prose(parameter) == what


def test_the_schema_has_the_last_word(tmp_path: Path) -> None:
    made = world(tmp_path, [query("x", "integer", "From 1 to 9.", maximum=5), query("y", "string", "", enum=["a"])])
    assert [read_prose(one) for one in made.catalog[OperationKey("songs", "GET /songs")].parameters] == [
        ProseRules(),
        ProseRules(),
    ]


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ("volume=101", "query parameter 'volume' must be between 0 and 100"),
        ("state=loud", "query parameter 'state' must be one of on, off"),
        ("ids=1,2,3,4", "query parameter 'ids' must have at most 3 items"),
        ("volume=100&state=off&ids=1,2,3", ""),
    ],
)
def test_what_is_told_in_words_is_enforced_and_true(tmp_path: Path, sent: str, why: str) -> None:
    told_so = [
        query("volume", "integer", "A value from 0 to 100."),
        query("state", "string", "Allowed values are: `on`, `off`."),
        query("ids", "string", "A comma-separated list of ids. Maximum: 3 IDs."),
    ]
    made = world(tmp_path, told_so)
    reply = made.respond("GET", f"/songs?{sent}")
    assert (reply.status, why in json.dumps(reply.json)) == (400 if why else 200, True)
    stated = {(one.kind, one.location): one.value for one in made.truth(made.operations[0])}
    assert stated["range", "query:volume"] == {"minimum": 0, "maximum": 100}
    assert stated["allowed-values", "query:state"] == ["on", "off"]


def test_no_date_is_before_or_after_what_is_none(tmp_path: Path) -> None:
    made = world(tmp_path, [query("made_on.lte", "string"), query("made_on.gte", "string")])
    for bound in ("lte", "gte"):
        assert made.respond("GET", f"/songs?made_on.{bound}=tomorrow").json["results"] == []
    assert made.respond("GET", "/songs?made_on.gte=1900").json == made.respond("GET", "/songs").json
