"""Records to rows and back, by hand: this runs once a call, and pydantic would cost more than the write itself.

Numbers, text and null round-trip exactly. A text with lone surrogates (an API may answer with such) is kept escaped
inside JSON columns, and with `\\udXXX` written out in plain text columns, where SQLite cannot hold it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import lru_cache
from sys import intern
from typing import Any

from docrev.json_values.canonical import compact
from docrev.records import (
    Call,
    Deed,
    Experience,
    Fact,
    Given,
    Goal,
    JournalItem,
    Json,
    Node,
    OperationKey,
    Plan,
    Scenario,
    Trajectory,
)
from docrev.storage.checksums import checksum, sealed

# Above this many characters a body is kept compressed: level 1 takes 40 µs for 20 KB and saves four fifths of it.
COMPRESSED_ABOVE = 4096


def plain(text: str) -> str:
    """`text` as SQLite can hold it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="backslashreplace").decode()
    return text


SEALED_COLUMNS = (
    "id, tool, operation, purpose, scenario, status, error, detail, url, arguments, headers, media_type, size, body,"
    " sampled, redirected, run"
)
CALL_COLUMNS = f"{SEALED_COLUMNS}, checksum"


def call_row(call: Call, run: int) -> tuple[Any, ...]:
    """The values of `CALL_COLUMNS`."""
    body: str | bytes | None = None
    if call.body is not None:
        body = compact(call.body)
        if len(body) > COMPRESSED_ABOVE:
            body = zlib.compress(body.encode(), 1)
    row = (
        call.id,
        plain(call.key.tool),
        plain(call.key.operation),
        call.purpose,
        call.scenario,
        call.status,
        call.error,
        plain(call.detail),
        plain(call.url),
        compact(call.arguments),
        compact(call.headers),
        plain(call.media_type),
        call.size,
        body,
        int(call.sampled),
        plain(call.redirected) or None,
        run,
    )
    return sealed(*row)


def call_from(row: tuple[Any, ...]) -> Call:
    """The call of a row of `CALL_COLUMNS`. Raises ValueError if the row is not what was written."""
    if row[-1] != checksum(row[:-1]):
        raise ValueError("its checksum is another one")
    return Call(
        id=intern(row[0]),
        key=_key(row[1], row[2]),
        purpose=row[3],
        scenario=row[4],
        status=row[5],
        error=row[6],
        detail=row[7],
        url=row[8],
        arguments=_value(row[9]),
        headers=_headers(row[10]),
        media_type=intern(row[11]),
        size=row[12],
        body=_body(row[13]),
        sampled=bool(row[14]),
        redirected=row[15] or "",
    )


@lru_cache(maxsize=64)
def _value(text: str) -> Any:
    """The value of a JSON text, the same object as before: many calls of an operation have an equal body."""
    return json.loads(text)


@lru_cache(maxsize=64)
def _key(tool: str, operation: str) -> OperationKey:
    return OperationKey(intern(tool), intern(operation))


def _body(kept: str | bytes | None) -> Any:
    if isinstance(kept, bytes):
        return json.loads(zlib.decompress(kept).decode())
    return None if kept is None else _value(kept)


@lru_cache(maxsize=64)
def _headers(text: str) -> dict[str, str]:
    return {intern(name): intern(value) for name, value in json.loads(text).items()}


_CALL_FIELDS = (
    "purpose scenario arguments url status error detail media_type size sampled redirected headers body".split()
)


def call_json(call: Call) -> dict[str, Json]:
    """The call as one JSON object, as `docrev evidence --json` prints it."""
    named = {"id": call.id, "tool": call.key.tool, "operation": call.key.operation}
    return named | {name: getattr(call, name) for name in _CALL_FIELDS}


def _call_from_json(data: Mapping[str, Any]) -> Call:
    rest = {name: value for name, value in data.items() if name not in ("tool", "operation")}
    return Call(key=OperationKey(data["tool"], data["operation"]), **rest)


def key_from(data: list[str]) -> OperationKey:
    """The key that is stored as a list of the tool and the operation."""
    return OperationKey(data[0], data[1])


def scenario_json(scenario: Scenario) -> dict[str, Json]:
    """A scenario as one JSON object."""
    goal = scenario.goal
    return {
        "id": scenario.id,
        "text": scenario.text,
        "operations": scenario.operations,
        "goal": None
        if goal is None
        else {
            "givens": [[given.label, given.value, given.noun, given.location] for given in goal.givens],
            "want": goal.want,
            "noun": goal.noun,
            "many": goal.many,
            "deeds": [[deed.verb, deed.noun, *deed.givens] for deed in goal.deeds],
        },
    }


def scenario_from(data: Mapping[str, Any]) -> Scenario:
    """The scenario that is stored as a JSON object."""
    goal = data["goal"]
    if goal is not None:
        givens = tuple(Given(*given) for given in goal["givens"])
        deeds = tuple(Deed(verb, noun, tuple(indexes)) for verb, noun, *indexes in goal["deeds"])
        goal = Goal(givens, goal["want"], goal["noun"], goal["many"], deeds)
    return Scenario(data["id"], data["text"], tuple(key_from(key) for key in data["operations"]), goal)


def node_json(node: Node, *, stored: bool) -> dict[str, Json]:
    """The node; its call by id if it is `stored` in the table of calls, whole otherwise (it was denied)."""
    plan, call = node.plan, node.call
    return {
        "parent": node.parent,
        "scenario": node.scenario,
        "strategy": node.strategy,
        "depth": node.depth,
        "plan": None if plan is None else [plan.thought, plan.key, plan.arguments, plan.answer],
        "call": None if call is None else call.id if stored else call_json(call),
        "observation": node.observation,
        "correct": node.correct,
        "reason": node.reason,
        "label": node.label,
    }


def node_from(id: str, data: dict[str, Any], calls: Mapping[str, Call]) -> Node:
    """The node of `node_json`; `calls` must hold the call it names."""
    plan, call = data.pop("plan"), data.pop("call")
    if plan is not None:
        thought, key, arguments, answer = plan
        plan = Plan(thought, None if key is None else key_from(key), arguments, answer)
    if isinstance(call, str):
        call = calls[call]
    elif call is not None:
        call = _call_from_json(call)
    return Node(id=id, plan=plan, call=call, **data)


def experience_json(experience: Experience) -> dict[str, Json]:
    """An experience as one JSON object."""
    return asdict(experience)


def experience_from(data: dict[str, Any]) -> Experience:
    """The experience that is stored as a JSON object."""
    keys = {name: key_from(data[name]) for name in ("key", "right", "wrong")}
    calls = {name: tuple(data[name]) for name in ("calls", "helped")}
    return Experience(**{**data, **keys, **calls})


def fact_json(fact: Fact) -> dict[str, Json]:
    """The fact as one JSON object, as `docrev facts --json` prints it."""
    return {
        "tool": fact.key.tool,
        "kind": fact.kind,
        "operation": fact.key.operation,
        "location": fact.location,
        "value": fact.value,
        "calls": list(fact.calls),
        "replays": list(fact.replays),
    }


def fact_from(data: Mapping[str, Any]) -> Fact:
    """The fact that is stored as a JSON object."""
    key = _key(data["tool"], data["operation"])
    # The facts of an operation name the same calls.
    calls, replays = tuple(map(intern, data["calls"])), tuple(map(intern, data["replays"]))
    return Fact(key, intern(data["kind"]), intern(data["location"]), data["value"], calls, replays)


def item_json(item: JournalItem) -> dict[str, Json]:
    """An item of the journal as one JSON object."""
    return asdict(item)


def item_from(data: Mapping[str, Any]) -> JournalItem:
    """The item of the journal that is stored as a JSON object."""
    return JournalItem(**data)


def trajectory_row(trajectory: Trajectory) -> bytes:
    """A trajectory with all its calls, compressed."""
    data = {field.name: getattr(trajectory, field.name) for field in fields(trajectory)}
    data["nodes"] = [[node.id, node_json(node, stored=False)] for node in trajectory.nodes]
    data["state"] = [call_json(call) for call in trajectory.state]
    return zlib.compress(compact(data).encode(), 1)


def trajectory_from(row: bytes) -> Trajectory:
    """The trajectory of a `trajectory_row`."""
    data = json.loads(zlib.decompress(row).decode())
    nodes = tuple(node_from(id, node, {}) for id, node in data.pop("nodes"))
    state = tuple(_call_from_json(call) for call in data.pop("state"))
    return Trajectory(nodes=nodes, path=tuple(data.pop("path")), state=state, **data)
