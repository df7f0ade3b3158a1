"""What a scenario's text gives and asks for, where it comes without a goal: another model wrote it.

By rule, from what was seen so far: a value that some response held, standing in the text, is given; a field of the
scenario's operations whose name is said in it is wanted. It reads simple tasks; where nothing is found to be wanted,
there is no goal, and the planner gives up as before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from docrev.language.words import plural, singular, words
from docrev.planner.field_phrases import spoken
from docrev.planner.knowledge import Knowledge, View
from docrev.planner.response_items import is_id
from docrev.records import Given, Goal, Json, OperationKey, Scenario

MOST_WORDS = 6
MAX_KEPT = 1000
_TOKEN = re.compile(r"[\"“”']?([\w][\w.&/'’:-]*)")
_QUOTED = re.compile(r"\"([^\"]{1,80})\"|“([^”]{1,80})”|(?<!\w)'([^']{2,80})'(?!\w)")
_NAMES = ("name", "title", "label")
_CALLED = frozenset({"called", "named", "who", "which"})
_ALL = frozenset({"all", "each", "every", "list", "these", "those", "names"})
_SMALL = frozenset("the a an of in on at for to and or is are by with from what which how".split())  # noqa: SIM905


class _Place(NamedTuple):
    """Where a value was seen: its field, what that is of, the value as it was, and whether it is top level there."""

    label: str
    noun: str
    value: Json
    location: str = ""


class Goals:
    """Reads texts; what was read is kept until something is learned."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._version = -1
        self._places: dict[str, list[_Place]] = {}
        self._read: dict[str, Goal | None] = {}

    def of(self, scenario: Scenario) -> Goal | None:
        """The scenario's goal, or what can be read of it in its text."""
        if scenario.goal is not None:
            return scenario.goal
        if self._version != self._knowledge.version or len(self._read) >= MAX_KEPT:
            self._version = self._knowledge.version
            self._places, self._read = _places(self._knowledge), {}
        if scenario.text not in self._read:
            self._read[scenario.text] = self._goal(scenario.text, scenario.operations)
        return self._read[scenario.text]

    def _goal(self, text: str, keys: Sequence[OperationKey]) -> Goal | None:
        views = [self._knowledge.views[key] for key in keys if key in self._knowledge.views]
        views = views or list(self._knowledge.views.values())
        nouns = [view.noun for view in views]
        givens, rest = self._givens(text, nouns)
        said = [singular(word) for word in words(rest.replace("'s", ""))]
        wanted = _wanted(views, said, givens)
        if wanted is None:
            return None
        want, noun = wanted
        many = bool(_ALL & set(rest.lower().split())) or _plural_said(rest, want, noun)
        return Goal(tuple(givens), want, noun, many)

    def _givens(self, text: str, nouns: Sequence[str]) -> tuple[list[Given], str]:
        """The values that the text names, longest first where they overlap, and the text without them."""
        found: list[tuple[int, Given]] = []
        taken: list[tuple[int, int]] = []
        for start, end, value in _phrases(text):
            places = self._places.get(value.casefold(), [])
            free = all(end <= left or start >= right for left, right in taken)
            if not places or not free:
                continue
            before = {singular(word) for word in words(text[max(0, start - 40) : start])}
            after = {singular(word) for word in words(text[end : end + 25])}
            best = min(places, key=lambda place: _rank(place, nouns, before | after))
            found.append((start, Given(best.label, best.value, best.noun, best.location)))
            taken.append((start, end))
        rest = "".join(
            " " if any(left <= at < right for left, right in taken) else char for at, char in enumerate(text)
        )
        return [given for _, given in sorted(found, key=lambda one: one[0])], rest


def _places(knowledge: Knowledge) -> dict[str, list[_Place]]:
    """Every value that may be named in a text, casefolded, with where it was seen."""
    found: dict[str, dict[_Place, None]] = {}
    for view in knowledge.views.values():
        for seen in view.seen:
            for item in seen.reading.items:
                for name, value in item.fields.items():
                    if _nameable(value) and "/" not in name:
                        place = _Place(name, item.noun or view.noun, value)
                        found.setdefault(str(value).casefold(), {})[place] = None
            for location, value in seen.arguments.items():
                if location.startswith("query:") and _nameable(value):
                    place = _Place(location.partition(":")[2], view.noun, value, location)
                    found.setdefault(str(value).casefold(), {})[place] = None
    return {value: list(places) for value, places in found.items()}


def _nameable(value: Json) -> bool:
    if isinstance(value, str):
        return 2 <= len(value) <= 80 and any(char.isalnum() for char in value) and "://" not in value
    return isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10)


def _phrases(text: str) -> Iterator[tuple[int, int, str]]:
    """Parts of a text that may be values: what is quoted, then its runs of words with a capital or a digit."""
    for match in _QUOTED.finditer(text):
        value = next(group for group in match.groups() if group)
        yield match.start(), match.end(), value
    tokens = [(match.start(1), match.end(1)) for match in _TOKEN.finditer(text)]
    for length in range(MOST_WORDS, 0, -1):
        for at in range(len(tokens) - length + 1):
            start, end = tokens[at][0], tokens[at + length - 1][1]
            value = text[start:end].rstrip(".,:;!?'’")
            value = re.sub(r"['’]s$", "", value)
            if value[:1].isupper() or value[:1].isdigit():
                yield start, start + len(value), value


def _rank(place: _Place, nouns: Sequence[str], near: set[str]) -> tuple[int, ...]:
    """The likeliest meaning of a value first: a thing's name, of a noun that stands beside it or is looked for."""
    parts = words(place.label)
    return (
        place.noun not in near,
        bool(place.location) and parts[-1] not in near,
        not place.location and parts[-1] in near and place.label not in _NAMES and not is_id(place.label),
        place.label not in _NAMES,
        is_id(place.label) or bool(place.location),
        place.noun not in nouns,
        len(parts),
    )


def _wanted(views: Iterable[View], said: list[str], givens: Sequence[Given]) -> tuple[str, str] | None:
    """The field that is asked for, and what it is of: the one whose whole name is said, and said first."""
    given = {(one.label, one.noun) for one in givens if not one.location}
    best, found = 0.0, None
    for view in views:
        of = 0.02 if view.noun in said else 0.0
        for name in view.fields or dict.fromkeys(sorted(view.documented)):
            score = _said(name.rpartition("/")[2], view.noun, said)
            if score and score + of > best + 1e-9 and (name, view.noun) not in given:
                best, found = score + of, (name, view.noun)
    return found


def _said(label: str, noun: str, said: list[str]) -> float:
    """How well a text says a field's name: whole before in part, early before late; 0 where it does not."""
    own = [singular(word) for word in words(label)]
    ways = [[singular(word) for word in words(spoken(label))], own, [word for word in own if word != noun]]
    ways = [telling for way in ways if (telling := [word for word in way if word not in _SMALL])]
    whole = [way for way in ways if all(word in said for word in way)]
    if whole and own[0] not in ("is", "has"):
        first = min(said.index(word) for word in max(whole, key=len))
        return 1.0 + 0.01 * max(map(len, whole)) - 0.03 * first
    if label in _NAMES and _CALLED.intersection(said):
        return 0.3
    return 0.0


def _plural_said(text: str, want: str, noun: str) -> bool:
    """Whether the wanted field, or what it is of, is said of many: "the names", but not "the number of airports"."""
    lower = set(re.findall(r"[a-z]+", re.sub(r"(?i)number of \w+|how many \w+", " ", text).lower()))
    names = {*words(spoken(want.rpartition("/")[2]).partition(" in ")[0])[-1:], *words(noun)[-1:]}
    return any(plural(name) != name and plural(name) in lower for name in names)
