"""Probing a parameter that takes texts: words that are searched for, orders, cursors, days, values of fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from docrev.conventions.error_claims import TYPED
from docrev.conventions.examples import documented_values, values_of_type
from docrev.conventions.fields import CODES, NAMES
from docrev.conventions.lists import ListFound
from docrev.conventions.parameters import ORDERING, SEARCHES, Role, role_in
from docrev.evidence import Evidence
from docrev.exploration import probe_values as values
from docrev.exploration.item_details import READ_IN_ORDER, ItemDetails
from docrev.exploration.probe_bench import Bench
from docrev.exploration.probe_hints import distinct, states_length
from docrev.facts.kinds.pages import next_values
from docrev.facts.kinds.sorts import MIN_SORTED, sortable_fields
from docrev.facts.kinds.whole_days import is_end
from docrev.facts.parameter_trials import NONSENSE, SAME, names_fit, scalars
from docrev.facts.shape import format_of
from docrev.facts.strong_proof import sorted_by, values_to_try
from docrev.facts.trials import list_in
from docrev.facts.wire_values import key_of, measure
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import parent
from docrev.language.words import words
from docrev.prompts.steps import Steps
from docrev.records import Call, Json
from docrev.spec import Parameter

_LONG = 300
_MAX_VALUES = 4
_MAX_UNSHOWN = 2
_MAX_ORDERS = 6
_MAX_ORDERED = 3
"""Fields by which a list is sorted until one changes it, so that a direction can be seen."""
_EARLIEST, _LATEST = "1900-01-01", "2999-12-31"
_MAX_CALLS = 200
"""Responses that are searched for days."""


class TextTrials:
    """The trials of texts for the parameters of one reading operation, by what its bench and its items show."""

    def __init__(self, bench: Bench, graph: ToolGraph, details: ItemDetails | None, evidence: Evidence) -> None:
        self._bench, self._graph, self._details, self._evidence = bench, graph, details, evidence

    def run(self, parameter: Parameter, answers: Sequence[tuple[Json, Call]]) -> Steps[None]:
        """Send texts for a parameter, by its role; `answers` are those to nonsense."""
        bench = self._bench
        location, role = parameter.key, role_in(parameter)
        if role is Role.CURSOR:
            bench.narrow()
            onward = [value for _, value in next_values(location, bench.base.body)]
            yield from bench.tries(location, onward[:1])
        elif sorting := sorted_by(bench.operation, parameter):
            yield from self._beside_orders(parameter, sorting)
        elif role in ORDERING:
            chosen = [*values_to_try(parameter)[:_MAX_ORDERS], *values.sort_values(parameter, bench.items)]
            yield from bench.tries(location, distinct(chosen)[: 2 * _MAX_ORDERS])
            if role is not Role.DIRECTION:
                yield from self._in_directions(location)
            yield from self._by_details(location)
        else:
            yield from self._plain(parameter, answers)

    def _plain(self, parameter: Parameter, answers: Sequence[tuple[Json, Call]]) -> Steps[None]:
        """Send texts that a filter or a search may take."""
        bench = self._bench
        location, role = parameter.key, role_in(parameter)
        yield from bench.tries(location, distinct(self._likely_texts(parameter))[:_MAX_VALUES])
        if location in bench.arguments and is_end(parameter.name):
            yield from self._single_day(location)
        if all(call.ok and bench.is_unchanged(call) for _, call in answers):
            yield from bench.tries(location, values.values_beyond_all(location))
        if role in SEARCHES or any(states_length(call, location) for _, call in answers):
            yield from bench.tries(location, ["x" * _LONG, "d"])
        if role in SEARCHES:
            parts = [] if location in bench.arguments else values.search_parts(bench.items)
            yield from bench.tries(location, parts)
            bench.enrich(location)

    def _beside_orders(self, parameter: Parameter, sorting: Iterable[Parameter]) -> Steps[None]:
        """Turn the order of a field that another parameter names: alone, a direction may change nothing."""
        bench, location = self._bench, parameter.key
        chosen = values_to_try(parameter) or values.DIRECTIONS
        yield from bench.tries(location, chosen[:_MAX_ORDERS])
        for other in sorting:
            fields = [*documented_values(other.schema), *sortable_fields(bench.items)]
            changing = (call for call in bench.calls_with(other.key) if call.ok and not bench.is_unchanged(call))
            known = [call.arguments[other.key] for call in changing if other.key in call.arguments]
            for field in distinct([*known, *fields])[:_MAX_ORDERED]:
                tried = len(bench.calls_with(location))
                yield from bench.on({**bench.arguments, other.key: field}, location, chosen)
                if len(bench.calls_with(location)) > tried:
                    return

    def _in_directions(self, location: str) -> Steps[None]:
        """Name a field with the words for the directions in one form after the other, if no sign turns the order."""
        bench, fields = self._bench, sortable_fields(self._bench.items)
        others = (role_in(one) for one in bench.operation.parameters if one.location == "query")
        if not fields or Role.DIRECTION in others or _is_turned(bench.calls_with(location), location):
            return
        for down, up in values.directed(fields[-1]):
            found = yield from bench.tries(location, [down])
            if any(call.ok and list_in(call) not in _unsorted(bench, location) for _, call in found):
                yield from bench.tries(location, [up])
                return

    def _by_details(self, location: str) -> Steps[None]:
        """Sort by fields that only single items have, and read items of what that returns."""
        if self._details is not None and self._details.shows_more and len(self._bench.items) >= MIN_SORTED:
            yield from self._details.read([self._bench.base])
            found = yield from self._bench.tries(location, self._details.orders())
            changed = (call for _, call in found if call.ok and call.body != self._bench.base.body)
            yield from self._details.read(changed, READ_IN_ORDER)

    def _single_day(self, location: str) -> Steps[None]:
        """Ask for one day on which something was, from its beginning to its end, and for a range that has no day."""
        day = _commonest_day(self._evidence, self._bench.operation.tool)
        others = [
            place for place, value in self._bench.arguments.items() if place != location and measure(value) == value
        ]
        if day and len(others) == 1:
            yield from self._bench.on(
                {**self._bench.arguments, others[0]: day, location: _LATEST}, location, [day, _EARLIEST]
            )

    def _fed_texts(self, parameter: Parameter) -> Iterator[Json]:
        """Values of the fields that feed a parameter, and of those that its text names."""
        samples = self._graph.values.samples
        for edge in self._graph.producers(self._bench.operation.key, parameter.key)[:2]:
            yield from samples(edge.source, edge.pointer)[:2]
            # What the text calls the value may be another field of the same things, which is refused.
            called = {*words(parameter.description.lower())}.difference(NAMES, CODES)
            for word in sorted(called):
                yield from samples(edge.source, f"{parent(edge.pointer)}/{word}")[:1]

    def _unshown(self, location: str) -> list[Json]:
        """A few values that feed a parameter and that no item has in the field that is called so: they show whether the
        list leaves out something, as closed issues."""
        columns = scalars(self._bench.items)
        named = [column for field, column in columns.items() if names_fit(location, field) == SAME]
        shown = {key_of(value) for column in named for value in column}
        edges = self._graph.producers(self._bench.operation.key, location)[:2] if shown else ()
        fed = distinct(value for edge in edges for value in self._graph.values.samples(edge.source, edge.pointer))
        return [value for value in fed if key_of(value) not in shown][:_MAX_UNSHOWN]

    def _likely_texts(self, parameter: Parameter) -> list[Json]:
        """Texts that a parameter may take: documented, named by errors, seen in items, or sent before."""
        location, role, items = parameter.key, role_in(parameter), self._bench.items
        chosen = values_to_try(parameter)[:_MAX_VALUES]
        chosen += [
            value for s in self._bench.statements(location) if s.kind in TYPED for value in values_of_type(s.values[0])
        ]
        chosen += values.member_values(location, items)
        chosen += values.filter_values(location, items, self._bench.base.body)
        chosen += self._unshown(location)
        chosen += values.middle_values(location, items)
        chosen += self._bench.fruitful(location)
        if role in (Role.FIELDS, Role.EXPAND):
            chosen = values.field_names(items) or chosen
        chosen += values.values_by_name(parameter.name)
        chosen += self._fed_texts(parameter)
        if items and (role in SEARCHES or not chosen):
            chosen = [*values.search_texts(items, location in self._bench.arguments), *chosen]
        return chosen


def _is_turned(calls: Iterable[Call], location: str) -> bool:
    """Whether a minus sign before a name turned the order, or another value may have, since it says a direction."""
    lists = {str(call.arguments.get(location)): list_in(call) for call in calls if call.ok}
    unread = [found for value, found in lists.items() if value in NONSENSE]
    turned = (value for value in lists if value.startswith("-") and lists[value] not in unread)
    return any(value[1:] in lists and lists[value] != lists[value[1:]] for value in turned) or any(
        {*words(value)} & {"asc", "desc"} for value in lists
    )


def _unsorted(bench: Bench, location: str) -> list[ListFound | None]:
    """The lists without an order, and with one that nobody knows."""
    nonsense = (call for call in bench.calls_with(location) if call.arguments.get(location) in NONSENSE)
    return [list_in(call) for call in (bench.base, *nonsense)]


def _commonest_day(evidence: Evidence, tool: str) -> str:
    """The day of most of the times that a tool returned; "" if it returned none."""
    calls = (call for call in evidence.calls.select(purpose="survey", ok=True) if call.key.tool == tool)
    texts = (value for call in islice(calls, _MAX_CALLS) for _, value in leaves(call.body) if isinstance(value, str))
    days = Counter(text[: len(_LATEST)] for text in texts if format_of([text]) == "date-time")
    return max(sorted(days), key=lambda day: days[day], default="")
