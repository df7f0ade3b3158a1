"""What a query parameter does to a response: a sentence for each kind of fact that shows an effect.

`EFFECTS` is in the order of precedence: of a parameter with several effects, the first is described. `things` are what
the operation returns, in the plural; `field` is what the effect is on.
"""

from __future__ import annotations

from docrev.conventions.parameters import Role
from docrev.facts.kind import ItemField, Sequence
from docrev.facts.kinds.pages import Paging
from docrev.facts.kinds.sorts import Order
from docrev.facts.registry import value_of
from docrev.language.phrases import joined_names
from docrev.language.words import singular
from docrev.records import Fact
from docrev.revision.labels import field_name
from docrev.revision.profiles import fits_purpose

EFFECTS = {
    "searches": "Text to search for",
    "filters": "Returns only {things} with this {field}",
    "at-least": "Minimum {field} of the {things} to return",
    "more-than": "Returns only {things} whose {field} is above this value (exclusive)",
    "at-most": "Maximum {field} of the {things} to return",
    "less-than": "Returns only {things} whose {field} is below this value (exclusive)",
    "in-year": "Returns only {things} whose {field} is in this year",
    "in-day": "Returns only {things} whose {field} is on this day",
    "excludes": "Excludes {things} with this {field}",
    "includes": "Whether to include {things} whose {field} is true",
    "sorts": "Field to sort the {things} by",
    "limits": "Maximum number of {things} to return",
    "pages": "Number of the page to return",
    "selects": "Names of the fields to return",
}
_OFFSET = "Number of {things} to skip"
_VARIANTS = {
    ("searches", "fields"): "Text to search for in {field}",
    ("filters", "member"): "Returns only {things} whose {field} contains this value",
    ("filters", "members"): "Returns only {things} whose {field} contain this value",
    ("excludes", "member"): "Excludes {things} whose {field} contains this value",
    ("excludes", "members"): "Excludes {things} whose {field} contain this value",
    ("sorts", "direction"): "Sort direction",
    ("pages", "offset"): _OFFSET,
    ("pages", "cursor"): "",
}
"""What is written instead, by what the fact's value is."""
_DIRECTIONS = frozenset({"asc", "desc", "ascending", "descending"})
ROLES = {
    Role.SEARCH: EFFECTS["searches"],
    Role.PAGE: EFFECTS["pages"],
    Role.OFFSET: _OFFSET,
    Role.PAGE_SIZE: EFFECTS["limits"],
    Role.SORT: EFFECTS["sorts"],
    Role.FIELDS: EFFECTS["selects"],
}
"""The same sentences by the role that a parameter's name gives it."""


def effect_of(fact: Fact, things: str) -> str:
    """The sentence on an effect, without a full stop; "" for a cursor, whose source is described instead."""
    variant, field = _variant(fact)
    return _VARIANTS.get((fact.kind, variant), EFFECTS[fact.kind]).format(things=things, field=field)


def _variant(fact: Fact) -> tuple[str, str]:
    """(which variant of the sentence, the quoted field or fields that the effect is on)."""
    match value_of(fact):
        case ItemField(text=place):
            name = field_name(place)
            many = "member" if singular(name) == name else "members"
            return many if place.endswith("/0") else "", f"`{name}`"
        case Sequence(values=places):
            fields = joined_names(field_name(str(place)) for place in places)
            return "fields" if places and fits_purpose(f"{EFFECTS['searches']} in {fields}") else "", fields
        case Order(value=value, field=place):
            return "direction" if is_direction(value) else "", f"`{field_name(place)}`"
        case Paging(by=by):
            return by, ""
    return "", ""


def is_direction(value: object) -> bool:
    """Whether a value is a sort direction by itself: `asc`, `descending`."""
    return str(value).lower() in _DIRECTIONS
