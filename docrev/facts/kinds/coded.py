"""`coded`: a number stands for a name that a field beside it has: 1 beside "urgent"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from docrev.conventions.run_names import is_invented
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import RESPONSE, Facts, Kind, Record
from docrev.json_values.leaves import located_objects
from docrev.json_values.pointer import escape
from docrev.records import Call, Fact


@dataclass(frozen=True)
class Coded(Record):
    """The field beside it, and the name for each number, as a text."""

    by: str
    names: Mapping[str, str]


_LEAST = 2
_MOST = 12
"""Names beyond which it is a list of things, and no code."""


def _from_calls(view: EvidenceView) -> Facts:
    for key, at, other, pairs in view.pairs_beside:
        both = {(str(pair.value), pair.text) for pair in pairs}
        names = dict(sorted(both, key=lambda one: int(one[0])))
        is_one_to_one = len(both) == len(names) == len({*names.values()})
        if not is_one_to_one or not _LEAST <= len(names) <= _MOST or not all(map(_is_name, names.values())):
            continue
        first = {pair.text: pair.call for pair in reversed(pairs)}
        if len(pairs) > len(names):
            # Any of the others shows it as well: one that is made again for other facts is the cheapest.
            shown = {call.id: call for call in (*first.values(), *(pair.call for pair in pairs))}
            yield KIND.fact(key, at, Coded(other, names), ids(shown.values()))


def _is_name(text: str) -> bool:
    return not any(letter.isdigit() for letter in text) and 0 < len(text.split()) <= 3 and not is_invented(text)


def _names_in(fact: Fact, call: Call) -> set[tuple[str, str]]:
    """The numbers of a response whose names are known, with the names that stand beside them."""
    _, _, at = fact.location.partition(":")
    value = KIND.value_of(fact)
    found = set[tuple[str, str]]()
    for pointer, thing in located_objects(call.body) if call.ok else ():
        for name, number in thing.items():
            if f"{pointer}/{escape(name)}" == at and str(number) in value.names and thing.get(value.by):
                found.add((str(number), str(thing[value.by])))
    return found


KIND = Kind(
    "coded",
    Coded,
    RESPONSE,
    shows=lambda fact, call: bool(found := _names_in(fact, call)) and found <= {*fact.value["names"].items()},
    refutes=lambda fact, call: bool(_names_in(fact, call) - {*fact.value["names"].items()}),
    from_calls=_from_calls,
)
