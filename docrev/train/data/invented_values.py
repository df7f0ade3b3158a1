"""Values that nobody was seen to send: those that a description tells, else such as a parameter's name calls for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from docrev.conventions.examples import fit_type, guess_values
from docrev.conventions.parameters import Role, role_of
from docrev.language.path_subjects import owner, subject
from docrev.language.words import singular, words
from docrev.records import Json
from docrev.spec import Operation, Schema
from docrev.train.data.vocabulary import BY_NAME, NAMED, PEOPLE

_TELLING = re.compile(
    r"\b(?:one of|e\.\s?g|eg\.|such as|for example|for instance|like|either|allowed|examples?)\b", re.I
)
_MARKED = re.compile(r"`([^`\n]{1,60})`|\"([^\"\n]{1,60})\"|“([^”\n]{1,60})”|(?<!\w)'([^'\n]{1,60})'(?!\w)")
_BARE = re.compile(
    r"(?:e\.\s?g\.?|eg\.|for example|such as|examples?:)[,:]?\s+([\w@.:/+ -]{1,40}?)(?=[,;)]|\.?$|\.\s)", re.I
)

_PERSONS = frozenset(
    {"person", "user", "customer", "contact", "member", "employee", "author", "owner", "friend", "people"}
)
_IDENTIFIERS = frozenset({"id", "ids", "uuid", "guid", "key"})
_DATES = ("on", "at", "date", "since", "until", "before", "after")
_ENDS = ("from", "to", "source", "target", "origin", "destination", "base", "start", "end")
_BETWEEN: tuple[tuple[frozenset[str], tuple[Json, ...]], ...] = (
    (frozenset({"currency", "currencies", "exchange", "convert", "rate", "rates"}), ("EUR", "USD", "JPY", "KES")),
    (frozenset({"airport", "airports", "flight", "flights", "iata"}), ("CDG", "JFK", "HND", "LIS")),
    (frozenset({"translate", "translation", "language"}), ("en", "fr", "pt")),
)
_NAMING = ("name", "title", "label")


def told_in(description: str) -> list[str]:
    """The values that a description gives as examples or as all there are: "One of `a` and `b`", "(e.g. Paris)"."""
    begins = _TELLING.search(description)
    if begins is None:
        return []
    rest = description[begins.start() :]
    marked = [next(filter(None, groups)) for groups in _MARKED.findall(rest)]
    if marked:
        return list(dict.fromkeys(marked))
    bare = _BARE.search(rest)
    return [bare[1].strip()] if bare is not None and bare[1].strip() else []


def invented(operation: Operation, location: str, schema: Schema, description: str, random: Random) -> Json:
    """A value for a parameter (`query:city`, `body:/name`); None if its type takes none that can be said."""
    kind = schema.type
    if kind in ("array", "object"):
        return None
    if kind == "boolean":
        return random.choice((True, False))
    name = location.partition(":")[2].rpartition("/")[2] if location[:5] == "body:" else location.partition(":")[2]
    choices = [*(_fitting(told_in(description), kind) or _fitting(_called(operation, location, name), kind))]
    choices = choices or ([] if kind is None or kind == "string" else guess_values(name, schema))
    bounded = [value for value in choices if _is_within(value, schema)]
    return random.choice(bounded or choices or [_number(schema, random)])


def _fitting(values: list[Json] | list[str], kind: str | None) -> list[Json]:
    return [fitted for value in values if (fitted := fit_type(value, kind)) is not None]


def _ends(operation: Operation) -> Sequence[Json]:
    """Where a journey may begin or end, by what it is a journey with."""
    about = {*words(operation.path), *words(operation.name), *operation.summary.lower().split()}
    return next((values for known, values in _BETWEEN if known & about), BY_NAME["city"])


def _called(operation: Operation, location: str, name: str) -> list[Json]:
    """Values by what a name calls them, together with whose name it is; [] if it says nothing."""
    own = tuple(singular(word) if len(word) > 3 else word for word in words(name))
    if not own or own[-1] in _IDENTIFIERS:
        return []
    role = role_of(name)
    if role is Role.SORT:
        return _sorted_by(operation)
    if own[-1] in _ENDS:
        return list(_ends(operation))
    whose = owner(operation.path, name) if location.startswith("path:") else subject(operation.path).noun
    noun = words(whose)
    by_noun = BY_NAME.get(noun[-1], ()) if noun else ()
    return list(by_noun if role is Role.SEARCH and by_noun else _by_words(own, noun, by_noun))


def _by_words(own: tuple[str, ...], noun: tuple[str, ...], by_noun: Sequence[object]) -> Sequence[Json]:
    """Values by the words of a name, and of the noun whose name it is."""
    for name in ((*noun[-1:], *own), own[-2:], own[-1:], own[:1]):
        if " ".join(name) in BY_NAME:
            return BY_NAME[" ".join(name)]
    if own[-1] in _DATES and len(own) > 1:
        return BY_NAME["date"]
    if own[-1] in _NAMING:
        return by_noun or (PEOPLE if _PERSONS & {*noun, *own} else NAMED)
    return ()


def _sorted_by(operation: Operation) -> list[Json]:
    """The fields of what is listed that one would sort by."""
    success = operation.success
    schema = success.schema if success is not None else None
    fields = [at.rpartition("/")[2] for at, part in schema.walk(4) if not part.properties()] if schema else []
    good = [name for name in fields if {*words(name)} & {"name", "title", "date", "population", "rating", "price"}]
    return list(dict.fromkeys(good)) or ["name"]


def _is_within(value: object, schema: Schema) -> bool:
    low, high, most = schema.get("minimum"), schema.get("maximum"), schema.get("maxLength")
    if isinstance(value, str):
        return not (isinstance(most, int) and len(value) > most)
    if isinstance(value, int | float):
        above = not isinstance(low, int | float) or low <= value
        return above and (not isinstance(high, int | float) or value <= high)
    return True


def _number(schema: Schema, random: Random) -> Json:
    """What looks like an id: there is nothing else to say."""
    number = random.randint(101, 9899)
    return number if schema.type in ("integer", "number") else str(number)
