"""`observed-values`: values that were seen; that others exist is not excluded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from docrev.calls.redact import MASK as REDACTED
from docrev.conventions.run_names import is_invented
from docrev.evidence.queries import distinct
from docrev.facts.call_values import call_values
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import VALUE, Facts, Kind, Replay, Sequence
from docrev.facts.samples import Sample
from docrev.facts.shape import Field
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.json_values.scalars import is_number
from docrev.records import Call, Fact, Json


def _shows(fact: Fact, call: Call) -> bool:
    known = {canonical(value) for value in fact.value}
    values = call_values(call, fact.location)
    return bool(values) and all(canonical(value) in known for value in values if value is not None)


MAX_VALUES = 8
# A response field has a small set of values if many samples show few, each of them again and again.
_MIN_SAMPLES = 10
_MAX_TEXT = 60
_MAX_WORD = 20
_MANY = 1_000_000


def _from_calls(view: EvidenceView) -> Facts:
    for sample in view.samples.values():
        yield from _returned(sample)
        yield from _sent(sample, view.made_up)


def _returned(sample: Sample) -> Facts:
    """The values of a field that many different objects share: five names of five cities are no set of values."""
    objects = Counter[str]()
    for location, place in sample.places:
        if place.counts and not location.endswith("/0"):
            owner = _object(location)
            objects[owner] = max(objects[owner], _MANY if place.more else len(place.counts))
    for location, place in sample.places:
        if _is_small_set(place) and objects[_object(location)] >= 2 * len(place.values):
            yield KIND.fact(sample.key, location, Sequence(_ordered(place.values)), place.valued)


def _object(location: str) -> str:
    """The object that a place lies in, through arrays: `200:/items/0` for `200:/items/0/tags/0`."""
    parent = pointers.parent(location)
    return pointers.parent(parent) if location.endswith("/0") else parent


def _is_small_set(place: Field) -> bool:
    values = place.values
    if place.more or not 2 <= len(values) <= MAX_VALUES or set(place.types) - {"string", "integer"}:
        return False
    if any(isinstance(value, str) and (len(value) > _MAX_TEXT or REDACTED in value) for value in values):
        return False
    return place.samples >= max(_MIN_SAMPLES, 2 * len(values)) and min(place.counts.values()) >= 2


def _sent(sample: Sample, made_up: frozenset[str]) -> Facts:
    """The values that were accepted, those that found something first."""
    for location, accepted in sorted(sample.accepted.items()):
        fruitful = [pair for pair in accepted.values if pair[1] in sample.fruitful]
        seen = [one for one in distinct(fruitful or accepted.values) if _is_quotable(one.value, made_up)]
        if _are_worth_quoting([one.value for one in seen]):
            calls = dict.fromkeys(call for one in seen[:MAX_VALUES] for call in one.calls[:3])
            values = _ordered(one.value for one in seen[:MAX_VALUES])
            yield KIND.fact(sample.key, location, Sequence(values), calls)


def _is_quotable(value: object, made_up: frozenset[str]) -> bool:
    """Whether a value is the API's own: no secret, nothing that was invented or created to try it out."""
    if isinstance(value, str):
        if is_invented(value) or value in made_up:
            return False
        return 0 < len(value) <= _MAX_TEXT and REDACTED not in value
    return isinstance(value, int | float) and str(value) not in made_up


def _are_worth_quoting(values: list[Json]) -> bool:
    return len(values) >= 2 or any(map(_is_word, values))


def _is_word(value: object) -> bool:
    """Whether a value is one word of letters: if it was accepted, it is worth quoting even alone."""
    return isinstance(value, bool) or (isinstance(value, str) and len(value) <= _MAX_WORD and value.isidentifier())


def _ordered(values: Iterable[object]) -> tuple[Json, ...]:
    """Numbers by size, then texts by letter, then the rest."""

    def rank(value: object) -> tuple[int, float, str]:
        if is_number(value):
            return 0, value, ""
        return (1, 0, value) if isinstance(value, str) else (2, 0, canonical(value))

    return tuple(sorted(values, key=rank))


KIND = Kind("observed-values", Sequence, VALUE, shows=_shows, replay=Replay(steady=True), from_calls=_from_calls)
