"""`also-creates`: a creation makes a thing of another kind, too, and names it; the value is the operation that returns
that."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.conventions.lists import list_of
from docrev.evidence.queries import reader_at
from docrev.facts.attached_things import Attached, attached, item_readers
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, TextValue
from docrev.json_values.canonical import canonical
from docrev.records import Call, OperationKey

_LEAST = 2


_Named = dict[str, tuple[Attached, Call]]
"""What creations named, by ID, each with the first creation that did."""


def _from_calls(view: EvidenceView) -> Facts:
    readers, own = item_readers(view), {one.id for one in view.created}
    named: dict[tuple[OperationKey, OperationKey], _Named] = {}
    for one in view.created if readers else ():
        for beside in attached(one.call, readers):
            named.setdefault((one.call.key, beside.reader.key), {}).setdefault(beside.id, (beside, one.call))
    for (key, reader), by_id in sorted(named.items()):
        if len(by_id) >= _LEAST and own.isdisjoint(by_id):
            yield from _of_creation(view, key, reader, list(by_id.values()))


def _of_creation(
    view: EvidenceView, key: OperationKey, reader: OperationKey, named: Sequence[tuple[Attached, Call]]
) -> Facts:
    """That a creation makes what it names: each was in no list before, and one of them is in a later one."""
    lists = _lists(view, key.tool, reader.path.rpartition("/{")[0])
    listed = next((call for call in reversed(lists) if any(_has(call, beside) for beside, _ in named)), None)
    if listed is not None and all(_is_new(view, beside, call, lists) for beside, call in named):
        yield KIND.fact(key, "", TextValue(str(reader)), ids([*(call for _, call in named[:_LEAST]), listed]))


def _lists(view: EvidenceView, tool: str, collection: str) -> list[Call]:
    """The calls that listed all things of a collection, in their order."""
    seen = reader_at(view.observations, tool, collection)
    calls = sorted(seen.good if seen is not None else (), key=view.when)
    return [call for call in calls if list_of(call) is not None and not call.sampled and not call.arguments]


def _is_new(view: EvidenceView, beside: Attached, creation: Call, lists: Sequence[Call]) -> bool:
    """Whether a thing was in none of the lists before a creation, of which there is one."""
    before = [call for call in lists if view.when(call) < view.when(creation)]
    return bool(before) and not any(_has(call, beside) for call in before)


def _has(call: Call, beside: Attached) -> bool:
    return beside.id in canonical(call.body)


KIND = Kind("also-creates", TextValue, OPERATION, from_calls=_from_calls)
