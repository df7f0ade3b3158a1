"""What is right to say of the responses and parameters of public APIs: one table, which all of docrev follows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from docrev.conventions.ids import ids_of
from docrev.conventions.lists import find_list, find_lists, find_object
from docrev.conventions.paging import find_next, find_total, goes_on, next_of, total_of
from docrev.conventions.parameters import Role, Typed, role_of
from docrev.records import Call, OperationKey

HERE = Path(__file__).parent
BODIES: list[dict[str, Any]] = yaml.safe_load((HERE / "bodies.yaml").read_text(encoding="utf-8"))
PARAMETERS: dict[str, list[Any]] = yaml.safe_load((HERE / "parameters.yaml").read_text(encoding="utf-8"))
NAMED = [
    (role, *([entry, {}] if isinstance(entry, str) else entry)) for role in PARAMETERS for entry in PARAMETERS[role]
]


def body_of(case: dict[str, Any]) -> Any:
    """The body of a case; lines of JSON come as the list that the client makes of them."""
    return [json.loads(line) for line in case["ndjson"].splitlines()] if "ndjson" in case else case["body"]


def noun_of(path: str) -> str:
    """The last word of a path that is no parameter."""
    return [part for part in path.split("/") if "{" not in part][-1]


def test_the_tables_are_large_enough_and_name_no_case_twice() -> None:
    assert len(BODIES) >= 60
    assert len(NAMED) >= 120
    assert len({case["name"] for case in BODIES}) == len(BODIES)
    assert set(PARAMETERS) == set(Role)


@pytest.mark.parametrize("case", BODIES, ids=lambda case: case["name"])
def test_a_body_is_about_this_list(case: dict[str, Any]) -> None:
    body, path = body_of(case), case["path"]
    pointers = case.get("lists", [] if case.get("list") is None else [case["list"]])
    assert [found.pointer for found in find_lists(body, path)] == pointers
    found = find_list(body, path)
    assert (found.pointer if found else None) == case.get("list")
    assert (len(found.items) if found else None) == case.get("count")
    if found is not None:
        assert found.inner == case.get("inner", "")
        assert len(found.things) == len(found.items) == case["count"]
        assert find_object(body, path) is None


@pytest.mark.parametrize("case", BODIES, ids=lambda case: case["name"])
def test_a_body_says_how_many_there_are_and_how_they_go_on(case: dict[str, Any]) -> None:
    body, path, headers = body_of(case), case["path"], case.get("headers", {})
    if case.get("list") is None:
        return
    call = Call("c1", OperationKey("api", f"GET {path}"), {}, "", 200, headers, body, "application/json", "survey")
    assert find_total(body, headers, path) == total_of(call) == case.get("total")
    found = find_next(body, headers, path)
    assert ([found.by, found.value] if found else [None])[: len(case.get("next", [0]))] == case.get("next", [None])
    assert next_of(call) == found
    if found is not None:
        assert goes_on(call, case["count"])


@pytest.mark.parametrize("case", BODIES, ids=lambda case: case["name"])
def test_items_have_these_ids(case: dict[str, Any]) -> None:
    found = find_list(body_of(case), case["path"])
    if found is not None:
        wanted = case.get("ids", [None] * case["count"])
        assert ids_of(found, noun_of(case["path"])) == wanted


@pytest.mark.parametrize(("role", "name", "shape"), NAMED, ids=lambda value: str(value))
def test_a_parameter_has_this_role(role: str, name: str, shape: dict[str, Any]) -> None:
    place = shape.get("place", "query")
    typed = Typed(shape.get("type"), shape.get("format"), tuple(shape["enum"]) if "enum" in shape else None)
    assert role_of(name, typed, place) is Role(role)
