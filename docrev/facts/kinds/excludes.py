"""`excludes`: a list leaves out the items whose list of values has the value that was sent."""

from __future__ import annotations

from itertools import chain, islice

from docrev.facts.items import refuted_by_items
from docrev.facts.kind import PARAMETER, Facts, ItemField, Kind
from docrev.facts.kinds import filters
from docrev.facts.parameter_trials import ListTrial, ParameterTrials
from docrev.facts.wire_values import key_of
from docrev.language.words import singular, words
from docrev.records import Json


def _among(sent: object, values: list[Json]) -> bool:
    return any(key_of(value) == key_of(sent) for value in values)


NEGATING = frozenset(["without", "exclude", "excluding", "excluded", "not", "except", "no"])
"""Words in the name of a parameter that leaves out what it names."""
_FILLER = NEGATING | frozenset(["with", "by", "filter", "in", "is", "has", "any", "all", "only", "id", "code", "slug"])
_MIN_VALUES = 2
"""Different values that must have chosen alike."""


def _from_trials(trials: ParameterTrials) -> Facts:
    """A list that has the value that was sent in all items (`filters`), or in none, though some changed something."""
    lists = trials.changed_lists
    fields = members(trials.location, trials.lists[0].before) if lists else ()
    yield from islice(chain.from_iterable(_by_field(trials, lists, field) for field in fields), 1)


def _by_field(trials: ParameterTrials, lists: list[ListTrial], field: str) -> Facts:
    rows = [(one, members(trials.location, one.items).get(field, [set()])) for one in lists]
    having = [one for one, held in rows if all(one.key in values for values in held)]
    lacking = [one for one, held in rows if not any(one.key in values for values in held)]
    if len(having) == len(rows):
        yield from _chosen(trials, filters.KIND, field, having)
    elif len(lacking) == len(rows):
        yield from _chosen(trials, KIND, field, [one for one in lacking if _had(trials.location, one, field)])


def _chosen(trials: ParameterTrials, kind: Kind[ItemField], field: str, shown: list[ListTrial]) -> Facts:
    if len({one.key for one in shown}) >= _MIN_VALUES:
        contrast = trials.contrast(shown[0], trials.lists)
        ids = dict.fromkeys(one.id for one in (*shown[:_MIN_VALUES], *([contrast] if contrast else ())))
        place = ItemField(f"{shown[0].location}/0{field}/0")
        yield kind.fact(trials.key, trials.location, place, (shown[0].trial.base.id, *ids))


def _had(location: str, one: ListTrial, field: str) -> bool:
    """Whether an item that is returned without the parameter has the value."""
    return any(one.key in values for values in members(location, one.before).get(field, []))


def members(location: str, items: list[Json]) -> dict[str, list[set[str]]]:
    """The lists of plain values in items that a parameter may be about: pointer → what each item holds."""
    rows = [item for item in items if isinstance(item, dict)]
    names = (name for name in dict.fromkeys(chain.from_iterable(rows)) if _about(location, name))
    columns = {name: [_keys(row.get(name)) for row in rows] for name in names}
    plain = {name: held for name, held in columns.items() if None not in held}
    return {f"/{name}": [keys for keys in held if keys is not None] for name, held in plain.items()}


def _about(location: str, name: str) -> bool:
    """Whether a parameter and a field are about the same: `with_genres` and `genre_ids` are about genres."""
    one, other = ({singular(word) for word in words(text)} - _FILLER for text in (location.partition(":")[2], name))
    return bool(one and other) and (one <= other or other <= one)


def _keys(value: Json) -> set[str] | None:
    """The values of a list of plain values; None for anything else."""
    plain = isinstance(value, list) and not any(isinstance(part, list | dict) for part in value)
    return set(map(key_of, value)) if plain else None


def negates(location: str) -> bool:
    """Whether a parameter's name says that it leaves something out."""
    return bool(NEGATING & {*words(location.partition(":")[2])})


KIND = Kind("excludes", ItemField, PARAMETER, "choose", refutes=refuted_by_items(_among), from_trials=_from_trials)
