"""Show facts on parameters again: fresh calls take the place of those behind a fact, and it must follow again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from docrev.calls.redact import has_mask
from docrev.facts.kind import Name, name_of
from docrev.facts.registry import kind_of
from docrev.facts.trial_inference import operation_facts
from docrev.facts.trials import UNCHANGED, UNKNOWN, Lookup, OperationTrials, Trials
from docrev.grouping import parted
from docrev.prompts.steps import Invoke, Repeat, Steps
from docrev.records import Call, Fact, OperationKey

_MAX_NAMED = 20


def replay_trials(
    facts: Iterable[Fact],
    trials: Trials,
    lookup: Lookup,
    read: Callable[[Call], Call | None] = lambda call: call,
) -> Steps[tuple[list[Fact], list[Fact]]]:
    """Make the calls behind `facts` again and infer again with their answers; returns facts (kept, dropped).

    The negation of a fact is among its calls (the value beyond a bound, another value of a filter), so it is tried
    again too. A call that backs several facts is repeated once. `read` is what `lookup` does with the calls it finds.
    """
    wanted = list(facts)
    answers = yield from _repeat((id for fact in wanted for id in _shown_by(fact)), lookup)
    fresh = {id: read(call) or call for id, call in answers.items()}
    again = {
        key: _facts(key, places, trials, lookup, lambda id: fresh.get(id) or lookup(id))
        for key, places in _places(wanted).items()
    }
    kept, dropped = list[Fact](), list[Fact]()
    for fact in wanted:
        shown = again[fact.key].get(name_of(fact))
        made = tuple(_answered(fresh.get(id)) for id in _shown_by(fact))
        if shown is not None and _shown_by(shown) == made:
            kept.append(replace(fact, calls=fact.calls[:_MAX_NAMED], replays=made))
        else:
            dropped.append(fact)
    return kept, dropped


def _answered(call: Call | None) -> str:
    """The ID of a call that was answered, else ""."""
    return call.id if call is not None and call.error is None else ""


def _places(facts: Iterable[Fact]) -> dict[OperationKey, set[str]]:
    """Where facts are to be inferred again. One on an operation itself rests on parameters that nobody declared."""
    places: dict[OperationKey, set[str]] = {}
    for fact in facts:
        places.setdefault(fact.key, set()).add(fact.location or UNKNOWN)
    return places


def _repeat(ids: Iterable[str], lookup: Lookup) -> Steps[dict[str, Call]]:
    """Make calls again, each once; those with a secret are left out. Returns the new calls by the ids of the old."""
    originals = {
        id: call for id in dict.fromkeys(ids) if (call := lookup(id)) is not None and not has_mask(call.arguments)
    }
    steps = [Invoke(call.key, call.arguments, "replay", repeat=Repeat.TRIAL) for call in originals.values()]
    answers: list[Call] = (yield steps) if steps else []
    return dict(zip(originals, answers, strict=True))


def _facts(
    key: OperationKey, locations: Collection[str], trials: Trials, first: Lookup, then: Lookup
) -> Mapping[Name, Fact]:
    """The facts of some locations with the fresh calls; what moved before counts as moving.

    A call that was repeated before what was listed changed, does not equal its repetition any more: whether equal calls
    are answered alike, those show that were made together.
    """
    repeated, changed = parted(trials.get(key, ()), lambda trial: trial.location == UNCHANGED)
    before = OperationTrials.of(key, repeated, first)
    after = OperationTrials.of(key, changed, then)
    after.moving, after.steady = before.moving, before.steady
    return {name_of(fact): fact for fact in operation_facts(after, locations)}


def _shown_by(fact: Fact) -> tuple[str, ...]:
    return fact.calls[: kind_of(fact).replay.trials]
