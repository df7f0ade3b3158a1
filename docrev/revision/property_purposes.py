"""What a property of a request or response contains, in ten words; empty if nothing is known but its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from docrev.conventions.envelopes import (
    COUNTS,
    ENVELOPES,
    NEXTS,
    PAGE_NUMBERS,
    PAGE_SIZES,
    PAGING_OBJECTS,
    TOTALS,
    plain_name,
)
from docrev.conventions.lists import ListFound, list_of
from docrev.facts.registry import with_effect
from docrev.json_values import pointer as pointers
from docrev.json_values.leaves import values_at
from docrev.language.phrases import sentence
from docrev.language.words import singular, words
from docrev.prompts.questions import DescribeParameter, DescribeResponse, Text
from docrev.records import Fact, Json
from docrev.revision import labels, response_samples
from docrev.revision.profiles import fits_purpose

WINDOW = with_effect("window")
_TIMES = frozenset(
    ("created", "updated", "modified", "deleted", "published", "started", "finished", "completed", "opened", "closed")
)
_VERBS = frozenset({"expires", "starts", "ends", "contains", "includes", "allows", "requires", "supports", "deleted"})
_LINKING = frozenset({"from", "to", "by", "for", "of", "in", "at", "on", "with", "and", "or", "as"})


def describe_property(prompt: DescribeParameter | DescribeResponse) -> Text:
    """The purpose of a property of a body."""
    names = labels.steps(prompt.location)
    if not names or names[-1] in ("", "0"):
        return Text(text="")
    field = PropertyPurpose(prompt, names)
    text = sentence(field.paging() or field.by_name())
    return Text(text=text if fits_purpose(text) else "")


_LIST_PLACES: dict[str, Callable[[Fact], Json]] = {
    "pages": lambda fact: fact.value.get("list"),
    "limits": lambda fact: fact.value,
    "empty": lambda fact: fact.location,
}
"""Where the list of a response is, by the facts that say so."""


@dataclass(frozen=True)
class PropertyPurpose:
    """A property with what the calls show around it; `names` are the steps of its pointer."""

    prompt: DescribeParameter | DescribeResponse
    names: list[str]

    @property
    def pointer(self) -> str:
        return self.prompt.location.partition(":")[2]

    @cached_property
    def responses(self) -> list[tuple[list[Json], ListFound | None]]:
        """For each response, the values of the property and the list that the response is about."""
        calls = response_samples.good(self.prompt.calls)
        return [(values_at(call.body, self.pointer), list_of(call)) for call in calls if not call.sampled]

    @cached_property
    def lists(self) -> frozenset[str]:
        """The pointers of the lists that the responses are about, as calls and facts show them."""
        start = f"{self.prompt.location.partition(':')[0]}:/"
        places = (str(_LIST_PLACES[fact.kind](fact)) for fact in self.prompt.facts if fact.kind in _LIST_PLACES)
        stated = (place.partition(":")[2] for place in places if place.startswith(start))
        return frozenset({*stated, *(found.pointer for _, found in self.responses if found is not None)} - {""})

    @property
    def is_beside_list(self) -> bool:
        """Whether the property lies around the list that the response is about, and so is no part of an item."""
        above = pointers.parent(self.pointer)
        if plain_name(pointers.last(above)) in PAGING_OBJECTS:
            above = pointers.parent(above)
        return any(above in ("", pointers.parent(place)) for place in self.lists)

    def paging(self) -> str:
        """What a property that lies beside a list says about it."""
        if not self.is_beside_list:
            return ""
        things = labels.many(self.prompt.noun)
        paging = [fact for fact in self.prompt.facts if fact.kind in WINDOW]
        if self.pointer in self.lists:
            return f"The {things}{' on this page' if paging else ''}"
        return self._of_page(things, paging)

    def _of_page(self, things: str, paging: Sequence[Fact]) -> str:
        """What a property says about the page that its list is."""
        name = plain_name(self.names[-1])
        if name in PAGE_SIZES or name == "size":
            return f"Maximum number of {things} per page"
        if name in PAGE_NUMBERS:
            return "Number of this page"
        if name in TOTALS | COUNTS:
            return self._count(things)
        stated = (value.get("next") for value in (fact.value for fact in paging) if isinstance(value, dict))
        return self._next() if name in NEXTS or self.prompt.location in stated else ""

    def _count(self, things: str) -> str:
        """The sentence on a number of items: of all, if it is never below that of the page, and sometimes above."""
        listed = ((value, found) for values, found in self.responses if found is not None for value in values)
        pairs = [(value, len(found.items)) for value, found in listed if isinstance(value, int)]
        beyond = {value - length for value, length in pairs}
        if max(beyond, default=0) > 0 and min(beyond) >= 0:
            return f"Total number of {things}, across all pages"
        if beyond == {0} and len({length for _, length in pairs}) > 1:
            return f"Number of {things} in this response"
        return ""

    def _next(self) -> str:
        values = [value for values, _ in self.responses for value in values]
        end = "; null on the last page" if None in values else ""
        if any("://" in str(value) for value in values):
            return f"URL of the next page{end}"
        return f"{'Cursor' if self.names[-1] == 'next' else 'Value'} for the next page{end}"

    @property
    def noun(self) -> str | None:
        """What the property belongs to: the thing of the response, or of the object that contains it.

        None for an object with a plural name (`permissions`): it is no thing, and its fields are no fields of one.
        """
        above = next((name for name in reversed(self.names[:-1]) if name != "0"), "")
        plain = plain_name(above)
        if self.is_beside_list:
            return ""
        if plain in ENVELOPES:
            return self.prompt.noun
        if self.names[-2:-1] == [above] and singular(above) != above:
            return None
        return labels.label(singular(above)) if above and plain not in PAGING_OBJECTS else self.prompt.noun

    def by_name(self) -> str:
        """What the name of a property says of it; "" if that is no more than the name."""
        noun, parts = self.noun, words(self.names[-1])
        if noun is None or not parts:
            return ""
        return _time(parts, noun) or _flag(parts, noun) or _label(self.names[-1], noun)


def _time(parts: tuple[str, ...], noun: str) -> str:
    """`created_at`, `last_modified`: when something happened."""
    if len(parts) < 2:
        return ""
    if parts[0] in _TIMES and parts[-1] in ("at", "on", "date", "time"):
        return f"When the {noun or 'entry'} was {parts[0]}"
    if parts[0] == "last" and parts[-1] in _TIMES:
        return f"When the {noun or 'entry'} was last {parts[-1]}"
    return ""


def _flag(parts: tuple[str, ...], noun: str) -> str:
    """`is_active`, `has_children`: whether something is so."""
    if len(parts) > 1 and (parts[0] == "is" or (parts[0] == "has" and noun)):
        return f"Whether {f'the {noun}' if noun else 'it'} {' '.join(parts)}"
    return ""


def _label(name: str, noun: str) -> str:
    """The name in words, with what it belongs to: "Elevation of the airport in feet"."""
    label, last = labels.without_noun(labels.label(name), noun), words(name)[-1]
    if not noun or label == noun:
        return ""
    # "daylight in hours" of a daylight needs no "of the daylight", and "cache expires" cannot have it.
    if last in _VERBS or label.startswith((f"{noun} ", "number of ")):
        return label
    if last in _LINKING:
        return ""
    head, unit, measure = label.partition(" in ")
    return f"{head} of the {noun}{unit}{measure}"
