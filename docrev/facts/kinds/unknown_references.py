"""`unknown-references`: what a creation does with the ID of something that nothing has, in its body: it is `kept`, lost
(`null`) or something else takes its place (`replaced`); or the request is refused as if nothing were at its path."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from docrev.calls.effects import is_batch
from docrev.conventions.ids import names_no_kind, refers_to
from docrev.conventions.run_names import is_invented_id
from docrev.conventions.statuses import NOT_FOUND
from docrev.facts.call_values import ids, sent_properties
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PROPERTY, Facts, Kind, Record, Replay
from docrev.facts.outcomes import AcceptedWrite
from docrev.grouping import only
from docrev.json_values.pointer import escape
from docrev.language.path_subjects import subject
from docrev.language.words import word_set, words
from docrev.records import Call, Fact, Json, OperationKey
from docrev.spec.schema import properties_of

KEPT, NULL, REPLACED, REFUSED = "kept", "null", "replaced", "refused"
_LEAST = 2
_IDS = (("id",), ("uuid",), ("guid",), ("pk",))
"""Last words of IDs: what is called a key or a code may be any text."""
CALLERS = word_set("user owner author creator account tenant organisation organization")
"""Words of IDs that say who calls: most services fill these in, whatever is sent."""
_UNEXPECTED = frozenset({*NOT_FOUND, 500})
"""Statuses of refusals that do not say that the request is not valid."""


@dataclass(frozen=True)
class UnknownReference(Record):
    """The status, and what becomes of the ID, if the request is accepted."""

    status: int
    becomes: str


def _from_calls(view: EvidenceView) -> Facts:
    there = {str(value) for item in view.journal for value in item.arguments.values()}
    for key in sorted(view.observations):
        operation = view.catalog[key]
        if key.method == "POST" and not is_batch(operation):
            noun, declared = subject(key.path).noun, properties_of(operation.body_schema)
            for name in sorted(declared):
                if is_reference(name, noun):
                    yield from _of_property(view, key, name, there)


def is_reference(name: str, noun: str) -> bool:
    """Whether a property of a body is called after the ID of something else than a thing that is called `noun`."""
    is_id = words(name)[-1:] in _IDS and not names_no_kind(name)
    return is_id and not refers_to(name, noun) and CALLERS.isdisjoint(words(name))


def _of_property(view: EvidenceView, key: OperationKey, name: str, there: Collection[str]) -> Iterator[Fact]:
    """The fact that all calls with such an ID show, if two at least were answered alike."""
    seen = view.observations[key]
    asked = [call for call in seen.calls if _is_unknown(sent_properties(call).get(name), there)]
    status = only({call.status for call in asked}) if asked else None
    becomes = _outcome(view, asked, name)
    are_enough = len({str(sent_properties(call)[name]) for call in asked}) >= _LEAST
    # A refusal as invalid is what everybody expects; what else is wrong shows without the property.
    is_news = becomes != REFUSED or (status in _UNEXPECTED and _is_fine_without(seen.good, asked, name))
    if status is not None and are_enough and becomes and is_news:
        yield KIND.fact(key, f"body:/{escape(name)}", UnknownReference(status, becomes), ids(asked[:_LEAST]))


def _outcome(view: EvidenceView, asked: Sequence[Call], name: str) -> str:
    """What becomes of such IDs; "" if it is not the same each time, or if nothing else is ever there but null."""
    at, writes = f"/{escape(name)}", view.outcomes.get(asked[0].key, []) if asked else []
    accepted = [one for one in writes if one.call in asked]
    found = only({_fate(one, at) for one in accepted}) or "" if accepted else REFUSED
    is_always_null = found == NULL and all(one.holds(at)[1] is None for one in writes)
    return "" if is_always_null else found


def _is_unknown(value: Json, there: Collection[str]) -> bool:
    return isinstance(value, str | int) and is_invented_id(value) and str(value) not in there


def _fate(one: AcceptedWrite, at: str) -> str:
    """What the thing has in the place of the ID; "" if nothing shows it."""
    is_shown, got = one.holds(at)
    if not is_shown or not one.is_whole:
        return ""
    return KEPT if got == one.sent.get(at) else NULL if got is None else REPLACED


def _is_fine_without(good: Iterable[Call], asked: Sequence[Call], name: str) -> bool:
    """Whether a request was accepted that has the same properties beside it, or but for it."""
    beside = {*sent_properties(asked[0])} - {name}
    return any({*sent_properties(call)} - {name} == beside for call in good)


def _shows(fact: Fact, call: Call) -> bool:
    value, name = KIND.value_of(fact), fact.location.removeprefix("body:/")
    return call.status == value.status and is_invented_id(sent_properties(call).get(name))


KIND = Kind(
    "unknown-references", UnknownReference, PROPERTY, shows=_shows, replay=Replay(weight=3), from_calls=_from_calls
)
