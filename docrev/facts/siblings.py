"""Fields that stand beside each other in the objects of responses, and of which one has the other's name and more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from docrev.facts.observations import Observations
from docrev.json_values.leaves import located_objects
from docrev.json_values.pointer import escape
from docrev.language.words import words
from docrev.records import Call, Json, OperationKey

_FORMS = frozenset("text name title label string display formatted description local localtime utc".split())
"""Words by which the name of a field says that it has the same in another form."""


class Beside(NamedTuple):
    """An integer or a text of an object, and a text beside it, with the call that returned them."""

    value: Json
    text: str
    call: Call


def pairs_beside(
    observations: Mapping[OperationKey, Observations],
) -> Iterator[tuple[OperationKey, str, str, list[Beside]]]:
    """(operation, location of a field, name of the field beside it, the values of both) for `price` and `price_text`.

    Only of what reading operations return.
    """
    for key, seen in observations.items():
        found: dict[tuple[str, str], list[Beside]] = {}
        for call in seen.good if key.method == "GET" else ():
            for pointer, thing in located_objects(call.body):
                for name, other in _named_alike(thing):
                    at = f"{call.status}:{pointer}/{escape(name)}"
                    found.setdefault((at, other), []).append(Beside(thing[name], thing[other], call))
        yield from ((key, at, other, pairs) for (at, other), pairs in sorted(found.items()))


def _named_alike(thing: dict[str, object]) -> Iterator[tuple[str, str]]:
    """The pairs of names of which the second adds to the first that it is a text: of a number and a text."""
    numbers = [name for name, value in thing.items() if type(value) is int]
    texts = [(name, {*words(name)}) for name, value in thing.items() if isinstance(value, str)] if numbers else []
    for name in numbers if texts else ():
        plain = {*words(name)}
        yield from ((name, other) for other, parts in texts if plain < parts <= plain | _FORMS)
