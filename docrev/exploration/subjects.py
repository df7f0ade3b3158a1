"""Operations under survey: what was tried with each, what its errors say, and what is to be tried next."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from docrev.calls.route_arguments import addressed
from docrev.calls.routes import without_path
from docrev.conventions.error_claims import VALUE_KINDS, Hint
from docrev.conventions.hint_locations import BODY, is_sent, value_at
from docrev.conventions.methods import SAFE_METHODS
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import parent
from docrev.prompts.steps import Steps
from docrev.records import Call, Json
from docrev.spec import Operation

MAX_FAULTS = 4
"""Server errors after which an operation is given up."""
MAX_MISSES = 12
"""Times that nothing was found, after which only what an error asks for is tried."""
MAX_RENAMED = 3
"""Refusals of what exists already: where new names do not help, it is not a name that exists."""
MAX_ASKED = 3
"""Times that the same demands of an error are met; what is then still refused for the same is no progress."""
MAX_ALIKE = 3
"""Targets that refuse what is sent to each of them, after which it is sent to others only with more patience."""
MAX_DENIED = 12
"""Attempts up to which what was denied is tried again."""
MAX_REFUSALS = 4
"""The latest refusals, of which new ideas are had when more is known."""
UNMET = 0.3
"""The part of its chance that an attempt has before what it refers to was made, or shown."""
MAX_BUSY = 2
"""Times that the same request is made again later, after an answer that the API was busy."""
MAX_MENDED = 40
"""Ideas that may wait at once; the newest are the most promising."""
MAX_LATEST = 12
"""The latest calls, whose answers say why it was not reached."""
MAX_EMPTY = 3
"""Further attempts at a list that was empty."""

_REFUSING = VALUE_KINDS | {"required", "unknown"}
"""Kinds of hints after which the same value, or its absence, is refused again whatever stands beside it."""


@dataclass(slots=True)
class Subject:
    """An operation under survey: what was tried, what its errors say, whether it returned 2xx."""

    operation: Operation
    acts: bool = False
    """Whether it does something else than to make or change an item."""
    creates: bool = False
    """Whether it adds an item to a collection."""
    puts: bool = False
    """Whether it may make the item at its path."""
    removes: bool = False
    """Whether it removes the item at its path."""
    closes: bool = False
    """Whether it may close the item, so that nothing more can be done to it."""

    arguments: dict[str, Json] | None = None
    """The arguments of its first success, or of the first that returned something."""
    doubtful: dict[str, Json] | None = None
    """Arguments that were answered 2xx with an error in the body."""
    successes: int = 0
    empty_successes: int = 0
    """Successes that returned nothing, as long as none returned anything."""

    tried: set[str] = field(default_factory=set)
    mended: deque[dict[str, Json]] = field(default_factory=deque)
    """Arguments that an error asked for, to be tried next."""
    denied: list[dict[str, Json]] = field(default_factory=list)
    """Arguments that the policy denied, or the API was too busy for: they may be tried later."""
    patience: int = 1
    """What multiplies the attempts before it is given up: it grows while requests are left."""
    sent: int = 0
    calls: deque[Call] = field(default_factory=lambda: deque(maxlen=MAX_LATEST))
    """The latest calls that were sent."""
    dry: tuple[int, ...] | None = None
    """What was known when nothing new could be tried."""
    exhausted: bool = False
    """Whether there was ever nothing new to try."""
    stale: int = 0
    """How many calls were sent since something new was known that it needs."""

    statements: dict[tuple[str, str, str], Hint] = field(default_factory=dict)
    """What errors said of names, by place, name and kind of hint."""
    good: dict[str, Json] = field(default_factory=dict)
    """Arguments that an error on others found nothing wrong with."""
    asked: Counter[str] = field(default_factory=Counter)
    """How often refusals asked for the same."""
    refusals: deque[tuple[dict[str, Json], list[Hint]]] = field(default_factory=lambda: deque(maxlen=MAX_REFUSALS))
    """The latest refusals that asked for something: what was sent, and what they asked for."""
    unblamed: list[dict[str, Json]] = field(default_factory=list)
    """The smallest arguments of which a refusal blamed none."""
    ruled_out: dict[str, set[str]] = field(default_factory=dict)
    """Values, by location, that an error refused for what they are."""
    refused_alike: Counter[str] = field(default_factory=Counter)
    """Refusals by what was sent beside the path."""
    busy: Counter[str] = field(default_factory=Counter)
    """How often the API was too busy for a request, by its arguments."""
    faults: int = 0
    """Calls that the API failed to answer, or answered with a fault of its own."""
    misses: int = 0
    """Calls that found nothing there."""
    stops: int = 0
    """Refusals that no other arguments would end."""
    stopped: str = ""
    """The kind of hint of the refusal for which it was given up."""
    why: str = ""
    """Why the latest call failed, or was not sent."""

    dependants: list[Subject] = field(default_factory=list)
    """The subjects that its success would help."""
    needs: list[Subject] = field(default_factory=list)
    """The subjects whose success would give what its parameters and its body refer to."""

    @property
    def last(self) -> Call | None:
        """The latest call that was sent."""
        return self.calls[-1] if self.calls else None

    @property
    def safe(self) -> bool:
        return self.operation.route.method in SAFE_METHODS

    @property
    def reached(self) -> bool:
        return self.arguments is not None

    @property
    def open(self) -> bool:
        """Whether it is still worth an attempt: it was not reached, or showed nothing but an empty list."""
        if self.reached:
            return 0 < self.empty_successes <= MAX_EMPTY
        tolerable = self.faults < MAX_FAULTS and (self.misses < MAX_MISSES * self.patience or bool(self.mended))
        return not self.stopped and tolerable

    @property
    def worth(self) -> float:
        """How many operations an attempt is expected to reach, per request that it takes."""
        gain = 1 + sum(not subject.reached for subject in self.dependants)
        # Most of what is reached at all is reached by the second attempt, or by what an error asks for.
        chance = 1 / (1.7 + self.stale**2 / 6) if self.mended else 1 / (2 + self.stale**2 / 2)
        if any(not maker.reached and maker.open and not maker.stale for maker in self.needs):
            # What it refers to may be there soon.
            chance *= UNMET
        # A creation is looked at before and after, and a deletion needs one to be deleted: what was made is removed at
        # the end in any case, so that most deletions are reached without that.
        cost = 1 if self.safe else 5 if self.removes else 3 if self.closes else 2
        return gain * chance / cost * (0.3 if self.reached else 1)

    def learn_refusal(self, arguments: Mapping[str, Json], hints: Iterable[Hint]) -> None:
        """Take in what an error says, and which of the arguments it found nothing wrong with."""
        statements = [hint for hint in hints if hint.name]
        for statement in statements:
            self.statements.setdefault((statement.place, statement.name, statement.kind), statement)
        blamed = {statement.name for statement in statements}
        if blamed & {location.partition(":")[2] for location in arguments}:
            self.good.update({k: v for k, v in arguments.items() if k.partition(":")[2] not in blamed})

    def rule_out(self, arguments: Mapping[str, Json], located: Mapping[str, Sequence[Hint]]) -> None:
        """Take in which of the arguments can never be accepted, by the hints at their locations."""
        for location, hints in located.items():
            if any(hint.kind in _REFUSING for hint in hints) and _is_place(arguments, location):
                self.ruled_out.setdefault(location, set()).add(_at(arguments, location))

    def see_success(self, arguments: dict[str, Json], *, is_empty: bool) -> None:
        """Note the arguments of a success: the first one, or the first that returned something."""
        if self.arguments is None or (self.empty_successes and not is_empty):
            self.arguments, self.dry = arguments, None
        self.successes += 1
        returned_nothing = self.empty_successes == self.successes - 1
        self.empty_successes = self.empty_successes + 1 if is_empty and returned_nothing else 0

    def see_refused(self, arguments: Mapping[str, Json]) -> None:
        """Take in that a target, which was there, refused what was to be done to it."""
        if not self.safe:
            self.refused_alike[canonical(without_path(arguments))] += 1

    def _is_ruled_out(self, arguments: Mapping[str, Json]) -> bool:
        """Whether arguments contain, or lack, what was refused for that; with more patience, they are tried anyway."""
        if self.refused_alike and self.refused_alike[canonical(without_path(arguments))] >= MAX_ALIKE * self.patience:
            return True
        return self.patience == 1 and any(_at(arguments, at) in refused for at, refused in self.ruled_out.items())

    def asks_anew(self, arguments: dict[str, Json], hints: list[Hint]) -> bool:
        """Take in what a refusal asks for; whether that was not asked for too often."""
        asked = canonical(sorted({f"{hint.kind} {hint.place} {hint.pointer}" for hint in hints}))
        self.asked[asked] += 1
        renames = bool(hints) and all(hint.kind == "exists" for hint in hints)
        if self.asked[asked] > (MAX_RENAMED if renames else MAX_ASKED * self.patience):
            return False
        self.refusals.append((arguments, hints))
        return True

    def consider(self, ideas: Iterable[dict[str, Json]]) -> None:
        """Put mended arguments before those that wait."""
        fresh = [arguments for arguments in ideas if canonical(arguments) not in self.tried]
        self.mended.extendleft(reversed(fresh))
        while len(self.mended) > MAX_MENDED:
            self.mended.pop()

    def put_off(self, arguments: dict[str, Json]) -> None:
        """Make a request again later, since the API was busy, unless that happened too often. An operation that is
        busy whatever it is sent may be limited by itself: others are not.
        """
        name = canonical(arguments)
        self.busy[name] += 1
        if self.busy[name] <= MAX_BUSY and self.busy.total() <= MAX_FAULTS:
            self.denied.append(arguments)
        else:
            self.faults = max(self.faults + 1, MAX_FAULTS * (len(self.busy) > MAX_BUSY))

    def take_back(self, arguments: dict[str, Json]) -> None:
        """Let arguments that were not sent be the next, if there are requests again."""
        self.tried.discard(canonical(arguments))
        self.consider([arguments])

    def see_unblamed(self, arguments: dict[str, Json]) -> None:
        """Take in arguments of which a refusal blames none outside the path: it may be for the state of the thing."""
        different = {canonical(without_path(one)): one for one in (arguments, *self.unblamed)}
        self.unblamed = sorted(different.values(), key=_size)[:MAX_ASKED]

    def ask_again(self, path: Mapping[str, Json]) -> None:
        """Let what was refused for no argument be tried where something was changed since then."""
        for arguments in self.unblamed[::-1]:
            again = addressed(arguments, path)
            self.refused_alike.pop(canonical(without_path(again)), None)
            self.take_back(again)
            self.dry, self.stale = None, 0

    def start_over(self) -> None:
        """Forget for what it was given up: that was for what had been done before to what it was called on."""
        self.stops, self.stopped, self.stale, self.dry = 0, "", 0, None
        self.refused_alike.clear()
        self.asked.clear()

    def reopen(self) -> None:
        """Go on with it, since more is known: what was denied for what a look showed may be permitted by now."""
        self.dry = None
        if self.sent < MAX_DENIED:
            self.tried.difference_update(map(canonical, self.denied))
            self.consider(self.denied)
        self.denied.clear()

    def next_mended(self) -> dict[str, Json] | None:
        """The most promising mended arguments that were not tried; they count as tried from now on."""
        while self.mended:
            arguments = self.mended.popleft()
            if (found := self.new(iter([arguments]))) is not None:
                return found
        return None

    def new(self, sets: Iterator[dict[str, Json]]) -> dict[str, Json] | None:
        """The first set of arguments that was not tried and may be accepted; it counts as tried from now on."""
        for arguments in sets:
            name = canonical(arguments)
            if name not in self.tried and not self._is_ruled_out(arguments):
                self.tried.add(name)
                return arguments
        return None


def _size(arguments: Mapping[str, Json]) -> int:
    return len(canonical(arguments))


def _at(arguments: Mapping[str, Json], location: str) -> str:
    """What arguments have at a location, as a text; "" if they have nothing there."""
    return canonical(value_at(arguments, location)) if is_sent(arguments, location) else ""


def _is_place(arguments: Mapping[str, Json], location: str) -> bool:
    """Whether something could be at a location: what should contain it was sent."""
    return not location.startswith(f"{BODY}/") or is_sent(arguments, BODY + parent(location.removeprefix(BODY)))


Perform = Callable[[Subject, dict[str, Json]], Steps[Call]]
"""Makes a call of an operation, and takes in what comes of it."""
