"""Scenario texts: one or two sentences that name concrete values, from small patterns with some variety."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from docrev.conventions.fields import is_name_field
from docrev.graph.match import path_nouns
from docrev.language.phrases import humanise, joined
from docrev.language.words import plural, singular, words
from docrev.planner.field_names import BESIDE, field_phrase
from docrev.planner.filled_paths import FilledPath
from docrev.planner.knowledge import Knowledge
from docrev.planner.list_selections import ListSelection
from docrev.planner.operation_paths import NESTED
from docrev.planner.operation_views import GENERIC_SEGMENTS, OperationView
from docrev.records import Given

_ASKING = (
    "What is the {want} {of} {thing}?",
    "Tell me the {want} {of} {thing}.",
    "I need to know the {want} {of} {thing}.",
    "Find out the {want} {of} {thing}.",
)
_LISTING = (
    "List the {wants} of all {things}.",
    "What are the {wants} of the {things}?",
    "Give me the {wants} of all {things}.",
)
_REPORTING = frozenset({"overview", "summary", "report", "statistic", "profile", "detail"})
"""Operations that only put together what is known of a thing: nobody asks for their response by this name."""
_PREPOSITIONS = frozenset({"from", "to", "unit", "since", "until"})
"""Parameters that read as they are: from "EUR" to "USD"."""


def scenario_text(knowledge: Knowledge, filled: FilledPath, seed: int) -> str:
    """The text of a filled path: what is given, along the path to what is wanted."""
    goal, path = filled.goal, filled.path
    named_after_noun = bool(path.hops) and words(goal.want)[:1] == (goal.noun,) and len(words(goal.want)) > 1
    want = field_phrase(goal.want) if named_after_noun else wanted_phrase(goal.want, goal.noun)
    thing = _along_path(knowledge, filled, noun_is_named=named_after_noun)
    number = crc32(f"{seed} {goal!r}".encode())
    if goal.many:
        pattern = _LISTING[number % len(_LISTING)]
        if thing.startswith("the "):  # the things of one thing, which it is not said again what they are
            pattern = pattern.replace("all {things}", "{things}").replace("the {things}", "{things}")
        return pattern.format(wants=_plural_phrase(want), things=thing)
    if path.start.kind == "arguments" and not goal.givens:
        return f"What {want} does {thing} tell?"
    if want == field_phrase(goal.noun) and thing.startswith(f"the {want}"):
        return f"What is {thing}?"
    return _question(_ASKING[number % len(_ASKING)], want, thing, goal.noun)


def _question(pattern: str, want: str, thing: str, noun: str) -> str:
    is_count = noun in _REPORTING and (want.startswith("number of") or want.partition(" ")[0].endswith("est"))
    question = pattern.format(want=want, thing=thing, of="in" if is_count else "of")
    return question.replace("What is", "What are", 1) if want.endswith(("hours", "minutes")) else question


def _along_path(knowledge: Knowledge, filled: FilledPath, *, noun_is_named: bool) -> str:
    """What the path leads to, as a noun phrase: the currency of the country "Peru"."""
    goal, path = filled.goal, filled.path
    phrase = _start_phrase(knowledge, filled)
    before = knowledge.views[path.start.key].noun
    for hop in path.hops:
        noun = knowledge.views[hop.key].noun
        about = dict(path_nouns(hop.key.path)).get(hop.location.partition(":")[2], noun)
        if NESTED in hop.field:
            listed = humanise(hop.field.partition(NESTED)[0])
            phrase = f"the first of the {listed} of {phrase}"
            before, about = (noun, noun) if singular(listed.rpartition(" ")[2]) == about else (before, about)
        if about not in (noun, before):
            phrase = f"the {field_phrase(about)} of {phrase}"
        is_named = noun_is_named or noun == goal.want
        if hop.key in filled.firsts and noun not in BESIDE:
            phrase = f"the first {field_phrase(noun)} of {phrase}"
        else:
            phrase = _hop_phrase(noun, before, phrase, many=goal.many and hop is path.hops[-1], is_named=is_named)
        phrase += _with_givens(filled.givens_of(hop.key), "for")
        before = before if noun in BESIDE else noun
    return phrase


def _hop_phrase(noun: str, before: str, phrase: str, *, many: bool, is_named: bool) -> str:
    """What a hop leads to: the currency of …, all airports near …; `is_named`: the question names its noun itself."""
    if noun in BESIDE:
        return f"{plural(before) if many else f'the first {before}'} {BESIDE[noun]} {phrase}"
    if noun in GENERIC_SEGMENTS:
        return f"{noun} {plural(before)} of {phrase}" if many else f"the {noun} {before} of {phrase}"
    if is_named or noun == before or noun in _REPORTING:
        return phrase
    return f"{plural(noun)} of {phrase}" if many else f"the {field_phrase(noun)} of {phrase}"


def _start_phrase(knowledge: Knowledge, filled: FilledPath) -> str:
    """What the path starts with, as a noun phrase."""
    start, goal = filled.path.start, filled.goal
    view = knowledge.views[start.key]
    noun = field_phrase(view.noun) if view.noun else "answer"
    if start.kind in ("name", "code"):
        return _named(noun, goal.givens[0])
    givens = filled.givens_of(start.key)
    selection = start.selection
    if selection is None:
        tool = start.key.tool.capitalize()
        whose = f"the {noun} of {tool}" if view.noun and noun != goal.want else tool
        return f"the {noun}{_with_givens(givens)}" if givens else whose
    filters = [given for given in givens if given.location in selection.filters]
    if selection.natural:
        return f"the {noun} nearest to{_with_givens(givens, '')}"
    return _first_of(view, selection, noun, _with_givens(filters))


def _first_of(view: OperationView, selection: ListSelection, noun: str, filters: str) -> str:
    """The first of a sorted list: the country with the highest population, the first airport by name."""
    order = field_phrase(selection.order)
    items = (item for call in view.calls for item in call.response.items)
    values = [item.fields[selection.order] for item in items if item.fields.get(selection.order) is not None][:5]
    if values and all(isinstance(value, int | float) for value in values):
        extreme = "highest" if selection.descending else "lowest"
        return f"the {noun}{filters} {'and' if filters else 'with'} the {extreme} {order}"
    return f"the {'last' if selection.descending else 'first'} {noun} by {order}{filters}"


def _named(noun: str, given: Given) -> str:
    if is_name_field(given.label):
        return f"the {noun} {quoted(given.value)}"
    return f"the {noun} with the {field_phrase(given.label)} {quoted(given.value)}"


def _with_givens(givens: Sequence[Given], preposition: str = "with") -> str:
    """` with region "Europe" and currency "EUR"`; from and to read as they are."""
    givens = [given for given in givens if given.location != "body:" or given.value]
    if not givens:
        return ""
    if all(given.label.lower() in _PREPOSITIONS for given in givens):
        return "".join(f" {given.label} {quoted(given.value)}" for given in givens)
    article = "the " if preposition == "for" else ""
    phrases = [f"{article}{field_phrase(given.label)} {quoted(given.value)}" for given in givens]
    return f" {preposition} {joined(phrases)}" if preposition else f" {joined(phrases)}"


def wanted_phrase(name: str, noun: str) -> str:
    """The wanted field as words, without the noun that follows it anyway: `daylight_hours` of a daylight → hours."""
    parts = words(name)
    if len(parts) > 1 and parts[0] == noun and parts[1] != "count":
        return humanise("_".join(parts[1:]))
    return field_phrase(name)


def wanted_phrase_of_many(name: str, noun: str) -> str:
    """The wanted field of many things as words: distances in kilometres."""
    return _plural_phrase(wanted_phrase(name, noun))


def _plural_phrase(phrase: str) -> str:
    head, joint, tail = phrase.partition(" in ")
    before, _, last = head.rpartition(" ")
    return f"{before} {last if last.isupper() else plural(last)}".strip() + joint + tail


def quoted(value: object) -> str:
    """A value as it is written in a text."""
    return f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
