"""`returns-deleted`: with a parameter, a list has what was deleted, too, which is not in it otherwise.

The value names the field that only what was deleted has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docrev.conventions.ids import find_id
from docrev.conventions.lists import ListFound
from docrev.facts.call_values import ids
from docrev.facts.creations import place_called
from docrev.facts.deletions import Deletion
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PARAMETER, Facts, Kind, Record
from docrev.facts.trials import list_in
from docrev.records import Call, Json, OperationKey


@dataclass(frozen=True)
class DeletedItems(Record):
    """The list, and the field of its items that those which were deleted have and others lack."""

    items: str
    field: str


_DELETED = re.compile("delet|remov|archiv", re.IGNORECASE)
Shown = dict[tuple[OperationKey, str], tuple[DeletedItems, list[Call]]]


def _from_calls(view: EvidenceView) -> Facts:
    lists = [call for key, seen in view.observations.items() if key.method == "GET" for call in seen.good]
    shown: Shown = {}
    for deletion in view.deletions if lists else ():
        if deletion.call.ok:
            _take_in(deletion, sorted(_after(view, deletion, lists), key=view.when), shown)
    for (key, location), (value, calls) in sorted(shown.items()):
        yield KIND.fact(key, location, value, ids(calls))


def _after(view: EvidenceView, deletion: Deletion, lists: Sequence[Call]) -> Iterator[Call]:
    """The calls of the list that a thing was in, from its deletion to when another one is made in its place."""
    above, tool = deletion.path.rpartition("/")[0], deletion.call.key.tool
    start = view.when(deletion.call)
    again = [view.when(one.call) for one in view.created if one.item.path == deletion.path]
    end = min((at for at in again if at > start), default=max(view.order.values()) + 1)
    for call in lists:
        if start < view.when(call) < end and place_called(call) == (tool, above):
            yield call


def _take_in(deletion: Deletion, after: Sequence[Call], shown: Shown) -> None:
    """Note each argument with which a list has the thing that was deleted, and without which it has not."""
    id = deletion.path.rpartition("/")[2]
    lists = [(call, found, _item(found, id)) for call in after if (found := list_in(call)) is not None]
    without = [(call, found) for call, found, item in lists if item is None]
    for call, found, gone in lists:
        for other, there in without if gone is not None else ():
            at, mark = _only_more(call, other), _mark(gone or {}, there.items)
            # Without a mark, a page may have hidden it, or another thing may have its ID.
            if at and mark:
                value = DeletedItems(f"{call.status}:{found.pointer}", mark)
                shown.setdefault((call.key, at), (value, [deletion.call, call, other]))


def _only_more(call: Call, other: Call) -> str:
    """The query parameter that alone tells a call from another one, which lacks it; "" if there is more."""
    more = {*call.arguments} - {*other.arguments}
    same = all(call.arguments.get(at) == value for at, value in other.arguments.items())
    return next((at for at in more if same and len(more) == 1 and at.startswith("query:")), "")


def _item(found: ListFound, id: str) -> dict[str, Json] | None:
    """The item of a list that has an ID."""
    items = ((one, find_id(one)) for one in found.items if isinstance(one, dict))
    return next((one for one, known in items if known is not None and str(known.value) == id), None)


def _mark(gone: dict[str, Json], others: Sequence[Json]) -> str | None:
    """The field that tells what was deleted from what is there."""
    usual = {name for one in others if isinstance(one, dict) for name, value in one.items() if value}
    named = (name for name, value in gone.items() if value and name not in usual)
    return next((name for name in named if gone[name] is True or _DELETED.search(name)), None)


KIND = Kind("returns-deleted", DeletedItems, PARAMETER, from_calls=_from_calls)
