"""What an action does to its thing, and what comes of doing it again, as statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from docrev.facts.status_causes import message
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import split
from docrev.language.phrases import joined
from docrev.language.stems import stem
from docrev.language.words import words
from docrev.records import Fact, Json
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.quotations import is_quotable, quote, quote_message

_SELF = re.compile(r"\d+|docrev-[\w-]+")
"""What messages say of a single thing."""


def sets(observed: ObservedOperation) -> Iterator[Statement]:
    """The state that an action brings its thing into, unless its name says so."""
    found = grouped((canonical(fact.value.get("chosen")), fact) for fact in observed.all("sets"))
    for facts in found.values():
        new = [fact for fact in facts if not _is_named(observed, fact)]
        if new:
            chosen = facts[0].value.get("chosen")
            what = f"sets {joined([_setting(fact) for fact in new])}."
            text = f"With {joined(_choices(chosen))}, {what}" if chosen else what[0].upper() + what[1:]
            yield Statement(text, facts=tuple(new))


def _setting(fact: Fact) -> str:
    return f"`{'.'.join(_steps(fact))}` to {quote(fact.value['value'])}"


def _steps(fact: Fact) -> list[str]:
    return split(fact.value["field"])


def _choices(chosen: Mapping[str, Json]) -> list[str]:
    return [f"`{name}` {quote(value)}" for name, value in chosen.items()]


def _is_named(observed: ObservedOperation, fact: Fact) -> bool:
    """Whether the operation is called as the field that it makes true: `/approve` and `approved`."""
    field, operation = _steps(fact)[-1:], observed.operation
    said = {stem(word) for word in words(f"{operation.path} {operation.name} {operation.summary}")}
    return fact.value["value"] is True and bool(field) and {stem(word) for word in words(field[0])} <= said


def repeated(observed: ObservedOperation) -> Iterator[Statement]:
    """That a second time is refused, or undoes the first."""
    for fact in observed.all("repeated"):
        if fact.value.get("undone"):
            yield Statement("Sent a second time, undoes what the first request did.", facts=(fact,))
            continue
        shown = {*fact.calls, *fact.replays}
        said = [message(call.body) for call in observed.bad if call.id in shown]
        text = f"Returns {fact.value['status']} if it was done before"
        yield Statement(f"{text}{_why(said)}.", facts=(fact,))


def _why(said: Sequence[str]) -> str:
    """What refusals say, if that is the same for all things."""
    alike = {_SELF.sub("", text) for text in said}
    is_general = len(alike) == 1 and said[0] in alike and is_quotable(said[0]) and not said[0].endswith("…")
    return f": {quote_message(said[0])}" if is_general else ""
