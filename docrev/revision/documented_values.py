"""A parameter or property with what is known of it, as the sentences on it read it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from docrev.conventions.parameters import Role, role_of
from docrev.conventions.run_names import is_invented
from docrev.evidence.queries import reader_at
from docrev.facts.kinds import status as status_kind
from docrev.facts.kinds.format import FORMATS
from docrev.facts.parameter_trials import HUGE
from docrev.facts.registry import BOUNDS, SHOWS_PAGES, with_effect
from docrev.facts.status_causes import Cause
from docrev.facts.wire_values import number
from docrev.json_values.canonical import canonical
from docrev.language.phrases import sentence
from docrev.records import Fact, Json
from docrev.revision.false_texts import refuted, swapped_text
from docrev.revision.observations import CatalogObservations
from docrev.revision.place_facts import FactsByKind
from docrev.revision.places import Spot
from docrev.revision.quotations import example as quoted_example
from docrev.revision.quotations import values
from docrev.revision.uses import Use
from docrev.revision.value_sources import collection_of
from docrev.settings.choices import Examples
from docrev.spec import MISSING

MIN_ALIKE = 3
"""Operations beside one that must agree, for it to be taken as one of them."""
MAX_VALUES = 8
MAX_SENT = 5
MAX_WORDS = 3
CLEAR = (*with_effect("window", "sort", "default"), *BOUNDS, "in-year")
"""Kinds that leave no need for an example: the number is plain, or the fact itself shows a value."""
_CODE = re.compile(r"[a-z][a-z0-9_-]*|[A-Z][A-Z0-9_-]*")
_TYPES = {"integer": "an integer", "number": "a number"}


@dataclass(frozen=True)
class DocumentedValue:
    """A parameter or property: its place with all users, what is known of it, and the purpose written before."""

    spot: Spot
    observations: CatalogObservations
    purpose: str
    examples: Examples

    @cached_property
    def known(self) -> FactsByKind:
        facts = self.spot.common
        is_alone = self.is_in_path and len(self.spot.uses) == 1
        if is_alone and not any(fact.kind == "comes-from" for fact in facts):
            facts = (*facts, *_sources_alike(self.spot.first, self.observations))
        return FactsByKind.of(facts)

    @property
    def is_parameter(self) -> bool:
        return self.spot.kind == "parameter"

    @property
    def is_in_path(self) -> bool:
        return self.spot.first.location.startswith("path:")

    @property
    def path(self) -> str:
        return self.spot.first.observed.key.path

    @property
    def is_last_of_get(self) -> bool:
        """Whether it is what the path of a GET ends in."""
        is_last = self.path.rstrip("/").endswith(f"{{{self.spot.name}}}")
        return is_last and self.spot.first.observed.key.method == "GET"

    @cached_property
    def allowed(self) -> list[Json]:
        """The allowed values: by a fact, or by the schema, if one of them was accepted."""
        stated = self.known.value("allowed-values")
        if isinstance(stated, list):
            return stated
        enum = self.spot.schema.enum if self.spot.schema is not None and self.is_parameter else None
        accepted = {str(value) for value, _ in self.spot.values}
        if not enum or len(enum) < 2 or not accepted or not accepted <= {*map(str, enum)}:
            return []
        return [value for value in enum if value is not None]

    @cached_property
    def observed(self) -> list[str]:
        """The observed values, quoted, if they are words of a small set and not samples of IDs, numbers or text."""
        stated = self.known.value("observed-values")
        if self.allowed or "sorts" in self.known or not isinstance(stated, list) or len(stated) > MAX_VALUES:
            return []
        found = [value for value in stated if not is_invented(value) and self._may_be_meant(value)]
        is_sent = self.is_parameter or self.spot.first.location.startswith("body:")
        words = self._codes(found) if is_sent else found
        if not _are_some_words(words):
            return []
        return values(words, self.spot.name, parents=self.path, examples=self.examples)

    def _may_be_meant(self, value: Json) -> bool:
        """Whether a value is more than one that was not refused: what is sorted by is a field that all items have."""
        is_order = role_of(self.spot.name) is Role.SORT
        return not is_order or str(value).lstrip("+-") in self.spot.first.observed.item_fields

    def _codes(self, found: Sequence[Json]) -> list[Json]:
        """What was sent as a parameter is a sample of what may be: only short lists of codes are worth quoting."""
        sent = {str(value) for value, _ in self.spot.values}
        meant = [value for value in found if str(value) in sent and str(value) in self.observations.returned]
        sample = self.is_in_path or self.known.any_of(("comes-from", "selects")) or len(meant) > MAX_SENT
        short = all(re.fullmatch("[A-Z]{2,3}", str(value)) for value in meant)
        return [] if sample or short or not all(_CODE.fullmatch(str(value)) for value in meant) else meant

    @cached_property
    def example(self) -> str:
        """An observed value, quoted, if nothing else shows one."""
        if self._shows_values or self.known.any_of(CLEAR) or (self.is_in_path and self._is_listed):
            return ""
        return quoted_example(self._lasting(), self.spot.name, parents=self.path, examples=self.examples)

    def _lasting(self) -> list[Json]:
        """The observed values that others can use later, those first that the service lists."""
        # A filter takes anything; what found nothing is no example of it.
        seen = self.spot.fruitful if "filters" in self.known else self.spot.values
        lasting, returned = [value for value, _ in seen if self._is_lasting(value)], self.observations.returned
        # What the service lists is better than what was only accepted; of an ID nothing else will do.
        if self.is_parameter and self.is_in_path:
            lasting = [value for value in lasting if str(value) in returned]
        return sorted(lasting, key=lambda value: isinstance(value, str) and value not in returned)

    @property
    def _is_listed(self) -> bool:
        """Whether a list shows the values of a parameter of the path."""
        key, location = self.spot.first.observed.key, self.spot.first.location
        collection = collection_of(key, location)
        while collection.endswith("}"):
            # `/components/{project}/{name}` is one of `/components`.
            collection = collection.rpartition("/")[0]
        above = reader_at(self.observations.by_key, key.tool, collection)
        return "comes-from" in self.known or above is not None

    def _is_lasting(self, value: Json) -> bool:
        """Whether a value says something, and others can use it later."""
        if isinstance(value, bool) or value in (None, "", 0) or is_invented(value):
            return False
        if (self.spot.name, canonical(value)) in self.observations.defaults:
            return False
        return str(value) not in self.observations.temporary and not self._is_guess(value)

    def _is_guess(self, value: Json) -> bool:
        """Whether nobody can use a value again: a UUID, a number beyond all sense, digits where a text is wanted."""
        if isinstance(value, str) and FORMATS["uuid"].fullmatch(value):
            return True
        found = number(value)
        is_text = self.is_parameter and not self.is_in_path and self.known.value("type") not in ("integer", "number")
        return found is not None and (abs(found) >= HUGE or (is_text and isinstance(value, str)))

    @property
    def _shows_values(self) -> bool:
        """Whether the document, or another statement, gives values."""
        declared = self.spot.schema.example if self.spot.schema is not None else MISSING
        return bool(self.allowed or self.observed) or declared is not MISSING

    @property
    def number(self) -> str:
        """ "an integer", "a number", for a parameter that takes only numbers if its purpose does not say so."""
        if not self.is_parameter or self.is_in_path or self.known.any_of(SHOWS_PAGES):
            return ""
        return "" if "allowed-values" in self.known else _TYPES.get(str(self.known.value("type")), "")


def _sources_alike(use: Use, observations: CatalogObservations) -> tuple[Fact, ...]:
    """Where the values of a path's parameter come from, as several other operations below the same path show it."""
    shown = [
        fact
        for observed in observations.operations
        if observed.key.tool == use.observed.key.tool and observed.key.path.startswith(item_path(use))
        for fact in observed.at(use.location)
        if fact.kind == "comes-from"
    ]
    values = [canonical(fact.value) for fact in shown]
    return tuple(
        fact
        for fact, value in zip(shown, values, strict=True)
        if values.index(value) == shown.index(fact) and values.count(value) >= MIN_ALIKE
    )


def correction(value: DocumentedValue) -> str:
    """What calls refute of the text that is there."""
    spot = value.spot
    if text := swapped_text(spot):
        return sentence(text)
    return refuted(spot, value.observations.field_of(spot.telling_values))


def item_path(use: Use) -> str:
    """The path up to a parameter, with it."""
    parameter = "{" + use.location.partition(":")[2] + "}"
    return use.observed.key.path.partition(parameter)[0] + parameter


def is_declared_required(spot: Spot) -> bool:
    """Whether the document declares that a parameter or a property is required."""
    use = spot.first
    operation, body = use.observed.operation, use.observed.operation.body_schema
    if use.location.startswith("body:") and body is not None:
        parent = use.location[5:].rpartition("/")[0]
        owners = [schema for at, schema in body.walk() if at == parent]
        return any(
            spot.name in part.required for owner in owners for part in (owner, *(part for part, _ in owner.parts()))
        )
    parameter = operation.parameter(use.location)
    return parameter is not None and parameter.required


def _are_some_words(values: Sequence[Json]) -> bool:
    """Whether values are several, and texts of few words."""
    return len(values) > 1 and all(isinstance(value, str) and len(value.split()) <= MAX_WORDS for value in values)


def status_facts(use: Use) -> Iterator[tuple[Fact, Cause]]:
    """The status facts of an operation that are about the location of `use`, with their values."""
    for fact in use.observed.at(""):
        if fact.kind == "status" and (cause := status_kind.KIND.value_of(fact)).parameter == use.location:
            yield fact, cause
