"""Probing one reading operation, a parameter at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from docrev.conventions.error_claims import Hint
from docrev.conventions.examples import guess_values
from docrev.conventions.parameters import Role, role_in
from docrev.conventions.statuses import is_client_error
from docrev.evidence import Evidence
from docrev.exploration import probe_values as values
from docrev.exploration.item_details import ItemDetails
from docrev.exploration.probe_bench import Bench
from docrev.exploration.probe_hints import few_allowed, is_numeric, statements_in, try_bounds
from docrev.exploration.probe_numbers import try_numbers
from docrev.exploration.probe_operators import try_conditions, try_names
from docrev.exploration.probe_texts import TextTrials
from docrev.exploration.probed_facts import Probed, Replayer
from docrev.exploration.same_named import SameNamed
from docrev.exploration.second_looks import SecondLooks
from docrev.facts.kinds.sorts import MIN_SORTED
from docrev.facts.kinds.spelled import is_several, spellings
from docrev.facts.parameter_trials import EVERYTHING, NONSENSE, SAME, names_fit
from docrev.facts.strong_proof import values_to_try
from docrev.facts.trials import OPERATORS, UNKNOWN, list_in
from docrev.facts.wire_values import key_of
from docrev.graph.tool_graph import ToolGraph
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, Json
from docrev.spec import Parameter

_UNKNOWN_NAMES = ("docrev_unknown", "zz_docrev")
_MAX_VALUES = 4
_BOTH = frozenset(["true", "false"])


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
        self._bench, self._looks, self._place = bench, looks, place
        self._same_named, self._details = same_named, details
        self._texts = TextTrials(bench, graph, details, evidence)
        self._shown = Replayer(bench, same_named, details)
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

    def shows(self, location: str) -> bool:
        """Whether items have a field that is called as a parameter: there are values to send, and to see what they
        choose."""
        return any(names_fit(location, field) == SAME for field in self._bench.fields)

    def unknown(self, *, compares: bool) -> Steps[None]:
        """Send parameters that nobody declared; if these filter, also with operators in their names, if `compares`."""
        bench = self._bench
        if (yield from self._start()):
            sign = _common_sign(parameter.name for parameter in bench.operation.parameters)
            yield from bench.unknown([*_UNKNOWN_NAMES, *(f"{sign}{name}" for name in _UNKNOWN_NAMES if sign)])
            yield from self._shown.again(UNKNOWN)
            if all(call.ok for call in bench.calls_with(UNKNOWN)) and len(bench.items) >= MIN_SORTED:
                yield from self._undeclared()
                if compares and all(list_in(call) != list_in(bench.base) for call in bench.calls_with(UNKNOWN)[:2]):
                    yield from try_names(bench)
                    yield from self._shown.again(OPERATORS)

    def _undeclared(self) -> Steps[None]:
        """Send what fields of the items are called that no parameter is called after: do these choose?"""
        bench = self._bench
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
            pointers: set[str] | None = yield from self._looks.changed([before], [Invoke(key, arguments, "probe")])
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

    def _parameter(self, bench: Bench, parameter: Parameter) -> Steps[None]:
        location = parameter.key
        if parameter.location == "path":
            refused = yield from bench.tries(location, NONSENSE)
            yield from bench.tries(location, few_allowed(statements_in(refused, location)))
            return
        yield from self._leave_out(location)
        if (yield from self._respelled(bench, parameter)):
            return
        answers = yield from bench.tries(location, NONSENSE[:1])
        if all(call.ok for _, call in answers) or not is_numeric(parameter, statements_in(answers, location)):
            answers += yield from bench.tries(location, NONSENSE[1:])
        if parameter.location == "header":
            return
        statements = statements_in(answers, location)
        if any(s.kind == "allowed-values" for s in statements):
            yield from bench.tries(location, few_allowed(statements))
        elif is_numeric(parameter, statements):
            yield from try_numbers(bench, parameter)
        else:
            yield from self._texts.run(parameter, answers)
            if role_in(parameter) is Role.FILTER:
                yield from try_conditions(bench, location)
        yield from try_bounds(bench, location)
        yield from self._in_details(bench, parameter)
        yield from self._rest(bench, parameter)
        yield from self._everything(bench, parameter)
        yield from self._together(bench, parameter, statements)

    def _respelled(self, bench: Bench, parameter: Parameter) -> Steps[bool]:
        """Send a documented list as it is declared and, if that is refused, in other spellings; whether one was taken.

        Then it is known how values are written, and single ones show nothing more.
        """
        several = next((value for value in values.documented(parameter) if is_several(value)), None)
        if not isinstance(several, list) or parameter.location != "query":
            return False
        refused = yield from bench.tries(parameter.key, [several])
        if not refused or not all(is_client_error(call.status or 0) for _, call in refused):
            return False
        for text in spellings(several).values():
            taken = yield from bench.tries(parameter.key, [text])
            if any(call.ok for _, call in taken):
                return True
        return False

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
        if role_in(parameter) in values.PROBED or details.is_listed(location):
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
        if bench.items and all(call.ok and bench.is_unchanged(call) for call in bench.calls_with(location)):
            yield from bench.tries(location, values_to_try(parameter))
            yield from self._same_named.read_more(bench, location)
            # These are no nonsense: what they find shows values that the parameter takes.
            yield from bench.tries(location, self._same_named.values(bench, location), "survey")
            yield from self._within(bench, parameter)

    def _within(self, bench: Bench, parameter: Parameter) -> Steps[None]:
        """If still nothing changed anything: what an item has in a field of that name, among the items of what owns it.

        A list of all may pass over what chooses in the list of one owner: categories are a project's.
        """
        location = parameter.key
        if all(call.ok and bench.is_unchanged(call) for call in bench.calls_with(location)):
            within = next(values.within_owners(bench.operation, location, bench.items, bench.arguments), None)
            if within is not None:
                arguments, chosen = within
                yield from bench.on({**bench.arguments, **arguments}, location, [chosen, *NONSENSE[:1]])

    def _everything(self, bench: Bench, parameter: Parameter) -> Steps[None]:
        """Where some values of a filter change what is returned, and another one does not: a word for all of them."""
        same = {
            key_of(call.arguments[parameter.key]): bench.is_unchanged(call)
            for call in bench.calls_with(parameter.key)
            if call.ok and call.arguments.get(parameter.key) not in (None, *NONSENSE)
        }
        is_choice = len({*same.values()}) > 1 and not any(map(str.isdigit, same)) and not same.keys() <= _BOTH
        if is_choice and role_in(parameter) not in values.PROBED:
            for word in EVERYTHING:
                found = yield from bench.tries(parameter.key, [word])
                if any(call.ok and call.body != bench.base.body for _, call in found):
                    return


def _common_sign(names: Iterable[str]) -> str:
    """The sign that several names begin with: `_limit`, `$top`; "" if they begin with letters."""
    signs = Counter(name[0] for name in names if name and not name[0].isalnum())
    [(sign, count)] = signs.most_common(1) or [("", 0)]
    return sign if count > 1 else ""


def _plausible(parameter: Parameter) -> list[Json]:
    """The documented values of a parameter, then those that its name and type suggest."""
    return [*values.documented(parameter), *guess_values(parameter.name, parameter.schema)]
