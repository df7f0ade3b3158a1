"""Show every fact once more, with as few calls as can be: one repeated safe call backs many facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from docrev.calls.redact import has_mask
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.statuses import NOT_THERE
from docrev.evidence import Evidence
from docrev.facts.registry import kind_of, refutes, shows
from docrev.facts.trials import Lookup
from docrev.facts.volatility import volatile
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.prompts.steps import Invoke, Repeat, Steps
from docrev.records import Call, Fact, OperationKey

REPEATABLE = frozenset(("POST", "PUT", "PATCH"))

# A status needs a call of its own, a second try is for a call whose object is gone by now.
MAX_CALLS_AN_OPERATION = 12
_MAX_NAMED = 5
_MAX_COMPARED = 40
_WRITE = 4
"""Requests that a write takes: what is there is looked at before and after, and what was made is removed."""


@dataclass(frozen=True)
class Replayed:
    """`kept` name the replays that showed them again; `dropped` could not be; `volatile` locations have no values."""

    kept: tuple[Fact, ...]
    dropped: tuple[Fact, ...]
    volatile: Mapping[OperationKey, frozenset[str]]


@dataclass
class _Replays:
    """What was repeated so far: original → replay; and what was shown again by whom."""

    lookup: Lookup
    allow: frozenset[str]
    removed: frozenset[str] = frozenset()
    there: frozenset[str] = frozenset()
    done: dict[str, Call] = field(default_factory=dict)
    by_operation: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, evidence: Evidence, allow: frozenset[str]) -> _Replays:
        """Nothing repeated yet; the journal says what was removed, and what the run created and left."""
        removed, there = set[str](), set[str]()
        for item in evidence.journal.items():
            values = [str(value) for value in item.arguments.values()]
            removed.update(values if item.deleted else ())
            there.update(() if item.deleted else values[-1:])
        return cls(evidence.calls.get, allow, frozenset(removed), frozenset(there))

    def sent(self, id: str) -> str:
        """What a call sent: unlike its id, it sorts the same if the service gives later numbers as ids."""
        call = self.lookup(id)
        return canonical(dict(call.arguments)) if call is not None else ""

    def may(self, id: str) -> bool:
        """Whether the call may be repeated, and was not yet."""
        call = self.lookup(id)
        if call is None or id in self.done or self.room(call.key) <= 0 or has_mask(call.arguments):
            return False
        method = call.key.method
        return method in SAFE_METHODS or (method in REPEATABLE and method in self.allow)

    def cost(self, id: str) -> int:
        """The requests that repeating a call takes."""
        call = self.lookup(id)
        return 1 if call is None or call.key.method in SAFE_METHODS else _WRITE

    def gone(self, id: str) -> bool:
        """Whether what the call was about has been removed since, or created, as far as the journal knows."""
        call = self.lookup(id)
        changed = self.removed if call is not None and call.ok else self.there
        return call is not None and not changed.isdisjoint(map(str, call.arguments.values()))

    def outlived(self, fact: Fact) -> bool:
        """Whether several calls showed the fact, and the replays cannot speak on it: their objects are gone."""
        answers = [self.done[id].status for id in fact.calls if id in self.done]
        if kind_of(fact).replay.pair is not None:
            return len(fact.calls) == 4 and any(status in NOT_THERE for status in answers)
        return len(fact.calls) >= 2 and bool(answers) and all(status in NOT_THERE for status in answers)

    def room(self, key: OperationKey) -> int:
        """How many more calls may go to an operation."""
        return MAX_CALLS_AN_OPERATION - len(self.by_operation.get(str(key), ()))

    def add(self, id: str, again: Call) -> None:
        self.done[id] = again
        self.by_operation.setdefault(str(again.key), []).append(id)

    def originals_of(self, fact: Fact) -> tuple[str, ...]:
        """The originals whose replay showed the fact again, those that it names first; empty where none did."""
        pair = kind_of(fact).replay.pair
        if pair is None:
            own = tuple(id for id in fact.calls if id in self.done and shows(fact, self.done[id]))
            others = (id for id in self.by_operation.get(str(fact.key), ()) if shows(fact, self.done[id]))
            return own or tuple(islice(others, 1))
        for source in self.by_operation.get(pair.source(fact), ()):
            for target in self.by_operation.get(str(fact.key), ()):
                if pair.shows(fact, self.done[source], self.done[target]):
                    return source, target
        return ()


def replay(
    facts: Iterable[Fact],
    evidence: Evidence,
    *,
    allow: frozenset[str] = frozenset(),
    done: Mapping[str, Call] | None = None,
    left: Callable[[], int] | None = None,
) -> Steps[Replayed]:
    """Repeat the calls behind `facts` and keep the facts that hold again.

    `evidence` holds the calls that the facts name; `allow` are the unsafe methods that may be repeated. Facts on
    unsafe operations need two independent calls, or, where repeating does no harm (a creation, an idempotent write),
    one and its replay; a DELETE is never repeated. Two independent calls also do where the object is gone by now.
    `done` are calls that were repeated at the very end, by the ids of those that they repeat; `left` says how many
    requests may still go out. Sends nothing where there is nothing to show.
    """
    state = _Replays.of(evidence, allow)
    open_facts, kept = _independent(facts, evidence.calls.get)
    for id, again in sorted((done or {}).items()):
        state.add(id, again)
    open_facts, shown = _parted(open_facts, state)
    kept += shown
    for choose in (_cover_all, _second_try):
        ids = choose(open_facts, state)
        # What is sent side by side goes out with its reads first, so what there may be no request for waits.
        for some in _affordable(ids, state, left() if left is not None else len(ids) * _WRITE):
            answers = yield [_invoke(evidence.calls.get, id) for id in some]
            for id, again in zip(some, answers, strict=True):
                state.add(id, again)
        open_facts, shown = _parted(open_facts, state)
        kept += shown
    outlived = list(filter(state.outlived, open_facts))
    lost = [fact for fact in open_facts if fact not in outlived]
    return _judged([*kept, *map(_independently, outlived)], lost, state)


def _affordable(ids: Sequence[str], state: _Replays, requests: int) -> Iterator[Sequence[str]]:
    """The calls for which there are requests, the first ones before others, and then the rest."""
    first, rest = list[str](), list[str]()
    for id in ids:
        is_affordable = state.cost(id) <= requests
        (first if is_affordable else rest).append(id)
        requests -= state.cost(id) if is_affordable else 0
    yield from filter(None, (first, rest))


def _judged(kept: list[Fact], left: list[Fact], state: _Replays) -> Replayed:
    """The facts, but for those that the replays refute."""
    moving = _volatile(state)
    again = grouped((call.key, call) for call in state.done.values())
    denied = _refuted_by(kept, again)
    false = [fact for fact in kept if _moves(fact, moving) or fact in denied]
    true = [fact for fact in kept if fact not in false]
    return Replayed(tuple(sorted(true, key=_rank)), tuple(sorted([*left, *false], key=_rank)), moving)


def refuted(facts: Collection[Fact], evidence: Evidence) -> list[Fact]:
    """The facts that one of the first successful calls to their operation refutes."""
    calls = {
        key: list(islice(evidence.calls.select(key=key, ok=True), _MAX_COMPARED)) for key in {one.key for one in facts}
    }
    return _refuted_by(facts, calls)


def _refuted_by(facts: Iterable[Fact], calls: Mapping[OperationKey, Sequence[Call]]) -> list[Fact]:
    """The facts that one of the calls to their operation refutes."""
    return [fact for fact in facts if any(refutes(fact, call) for call in calls.get(fact.key, ()))]


def _parted(facts: Iterable[Fact], state: _Replays) -> tuple[list[Fact], list[Fact]]:
    """The facts that no replay has shown yet, and those that one has."""
    left, shown = list[Fact](), list[Fact]()
    for fact in facts:
        held = _held(fact, state)
        if held is None:
            left.append(fact)
        else:
            shown.append(held)
    return left, shown


def _rank(fact: Fact) -> tuple[OperationKey, str, str, str]:
    return fact.key, fact.location, fact.kind, canonical(fact.value)


def _independent(facts: Iterable[Fact], lookup: Lookup) -> tuple[list[Fact], list[Fact]]:
    """Facts that need a replay, and those on unsafe operations that two different requests have shown already."""
    needing, shown = list[Fact](), list[Fact]()
    for fact in facts:
        found = [(id, call.key.method) for id in fact.calls if (call := lookup(id)) is not None]
        if {method for _, method in found} <= SAFE_METHODS or len(found) < 2 * kind_of(fact).replay.calls:
            needing.append(fact)
        else:
            shown.append(_independently(replace(fact, calls=tuple(id for id, _ in found))))
    return needing, shown


def _independently(fact: Fact) -> Fact:
    """The fact as shown by one call (an origin: a pair) and again by others, made apart from each other."""
    count = kind_of(fact).replay.calls
    return replace(fact, calls=fact.calls[:count], replays=fact.calls[count:_MAX_NAMED])


def _cover_all(facts: Iterable[Fact], state: _Replays) -> list[str]:
    """The calls to repeat: for each operation, again and again the one that shows most of what is still open.

    Those that show most for a request come first, whatever their operation: the budget may end before all are made.
    Origins need two calls each and wait: mostly, what is repeated for the other facts shows them too. Of other pairs
    nothing does.
    """
    known = list(facts)
    by_key = grouped((fact.key, fact) for fact in known if kind_of(fact).replay.pair is None)
    telling = [fact for fact in known if kind_of(fact).replay.pair and kind_of(fact).replay.weight > 1]
    pairs = {id: (kind_of(fact).replay.weight, fact.key) for fact in telling for id in _pair_of(fact, state, ())}
    taken = Counter(key for _, key in pairs.values())
    covering = (_cover(by_key[key], state, state.room(key) - taken[key]) for key in sorted(by_key))
    chosen = [*((weight, id) for id, (weight, _) in pairs.items()), *chain.from_iterable(covering)]
    return list(dict.fromkeys(id for _, id in sorted(chosen, key=lambda pair: -pair[0] / state.cost(pair[1]))))


def _second_try(facts: Iterable[Fact], state: _Replays) -> list[str]:
    """Other calls for what was not shown (its object may be gone by now), and the two calls of each open origin."""
    known = list(facts)
    chosen = dict.fromkeys(_cover_all(known, state))
    for fact in known:
        if kind_of(fact).replay.pair is not None:
            chosen.update(dict.fromkeys(_pair_of(fact, state, chosen)))
    return list(chosen)


def _pair_of(fact: Fact, state: _Replays, chosen: Collection[str]) -> list[str]:
    """Those of the two calls that show a fact which are still to be repeated; none if one may not be."""
    ids = [id for id in fact.calls[:2] if id not in state.done and id not in chosen]
    return ids if all(state.may(id) for id in ids) else []


def _cover(facts: list[Fact], state: _Replays, room: int) -> Iterator[tuple[int, str]]:
    """(what it shows, id) of the calls to one operation, no more than there is room for."""
    left = facts
    while left and room > 0:
        counts: dict[str, int] = {}
        for fact in left:
            for id in fact.calls:
                counts[id] = counts.get(id, 0) + kind_of(fact).replay.weight
        usable = [id for id in counts if state.may(id)]
        if not usable:
            return
        best = min(usable, key=lambda id: (state.gone(id), -counts[id], state.sent(id), id))
        yield counts[best], best
        room -= 1
        left = [fact for fact in left if best not in fact.calls]


def _invoke(lookup: Lookup, id: str) -> Invoke:
    call = lookup(id)
    assert call is not None
    return Invoke(call.key, call.arguments, purpose="replay", repeat=Repeat.FINAL)


def _held(fact: Fact, state: _Replays) -> Fact | None:
    """The fact as its replays showed it, or a weaker one that they did show; None if they show neither."""
    how = kind_of(fact).replay
    originals = state.originals_of(fact)
    if not originals and (weaker := how.weaker(fact)) is not None:
        fact, originals = weaker, state.originals_of(weaker)
    if not originals:
        return None
    others = [id for id in fact.calls if id not in originals] if how.pair is None else []
    replays = tuple(dict.fromkeys(state.done[id].id for id in originals))
    return replace(fact, calls=(*originals, *others)[: max(_MAX_NAMED, len(originals))], replays=replays)


def _volatile(state: _Replays) -> dict[OperationKey, frozenset[str]]:
    found: dict[OperationKey, set[str]] = {}
    for id, again in state.done.items():
        call = state.lookup(id)
        if call is not None and call.ok:
            found.setdefault(call.key, set()).update(f"{call.status}:{place}" for place in volatile(call, again))
    return {key: frozenset(found[key]) for key in sorted(found) if found[key]}


def _moves(fact: Fact, moving: Mapping[OperationKey, frozenset[str]]) -> bool:
    return kind_of(fact).replay.steady and fact.location in moving.get(fact.key, ())
