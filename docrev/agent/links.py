"""Which operations return what a parameter takes, as the built-in agent reads it from documents."""

from __future__ import annotations

import re
from functools import lru_cache

from docrev.agent.documents import Doc
from docrev.agent.parameters import CODE, Slot
from docrev.conventions.envelopes import ENVELOPES, plain_name
from docrev.language.stems import stem
from docrev.language.words import singular, words

SURE = 1.0
LIKELY = 0.6
"""A code if nothing shows that codes are taken."""
UNSTATED = 0.45
"""A field that a partial document may have left out."""
POSSIBLE = 0.4
"""A name if codes are taken, or a code if names are."""
MAX_HIGH = 3
"""Steps of a pointer that lies high: in the items of the list that a response is about."""


def field_for(doc: Doc, slot: Slot) -> tuple[str, float]:
    """The field of an operation's response that a parameter could take, and how sure that is; 0 for not at all."""
    is_topic = slot.noun in doc.nouns
    best: tuple[str, float] = ("", 0.0)
    for path in doc.fields:
        name, parts, above, is_high = _field(path)
        within = slot.noun in above or (is_topic and is_high)
        sure = _likeness(slot, parts, within) if parts else 0.0
        if sure > best[1]:
            best = (name, sure)
    if best[1] == 0.0 and is_topic and doc.noun == slot.noun and doc.is_partial:
        return slot.attr or slot.noun, UNSTATED
    return best


@lru_cache(maxsize=65536)
def _field(path: str) -> tuple[str, tuple[str, ...], frozenset[str], bool]:
    """A field's name, the words of it, the nouns that it lies under, and whether it lies high."""
    steps = [part for part in path.split("/") if part != "0"]
    parts = tuple(singular(word) for word in words(steps[-1])) if steps else ()
    above = frozenset(stem(words(step)[-1]) for step in steps[:-1] if words(step))
    return (steps or [""])[-1], parts, above, len(steps) < MAX_HIGH


def _likeness(slot: Slot, parts: tuple[str, ...], within: bool) -> float:
    """How sure a field is what a parameter takes; `within`: it is one of the thing that the parameter identifies."""
    label = tuple(map(stem, parts))
    if slot.attr:
        is_own = within and parts == (slot.attr,)
        return SURE if is_own or (slot.noun and label == (slot.noun, stem(slot.attr))) else 0.0
    if label == (slot.noun,):
        return SURE
    if label == (slot.noun, stem("code")):
        return SURE if slot.takes_codes else LIKELY
    if within and parts in (("name",), ("code",)):
        return SURE if (parts == ("code",)) == slot.takes_codes else POSSIBLE
    return 0.0


def is_equivalent(other: Doc, documented: Doc, field: str) -> bool:
    """Whether an operation returns the documented field of the documented operation, or the same of the same things.

    A document names one place where a value was seen to come from. The same field of the same kind of thing elsewhere
    is as good: an id of `GET /movies` is one of `GET /search/movies` too.
    """
    if other is documented:
        return True
    if not documented.noun or other.noun != documented.noun:
        return False
    return any(_without_envelopes(path) == _without_envelopes(field) for path in other.fields)


@lru_cache(maxsize=65536)
def _without_envelopes(path: str) -> str:
    """A field's path without what only wraps it: `results/0/id` and `results.id` are `id`."""
    steps = (step for step in re.split(r"[/.]", path) if step not in ("0", ""))
    return "/".join(step for step in steps if plain_name(step) not in ENVELOPES)


def has_code_shape(slot: Slot, text: str) -> bool:
    """Whether a text looks like the codes that the documentation shows: as long, and in the same case."""
    code = next((str(value) for value in (slot.example, *slot.values) if value is not None), "")
    return bool(CODE.fullmatch(code)) and len(code) == len(text) and code.isupper() == text.isupper()
