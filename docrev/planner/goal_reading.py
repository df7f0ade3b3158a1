"""The goal of a scenario that another model wrote: read from its text.

By rule, from what was seen so far: a value of some response that is in the text is given; a field of the scenario's
operations whose name is in it is wanted. Simple tasks can be read so; if nothing is found to be wanted, there is no
goal, and the planner gives up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from docrev.conventions.ids import is_id_name
from docrev.conventions.parameters import Role, role_of
from docrev.json_values.scalars import is_whole
from docrev.language.words import plural, singular_words, words
from docrev.planner.field_names import field_phrase
from docrev.planner.knowledge import Knowledge, Memo
from docrev.planner.operation_views import OperationView
from docrev.records import Given, Goal, OperationKey, Scenario

MAX_PHRASE = 6
"""The most words of a value that is not quoted."""
MAX_GOALS = 1000
BEFORE, AFTER = 40, 25
"""How many characters around a value may say what it is."""
WHOLE_NAME, CALLED = 1.0, 0.3
"""The score of a field whose whole name is in the text, and of a name that the text only paraphrases."""
WORD_BONUS, POSITION_COST, NOUN_BONUS = 0.01, 0.03, 0.02
_TOKEN = re.compile(r"[\"“”']?([\w][\w.&/'’:-]*)")
_QUOTED = re.compile(r"\"([^\"]{1,80})\"|“([^”]{1,80})”|(?<!\w)'([^']{2,80})'(?!\w)")
_NAMES = ("name", "title", "label")
_CALLED = frozenset({"called", "named", "who", "which"})
_ALL = frozenset({"all", "each", "every", "list", "these", "those", "names"})
_SMALL = frozenset("the a an of in on at for to and or is are by with from what which how".split())


class GoalReader:
    """Reads texts; what was read is kept until something is learned."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._meanings: Memo[dict[str, list[Given]]] = knowledge.memo()
        self._goals: Memo[Goal | None] = knowledge.memo(MAX_GOALS)

    def read(self, scenario: Scenario) -> Goal | None:
        """The scenario's goal or, if it has none, what its text says."""
        if scenario.goal is not None:
            return scenario.goal
        return self._goals.get(scenario.text, lambda: self._read(scenario.text, scenario.operations))

    def _read(self, text: str, keys: Sequence[OperationKey]) -> Goal | None:
        views = self._knowledge.views
        operations = [views[key] for key in keys if key in views] or list(views.values())
        givens, rest = self._givens(text, [view.noun for view in operations])
        tokens = singular_words(rest.replace("'s", ""))
        wanted = _wanted(operations, tokens, givens)
        if wanted is None:
            return None
        many = bool(_ALL.intersection(rest.lower().split())) or _asks_for_many(rest, *wanted)
        return Goal(tuple(givens), *wanted, many)

    def _givens(self, text: str, nouns: Sequence[str]) -> tuple[list[Given], str]:
        """The values that the text names, the longest if they overlap, and the text without them."""
        meanings = self._meanings.get("all", lambda: _meanings(self._knowledge))
        named: list[tuple[int, int, Given]] = []
        for start, end, value in _phrases(text):
            overlaps = any(start < right and end > left for left, right, _ in named)
            if overlaps or value.casefold() not in meanings:
                continue
            near = {*singular_words(text[max(0, start - BEFORE) : start]), *singular_words(text[end : end + AFTER])}
            # A value that is named twice is two things: from one of them to the other.
            taken = [given for _, _, given in named]
            best = min(meanings[value.casefold()], key=lambda one: (one in taken, *_rank(one, nouns, near)))
            named.append((start, end, best))
        named.sort(key=lambda part: part[0])
        rest = list(text)
        for start, end, _ in named:
            rest[start:end] = " " * (end - start)
        return [given for _, _, given in named], "".join(rest)


def _meanings(knowledge: Knowledge) -> dict[str, list[Given]]:
    """Every value that a text may name, in lower case, with what it can be."""
    meanings: dict[str, dict[Given, None]] = {}
    for view in knowledge.views.values():
        for meaning in _meanings_of(view):
            if _can_name(meaning.value):
                meanings.setdefault(str(meaning.value).casefold(), {})[meaning] = None
    return {value: list(options) for value, options in meanings.items()}


def _meanings_of(view: OperationView) -> Iterator[Given]:
    for call in view.calls:
        for item in call.response.items:
            for name, value in item.fields.items():
                if "/" not in name:
                    yield Given(name, value, item.noun or view.noun)
        for location, value in call.arguments.items():
            # What was searched for is what the found things are called.
            if location.startswith("query:") and role_of(location.partition(":")[2]) is not Role.SEARCH:
                yield Given(location.partition(":")[2], value, view.noun, location)


def _can_name(value: object) -> bool:
    if isinstance(value, str):
        return 2 <= len(value) <= 80 and any(char.isalnum() for char in value) and "://" not in value
    return isinstance(value, float) or (is_whole(value) and abs(value) >= 10)


def _phrases(text: str) -> Iterator[tuple[int, int, str]]:
    """Parts of a text that may be values: what is quoted, then its runs of words with a capital or a digit."""
    for match in _QUOTED.finditer(text):
        yield match.start(), match.end(), next(group for group in match.groups() if group)
    tokens = [match.span(1) for match in _TOKEN.finditer(text)]
    for length in range(MAX_PHRASE, 0, -1):
        for first, last in zip(tokens, tokens[length - 1 :], strict=False):
            start = first[0]
            value = re.sub(r"['’]s$", "", text[start : last[1]].rstrip(".,:;!?'’"))
            if value[:1].isupper() or value[:1].isdigit():
                yield start, start + len(value), value


def _rank(meaning: Given, nouns: Sequence[str], near: set[str]) -> tuple[int, ...]:
    """The likeliest meaning of a value first: an item's name, of a noun that is near it or among those wanted."""
    parts = words(meaning.label)
    is_argument, is_name, is_id = bool(meaning.location), meaning.label in _NAMES, is_id_name(meaning.label)
    label_is_near = bool(near.intersection(parts[-1:]))
    return (
        meaning.noun not in near,
        is_argument and not label_is_near,
        label_is_near and not (is_argument or is_name or is_id),
        not is_name,
        is_id,
        meaning.noun not in nouns,
        len(parts),
    )


def _wanted(views: Iterable[OperationView], tokens: Sequence[str], givens: Sequence[Given]) -> tuple[str, str] | None:
    """The field that is asked for, and the noun it is of: the one whose whole name is in the text, and first."""
    taken = {(given.label, given.noun) for given in givens if not given.location}
    best, wanted = 0.0, None
    for view in views:
        bonus = NOUN_BONUS if view.noun in tokens else 0.0
        for name in view.fields or dict.fromkeys(sorted(view.documented_fields)):
            score = _score(name.rpartition("/")[2], view.noun, tokens)
            if score and score + bonus > best + 1e-9 and (name, view.noun) not in taken:
                best, wanted = score + bonus, (name, view.noun)
    return wanted


def _score(label: str, noun: str, tokens: Sequence[str]) -> float:
    """How well a text names a field: a longer name before a shorter one, early before late; 0 if it does not."""
    wordings = [wording for wording in _wordings(label, noun) if wording and wording <= set(tokens)]
    if wordings and words(label)[:1] not in (("is",), ("has",)):
        longest = max(wordings, key=len)
        return WHOLE_NAME + WORD_BONUS * len(longest) - POSITION_COST * min(map(tokens.index, longest))
    return CALLED if label in _NAMES and _CALLED.intersection(tokens) else 0.0


def _wordings(label: str, noun: str) -> list[set[str]]:
    """The words by which a text may name a field: its phrase, its name, or its name without the noun."""
    name = set(singular_words(label))
    return [wording - _SMALL for wording in (set(singular_words(field_phrase(label))), name, name - {noun})]


def _asks_for_many(text: str, want: str, noun: str) -> bool:
    """Whether the wanted field, or its noun, is in the plural: "the names", but not "the number of airports"."""
    tokens = set(re.findall(r"[a-z]+", re.sub(r"(?i)number of \w+|how many \w+", " ", text).lower()))
    names = {*words(field_phrase(want.rpartition("/")[2]).partition(" in ")[0])[-1:], *words(noun)[-1:]}
    return any(plural(name) != name and plural(name) in tokens for name in names)
