"""The question for one operation's documentation: all its places, with the calls that show what each does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from docrev.conventions.lists import list_of
from docrev.conventions.parameters import ORDERING, PAGING, Role, role_of
from docrev.evidence import Evidence
from docrev.facts.masking import mask
from docrev.facts.tried_values import Tried, refusal, tried_values
from docrev.graph.tool_graph import REFERRING
from docrev.graph.values import flat
from docrev.prompts.briefs import contract
from docrev.prompts.documenting import DocumentOperation, LabelledCall, PlaceShown, TriedValues
from docrev.records import Call, OperationKey
from docrev.revision.drafts import Writing
from docrev.revision.labels import field_name
from docrev.revision.notes import Statement
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.places import Spot
from docrev.revision.quotations import masked_call
from docrev.revision.text_checks import Material, material
from docrev.revision.undeclared_fields import undeclared_fields
from docrev.revision.uses import Use
from docrev.revision.writer_inputs import OperationInput
from docrev.spec import Catalog, Schema

GOOD_CALLS, BAD_CALLS = 3, 2
MAX_PLACES = 24
MAX_RESPONSE_PLACES = 8
MAX_LINES = 6
"""Sources, consumers and differences that a question names, each."""
ELSEWHERE = 2
PLACE_WORDS = 25
_SAME_EVERYWHERE = PAGING | ORDERING | {Role.SEARCH}
"""Roles of parameters that are called the same in operations that have nothing else in common."""


@dataclass(frozen=True)
class PlaceDraft:
    """A place whose text may be written: `original` is what people wrote, `notes` what docrev writes beside it."""

    spot: Spot
    original: str
    notes: tuple[Statement, ...] = ()

    @property
    def location(self) -> str:
        return shown_use(self.spot).location


@dataclass(frozen=True)
class OperationQuestion:
    """A question with what its labels stand for, and what its texts may mention."""

    prompt: DocumentOperation
    calls: dict[str, Call]
    tried: dict[str, list[Tried]]
    known: Material


def shown_use(spot: Spot) -> Use:
    """The use of a place that it is asked about at: where it is sent, if it is both sent and returned."""
    return next((use for use in spot.uses if use.location.startswith("body:")), spot.first)


class _TriedAt(NamedTuple):
    """The values that were tried at a location, of the operation itself or of another one."""

    location: str
    values: list[Tried]
    operation: OperationKey | None = None


class Questions:
    """Makes the questions of a catalog; the same evidence and texts give the same bytes."""

    def __init__(
        self, catalog: Catalog, evidence: Evidence, observations: CatalogObservations, writing: Writing
    ) -> None:
        self._catalog, self._evidence, self._observations, self._writing = catalog, evidence, observations, writing
        self._tried: dict[OperationKey, dict[str, list[Tried]]] = {}

    def sheet(self, key: OperationKey, places: Sequence[PlaceDraft]) -> OperationQuestion:
        """The question for an operation."""
        observed = self._observations.by_key[key]
        tried = self._labelled(key)
        outcomes = {one.outcome for found in tried.values() for one in found.values}
        calls = {f"c{number}": call for number, call in enumerate(_calls(observed, outcomes), start=1)}
        prompt = DocumentOperation(
            operation=key,
            places=tuple(_place_prompt(place, observed) for place in _bounded(places)),
            calls=tuple(LabelledCall(label=label, call=self._masked(call)) for label, call in calls.items()),
            tried=tuple(self._tried_line(label, found) for label, found in tried.items()),
            sources=tuple(islice(self._sources(key), MAX_LINES)),
            differences=tuple(islice(self._differences(observed), MAX_LINES)),
            misuses=tuple(islice(self._misuses(key), ELSEWHERE)),
            words=self._writing.words,
            place_words=PLACE_WORDS,
        )
        shown = [*calls.values(), *(one.call for found in tried.values() for one in found.values)]
        others = [found.operation for found in tried.values() if found.operation is not None]
        values = {label: found.values for label, found in tried.items()}
        return OperationQuestion(prompt, calls, values, self._material(observed, shown, others))

    def _labelled(self, key: OperationKey) -> dict[str, _TriedAt]:
        """What was tried at each place of an operation, and of the same name elsewhere, by label."""
        here = [_TriedAt(at, values) for at, values in self._tried_of(key).items()]
        there = self._elsewhere(key)
        return {f"t{number}": found for number, found in enumerate(here, start=1)} | {
            f"e{number}": found for number, found in enumerate(there, start=1)
        }

    def _material(self, observed: ObservedOperation, calls: Sequence[Call], others: list[OperationKey]) -> Material:
        facts = tuple(fact for group in observed.facts.values() for fact in group)
        operation = observed.operation
        shown = OperationInput(contract(operation), facts, tuple(calls))
        found = material(shown, [*others, *(edge for edge, _ in self._links(observed.key))])
        # How many items came back is evidence too.
        found.numbers.update(str(len(listed.items)) for listed in map(list_of, calls) if listed is not None)
        return found

    def _masked(self, call: Call) -> Call:
        return call if self._writing.examples == "observed" else masked_call(call)

    def _tried_line(self, label: str, found: _TriedAt) -> TriedValues:
        name, masks = found.location.rpartition(":")[2], self._writing.examples != "observed"
        lines = tuple((one.masked(mask(one.value, name)) if masks else one).line for one in found.values)
        operation = str(found.operation) if found.operation is not None else ""
        return TriedValues(label=label, location=found.location, lines=lines, operation=operation)

    def _tried_of(self, key: OperationKey) -> dict[str, list[Tried]]:
        """The values that were tried of each argument of an operation."""
        if key not in self._tried:
            calls = [call for call in self._evidence.calls.select(key=key) if call.purpose != "clean-up"]
            locations = dict.fromkeys(location for call in calls for location, _ in flat(call.arguments))
            declared = set(_locations(self._catalog, key))
            wanted = [
                at for at in sorted(locations) if at in declared and role_of(at.rpartition(":")[2]) is not Role.PAGE
            ]
            found = {at: tried_values(calls, at) for at in wanted}
            self._tried[key] = {at: values for at, values in found.items() if values}
        return self._tried[key]

    def _elsewhere(self, key: OperationKey) -> list[_TriedAt]:
        """Arguments of the same name in other operations of the tool that take values which this one does not."""
        here = {at.rpartition(":")[2]: values for at, values in self._tried_of(key).items() if _is_telling(at)}
        others = [one.key for one in self._observations.operations if one.key.tool == key.tool and one.key != key]
        found = (
            _TriedAt(at, there, other)
            for other in (others if here else ())
            for at, there in self._tried_of(other).items()
            if _differ(here.get(at.rpartition(":")[2], ()), there)
        )
        return list(islice(found, ELSEWHERE))

    def _links(self, key: OperationKey) -> Iterator[tuple[OperationKey, str]]:
        """The operations that this one's arguments come from, or whose arguments come from it, each in a line."""
        for observed in self._observations.operations:
            for fact in observed.all("comes-from"):
                source, field = str(fact.value["operation"]), field_name(str(fact.value.get("field", "")))
                if observed.key == key:
                    tool, _, operation = source.partition(" ")
                    yield OperationKey(tool, operation), f"{fact.location} comes from `{field}` of {operation}"
                elif source == str(key):
                    yield observed.key, f"`{field}` is what {observed.key.operation} takes as {fact.location}"

    def _sources(self, key: OperationKey) -> Iterator[str]:
        yield from dict.fromkeys(line for _, line in self._links(key))

    def _differences(self, observed: ObservedOperation) -> Iterator[str]:
        success = observed.operation.success
        new = undeclared_fields(observed, self._observations.invented)
        if new:
            yield f"returned, not declared: {', '.join(fact.location for fact in new[:12])}"
        if success is not None and success.schema is not None and (never := _never_returned(observed, success.schema)):
            yield f"declared, never returned: {', '.join(never[:12])}"

    def _misuses(self, key: OperationKey) -> Iterator[str]:
        for one in self._observations.experiences:
            if one.wrong == key and not one.location:
                yield f"{one.wrong_plan} The right operation was {one.right.operation}, because: {one.why}"


def _calls(observed: ObservedOperation, known: Collection[str]) -> Iterator[Call]:
    """A few calls: those of tasks and doubts before others; of failures one for each that is not `known` by outcome."""
    good = sorted(observed.good, key=lambda call: call.purpose != "scenario")
    yield from islice(({str(sorted(map(str, call.arguments))): call for call in reversed(good)}).values(), GOOD_CALLS)
    # What probes were refused for stands beside the values that were tried.
    bad = [call for call in reversed(observed.bad) if call.purpose != "probe"]
    by_outcome = {refusal(call): call for call in bad if refusal(call) not in known}
    yield from islice(by_outcome.values(), BAD_CALLS)


def _bounded(places: Sequence[PlaceDraft]) -> list[PlaceDraft]:
    """The operation, what is sent, and some of what is returned: those with a text or a note before others."""
    places = sorted(places, key=lambda place: (place.location != "", place.location[:1].isdecimal()))
    returned = [place for place in places if place.location[:1].isdecimal()]
    chosen = sorted(returned, key=lambda place: not (place.original or place.notes))[:MAX_RESPONSE_PLACES]
    return [place for place in places if place not in returned or place in chosen][:MAX_PLACES]


def _place_prompt(place: PlaceDraft, observed: ObservedOperation) -> PlaceShown:
    spot = place.spot
    summary = observed.operation.summary if spot.kind == "operation" else ""
    kind = spot.schema.type if spot.schema is not None else None
    required = any(one.key == place.location and one.required for one in observed.operation.parameters)
    about = ", ".join(filter(None, (kind, "required" if required else "")))
    return PlaceShown(
        location=place.location,
        about=f"({about})" if about else "",
        text=" ".join(dict.fromkeys(filter(None, (summary, place.original)))),
        added=tuple(note.text for note in place.notes if note.text),
    )


def _locations(catalog: Catalog, key: OperationKey) -> Iterator[str]:
    operation = catalog[key]
    yield from (parameter.key for parameter in operation.parameters)
    if (schema := operation.body_schema) is not None:
        yield from (f"body:{pointer}" for pointer, _ in schema.walk(3) if pointer)


def _is_telling(location: str) -> bool:
    """Whether arguments of the same name are likely to be about the same thing."""
    name = location.rpartition(":")[2]
    return role_of(name) not in _SAME_EVERYWHERE and name not in REFERRING


def _differ(here: Sequence[Tried], there: Sequence[Tried]) -> bool:
    """Whether what one accepts, the other does not."""
    accepted = [{str(one.value) for one in tried if one.sent and one.ok} for tried in (here, there)]
    return bool(accepted[0]) and bool(accepted[1]) and not accepted[0] & accepted[1]


def _never_returned(observed: ObservedOperation, schema: Schema) -> list[str]:
    """The pointers of declared values that no response has; none if there is no response."""
    declared = [at for at, part in schema.walk(3) if at and part.type not in ("object", "array")]
    statuses = [call.status or 200 for call in observed.good[:1]]
    return [at for status in statuses for at in declared if not observed.got(status, at)]
