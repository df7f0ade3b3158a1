"""What parameters take and do, read off trials: pure, so the same trials give the same facts."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.facts.effects_bodies import body_default
from docrev.facts.effects_lists import list_facts, seen
from docrev.facts.effects_members import member_facts
from docrev.facts.effects_nothing import ignored_facts, unknown_facts
from docrev.facts.effects_paging import default_facts, paging_facts
from docrev.facts.effects_trials import UNKNOWN, Lookup, Scene, Trial, Trials, listing, number
from docrev.facts.effects_values import value_facts
from docrev.facts.registry import BOUNDS, BY_FIELD
from docrev.records import Fact

__all__ = ["EFFECT_KINDS", "Trial", "Trials", "effects", "scene_facts"]

EFFECT_KINDS = (
    "required",
    "type",
    "format",
    "allowed-values",
    "default",
    "range",
    "clamps",
    "length",
    "pattern",
    *BY_FIELD,
    "searches",
    "sorts",
    "limits",
    "pages",
    "selects",
    "ignored",
    "unknown-values",
    "unknown-parameters",
)
"""The kinds of facts on parameters that trials show."""


def effects(trials: Trials, lookup: Lookup) -> list[Fact]:
    """Candidate facts on the parameters of all operations that were tried; `lookup` finds a call by its id.

    Each names the calls that show it, all of which must be made again before it is used: see `effects_replay`.
    """
    return [fact for key in sorted(trials) for fact in scene_facts(Scene.of(key, trials[key], lookup))]


def scene_facts(scene: Scene) -> list[Fact]:
    """The facts of one operation's trials, by location in the order of their first trial."""
    return [fact for location in scene.tried for fact in _of_location(scene, location)] + list(unknown_facts(scene))


def _chosen(scene: Scene, location: str, known: list[Fact]) -> Iterator[Fact]:
    """What chooses items in ways that are looked for only where no plain field explains it."""
    found = seen(scene, location)
    if found and scene.steady and not any(fact.kind in ("filters", *BOUNDS, "searches") for fact in known):
        yield from member_facts(scene, location, found)


_BY_VALUE = ("filters", "searches", *BOUNDS, "excludes")


def _text(scene: Scene, location: str, known: list[Fact]) -> Iterator[Fact]:
    """A text, where one that is neither a number nor a truth value chose what was found."""
    if any(fact.kind == "type" for fact in known):
        return
    calls = {call for fact in known if fact.kind in _BY_VALUE for call in fact.calls}
    for one in scene.values(location):
        found = listing(one.call.body) if one.call.id in calls and not scene.same(one, one.base) else None
        plain = isinstance(one.value, str) and number(one.value) is None and one.value not in ("true", "false")
        if plain and found is not None and found.items:
            yield Fact(scene.key, "type", location, "string", (one.call.id, one.base.id))
            return


def _of_location(scene: Scene, location: str) -> Iterator[Fact]:
    if location == UNKNOWN:
        return
    facts = list(value_facts(scene, location))
    if location.startswith("query:"):
        facts += list_facts(scene, location)
        facts += _chosen(scene, location, facts)
        facts += paging_facts(scene, location, seen(scene, location))
        facts += default_facts(scene, location, facts)
        facts += _text(scene, location, facts)
        facts += ignored_facts(scene, location, {fact.kind for fact in facts})
    elif location.startswith("body:"):
        facts += body_default(scene, location)
    yield from facts
