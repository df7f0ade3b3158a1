"""Everybody who reads a response takes the same list: each body of the table is given to all of them."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_conventions_table import BODIES, body_of

from docrev.agent.responses import SeenResponse
from docrev.conventions.lists import ListFound, all_lists, find_list, find_lists, list_of
from docrev.exploration.steadiness import difference
from docrev.facts import trials
from docrev.facts.call_values import own_list
from docrev.json_values.pointer import find
from docrev.planner.response_items import read_items
from docrev.records import Call, Json, OperationKey
from docrev.simulator import World
from docrev.spec import load

Case = dict[str, Any]

KIND_KEYS = ("kind", "object", "type", "@type", "resourceType")
UNSERVED = {
    "Kubernetes, one pod": "the world has no name for a pod's id",
    "Kubernetes, a config map": "the world has no name for a map's id",
    "Kinto, records": "the world has no collections",
    "Airtable, records": "the world has no tables",
    "World Bank, countries": "a schema of a tuple's items says nothing of the second",
    "REST Countries, by name": "the world takes the path for that of one thing",
}
"""Bodies that a simulated world cannot serve from their schema."""


def call_of(case: Case, body: Json) -> Call:
    key = OperationKey("api", f"GET {case['path']}")
    return Call("c", key, {}, "", 200, case.get("headers", {}), body, "application/json", "survey")


def prober(call: Call) -> str | None:
    found = trials.list_in(call)
    return None if found is None else found.pointer


def facts(call: Call) -> str | None:
    found = own_list(call)
    return None if found is None else found.pointer


def writer(call: Call) -> str | None:
    found = list_of(call)
    return None if found is None else found.pointer


def lists_in(body: Json) -> list[ListFound]:
    """All lists of a body, those at the top of an array too."""
    top = body if isinstance(body, list) else []
    inner = [ListFound(f"/{at}", part) for at, part in enumerate(top) if isinstance(part, list)]
    return [*inner, *all_lists(body)]


def with_one_more(body: Json, pointer: str) -> Json:
    """A body with another item in the list at a pointer."""
    changed = copy.deepcopy(body)
    _, items = find(changed, pointer)
    assert isinstance(items, list)
    items.append({"id": "docrev-other", "name": "docrev-other"})
    return changed


def planner(call: Call) -> str | None:
    """The planner has the pointer of each item: what is above it."""
    found = read_items(call)
    if not found.is_list:
        return None
    patterns = [item.pattern for item in found.items]
    lists = [one.pointer for one in lists_in(call.body) if all(p.startswith(f"{one.pointer}/0") for p in patterns)]
    above = {pattern.rpartition("/")[0] for pattern in patterns}
    return "nothing to compare" if not patterns else max(lists, key=len, default="") or min(above)


def survey(call: Call) -> str | None:
    """The survey compares the ids of the list: the one in which another item makes a difference."""
    for one in lists_in(call.body):
        if "list" in difference(call, call_of({"path": call.key.path}, with_one_more(call.body, one.pointer))):
            return one.pointer
    return None


def agent(call: Call) -> str | None:
    """The agent has the items themselves; it reads a wrapped list of scalars as a field, and leaves scalars out."""
    response = SeenResponse(call.body, call.key.path)
    if not response.is_list:
        found = find_list(call.body, call.key.path)
        scalars = found is not None and not any(isinstance(thing, dict) for thing in found.things)
        return "nothing to compare" if scalars else None
    fields = [item.fields for item in response.items]
    if not fields:
        return "nothing to compare"
    found = find_list(call.body, call.key.path)
    return found.pointer if found is not None and fields == found.things else "something else"


USERS: dict[str, Callable[[Call], str | None]] = {
    "prober": prober,
    "facts": facts,
    "writer": writer,
    "planner": planner,
    "agent": agent,
    "survey": survey,
}


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("case", BODIES, ids=lambda case: case["name"])
def test_everybody_takes_the_same_list(case: Case, user: str) -> None:
    call = call_of(case, body_of(case))
    wanted, found = case.get("list"), find_list(body_of(case), case["path"])
    taken = USERS[user](call)
    if found is not None and found.keys and user in ("prober", "facts", "survey"):
        # A fact has no name for all values of a map, and the survey compares its keys as fields.
        assert taken is None
    elif taken != "nothing to compare" and not (user == "prober" and "lists" in case):
        # Of several lists, the prober looks at the longest: what a parameter does to it is true of it.
        assert taken == wanted


@pytest.mark.parametrize("user", USERS)
def test_the_table_has_many_lists_for_each_of_them(user: str) -> None:
    taken = [USERS[user](call_of(case, body_of(case))) for case in BODIES if case.get("list") is not None]
    assert sum(pointer not in (None, "nothing to compare") for pointer in taken) >= 60


def test_of_several_lists_the_prober_takes_one_of_them() -> None:
    several = [case for case in BODIES if "lists" in case]
    assert len(several) >= 3
    for case in several:
        assert prober(call_of(case, body_of(case))) in case["lists"]


# The simulator


def schema_of(value: Json, name: str = "") -> Json:
    """A schema as a spec would have it; texts that say what kind of object it is are constants."""
    if isinstance(value, dict):
        return {"type": "object", "properties": {key: schema_of(part, key) for key, part in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": schema_of(value[0]) if value else {}}
    kinds = {bool: "boolean", int: "integer", float: "number"}
    schema: dict[str, Json] = {"type": kinds.get(type(value), "string")}
    return schema | ({"enum": [value]} if name in KIND_KEYS else {}) | ({"nullable": True} if value is None else {})


def world_of(case: Case, folder: Path) -> World:
    names = re.findall(r"\{([^{}]+)\}", case["path"])
    parameters = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]
    content = {"application/json": {"schema": schema_of(body_of(case))}}
    operation = {"parameters": parameters, "responses": {"200": {"description": "OK", "content": content}}}
    paths = {case["path"] or "/things": {"get": operation}}
    spec = {
        "openapi": "3.0.0",
        "info": {"title": "api", "version": "1"},
        "servers": [{"url": "http://x"}],
        "paths": paths,
    }
    file = folder / "api.json"
    file.write_text(json.dumps(spec), encoding="utf-8")
    return World(load(file), 0)


@pytest.mark.parametrize(
    "case",
    [case for case in BODIES if isinstance(body_of(case), dict | list) and case["name"] not in UNSERVED],
    ids=lambda case: case["name"],
)
def test_the_simulator_serves_the_list_where_it_is_looked_for(case: Case, tmp_path: Path) -> None:
    """The simulator has names of its own: what it makes of a body's schema has the same list as the body."""
    world = world_of(case, tmp_path)
    [operation] = world.operations
    known = {step.parameter: world.entities.all(step.kind) for step in world.kinds.steps(operation)}
    names = re.findall(r"\{([^{}]+)\}", operation.path)
    reply = world.call(operation.key, {f"path:{n}": known[n][0].id if known.get(n) else "x" for n in names})
    assert reply.status == 200
    wanted = case.get("lists", [] if case.get("list") is None else [case["list"]])
    assert [found.pointer for found in find_lists(reply.json, operation.path)] == wanted


def test_the_simulator_has_names_of_its_own() -> None:
    shared = re.compile(r"docrev\.conventions\.(envelopes|lists|paging|parameters|ids)")
    files = sorted((Path(__file__).parents[2] / "docrev" / "simulator").rglob("*.py"))
    assert files
    assert [file.name for file in files if shared.search(file.read_text(encoding="utf-8"))] == []
