"""`matches`: how much of a field's text a search must have: the whole of it, its beginning, or whole words of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docrev.conventions.paging import goes_on
from docrev.facts.kind import PARAMETER, Facts, Kind, Record
from docrev.facts.parameter_trials import ListTrial, ParameterTrials
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import last
from docrev.language.characters import fold


@dataclass(frozen=True)
class Match(Record):
    """The location of the field that is searched, and what of it a text must be: `whole`, `beginning` or `words`."""

    field: str
    mode: str


WHOLE, BEGINNING, WORDS = "whole", "beginning", "words"
_RELATIONS = ("whole", "beginning", "word", "inside")
"""How a text may stand in another: as all of it, at its beginning, as a later word, or inside of a later word."""
_LEAST = 2
"""Items that must have been left out."""


def _from_trials(trials: ParameterTrials) -> Facts:
    """What is found and what is not, of the items that the list has without a search and whose field has the text."""
    searched = [place for fact in trials.found.get("searches", ()) for place in fact.value]
    places = [f"/{last(place)}" for place in searched]
    if len(places) != 1:
        return
    found: dict[str, dict[str, str]] = {name: {} for name in _RELATIONS}
    missed: dict[str, dict[str, str]] = {name: {} for name in _RELATIONS}
    for one in trials.lists:
        if isinstance(one.value, str) and not goes_on(one.trial.call, len(one.items)):
            for relation, item, is_there in _judged(one, places[0], one.value):
                (found if is_there else missed)[relation].setdefault(item, one.id)
    mode, contrast = _mode(found, missed)
    if mode:
        shown = next(iter(found[contrast[0]].values()))
        hidden = [*dict.fromkeys(missed[contrast[1]].values())]
        yield KIND.fact(trials.key, trials.location, Match(searched[0], mode), dict.fromkeys([shown, *hidden[:_LEAST]]))


def _judged(one: ListTrial, field: str, text: str) -> Iterator[tuple[str, str, bool]]:
    """(how the text stands in its field, item, whether it was found) for each item of the base that has the text."""
    there = {canonical(item) for item in one.items}
    for item, value in zip(one.before, one.fields_before.get(field, ()), strict=False):
        if isinstance(value, str) and (relation := _relation(fold(text), fold(value))):
            yield relation, canonical(item), canonical(item) in there


def _relation(text: str, value: str) -> str:
    if len(text) < _LEAST or text not in value:
        return ""
    if text == value:
        return "whole"
    if value.startswith(text):
        return "beginning"
    return "word" if re.search(rf"(?<!\w){re.escape(text)}(?!\w)", value) else "inside"


def _mode(found: dict[str, dict[str, str]], missed: dict[str, dict[str, str]]) -> tuple[str, tuple[str, str]]:
    """The mode, and the relations of which one is found and the other is not; "" if any part is found, or nobody
    knows."""

    def never(relation: str) -> bool:
        return not found[relation] and len(missed[relation]) >= _LEAST

    def always(relation: str) -> bool:
        return bool(found[relation]) and not missed[relation]

    if always("whole") and never("beginning") and not found["word"] and not found["inside"]:
        return WHOLE, ("whole", "beginning")
    if always("beginning") and never("word") and not found["inside"]:
        return BEGINNING, ("beginning", "word")
    if always("word") and never("inside"):
        return WORDS, ("word", "inside")
    return "", ("", "")


KIND = Kind("matches", Match, PARAMETER, from_trials=_from_trials)
