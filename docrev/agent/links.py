"""Which answers hold what a parameter takes, as the offline agent reads it from documents."""

from __future__ import annotations

import re
from functools import lru_cache

from docrev.agent.documents import Doc, Slot
from docrev.conventions.envelopes import ENVELOPES
from docrev.language.stems import stem
from docrev.language.words import singular, words

ELSEWHERE = 0.8
"""How sure a link is at most where the documentation states another one; the one that it states is sure (1.0)."""
CODE = re.compile(r"[A-Z]{2,4}|[A-Z0-9]{3,}\d[A-Z0-9]*|[0-9a-f]{8,}|\d+")


def told(doc: Doc, slot: Slot) -> tuple[str, float]:
    """The field of an answer that a parameter could take, and how sure the documentation is of it; 0 for not at all."""
    own = slot.noun in doc.nouns
    best: tuple[str, float] = ("", 0.0)
    for path in doc.tells:
        name, last, whole, above, high = _field(path)
        sure = _same_field(slot, last, whole, slot.noun in above or (own and high)) if last else 0.0
        if sure > best[1]:
            best = (name, sure)
    if best[1] == 0.0 and own and doc.noun == slot.noun and doc.partial:
        return slot.attr or slot.noun, 0.45
    return best


@lru_cache(maxsize=65536)
def _field(path: str) -> tuple[str, tuple[str, ...], tuple[str, ...], frozenset[str], bool]:
    """A field's name, its words and their stems, the nouns that it lies under, and whether it lies high."""
    parts = [part for part in path.split("/") if part != "0"]
    last = tuple(singular(word) for word in words(parts[-1])) if parts else ()
    above = frozenset(stem(singular(words(part)[-1])) for part in parts[:-1] if words(part))
    return (parts or [""])[-1], last, tuple(stem(word) for word in last), above, len(parts) < 3


def _same_field(slot: Slot, last: tuple[str, ...], whole: tuple[str, ...], within: bool) -> float:
    if slot.attr:
        if within and last == (slot.attr,):
            return 1.0
        return 1.0 if slot.noun and whole == (slot.noun, stem(slot.attr)) else 0.0
    if whole == (slot.noun,):
        return 1.0
    if whole == (slot.noun, "code"):
        return 1.0 if looks_coded(slot) else 0.6
    if within and last in (("name",), ("code",)):
        return 1.0 if (last == ("code",)) == looks_coded(slot) else 0.4
    return 0.0


def is_akin(other: Doc, documented: Doc, field: str) -> bool:
    """Whether an answer holds the documented field of the documented operation: it is that one, or of the same things.

    A document names one place where a value was seen to come from. The same field of the same kind of thing elsewhere
    is as good: an id of `GET /movies` is one of `GET /search/movies` too.
    """
    if other is documented:
        return True
    if not documented.noun or other.noun != documented.noun:
        return False
    return any(_bare(path) == _bare(field) for path in other.tells)


@lru_cache(maxsize=65536)
def _bare(path: str) -> str:
    """A field's path without what only wraps it: `results/0/id` and `results.id` are `id`."""
    return "/".join(part for part in re.split(r"[/.]", path) if part not in ("0", "") and part.lower() not in ENVELOPES)


def looks_coded(slot: Slot) -> bool:
    """Whether the documentation shows or says that codes are sent here, not names."""
    shown = [str(one) for one in (*slot.values, slot.shown) if one is not None]
    if shown:
        return all(CODE.fullmatch(one) for one in shown)
    said = words(slot.argument.description)
    return "code" in said or "codes" in said
