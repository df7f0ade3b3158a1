"""What an operation returns, as prompts show it in one line."""

from __future__ import annotations

import pytest

from docrev.models.rendering import messages
from docrev.models.response_shapes import response_shape
from docrev.prompts.agents import Argument, NextAction, ResponseField, Sheet
from docrev.records import OperationKey


def sheet(operation: str, *pointers: str, **described: str) -> Sheet:
    fields = [*(ResponseField(pointer=pointer) for pointer in pointers)]
    fields += [ResponseField(pointer=f"/{name}", description=text) for name, text in described.items()]
    arguments = (
        Argument(name="note", location="body:/note"),
        Argument(name="kind", location="body:/kind", description="new or used", allowed=("new", "used")),
        Argument(name="size", location="body:/size", description="S or so", allowed=("S", "L")),
    )
    return Sheet(name="f", key=OperationKey("shop", operation), parameters=arguments, fields=tuple(fields))


@pytest.mark.parametrize(
    ("pointers", "shape"),
    [
        (["/items", "/items/0/id", "/items/0/tags", "/items/0/tags/0", "/next"], "{items: [{id, tags: []}], next}"),
        (["/0/id", "/0/by/name"], "[{id, by: {name}}]"),
        (["/data", "/data/0"], "{data: []}"),
        (["/a~1b"], "{a/b}"),
        ([], ""),
    ],
)
def test_fields_stand_in_what_they_are_in(pointers: list[str], shape: str) -> None:
    assert response_shape(sheet("GET /orders", *pointers).model_dump() | {"key": "shop GET /orders"}) == shape


@pytest.mark.parametrize(
    ("operation", "shape"),
    [
        ("GET /orders/{id}", "returns {note, next, kind (As stored)}"),
        ("PUT /orders/{id}", "returns {next, kind (As stored)}"),
    ],
)
def test_what_was_sent_is_not_said_to_come_back(operation: str, shape: str) -> None:
    """All of it with a change; with a read what the path says, and where the page lies."""
    found = sheet(operation, "/id", "/note", "/page", "/next", kind="As stored.")
    added = (Argument(name="id", location="path:id"), Argument(name="page", location="query:page"))
    prompt = NextAction(task="t", operations=(found.model_copy(update={"parameters": (*added, *found.parameters)}),))
    assert f"  {shape}\n" in messages(prompt)[-1]["content"]


def test_values_that_a_text_names_are_not_listed_again() -> None:
    shown = messages(NextAction(task="t", operations=(sheet("POST /orders"),)))[-1]["content"]
    assert "kind (string): new or used\n" in shown
    assert 'size (string): S or so One of ["S", "L"].\n' in shown
