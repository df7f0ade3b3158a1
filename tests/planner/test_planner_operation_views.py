"""Views of operations: nouns, slots and fields by documentation; what calls show of arguments and fields."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from driving import called
from plannerkit import AUTHOR, AUTHORS, BOOKS, catalog_of, knowledge_of, respond

from docrev.planner.operation_views import OperationView, documented_view, path_noun
from docrev.planner.response_items import read_items
from docrev.prompts.steps import Invoke
from docrev.records import Json, OperationKey

NOUNS = {
    "/airports": "airport",
    "/airports/{iata}": "airport",
    "/airports/search": "airport",
    "/airports/{iata}/nearby": "nearby",
    "/v2/countries/{code}/cities": "city",
    "/search": "",
    "/{id}": "",
}


@pytest.mark.parametrize("path", NOUNS)
def test_the_noun_of_a_path(path: str) -> None:
    assert path_noun(path) == NOUNS[path]


BODY_SPEC = """
openapi: 3.0.3
info: {title: Notes, version: "1"}
paths:
  /notes/{id}/lines:
    post:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: mode, in: query, schema: {type: string, enum: [draft, final]}}
        - {name: size, in: query, schema: {type: integer, default: 5}}
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [data, kind]
              properties:
                kind: {type: string}
                created: {type: string, readOnly: true}
                tags: {type: array, items: {type: string}}
                data:
                  type: object
                  required: [text]
                  properties: {text: {type: string}, colour: {type: string}}
                extra:
                  type: object
                  required: [note]
                  properties: {note: {type: string}}
      responses:
        200:
          description: ok
          content:
            application/json:
              schema:
                type: object
                properties:
                  id: {type: string}
                  lines: {type: array, items: {type: object, properties: {text: {type: string}}}}
"""
LINES = OperationKey("notes", "POST /notes/{id}/lines")


def documented() -> OperationView:
    return documented_view(catalog_of(BODY_SPEC, "notes")[LINES])


def test_slots_are_parameters_and_scalars_of_the_body() -> None:
    slots = documented().slots
    assert {location: slot.required for location, slot in slots.items()} == {
        "path:id": True,
        "query:mode": False,
        "query:size": False,
        "body:/kind": True,
        "body:/data/text": True,
        "body:/data/colour": False,
        "body:/extra/note": False,
    }
    assert (slots["path:id"].noun, slots["body:/kind"].noun) == ("note", "line")
    assert slots["query:mode"].documented_values == ("draft", "final")
    assert slots["query:size"].documented_values == (5,)


def test_documented_fields_are_the_scalars_of_the_response() -> None:
    view = documented()
    assert view.documented_fields == {"id", "text"}
    assert view.returns_field("text")
    assert {"note", "line", "text"} <= view.tokens


def learned(*sent: tuple[dict[str, Json], Any, int]) -> OperationView:
    view = documented()
    for arguments, body, status in sent:
        call = called(Invoke(LINES, arguments), body, status)
        if call.ok:
            view.add_success(call, read_items(call))
        else:
            view.add_failure(call)
        view.forget_conclusions()
    return view


def test_an_argument_is_required_if_a_call_without_it_was_refused() -> None:
    good: tuple[dict[str, Json], Any, int] = ({"path:id": "n1", "query:mode": "draft"}, {"id": "n1"}, 200)
    required = ["path:id", "body:/kind", "body:/data/text"]
    assert learned(good).required_locations() == required
    assert learned(good, ({"path:id": "n1"}, {}, 404)).required_locations() == required
    assert learned(good, ({"path:id": "n1"}, {}, 422)).required_locations() == [*required, "query:mode"]
    assert learned(good, good).required_locations() == [*required, "query:mode"]


def test_a_field_that_repeats_an_argument_is_what_the_argument_means() -> None:
    knowledge = knowledge_of()
    assert knowledge.views[AUTHOR].echo_fields("path:id") == ["id"]
    assert knowledge.views[BOOKS].echo_fields("query:genre") == ["genre"]
    assert knowledge.views[AUTHORS].echo_fields("query:q") == ["name"]


def test_a_field_that_differs_between_equal_requests_is_volatile() -> None:
    first, second = (called(Invoke(AUTHOR, {"path:id": 1}), {"id": 1, "rank": rank}) for rank in (3, 4))
    calls = [first, replace(second, id="again")]
    fields = knowledge_of(calls).views[AUTHOR].fields
    assert {name: field.is_volatile for name, field in fields.items()} == {"id": False, "rank": True}
    assert not fields["rank"].is_quotable("rank")


def test_fields_are_counted_with_their_values_and_nulls() -> None:
    calls = [called(Invoke(AUTHOR, {"path:id": n}), {"id": n, "site": site}) for n, site in ((1, None), (2, "x"))]
    field = knowledge_of(calls).views[AUTHOR].fields["site"]
    assert (field.count, field.nulls, field.values) == (2, 1, {"x": 1})


def test_one_item_and_lists_are_told_apart() -> None:
    views = knowledge_of().views
    assert (views[AUTHOR].is_single, views[AUTHOR].was_single) == (True, True)
    assert (views[AUTHORS].is_single, views[AUTHORS].longest_list) == (False, 4)
    assert [call.arguments for call in views[BOOKS].calls_with("query:genre", "Novel")] == [{"query:genre": "novel"}]
    assert respond(AUTHOR, id=9).status == 404
