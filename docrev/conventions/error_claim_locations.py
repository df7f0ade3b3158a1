"""Where a claim of a message belongs: a hint at the location of its message, below it, or at its sentence's subject."""

from __future__ import annotations

import re

from docrev.conventions.error_claims import JSON_VALUE, ON_CALLS, RELATIONS, Claim, Hint
from docrev.conventions.error_locations import ErrorLocation, place_of
from docrev.conventions.error_messages import Message
from docrev.conventions.statuses import INVALID, ON_ARGUMENTS
from docrev.language.words import words

_ON_WHOLE = re.compile(r"\b(?:body|payload|request (?:field|object)|propert(?:y|ies)|object)\b", re.I)
_REFUSED_VALUES = INVALID | {404, 409, 500, None}
"""Where a number in a sentence that names nothing may bound a value; a 403 or a 429 tells how much one may have."""
_AMOUNTS = frozenset({"minimum", "maximum", "exclusive-minimum", "exclusive-maximum", "min-items", "max-items"})


def hint_in(message: Message, subject: ErrorLocation, claim: Claim, text: str, status: int | None) -> Hint | None:
    """The hint that a claim on a subject makes in a text of a message; None if nothing can be done about it."""
    at = message.location
    unplaced = not (at.keys or at.place or subject.keys)
    if unplaced and (_tells_nothing(claim, text) or (status not in _REFUSED_VALUES and claim.kind in _AMOUNTS)):
        return None
    if claim.kind == "credentials" and _is_on_argument(message, status):
        return None
    if at.keys and subject.keys:
        claim, subject = _under_name(at, subject, claim, text)
    return hint_at(at, subject, claim, text)


def _is_on_argument(message: Message, status: int | None) -> bool:
    """Whether a response says that a value was refused: "Invalid token" under its name is on that value."""
    return message.located and bool(message.location.keys) and status in ON_ARGUMENTS


def _under_name(at: ErrorLocation, subject: ErrorLocation, claim: Claim, text: str) -> tuple[Claim, ErrorLocation]:
    """A claim and its subject in a message that stands under a name."""
    if claim.kind == "excluded-by" and claim.values == (at.name,):
        # Under `x`, "'y' must not be present with 'x'" is on `x`.
        return claim._replace(values=(subject.name,)), ErrorLocation()
    other = words(subject.name) != words(at.name)
    if other and claim == Claim("required") and f"'{subject.name}'" in text:
        # Under `x`, "field 'y' is required" is on `x`.
        return Claim("needs", (subject.name,)), ErrorLocation()
    return claim, ErrorLocation() if claim.kind == "invalid" and subject.keys[-1:] != at.keys[-1:] else subject


def _tells_nothing(claim: Claim, text: str) -> bool:
    """Whether nothing can be done about a claim without a place: what is missing or too much is not told.

    That the body is no JSON is a fault of whoever writes it, and no form of a value.
    """
    unnamed = claim in (Claim("required"), Claim("unknown")) and not _ON_WHOLE.search(text)
    return unnamed or claim == JSON_VALUE


def hint_at(at: ErrorLocation, subject: ErrorLocation, claim: Claim, text: str) -> Hint:
    """A hint at the location of its message, below it, or at the subject of its sentence if the message has none."""
    if claim.kind in ON_CALLS:
        return Hint(claim.kind, "", "", claim.values, text)
    if claim.kind == "exists" and at.keys:
        # "A device with this serial exists" under a name is on that name.
        claim = claim._replace(inside=ErrorLocation())
    where = _where(at, subject, claim)
    generic = claim.values[:1] in (("object",), ("Object",)) or claim.values == (where.name,)
    if claim.kind == "not-found" and where.name and generic:
        # What it is stands in its place.
        claim = claim._replace(values=claim.values[1:])
    return Hint(claim.kind, where.place, where.pointer, claim.values, text)


def _where(at: ErrorLocation, subject: ErrorLocation, claim: Claim) -> ErrorLocation:
    if claim.kind in RELATIONS:
        return _around_names(at, claim)
    if _is_on_body(at, claim):
        return claim.inside
    if claim == JSON_VALUE and at.keys and all(map(str.isdecimal, at.keys)):
        # Where in the text of the body it ends to be JSON.
        return ErrorLocation(at.place)
    if claim.kind == "not-found" and claim.values:
        # A sentence on what does not exist begins with its noun, which is no name of a field.
        return at if at.keys or claim.inside == ErrorLocation() else at.below(claim.inside)
    return _inside(_base(at, subject, claim), claim)


def _around_names(at: ErrorLocation, claim: Claim) -> ErrorLocation:
    """Where the names are that a claim relates to each other, given one of them or what they are in."""
    if at.name in claim.values:
        return ErrorLocation(at.place, at.keys[:-1])
    return ErrorLocation(place_of(at.name)) if len(at.keys) == 1 and place_of(at.name) else at


def _is_on_body(at: ErrorLocation, claim: Claim) -> bool:
    return claim.inside == ErrorLocation("body") and (not at.keys or bool(place_of(at.name)))


def _base(at: ErrorLocation, subject: ErrorLocation, claim: Claim) -> ErrorLocation:
    """The location of a message, or its sibling that needs another; the subject if the message has none."""
    base = ErrorLocation(at.place or subject.place, at.keys or subject.keys)
    if at.keys and subject.keys and claim.kind == "needs":
        return ErrorLocation(base.place, (*at.keys[:-1], *subject.keys))
    return base


def _inside(base: ErrorLocation, claim: Claim) -> ErrorLocation:
    """The location that a claim is on, below that of its message."""
    inside = claim.inside
    if inside == ErrorLocation() or base.keys[-len(inside.keys) :] == inside.keys:
        return base
    return inside._replace(place=base.place or inside.place) if claim.kind == "needs" else base.below(inside)
