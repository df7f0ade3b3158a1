"""What is said of the list that an operation returns: its pages, its order, and what it is if nothing matches."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.conventions.parameters import ORDERING, PAGING, role_of
from docrev.conventions.time_order import claimed_order
from docrev.facts.kinds import past_end as past_end_kind
from docrev.facts.registry import SHOWS_PAGES
from docrev.language import documentation_phrases as phrases
from docrev.revision import labels
from docrev.revision.notes import MAX_CALLS, Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.place_facts import last
from docrev.revision.response_samples import order


def pages(observed: ObservedOperation) -> Iterator[Statement]:
    """How the next page is requested: by the URL in a header, or with a cursor."""
    for fact in observed.all("pages"):
        place = str(fact.value.get("next", ""))
        if ":header:" in place:
            header = labels.header_name(place.rpartition(":")[2])
            yield Statement(phrases.next_page_url(header), facts=(fact,), quotes=(header,))
            return
        if fact.value.get("by") == "cursor" and fact.location.startswith("query:"):
            field, parameter = ".".join(labels.steps(place)), fact.location.partition(":")[2]
            text = phrases.NEXT_PAGE.write(field=field, parameter=parameter)
            yield Statement(text, facts=(fact,), quotes=(field, parameter))
            return


def past_end(observed: ObservedOperation) -> Iterator[Statement]:
    """That a page behind the last one is refused: most lists return an empty page, by which readers know that they are
    done."""
    for fact in observed.all(past_end_kind.KIND.name):
        found = past_end_kind.KIND.value_of(fact)
        name = found.parameter.partition(":")[2]
        yield Statement(f"If `{name}` is past the last page, returns {found.status}, not an empty list.", facts=(fact,))


def common_past_end(statement: Statement) -> str:
    """The sentence on pages behind the last one for all lists of an API."""
    found = past_end_kind.KIND.value_of(statement.facts[0])
    name = found.parameter.partition(":")[2]
    return f"If `{name}` is past the last page, lists return {found.status}, not an empty page."


def sorted_by(observed: ObservedOperation) -> Iterator[Statement]:
    """The order of a list that comes in pages and that nobody asked for; a parameter's default stands there."""
    found = order(observed.good) if observed.key.method == "GET" and _is_paged(observed) else None
    defaults = {fact.location for fact in observed.all("default")}
    if found is None or _declares_order(observed, found[0]):
        return
    if not any(fact.location in defaults for fact in observed.all("sorts")):
        text = f"Sorted by `{found[0]}`" + (" in descending order." if found[1] else ".")
        yield Statement(text, calls=tuple(call.id for call in observed.good[:MAX_CALLS]))


def newest_first(observed: ObservedOperation) -> Iterator[Statement]:
    """That a list begins with what was created last, unless a field or the text says so."""
    if claimed_order(observed.operation.text) is None and not any(sorted_by(observed)):
        for fact in observed.all("newest-first"):
            yield Statement("What was created last comes first.", facts=(fact,))


def _declares_order(observed: ObservedOperation, field: str) -> bool:
    """Whether the default of a parameter that sorts names a field, maybe without the noun before it."""
    sorting = (p.schema for p in observed.operation.parameters if role_of(p.name) in ORDERING)
    named = [name for schema in sorting for name in re.findall(r"\w+", str(schema.default))]
    return any(field == name or field.endswith(f"_{name}") for name in named)


def _is_paged(observed: ObservedOperation) -> bool:
    """Whether a list comes in pages: by its facts, or by the names of its parameters."""
    shown = any(fact.kind in SHOWS_PAGES for facts in observed.facts.values() for fact in facts)
    return shown or any(role_of(parameter.name) in PAGING for parameter in observed.operation.parameters)


def empty(observed: ObservedOperation) -> Iterator[Statement]:
    """What is returned if nothing matches."""
    for fact in observed.all("empty")[:1]:
        what = f"`{last(fact.location)}`" if "/" in fact.location else "list"
        text = phrases.NOTHING_MATCHES.write(status=fact.value["status"], list=what)
        yield Statement(text, facts=(fact,))
