"""The truth of a simulated world: what its spec says, and what the world makes of its query parameters.

A world checks parameters as its spec says and answers 400 and 404; it asks for no credentials and answers no nulls of
its own accord, so neither can be shown. What a parameter does to a list, the world itself tells.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from docrev.eval.statements import EFFECTS
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
    """What query parameters do. The type of what is ignored is checked all the same, its default shows in nothing."""
    key = operation.key
    for _, kind, location, value in world.truth(operation):
        if kind == "ignored":
            truth.add(key, kind, location, True)
            if truth.statements.pop((key, "default", location, ""), None) is not None:
                truth.leave_out(key, "default", location, "it is ignored, so no other value differs")
        elif kind == "sorts":
            truth.add(key, kind, location, {name: value[name] for name in ("field", "order")}, str(value["value"]))
        elif kind in EFFECTS:
            truth.add(key, kind, location, value)


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
