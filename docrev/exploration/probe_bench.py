"""The bench that one operation is probed on: its base call, and the trials around it, bounded and never repeated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from docrev.calls.redact import has_mask
from docrev.conventions.error_claims import Hint
from docrev.conventions.error_hints import hints_about
from docrev.conventions.lists import ListFound
from docrev.conventions.parameters import Role, role_of
from docrev.evidence import Evidence
from docrev.facts.call_values import argument, without
from docrev.facts.parameter_trials import NONSENSE, scalars
from docrev.facts.trials import OPERATORS, UNCHANGED, UNKNOWN, Trial, list_in
from docrev.facts.wire_values import key_of, number
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import replaced
from docrev.language.words import words
from docrev.prompts.steps import Invoke, Repeat, Steps
from docrev.records import Call, Json, Purpose
from docrev.spec import Operation

MAX_TRIALS = 20
"""Calls that one parameter is tried with, at most."""
_MAX_OPERATORS = 36
"""Calls with undeclared parameters that have an operator in their names: one of each style, then those of one."""
_MAX_KNOWN = 40
_MAX_FRUITFUL = 3
_SMALL = 2
_NARROWING = frozenset(["min", "max", "from", "to", "since", "before", "after", "until"])


class Known:
    """What earlier calls offer: arguments that work, the richest answer first; values that found something.

    `size` is the number of items of the longest list, `fields` are those of its items; None, and none, without a list.
    """

    def __init__(
        self,
        arguments: list[dict[str, Json]],
        fruitful: dict[str, list[Json]],
        size: int | None = None,
        fields: Iterable[str] = (),
    ) -> None:
        self.arguments, self.fruitful, self.size, self.fields = arguments, fruitful, size, tuple(fields)


def bases(evidence: Evidence, operation: Operation, reached: dict[str, Json]) -> Known:
    """Look through the first calls of an operation that returned 2xx; `reached` are arguments that worked."""
    found: list[tuple[int, dict[str, Json]]] = []
    fruitful: dict[str, list[Json]] = {}
    longest: ListFound | None = None
    for call in islice(evidence.calls.select(key=operation.key, ok=True), _MAX_KNOWN):
        size = _size(call)
        if call.purpose in ("replay", "probe") or has_mask(call.arguments):
            continue
        longest = _longer(longest, list_in(call))
        if call.arguments.keys() == reached.keys():
            found.append((size, call.arguments))
        for location, value in call.arguments.items() if size else ():
            kept = fruitful.setdefault(location, [])
            if value not in kept and len(kept) < _MAX_FRUITFUL:
                kept.append(value)
    ordered = [arguments for _, arguments in sorted(found, key=lambda one: -one[0])]
    distinct = {canonical(arguments): dict(arguments) for arguments in [*ordered, reached]}
    if longest is None:
        return Known(list(distinct.values()), fruitful)
    return Known(list(distinct.values()), fruitful, len(longest.items), scalars(longest.items))


def _longer(one: ListFound | None, other: ListFound | None) -> ListFound | None:
    """The list with more items, the first of two alike."""
    if one is None or other is None:
        return one or other
    return other if len(other.items) > len(one.items) else one


def _items(call: Call) -> list[Json]:
    found = list_in(call)
    return found.items if found is not None else []


def _size(call: Call) -> int:
    return len(_items(call))


class Bench:
    """Trials of one operation around `base`, which may be exchanged for a richer answer on the way."""

    def __init__(self, operation: Operation, known: Known) -> None:
        self.operation, self._known = operation, known
        self.fields = known.fields
        self.trials: list[Trial] = []
        self.arguments: dict[str, Json] = known.arguments[0]
        self.base: Call
        self._plain: tuple[dict[str, Json], Call]
        self._first: Call
        self._calls: dict[str, Call] = {}
        self._done: set[tuple[str, str, str]] = set()
        self._counts: dict[str, int] = {}
        self.spent = False

    def start(self) -> Steps[bool]:
        """Make the base call; False if it does not work any more."""
        self.base = yield self._invoke(self.arguments)
        self._plain, self._first = (self.arguments, self.base), self.base
        self._calls[self.base.id] = self.base
        return self.base.ok

    def move(self, place: dict[str, Json]) -> None:
        """Go to another place before the start: what was there may be gone by now."""
        self.arguments = {**self.arguments, **place}

    @property
    def plain_call(self) -> tuple[dict[str, Json], Call]:
        """The arguments and the answer of the base that the trials began with."""
        return self._plain

    def calls_with(self, location: str) -> list[Call]:
        """The answered calls with other values at a location."""
        return [self._calls[trial.call] for trial in self.trials if trial.location == location]

    def renew(self) -> Steps[None]:
        """Back to the first base, called again: something may have been written meanwhile."""
        arguments, old = self._plain
        call: Call = yield self._invoke(arguments)
        self.spent = self.spent or call.error == "budget"
        if call.ok and call.body != old.body:
            self._calls[call.id] = call
            self._plain = (arguments, call)
        self.plain()

    def look(self, id: str) -> Call | None:
        """The call of an id, if it was made here."""
        return self._calls.get(id)

    @property
    def items(self) -> list[Json]:
        """The items of the list that the base answers, if it does."""
        found = list_in(self.base)
        return found.items if found is not None else []

    def is_unchanged(self, call: Call) -> bool:
        """Whether a response is what the base returns; of a list the items alone, for links beside them repeat what
        was sent."""
        found = list_in(call)
        return call.body == self.base.body or (found is not None and found == list_in(self.base))

    # Trials

    def tries(
        self, location: str, chosen: Iterable[Json], purpose: Purpose = "probe"
    ) -> Steps[list[tuple[Json, Call]]]:
        """Call with each value at `location`; values tried before are left out."""
        fresh = [value for value in chosen if self._is_new(location, value) and self._room(location)]
        steps = [Invoke(self.operation.key, _with(self.arguments, location, value), purpose) for value in fresh]
        calls: list[Call] = (yield steps) if steps else []
        return self._keep(location, fresh, calls)

    def _is_new(self, location: str, value: Json) -> bool:
        held, current = argument(self.arguments, location)
        name = (self.base.id, location, key_of(value))
        if name in self._done or (held and key_of(current) == key_of(value)):
            return False
        self._done.add(name)
        return True

    def unlike(self, location: str, chosen: Iterable[Json]) -> list[Json]:
        """The values that are no texts, or of a length that was not tried yet."""
        sent = {len(t.value) for t in self.trials if t.location == location and isinstance(t.value, str)}
        return [value for value in chosen if not isinstance(value, str) or len(value) not in sent]

    def _room(self, location: str) -> bool:
        self._counts[location] = self._counts.get(location, 0) + 1
        most = _MAX_OPERATORS if location == OPERATORS else MAX_TRIALS
        return self._counts[location] <= most and not self.spent

    def _keep(self, location: str, sent: Sequence[Json], calls: Sequence[Call]) -> list[tuple[Json, Call]]:
        pairs = list(zip(sent, calls, strict=True))
        for value, call in pairs:
            self.spent = self.spent or call.error == "budget"
            if call.status is not None:
                self._calls[call.id] = call
                self.trials.append(Trial(location, value, self.base.id, call.id))
        return pairs

    def omit(self, location: str) -> Steps[None]:
        """Call without an argument that the base has."""
        rest = without(self.arguments, location)
        call: Call = yield self._invoke(rest)
        if call.status is not None:
            self._calls[call.id] = call
            self.trials.append(Trial(location, None, self.base.id, call.id, sent=False))

    def unknown(self, names: Sequence[str]) -> Steps[None]:
        """Call with query parameters that nobody declared."""
        steps = [self._invoke({**self.arguments, f"query:{name}": NONSENSE[0]}) for name in names]
        calls: list[Call] = yield steps
        self._keep(UNKNOWN, list(names), calls)

    def named(self, texts: Iterable[str]) -> Steps[list[Call]]:
        """Call with one undeclared query parameter more, written `NAME=VALUE`; those tried before are left out."""
        fresh = [text for text in texts if self._is_new(OPERATORS, text) and self._room(OPERATORS)]
        pairs = (text.split("=", 1) for text in fresh)
        calls: list[Call] = yield [self._invoke({**self.arguments, f"query:{name}": value}) for name, value in pairs]
        return [call for _, call in self._keep(OPERATORS, fresh, calls)]

    def again(self) -> Steps[None]:
        """Make the first base call once more: what differs then moves by itself."""
        call: Call = yield Invoke(self.operation.key, self._plain[0], "replay", repeat=Repeat.TRIAL)
        if call.status is not None:
            self._calls[call.id] = call
            self.trials.append(Trial(UNCHANGED, None, self._first.id, call.id))

    def _invoke(self, arguments: dict[str, Json]) -> Invoke:
        return Invoke(self.operation.key, arguments, "probe")

    # Responses

    def answer(self, location: str, value: Json) -> Call | None:
        """The answer to a value on the base as it is now."""
        for trial in self.trials:
            if trial.location == location and trial.base == self.base.id and key_of(trial.value) == key_of(value):
                return self._calls[trial.call]
        return None

    def statements(self, location: str) -> list[Hint]:
        """What rejections of values at a location state, each once."""
        place, _, name = location.partition(":")
        calls = [self._calls[trial.call] for trial in self.trials if trial.location == location]
        found = [said for call in calls if not call.ok for said in hints_about(call, name.rpartition("/")[2], place)]
        return list({(said.kind, said.values): said for said in found}.values())

    def fruitful(self, location: str) -> list[Json]:
        """Values that found something before."""
        return self._known.fruitful.get(location, [])

    # Other bases

    def _rebase(self, arguments: dict[str, Json], call: Call) -> None:
        if call.ok:
            self.arguments, self.base = arguments, call
            self._calls[call.id] = call

    def plain(self) -> None:
        """Back to the base of the beginning."""
        self.arguments, self.base = self._plain

    def enrich(self, location: str) -> None:
        """Where a required search found more for another text: go on from there."""
        best = max(self._on(location), key=lambda one: _size(one[1]), default=None)
        if location in self.arguments and best is not None and _size(best[1]) > len(self.items):
            old = self.arguments
            self._rebase({**self.arguments, location: best[0]}, best[1])
            self._plain = (self.arguments, self.base)
            others = [
                {**old, location: value} for value, call in self._on(location) if _size(call) and value != best[0]
            ]
            self._known.arguments[:] = [self.arguments, *others, *self._known.arguments]

    def _on(self, location: str) -> list[tuple[Json, Call]]:
        return [
            (trial.value, self._calls[trial.call])
            for trial in self.trials
            if trial.location == location and trial.sent and self._calls[trial.call].ok
        ]

    def narrow(self) -> None:
        """Show two items a page, if a limit does that: so that there is a next page."""
        self.plain()
        for trial in self.trials:
            call = self._calls[trial.call]
            if trial.value == _SMALL and trial.base == self.base.id and _size(call) == _SMALL < len(self.items):
                self._rebase({**self.arguments, trial.location: _SMALL}, call)
                return

    def widen(self) -> None:
        """Let the other numbers be as large as they are taken: so that a limit is what bounds the list."""
        self.plain()
        huge = [t for t in self.trials if number(t.value) is not None and float(number(t.value) or 0) >= 1_000_000]
        for trial in huge:
            call = self._calls[trial.call]
            narrows = bool(_NARROWING & {*words(trial.location)})
            if trial.base == self.base.id and call.ok and not narrows and _size(call) >= max(1, len(self.items)):
                self._rebase({**self.arguments, trial.location: trial.value}, call)
                return

    def elsewhere(self, location: str, chosen: Sequence[Json]) -> Steps[None]:
        """Try values on another base, if there is one with a list: what is true there too is no coincidence."""
        varied = [{**self._plain[0], t.location: t.value} for t in self.trials if self._other(t)]
        for arguments in [*self._known.arguments, *varied]:
            if arguments != self._plain[0] and arguments.keys() == self._plain[0].keys():
                call: Call = yield self._invoke(arguments)
                if call.ok and call.status == self.base.status and _items(call) != self.items:
                    yield from self.on(arguments, location, chosen)
                    return

    def further_on(self, location: str, chosen: Sequence[Json]) -> Steps[None]:
        """Try values on the list without its first item, if the operation can skip it."""
        skips = [p.key for p in self.operation.parameters if p.location == "query" and role_of(p.name) is Role.OFFSET]
        if skips and skips[0] not in self._plain[0]:
            yield from self.on({**self._plain[0], skips[0]: 1}, location, chosen)

    def on(self, arguments: dict[str, Json], location: str, chosen: Sequence[Json]) -> Steps[None]:
        """Try values beside other arguments, if these work and return something else."""
        call: Call = yield self._invoke(arguments)
        if call.ok and call.status == self.base.status and call.body != self.base.body:
            here = (self.arguments, self.base)
            self._rebase(arguments, call)
            yield from self.tries(location, chosen)
            self.arguments, self.base = here

    def _other(self, trial: Trial) -> bool:
        """Whether a trial is of an argument that the base has, and returned items."""
        call = self._calls[trial.call]
        return trial.location in self._plain[0] and trial.base == self._plain[1].id and call.ok and _size(call) > 0


def _with(arguments: dict[str, Json], location: str, value: Json) -> dict[str, Json]:
    """The arguments with one more, or another value: also of a property of the body."""
    if not location.startswith("body:/"):
        return {**arguments, location: value}
    return {**arguments, "body:": replaced(arguments["body:"], location.removeprefix("body:"), value)}
