"""What the name of a slot says beside the kind that it holds; and Roman numerals for names."""

from __future__ import annotations

from docrev.language.words import singular, words
from docrev.simulator.names import each

ORDERINGS = frozenset(each("top popular latest new release all list item result my current get the of"))


def role(slot: str, kind: str) -> str:
    """What a slot says beside the kind: `related-artists` of an artist is "related"; order words say nothing."""
    parts = [singular(word) for word in words(slot)]
    own = set(words(kind)) | {kind, "id", "ids"}
    rest = [part for part in parts if part not in own and part not in ORDERINGS]
    if {"playing", "currently"} & set(parts) or slot == "item":
        return "playing"
    return "-".join(rest)


def roman(value: int) -> str:
    """A number in Roman numerals: what tells two of the same name apart."""
    out = ""
    for size, mark in (
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ):
        out, value = out + mark * (value // size), value % size
    return out
