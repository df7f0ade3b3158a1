"""What a query parameter does to a response: a sentence for each kind of fact that shows an effect.

`EFFECTS` is in the order of precedence: of a parameter with several effects, the first is described. A wording takes
the fact and what the operation returns, in the plural.
"""

from __future__ import annotations

from collections.abc import Callable

from docrev.language.phrases import joined
from docrev.language.words import singular
from docrev.records import Fact
from docrev.revision.labels import field_name
from docrev.revision.profiles import fits_purpose

_DIRECTIONS = frozenset({"asc", "desc", "ascending", "descending"})


def is_direction(value: object) -> bool:
    """Whether a value is a sort direction by itself: `asc`, `descending`."""
    return str(value).lower() in _DIRECTIONS


def searches(fact: Fact, things: str) -> str:
    text = f"{search_text(things)} in {joined([f'`{field_name(place)}`' for place in fact.value])}"
    return text if fact.value and fits_purpose(text) else search_text(things)


def filters(fact: Fact, things: str) -> str:
    return _by_member("Returns only", fact, things) or f"Returns only {things} with this {_field(fact)}"


def at_least(fact: Fact, things: str) -> str:
    return f"Minimum {_field(fact)} of the {things} to return"


def more_than(fact: Fact, things: str) -> str:
    return f"Returns only {things} whose {_field(fact)} exceeds this value"


def at_most(fact: Fact, things: str) -> str:
    return f"Maximum {_field(fact)} of the {things} to return"


def less_than(fact: Fact, things: str) -> str:
    return f"Returns only {things} whose {_field(fact)} is below this value"


def in_year(fact: Fact, things: str) -> str:
    return f"Returns only {things} whose {_field(fact)} is in this year"


def excludes(fact: Fact, things: str) -> str:
    return _by_member("Excludes", fact, things) or f"Excludes {things} with this {_field(fact)}"


def includes(fact: Fact, things: str) -> str:
    return f"Whether to include {things} whose {_field(fact)} is true"


def sorts(fact: Fact, things: str) -> str:
    if is_direction(fact.value["value"]):
        return f"Sort direction for `{field_name(fact.value['field'])}`"
    return sort_field(things)


def limits(fact: Fact, things: str) -> str:
    return page_size(things)


def pages(fact: Fact, things: str) -> str:
    by = {"page": page_number, "offset": offset}.get(fact.value.get("by"))
    return by(things) if by else ""


def selects(fact: Fact, things: str) -> str:
    return field_names(things)


EFFECTS: dict[str, Callable[[Fact, str], str]] = {
    "searches": searches,
    "filters": filters,
    "at-least": at_least,
    "more-than": more_than,
    "at-most": at_most,
    "less-than": less_than,
    "in-year": in_year,
    "excludes": excludes,
    "includes": includes,
    "sorts": sorts,
    "limits": limits,
    "pages": pages,
    "selects": selects,
}


def search_text(things: str) -> str:
    return "Text to search for"


def page_size(things: str) -> str:
    return f"Maximum number of {things} to return"


def page_number(things: str) -> str:
    return "Number of the page to return"


def offset(things: str) -> str:
    return f"Number of {things} to skip"


def sort_field(things: str) -> str:
    return f"Field to sort the {things} by"


def field_names(things: str) -> str:
    return "Names of the fields to return"


def _field(fact: Fact) -> str:
    return f"`{field_name(fact.value)}`"


def _by_member(verb: str, fact: Fact, things: str) -> str:
    """The sentence on a field that is a list: `200:/data/0/tags/0`; "" for any other field."""
    if not str(fact.value).endswith("/0"):
        return ""
    name = field_name(fact.value)
    contain = "contains" if singular(name) == name else "contain"
    return f"{verb} {things} whose `{name}` {contain} this value"
