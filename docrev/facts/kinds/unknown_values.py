"""`unknown-values`: a parameter with an effect is ignored if its value is unknown."""

from __future__ import annotations

from docrev.facts.kind import PARAMETER, Facts, Kind, TextValue
from docrev.facts.parameter_trials import NONSENSE, ParameterTrials
from docrev.facts.wire_values import key_of

_MIN_VALUES = 3
"""Different values of which one must have an effect."""


def _from_trials(trials: ParameterTrials) -> Facts:
    """Nonsense changes nothing, other values do; that nothing is left out for nonsense is no trap."""
    if not _has_visible_effect(trials):
        return
    tried = [one for one in trials.sent if one.ok]
    alike = list(filter(trials.same, tried))
    nonsense = [one for one in alike if one.value in NONSENSE]
    varied = len(alike) < len(tried) or len({key_of(one.value) for one in tried}) < _MIN_VALUES
    if len(nonsense) >= 2 and varied:
        ids = dict.fromkeys((nonsense[0].base.id, *(one.call.id for one in nonsense[:2])))
        yield KIND.fact(trials.key, trials.location, TextValue("ignored"), ids)


def _has_visible_effect(trials: ParameterTrials) -> bool:
    """Whether responses can be compared, and values do something else than leave items out."""
    return trials.comparable and bool(trials.effects) and "excludes" not in trials.found


KIND = Kind("unknown-values", TextValue, PARAMETER, from_trials=_from_trials)
