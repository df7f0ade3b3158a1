"""People's texts that whole responses refute: two that were swapped, a total that counts one page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.json_values import pointer as pointers
from docrev.json_values.leaves import values_at
from docrev.language.words import words
from docrev.records import Json
from docrev.revision.cut_lists import cut_correction
from docrev.revision.places import Spot
from docrev.revision.refutations import MUCH, Shown, is_refuted_uuid, mended_clause, refutation, stated_constant
from docrev.revision.response_samples import counts_one_page
from docrev.revision.state_notes import IGNORED_SINCE, is_at_property
from docrev.revision.trap_notes import bound_correction, corrected, scale_correction
from docrev.spec import Operation
from docrev.spec.schema import places_in
from docrev.spec.texts import count_words

_TOTAL = re.compile(r"\b(?:found|total|all|matching|overall|altogether)\b", re.IGNORECASE)


def refuted(spot: Spot, identified: str = "") -> str:
    """What calls refute of the text of a parameter or property; `identified` is the field that has its values.

    A clause of a longer text is mended where it stands: see `mended`.
    """
    found = ignored(spot) or corrected(spot) or cut_correction(spot) or refutation(spot.text, _shown(spot, identified))
    return "" if found and found == mended(spot, identified) else found


def mended(spot: Spot, identified: str = "") -> str:
    """A longer text with the clause mended that calls refute, and the rest as it was; "" if they refute no clause."""
    if count_words(spot.text) < MUCH or spot.kind not in ("parameter", "property") or ignored(spot):
        return ""
    clauses = (scale_correction(spot), bound_correction(spot), cut_correction(spot))
    return next(filter(None, clauses), "") or mended_clause(spot.text, _shown(spot, identified))


def has_false_example(spot: Spot, example: Json, identified: str = "") -> bool:
    """Whether an example is what calls refute that values are, as the text beside it says."""
    return is_refuted_uuid(spot.text, _shown(spot, identified), example)


def _shown(spot: Spot, identified: str) -> Shown:
    facts = [fact for use in spot.uses for fact in use.facts if use.location]
    tried = [value for value, _ in spot.values]
    is_sent = spot.kind == "parameter" or spot.first.location.startswith("body:")
    return Shown(facts, spot.telling_values, tried, spot.name, identified, spot.beside, spot.taken, is_sent)


def ignored(spot: Spot) -> str:
    """That what a text describes is passed over in the body of a request."""
    facts = [fact for fact in spot.first.facts if fact.kind == "no-effect"]
    why = IGNORED_SINCE.get(facts[0].value) if facts else None
    if len(spot.uses) > 1 or not spot.text or why is None or not is_at_property(spot.first.observed, facts[0]):
        return ""
    return f"Ignored; {why}."


def is_false_total(spot: Spot) -> bool:
    """Whether a text says that a number counts all that was found, and it counts what is on a page that was cut."""
    pointer = spot.first.location.partition(":")[2]
    is_total = spot.kind == "property" and _TOTAL.search(spot.text) is not None
    return is_total and counts_one_page(spot.first.observed.good, pointer)


def swapped_text(spot: Spot) -> str:
    """What the text of a property should be, as it stands at another one; "" if nothing shows that they are swapped.

    One text says that its property always has a value that only the other one has, and has in every object; the other
    text names the first property.
    """
    if spot.kind != "property" or not spot.text:
        return ""
    observed, (status, _, pointer) = spot.first.observed, spot.first.location.partition(":")
    above, name = pointers.parent(pointer), pointers.last(pointer)
    around = (values_at(call.body, above) for call in observed.good if str(call.status) == status)
    objects = [value for values in around for value in values if isinstance(value, dict)]
    for other, text in _texts_beside(observed.operation, status, above):
        pairs = ((name, spot.text, other, text), (other, text, name, spot.text))
        if other != name and any(_is_swapped(*pair, objects) for pair in pairs):
            return text
    return ""


def _texts_beside(operation: Operation, status: str, above: str) -> Iterator[tuple[str, str]]:
    """The properties of an object of a response, with their descriptions."""
    response = operation.response(int(status)) if status.isdecimal() else None
    for at, schema in places_in(response.schema if response is not None else None):
        if pointers.parent(at) == above:
            yield pointers.last(at), schema.description


def _is_swapped(name: str, text: str, other: str, other_text: str, objects: list[dict[str, Json]]) -> bool:
    """Whether `text` states the constant of `other`, and `other_text` names `name`."""
    constant = stated_constant(text)
    if not constant or not objects or name not in words(other_text) or other in words(other_text):
        return False
    return all(thing.get(other) == constant != thing.get(name) for thing in objects)
