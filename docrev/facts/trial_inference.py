"""What parameters accept and do, inferred from trials: pure, so the same trials give the same facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache

from docrev.facts.kind import Effect, Place, TrialAnalysis
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.registry import KINDS, kind_of
from docrev.facts.trials import OPERATORS, UNKNOWN, Lookup, OperationTrials, Trial
from docrev.records import Fact, OperationKey


class TrialInference:
    """Infers from the trials of an operation each time that there are more of them; `lookup` finds a call by its id.

    Each fact names the calls that show it, all of which must be made again before it is used: see `trial_replays`.
    """

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        # By location: what its facts follow from, and the facts. Most trials are of another location.
        self._inferred: dict[str, tuple[object, list[Fact]]] = {}

    def facts(self, key: OperationKey, trials: Iterable[Trial]) -> list[Fact]:
        """Candidate facts on the parameters that were tried."""
        operation = OperationTrials.of(key, trials, self._lookup)
        return [fact for location in operation.tried for fact in self._about(operation, location)]

    def _about(self, trials: OperationTrials, location: str) -> list[Fact]:
        contrast = trials.effective(beside=location)
        basis = (trials.tried[location], trials.moving, trials.steady, contrast and contrast.calls)
        before, facts = self._inferred.get(location, (None, []))
        if before != basis:
            facts = list(_parameter_facts(ParameterTrials(trials, location)))
            self._inferred[location] = basis, facts
        return facts


def operation_facts(trials: OperationTrials, locations: Collection[str] | None = None) -> list[Fact]:
    """The facts of one operation's trials, by location in the order of their first trial; of all, or of some."""
    chosen = (location for location in trials.tried if locations is None or location in locations)
    return [fact for location in chosen for fact in _parameter_facts(ParameterTrials(trials, location))]


@cache
def _analyses(place: Place) -> list[tuple[TrialAnalysis, Effect]]:
    """What analyses the trials at a place, each with the effect that it looks for, in the order of the kinds."""
    kinds = (kind for kind in KINDS.values() if place in kind.about)
    return [(kind.from_trials, kind.effect) for kind in kinds if kind.from_trials is not None]


def _parameter_facts(trials: ParameterTrials) -> Iterator[Fact]:
    """The facts that each analysis of trials yields, in the order of the kinds; kinds that share one run it once.

    A parameter has one effect of each sort: what has been found to filter is not looked at as a search.
    """
    place: Place = (
        "operation" if trials.location in (UNKNOWN, OPERATORS) else "property" if trials.in_body else "parameter"
    )
    done = set[TrialAnalysis]()
    for analysis, effect in _analyses(place):
        if effect not in trials.effects and analysis not in done:
            done.add(analysis)
            for fact in list(analysis(trials)):
                trials.add(fact, kind_of(fact).effect)
                yield fact
