"""`no-effect`: a property of the request body is passed over: the API itself gives the thing another value, or has the
value in another property, whose pointer is then the fact's value, or another operation stores it, which then is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from docrev.calls.effects import is_batch
from docrev.conventions.run_names import is_invented
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PROPERTY, Facts, Kind, TextValue
from docrev.facts.outcomes import AcceptedWrite
from docrev.facts.passed_over import Fates, PassedOver
from docrev.grouping import only, parted
from docrev.language.path_templates import shape_of
from docrev.records import Call, OperationKey
from docrev.spec import Operation
from docrev.spec.schema import places_in, properties_of

PATH, SERVER, UNCHANGED = "path", "server", "unchanged"
_LEAST = 2
_SHOWN = 4
"""Writes that a fact names."""


def _from_calls(view: EvidenceView) -> Facts:
    reasons = list(_with_reason(view))
    yield from reasons
    known = {(fact.key, fact.location) for fact in reasons}
    yield from (fact for fact in _unchanged(view) if (fact.key, fact.location) not in known)


def _unchanged(view: EvidenceView) -> Facts:
    """Declared properties that changes send in vain, though another operation stores them, or they are choices."""
    passed = PassedOver.of(view)
    for key, fates in sorted(passed.by_operation.items()):
        schema = view.catalog[key].body_schema
        for at, place in places_in(schema):
            found = fates.get(at, Fates())
            if found.is_passed_over(at, place.enum or ()) and not any(_decides(one, at) == PATH for one in found.lost):
                is_choice = place.enum is not None or isinstance(found.lost[0].sent[at], bool)
                if value := _stored_by(view, passed, key, at) or (UNCHANGED if is_choice else ""):
                    calls = ids(one.call for one in found.lost[:_SHOWN])
                    yield KIND.fact(key, f"body:{at}", TextValue(value), calls)


def _stored_by(view: EvidenceView, passed: PassedOver, key: OperationKey, at: str) -> str:
    """The other operation that stores a property; UNCHANGED if that makes the thing, and another may change it, ""
    if none does."""
    other = passed.elsewhere(key, at)
    if other is None:
        return ""
    return UNCHANGED if other.method == "POST" and _may_be_changed(view, passed, key, at) else str(other)


def _may_be_changed(view: EvidenceView, passed: PassedOver, key: OperationKey, at: str) -> bool:
    """Whether another change of the same things declares the property, and was not seen to pass it over."""
    return any(
        operation.method in ("PUT", "PATCH")
        and operation.key != key
        and (operation.tool, shape_of(operation.path)) == (key.tool, passed.shapes[key])
        and at in dict(places_in(operation.body_schema))
        and not passed.by_operation.get(operation.key, {}).get(at, Fates()).lost
        for operation in view.catalog.operations
    )


def _with_reason(view: EvidenceView) -> Facts:
    """What the URL or the server decides, and what is stored in another property."""
    created = {one.call.id for one in view.created}
    for key, found in view.outcomes.items():
        if not is_batch(view.catalog[key]):
            # What a POST only finds again was made by another one.
            own = [one for one in found if one.is_seen and (key.method != "POST" or one.call.id in created)]
            untried = _repeated_from_path(view.catalog[key]).difference(*(one.sent for one in own))
            # Of what repeats the URL, whoever reads that one is passed over takes it that the others are not.
            yield from (fact for fact in _of_operation(key, own) if fact.value != PATH or not untried)


def _repeated_from_path(operation: Operation) -> set[str]:
    """The pointers of the properties of a body that are called as a parameter of the path is."""
    schema = operation.body_schema
    names = {parameter.name for parameter in operation.parameters if parameter.location == "path"}
    return {f"/{name}" for name in names & {*properties_of(schema)}}


def _of_operation(key: OperationKey, found: Sequence[AcceptedWrite]) -> Facts:
    stored = {(at, value) for one in found for at, value in one.sent.items() if one.holds(at)[1] == value}
    for at in sorted({at for one in found for at in one.sent}):
        reason, calls = _passed_over(found, at) or _stored_elsewhere(found, at, stored) or ("", [])
        if reason:
            yield KIND.fact(key, f"body:{at}", TextValue(reason), ids(calls))


def _passed_over(found: Sequence[AcceptedWrite], at: str) -> tuple[str, list[Call]] | None:
    """Why the API gives a thing another value than was sent, and the writes that show it."""
    known = (one for one in found if one.holds(at)[1] is not None)
    sent, without = parted(known, lambda one: at in one.sent)
    reason = _reason(sent, at)
    is_shown = len(sent) >= _LEAST and reason and (without or reason == PATH)
    return (reason, [one.call for one in (*sent[:_SHOWN], *without[:1])]) if is_shown else None


def _stored_elsewhere(
    found: Sequence[AcceptedWrite], at: str, stored: Collection[tuple[str, object]]
) -> tuple[str, list[Call]] | None:
    """The property that stores the values which were sent in vain, if it is sent itself; with these writes."""
    lost = [one for one in found if _is_lost(one, at)]
    for other in sorted({other for other, _ in stored}):
        lacking = [one for one in lost if _lacks(one, other, one.sent[at])]
        if len({str(one.sent[at]) for one in lacking}) >= _LEAST and _share_a_text(lacking, at, other, stored):
            return other, [one.call for one in lacking[:_SHOWN]]
    return None


def _is_lost(one: AcceptedWrite, at: str) -> bool:
    """Whether nothing shows what a write sent; names that were made up stand in many properties of a body."""
    return at in one.sent and one.is_whole and not one.holds(at)[0] and not is_invented(one.sent[at])


def _share_a_text(
    lacking: Iterable[AcceptedWrite], at: str, other: str, stored: Collection[tuple[str, object]]
) -> bool:
    """Whether a text that was lost is stored where another property sends it: any two flags have the same values."""
    return any(isinstance(one.sent[at], str) and (other, one.sent[at]) in stored for one in lacking)


def _lacks(one: AcceptedWrite, at: str, value: object) -> bool:
    """Whether a thing has something else than a value where nothing was sent."""
    return at not in one.sent and one.holds(at)[1] not in (None, value)


def _reason(sent: Sequence[AcceptedWrite], at: str) -> str:
    """What decides on the value in all of the writes; "" if it is not the same, or nobody knows."""
    return only({_decides(one, at) for one in sent}) or ""


def _decides(one: AcceptedWrite, at: str) -> str:
    """What the value that the thing has comes from, if it is not the one that was sent."""
    sent, got = one.sent[at], one.holds(at)[1]
    if not isinstance(got, str | int) or not isinstance(sent, str | int) or isinstance(got, bool) or _is_in(sent, got):
        return ""
    if any(_is_in(got, value) for place, value in one.call.arguments.items() if place.startswith("path:")):
        return PATH
    return SERVER if at.rpartition("/")[2] == "id" else ""


def _is_in(part: object, whole: object) -> bool:
    """Whether one value is the other, or stands in it as a word: names are also written in another form."""
    pattern = rf"(?<![\w-]){re.escape(str(part).casefold().strip('.'))}(?![\w-])"
    return not str(part) or re.search(pattern, str(whole).casefold()) is not None


KIND = Kind("no-effect", TextValue, PROPERTY, from_calls=_from_calls)
