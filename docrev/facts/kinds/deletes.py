"""`deletes`: whether a thing is `gone` once it was deleted, or `kept`: it can still be read, and a field may tell
it from others then: `status.state` is `expired`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from docrev.calls.looks import is_empty
from docrev.conventions.disguised_errors import shows_nothing
from docrev.conventions.statuses import NOT_FOUND
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record
from docrev.facts.kinds.becomes import DEPTH, states
from docrev.grouping import grouped, parted
from docrev.json_values.leaves import scalar_members
from docrev.json_values.pointer import last
from docrev.language.words import word_set, words
from docrev.records import Call, Json, OperationKey

GONE, KEPT = "gone", "kept"
_LEAST_KEPT = 2
"""Things that must still be read: one may be on its way out."""
_SHOWN = 2
_MARKS = word_set("active archived cancelled deleted disabled enabled expired inactive removed revoked trashed")
"""Words in the names of fields that are true, or no longer true, of what was deleted."""


@dataclass(frozen=True)
class DeletedThing(Record):
    """What is then of the thing, and the field that tells it from what was not deleted, with its value, if one does."""

    thing: str
    field: str | None = None
    value: Json = None


def _from_calls(view: EvidenceView) -> Facts:
    for key, pairs in sorted(grouped(_read_afterwards(view)).items()):
        gone, kept = parted(pairs, lambda pair: _shows_none(pair[1]))
        is_kept = len(kept) >= _LEAST_KEPT and all(after.ok for _, after in kept)
        shown = ids(chain.from_iterable((gone or kept)[:_SHOWN]))
        if gone and not kept:
            yield KIND.fact(key, "", DeletedThing(GONE), shown)
        elif is_kept and not gone:
            told = _mark([after for _, after in kept], _of_what_is_there(view, kept[0][1].key))
            yield KIND.fact(key, "", DeletedThing(KEPT, *told), shown)


def _shows_none(call: Call) -> bool:
    """Whether a reading shows that the thing is gone: some APIs return an empty object for what is not there."""
    return call.status in NOT_FOUND or shows_nothing(call) or is_empty(call)


def _read_afterwards(view: EvidenceView) -> Iterator[tuple[OperationKey, tuple[Call, Call]]]:
    """The deletions of what the run had made, by operation, each with the first reading of the thing after it."""
    for call, path, *_ in view.deletions:
        after = view.readings.after((call.key.tool, path), view.when(call))
        if call.ok and after is not None and view.observations[after.key].good:
            yield call.key, (call, after)


def _of_what_is_there(view: EvidenceView, reader: OperationKey) -> Iterator[Call]:
    """The readings of what the run created and had not deleted by then."""
    for one in view.created:
        found = view.readings.at(one.place)
        yield from (read for read in found if read.ok and read.key == reader and view.is_there(one.call, read))


def _mark(after: Collection[Call], there: Iterable[Call]) -> tuple[str, Json] | tuple[()]:
    """The field with the same value in all that was deleted, which it has in nothing else."""
    usual = set(chain.from_iterable(_states(read.body) for read in there))
    shared = set.intersection(*(set(_states(read.body)) for read in after)) - usual
    return min((mark for mark in shared if mark[0] in {at for at, _ in usual}), default=())


def _states(body: Json) -> Iterator[tuple[str, Json]]:
    """(pointer, value) of the fields that say in what state a thing is: in a word, or by true and false."""
    yield from states(body)
    for at, value in scalar_members(body, depth=DEPTH):
        if isinstance(value, bool) and not _MARKS.isdisjoint(words(last(at))):
            yield at, value


KIND = Kind("deletes", DeletedThing, OPERATION, from_calls=_from_calls)
