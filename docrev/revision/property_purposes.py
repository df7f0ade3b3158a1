"""What a property of a request or response contains, in ten words; empty if nothing is known but its name."""

from __future__ import annotations

from collections.abc import Iterator
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
from docrev.json_values import pointer as pointers
from docrev.json_values.leaves import values_at
from docrev.language.phrases import sentence
from docrev.language.words import singular, words
from docrev.prompts.questions import DescribeParameter, DescribeResponse, Text
from docrev.records import Json
from docrev.revision import labels, response_samples
from docrev.revision.profiles import fits_purpose

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


@dataclass(frozen=True)
class PropertyPurpose:
    """A property with what the calls show around it; `names` are the steps of its pointer."""

    prompt: DescribeParameter | DescribeResponse
    names: list[str]

    @property
    def name(self) -> str:
        return self.names[-1]

    @property
    def pointer(self) -> str:
        return self.prompt.location.partition(":")[2]

    @cached_property
    def bodies(self) -> list[tuple[Json, int]]:
        """The responses, each with the length of the list that it is about."""
        found = ((call.body, response_samples.list_in(call)) for call in response_samples.good(self.prompt.calls))
        return [(body, len(part.items) if part is not None else 0) for body, part in found]

    @cached_property
    def lists(self) -> frozenset[str]:
        """The pointers of the lists that the responses are about, as calls and facts show them."""
        calls = response_samples.good(self.prompt.calls)
        shown = {found.pointer for found in map(response_samples.list_in, calls) if found is not None}
        status = self.prompt.location.partition(":")[0]
        stated = {place.removeprefix(f"{status}:") for place in self._list_places() if place.startswith(f"{status}:/")}
        return frozenset(shown | stated) - {""}

    def _list_places(self) -> Iterator[str]:
        """Where the list of a response is, by the facts on paging and on empty lists."""
        for fact in self.prompt.facts:
            if fact.kind == "pages":
                yield str(fact.value.get("list", ""))
            elif fact.kind == "limits":
                yield str(fact.value)
            elif fact.kind == "empty":
                yield fact.location

    @property
    def is_beside_list(self) -> bool:
        """Whether the property lies around the list that the response is about, and so is no part of an item."""
        above = pointers.parent(self.pointer)
        if plain_name(pointers.last(above)) in PAGING_OBJECTS:
            above = pointers.parent(above)
        return any(above in ("", pointers.parent(place)) for place in self.lists)

    def values(self) -> list[Json]:
        return [value for body, _ in self.bodies for value in values_at(body, self.pointer)]

    def paging(self) -> str:
        """What a property that lies beside a list says about it."""
        if not self.is_beside_list:
            return ""
        name, things = plain_name(self.name), labels.many(self.prompt.noun)
        if self.pointer in self.lists:
            return f"The {things}{' on this page' if self._is_paged else ''}"
        if name in TOTALS | COUNTS:
            return self._count(things)
        if name in PAGE_SIZES:
            return f"Maximum number of {things} per page"
        if name in PAGE_NUMBERS:
            return "Number of this page"
        return self._next() if name in NEXTS or self.prompt.location in self._next_places() else ""

    @property
    def _is_paged(self) -> bool:
        return any(fact.kind in ("pages", "limits") for fact in self.prompt.facts)

    def _count(self, things: str) -> str:
        """The sentence on a number of items: of all, if it is never below that of the page, and sometimes above."""
        pairs = [
            (value, length)
            for body, length in self.bodies
            for value in values_at(body, self.pointer)
            if isinstance(value, int)
        ]
        if any(value > length for value, length in pairs) and all(value >= length for value, length in pairs):
            return f"Total number of {things}, across all pages"
        if len({length for _, length in pairs}) > 1 and all(value == length for value, length in pairs):
            return f"Number of {things} in this response"
        return ""

    def _next_places(self) -> set[str]:
        return {str(fact.value.get("next", "")) for fact in self.prompt.facts if fact.kind == "pages"}

    def _next(self) -> str:
        values = self.values()
        end = "; null on the last page" if None in values else ""
        if any("://" in str(value) for value in values):
            return f"URL of the next page{end}"
        return f"{'Cursor' if self.name == 'next' else 'Value'} for the next page{end}"

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
        noun, parts = self.noun, words(self.name)
        if noun is None or not parts:
            return ""
        return _time(parts, noun) or _flag(parts, noun) or _label(self.name, noun)


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
