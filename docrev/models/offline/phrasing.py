"""Scenario texts: one or two sentences that name concrete values, from small patterns with some variety."""

from __future__ import annotations

from zlib import crc32

from docrev.graph.match import path_nouns
from docrev.models.offline.knowledge import NO_NOUN, Knowledge
from docrev.models.offline.phrases import humanise
from docrev.models.offline.spoken import spoken
from docrev.models.offline.stories import Story
from docrev.models.offline.ways import NAMING, Hop
from docrev.records import Given, Json
from docrev.wording import plural, words

_ASKING = (
    "What is the {want} {of} {thing}?",
    "Tell me the {want} {of} {thing}.",
    "I need to know the {want} {of} {thing}.",
    "Find out the {want} {of} {thing}.",
)
_TELLING = frozenset({"status", "overview", "summary", "report", "statistic", "profile", "forecast"})
_LISTING = (
    "List the {wants} of all {things}.",
    "What are the {wants} of the {things}?",
    "Give me the {wants} of all {things}.",
)


def phrase(knowledge: Knowledge, story: Story, seed: int) -> str:
    """The text of a story: what is given, along the way to what is wanted."""
    goal, way = story.goal, story.way
    want = wanted(goal.want, goal.noun)
    thing = _thing(knowledge, story)
    nouns = [knowledge.views[way.entry.key].noun]
    for hop in way.hops:
        noun = knowledge.views[hop.key].noun
        last = hop is way.hops[-1]
        about = dict(path_nouns(hop.key.path)).get(hop.location.partition(":")[2], noun)
        if about not in (noun, nouns[-1]):
            thing = f"the {spoken(about)} of {thing}"
        if noun in NO_NOUN:
            thing = f"{noun} {plural(nouns[-1])} of {thing}" if goal.many else f"the {noun} {nouns[-1]} of {thing}"
        elif noun != nouns[-1] and not (last and noun == goal.want):
            thing = f"{plural(noun)} of {thing}" if last and goal.many else f"the {spoken(noun)} of {thing}"
        thing += _extras(story, hop)
        nouns.append(noun)
    number = crc32(f"{seed} {goal!r}".encode())
    if goal.many:
        shown = thing.removeprefix("the ")
        return _LISTING[number % len(_LISTING)].format(wants=_plural(want), things=shown)
    joint = "in" if goal.noun in _TELLING else "of"
    return _ASKING[number % len(_ASKING)].format(want=want, thing=thing, of=joint)


def _thing(knowledge: Knowledge, story: Story) -> str:
    """The thing that the entry names, as a noun phrase."""
    entry, goal = story.way.entry, story.goal
    view = knowledge.views[entry.key]
    noun = spoken(view.noun) if view.noun else "answer"
    if entry.kind in ("name", "code"):
        return _called(noun, goal.givens[0])
    given = next((found for key, found in story.told if key == entry.key), ())
    if entry.kind == "told":
        tool = entry.key.tool.capitalize()
        named = f"the {noun} of {tool}" if view.noun and noun != goal.want else tool
        return f"the {noun}{_with(given)}" if given else named
    pick = entry.pick
    assert pick is not None
    chosen = [one for one in given if one.location in pick.filters]
    if goal.many and not story.way.hops:
        return f"{plural(noun)}{_with(chosen)}"
    if pick.natural:
        return f"the {noun} nearest to{_with(given, '')}"
    way = "in descending order" if pick.descending else "in ascending order"
    return f"the first of all {plural(noun)}{_with(chosen)} when sorted by {spoken(pick.order)} {way}"


def _called(noun: str, given: Given) -> str:
    parts = words(given.label)
    if parts and (parts[-1] in NAMING or "".join(parts) in NAMING):
        return f"the {noun} {quoted(given.value)}"
    return f"the {noun} with the {spoken(given.label)} {quoted(given.value)}"


def _extras(story: Story, hop: Hop) -> str:
    given = next((found for key, found in story.told if key == hop.key), ())
    return _with(given, "for") if given else ""


def _with(given: tuple[Given, ...] | list[Given], word: str = "with") -> str:
    """` with region "Europe" and currency "EUR"`; from and to read as they are."""
    given = [one for one in given if one.location != "body:" or one.value]
    if not given:
        return ""
    plain = {one.label.lower() for one in given} <= {"from", "to", "unit", "since", "until"}
    if plain:
        return "".join(f" {one.label} {quoted(one.value)}" for one in given)
    said = [f"{'the ' if word == 'for' else ''}{spoken(one.label)} {quoted(one.value)}" for one in given]
    return f" {word} {joined(said)}" if word else f" {joined(said)}"


def wanted(name: str, noun: str) -> str:
    """The wanted field as words, without the noun that follows it anyway: `daylight_hours` of a daylight → hours."""
    parts = words(name)
    if len(parts) > 1 and parts[0] == noun and parts[1] != "count":
        return humanise("_".join(parts[1:]))
    return spoken(name)


def wanted_all(name: str, noun: str) -> str:
    """The wanted field of many things as words: distances in kilometres."""
    return _plural(wanted(name, noun))


def _plural(want: str) -> str:
    head, joint, tail = want.partition(" in ")
    before, _, last = head.rpartition(" ")
    return f"{before} {last if last.isupper() else plural(last)}".strip() + joint + tail


def quoted(value: Json) -> str:
    """A value as it stands in a text."""
    return f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)


def joined(said: list[str]) -> str:
    """One, two and three."""
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"
