"""The classes of changes: what they are called, which is worth most, and the class of a difference without evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, get_args

from docrev.records import ChangeClass, Confidence

CLASSES: Final[tuple[ChangeClass, ...]] = get_args(ChangeClass)
TITLES: Final[dict[ChangeClass, str]] = {
    "correction": "Corrections of what is false",
    "trap": "Traps",
    "experience": "Which operation to use when",
    "bound": "Bounds and allowed values",
    "source": "Sources of IDs",
    "undeclared": "Undeclared fields and statuses",
    "example": "Examples",
    "wording": "Wording",
}
_DECLARING = frozenset({"", "media-type", "properties", "content", "schema", "items", "requestBody", "parameters"})
"""Members that say what there is; others say which values it may have. "" is the whole of a thing."""


def by_worth(classes: Iterable[str]) -> tuple[ChangeClass, ...]:
    """Each of these classes once, the most valuable first; words that are no class are left out."""
    given = set(classes)
    return tuple(name for name in CLASSES if name in given)


def class_of_text(subject: str, field: str) -> ChangeClass:
    """The class of a difference in documentation, by the kind of node that changed."""
    member = field.rpartition("/")[2]
    if subject == "example" or member in ("example", "examples"):
        return "example"
    if subject == "link" or member == "links":
        return "source"
    return "experience" if member in ("experience", "experiences") else "wording"


def class_of_contract(aspect: str, verb: str) -> ChangeClass:
    """The class of a difference in the contract that docrev made, by the kind of node that changed."""
    if verb == "added" and aspect in _DECLARING:
        return "undeclared"
    return "correction" if verb == "removed" or aspect in ("type", "$ref", "reference") else "bound"


def confidence_in_words(found: Sequence[str]) -> str:
    """How many changes have which confidence; "" if none is known. "" among `found` is an unknown confidence."""
    counts = {name: found.count(name) for name in get_args(Confidence) if name in found}
    same = len(counts) == 1 and len(found) in counts.values()
    return ", ".join(name if same else f"{count:,} {name}" for name, count in counts.items())
