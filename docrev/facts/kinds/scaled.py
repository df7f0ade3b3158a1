"""`scaled`: a number is a multiple of what a text beside it says: 5695 beside "56.95 EUR"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import RESPONSE, Facts, Kind, Record
from docrev.facts.siblings import Beside
from docrev.json_values.leaves import located_objects
from docrev.json_values.pointer import escape
from docrev.records import Call, Fact


@dataclass(frozen=True)
class Scaled(Record):
    """The field beside it, how many of the number are one of the text's unit, and both as they were seen."""

    by: str
    factor: int
    number: int
    text: str


_LEAST = 2
"""Different numbers that the same factor must explain."""
_FACTORS = (10, 100, 1000, 1_000_000)
_AMOUNT = re.compile(r"[^\d.,-]{0,5}(-?\d+(?:,\d{3})*(?:\.\d+)?)\s?[^\d\s.,]{0,8}")


def _factor(number: int, text: str) -> int | None:
    """How many of a number make one of the unit of a text; None if it is not ten times something, or nothing."""
    found = _AMOUNT.fullmatch(text.strip())
    amount = Decimal(found[1].replace(",", "")) if found is not None else Decimal(0)
    return next((factor for factor in _FACTORS if number and amount * factor == number), None)


def _from_calls(view: EvidenceView) -> Facts:
    for key, at, other, pairs in view.pairs_beside:
        telling = [pair for pair in pairs if pair.value]
        factors = {_factor(pair.value, pair.text) for pair in telling}
        [factor, *others] = factors or {None}
        if factor is not None and not others and len({pair.value for pair in telling}) >= _LEAST:
            example = sorted(telling, key=lambda pair: pair.value)[len(telling) // 2]
            value = Scaled(other, factor, example.value, example.text)
            yield KIND.fact(key, at, value, ids(_calls(telling)))


def _calls(pairs: Iterable[Beside]) -> list[Call]:
    return list({pair.call.id: pair.call for pair in pairs}.values())


def _factors_in(fact: Fact, call: Call) -> set[int | None]:
    """The factors between the two fields in a response."""
    _, _, at = fact.location.partition(":")
    other = fact.value["by"]
    found = set[int | None]()
    for pointer, thing in located_objects(call.body) if call.ok else ():
        for name, number in thing.items():
            text = thing.get(other)
            if f"{pointer}/{escape(name)}" == at and number and isinstance(number, int) and isinstance(text, str):
                found.add(_factor(number, text))
    return found


KIND = Kind(
    "scaled",
    Scaled,
    RESPONSE,
    shows=lambda fact, call: _factors_in(fact, call) == {fact.value["factor"]},
    refutes=lambda fact, call: bool(_factors_in(fact, call) - {fact.value["factor"]}),
    from_calls=_from_calls,
)
