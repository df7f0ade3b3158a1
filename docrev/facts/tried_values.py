"""What was returned for other values of one argument, all else being equal: the contrast that shows what it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from docrev.conventions.error_messages import summarise_error
from docrev.conventions.lists import list_of
from docrev.conventions.paging import total_of
from docrev.conventions.run_names import is_invented
from docrev.graph.values import flat
from docrev.json_values.canonical import canonical
from docrev.language.characters import one_line
from docrev.records import Call, Json

MAX_VALUES, MAX_REFUSED = 8, 3
_LONG = 60


@dataclass(frozen=True, slots=True)
class Tried:
    """One value of an argument, or that it was left out, and what came of it. `size`: the items in all, if it is a
    list."""

    value: Json
    sent: bool
    outcome: str
    call: Call
    size: int | None = None

    @property
    def ok(self) -> bool:
        return self.call.ok

    def masked(self, value: object) -> Tried:
        """The same with another value to be shown."""
        return replace(self, value=value)

    @property
    def line(self) -> str:
        value = f"`{one_line(self.value, _LONG)}`" if self.sent else "left out"
        return f"{value} -> {self.outcome}"


def tried_values(calls: Iterable[Call], location: str) -> list[Tried]:
    """The values that were tried at `location`, in the surroundings in which most were; [] if fewer than two were.

    Those with an outcome of their own come first, and what was left out before all.
    """
    groups: dict[str, dict[str, tuple[bool, Json, Call]]] = {}
    for call in calls:
        if call.status is None or call.anonymous:
            continue
        pieces = dict(flat(call.arguments))
        sent, value = location in pieces, pieces.pop(location, None)
        group = groups.setdefault(canonical(pieces), {})
        group.setdefault(canonical([sent, value]), (sent, value, call))
    best = max(groups.values(), key=len, default={})
    if len(best) < 2:
        return []
    entries = sorted(best.values(), key=lambda entry: entry[0])
    first = next((call for _, _, call in entries if call.ok), None)
    return _chosen_entries([_tried(sent, value, call, first) for sent, value, call in entries])


def refusal(call: Call) -> str:
    """How a call failed: its status, and what the response says."""
    return f"{call.status} {one_line(summarise_error(call.body), 120)}".strip()


def _tried(sent: bool, value: object, call: Call, first: Call | None) -> Tried:
    if not call.ok:
        return Tried(value, sent, refusal(call), call)
    size = _size(call)
    if first is not None and call is not first and call.body == first.body:
        return Tried(value, sent, f"{call.status}, the same response", call, size)
    listed = list_of(call)
    if listed is None:
        return Tried(value, sent, f"{call.status}, another response" if call is not first else str(call.status), call)
    total = f" of {size} in all" if size is not None and size != len(listed.items) else ""
    return Tried(value, sent, f"{call.status}, {len(listed.items)} items{total}", call, size)


def _size(call: Call) -> int | None:
    listed = list_of(call)
    if listed is None or call.sampled:
        return None
    total = total_of(call)
    return len(listed.items) if total is None else total


def _chosen_entries(entries: Sequence[Tried]) -> list[Tried]:
    """As many as can be shown: each outcome once, then the others, in their order; of what was made up, one each."""
    ordered = sorted(entries, key=lambda entry: is_invented(str(entry.value)))
    first = list({entry.outcome: entry for entry in reversed(ordered)}.values())[::-1]
    rest = [entry for entry in ordered if entry not in first and not is_invented(str(entry.value))]
    refused = [entry for entry in first if not entry.ok][:MAX_REFUSED]
    chosen = [*refused, *(entry for entry in first if entry.ok), *rest][:MAX_VALUES]
    return [entry for entry in entries if entry in chosen]
