"""The calls of the evidence that made a hop: with a field of the item before as their argument."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from docrev.json_values.scalars import same_scalar
from docrev.planner.knowledge import Knowledge
from docrev.planner.memo import Memo
from docrev.planner.operation_paths import Hop, carried_location
from docrev.planner.operation_views import OperationView, SuccessfulCall
from docrev.planner.response_items import ResponseItem
from docrev.records import Given, Json, OperationKey


@dataclass(slots=True)
class PartialPath:
    """A path with values up to an operation: `item` is the one at hand, None if the evidence does not have it.

    `items` are all that its response has; `many`: all of them are meant. `givens` is what the text gives, and
    `call_givens` which of these each call is sent. `passed_on` are the values sent by hops, `arguments` those of the
    last hop's call, and `listed_fields` what a list before already shows of the item.
    """

    view: OperationView
    item: ResponseItem | None
    items: tuple[ResponseItem, ...] = ()
    givens: list[Given] = field(default_factory=list)
    call_givens: list[tuple[OperationKey, tuple[Given, ...]]] = field(default_factory=list)
    many: bool = False
    passed_on: list[Json] = field(default_factory=list)
    arguments: Mapping[str, Json] = field(default_factory=dict)
    listed_fields: set[str] = field(default_factory=set)


class HopCalls:
    """Finds the calls that made a hop."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._by_value: Memo[dict[str, list[SuccessfulCall]]] = knowledge.memo()

    def find(
        self, target: OperationView, hop: Hop, value: Json, partial: PartialPath | None = None
    ) -> SuccessfulCall | None:
        """The first call of the hop with this value and no optional argument.

        With `partial`, its other path arguments must be those of the call before.
        """
        allowed = {hop.location, *hop.given_locations, *target.required_locations()}
        for call in self._calls(target, hop.location).get(str(value).casefold(), ()):
            if set(call.arguments) <= allowed and (partial is None or _continues(partial, target, hop, call)):
                return call
        return None

    def _calls(self, target: OperationView, location: str) -> dict[str, list[SuccessfulCall]]:
        """The calls of an operation by what they were sent at a location."""
        return self._by_value.get((target.key, location), lambda: _group(target, location))


def _group(target: OperationView, location: str) -> dict[str, list[SuccessfulCall]]:
    groups: dict[str, list[SuccessfulCall]] = {}
    for call in target.calls:
        if location in call.arguments:
            groups.setdefault(str(call.arguments[location]).casefold(), []).append(call)
    return groups


def _continues(partial: PartialPath, target: OperationView, hop: Hop, call: SuccessfulCall) -> bool:
    """Whether the other path arguments of a call are those of the call before it."""
    for location in target.required_locations():
        if location.startswith("path:") and location != hop.location:
            source = carried_location(partial.view.key.path, target.key.path, location)
            if source is None or not same_scalar(partial.arguments.get(source), call.arguments.get(location)):
                return False
    return True
