"""Request bodies for the probes of states: an accepted one, without one of its properties, and without its wrapper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from docrev.calls.redact import MASK as REDACTED
from docrev.facts.parameter_trials import NONSENSE
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import members
from docrev.json_values.pointer import unescape
from docrev.records import Call, Json
from docrev.spec import Operation

MAX_LEFT_OUT = 8
FILLER: dict[str, Json] = {"title": "docrev"}


def fullest(calls: Iterable[Call]) -> Call | None:
    """The accepted call with the most in its body, the first such; None where none can be sent again."""
    usable = [call for call in calls if REDACTED not in canonical(call.arguments)]
    return max(usable, key=lambda call: len(dict(members(call.arguments.get("body:")))), default=None)


def merged(calls: Iterable[Call]) -> Call | None:
    """The fullest accepted call with the other properties that were accepted too, each with its commonest value.

    The properties were accepted one at a time: that all of them are together is for the next call to show.
    """
    known = list(calls)
    best = fullest(known)
    if best is None or not isinstance(best.arguments.get("body:"), dict):
        return best
    values: dict[str, dict[str, tuple[int, Json]]] = {}
    for call in known:
        body = call.arguments.get("body:")
        for name, value in body.items() if isinstance(body, dict) else ():
            if "docrev" not in name and REDACTED not in canonical(value):
                seen = values.setdefault(name, {})
                count, _ = seen.get(canonical(value), (0, None))
                seen[canonical(value)] = count + 1, value
    common = {name: max(seen.values(), key=lambda one: one[0])[1] for name, seen in values.items()}
    body = {name: value for name, value in common.items() if value is not None}
    own = {name: value for name, value in best.arguments["body:"].items() if "docrev" not in name}
    return replace(best, arguments={**best.arguments, "body:": {**body, **own}})


def fewest(calls: Iterable[Call]) -> Call | None:
    """The accepted call with the fewest arguments, the first such."""
    usable = [call for call in calls if REDACTED not in canonical(call.arguments)]
    return min(usable, key=lambda call: len(call.arguments), default=None)


def filled(body: Json) -> Json:
    """The body with something in those of its objects that take anything and hold nothing."""
    if not isinstance(body, dict):
        return body
    return {name: dict(FILLER) if value == {} else value for name, value in body.items()}


def left_out(body: dict[str, Json]) -> Iterator[dict[str, Json]]:
    """The body without each of its properties, and without each of those of an object in it; eight at most."""
    for pointer in list(dict(members(body, depth=2)))[:MAX_LEFT_OUT]:
        yield _without(body, pointer.split("/")[1:])


def _without(body: dict[str, Json], names: list[str]) -> dict[str, Json]:
    name = unescape(names[0])
    if len(names) == 1:
        return {key: value for key, value in body.items() if key != name}
    return {key: _without(value, names[1:]) if key == name else value for key, value in body.items()}


def bare(body: dict[str, Json], answer: Json) -> Iterator[dict[str, Json]]:
    """What is in an object of the body, without that object around it, where the answer wraps its content likewise."""
    for name, value in body.items():
        got = answer.get(name) if isinstance(answer, dict) else None
        if not isinstance(value, dict) or not value or not isinstance(got, dict):
            continue
        if all(got.get(inner) == sent for inner, sent in value.items()):
            yield dict(value)


def empty_wrappers(body: Json, answer: Json) -> list[str]:
    """The objects that an answer has and the body could have had: what was created came back in one of them."""
    if not isinstance(answer, dict) or not isinstance(body, dict):
        return []
    return [name for name, value in answer.items() if isinstance(value, dict) and name not in body and "id" in value]


def wrong(operation: Operation, body: dict[str, Json]) -> dict[str, Json]:
    """A body in which no property can be right: each that was accepted, or is documented, is a list of nonsense."""
    schema = operation.body.schema if operation.body is not None else None
    names = [*body, *(schema.properties() if schema is not None else ())]
    return {name: [NONSENSE[0]] for name in dict.fromkeys(names)}
