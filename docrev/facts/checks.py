"""Are facts still true? The calls behind them are made again, and what they show now is judged.

A fact is false if the calls are answered, and do not show it, twice. If the second time shows it, the API answers now
so, now so, and nothing is known.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Literal

from docrev.calls.redact import has_mask
from docrev.conventions.lists import list_of
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.statuses import NOT_THERE
from docrev.evidence import Evidence
from docrev.facts.kind import Name, name_of
from docrev.facts.registry import FROM_TRIALS, kind_of, shows
from docrev.facts.status_causes import message
from docrev.facts.trial_inference import operation_facts
from docrev.facts.trials import UNCHANGED, UNKNOWN, Lookup, OperationTrials, Trial
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import leaves
from docrev.prompts.steps import Invoke, Repeat, Steps
from docrev.records import Call, Fact, Json, OperationKey
from docrev.spec import Catalog, Operation

Outcome = Literal["true", "false", "unknown"]
_MOST_CALLS = 300
_LONGEST = 80
_REFUSED = frozenset({401, 403, 407})


@dataclass(frozen=True, slots=True)
class CheckedFact:
    """What became of a fact: `why` says what was seen instead, or why it could not be shown; `call` shows it."""

    fact: Fact
    outcome: Outcome
    why: str = ""
    call: Call | None = None


def check_facts(facts: Iterable[Fact], evidence: Evidence, catalog: Catalog) -> Steps[list[CheckedFact]]:
    """Make the calls behind facts again, reads alone, and judge each fact, in the order given.

    `evidence` has the calls that the facts name. A call that shows several facts is made once; what does not hold is
    asked a second time.
    """
    wanted = list(facts)
    plan = _Plan(evidence, catalog)
    first, second = _Round(plan, 1), _Round(plan, 2)
    reads = [fact for fact in wanted if fact.key.method in SAFE_METHODS]
    yield from first.run(reads)
    yield from second.run(
        [fact for fact in reads if first.call_showing(fact) is None and _trouble(fact, first) is None]
    )
    return [_verdict(fact, first, second) for fact in wanted]


def _verdict(fact: Fact, first: _Round, second: _Round) -> CheckedFact:
    if fact.key.method not in SAFE_METHODS:
        return CheckedFact(fact, "unknown", "only reads are made again")
    if (call := first.call_showing(fact)) is not None:
        return CheckedFact(fact, "true", call=call)
    for each in (first, second):
        if (trouble := _trouble(fact, each)) is not None:
            return CheckedFact(fact, "unknown", trouble, next((call for _, call in each.calls(fact)), None))
    shown = second.call_showing(fact)
    if shown is not None or _is_unsteady(fact, first, second):
        return CheckedFact(fact, "unknown", "the API answers now so, now so", shown)
    if _lacks_value(fact, second):
        return CheckedFact(fact, "unknown", "another value that it was tried with is refused now")
    before, after = _difference(second.calls(fact))
    return CheckedFact(fact, "false", _seen(fact, before, after, second.instead(fact)), after)


def _lacks_value(fact: Fact, each: _Round) -> bool:
    """Whether all that changed is that a value is refused which the fact does not state, while others are accepted."""
    stated = {str(value) for _, value in leaves(fact.value)}
    sent = [(before.arguments[fact.location], after.ok) for before, after in each.tried(fact) if before.ok]
    refused = [str(value) for value, accepted in sent if not accepted]
    return 0 < len(refused) < len(sent) and stated.isdisjoint(refused)


def _is_unsteady(fact: Fact, first: _Round, second: _Round) -> bool:
    """Whether a call behind a fact was answered otherwise the second time, but for the values of scalars."""
    pairs = ((first.again(call), second.again(call)) for call, _ in first.calls(fact))
    return any(
        one is not None and other is not None and (one.status, _form(one.body)) != (other.status, _form(other.body))
        for one, other in pairs
    )


def _form(value: object) -> Json:
    """A value with the types of its scalars in their place."""
    if isinstance(value, dict):
        return {name: _form(part) for name, part in value.items()}
    return [_form(part) for part in value] if isinstance(value, list) else type(value).__name__


def _trouble(fact: Fact, each: _Round) -> str | None:
    """Why the calls of a round say nothing about a fact; None if they do."""
    pairs = each.calls(fact)
    if not pairs:
        return "the calls that were kept do not show it with these specs; explore again"
    for before, after in pairs:
        if before.status != after.status and (reason := _reason(before, after)) is not None:
            return reason
    return None


def _reason(before: Call, call: Call) -> str | None:
    """Why a call has another status than before, without the documentation being false; None if it may be."""
    if call.error == "budget":
        return "--max-calls is spent"
    if call.error == "denied":
        return "the call is not allowed"
    if call.status is None:
        return f"no response ({call.error})"
    if before.ok and call.status in NOT_THERE:
        return "what it was seen on is gone"
    if call.status in _REFUSED:
        return f"the credentials do not do ({call.status})"
    return f"the API has trouble ({call.status})" if call.status == 429 or call.status >= 500 else None


def _difference(pairs: Sequence[tuple[Call, Call]]) -> tuple[Call, Call]:
    """The call whose answer differs most from what it was: by its status, its form, or its values."""
    return max(pairs, key=lambda pair: _differences(*pair))


def _differences(before: Call, after: Call) -> tuple[bool, bool, bool]:
    forms = _form(before.body) != _form(after.body)
    return before.status != after.status, forms, before.body != after.body


def _seen(fact: Fact, before: Call, after: Call, instead: Fact | None) -> str:
    """What was seen instead of a fact: another status, another fact, or what is now at its place in the response."""
    if before.status != after.status:
        return f"returns {after.status}, not {before.status}"
    if instead is not None:
        return f"now {json.dumps(instead.value, ensure_ascii=False)[:_LONGEST]}"
    if fact.kind == "status" and (said := message(after.body)):
        return f"the message is now {json.dumps(said, ensure_ascii=False)[:_LONGEST]}"
    were, are = list_of(before), list_of(after)
    if were is not None and are is not None and len(were.items) != len(are.items):
        return f"now {len(are.items):,} items, not {len(were.items):,}"
    status, _, pointer = fact.location.partition(":")
    if status == str(after.status) and pointer.startswith("/"):
        there, value = pointers.find(after.body, pointer)
        return f"now {json.dumps(value, ensure_ascii=False)[:_LONGEST]}" if there else "it is not in the response"
    return f"{after.status}, with another response"


@dataclass
class _Plan:
    """What calls show facts: several that differ in one argument (trials), two of two operations, or any single one."""

    evidence: Evidence
    catalog: Catalog
    _trials: dict[OperationKey, tuple[Trial, ...]] = field(default_factory=dict)
    _by_trials: dict[OperationKey, frozenset[Name]] = field(default_factory=dict)

    def call(self, id: str) -> Call | None:
        """A call of the evidence, unless a secret was taken out of it."""
        call = self.evidence.calls.get(id)
        return None if call is None or has_mask(call.arguments) else call

    def shown_by_trials(self, fact: Fact) -> bool:
        """Whether the trials that were kept show a fact."""
        if fact.kind not in FROM_TRIALS:
            return False
        if fact.key not in self._by_trials:
            self._by_trials[fact.key] = frozenset(map(name_of, self.inferred(fact.key, self.evidence.calls.get)))
        return name_of(fact) in self._by_trials[fact.key]

    def inferred(self, key: OperationKey, lookup: Lookup) -> list[Fact]:
        """The facts that the trials of an operation show, with the calls that `lookup` finds."""
        return operation_facts(OperationTrials.of(key, self.trials(key), lookup))

    def trials(self, key: OperationKey) -> tuple[Trial, ...]:
        """The trials that the calls of an operation are."""
        if key not in self._trials:
            operation = self.catalog.get(key)
            calls = islice(self.evidence.calls.select(key=key), _MOST_CALLS)
            self._trials[key] = tuple(_trials(operation, list(calls))) if operation is not None else ()
        return self._trials[key]

    def calls(self, fact: Fact) -> list[Call]:
        """The calls that show a fact: all of a trial or a pair, or those each of which does."""
        calls = [call for call in map(self.call, fact.calls) if call is not None]
        if self.shown_by_trials(fact):
            return calls if len(calls) == len(fact.calls) else []
        if kind_of(fact).replay.pair is not None:
            return calls[:2]
        return [call for call in calls if shows(fact, call)]

    def needs_all(self, fact: Fact) -> bool:
        """Whether it takes all calls behind a fact to show it."""
        return self.shown_by_trials(fact) or kind_of(fact).replay.pair is not None


@dataclass
class _Round:
    """The calls of facts made again once; `made` are those calls, by operation and arguments."""

    plan: _Plan
    number: int
    made: dict[tuple[OperationKey, str], Call] = field(default_factory=dict)
    _inferred: dict[OperationKey, dict[Name, Fact]] = field(default_factory=dict)

    def run(self, facts: Sequence[Fact]) -> Steps[None]:
        """Make as few calls as show all facts: first those that are needed whole, then what shows most of the rest."""
        whole = [call for fact in facts if self.plan.needs_all(fact) for call in self.plan.calls(fact)]
        others = [self.plan.calls(fact) for fact in facts if not self.plan.needs_all(fact)]
        yield from self._make(_cover({call.id: call for call in whole}, others))

    def _make(self, calls: Sequence[Call]) -> Steps[None]:
        steps = [Invoke(call.key, call.arguments, "replay", repeat=Repeat.CHECK + self.number) for call in calls]
        answers: list[Call] = (yield steps) if steps else []
        for step, answer in zip(steps, answers, strict=True):
            self.made[step.key, canonical(step.arguments)] = answer

    def again(self, call: Call) -> Call | None:
        """The call of this round that repeats another."""
        return self.made.get((call.key, canonical(call.arguments)))

    def call_showing(self, fact: Fact) -> Call | None:
        """A call of this round that shows a fact."""
        pairs = self.calls(fact)
        if self.plan.shown_by_trials(fact):
            return pairs[-1][1] if pairs and name_of(fact) in self._from_trials(fact.key) else None
        if (pair := kind_of(fact).replay.pair) is not None:
            fresh = [again for _, again in pairs]
            found = (target for source, target in product(fresh, fresh) if pair.shows(fact, source, target))
            return next(found, None)
        return next((again for _, again in pairs if shows(fact, again)), None)

    def _from_trials(self, key: OperationKey) -> dict[Name, Fact]:
        """The facts that the trials show with the answers of this round, controls as they were."""
        if key not in self._inferred:
            facts = self.plan.inferred(key, self._newest)
            self._inferred[key] = {name_of(fact): fact for fact in facts}
        return self._inferred[key]

    def instead(self, fact: Fact) -> Fact | None:
        """A fact of the same kind and place that the trials show with the answers of this round."""
        others = self._from_trials(fact.key).values() if self.plan.shown_by_trials(fact) else ()
        return next((other for other in others if (other.kind, other.location) == (fact.kind, fact.location)), None)

    def _newest(self, id: str) -> Call | None:
        call = self.plan.evidence.calls.get(id)
        return (self.again(call) or call) if call is not None else None

    def tried(self, fact: Fact) -> list[tuple[Call, Call]]:
        """The calls of trials that sent a value where a fact is and were made again, each with its new answer."""
        if not self.plan.shown_by_trials(fact):
            return []
        trials = (trial for trial in self.plan.trials(fact.key) if trial.sent and trial.location == fact.location)
        calls = (call for trial in trials if (call := self.plan.evidence.calls.get(trial.call)) is not None)
        return [(call, again) for call in calls if (again := self.again(call)) is not None]

    def calls(self, fact: Fact) -> list[tuple[Call, Call]]:
        """The calls that show a fact and were made again, each with its new answer."""
        pairs = ((call, self.again(call)) for call in self.plan.calls(fact))
        return [(call, again) for call, again in pairs if again is not None]


def _cover(chosen: dict[str, Call], groups: Sequence[Sequence[Call]]) -> list[Call]:
    """The calls that are `chosen`, and as few others as give each group one of its own: what most want first."""
    left = list(groups)
    while left := [calls for calls in left if calls and not any(call.id in chosen for call in calls)]:
        counts = Counter(call.id for calls in left for call in calls)
        calls_left = {call.id: call for calls in left for call in calls}
        # What is sent sorts the same, unlike an id, if the service gives later numbers as ids.
        best = max(counts, key=lambda id: (counts[id], canonical(dict(calls_left[id].arguments)), id))
        chosen[best] = calls_left[best]
    return list(chosen.values())


def _trials(operation: Operation, calls: Sequence[Call]) -> Iterator[Trial]:
    """The trials that calls are: each beside the base of most others from which it differs in one argument."""
    bases = {base.id: _changes(base, calls) for base in calls}
    ranked = sorted((call for call in calls if call.ok), key=lambda call: -len(bases[call.id]))
    for call in calls:
        base = next((base for base in ranked if base is not call and call.id in bases[base.id]), None)
        if base is not None:
            place = bases[base.id][call.id]
            known = place == UNCHANGED or operation.parameter(place) is not None or not place.startswith("query:")
            sent = place in call.arguments
            yield Trial(place if known else UNKNOWN, call.arguments.get(place), base.id, call.id, sent)


def _changes(base: Call, calls: Iterable[Call]) -> dict[str, str]:
    """By call: the one parameter in which it differs from the base; those that differ in more are left out."""
    return {call.id: place for call in calls if (place := _changed(base, call)) is not None}


def _changed(base: Call, call: Call) -> str | None:
    """The one parameter in which two calls differ, or UNCHANGED; None if they differ in more, or in the body."""
    if base.arguments == call.arguments:
        return UNCHANGED
    names = base.arguments.keys() | call.arguments.keys()
    absent = object()
    differing = [name for name in names if base.arguments.get(name, absent) != call.arguments.get(name, absent)]
    return differing[0] if len(differing) == 1 and differing[0] != "body:" else None
