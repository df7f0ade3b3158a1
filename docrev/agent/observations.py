"""Reading observations for the offline agent: their items, and the field that was asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from docrev.agent.tasks import Clause
from docrev.agent.vocabulary import alike, topic_stems
from docrev.conventions.envelopes import ENVELOPES
from docrev.json_values.scalars import same_scalar
from docrev.language.phrases import humanise
from docrev.language.stems import stem
from docrev.language.words import plural, singular, words
from docrev.records import Json

LEAST = 0.4
"""How well a field's name must fit what was asked for."""
_WRAPS = ENVELOPES | {"item"}
_GENERIC = frozenset({"code", "name", "number", "id", "value", "valu"})
_TOTALS = ("total", "count", "total_results", "total_count")


@dataclass(frozen=True, slots=True)
class Found:
    """One object of a response: the noun of where it stands ("" on top), how deep, and its fields, lists included."""

    noun: str
    depth: int
    fields: dict[str, Json]


def items(value: Json) -> list[Found]:
    """The objects of a response, those on top first: where an envelope or a list wraps them, what is inside."""
    return list(_objects(value, "", 0)) if isinstance(value, dict | list) else []


def _objects(value: Json, noun: str, depth: int) -> Iterator[Found]:
    if isinstance(value, list):
        for part in value:
            yield from _objects(part, noun, depth)
        return
    if not isinstance(value, dict) or depth > 6:
        return
    yield Found(noun, depth, value)
    for name, part in value.items():
        if isinstance(part, dict | list) and part:
            said = words(name)
            inner = noun if name.lower() in _WRAPS or not said else stem(singular(said[-1]))
            yield from _objects(part, inner, depth if name.lower() in _WRAPS else depth + 1)


def main(value: Json) -> list[Found]:
    """What a response is about: the items of its list, or the one object that it is."""
    found = items(value)
    if not found:
        return []
    if isinstance(value, list):
        return [one for one in found if one.depth == 0 and not one.noun]
    wrapped = [one for one in found[1:] if one.depth == 0]
    if wrapped:
        return wrapped
    lists = [
        name for name, part in found[0].fields.items() if isinstance(part, list) and part and isinstance(part[0], dict)
    ]
    scalars = [name for name, part in found[0].fields.items() if not isinstance(part, list | dict)]
    if len(lists) == 1 and len(scalars) <= 4:
        noun = stem(singular(words(lists[0])[-1])) if words(lists[0]) else ""
        return [one for one in found if one.noun == noun and one.depth == 1]
    return found[:1]


def empty(value: Json) -> bool:
    """Whether a response says that there is nothing: no body, or a list without items."""
    if isinstance(value, list):
        return not value
    if isinstance(value, dict):
        lists = [part for name, part in value.items() if isinstance(part, list) and name.lower() in _WRAPS]
        return bool(lists) and not any(lists)
    return False


def choose(found: Sequence[Found], chosen: Sequence[Json], ordinal: int | None) -> list[Found]:
    """The items that values point to; without any, those at a place ("the second"), or all."""
    for value in chosen:
        same = [one for one in found if _holds(one.fields, value)]
        if same:
            found = same
    if ordinal is not None and not chosen:
        return list(found[ordinal:][:1])
    return list(found)


def holds(found: Found, value: Json) -> bool:
    """Whether an item has a value in one of its fields."""
    return _holds(found.fields, value)


def _holds(fields: dict[str, Json], value: Json) -> bool:
    return any(
        same_scalar(part, value) or (isinstance(part, dict) and _holds(part, value))
        for part in fields.values()
        if part is not None and not isinstance(part, list)
    )


def value_of(found: Sequence[Found], noun: str, attr: str, name: str) -> Json:
    """The value of a field, as a parameter wants it: by its documented name, or by noun and attribute."""
    wanted = [name, attr, f"{noun}_{attr}", f"{noun}{attr.capitalize()}", f"{noun}_code", noun]
    if not attr:
        wanted += ["name", "code"]
    for one in wanted:
        for item in found:
            value = item.fields.get(one)
            if isinstance(value, list) and value and not isinstance(value[0], dict | list):
                return value[0]
            if one and value is not None and not isinstance(value, dict | list):
                return value
    return None


def of_noun(value: Json, noun: str, own: bool) -> list[Found]:
    """The items of a response that are of a noun; the main ones where the response is about it."""
    found = items(value)
    there = [one for one in found if one.noun == noun]
    top = main(value)
    return [*top, *there] if own else [*there, *top]


def answer(
    clause: Clause,
    found: Sequence[Found],
    value: Json,
    nouns: Collection[str] = (),
    *,
    countable: bool = True,
    least: float = LEAST,
) -> Json:
    """What a clause asks for, read from the items that it is about; None where they do not tell it.

    `nouns` are what the items are: where one of them is asked for, its name is told, or what the text says to tell of
    it. `countable`: where a number is asked for and no field holds it, the items may be counted.
    """
    fields = _fields(found)
    rated = sorted(((-_fit(clause, name), at, name) for at, name in enumerate(fields)), key=lambda one: one[:2])
    best = -rated[0][0] if rated else 0.0
    itself = any(alike(word, noun) for word, weight in clause.want if weight == 1.0 for noun in nouns)
    if best >= least and not (itself and best < 0.9 and listed(value)):
        return _values(clause, found, rated[0][2], listed(value))
    if clause.counts:
        return _count(found, value) if countable and listed(value) else None
    if clause.many and not listed(value):
        lists = [name for name in fields if found and isinstance(found[0].fields.get(name), list)]
        spoken = [name for name in lists if any(alike(w, o) for w in topic_stems(humanise(name)) for o in clause.stems)]
        if spoken:
            return _values(clause, found, spoken[0], False)
    chosen = listed(value) or clause.form or clause.order or any(one.kind == "ordinal" for one in clause.values)
    told = _naming(clause, fields) if itself and chosen else ""
    return _values(clause, found, told, listed(value)) if told else None


def _naming(clause: Clause, fields: Sequence[str]) -> str:
    """The field that tells which item it is: in the form that is asked for, or its name."""
    if clause.form:
        rated = [
            (sum(any(alike(word, said) for said in clause.form) for word in topic_stems(humanise(name))), name)
            for name in fields
        ]
        best = max((score for score, _ in rated), default=0)
        if best:
            return min((len(name), name) for score, name in rated if score == best)[1]
    return next((name for name in ("name", "title", "label", "iata", "code", "id") if name in fields), "")


def ordered(clause: Clause, found: Sequence[Found]) -> list[Found]:
    """The items by the number that a superlative speaks of, the most or the least first; as they are without one."""
    if not clause.order or len(found) < 2:
        return list(found)
    for name in _fields(found):
        said = topic_stems(humanise(name.rpartition("/")[2]))
        numeric = all(isinstance(one.fields.get(name), int | float) for one in found)
        if numeric and any(alike(word, other) for word in said for other in clause.stems):
            return sorted(found, key=lambda one: clause.order * one.fields[name])
    return list(found)


def listed(value: Json) -> bool:
    """Whether a response is a list of items, wrapped or not."""
    if isinstance(value, list):
        return True
    found = main(value)
    return not found or found[0].fields is not value


def _fields(found: Sequence[Found]) -> list[str]:
    """The paths of the fields of some items: scalars, and lists of scalars."""
    names: dict[str, None] = {}
    for one in found[:50]:
        for name, part in _flat(one.fields, ""):
            if part is not None:
                names.setdefault(name)
    return list(names)


def _flat(fields: dict[str, Json], prefix: str) -> Iterator[tuple[str, Json]]:
    for name, part in fields.items():
        if isinstance(part, dict):
            if prefix.count("/") < 2:
                yield from _flat(part, f"{prefix}{name}/")
        elif not isinstance(part, list) or not part or not isinstance(part[0], dict | list):
            yield f"{prefix}{name}", part


def _fit(clause: Clause, path: str) -> float:
    """How well a field's name is what was asked for: the weight of its words in the question, all of them counted."""
    last = path.rpartition("/")[2]
    said = topic_stems(humanise(last)) or tuple(stem(word) for word in words(last))
    if not said:
        return 0.0
    wanted = (*clause.want, *((word, 0.6) for word in clause.form if all(word != other for other, _ in clause.want)))
    total = sum(max((alike(word, other) * weight for other, weight in wanted), default=0.0) for word in said)
    above = topic_stems(humanise(path.rpartition("/")[0])) if "/" in path else ()
    total += 0.3 * sum(
        max((alike(word, other) * weight for other, weight in clause.want), default=0.0) for word in above
    )
    most = max((weight for _, weight in clause.want), default=1.0)
    missing = sum(
        0.1 if other in _GENERIC else 0.35
        for other, weight in clause.want
        if weight == most and not any(alike(other, word) for word in (*said, *above))
    )
    best = max((alike(word, other) * weight for word in said for other, weight in wanted), default=0.0)
    return 0.5 * (total / len(said) + best) - min(missing, 0.25)


def _values(clause: Clause, found: Sequence[Found], path: str, several: bool) -> Json:
    values = [part for one in found for name, part in _flat(one.fields, "") if name == path]
    asks_many = clause.many or _plural(clause, path)
    if not asks_many or (not several and len(values) == 1):
        return values[0] if values else None
    return values


def _plural(clause: Clause, path: str) -> bool:
    """Whether the text names the field in the plural: "the codes of", "which languages"."""
    last = (words(path.rpartition("/")[2]) or ("",))[-1]
    one = singular(last)
    many = plural(one)
    text = clause.text.lower()
    return many != one and f" {many}" in f" {text}" and f" {one} " not in f" {text} "


def _count(found: Sequence[Found], value: Json) -> Json:
    if isinstance(value, dict):
        for holder in (value, *(part for part in value.values() if isinstance(part, dict))):
            for name in _TOTALS:
                if isinstance(holder.get(name), int):
                    return holder[name]
    return len(found)


def following(value: Json) -> Json:
    """Where a paged answer goes on by its own account: a cursor or a page number; None where it does not."""
    if not isinstance(value, dict):
        return None
    for name, part in value.items():
        low = name.lower()
        if isinstance(part, dict) and low in ("meta", "paging", "pagination", "cursors", "page", "links"):
            inner = following(part)
            if inner is not None:
                return inner
        elif low in ("next", "next_cursor", "cursor", "next_page", "next_page_token", "after") and part not in (
            None,
            "",
            False,
        ):
            return part if not str(part).startswith(("http", "/")) else None
    page, pages = value.get("page"), value.get("pages") or value.get("total_pages") or value.get("last_page")
    if isinstance(page, int) and isinstance(pages, int) and page < pages:
        return page + 1
    per, total = value.get("per_page"), value.get("total") or value.get("count")
    if isinstance(page, int) and isinstance(per, int) and isinstance(total, int) and page * per < total:
        return page + 1
    return None
