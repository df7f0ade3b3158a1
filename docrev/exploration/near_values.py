"""Values for path parameters that stand for something else than the id of an item: `/users/by-email/{email}`.

They are what responses show under that name, in the answers of what lies nearest to the operation by its path. A name
may have the noun before the field, `{flow_name}` is `name` of `/flows`, and an id may be a member of something else:
`{id}` of `/run_states` is `state_id`.
"""

from __future__ import annotations

from collections.abc import Iterator

from docrev.conventions.envelopes import ENVELOPES, plain_name
from docrev.conventions.ids import IDENTIFIERS
from docrev.graph.values import Values
from docrev.json_values.pointer import last, split
from docrev.language.path_templates import parameters_of
from docrev.language.words import singular_words, words
from docrev.records import Json, OperationKey
from docrev.spec import Operation

MAX_VALUES = 3
_MAX_PLACES = 3


def near_values(operation: Operation, name: str, values: Values) -> list[Json]:
    """Values for the path parameter of a name, those of the nearest places first; nothing if none is near."""
    found: list[Json] = []
    for nouns, field in _readings(operation, name):
        places = [place for place in _named(operation.tool, field, values) if nouns <= nouns_in(place[0].path)]
        # A word alone may be a field of anything, though the path has it; a `credit_id` is one of a credit anywhere.
        about = nouns_in(operation.path).difference(field if len(field) == 1 else ())
        places = [place for place in places if nouns or about & nouns_in(place[0].path)]
        kind = nouns or frozenset(singular_words(_segment_before(operation.path, name)))
        places.sort(key=lambda place: -len(nouns_in(place[0].path) & nouns_in(operation.path)))
        for place in sorted(places, key=lambda place: _is_of_other(place[1], kind))[:_MAX_PLACES]:
            found += values.samples(*place)[:MAX_VALUES]
    return list(dict.fromkeys(value for value in found if value not in ("", None)))[:MAX_VALUES]


def _readings(operation: Operation, name: str) -> Iterator[tuple[frozenset[str], tuple[str, ...]]]:
    """The nouns and the field that a parameter may mean: of what, and what of it.

    Several of one kind are counted, or told apart by what they are there for: `{handle1}` and `{other_handle}`.
    """
    parts = words(name.rstrip("0123456789")) or words(name)
    if len(parts) == 1 and parts[0] in IDENTIFIERS:
        kind = singular_words(_segment_before(operation.path, name))
        for at in range(len(kind)):
            yield frozenset(), (*kind[at:], *parts)
    for at in range(len(parts)):
        yield frozenset(singular_words("_".join(parts[:at]))), parts[at:]
    if len(parts) > 1 and parts[-1] in IDENTIFIERS:
        yield frozenset(), parts[-1:]


def _segment_before(path: str, name: str) -> str:
    return path.partition(f"{{{name}}}")[0].rstrip("/").rpartition("/")[2]


def _is_of_other(place: str, kind: frozenset[str]) -> int:
    """How far a field is from a kind of thing: 0 for one of `track`, 2 for one of the `album` within it."""
    around = [step for step in split(place.partition(":")[2])[:-1] if plain_name(step) not in ENVELOPES]
    holder = next((frozenset(singular_words(step)) for step in reversed(around) if not step.isdecimal()), frozenset())
    return 0 if holder and holder >= kind else 2 if holder else 1


def _named(tool: str, field: tuple[str, ...], values: Values) -> list[tuple[OperationKey, str]]:
    """The places of the fields of a name, in any spelling."""
    spellings = dict.fromkeys(("_".join(field), "".join(field), "-".join(field)))
    return [place for spelling in spellings for place in values.named(tool, spelling) if words(last(place[1])) == field]


def nouns_in(path: str) -> frozenset[str]:
    """The words of a path, in the singular, without its parameters."""
    for name in parameters_of(path):
        path = path.replace(f"{{{name}}}", "")
    return frozenset(word for part in path.split("/") for word in singular_words(part))
