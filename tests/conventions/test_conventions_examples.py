"""Bodies for creations: what they are made of, and that each with a free text carries a name of the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callkit import catalog

from docrev.conventions.described_values import described_values
from docrev.conventions.examples import documented_values, example_body, fit
from docrev.conventions.run_names import carries_made_up, run_base64, run_email, run_name, run_url, run_uuid
from docrev.records import Json
from docrev.spec import Schema

_TEXT = {"type": "string"}


def schema_of(folder: Path, properties: dict[str, Any], *required: str) -> Schema:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    body = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    found = catalog(folder, ["POST /items"], **{"POST /items": body}).operations[0].body
    assert found is not None
    assert found.schema is not None
    return found.schema


def body_of(folder: Path, properties: dict[str, Any], known: dict[str, Json] | None = None) -> Json:
    def lookup(pointer: str, part: Schema) -> list[Json]:
        return [value for name, value in (known or {}).items() if pointer == f"/{name}"]

    return example_body(schema_of(folder, properties), lookup, full=True, number=7)


PROPERTIES = [
    ("name", _TEXT, run_name(7)),
    ("display_name", {**_TEXT, "example": "Rex"}, run_name(7)),
    ("slug", _TEXT, run_name(7)),
    ("id", _TEXT, run_name(7)),
    ("owner", _TEXT, run_name(7)),
    ("email", _TEXT, run_email(7)),
    ("contact", {**_TEXT, "format": "email"}, run_email(7)),
    ("callback_url", _TEXT, run_url(7)),
    ("token", {**_TEXT, "format": "uuid"}, run_uuid(7)),
    ("data", {**_TEXT, "format": "byte"}, run_base64(7)),
    ("data", {**_TEXT, "contentEncoding": "base64"}, run_base64(7)),
    ("sql", _TEXT, f"SELECT '{run_name(7)}'"),
    ("query", {**_TEXT, "description": "SQL query to run"}, f"SELECT '{run_name(7)}'"),
    ("engine", {**_TEXT, "description": "Which of the SQL databases"}, run_name(7)),
    ("host", {**_TEXT, "format": "hostname"}, "docrev-00000000-7.example.org"),
    ("description", {**_TEXT, "example": "A nice day"}, run_name(7)),
    ("name", {**_TEXT, "pattern": "^[a-z_0-9]+$"}, "docrev_00000000_7"),
    ("name", {**_TEXT, "pattern": "^[A-Z0-9]+$"}, "DOCREV000000007"),
    ("name", {**_TEXT, "maxLength": 15}, "docrev000000007"),
    ("name", {**_TEXT, "pattern": "^((a+)+)+$"}, run_name(7)),
    ("options", {"type": "object", "additionalProperties": True}, {"title": run_name(7)}),
]
OTHERS = [
    ("name", {**_TEXT, "enum": ["l2", "cosine"]}, "l2"),
    ("region", {**_TEXT, "example": "eu-west"}, "eu-west"),
    ("size", {"type": "integer"}, 2),
    ("password", _TEXT, "Vm7#qTz2!kRw9"),
    ("confirmPassword", _TEXT, "Vm7#qTz2!kRw9"),
    ("secret", {**_TEXT, "format": "password"}, "Vm7#qTz2!kRw9"),
    ("revision", {**_TEXT, "format": "int64"}, "1"),
    ("id", {**_TEXT, "format": "uint64"}, "900000007"),
    ("id", {"type": "integer", "format": "int64"}, 900_000_007),
    ("day", {**_TEXT, "format": "date"}, "2024-06-01"),
    ("startsAt", {**_TEXT, "format": "date-time"}, "2024-06-01T12:00:00Z"),
    ("endsAt", {**_TEXT, "format": "date-time"}, "2036-06-01T12:00:00Z"),
]


@pytest.mark.parametrize(("name", "schema", "value"), PROPERTIES, ids=lambda part: json.dumps(part)[:30])
def test_what_is_sent_to_create_something_is_named_after_the_run(
    tmp_path: Path, name: str, schema: dict[str, Any], value: Json
) -> None:
    body = body_of(tmp_path, {name: schema})
    assert body == {name: value}
    assert carries_made_up(body)


@pytest.mark.parametrize(("name", "schema", "value"), OTHERS, ids=lambda part: json.dumps(part)[:30])
def test_what_is_limited_or_documented_stays(tmp_path: Path, name: str, schema: dict[str, Any], value: Json) -> None:
    assert body_of(tmp_path, {name: schema}) == {name: value}


def test_a_known_value_goes_before_a_name_and_an_example_before_none(tmp_path: Path) -> None:
    texts = {"name": _TEXT, "note": {**_TEXT, "example": "hi"}, "comment": {**_TEXT, "example": "ho"}}
    assert body_of(tmp_path, texts, {"name": "python3"}) == {"name": "python3", "note": run_name(7), "comment": "ho"}
    assert body_of(tmp_path, texts) == {"name": run_name(7), "note": "hi", "comment": "ho"}
    assert body_of(tmp_path, {"name": _TEXT}, {"name": "python3"}) == {"name": "python3"}


def test_a_value_fits_one_of_the_alternatives(tmp_path: Path) -> None:
    schema = {"oneOf": [{"type": "integer"}, {"type": "string", "const": "latest"}]}
    part = schema_of(tmp_path, {"version": schema}).properties()["version"]
    assert documented_values(part) == ["latest"]
    assert [fit(value, part) for value in ("7", "latest", "0.7")] == [7, "latest", None]


def test_values_that_a_description_allows_in_words_are_read() -> None:
    allowed = {
        "Class of it; must be 'Book'.": ("Book",),
        "The order. One of `asc`, `desc`": ("asc", "desc"),
        "Level of the query (`Patient`, `Study` or `Image`)": ("Patient", "Study", "Image"),
        "Kind of thing among: `a`, `b`, or `c`": ("a", "b", "c"),
        "Sort order, `asc` (default) or `desc`": ("asc", "desc"),
        "How to sort. Options: 'name' (default), 'made'": ("name", "made"),
    }
    others = (
        *("Name; must be unique.", "Must not be 'root'.", "The colour, such as 'red'.", ""),
        *("Must not be `a` or `b`.", "The ID of the `user` or `group`", "A note (if `a` or `b` is set)"),
        *("A colour (e.g. `red` or `blue`)", "Filters by `name` or `id`"),
    )
    assert {text: described_values(text) for text in allowed} == allowed
    assert [described_values(text) for text in others] == [()] * len(others)
