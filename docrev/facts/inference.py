"""Facts that the calls show, before they are replayed: types, observed values, fields, statuses, origins of values.

Every fact names all calls (at most 20) that show it, so that the replay can choose; see `replay`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from math import inf
from typing import TYPE_CHECKING

from docrev.evidence import Evidence
from docrev.evidence.queries import distinct
from docrev.facts.honesty import contradictions
from docrev.facts.inventions import invented
from docrev.facts.origins import Origin, origins
from docrev.facts.samples import Accepted, Sample, samples
from docrev.facts.shape import MAX_CALLS, Field, Shape, type_name
from docrev.facts.states import infer_states
from docrev.facts.status import status_value
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.records import Fact, Json, OperationKey

if TYPE_CHECKING:
    from docrev.graph import Edge
    from docrev.spec import Catalog

MAX_VALUES = 8
# A code, a name of one word, a number, a date; what is longer in a body that was sent is free text.
_WORD = re.compile(r"[\w.:/+-]+")
# A response field has a small set of values where many samples show few, each of them again and again.
_MIN_SAMPLES = 10
_MAX_TEXT = 60
# What the redactor of `docrev.calls` writes in the place of a secret.
REDACTED = "[redacted]"
# 429 depends on how fast calls came, 304 on headers: neither says anything on the operation.
_PASSING = (304, 429)


def infer(
    catalog: Catalog, evidence: Evidence, edges: Iterable[Edge] = (), *, probed: Iterable[Fact] = ()
) -> list[Fact]:
    """Candidate facts of the catalog's operations, by tool, operation, location, kind and value.

    `edges` are those of the tool graph; they count where the calls bear them out. `probed` are facts that are known
    already. The same calls give the same facts, whatever their order of arrival was.
    """
    known = {operation.key for operation in catalog.operations}
    taken = {key: sample for key, sample in samples(evidence.iter_calls()).items() if key in known}
    found = origins(edges, taken)
    made = frozenset(_made(evidence, taken.values()))
    facts = chain.from_iterable(
        chain(
            _response_facts(sample),
            _argument_facts(sample, found.get(sample.key, {}), made),
            _status_facts(sample),
            _origin_facts(sample, found.get(sample.key, {})),
        )
        for sample in taken.values()
    )
    all_facts = list(_once(chain(facts, infer_states(catalog, evidence, taken))))
    own = _own(catalog, taken, [*probed, *all_facts])
    return sorted(own(all_facts), key=lambda fact: (fact.key, fact.location, fact.kind, canonical(fact.value)))


def _own(
    catalog: Catalog, taken: Mapping[OperationKey, Sample], known: Iterable[Fact]
) -> Callable[[Iterable[Fact]], Iterator[Fact]]:
    """Leaves out what is said of response properties that only came back because docrev had made them up."""
    by_operation: dict[OperationKey, list[Fact]] = {}
    for fact in known:
        by_operation.setdefault(fact.key, []).append(fact)
    names = invented((catalog[key], sample.accepted, by_operation.get(key, ())) for key, sample in taken.items())

    sent: dict[str, set[str]] = {}
    for sample in taken.values():
        for location, accepted in sample.accepted.items():
            texts = {canonical(value) for value in (*accepted.tried, *(value for value, _ in accepted.values))}
            sent.setdefault(pointers.last(location), set()).update(texts)

    def made_up(fact: Fact) -> bool:
        """Whether all that was seen at a response property is what calls had sent under its name."""
        status, _, at = fact.location.partition(":")
        name = pointers.last(at)
        if name not in names or not status.isdigit():
            return False
        response = catalog[fact.key].response(int(status))
        if response is not None and response.schema is not None and at in dict(response.schema.walk()):
            return False
        place = taken[fact.key].shapes.get(int(status), {}).get(at)
        if place is None or not place.counts:
            return False
        return {canonical(value) for value in place.values} <= sent.get(name, set())

    def keep(facts: Iterable[Fact]) -> Iterator[Fact]:
        return (fact for fact in facts if not made_up(fact))

    return keep


def _once(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Each fact once, as it was found first: several parts of the inference may see the same."""
    told: set[tuple[object, ...]] = set()
    for fact in facts:
        name = (fact.key, fact.kind, fact.location, canonical(fact.value))
        if name not in told:
            told.add(name)
            yield fact


def _made(evidence: Evidence, taken: Iterable[Sample]) -> Iterator[str]:
    """What did not come from the API: ids of items that were created to try it out, and texts invented for them."""
    for item in evidence.journal():
        yield from map(str, item.arguments.values())
    for sample in taken:
        for location, accepted in sample.accepted.items():
            if location.startswith("body:"):
                yield from (text for text in accepted.texts if not _WORD.fullmatch(text))


def _response_facts(sample: Sample) -> Iterator[Fact]:
    for status, shape in sample.shapes.items():
        spans = _spans(shape)
        for pointer, place in shape.items():
            location, calls = f"{status}:{pointer}", tuple(place.calls)
            if place.always and pointer and not pointer.endswith("/0"):
                yield Fact(sample.key, "field", location, True, calls)
            if place.type is not None:
                yield Fact(sample.key, "type", location, place.type, tuple(place.valued))
            if _small_set(place) and spans.get(_object(pointer), 0) >= 2 * len(place.values):
                yield Fact(sample.key, "observed-values", location, _ordered(place.values), tuple(place.valued))


def _object(pointer: str) -> str:
    """The object that a place lies in, through arrays: `/items/0` for `/items/0/tags/0`."""
    parent = pointer.rpartition("/")[0]
    return parent.rpartition("/")[0] if pointer.endswith("/0") else parent


def _spans(shape: Shape) -> dict[str, float]:
    """How many different objects were seen at least: the distinct values of the most diverse field of each.

    Five names of five cities are no set of values; three regions of forty countries are.
    """
    spans: dict[str, float] = {}
    for pointer, place in shape.items():
        if place.counts and not pointer.endswith("/0"):
            seen = inf if place.more else len(place.counts)
            spans[_object(pointer)] = max(seen, spans.get(_object(pointer), 0))
    return spans


def _small_set(place: Field) -> bool:
    values = place.values
    if place.more or not 2 <= len(values) <= MAX_VALUES or set(place.types) - {"string", "integer"}:
        return False
    if any(isinstance(value, str) and (len(value) > _MAX_TEXT or REDACTED in value) for value in values):
        return False
    return place.samples >= max(_MIN_SAMPLES, 2 * len(values)) and min(place.counts.values()) >= 2


def _ordered(values: Iterable[Json]) -> list[Json]:
    """Numbers by size, then texts by letter, then the rest."""

    def rank(value: Json) -> tuple[int, float, str]:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return 0, value, ""
        return (1, 0, value) if isinstance(value, str) else (2, 0, canonical(value))

    return sorted(values, key=rank)


def _argument_facts(sample: Sample, found: dict[str, list[Origin]], made: frozenset[str]) -> Iterator[Fact]:
    for location, accepted in sorted(sample.accepted.items()):
        if not accepted.values:
            continue
        name = _argument_type(location, accepted, found.get(location, []))
        if name is not None:
            calls = tuple(dict.fromkeys(call for _, call in accepted.values))
            yield Fact(sample.key, "type", location, name, calls[:MAX_CALLS])
        fruitful = [pair for pair in accepted.values if pair[1] in sample.fruitful]
        seen = [one for one in distinct(fruitful or accepted.values) if _quotable(one.value, made)]
        if len(seen) >= 2 or (seen and _enum_like(seen[0].value)):
            chosen = seen[:MAX_VALUES]
            calls = tuple(dict.fromkeys(call for one in chosen for call in one.calls[:3]))
            yield Fact(sample.key, "observed-values", location, _ordered(one.value for one in chosen), calls)


def _quotable(value: Json, made: frozenset[str]) -> bool:
    """Whether a value is the API's own: no secret, nothing that was invented or created to try it out."""
    if isinstance(value, str):
        return 0 < len(value) <= _MAX_TEXT and REDACTED not in value and "docrev" not in value and value not in made
    return isinstance(value, int | float) and str(value) not in made


def _enum_like(value: Json) -> bool:
    """One word of letters: where it was accepted, it is worth quoting even alone."""
    return isinstance(value, bool) or (isinstance(value, str) and len(value) <= 20 and value.isidentifier())


def _argument_type(location: str, accepted: Accepted, found: list[Origin]) -> str | None:
    if location == "body:":
        return None
    values = [value for value, _ in accepted.values]
    if location.startswith("body:"):
        names = {type_name(value) for value in values if value is not None}
        return names.pop() if len(names) == 1 else "number" if names == {"integer", "number"} else None
    # In a URL everything is text: what does not read as a number must be one; digits say nothing by themselves.
    if any(isinstance(value, list | dict) for value in values):
        return "array" if all(isinstance(value, list) for value in values) else None
    if any(not _literal(text) for text in accepted.texts):
        return "string"
    return "integer" if {origin.type for origin in found} == {"integer"} else None


def _literal(text: str) -> bool:
    """Whether a text could also be meant as a number, a truth value or null."""
    if text.lower() in ("true", "false", "null", "none", ""):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


def _status_facts(sample: Sample) -> Iterator[Fact]:
    accepted = {location: one.texts | one.tried for location, one in sample.accepted.items()}
    honest = not contradictions(chain.from_iterable(sample.by_status.values()))
    always = sorted(sample.always or ())
    for status in sorted(sample.by_status):
        if status in _PASSING:
            continue
        calls = sample.by_status[status]
        pairs = [(status_value(call, accepted, always, honest=honest), call.id) for call in calls]
        # Messages that quote the request differ from call to call; one fact a cause is enough.
        groups: dict[str, list[tuple[Json, str]]] = {}
        for value, call in pairs:
            groups.setdefault(f"{value['cause']} {value.get('parameter', '')}", []).append((value, call))
        for _, group in sorted(groups.items()):
            said = distinct(({"message": value.get("message", "")}, call) for value, call in group)
            value = group[0][0] if len(said) == 1 else {k: v for k, v in group[0][0].items() if k != "message"}
            yield Fact(sample.key, "status", "", value, tuple(call for _, call in group))


def _origin_facts(sample: Sample, found: dict[str, list[Origin]]) -> Iterator[Fact]:
    for location, best in sorted(found.items()):
        for origin in best:
            value = {"operation": str(origin.source), "field": origin.pointer}
            yield Fact(sample.key, "comes-from", location, value, origin.calls)
