"""What chooses items by what they hold: members of lists, the year of a date, what is left out unless asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docrev.facts.effects_lists import Seen, contrast, names_fit
from docrev.facts.effects_trials import Scene, key_of, number, scalars
from docrev.facts.shape import format_of
from docrev.language.words import singular, words
from docrev.records import Fact, Json

NEGATING = frozenset(["without", "exclude", "excluding", "excluded", "not", "except", "no"])
"""Words in the name of a parameter that leaves out what it names."""
_FILLER = NEGATING | frozenset(["with", "by", "filter", "in", "is", "has", "any", "all", "only", "id", "code", "slug"])
_SHOWN = 2
"""Different values that must have chosen alike."""


def member_facts(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """The facts on a query parameter by which items are chosen for more than one plain field of theirs."""
    for facts in (_in_year, _members, _includes):
        told = list(facts(scene, location, found))
        yield from told
        if told:
            return


def negates(location: str) -> bool:
    """Whether a parameter's name says that it leaves something out."""
    return bool(NEGATING & {*words(location.partition(":")[2])})


# Years


def of_year(value: Json) -> int | None:
    """The year that a value is, or None."""
    n = number(value)
    return int(n) if n is not None and float(n).is_integer() and 1000 <= n < 3000 else None


def dated(items: Iterable[Json]) -> dict[str, list[Json]]:
    """The fields of items that are dates, or times with one, by pointer."""
    known = {field: [value for value in values if value] for field, values in scalars(items).items()}
    return {field: values for field, values in known.items() if format_of(values) in ("date", "date-time")}


def _in_year(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """A date that lies, in all items, in the year that was sent."""
    if "year" not in map(singular, words(location.partition(":")[2])):
        return
    shows = [(year, one) for one in found if one.items and (year := of_year(one.value)) is not None]
    shows = [(year, one) for year, one in shows if not scene.same(one.tried, one.tried.base)]
    if len({year for year, _ in shows}) < _SHOWN:
        return
    for field in dated(shows[0][1].items):
        held = (scalars(one.items).get(field, [None]) for _, one in shows)
        if all(str(value)[:5] == f"{year}-" for (year, _), values in zip(shows, held, strict=True) for value in values):
            calls = dict.fromkeys((shows[0][1].tried.base.id, *(one.tried.call.id for _, one in shows[:_SHOWN])))
            yield Fact(scene.key, "in-year", location, f"{shows[0][1].place}/0{field}", tuple(calls))
            return


# Members of lists


def topic(name: str) -> frozenset[str]:
    """What a name is about: `with_genres` and `genre_ids` are about genres."""
    return frozenset(singular(word) for word in words(name)) - _FILLER


def members(location: str, items: Iterable[Json]) -> dict[str, list[set[str]]]:
    """The lists of plain values in items that a parameter may be about: pointer → what each item holds."""
    rows = [item for item in items if isinstance(item, dict)]
    about = topic(location.partition(":")[2])
    found: dict[str, list[set[str]]] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        other = topic(name)
        held = [row[name] for row in rows if isinstance(row.get(name), list)]
        plain = held and len(held) == len(rows) and not any(isinstance(v, list | dict) for each in held for v in each)
        if plain and about and other and (about <= other or other <= about):
            found[f"/{name}"] = [{key_of(value) for value in each} for each in held]
    return found


def _members(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """A list that in all items has the value that was sent, or in none, though some are answered otherwise."""
    changed = [one for one in found if not scene.same(one.tried, one.tried.base)]
    telling = [one for one in changed if one.items]
    for field in members(location, found[0].before) if telling else ():
        kept = [(one, members(location, one.items).get(field, [set()])) for one in telling]
        before = {id(one): members(location, one.before).get(field, []) for one in telling}
        has = [one for one, held in kept if all(key_of(one.value) in values for values in held)]
        lacks = [one for one, held in kept if not any(key_of(one.value) in values for values in held)]
        cut = [one for one in lacks if any(key_of(one.value) in values for values in before[id(one)])]
        for kind, shows, all_of in (("filters", has, has), ("excludes", cut, lacks)):
            if len({key_of(one.value) for one in shows}) >= _SHOWN and len(all_of) == len(kept):
                other = contrast(scene, shows[0], found)
                calls = dict.fromkeys(one.tried.call.id for one in (*shows[:_SHOWN], *([other] if other else ())))
                place = f"{shows[0].place}/0{field}/0"
                yield Fact(scene.key, kind, location, place, (shows[0].tried.base.id, *calls))
                return


# What is left out


def _includes(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """A field that is true of some items where `true` is sent, and of none where `false` is, or nothing."""
    asked = next((one for one in found if key_of(one.value) == "true" and one.items), None)
    plain = next((one for one in found if key_of(one.value) == "false" and one.items), None)
    if asked is None or plain is None or scene.same(asked.tried, plain.tried.call):
        return
    without = [scalars(items) for items in (plain.items, plain.before)]
    for field, values in scalars(asked.items).items():
        none = all(field in columns and not any(value is True for value in columns[field]) for columns in without)
        if names_fit(location, field) and any(value is True for value in values) and none and False in values:
            calls = (asked.tried.base.id, asked.tried.call.id, plain.tried.call.id)
            yield Fact(scene.key, "includes", location, f"{asked.place}/0{field}", calls)
            return
