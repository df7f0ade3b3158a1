"""Parameters, values and names that do nothing: traps, since a mistake is answered as if there were none."""

from __future__ import annotations

from collections.abc import Iterator, Set

from docrev.facts.effects_lists import BOUNDING, measure
from docrev.facts.effects_members import members, negates
from docrev.facts.effects_trials import REJECTED, UNKNOWN, Scene, Tried, items_at, key_of, listing
from docrev.facts.registry import BY_FIELD
from docrev.language.words import words
from docrev.records import Fact

NONSENSE = ("docrev-zzz", "zz-docrev-9")
"""Texts that mean nothing to anybody."""
_MIN_ITEMS = 3
_MIN_VALUES = 3
_MIN_NAMES = 2


def ignored_facts(scene: Scene, location: str, known: Set[str]) -> Iterator[Fact]:
    """`ignored` where no value changes anything; `unknown-values` where only nonsense does not.

    `known` are the kinds of facts that the parameter has: one that does something is not ignored.
    """
    tried = scene.values(location)
    if not scene.steady or not tried or not _rich(tried[0]) or any(not one.ok for one in tried):
        tried = [one for one in tried if one.ok] if known & {*_EFFECTS} else []
    alike = [one for one in tried if scene.same(one, one.base)]
    nonsense = [one for one in alike if one.value in NONSENSE]
    if not scene.steady or len(nonsense) < 2:
        return
    if len(alike) == len(tried) and len({key_of(one.value) for one in tried}) >= _MIN_VALUES:
        if (
            not known & {*_EFFECTS, "required"}
            and _would_show(location, tried)
            and (contrast := _effective(scene, location)) is not None
        ):
            ids = dict.fromkeys((alike[0].base.id, nonsense[0].call.id, nonsense[1].call.id, *contrast.calls))
            yield Fact(scene.key, "ignored", location, True, tuple(ids))
    elif known & {*_EFFECTS} and "excludes" not in known:
        ids = dict.fromkeys((nonsense[0].base.id, nonsense[0].call.id, nonsense[1].call.id))
        yield Fact(scene.key, "unknown-values", location, "ignored", tuple(ids))


_EFFECTS = (
    *("searches", "sorts", "limits", "pages", "selects", "clamps", "default"),
    *BY_FIELD,
)


def _would_show(location: str, tried: list[Tried]) -> bool:
    """Whether what was tried had to change something, were the parameter read.

    One that leaves out what it names needs a value that an item has; one that bounds needs what all lie beyond.
    """
    if negates(location):
        held = [
            values
            for one in tried
            if (found := listing(one.base.body))
            for values in members(location, found.items).values()
        ]
        return any(key_of(one.value) in values for one in tried for rows in held for values in rows)
    if BOUNDING & {*words(location.partition(":")[2])}:
        sent = {measure(one.value) for one in tried} - {None}
        return len({type(n) for n in sent}) == 2 and len(sent) >= 4
    return True


def _rich(tried: Tried) -> bool:
    """Whether the answer has enough in it to show a change of order, or of number."""
    found = listing(tried.base.body)
    return found is not None and len(found.items) >= _MIN_ITEMS


def _effective(scene: Scene, location: str) -> Tried | None:
    """A trial of another parameter that changed something: so parameters are read at all."""
    for other in sorted(scene.tried):
        if other not in (location, UNKNOWN):
            for one in scene.values(other):
                if one.rejected or (one.ok and not scene.same(one, one.base)):
                    return one
    return None


def unknown_facts(scene: Scene) -> Iterator[Fact]:
    """What a query parameter does that nobody declared: all names that were tried must do the same."""
    tried = scene.values(UNKNOWN)
    if len({one.call.id for one in tried}) < _MIN_NAMES or not scene.steady:
        return
    does = {_unknown(scene, one) for one in tried}
    if len(does) != 1 or does == {""}:
        return
    [what] = does
    contrast = _effective(scene, UNKNOWN) if what == "ignored" else None
    if what == "ignored" and contrast is None:
        return
    ids = dict.fromkeys((tried[0].base.id, *(one.call.id for one in tried[:2]), *(contrast.calls if contrast else ())))
    yield Fact(scene.key, "unknown-parameters", "", what, tuple(ids))


def _unknown(scene: Scene, one: Tried) -> str:
    if one.call.status in REJECTED:
        return "rejected"
    found = listing(one.base.body)
    if not one.ok or not one.base.body or (found is not None and not found.items):
        return ""
    if scene.same(one, one.base):
        return "ignored"
    return "filter" if found is not None and items_at(one.call, found.pointer) == [] else ""
