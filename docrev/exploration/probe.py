"""Probing: few, purposeful calls that show what parameters take and do, each with one argument changed.

An operation is called as it worked before; then one argument at a time gets another value, chosen by what the answers
so far say. What is inferred from these calls is shown again by fresh ones before the probing of the operation ends, so
that nothing the run itself writes comes between. Where documentation is poorest comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from docrev.calls.routes import Routes
from docrev.conventions.error_hints import TYPED, Hint, hints_about
from docrev.conventions.examples import guess_values, values_of_type
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.parameters import ORDERING, Role, role_of
from docrev.conventions.run_names import PROBES, run_name
from docrev.evidence import Evidence
from docrev.exploration import probe_values as values
from docrev.exploration.experiments import Experiment
from docrev.exploration.item_details import READ_IN_ORDER, ItemDetails
from docrev.exploration.probe_bench import Bench, bases
from docrev.exploration.probe_places import Places
from docrev.exploration.probe_properties import body_bench, probe_property, subjects
from docrev.exploration.same_named import SameNamed
from docrev.exploration.second_looks import SecondLooks
from docrev.facts.kinds.allowed_values import MAX_ALLOWED
from docrev.facts.kinds.clamps import echoes
from docrev.facts.kinds.pages import next_values
from docrev.facts.kinds.sorts import MIN_SORTED
from docrev.facts.kinds.whole_days import is_end
from docrev.facts.parameter_trials import EVERYTHING, HUGE, NONSENSE
from docrev.facts.registry import LIST_EFFECTS, with_effect
from docrev.facts.shape import format_of
from docrev.facts.strong_proof import is_proven, values_to_try
from docrev.facts.trial_inference import infer_from_trials
from docrev.facts.trial_replays import replay_trials
from docrev.facts.trials import UNCHANGED, UNKNOWN, items_at, list_in
from docrev.facts.wire_values import key_of, measure, number
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import last
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, Fact, Json, OperationKey
from docrev.spec import MISSING, Catalog, Operation, Parameter

_UNKNOWN_NAMES = ("docrev_unknown", "zz_docrev")
_FIRST_LISTS = 3
"""Lists of a service that are called with unknown parameters early."""
_LONG = 300
_EXPECTED: dict[Role, tuple[int, int]] = {
    **dict.fromkeys([Role.SEARCH, Role.NAME], (9, 24)),
    **dict.fromkeys(ORDERING, (6, 13)),
    **dict.fromkeys([Role.FIELDS, Role.EXPAND], (1, 10)),
    Role.PAGE_SIZE: (4, 18),
    Role.PAGE: (4, 11),
    Role.OFFSET: (2, 8),
    Role.CURSOR: (1, 4),
}
"""New facts and calls by the role of a parameter, as they were counted over a number of services."""
_CLAIM = 3
"""What it is worth to check a number that a text claims: nobody who believes it finds out that it is another."""
_OTHER = (3, 11)
"""The same for a parameter of any other role."""
_LEFT_OUT = (1.0, 3.0)
"""The same for leaving out what all calls have: is it required?"""
_OF_ITEMS = (3, 10)
"""Further facts, and calls, if the items that such a parameter chooses can be read one by one."""
_PLAIN = (4, 5)
"""The same for one in a path or a header: little can be asked of those."""
_SHORT = 0.4
"""The share of these facts that a short list shows; later, more may be in it."""
_KNOWN = 0.15
"""What each thing that is documented takes off."""
_SEARCHES = (Role.SEARCH, Role.NAME)
_OF_DETAILS = frozenset([*with_effect("choose", "default"), "combines", "unknown-values", "unrecognised"])
"""Kinds of facts on fields that only single items have."""
_MAX_VALUES = 4
_MAX_ORDERS = 6
_MAX_FAILED = 40
_NUMERIC = ("integer", "number")
_BOTH = frozenset(["true", "false"])
_EARLIEST, _LATEST = "1900-01-01", "2999-12-31"
_MAX_CALLS = 200
"""Responses that are searched for days."""
_UNTOUCHED = frozenset(["authorization", "accept", "content-type", "cookie", "host", "user-agent"])


@dataclass(slots=True)
class Probed:
    """The facts on parameters that were shown twice, and those that were not."""

    kept: list[Fact] = field(default_factory=list)
    dropped: list[Fact] = field(default_factory=list)

    def add(self, other: Probed) -> None:
        """Take in what another part of the probing found."""
        self.kept += other.kept
        self.dropped += other.dropped


class _Shown:
    """Infers from the trials of a bench, and shows what is new again: as soon as a parameter was tried.

    So a budget that ends in the midst of an operation leaves the facts on the parameters before.
    """

    def __init__(self, bench: Bench, same_named: SameNamed, details: ItemDetails | None = None) -> None:
        self.probed = Probed()
        self._bench, self._same_named, self._details = bench, same_named, details
        self._known: set[tuple[str, str, str]] = set()

    def again(self, location: str | None = None) -> Steps[None]:
        """Show the facts on one location again; without it, those that need a look at all of them."""
        bench = self._bench
        mine = (trial for trial in bench.trials if location is None or trial.location in (UNCHANGED, location))
        trials = {bench.operation.key: tuple(mine)}
        plain = infer_from_trials(trials, bench.look)
        kept, dropped = yield from replay_trials(self._new(plain), trials, bench.look)
        self.probed.add(Probed(kept, dropped))
        if self._details is not None:
            joined = infer_from_trials(trials, self._joined)
            chosen = {fact.location for fact in plain if fact.kind in LIST_EFFECTS}
            free = [fact for fact in joined if fact.kind in _OF_DETAILS and fact.location not in chosen]
            wanted = [*free, *self._orders(joined)]
            kept, dropped = yield from replay_trials(self._new(wanted), trials, self._joined, self._details.joined)
            self.probed.add(Probed(kept, dropped))

    def _joined(self, id: str) -> Call | None:
        """The call of an id, with what is known of its items."""
        call = self._bench.look(id)
        return call if call is None or self._details is None else self._details.joined(call)

    def _orders(self, joined: Iterable[Fact]) -> list[Fact]:
        """The values that sort by a field of single items, upwards and downwards: one order alone may be chance."""
        found = [fact for fact in joined if fact.kind == "sorts" and self._is_of_details(fact)]
        orders: dict[str, set[str]] = {}
        for fact in found:
            orders.setdefault(fact.value["field"], set()).add(fact.value["order"])
        return [fact for fact in found if len(orders[fact.value["field"]]) > 1]

    def _is_of_details(self, fact: Fact) -> bool:
        """Whether a value sorts otherwise than nothing does, by a field that only single items have."""
        call, base = self._bench.look(fact.calls[0]), self._bench.plain_call[1]
        listed = self._details is not None and self._details.is_listed(f"query:{last(fact.value['field'])}")
        return not listed and call is not None and call.body != base.body

    def _new(self, facts: Iterable[Fact]) -> list[Fact]:
        """The facts that were not shown before, and for which enough was tried."""
        found = []
        bench = self._bench
        for fact in facts:
            name = (fact.kind, fact.location, canonical(fact.value))
            elsewhere = self._same_named.values(bench, fact.location)
            if name not in self._known and is_proven(fact, bench.operation, bench.trials, bench.look, elsewhere):
                self._known.add(name)
                found.append(fact)
        return found


class Prober:
    """Offers the experiments on parameters and properties; `reached` are arguments with which each operation worked.

    `places` knows where this run created something that is still there; `looks` see whether a GET changed what it read.
    """

    def __init__(
        self,
        catalog: Catalog,
        graph: ToolGraph,
        evidence: Evidence,
        reached: Mapping[OperationKey, dict[str, Json]],
        places: Places,
        looks: SecondLooks,
    ) -> None:
        self._catalog, self._graph, self._evidence, self._looks = catalog, graph, evidence, looks
        self._reached, self._places = reached, places
        self._same_named, self._routes = SameNamed(graph), Routes(catalog.operations)
        self._parts: list[Probed] = []
        self._lists: dict[str, int] = {}

    @property
    def probed(self) -> Probed:
        """What was found so far."""
        found = Probed()
        for part in self._parts:
            found.add(part)
        return found

    def experiments(self) -> Iterator[Experiment]:
        """One for each parameter and each property, and one for parameters that nobody declared."""
        for key in self._reached:
            operation = self._catalog.get(key)
            if operation is None:
                continue
            if operation.method in SAFE_METHODS:
                yield from self._reading(operation)
            elif operation.method in ("POST", "PUT", "PATCH"):
                yield from self._writing(operation)

    def _reading(self, operation: Operation) -> Iterator[Experiment]:
        chosen = [p for p in operation.parameters if self._probable(operation, p)]
        if chosen:
            known = bases(self._evidence, operation, self._reached[operation.key])
            short = known.size is not None and known.size < MIN_SORTED and self._places.will_grow(operation)
            bench = Bench(operation, known)
            reader = Reader(
                bench,
                self._graph,
                self._same_named,
                self._looks,
                ItemDetails.of(bench, self._routes, self._evidence),
                self._evidence,
                partial(self._places.fullest_place, operation) if short else None,
            )
            self._parts.append(reader.probed)
            if any(parameter.location == "query" for parameter in chosen):
                # What one list of a service does with unknown parameters, most of them do.
                lists = self._lists[operation.tool] = self._lists.get(operation.tool, 0) + bool(known.size)
                yield Experiment(
                    operation.key, UNKNOWN, 4 if known.size and lists <= _FIRST_LISTS else 1, 3.5, reader.unknown
                )
            yield from _left_out(operation, chosen, reader)
            yield from _parameters(operation, chosen, reader, _SHORT if short else 1.0)

    def _probable(self, operation: Operation, parameter: Parameter) -> bool:
        """Whether calls can show anything of a parameter: of one in the path, that it is a number or one of a few."""
        if parameter.location == "path":
            whole = number(self._reached[operation.key].get(parameter.key)) is not None
            return whole or self._chooses(operation, parameter)
        return parameter.location in ("query", "header") and not _untouchable(parameter)

    def _chooses(self, operation: Operation, parameter: Parameter) -> bool:
        """Whether an error named the values that a path parameter may have."""
        failed = islice(self._evidence.iter_calls(key=operation.key, ok=False), _MAX_FAILED)
        statements = (s for call in failed for s in hints_about(call, parameter.name, "path"))
        return any(s.kind == "allowed-values" and s.name == parameter.name for s in statements)

    def _writing(self, operation: Operation) -> Iterator[Experiment]:
        bench = body_bench(self._evidence, operation)
        if bench is not None:
            writer = Writer(bench, self._same_named, partial(self._places.created_place, operation))
            self._parts.append(writer.probed)
            for location, value in subjects(operation, bench.arguments["body:"]):
                run = partial(writer.property, location, value)
                yield Experiment(operation.key, location, 2.5, 12, run, writes=True)


class Writer:
    """The probing of the body of one operation, a property at a time."""

    def __init__(self, bench: Bench, same_named: SameNamed, place: Callable[[], dict[str, Json] | None]) -> None:
        self._bench, self._place = bench, place
        self._shown = _Shown(bench, same_named)
        self._ready: bool | None = None

    @property
    def probed(self) -> Probed:
        return self._shown.probed

    def property(self, location: str, value: Json) -> Steps[None]:
        """Send other values for one property, and show again what they show."""
        if self._ready is None:
            self._bench.move(self._place() or {})
            self._ready = yield from self._bench.start()
        if self._ready and not self._bench.spent:
            yield from probe_property(self._bench, location, value)
            yield from _bounds(self._bench, location)
            yield from self._shown.again(location)


class Reader:
    """The probing of one reading operation, a parameter at a time."""

    def __init__(
        self,
        bench: Bench,
        graph: ToolGraph,
        same_named: SameNamed,
        looks: SecondLooks,
        details: ItemDetails | None,
        evidence: Evidence,
        place: Callable[[], dict[str, Json] | None] | None = None,
    ) -> None:
        self._bench, self._graph, self._looks, self._place = bench, graph, looks, place
        self._same_named, self._details, self._evidence = same_named, details, evidence
        self._shown = _Shown(bench, same_named, details)
        self._ready: bool | None = None

    @property
    def probed(self) -> Probed:
        return self._shown.probed

    @property
    def reads_items(self) -> bool:
        """Whether single items can be read and say more than the list, to see what a parameter chooses by."""
        return self._details is not None and self._details.shows_more

    def needs(self, location: str) -> bool:
        """Whether all calls have the argument."""
        return location in self._bench.arguments

    def unknown(self) -> Steps[None]:
        """Send parameters that nobody declared."""
        bench = self._bench
        if (yield from self._start()):
            yield from bench.unknown(_UNKNOWN_NAMES)
            yield from self._shown.again(UNKNOWN)
            if all(call.ok for call in bench.calls_with(UNKNOWN)) and len(bench.items) >= MIN_SORTED:
                yield from self._undeclared()

    def _undeclared(self) -> Steps[None]:
        """Send what fields of the items are called that no parameter is called after: do these choose?"""
        bench = self._bench
        if self._details is not None:
            yield from self._details.read([bench.base])
        for name, chosen in values.undeclared_filters(bench.operation, self._fields()):
            location = f"query:{name}"
            first: Call = yield Invoke(bench.operation.key, {**bench.arguments, location: chosen[0]}, "probe")
            if first.ok and first.body != bench.base.body:
                found = yield from bench.tries(location, chosen[:1])
                found += yield from bench.tries(location, chosen[1:], "survey")
                yield from bench.tries(location, NONSENSE[:1])
                if self._details is not None:
                    yield from self._details.read(call for _, call in found if call.ok)
                yield from self._shown.again(location)

    def _fields(self) -> list[Json]:
        """The items as far as they are known: those of the list, or, if single ones show more, these."""
        details = self._details
        return details.items if details is not None and details.shows_more else self._bench.items

    def without(self, location: str) -> Steps[None]:
        """Leave out one parameter, and show again what that shows."""
        if (yield from self._start()):
            yield from self._leave_out(location)
            yield from self._shown.again(location)

    def _leave_out(self, location: str) -> Steps[None]:
        if location in self._bench.arguments and not self._bench.calls_with(location):
            yield from self._bench.omit(location)

    def parameter(self, parameter: Parameter) -> Steps[None]:
        """Send other values for one parameter; show again what they show, also together with those of others."""
        if (yield from self._start()):
            yield from self._parameter(self._bench, parameter)
            yield from self._look_again(parameter)
            yield from self._shown.again()

    def _look_again(self, parameter: Parameter) -> Steps[None]:
        """See whether the calls with other values changed what they read."""
        bench, key = self._bench, self._bench.operation.key
        calls = bench.calls_with(parameter.key)
        if parameter.location == "query" and calls and self._looks.watches(bench.operation, [parameter.name]):
            arguments, before = bench.plain_call
            pointers: set[str] = yield from self._looks.changed([before], [Invoke(key, arguments, "probe")])
            if pointers:
                self._looks.note(key, {parameter.name: calls}, pointers)

    def _start(self) -> Steps[bool]:
        """Make the base call; later, see whether it still returns the same."""
        if self._ready is None:
            self._bench.move((self._place() if self._place is not None else None) or {})
            self._ready = yield from self._bench.start()
            if self._ready:
                yield from self._bench.again()
        elif self._ready:
            yield from self._bench.renew()
        return self._ready and not self._bench.spent

    # One parameter

    def _parameter(self, bench: Bench, parameter: Parameter) -> Steps[None]:
        location = parameter.key
        if parameter.location == "path":
            refused = yield from bench.tries(location, NONSENSE)
            yield from bench.tries(location, _allowed(_statements(refused, location)))
            return
        yield from self._leave_out(location)
        answers = yield from bench.tries(location, NONSENSE[:1])
        if all(call.ok for _, call in answers) or not _numeric(parameter, _statements(answers, location)):
            answers += yield from bench.tries(location, NONSENSE[1:])
        if parameter.location == "header":
            return
        statements = _statements(answers, location)
        if any(s.kind == "allowed-values" for s in statements):
            yield from bench.tries(location, _allowed(statements))
        elif _numeric(parameter, statements):
            yield from self._number(bench, parameter)
        else:
            yield from self._text(bench, parameter, answers)
        yield from _bounds(bench, location)
        yield from self._in_details(bench, parameter)
        yield from self._rest(bench, parameter)
        yield from self._everything(bench, parameter)
        yield from self._together(bench, parameter, statements)

    def _together(self, bench: Bench, parameter: Parameter, statements: Sequence[Hint]) -> Steps[None]:
        """Send a parameter with those that errors want beside it: that this helps shows that they were right."""
        wanted = dict.fromkeys(name for s in statements if s.kind == "needs" for name in s.values)
        others = [bench.operation.parameter(f"query:{name}") for name in wanted]
        sent = {one.key: next(iter(_plausible(one)), "1") for one in (parameter, *filter(None, others))}
        if wanted and all(others):
            yield Invoke(bench.operation.key, {**bench.arguments, **sent}, "probe")

    def _in_details(self, bench: Bench, parameter: Parameter) -> Steps[None]:
        """Try values that only the GET of a single item shows, and read items of what they return."""
        details, location = self._details, parameter.key
        if details is None or not self.reads_items or not bench.items:
            return
        if _role(parameter) in values.PROBED or details.is_listed(location):
            return
        yield from details.read([bench.base])
        if details.fits(location):
            yield from bench.tries(location, details.values(location), "survey")
            yield from self._same_named.read_more(bench, location)
            yield from bench.tries(location, self._same_named.values(bench, location)[:_MAX_VALUES], "survey")
            yield from self._rest(bench, parameter)
            yield from details.read(
                call for call in bench.calls_with(location) if call.ok and call.body != bench.base.body
            )

    def _rest(self, bench: Bench, parameter: Parameter) -> Steps[None]:
        """If nothing changed anything so far: all that is documented, and what a field of that name has elsewhere."""
        location = parameter.key
        if bench.items and all(call.ok and call.body == bench.base.body for call in bench.calls_with(location)):
            yield from bench.tries(location, values_to_try(parameter))
            yield from self._same_named.read_more(bench, location)
            # These are no nonsense: what they find shows values that the parameter takes.
            yield from bench.tries(location, self._same_named.values(bench, location), "survey")

    def _everything(self, bench: Bench, parameter: Parameter) -> Steps[None]:
        """Where some values of a filter change what is returned, and another one does not: a word for all of them."""
        same = {
            key_of(call.arguments[parameter.key]): call.body == bench.base.body
            for call in bench.calls_with(parameter.key)
            if call.ok and call.arguments.get(parameter.key) not in (None, *NONSENSE)
        }
        is_choice = len({*same.values()}) > 1 and not any(map(str.isdigit, same)) and not same.keys() <= _BOTH
        if is_choice and _role(parameter) not in values.PROBED:
            for word in EVERYTHING:
                found = yield from bench.tries(parameter.key, [word])
                if any(call.ok and call.body != bench.base.body for _, call in found):
                    return

    def _number(self, bench: Bench, parameter: Parameter) -> Steps[None]:
        location, role = parameter.key, _role(parameter)
        _fit_page(bench, role)
        middle = values.middle_values(location, bench.items) if role not in values.PROBED else []
        known = [value for value in (bench.arguments.get(location),) if number(value) is not None]
        near = [int(n) + 0.5 for value in (*known, *middle, 2) if (n := number(value)) is not None][:1]
        far = values.far_numbers(role, bool(known or middle))
        years = values.year_values(parameter.name, bench.items)
        chosen = self._likely_numbers(bench, parameter, middle)
        yield from bench.tries(location, _distinct([*years, *chosen[:3], *far, *near]))
        if any((call := bench.answer(location, value)) is not None and call.ok for value in near):
            yield from bench.tries(location, NONSENSE[1:])
        yield from self._most(bench, location, role)

    def _likely_numbers(self, bench: Bench, parameter: Parameter, middle: Sequence[Json]) -> list[Json]:
        """What is documented, returned under the parameter's name, in the middle of a field, or as long as the list."""
        returned = [value for _, value in echoes(parameter.key, bench.base.body)]
        chosen = [*values.documented(parameter), *returned, *middle]
        return [*chosen, len(bench.items)] if _role(parameter) is Role.PAGE_SIZE and bench.items else chosen

    def _most(self, bench: Bench, location: str, role: Role) -> Steps[None]:
        """If a huge number was accepted: what it was cut to, and the number after that."""
        huge = bench.answer(location, HUGE)
        if huge is None or not huge.ok:
            return
        echo = next((value for _, value in echoes(location, huge.body) if isinstance(value, int)), None)
        most = echo if echo != HUGE else None
        if most is None and role is Role.PAGE_SIZE:
            most = self._shown_of(bench, huge)
        if most is None:
            return
        yield from bench.tries(location, [most, most + 1])
        if echo is None and role is Role.PAGE_SIZE:
            yield from bench.elsewhere(location, [HUGE])
            yield from bench.further_on(location, [HUGE])

    def _shown_of(self, bench: Bench, call: Call) -> int | None:
        """How many items a call shows of the list that the base has; None for no list and no items."""
        found = list_in(bench.base)
        items = items_at(call, found.pointer) if found is not None else None
        return len(items) if items else None

    def _text(self, bench: Bench, parameter: Parameter, answers: Sequence[tuple[Json, Call]]) -> Steps[None]:
        location, role = parameter.key, _role(parameter)
        if role is Role.CURSOR:
            bench.narrow()
            onward = [value for _, value in next_values(location, bench.base.body)]
            yield from bench.tries(location, onward[:1])
        elif role in ORDERING:
            chosen = [*values_to_try(parameter)[:_MAX_ORDERS], *values.sort_values(parameter, bench.items)]
            yield from bench.tries(location, _distinct(chosen)[: 2 * _MAX_ORDERS])
            yield from self._by_details(bench, location)
        else:
            yield from bench.tries(location, _distinct(self._likely_texts(bench, parameter))[:_MAX_VALUES])
            if location in bench.arguments and is_end(parameter.name):
                yield from self._single_day(bench, location)
            if all(call.ok and call.body == bench.base.body for _, call in answers):
                yield from bench.tries(location, values.values_beyond_all(location))
            if role in _SEARCHES or any(_lengths(call, location) for _, call in answers):
                yield from bench.tries(location, ["x" * _LONG, "d"])
            if role in _SEARCHES:
                parts = [] if location in bench.arguments else values.search_parts(bench.items)
                yield from bench.tries(location, parts)
                bench.enrich(location)

    def _by_details(self, bench: Bench, location: str) -> Steps[None]:
        """Sort by fields that only single items have, and read items of what that returns."""
        if self._details is not None and self.reads_items and len(bench.items) >= MIN_SORTED:
            yield from self._details.read([bench.base])
            found = yield from bench.tries(location, self._details.orders())
            changed = (call for _, call in found if call.ok and call.body != bench.base.body)
            yield from self._details.read(changed, READ_IN_ORDER)

    def _single_day(self, bench: Bench, location: str) -> Steps[None]:
        """Ask for one day on which something was, from its beginning to its end, and for a range that has no day."""
        day = _commonest_day(self._evidence, bench.operation.tool)
        others = [place for place, value in bench.arguments.items() if place != location and measure(value) == value]
        if day and len(others) == 1:
            yield from bench.on({**bench.arguments, others[0]: day, location: _LATEST}, location, [day, _EARLIEST])

    def _likely_texts(self, bench: Bench, parameter: Parameter) -> list[Json]:
        """Texts that a parameter may take: documented, named by errors, seen in items, or sent before."""
        location, role, items = parameter.key, _role(parameter), bench.items
        chosen = values_to_try(parameter)[:_MAX_VALUES]
        chosen += [
            value for s in bench.statements(location) if s.kind in TYPED for value in values_of_type(s.values[0])
        ]
        chosen += values.member_values(location, items)
        chosen += values.filter_values(location, items, bench.base.body)
        chosen += values.middle_values(location, items)
        chosen += bench.fruitful(location)
        if role in (Role.FIELDS, Role.EXPAND):
            chosen = values.field_names(items) or chosen
        chosen += values.values_by_name(parameter.name)
        for edge in self._graph.producers(bench.operation.key, location)[:2]:
            chosen += self._graph.values.samples(edge.source, edge.pointer)[:2]
        if items and (role in _SEARCHES or not chosen):
            chosen = [*values.search_texts(items, location in bench.arguments), *chosen]
        return chosen


def _commonest_day(evidence: Evidence, tool: str) -> str:
    """The day of most of the times that a tool returned; "" if it returned none."""
    calls = (call for call in evidence.iter_calls(purpose="survey", ok=True) if call.key.tool == tool)
    texts = (value for call in islice(calls, _MAX_CALLS) for _, value in leaves(call.body) if isinstance(value, str))
    days = Counter(text[: len(_LATEST)] for text in texts if format_of([text]) == "date-time")
    return max(sorted(days), key=lambda day: days[day], default="")


def _plausible(parameter: Parameter) -> list[Json]:
    """The documented values of a parameter, then those that its name and type suggest."""
    return [*values.documented(parameter), *guess_values(parameter.name, parameter.schema)]


def _role(parameter: Parameter) -> Role:
    return role_of(parameter.name, parameter.schema, parameter.location)


def _fit_page(bench: Bench, role: Role) -> None:
    """Give a page the size at which a parameter of this role shows what it does."""
    if role is Role.PAGE:
        bench.narrow()
    elif role is Role.OFFSET:
        # Moved by one and by two, a page of two shows nothing.
        bench.plain()
    elif role is Role.PAGE_SIZE:
        bench.widen()


def _bounds(bench: Bench, location: str) -> Steps[None]:
    """Try what messages state: the bound itself, and what lies just beyond it."""
    for statement in bench.statements(location):
        yield from bench.tries(location, bench.unlike(location, beyond(statement, location)))


def beyond(statement: Hint, location: str = "") -> list[Json]:
    """The values that show a stated bound: it, and the next one beyond it. Texts in bodies are names of the run."""
    try:
        bound = int(float(statement.values[0])) if statement.values else 0
    except ValueError:
        return []
    if abs(bound) > 10 * HUGE:
        return []
    length = 0 <= bound <= 10_000
    tried: dict[str, list[Json]] = {
        "minimum": [bound, bound - 1],
        "maximum": [bound, bound + 1],
        "exclusive-minimum": [bound + 1, bound],
        "exclusive-maximum": [bound - 1, bound],
        "min-length": [_text(bound, location), _text(bound - 1, location)] if length and bound else [],
        "max-length": [_text(bound, location), _text(bound + 1, location)] if length else [],
    }
    return tried.get(statement.kind, [])


def _text(length: int, location: str) -> str:
    name = run_name(0, PROBES)
    return name.ljust(length, "x") if location.startswith("body:") and length >= len(name) else "a" * length


def _left_out(operation: Operation, chosen: Sequence[Parameter], reader: Reader) -> Iterator[Experiment]:
    """One experiment for each parameter that all calls had and that is not declared as required."""
    for parameter in chosen:
        if reader.needs(parameter.key) and not parameter.required:
            run = partial(reader.without, parameter.key)
            yield Experiment(operation.key, f"{parameter.key} left out", *_LEFT_OUT, run)


def _parameters(
    operation: Operation, chosen: Sequence[Parameter], reader: Reader, share: float
) -> Iterator[Experiment]:
    """One experiment for each parameter, before those that it makes the better.

    `share` of the facts is expected: what cuts and orders a list shows little as long as two items are in it.
    """
    roles = {parameter.key: _role(parameter) for parameter in chosen if parameter.location == "query"}
    worth: dict[str, tuple[float, float]] = {}
    for parameter in chosen:
        facts, calls = expected(parameter)
        if reader.reads_items and roles.get(parameter.key, Role.PAGE) not in values.PROBED:
            facts, calls = facts + _OF_ITEMS[0], calls + _OF_ITEMS[1]
        worth[parameter.key] = (facts * share if parameter.key in roles else facts), calls
    for first, others in _leads(roles, reader):
        _lead(worth, first, others)
    for parameter in chosen:
        facts, calls = worth[parameter.key]
        yield Experiment(operation.key, parameter.key, facts, calls, partial(reader.parameter, parameter))


def _leads(roles: Mapping[str, Role], reader: Reader) -> Iterator[tuple[str, list[str]]]:
    """A limit shows that there is a next page, a search that is needed is what fills the list: these come first."""
    pages = [key for key, role in roles.items() if role in (Role.PAGE, Role.OFFSET, Role.CURSOR)]
    others = [key for key, role in roles.items() if role not in _SEARCHES]
    yield from ((key, pages) for key, role in roles.items() if role is Role.PAGE_SIZE)
    yield from ((key, others) for key, role in roles.items() if role in _SEARCHES and reader.needs(key))


def _lead(worth: dict[str, tuple[float, float]], first: str, others: Iterable[str]) -> None:
    """Let `first` be worth what it comes to together with the best of the others, and those a little less."""
    facts, calls = worth[first]
    own, following = calls, sorted(others, key=lambda key: worth[key][1] / worth[key][0])
    for key in following:
        more, cost = worth[key]
        if more / cost > facts / calls:
            facts, calls = facts + more, calls + cost
    best = facts / calls
    worth[first] = best * own, own
    for key in following:
        worth[key] = min(worth[key][0], 0.999 * best * worth[key][1]), worth[key][1]


def expected(parameter: Parameter) -> tuple[float, float]:
    """New facts that probing a parameter may show, fewer if more is documented; and the calls that it takes."""
    facts, calls = _EXPECTED.get(_role(parameter), _OTHER) if parameter.location == "query" else _PLAIN
    schema = parameter.schema
    documented = [schema.type, schema.enum or schema.get("minimum") or schema.get("maximum"), parameter.description]
    documented.append(None if schema.default is MISSING else True)
    claims = _CLAIM if any(map(str.isdigit, parameter.description)) else 0
    return facts * (1 - _KNOWN * sum(bool(one) for one in documented)) + claims, calls


def _untouchable(parameter: Parameter) -> bool:
    name = parameter.name.lower()
    return parameter.location == "header" and (name in _UNTOUCHED or name.startswith("if-") or "key" in name)


def _statements(answers: Iterable[tuple[Json, Call]], location: str) -> list[Hint]:
    place, _, name = location.partition(":")
    return [s for _, call in answers if not call.ok for s in hints_about(call, name, place)]


def _allowed(statements: Iterable[Hint]) -> Sequence[str]:
    """The values that errors allow, if they are few."""
    allowed = next((s.values for s in statements if s.kind == "allowed-values"), ())
    return allowed if len(allowed) <= MAX_ALLOWED else ()


def _numeric(parameter: Parameter, statements: Iterable[Hint]) -> bool:
    stated = {statement.values[0] for statement in statements if statement.kind in TYPED}
    if stated:
        return bool(stated & set(_NUMERIC))
    return parameter.schema.type in _NUMERIC or _role(parameter) in (Role.PAGE_SIZE, Role.PAGE, Role.OFFSET)


def _lengths(call: Call, location: str) -> bool:
    place, _, name = location.partition(":")
    return not call.ok and any("length" in s.kind for s in hints_about(call, name, place))


def _distinct(chosen: Iterable[Json]) -> list[Json]:
    return list({canonical(value): value for value in chosen if value not in (None, "")}.values())
