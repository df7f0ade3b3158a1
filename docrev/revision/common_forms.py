"""What the responses of a whole API have in common and no schema declares: where totals are, and units of time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from docrev.conventions.lists import list_of
from docrev.conventions.paging import TOTAL_HEADERS, next_of, total_of
from docrev.conventions.parameters import Role, role_in
from docrev.facts.bounds import TIMES
from docrev.grouping import grouped
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import last
from docrev.language import documentation_phrases as phrases
from docrev.language.words import words
from docrev.records import Call, Fact
from docrev.revision import labels
from docrev.revision.majority import MAX_CALLS
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.spec import MISSING, Parameter
from docrev.spec.schema import places_in

_LEAST = 2
"""Operations that must show the same."""
_UNITS = {"seconds": (10**9, 2 * 10**9), "milliseconds": (10**12, 2 * 10**12), "microseconds": (10**15, 2 * 10**15)}
"""Numbers that are moments between 2001 and 2033, by the unit in which they count from 1970."""
_SAID = re.compile(r"second|millis|micros|epoch|unix|1970|\bms\b", re.IGNORECASE)


def common_forms(operations: Sequence[ObservedOperation]) -> Iterator[Statement]:
    """What responses have in common that nobody can guess from a schema."""
    yield from _total_headers(operations)
    yield from _time_units(operations)
    yield from _page_sizes(operations)


def _total_headers(operations: Sequence[ObservedOperation]) -> Iterator[Statement]:
    """The header that has the number of all items of a list, also of those on other pages."""
    for name in TOTAL_HEADERS:
        having = [found for observed in operations for found in _items_left(observed, name)]
        more = [left for _, left in having]
        # One more than what is shown may only say that there is more: such a list was read one item further.
        if len({call.key for call, _ in having}) >= _LEAST and min(more) >= 0 and max(more) > 1:
            text = f"The number of all items of a list is in the `{labels.header_name(name)}` response header."
            yield Statement(text, "", "undeclared", calls=tuple(call.id for call, _ in having[:MAX_CALLS]))


def _items_left(observed: ObservedOperation, header: str) -> Iterator[tuple[Call, int]]:
    """The lists of an operation with a number in an undeclared header, and by how much that is more than they show."""
    if any(header in map(str.lower, each.headers) for each in observed.operation.responses.values()):
        return
    for call in observed.good:
        if call.headers.get(header, "").isdecimal() and (found := list_of(call)) is not None:
            yield call, int(call.headers[header]) - len(found.items)


def _page_sizes(operations: Sequence[ObservedOperation]) -> Iterator[Statement]:
    """How many items lists have if nothing says how many, where one was compared and others have as many, and more."""
    sized = ((parameter.key, observed) for observed in operations for parameter in _page_sizing(observed))
    for location, lists in grouped(sized).items():
        facts = [fact for observed in lists for fact in observed.at(location) if fact.kind == "default"]
        is_news = any(parameter.schema.default is MISSING for parameter in _parameters_at(lists, location))
        if is_news and len({fact.value for fact in facts}) == 1 and _have_pages(lists, location, facts):
            name, size = location.partition(":")[2], facts[0].value
            text = f"Lists return at most {size} items unless `{name}` is sent."
            yield Statement(text, "default", "bound", tuple(facts), about=phrases.DEFAULT.write(value=f"`{size}`"))


def _page_sizing(observed: ObservedOperation) -> Iterator[Parameter]:
    """The parameters that say how many items a page has."""
    for parameter in observed.operation.parameters:
        if role_in(parameter) is Role.PAGE_SIZE:
            yield parameter


def _parameters_at(lists: Sequence[ObservedOperation], location: str) -> Iterator[Parameter]:
    return (found for observed in lists if (found := observed.operation.parameter(location)) is not None)


def _have_pages(lists: Sequence[ObservedOperation], location: str, facts: Sequence[Fact]) -> bool:
    """Whether several lists have as many items as the default of one if there are more, and none has more."""
    size = facts[0].value
    calls = [call for observed in lists for call in observed.good if location not in call.arguments]
    found = [listed for call in calls if (listed := list_of(call)) is not None]
    agreeing = {fact.key for fact in facts} | {call.key for call in calls if _cut_to(call) == size}
    return len(agreeing) >= _LEAST and all(len(listed.items) <= size for listed in found)


def _cut_to(call: Call) -> int | None:
    """The number of items of a list, if there are more than these."""
    found = list_of(call)
    if found is None:
        return None
    more = (total_of(call) or 0) > len(found.items)
    return len(found.items) if more or next_of(call) is not None else None


def _time_units(operations: Sequence[ObservedOperation]) -> Iterator[Statement]:
    """The unit of times that are numbers, where all have the same and no text of a field says so."""
    found: list[tuple[str, str, Call]] = []
    for observed in operations:
        for call in observed.good if not _says_unit(observed) else ():
            found += [(unit, name, call) for unit, name in _times_in(call)]
    units, names = {unit for unit, _, _ in found}, Counter(name for _, name, _ in found)
    if len({call.key for _, _, call in found}) >= _LEAST and len(units) == 1 and "" not in units:
        name = names.most_common(1)[0][0]
        text = f"Times such as `{name}` are in {units.pop()} since 1970-01-01 UTC."
        yield Statement(text, "", "undeclared", calls=tuple(call.id for _, _, call in found[:MAX_CALLS]))


def _times_in(call: Call) -> Iterator[tuple[str, str]]:
    """The unit and the name of each moment among the whole numbers that a response calls a time."""
    for at, value in leaves(call.body, ""):
        name = last(at)
        called = words(name)
        # `start_time_ms` says its unit itself, and may be the only one that has it.
        if _SAID.search(" ".join(called)):
            continue
        if type(value) is int and TIMES.intersection(called) and value >= _UNITS["seconds"][0]:
            # A number that is no moment in any unit leaves none.
            yield next((unit for unit, (low, high) in _UNITS.items() if low <= value < high), ""), name


def _says_unit(observed: ObservedOperation) -> bool:
    """Whether the schema of a response says in a text what its times count."""
    success = observed.operation.success
    parts = places_in(success.schema if success is not None else None)
    return any(_SAID.search(schema.description) for at, schema in parts if TIMES.intersection(words(last(at))))
