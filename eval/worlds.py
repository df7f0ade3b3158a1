"""The truth of a simulated world: what its spec says, and what the world makes of its query parameters.

A world checks parameters as its spec says and answers 400 and 404; it asks for no credentials and answers no nulls of
its own accord, so neither can be shown. What a parameter does to a list, the world itself tells.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from docrev.conventions.lists import main_list
from docrev.eval.truth import Truth
from docrev.facts.registry import LIST_EFFECTS
from docrev.records import Json, OperationKey

if TYPE_CHECKING:
    from docrev.simulator import World

UNSHOWN = ("nullable", "needs-credentials")
LOOKED_AT = 40
"""Things of a kind whose lists are looked at."""
LEAST = 3
"""Items that a list must have before a limit can be told from chance."""


def add_world(truth: Truth, world: World) -> None:
    """Fit a truth to a world of the same spec: take out what the world cannot show, add what its parameters do."""
    for place in [place for place in truth.statements if _unshown(place)]:
        key, kind, location, part = place
        truth.leave_out(key, kind, location, f"a world never shows {kind} {part}".rstrip())
        del truth.statements[place]
    for operation in truth.catalog.of_tool(world.tool):
        truth.answers[operation.key] = ("400", "404", "405") if "{" in operation.path else ("400", "405")
        for _, kind, location, value in world.truth(operation):
            if kind in ("range", "allowed-values"):
                _add_values(truth, operation.key, kind, location, value)
            elif operation.method == "GET":
                _effect(truth, world, operation.key, kind, location, value)


def _unshown(place: tuple[OperationKey, str, str, str]) -> bool:
    """What a world never shows: it has no nulls, no credentials, and no property without a name."""
    _, kind, location, part = place
    return kind in UNSHOWN or part == "401" or location.startswith("401:") or "//" in f"{location}/"


def _add_values(truth: Truth, key: OperationKey, kind: str, location: str, value: object) -> None:
    """Add the values that a description states and a world enforces; those of keywords are there already."""
    for part, one in value.items() if isinstance(value, dict) else (("", value),):
        truth.add(key, kind, location, one, part)


def _effect(truth: Truth, world: World, key: OperationKey, kind: str, location: str, value: Json) -> None:
    """Add what a query parameter does, if a call can show it."""
    if kind == "ignored":
        _ignored(truth, key, location)
    elif kind == "sorts":
        truth.add(key, kind, location, {name: value[name] for name in ("field", "order")}, str(value["value"]))
    elif kind == "pages" and value["by"] != "cursor" and _most(world, key, {location: 2}) == 0:
        _take_out(truth, key, location, "no list in this world has a second page", kind, "default")
    elif kind == "limits":
        _limit(truth, world, key, location, value)
    elif kind in LIST_EFFECTS:
        truth.add(key, kind, location, value)


def _limit(truth: Truth, world: World, key: OperationKey, location: str, value: object) -> None:
    most, default = _most(world, key, {}), truth.statements.get((key, "default", location, ""))
    if most is not None and most < LEAST:
        _take_out(truth, key, location, "no list in this world has as many items", "limits", "default")
        return
    truth.add(key, "limits", location, value)
    if default is not None and _fits_in(world, truth, key, location, int(default.value)):
        _take_out(truth, key, location, "no list in this world has more items", "default")


def _ignored(truth: Truth, key: OperationKey, location: str) -> None:
    """Ignored is what takes any value: its default shows in nothing. What is no number is refused all the same."""
    place = truth.at(key, location)
    if truth.statements.pop((key, "default", location, ""), None) is not None:
        truth.leave_out(key, "default", location, "it is ignored, so no other value differs")
    schema = place.schema if place is not None else None
    if schema is None or schema.type not in (None, "string") or schema.enum or schema.format or schema.pattern:
        truth.leave_out(key, "ignored", location, "it does nothing, but what is not of its type is refused")
        return
    if (key, "allowed-values", location, "") in truth.statements:
        truth.leave_out(key, "ignored", location, "it does nothing, but what is not allowed is refused")
        return
    truth.add(key, "ignored", location, True)
    truth.statements.pop((key, "type", location, ""), None)
    truth.leave_out(key, "type", location, "it is ignored, so any value is taken")


def _take_out(truth: Truth, key: OperationKey, location: str, why: str, *kinds: str) -> None:
    for kind in kinds:
        truth.statements.pop((key, kind, location, ""), None)
        truth.leave_out(key, kind, location, why)


def _fits_in(world: World, truth: Truth, key: OperationKey, location: str, size: int) -> bool:
    """Whether no list is longer than a page of this size."""
    place = truth.at(key, location)
    largest = place.schema.get("maximum") if place is not None else None
    most = _most(world, key, {location: size + 1 if largest is None else int(largest)})
    return most is not None and most <= size


def _most(world: World, key: OperationKey, arguments: dict[str, object]) -> int | None:
    """The most items that an operation answers to these arguments, anywhere; None where it needs more to be asked."""
    operation = world.catalog[key]
    steps = [step for step in world.kinds.steps(operation) if step.parameter]
    needed = [one for one in operation.parameters if one.required and one.location != "path"]
    if needed or len(steps) > 1 or operation.path.count("{") != len(steps):
        return None
    if not steps:
        return _count(world, key, arguments)
    if world.kinds.kind(steps[0].kind).parent is not None:
        return None
    entities = world.entities.all(steps[0].kind)[:LOOKED_AT]
    place = f"path:{steps[0].parameter}"
    return max((_count(world, key, {place: one.id, **arguments}) for one in entities), default=0)


def _count(world: World, key: OperationKey, arguments: dict[str, object]) -> int:
    listed = main_list(world.call(key, arguments).json, key.path)
    return len(listed.items) if listed is not None else 0


def world_of(spec: Path, seed: int) -> World:
    """The world that a service simulated from `spec` is."""
    from docrev.simulator import World
    from docrev.spec import load

    return World(load(spec), seed)


def count_left_out(truth: Truth) -> dict[str, Json]:
    """Counts of what is left out, by reason."""
    counts: dict[str, int] = {}
    for _, _, _, why in truth.left_out:
        counts[why] = counts.get(why, 0) + 1
    return dict(sorted(counts.items()))
