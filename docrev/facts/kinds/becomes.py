"""`becomes`: what was created is in one state at first, and by itself in another one later: `queued`, then `done`.

Who goes on at once uses what is not ready yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.run_names import is_invented
from docrev.facts.call_values import ids
from docrev.facts.creations import Created, place_called
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import RESPONSE, Facts, Kind, Record
from docrev.facts.state_changes import names_state
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import scalar_members
from docrev.json_values.pointer import find
from docrev.records import Call, Json, OperationKey

_WORD = re.compile(r"[A-Za-z][A-Za-z_ -]{1,30}")
DEPTH = 2
_LEAST = 2
"""Things that must have gone from the one state to the other."""


@dataclass(frozen=True)
class Passage(Record):
    """The state in the answer to the creation, the last one that was read, and the operation that returned that."""

    first: str
    later: str
    operation: str


def _from_calls(view: EvidenceView) -> Facts:
    touched = _touched(view)
    for key, made in sorted(grouped((one.call.key, one) for one in view.created).items()):
        found = [(one.call, read) for one in made if (read := _last_reading(view, one, touched)) is not None]
        for at in sorted({at for one in made for at, _ in states(one.call.body)}):
            if len({canonical(find(one.call.body, at)[1]) for one in made}) == 1:
                yield from _of_field(key, at, found)


def _of_field(key: OperationKey, at: str, found: Iterable[tuple[Call, Call]]) -> Facts:
    """The one way that a field went, from creations to the last readings of what they made."""
    passed = [(call, read) for call, read in found if _has_passed(call, read, at)]
    ways = {_passage(call, read, at) for call, read in passed}
    if len(passed) >= _LEAST and len(ways) == 1:
        yield KIND.fact(key, f"{passed[0][0].status}:{at}", ways.pop(), ids(chain.from_iterable(passed[:_LEAST])))


def _passage(call: Call, read: Call, at: str) -> Passage:
    first, later = (str(find(one.body, at)[1]) for one in (call, read))
    return Passage(first, later, str(read.key))


def _has_passed(call: Call, read: Call, at: str) -> bool:
    """Whether a field that says how far something has come says another thing by now."""
    later = find(read.body, at)[1]
    return later != find(call.body, at)[1] and _is_state(later)


def states(body: Json) -> Iterator[tuple[str, Json]]:
    """(pointer, value) of the fields of a response that say how far something has come, in a word."""
    for at, value in scalar_members(body, depth=DEPTH):
        if names_state(at) and _is_state(value):
            yield at, value


def _is_state(value: object) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None and not is_invented(value)


def _touched(view: EvidenceView) -> list[tuple[int, str, str]]:
    """(order, tool, path) of all calls that may have changed something."""
    unsafe = (seen for key, seen in view.observations.items() if key.method not in SAFE_METHODS)
    return [(view.when(call), *place_called(call)) for seen in unsafe for call in seen.calls]


def _last_reading(view: EvidenceView, one: Created, touched: Iterable[tuple[int, str, str]]) -> Call | None:
    """The last reading of a thing before the run changed it, or something in it."""
    tool, path = one.item.tool, one.item.path
    start, end = view.lifetimes[one.call.id]
    later = (
        order
        for order, of, where in touched
        if order > start and of == tool and (where == path or where.startswith(f"{path}/"))
    )
    until = min([end, *later])
    reads = (
        call
        for key, seen in view.observations.items()
        if key.method == "GET" and key.tool == tool
        for call in seen.good
        if start < view.when(call) < until and place_called(call)[1] == path
    )
    return max(reads, key=view.when, default=None)


KIND = Kind("becomes", Passage, RESPONSE, from_calls=_from_calls)
