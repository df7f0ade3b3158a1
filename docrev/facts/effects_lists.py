"""What a parameter does to the list that an operation answers: filters, searches, sorts, selects fields of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from docrev.facts.effects_trials import Listing, Scene, Tried, fold, items_at, key_of, listing, number, scalars
from docrev.facts.shape import format_of
from docrev.language.words import singular, words
from docrev.records import Fact, Json

MIN_SORTED = 3
"""Different values of a field that must stand in order before it is called sorted."""
_SIGNED = re.compile(r"([-+]?)(.+?)(?:[:.\s_,](asc|desc|ascending|descending))?", re.I)
_DIRECTIONS = {"asc": "ascending", "ascending": "ascending", "desc": "descending", "descending": "descending"}
_NAMING = ("name", "title", "label")


class Seen(NamedTuple):
    """A trial that was answered 2xx, with the items of its list, those of its base, and where the list is."""

    tried: Tried
    pointer: str
    items: list[Json]
    before: list[Json]

    @property
    def place(self) -> str:
        return f"{self.tried.call.status}:{self.pointer}"

    @property
    def value(self) -> Json:
        return self.tried.value


def seen(scene: Scene, location: str) -> list[Seen]:
    """The trials of a location whose answer has the list that its base has."""
    found = []
    for tried in scene.values(location):
        one: Listing | None = listing(tried.base.body)
        items = items_at(tried.call, one.pointer) if one is not None and tried.ok else None
        if one is not None and items is not None and tried.call.status == tried.base.status:
            found.append(Seen(tried, one.pointer, items, one.items))
    return found


def names_fit(parameter: str, field: str) -> int:
    """How well the name of a parameter names a field: 3 the same, 2 part of it, 0 not at all."""
    one = [singular(word) for word in words(parameter.partition(":")[2])]
    two = [singular(word) for word in words(field.rpartition("/")[2])]
    if not one or not two:
        return 0
    return 3 if "".join(one) == "".join(two) else 2 if set(one) <= set(two) or set(two) <= set(one) else 0


def list_facts(scene: Scene, location: str) -> Iterator[Fact]:
    """The facts on what a query parameter does to the items of a list."""
    found = seen(scene, location)
    if not found or not scene.steady:
        return
    filters = list(_filters(scene, location, [one for one in found if not _fraction(one.value)]))
    yield from filters
    if not filters:
        bounds = list(_bounds(scene, location, found))
        yield from bounds
        if not bounds:
            yield from _searches(scene, location, found)
    yield from _sorts(scene, location, found)
    yield from _directions(scene, location, found)
    yield from _selects(scene, location, found)


# Filters


def _filters(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """A field that all items have with the value that was sent, while omitting it, or another value, gives others."""
    telling: dict[str, list[Seen]] = {}
    excluded: set[str] = set()
    for one in found:
        if one.items and not scene.same(one.tried, one.tried.base):
            for field, values in scalars(one.items).items():
                if all(value is not None and _equal(value, one.value) for value in values):
                    telling.setdefault(field, []).append(one)
                else:
                    excluded.add(field)
    for one in found:
        # All items may have the value: then it shows only that it is no other filter.
        if one.items and scene.same(one.tried, one.tried.base):
            for field, values in scalars(one.items).items():
                if (
                    all(value is not None and _equal(value, one.value) for value in values)
                    and names_fit(location, field) == 3
                ):
                    telling.setdefault(field, []).append(one)
    candidates = []
    for field, shows in telling.items():
        fit = names_fit(location, field)
        other = contrast(scene, shows[0], found)
        distinct = {key_of(one.value) for one in shows}
        if field in excluded or other is None or not (fit or len(distinct) >= 2):
            continue
        before = [(one.value, scalars(one.before).get(field, [""])) for one in shows]
        if fit == 3 or any(not _equal(value, sent) for sent, values in before for value in values):
            candidates.append((fit, len(distinct), field, shows[0], other))
    if not candidates:
        return
    best = max(candidates, key=lambda one: one[:2])
    if sum(one[0] == best[0] for one in candidates) > 1 and not best[0]:
        return
    _, _, field, one, other = best
    calls = dict.fromkeys((one.tried.call.id, one.tried.base.id, other.tried.call.id))
    yield Fact(scene.key, "filters", location, f"{one.place}/0{field}", tuple(calls))


def _equal(value: Json, sent: Json) -> bool:
    return key_of(value) == key_of(sent)


def contrast(scene: Scene, one: Seen, found: Iterable[Seen]) -> Seen | None:
    """A trial with another value that was answered otherwise."""
    others = (other for other in found if key_of(other.value) != key_of(one.value))
    return next((other for other in others if not scene.same(other.tried, one.tried.call)), None)


def _bounds(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """A field that in all items is at least, or at most, the number, or the date, that was sent."""
    shows = [(n, one) for one in found if one.items and (n := measure(one.value)) is not None]
    shows = [(n, one) for n, one in shows if not scene.same(one.tried, one.tried.base)]
    if len({n for n, _ in shows}) < 2:
        return
    for field in scalars(shows[0][1].items):
        if bounds_fit(location, field):
            for kind, holds in (("at-least", _at_least), ("at-most", _at_most)):
                cut = [one for n, one in shows if _cuts(one, field, n, holds)]
                beyond = any(key_of(v) != key_of(n) for n, one in shows for v in scalars(one.items).get(field, []))
                if beyond and all(_within(one, field, n, holds) for n, one in shows) and len(cut) >= 2:
                    calls = (cut[0].tried.base.id, *(one.tried.call.id for one in cut[:2]))
                    said = kind if not _left_out(shows, field) else _BEYOND[kind]
                    yield Fact(scene.key, said, location, f"{cut[0].place}/0{field}", calls)
                    return


_BEYOND = {"at-least": "more-than", "at-most": "less-than"}


def _left_out(shows: list[tuple[float | str, Seen]], field: str) -> bool:
    """Whether items whose field is the bound itself are never answered, where without the bound they are."""
    held = [
        [any(measure(value) == n for value in scalars(items).get(field, [])) for items in (one.before, one.items)]
        for n, one in shows
    ]
    return any(before for before, _ in held) and not any(after for _, after in held)


def _fraction(value: Json) -> bool:
    return (n := number(value)) is not None and not float(n).is_integer()


BOUNDING = frozenset(["gte", "lte", "gt", "lt", "ge", "le", "min", "max", "minimum", "maximum"])
"""Words in the name of a parameter that bounds what the other words name."""
_TIMES = frozenset(["time", "date", "modified", "updated", "created", "published", "at", "on", "timestamp", "day"])
_SINCE = frozenset(["since", "after", "from", "start", "before", "until", "to", "end", "newer", "older"])


def bounds_fit(parameter: str, field: str) -> bool:
    """Whether a parameter may bound a field: it names it, or it says since when, and the field is a time."""
    last = {*words(field.rpartition("/")[2])}
    named = {*words(parameter.partition(":")[2])}
    rest = {singular(word) for word in named - BOUNDING}
    part = bool(named & BOUNDING and rest) and rest <= {singular(word) for word in last}
    return bool(names_fit(parameter, field) or part or (named & _SINCE and last & _TIMES))


def measure(value: Json) -> float | str | None:
    """What can be compared: a number, or a date; None for anything else."""
    if (n := number(value)) is not None:
        return float(n)
    return value if isinstance(value, str) and format_of([value]) in ("date", "date-time") else None


def _at_least(value: float | str, bound: float | str) -> bool:
    return value >= bound if isinstance(value, str) is isinstance(bound, str) else False  # type: ignore[operator]


def _at_most(value: float | str, bound: float | str) -> bool:
    return value <= bound if isinstance(value, str) is isinstance(bound, str) else False  # type: ignore[operator]


_Holds = Callable[[float | str, float | str], bool]


def _within(one: Seen, field: str, bound: float | str, holds: _Holds) -> bool:
    values = [measure(value) for value in scalars(one.items).get(field, [])]
    return all(value is not None and holds(value, bound) for value in values)


def _cuts(one: Seen, field: str, bound: float | str, holds: _Holds) -> bool:
    """Whether some items that are answered without the bound are beyond it."""
    before = [measure(value) for value in scalars(one.before).get(field, [])]
    return any(value is not None and not holds(value, bound) for value in before)


# Searches


def _searches(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """Fields of which in every item one contains the text that was sent, while nonsense finds nothing."""
    shows = [one for one in found if one.items and _text(one.value)]
    nothing = next((one for one in found if not one.items and isinstance(one.value, str)), None)
    if nothing is None or len({one.value for one in shows}) < 2:
        return
    rows: list[set[str]] = []
    for one in shows:
        wanted = fold(one.value)
        held = [set[str]() for _ in one.items]
        for field, values in scalars(one.items).items():
            for row, value in zip(held, values, strict=True):
                # Two letters are in many a code by chance.
                telling = len(wanted) > 2 or field.rpartition("/")[2] in _NAMING
                if isinstance(value, str) and telling and wanted in fold(value):
                    row.add(field)
        rows += held
    fields = _cover(rows)
    if fields and any(_lacks(one, fields, shows) for one in shows):
        calls = dict.fromkeys((shows[0].tried.call.id, shows[1].tried.call.id, nothing.tried.call.id))
        places = [f"{shows[0].place}/0{field}" for field in sorted(fields)]
        yield Fact(scene.key, "searches", location, places, tuple(calls))


def _text(value: Json) -> bool:
    return isinstance(value, str) and len(value) >= 2 and number(value) is None


def _cover(rows: list[set[str]]) -> list[str]:
    """The fewest fields, the commonest first, of which every row has one; none where a row has none."""
    left, chosen = rows, list[str]()
    if not all(rows):
        return []
    while left:
        counts: dict[str, int] = {}
        for row in left:
            for field in row:
                counts[field] = counts.get(field, 0) + 1
        best = min(
            counts, key=lambda field: (-counts[field], field.rpartition("/")[2] not in _NAMING, len(field), field)
        )
        chosen.append(best)
        left = [row for row in left if best not in row]
    return chosen


def _lacks(one: Seen, fields: Iterable[str], shows: Iterable[Seen]) -> bool:
    """Whether what is answered without the text, or for another, has an item without it."""
    wanted = fold(one.value)
    for items in (one.before, *(other.items for other in shows if other.value != one.value)):
        values = scalars(items)
        columns = [values.get(field, []) for field in fields]
        texts = ["\n".join(str(value) for value in row) for row in zip(*columns, strict=False)]
        if any(wanted not in fold(text) for text in texts):
            return True
    return False


# Sorting


def order_of(values: Iterable[Json]) -> str:
    """ascending, descending, or "" where the values stand in no order, or are too few to tell."""
    known = [value for value in values if value is not None]
    if len({key_of(value) for value in known}) < MIN_SORTED:
        return ""
    for rank in _RANKS:
        try:
            ranked = [rank(value) for value in known]
            if all(a <= b for a, b in pairwise(ranked)):
                return "ascending"
            if all(a >= b for a, b in pairwise(ranked)):
                return "descending"
        except (TypeError, AttributeError):
            continue
    return ""


_RANKS: tuple[Callable[[Json], Json], ...] = (
    lambda value: value,
    lambda value: value.casefold(),
    fold,
    lambda value: re.sub(r"[^\w]", "", fold(value)),
)


def _sorts(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """One fact for each value that names a field by which the items then stand in order."""
    texts = [one for one in found if isinstance(one.value, str) and len(one.items) >= MIN_SORTED]
    columns = {key_of(one.value): scalars(one.items) for one in texts}
    for one in texts:
        wanted = _named_field(one.value, columns[key_of(one.value)])
        if wanted is None:
            continue
        order = order_of(columns[key_of(one.value)][wanted])
        others = (
            other
            for other in texts
            if wanted in columns[key_of(other.value)] and order_of(columns[key_of(other.value)][wanted]) != order
        )
        contrast = next(others, None)
        if order and contrast is not None:
            value = {"value": one.value, "field": f"{one.place}/0{wanted}", "order": order}
            calls = (one.tried.call.id, contrast.tried.call.id)
            yield Fact(scene.key, "sorts", location, value, calls)


def _named_field(value: str, columns: Mapping[str, list[Json]]) -> str | None:
    match = _SIGNED.fullmatch(value)
    wanted = words(match.group(2)) if match else ()
    named = {field: words(field.rpartition("/")[2]) for field in columns} if wanted else {}
    same = [field for field, own in named.items() if own == wanted]
    # `primary_release_date` may be what the answer calls `release_date`.
    part = [field for field, own in named.items() if len(own) > 1 and wanted[-len(own) :] == own]
    return min(same or part, key=lambda field: (field.count("/"), field), default=None)


def _directions(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """`asc` and `desc` alone: the one field that stands in the one order for one, in the other for the other."""
    both = {_DIRECTIONS[str(one.value).lower()]: one for one in found if str(one.value).lower() in _DIRECTIONS}
    up, down = both.get("ascending"), both.get("descending")
    if up is None or down is None:
        return
    after = scalars(down.items)
    fields = [
        field
        for field, values in scalars(up.items).items()
        if order_of(values) == "ascending" and order_of(after.get(field, [])) == "descending"
    ]
    if len(fields) == 1:
        for order, one, other in (("ascending", up, down), ("descending", down, up)):
            value = {"value": one.value, "field": f"{one.place}/0{fields[0]}", "order": order}
            yield Fact(scene.key, "sorts", location, value, (one.tried.call.id, other.tried.call.id))


# Selecting


def _selects(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """Where the items have the field that is asked for, and, asked for another or for none that is, have not."""
    for one in found:
        before, after = _names(one.before), _names(one.items)
        asked = {part.strip() for part in str(one.value).split(",")}
        if not one.items or not asked <= after <= before:
            continue
        for other in found:
            without = _names(other.items)
            if len(other.items) == len(one.items) and without < before and asked.isdisjoint(without):
                calls = (one.tried.call.id, one.tried.base.id, other.tried.call.id)
                yield Fact(scene.key, "selects", location, one.place, calls)
                return


def _names(items: Iterable[Json]) -> set[str]:
    return {name for item in items if isinstance(item, dict) for name in item}
