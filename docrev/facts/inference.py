"""Facts that the calls show, before they are replayed: types, observed values, fields, statuses, origins of values.

Every fact names all calls (at most 20) that show it, so that the replay can choose; see `replay`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from docrev.evidence import Evidence
from docrev.evidence.codec import canonical
from docrev.evidence.queries import distinct
from docrev.facts.samples import Accepted, Sample, samples
from docrev.facts.shape import MAX_CALLS, Field, type_name, values_at
from docrev.facts.status import status_value
from docrev.records import Fact, Json, OperationKey

if TYPE_CHECKING:
    from docrev.graph import Edge
    from docrev.spec import Catalog

KINDS = ("type", "observed-values", "field", "status", "comes-from")

MAX_VALUES = 8
# A response field has a small set of values where many samples show few, each of them again and again.
_MIN_SAMPLES = 10
_MAX_TEXT = 60
# What the redactor of `docrev.calls` writes in the place of a secret.
REDACTED = "[redacted]"
_MAX_ORIGINS = 2
# The graph scores an edge by value 0.7, and up to 0.3 more for names that fit.
_NAMES_FIT = 0.85
# 429 depends on how fast calls came, 304 on headers: neither says anything on the operation.
_PASSING = (304, 429)


def infer(catalog: Catalog, evidence: Evidence, edges: Iterable[Edge] = ()) -> list[Fact]:
    """Candidate facts of the catalog's operations, by tool, operation, location, kind and value.

    `edges` are those of the tool graph; only those by value, which name two calls, are used. The same calls give the
    same facts, whatever their order of arrival was.
    """
    known = {operation.key for operation in catalog.operations}
    taken = {key: sample for key, sample in samples(evidence.iter_calls()).items() if key in known}
    origins = _origins(edges, taken)
    facts = chain.from_iterable(
        chain(
            _response_facts(sample),
            _argument_facts(sample, origins.get(sample.key, {}), taken),
            _status_facts(sample),
            _origin_facts(sample, origins.get(sample.key, {})),
        )
        for sample in taken.values()
    )
    return sorted(facts, key=lambda fact: (fact.key, fact.location, fact.kind, canonical(fact.value)))


def _response_facts(sample: Sample) -> Iterator[Fact]:
    for status, shape in sample.shapes.items():
        for pointer, place in shape.items():
            location, calls = f"{status}:{pointer}", tuple(place.calls)
            if place.always and pointer and not pointer.endswith("/0"):
                yield Fact(sample.key, "field", location, True, calls)
            if place.type is not None:
                yield Fact(sample.key, "type", location, place.type, calls)
            if _small_set(place):
                yield Fact(sample.key, "observed-values", location, _ordered(place.values), calls)


def _small_set(place: Field) -> bool:
    values = place.values
    if place.more or not 2 <= len(values) <= MAX_VALUES or set(place.types) - {"string", "integer"}:
        return False
    if any(isinstance(value, str) and (len(value) > _MAX_TEXT or value == REDACTED) for value in values):
        return False
    return place.samples >= max(_MIN_SAMPLES, 2 * len(values)) and min(place.counts.values()) >= 2


def _ordered(values: Iterable[Json]) -> list[Json]:
    """Numbers by size, then texts by letter, then the rest."""

    def rank(value: Json) -> tuple[int, float, str]:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return 0, value, ""
        return (1, 0, value) if isinstance(value, str) else (2, 0, canonical(value))

    return sorted(values, key=rank)


def _argument_facts(
    sample: Sample, origins: dict[str, list[Edge]], taken: dict[OperationKey, Sample]
) -> Iterator[Fact]:
    for location, accepted in sorted(sample.accepted.items()):
        name = _argument_type(location, accepted, origins.get(location, []), taken)
        if name is not None:
            calls = tuple(dict.fromkeys(call for _, call in accepted.values))
            yield Fact(sample.key, "type", location, name, calls[:MAX_CALLS])
        seen = [one for one in distinct(accepted.values) if _quotable(one.value)]
        if len(seen) >= 2 or (seen and _enum_like(seen[0].value)):
            chosen = seen[:MAX_VALUES]
            calls = tuple(dict.fromkeys(call for one in chosen for call in one.calls[:3]))
            yield Fact(sample.key, "observed-values", location, _ordered(one.value for one in chosen), calls)


def _quotable(value: Json) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= _MAX_TEXT and REDACTED not in value
    return isinstance(value, int | float)


def _enum_like(value: Json) -> bool:
    """One word of letters: where it was accepted, it is worth quoting even alone."""
    return isinstance(value, bool) or (isinstance(value, str) and len(value) <= 20 and value.isidentifier())


def _argument_type(
    location: str, accepted: Accepted, origins: list[Edge], taken: dict[OperationKey, Sample]
) -> str | None:
    values = [value for value, _ in accepted.values]
    if location.startswith("body:"):
        names = {type_name(value) for value in values if value is not None}
        return names.pop() if len(names) == 1 else "number" if names == {"integer", "number"} else None
    # In a URL everything is text: what does not read as a number must be one; digits say nothing by themselves.
    if any(isinstance(value, list | dict) for value in values):
        return "array" if all(isinstance(value, list) for value in values) else None
    if any(not _literal(text) for text in accepted.texts):
        return "string"
    sources = {_source_type(edge, taken) for edge in origins}
    return "integer" if sources == {"integer"} else None


def _literal(text: str) -> bool:
    """Whether a text could also be meant as a number, a truth value or null."""
    if text.lower() in ("true", "false", "null", "none", ""):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


def _source_type(edge: Edge, taken: dict[OperationKey, Sample]) -> str | None:
    status, _, pointer = edge.pointer.partition(":")
    sample = taken.get(edge.source)
    place = sample.shapes.get(int(status), {}).get(pointer) if sample and status.isdecimal() else None
    return place.type if place else None


def _status_facts(sample: Sample) -> Iterator[Fact]:
    accepted = {location: one.texts for location, one in sample.accepted.items()}
    always = sorted(sample.always or ())
    for status in sorted(sample.by_status):
        if status in _PASSING:
            continue
        pairs = [(status_value(call, accepted, always), call.id) for call in sample.by_status[status]]
        # Messages that quote the request differ from call to call; one fact a cause is enough.
        groups: dict[str, list[tuple[Json, str]]] = {}
        for value, call in pairs:
            groups.setdefault(f"{value['cause']} {value.get('parameter', '')}", []).append((value, call))
        for _, group in sorted(groups.items()):
            said = distinct(({"message": value.get("message", "")}, call) for value, call in group)
            value = group[0][0] if len(said) == 1 else {k: v for k, v in group[0][0].items() if k != "message"}
            yield Fact(sample.key, "status", "", value, tuple(call for _, call in group))


def _origins(edges: Iterable[Edge], taken: dict[OperationKey, Sample]) -> dict[OperationKey, dict[str, list[Edge]]]:
    """The edges by value between sampled operations, by target and location, the best two first."""
    found: dict[OperationKey, dict[str, list[Edge]]] = {}
    ranked = sorted(edges, key=lambda e: (e.target, e.location, -e.score, e.source, e.pointer))
    for edge in ranked:
        if edge.kind != "value" or len(edge.calls) < 2 or not _convincing(edge, taken):
            continue
        best = found.setdefault(edge.target, {}).setdefault(edge.location, [])
        if len(best) < _MAX_ORIGINS:
            best.append(edge)
    return found


def _convincing(edge: Edge, taken: dict[OperationKey, Sample]) -> bool:
    """Whether the value of an edge came from there, and is not only equal by chance.

    Either the names fit too, or the source's field had two of the values that the target accepted.
    """
    source, target = taken.get(edge.source), taken.get(edge.target)
    if source is None or target is None:
        return False
    if edge.score >= _NAMES_FIT:
        return True
    status, _, pointer = edge.pointer.partition(":")
    calls = source.by_status.get(int(status), []) if status.isdecimal() else []
    seen = {str(value) for call in calls for value in values_at(call.body, pointer)}
    accepted = target.accepted.get(edge.location)
    return accepted is not None and len(seen & accepted.texts) >= 2


def _origin_facts(sample: Sample, origins: dict[str, list[Edge]]) -> Iterator[Fact]:
    for location, edges in sorted(origins.items()):
        for edge in edges:
            value = {"operation": str(edge.source), "field": edge.pointer}
            yield Fact(sample.key, "comes-from", location, value, edge.calls)
