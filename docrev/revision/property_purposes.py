"""What a property of a response says of the page that it lies on, in ten words; empty for any other property."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from docrev.conventions.envelopes import (
    COUNTS,
    NEXTS,
    PAGING_OBJECTS,
    TOTALS,
    plain_name,
)
from docrev.conventions.lists import ListFound, list_of
from docrev.conventions.parameters import Role, role_of
from docrev.facts.registry import SHOWS_PAGES
from docrev.json_values import pointer as pointers
from docrev.json_values.leaves import values_at
from docrev.language.phrases import sentence
from docrev.language.words import words
from docrev.records import Fact, Json
from docrev.revision import labels, response_samples
from docrev.revision.profiles import fits_purpose
from docrev.revision.writer_inputs import PropertyInput, Purpose


def describe_property(place: PropertyInput) -> Purpose:
    """The purpose of a property of a body."""
    names = labels.steps(place.location)
    if not names or names[-1] in ("", "0") or place.location.startswith("body:"):
        return Purpose("")
    field = PropertyPurpose(place, names)
    text = sentence(field.paging())
    return Purpose(text, field.of_lists) if text and fits_purpose(text) else Purpose("")


_TOTAL = re.compile(r"\btotal\b|\ball\b|\boverall\b", re.IGNORECASE)
_LIST_PLACES: dict[str, Callable[[Fact], Json]] = {
    "pages": lambda fact: fact.value.get("list"),
    "limits": lambda fact: fact.value,
    "empty": lambda fact: fact.location,
}
"""Where the list of a response is, by the facts that say so."""


@dataclass(frozen=True)
class PropertyPurpose:
    """A property with what the calls show around it; `names` are the steps of its pointer."""

    place: PropertyInput
    names: list[str]

    @property
    def pointer(self) -> str:
        return self.place.location.partition(":")[2]

    @cached_property
    def responses(self) -> list[tuple[list[Json], ListFound | None]]:
        """For each response, the values of the property and the list that the response is about."""
        calls = response_samples.good(self.place.calls)
        return [(values_at(call.body, self.pointer), list_of(call)) for call in calls if not call.sampled]

    @cached_property
    def lists(self) -> frozenset[str]:
        """The pointers of the lists that the responses are about, as calls and facts show them."""
        start = f"{self.place.location.partition(':')[0]}:/"
        places = (str(_LIST_PLACES[fact.kind](fact)) for fact in self.place.facts if fact.kind in _LIST_PLACES)
        stated = (place.partition(":")[2] for place in places if place.startswith(start))
        return frozenset({*stated, *(found.pointer for _, found in self.responses if found is not None)} - {""})

    @property
    def is_beside_list(self) -> bool:
        """Whether the property lies around the list that the response is about, and so is no part of an item."""
        above = pointers.parent(self.pointer)
        if plain_name(pointers.last(above)) in PAGING_OBJECTS:
            above = pointers.parent(above)
        return any(above in ("", pointers.parent(place)) for place in self.lists)

    @cached_property
    def is_total(self) -> bool:
        """Whether a number of items is of all of them: never below that of the page, and sometimes above.

        Where a cursor leads from page to page, nobody has to count what follows: the number may be cut, or guessed.
        """
        named = (line.partition(" ")[0].partition(":")[2] for line in self.place.operation.parameters)
        if any(role_of(name) is Role.CURSOR for name in named):
            return False
        listed = ((value, found) for values, found in self.responses if found is not None for value in values)
        beyond = [value - len(found.items) for value, found in listed if isinstance(value, int)]
        # Of what is called a total, everybody expects it.
        is_count = plain_name(self.names[-1]) in TOTALS | COUNTS and "total" not in words(self.names[-1])
        return is_count and max(beyond, default=0) > 0 and min(beyond) >= 0

    @property
    def of_lists(self) -> str:
        """What a property of this name is beside any list: the number of all items, or what leads to the next page."""
        if self.is_total:
            return "is the total number, across all pages"
        following = self._next() if plain_name(self.names[-1]) in NEXTS else ""
        return f"is the {following}" if following.startswith("URL") else ""

    def paging(self) -> str:
        """What a property that lies beside a list says about it."""
        if not self.is_beside_list or self.pointer in self.lists:
            return ""
        paging = [fact for fact in self.place.facts if fact.kind in SHOWS_PAGES]
        return self._of_page(labels.many(self.place.noun), paging)

    def _of_page(self, things: str, paging: Sequence[Fact]) -> str:
        """What a property says about the page that its list is."""
        if self.is_total:
            is_said = _TOTAL.search(self.place.original) is not None
            return "" if is_said else f"Total number of {things}, across all pages"
        name = plain_name(self.names[-1])
        if name in TOTALS | COUNTS:
            counts = response_samples.counts_one_page(self.place.calls, self.pointer)
            return f"Number of {things} in this response" if counts else ""
        stated = (value.get("next") for value in (fact.value for fact in paging) if isinstance(value, dict))
        return self._next() if name in NEXTS or self.place.location in stated else ""

    def _next(self) -> str:
        values = [value for values, _ in self.responses for value in values]
        if not any(values) or self.place.original or {"cursor", "token"} & {*words(self.names[-1])}:
            return ""
        end = "; null on the last page" if None in values else ""
        if any("://" in str(value) for value in values):
            return f"URL of the next page{end}"
        return f"{'Cursor' if self.names[-1] == 'next' else 'Value'} for the next page{end}"
