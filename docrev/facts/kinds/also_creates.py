"""`also-creates`: a creation makes a thing of another kind, too, and names it; the value is the operation that returns
that."""

from __future__ import annotations

from docrev.conventions.lists import list_of
from docrev.facts.attached_things import Attached, attached, item_readers
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, TextValue
from docrev.json_values.canonical import canonical
from docrev.records import Call, OperationKey

_LEAST = 2


def _from_calls(view: EvidenceView) -> Facts:
    readers, own = item_readers(view), {one.id for one in view.created}
    made: dict[tuple[OperationKey, OperationKey], list[list[Call]]] = {}
    named_before: set[tuple[OperationKey, OperationKey]] = set()
    for one in view.created if readers else ():
        for beside in attached(one.call, readers):
            pair = one.call.key, beside.reader.key
            lists = _lists(view, one.call, beside) if beside.id not in own else []
            if lists:
                made.setdefault(pair, []).append([one.call, *lists])
            else:
                named_before.add(pair)
    for (key, reader), shown in sorted(made.items()):
        if len(shown) >= _LEAST and (key, reader) not in named_before:
            yield KIND.fact(key, "", TextValue(str(reader)), ids(call for calls in shown for call in calls))


def _lists(view: EvidenceView, creation: Call, beside: Attached) -> list[Call]:
    """The last list before a creation without what it names, and the first one after it that has it, asked alike."""
    collection = beside.reader.path.rpartition("/{")[0]
    seen = view.observations.get(OperationKey(creation.key.tool, f"GET {collection}"))
    now = view.order[creation.id]
    calls = sorted(seen.good if seen is not None else (), key=lambda call: view.order[call.id])
    lists = [call for call in calls if list_of(call) is not None and not call.sampled]
    for later in (call for call in lists if view.order[call.id] > now and _has(call, beside)):
        before = [call for call in lists if view.order[call.id] < now and call.arguments == later.arguments]
        return [before[-1], later] if before and not _has(before[-1], beside) else []
    return []


def _has(call: Call, beside: Attached) -> bool:
    return beside.id in canonical(call.body)


KIND = Kind("also-creates", TextValue, OPERATION, from_calls=_from_calls)
