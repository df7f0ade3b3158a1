"""Lists in made-up bodies: as many items as there must be, and documented numbers."""

from __future__ import annotations

import json
from pathlib import Path

from docrev.conventions.examples import example_body
from docrev.spec import load

NUMBERS = {"type": "array", "items": {"type": "number"}}
BODY = {
    "type": "object",
    "required": ["bounds", "line", "tags", "countries", "languages"],
    "properties": {
        "bounds": {**NUMBERS, "minItems": 4, "example": [24.5, 59.4, 25.2, 60.2]},
        "line": {"type": "array", "minItems": 2, "items": {**NUMBERS, "minItems": 2}},
        "tags": {"type": "array", "items": {"type": "string"}, "example": ["theirs"]},
        "countries": {"type": "array", "items": {"type": "string"}, "example": ["US"]},
        "languages": {"type": "array", "items": {"type": "string"}},
    },
}


def test_lists_have_as_many_items_as_they_must_and_texts_are_the_run_s_own(tmp_path: Path) -> None:
    post = {
        "requestBody": {"content": {"application/json": {"schema": BODY}}},
        "responses": {"201": {"description": "ok"}},
    }
    file = tmp_path / "chart.json"
    file.write_text(
        json.dumps({"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/marks": {"post": post}}})
    )
    [operation] = load(file).operations
    assert operation.body_schema is not None
    found = example_body(operation.body_schema, lambda pointer, part: [])
    assert isinstance(found, dict)
    assert found["bounds"] == [24.5, 59.4, 25.2, 60.2]
    assert found["line"] == [[1, 1], [1, 1]]
    assert found["tags"] == ["docrev-00000000-0"]
    # What must have a form by its name is nobody's: as the example has it, or as the name says.
    assert found["countries"] == ["US"]
    assert found["languages"] == ["en"]
