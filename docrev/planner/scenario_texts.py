"""Scenario texts: one or two sentences that name concrete values, from small patterns with some variety."""

from __future__ import annotations

from zlib import crc32

from docrev.graph.match import path_nouns
from docrev.language.phrases import humanise
from docrev.language.words import plural, words
from docrev.planner.field_phrases import spoken
from docrev.planner.filled_paths import Story
from docrev.planner.knowledge import NO_NOUN, Knowledge, View
from docrev.planner.observed_filters import Pick
from docrev.planner.operation_paths import NAMING, Hop
from docrev.records import Given, Json

_ASKING = (
    "What is the {want} {of} {thing}?",
    "Tell me the {want} {of} {thing}.",
    "I need to know the {want} {of} {thing}.",
    "Find out the {want} {of} {thing}.",
)
_REPORTING = frozenset({"overview", "summary", "report", "statistic", "profile", "detail"})
"""Operations that only put together what is to be known of a thing: nobody asks for their answer by this name."""
BESIDE = {"nearby": "near", "nearest": "near", "similar": "similar to", "related": "related to"}
_LISTING = (
    "List the {wants} of all {things}.",
    "What are the {wants} of the {things}?",
    "Give me the {wants} of all {things}.",
)


def phrase(knowledge: Knowledge, story: Story, seed: int) -> str:
    """The text of a story: what is given, along the way to what is wanted."""
    goal, way = story.goal, story.way
    own = bool(way.hops) and words(goal.want)[:1] == (goal.noun,) and len(words(goal.want)) > 1
    want = spoken(goal.want) if own else wanted(goal.want, goal.noun)
    thing = _thing(knowledge, story)
    nouns = [knowledge.views[way.entry.key].noun]
    for hop in way.hops:
        noun = knowledge.views[hop.key].noun
        last = hop is way.hops[-1]
        about = dict(path_nouns(hop.key.path)).get(hop.location.partition(":")[2], noun)
        if about not in (noun, nouns[-1]):
            thing = f"the {spoken(about)} of {thing}"
        thing = _onward(noun, nouns[-1], thing, many=goal.many and last, said=own or noun == goal.want)
        thing += _extras(story, hop)
        nouns.append(noun)
    number = crc32(f"{seed} {goal!r}".encode())
    if goal.many:
        shown = thing.removeprefix("the ")
        return _LISTING[number % len(_LISTING)].format(wants=_plural(want), things=shown)
    if way.entry.kind == "told" and not goal.givens:
        return f"What {want} does {thing} tell?"
    if want == spoken(goal.noun) and thing.startswith(f"the {want}"):
        return f"What is {thing}?"
    counting = goal.noun in _REPORTING and (want.startswith("number of") or want.partition(" ")[0].endswith("est"))
    asking = _ASKING[number % len(_ASKING)].format(want=want, thing=thing, of="in" if counting else "of")
    several = want.endswith("hours") or want.endswith("minutes")
    return asking.replace("What is", "What are", 1) if several else asking


def _onward(noun: str, before: str, thing: str, *, many: bool, said: bool) -> str:
    """The thing that a hop leads to: the currency of …, all airports near …"""
    if noun in BESIDE:
        return f"{plural(before)} {BESIDE[noun]} {thing}" if many else f"the first {before} {BESIDE[noun]} {thing}"
    if noun in NO_NOUN:
        return f"{noun} {plural(before)} of {thing}" if many else f"the {noun} {before} of {thing}"
    if said or noun == before or noun in _REPORTING:
        return thing
    return f"{plural(noun)} of {thing}" if many else f"the {spoken(noun)} of {thing}"


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
    return _first(view, pick, noun, _with(chosen))


def _first(view: View, pick: Pick, noun: str, chosen: str) -> str:
    """The first of a sorted list: the country with the highest population, the first airport by name."""
    items = (item for seen in view.seen for item in seen.reading.items)
    values = [item.fields[pick.order] for item in items if item.fields.get(pick.order) is not None][:5]
    if values and all(isinstance(value, (int, float)) for value in values):
        most = "highest" if pick.descending else "lowest"
        return f"the {noun}{chosen} {'and' if chosen else 'with'} the {most} {spoken(pick.order)}"
    return f"the {'last' if pick.descending else 'first'} {noun} by {spoken(pick.order)}{chosen}"


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
