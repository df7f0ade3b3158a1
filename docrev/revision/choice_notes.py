"""Which operation to use instead of another and for what, as experiences show it (ToolBFS+ §3.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docrev.conventions.methods import SAFE_METHODS
from docrev.language.documentation_phrases import ALTERNATIVE, LOOKUP, SOURCE
from docrev.language.path_subjects import subject
from docrev.language.words import article, words
from docrev.records import Call, Experience, Fact, Goal, OperationKey
from docrev.revision import labels
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.response_samples import fields
from docrev.revision.value_sources import find_sources

MAX_CHOICES = 2
_NEVER = 3
"""The rank of an experience that does not help to choose."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which operation to use instead, in kinds of things: "For the weight of a product, use `GET /products/{sku}`."

    `operation` is written as the wrongly chosen one's document names it; the last calls are those of the fresh task.
    With a `location` it is where the value of an argument comes from. `facts` are those that it rests on; without an
    `operation` it is of the way around a call, and there is no other one to use.
    """

    text: str
    operation: str
    calls: tuple[str, ...]
    location: str = ""
    facts: tuple[Fact, ...] = ()


def better_choices(wrong: OperationKey, observations: CatalogObservations) -> list[Choice]:
    """What to use instead of an operation, and for what: what most scenarios showed, at most two operations."""
    misuses = _misuses(wrong, observations)
    counted = Counter((found.right, *purpose(found, observations)) for found in misuses)
    best = sorted(counted, key=lambda choice: (choice[1], -counted[choice], choice))
    chosen: dict[OperationKey, str] = {}
    for right, rank, what in best:
        # What the operation does not even deal with is worth one sentence, if there is nothing better to say.
        if what and right not in chosen and len(chosen) < MAX_CHOICES and not (chosen and rank > 1):
            chosen[right] = what
    return [_choice(wrong, right, what, misuses) for right, what in chosen.items()]


def _misuses(wrong: OperationKey, observations: CatalogObservations) -> list[Experience]:
    """The experiences with an operation that was the wrong one, of which one may write."""
    of_operation = (found for found in observations.experiences if found.wrong == wrong and not found.location)
    return [found for found in of_operation if is_advisable(found)]


def value_choices(user: OperationKey, observations: CatalogObservations) -> list[Choice]:
    """Where the values of an operation's arguments come from, as far as knowing it helped.

    What needs an ID itself was one way to one value: others do not come from there.
    """
    return [
        Choice(source_text(found), _named(found.right, user), (*found.calls, *found.helped), found.location)
        for found in observations.experiences
        if found.wrong == user
        and found.location
        and "{" not in found.right.path
        and not _is_of_another_kind(found, observations.by_key[user].at(found.location))
    ]


def _is_of_another_kind(found: Experience, facts: Iterable[Fact]) -> bool:
    """Whether facts know a source of what the argument is called after, and this one is no such: `movie_id` of a
    person. Where IDs are numbers, a thing of another kind has nearly every one of them.
    """
    own = words(labels.label(found.location.partition(":")[2]))[:-1]
    sources = find_sources(found.wrong, found.location, facts)
    return bool(own) and any(_kind(source.operation) == own for source in sources) and _kind(found.right) != own


def _kind(key: OperationKey) -> tuple[str, ...]:
    return words(subject(key.path).noun)


def source_text(found: Experience) -> str:
    """ "An airport IATA code, as in `iata` of `GET /airports/search`." A `country_code` says itself of what it is."""
    noun, label = subject(found.right.path).noun, labels.label(found.field)
    thing = label if not noun or len(words(found.field)) > 1 else f"{noun} {label}"
    text = SOURCE.write(
        label=f"{article(thing).capitalize()} {thing}", field=found.field, operation=found.right.operation
    )
    return labels.with_tool(text, found.right, found.wrong.tool)


def _named(key: OperationKey, reader: OperationKey) -> str:
    return key.operation if key.tool == reader.tool else str(key)


def _choice(wrong: OperationKey, right: OperationKey, what: str, misuses: Sequence[Experience]) -> Choice:
    calls = (call for found in misuses if found.right == right for call in (*found.calls[-2:], *found.helped))
    return Choice(labels.with_tool(what, right, wrong.tool), _named(right, wrong), tuple(dict.fromkeys(calls)))


def is_advisable(found: Experience) -> bool:
    """Whether the right operation may be recommended: never one that changes things in place of one that reads."""
    return found.right != found.wrong and (found.right.method in SAFE_METHODS or found.wrong.method not in SAFE_METHODS)


def purpose(found: Experience, observations: CatalogObservations) -> tuple[int, str]:
    """(rank, when to use the right operation): for a field that the wrong one lacks, or to find a thing.

    The sentence is "" if nothing there helps to choose.
    """
    scenario = observations.scenarios.get(found.scenario)
    right, wrong = observations.by_key.get(found.right), observations.by_key.get(found.wrong)
    if scenario is None or scenario.goal is None or right is None or wrong is None:
        return _NEVER, ""
    return _lacking_field(scenario.goal, right, wrong) or _way_to_find(scenario.goal, right, wrong) or (_NEVER, "")


def _lacking_field(goal: Goal, right: ObservedOperation, wrong: ObservedOperation) -> tuple[int, str] | None:
    """ "For the email of an author": the right operation returns it, the wrong one does not."""
    about, other = subject(right.key.path), subject(wrong.key.path)
    noun = " ".join(words(goal.noun)) or about.noun
    if about.noun not in (noun, "") or goal.want.endswith("ed"):
        return None
    if goal.want not in _returned(right.good) or goal.want in _returned(wrong.good):
        return None
    owner = f" of {article(noun)} {noun}" if noun else ""
    return 0 if other.noun == noun else 2, ALTERNATIVE.write(
        purpose=f"the {labels.label(goal.want)}{owner}", operation=right.key.operation
    )


def _way_to_find(goal: Goal, right: ObservedOperation, wrong: ObservedOperation) -> tuple[int, str] | None:
    """ "To find a country by its name": the right operation takes what is known of the thing."""
    about, other = subject(right.key.path), subject(wrong.key.path)
    known = next((given for given in goal.givens if " ".join(words(given.noun)) in (about.noun, "")), None)
    if known is None or not about.noun or other.noun != about.noun:
        return None
    label, by = labels.label(known.label), labels.spelled(about.by)
    fits = label == by or not (by or about.parent)
    purpose = f"{about.indefinite} by its {label}"
    return (1, LOOKUP.write(purpose=purpose, operation=right.key.operation)) if label and fits else None


def _returned(calls: Iterable[Call]) -> set[str]:
    """The names of the fields that the responses have, and of those in their objects."""
    calls = list(calls)
    inner = (value for call in calls if isinstance(call.body, dict) for value in call.body.values())
    return set(fields(calls)).union(*(value for value in inner if isinstance(value, dict)))
