"""What parameters accept and do, inferred from trials: pure, so the same trials give the same facts."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.facts.kind import Place
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.registry import KINDS, kind_of
from docrev.facts.trials import UNKNOWN, Lookup, OperationTrials, Trials
from docrev.records import Fact


def infer_from_trials(trials: Trials, lookup: Lookup) -> list[Fact]:
    """Candidate facts on the parameters of all operations that were tried; `lookup` finds a call by its id.

    Each names the calls that show it, all of which must be made again before it is used: see `trial_replays`.
    """
    return [fact for key in sorted(trials) for fact in operation_facts(OperationTrials.of(key, trials[key], lookup))]


def operation_facts(trials: OperationTrials) -> list[Fact]:
    """The facts of one operation's trials, by location in the order of their first trial."""
    return [fact for location in trials.tried for fact in _parameter_facts(ParameterTrials(trials, location))]


def _parameter_facts(trials: ParameterTrials) -> Iterator[Fact]:
    """The facts that each analysis of trials yields, in the order of the kinds; kinds that share one run it once."""
    place: Place = "operation" if trials.location == UNKNOWN else "property" if trials.in_body else "parameter"
    for analysis in dict.fromkeys(kind.from_trials for kind in KINDS.values() if place in kind.about):
        for fact in [] if analysis is None else list(analysis(trials)):
            trials.add(fact, kind_of(fact).effect)
            yield fact
