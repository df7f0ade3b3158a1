"""The truth of a simulated world: what its spec says, and what the world makes of its query parameters.

A world checks parameters as its spec says and answers 400 and 404; it asks for no credentials and answers no nulls of
its own accord, so neither can be shown. What a parameter does to a list, the world itself tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from docrev.eval.truth import Truth
from docrev.records import Json, OperationKey
from docrev.spec import Operation

if TYPE_CHECKING:
    from docrev.sandbox.simulate import World

UNSHOWN = ("nullable", "needs-credentials")


def add_world(truth: Truth, world: World) -> None:
    """Fit a truth to a world of the same spec: take out what the world cannot show, add what its parameters do."""
    for place in [place for place in truth.statements if _unshown(place)]:
        key, kind, location, part = place
        truth.leave_out(key, kind, location, f"a world never shows {kind} {part}".rstrip())
        del truth.statements[place]
    for operation in truth.catalog.of_tool(world.tool):
        truth.answers[operation.key] = ("400", "405")
        if operation.method == "GET":
            _effects(truth, world, operation)


def _unshown(place: tuple[OperationKey, str, str, str]) -> bool:
    _, kind, location, part = place
    return kind in UNSHOWN or part == "401" or location.startswith("401:")


def _effects(truth: Truth, world: World, operation: Operation) -> None:
    key = operation.key
    array = _array(truth, key)
    told = {location: (kind, value) for _, kind, location, value in world.truth(operation)}
    for location, (kind, value) in told.items():
        if kind == "ignored":
            truth.add(key, kind, location, True)
            truth.statements.pop((key, "default", location, ""), None)
        elif array is None and kind in ("filters", "searches", "sorts", "limits", "pages"):
            truth.leave_out(key, kind, location, "no one list in the answer")
        elif kind == "pages":
            truth.add(key, kind, location, {"by": value, "list": array})
        elif kind == "limits":
            truth.add(key, kind, location, array)
        elif kind == "searches":
            _add_field(truth, key, kind, location, f"{array}/0/name", many=True)
        elif kind == "filters" and isinstance(value, Mapping):
            _add_field(truth, key, kind, location, f"{array}/0/{value.get('field')}")
        elif kind == "sorts":
            for name, field, descending in _orders(world, operation, location):
                shown = {"field": f"{array}/0/{field}", "order": "descending" if descending else "ascending"}
                if truth.at(key, shown["field"]):
                    truth.add(key, kind, location, shown, name)
                else:
                    truth.leave_out(key, kind, location, "the answer does not have the field")


def _add_field(truth: Truth, key: OperationKey, kind: str, location: str, field: str, *, many: bool = False) -> None:
    if truth.at(key, field) is None:
        truth.leave_out(key, kind, location, "the answer does not have the field")
    else:
        truth.add(key, kind, location, [field] if many else field)


def _array(truth: Truth, key: OperationKey) -> str | None:
    """The location of the one list of objects that is no part of another; None where there are several."""
    found = [
        location
        for of, location in truth.known
        if of == key and location[:1] == "2" and "/0" not in location and truth.at(key, f"{location}/0")
    ]
    objects = [one for one in found if truth.known[key, f"{one}/0"].schema.type == "object"]
    return objects[0] if len(objects) == 1 else None


def _orders(world: World, operation: Operation, location: str) -> Iterator[tuple[str, str, bool]]:
    """(value, field, descending) of each value that the spec allows a sort parameter to have."""
    parameter = operation.parameter(location)
    for lens in world.renderer.lenses(operation)[:1]:
        for value in (parameter.schema.enum or ()) if parameter is not None else ():
            asked = lens.sorting({location: value})
            if asked is not None:
                yield str(value), *asked


def world_of(spec: Path, seed: int) -> World:
    """The world that a service simulated from `spec` is."""
    from docrev.sandbox.simulate import World
    from docrev.spec import load

    return World(load(spec), seed)


def told(truth: Truth) -> dict[str, Json]:
    """Counts of what is left out, by reason."""
    counts: dict[str, int] = {}
    for _, _, _, why in truth.left_out:
        counts[why] = counts.get(why, 0) + 1
    return dict(sorted(counts.items()))
