"""Lists in queries that must be written otherwise than their document says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence

OK = {"responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "array"}}}}}}
BOX = {"type": "array", "minItems": 2, "items": {"type": "number"}, "example": [24.5, 59.25]}
MARKS = [{"id": number, "name": f"mark {number}"} for number in range(6)]


def found(folder: Path, form: str) -> tuple[object, str]:
    """The fact and the text of a parameter that is declared as values of one name each, and takes another form."""

    def marks(request: Received) -> Answer:
        texts = request.query.get("near", [])
        is_taken = {
            "json": len(texts) == 1 and texts[0].startswith("[") and len(json.loads(texts[0])) == 2,
            "commas": len(texts) == 1 and texts[0].count(",") == 1 and "[" not in texts[0],
            "declared": len(texts) == 2,
        }[form]
        if texts and not is_taken:
            return reply({"message": "near: should have 2 items"}, 400)
        return reply(MARKS[3:] if texts else MARKS)

    near = {"name": "near", "in": "query", "schema": BOX, "description": "Where to look."}
    paths = {"/marks": {"get": {"parameters": [near], **OK}}}
    file, out = folder / "chart.json", folder / "evidence"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "chart", "version": "1"}, "paths": paths}))
    with Server({"GET /marks": marks}) as server:
        docrev.explore(file, base_urls=server.url, out=out)
    with Evidence.open(out, write=False) as evidence:
        values = [fact.value for fact in evidence.facts() if fact.kind == "spelled"]
    changes = docrev.revise(file, evidence=out).changes
    texts = " ".join(str(one.after) for one in changes if "description" in one.pointer)
    return (values[0] if values else None), texts


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ("json", "Must be a list in JSON, with brackets."),
        ("commas", "Must be one text, with commas between the values."),
    ],
)
def test_a_list_that_is_refused_as_declared_is_tried_in_other_spellings(
    tmp_path: Path, form: str, sentence: str
) -> None:
    fact, text = found(tmp_path, form)
    assert fact == form
    assert sentence in text


def test_nothing_is_said_of_a_list_that_is_taken_as_declared(tmp_path: Path) -> None:
    fact, text = found(tmp_path, "declared")
    assert fact is None
    assert "Must be" not in text
