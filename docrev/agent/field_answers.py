"""Which field of what was returned answers a clause, and the answer that it gives."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from docrev.agent.clauses import Clause
from docrev.agent.responses import SeenObject, SeenResponse
from docrev.agent.vocabulary import alike, topic_stems
from docrev.language.phrases import humanise
from docrev.language.stems import stem
from docrev.language.words import plural, singular, words
from docrev.records import Json

MIN_FIT = 0.4
"""How well a field's name must fit what was asked for."""
SURE_FIT = 0.9
"""The fit of a field that is taken even if the items themselves are asked for."""
FORM_WEIGHT, HOLDER_WEIGHT = 0.6, 0.3
"""What counts a word of the form that is asked for, and one of the object that a field lies in."""
MISSING, GENERIC_MISSING, MAX_MISSING = 0.35, 0.1, 0.25
"""What a wanted word takes off that a field's name lacks; one that says little; and all of them together at most."""
MAX_ITEMS = 50
"""Items whose fields are looked at."""
_GENERIC = frozenset(stem(word) for word in ("code", "name", "number", "id", "value"))
_NAMES = ("name", "title", "label", "iata", "code", "id")
"""The fields that an item is called by, the best first."""


def answer(
    clause: Clause,
    items: Sequence[SeenObject],
    response: SeenResponse,
    nouns: Collection[str] = (),
    *,
    countable: bool = True,
    least: float = MIN_FIT,
) -> Json:
    """What a clause asks for, read from the items that it is about; None if they do not contain it.

    `nouns` are what the items are: if one of them is asked for, the answer is its name, or the field that the text
    asks to be called. `countable`: if a number is asked for and no field has it, the items may be counted.
    """
    fields = _field_paths(items)
    best, path = max(((_fit(clause, one), one) for one in fields), key=lambda rated: rated[0], default=(0.0, ""))
    wants_items = _wants(clause, nouns)
    if best >= least and not (wants_items and best < SURE_FIT and response.is_list):
        return _values(clause, items, path, several=response.is_list)
    if clause.counts:
        return _count(items, response) if countable and response.is_list and response.items else None
    inner = _inner_list(clause, items, response, fields)
    if inner is None and wants_items:
        return _names(clause, items, response, fields)
    return inner


def _wants(clause: Clause, nouns: Collection[str]) -> bool:
    """Whether things themselves are asked for, and not what they have."""
    return any(alike(word, noun) for word, weight in clause.want if weight == 1.0 for noun in nouns)


def _inner_list(clause: Clause, items: Sequence[SeenObject], response: SeenResponse, fields: Sequence[str]) -> Json:
    """The list within a single object that a clause asks for several things of."""
    if not clause.many or response.is_list:
        return None
    lists = (name for name in fields if isinstance(items[0].fields.get(name), list))
    asked = (name for name in lists if any(alike(w, o) for w in topic_stems(humanise(name)) for o in clause.stems))
    path = next(asked, None)
    return None if path is None else _values(clause, items, path, several=False)


def _names(clause: Clause, items: Sequence[SeenObject], response: SeenResponse, fields: Sequence[str]) -> Json:
    """What the items are called, if the clause asks which they are."""
    by_place = any(value.kind == "ordinal" for value in clause.values)
    path = _naming_field(clause, fields) if response.is_list or clause.form or clause.order or by_place else ""
    return _values(clause, items, path, several=response.is_list) if path else None


def _naming_field(clause: Clause, fields: Sequence[str]) -> str:
    """The field that an item is called by: in the form that is asked for, or its name."""
    rated = {name: _form_words(clause, name) for name in fields}
    best = max(rated.values(), default=0)
    if best:
        return min((len(name), name) for name, score in rated.items() if score == best)[1]
    return next((name for name in _NAMES if name in fields), "")


def _form_words(clause: Clause, name: str) -> int:
    """How many words of a field's name are in the form that a clause asks for ("its IATA code")."""
    return sum(any(alike(word, asked) for asked in clause.form) for word in topic_stems(humanise(name)))


def sort_items(clause: Clause, items: Sequence[SeenObject]) -> list[SeenObject]:
    """The items by the number that a superlative is about, the most or the least first; as they are without one."""
    if clause.order and len(items) > 1:
        for name in _field_paths(items):
            numeric = all(isinstance(item.fields.get(name), int | float) for item in items)
            label = topic_stems(humanise(name.rpartition("/")[2]))
            if numeric and any(alike(word, other) for word in label for other in clause.stems):
                return sorted(items, key=lambda item: clause.order * item.fields[name])
    return list(items)


def _field_paths(items: Sequence[SeenObject]) -> list[str]:
    """The paths of the fields of some items: scalars, and lists of scalars."""
    paths = (path for item in items[:MAX_ITEMS] for path, part in _fields(item.fields, "") if part is not None)
    return list(dict.fromkeys(paths))


def _fields(fields: dict[str, object], prefix: str) -> Iterator[tuple[str, Json]]:
    for name, part in fields.items():
        if isinstance(part, dict):
            if prefix.count("/") < 2:
                yield from _fields(part, f"{prefix}{name}/")
        elif not isinstance(part, list) or not part or not isinstance(part[0], dict | list):
            yield f"{prefix}{name}", part


def _fit(clause: Clause, path: str) -> float:
    """How well a field's name is what was asked for: the weight of its words in the question, all of them counted."""
    holder, _, last = path.rpartition("/")
    label = topic_stems(humanise(last)) or tuple(stem(word) for word in words(last))
    if not label:
        return 0.0
    above = topic_stems(humanise(holder))
    asked = dict(clause.want)
    wanted = {**dict.fromkeys(clause.form, FORM_WEIGHT), **asked}
    weights = [_weight(word, wanted) for word in label]
    total = sum(weights) + HOLDER_WEIGHT * sum(_weight(word, asked) for word in above)
    return 0.5 * (total / len(label) + max(weights)) - min(_missing(asked, (*label, *above)), MAX_MISSING)


def _weight(word: str, wanted: dict[str, float]) -> float:
    return max((alike(word, other) * weight for other, weight in wanted.items()), default=0.0)


def _missing(asked: dict[str, float], present: Sequence[str]) -> float:
    """What the most wanted words take off that a field does not have."""
    most = max(asked.values(), default=1.0)
    absent = (word for word, weight in asked.items() if weight == most and not any(alike(word, o) for o in present))
    return sum(GENERIC_MISSING if word in _GENERIC else MISSING for word in absent)


def _values(clause: Clause, items: Sequence[SeenObject], path: str, *, several: bool) -> Json:
    values = [part for one in items for name, part in _fields(one.fields, "") if name == path]
    asks_many = clause.many or _asks_plural(clause, path)
    if not asks_many or (not several and len(values) == 1):
        return values[0] if values else None
    return values


def _asks_plural(clause: Clause, path: str) -> bool:
    """Whether the text names the field in the plural: "the codes of", "which languages"."""
    one = singular((words(path.rpartition("/")[2]) or ("",))[-1])
    many = plural(one)
    text = f" {clause.text.lower()} "
    return many != one and f" {many}" in text and f" {one} " not in text


def _count(items: Sequence[SeenObject], response: SeenResponse) -> int:
    return len(items) if response.total is None else response.total
