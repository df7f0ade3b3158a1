"""Changes of RPC style, looked at until one has shown where it goes: to the thing that its arguments name, alone.

A path cannot be misread. What lies in a body can: under a name that the service does not read, it is left out, and some
services then change all that they have; others change what a further argument names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrev.calls.bystanders import disturbs
from docrev.calls.effects import says_removal
from docrev.calls.listings import first_page, list_above
from docrev.calls.looks import Look, LookPair, shown_at
from docrev.calls.readings import Readings
from docrev.calls.routes import Routes
from docrev.conventions.ids import identifying_members
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.run_names import is_made_up
from docrev.records import Arguments, Call, Json, OperationKey
from docrev.spec.route_places import place_of

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


@dataclass(frozen=True, slots=True)
class Target:
    """The thing at a path that a call names, and how it and what lies beside it can be looked at."""

    operation: Operation
    path: str
    looks: tuple[Look, ...]

    def next_look(self, before: Sequence[tuple[Look, Call]]) -> Look | None:
        """The look to be made next, after others; None if there is no further. One list that answers is enough."""
        made = [look for look, _ in before]
        is_listed = any(look.path is None and call.ok for look, call in before)
        further = (look for look in self.looks if look not in made and not (is_listed and look.path is None))
        return next(further, None)


class Targets:
    """The targets of calls that still need to be looked at. `is_own`: whether the run made what is at a path."""

    def __init__(self, routes: Routes, readings: Readings, is_own: Callable[[str, str], bool]) -> None:
        self._routes, self._readings, self._is_own = routes, readings, is_own
        self._shown: set[OperationKey] = set()

    def of(self, operation: Operation, arguments: Arguments) -> list[Target]:
        """What a call of RPC style changes, if that was not shown yet and can be: at most one thing."""
        names, key = self._routes.path(operation.key).names, operation.key
        changes = operation.rpc_route is not None and operation.route.method not in SAFE_METHODS
        if not changes or key in self._shown or all(place_of(name).place == "path" for name in names):
            return []
        path = self._routes.path(key).item(arguments) or ""
        listing = list_above(operation, arguments, self._routes)
        if listing is None:
            return []
        item = self._routes.get(operation.tool, path)
        looks = [Look(step, listing=listing[0]) for step in first_page(*listing)]
        return [Target(operation, path, tuple([*looks, Look(item, path)] if item is not None else looks))]

    def settle(self, target: Target, looks: Sequence[LookPair], call: Call) -> str:
        """Take in a call and the looks around it; "gone" or "doubtful" if its target may not be there any more."""
        operation = target.operation
        if not call.ok or not looks:
            return ""
        if any(self._disturbs(target, one) for one in looks):
            self._readings.note_change(operation.key)
            return ""
        if operation.route.method != "DELETE" and (outcome := self._outcome(target, looks)):
            return outcome
        self._shown.add(operation.key)
        return ""

    def _disturbs(self, target: Target, looks: LookPair) -> bool:
        """Whether looks show that a call changed something else than its target, which may be gone by now."""
        return disturbs(
            target.operation.tool,
            self._place(looks[0]),
            [looks],
            lambda tool, path: path == target.path or self._is_own(tool, path),
        )

    def _outcome(self, target: Target, looks: Sequence[LookPair]) -> str:
        """What became of a target, by the last look: a GET of it, or else the list of what lies beside it."""
        look, before, after = looks[-1]
        old, new = (shown_at(target.path, look, self._place(look), call) for call in (before, after))
        if not old or (new and _is_named_by_run(old) <= _is_named_by_run(new)):
            return ""
        # What a list does not show may be hidden there alone, unless the call is one that removes.
        is_shown = look.path is not None or (new is False and says_removal(target.operation.route.path))
        # Without the name that the run gave it, it may be another thing, under an ID that was free again.
        return "gone" if is_shown and not new else "doubtful"

    def _place(self, look: Look) -> str:
        return self._routes.path(look.invoke.key).fill(look.invoke.arguments)


def _is_named_by_run(thing: Json) -> bool:
    return any(is_made_up(value) for _, value in identifying_members(thing))
