"""`ignored`: no value of a parameter changes anything, nonsense included."""

from __future__ import annotations

from docrev.facts.bounds import BOUNDING
from docrev.facts.kind import PARAMETER, Facts, Holds, Kind, Replay
from docrev.facts.kinds.excludes import members, negates
from docrev.facts.parameter_trials import NONSENSE, ParameterTrials
from docrev.facts.trials import list_in
from docrev.facts.wire_values import key_of, measure
from docrev.language.words import words

_MIN_ITEMS = 3
"""Items that a response must have to show a change of order, or of number."""
_MIN_VALUES = 3


def _from_trials(trials: ParameterTrials) -> Facts:
    """No value changes anything, though one had to, while another parameter does change something."""
    nonsense = [one.call.id for one in trials.sent if one.value in NONSENSE]
    inert = trials.comparable and not trials.effects and "required" not in trials.found
    if not inert or len(nonsense) < 2 or not _would_show(trials):
        return
    contrast = trials.operation.effective(beside=trials.location)
    if contrast is not None and all(one.ok and trials.same(one) for one in trials.sent):
        ids = dict.fromkeys((trials.sent[0].base.id, *nonsense[:2], *contrast.calls))
        yield KIND.fact(trials.key, trials.location, Holds(), ids)


def _would_show(trials: ParameterTrials) -> bool:
    """Whether what was tried had to change something, were the parameter read.

    One that leaves out what it names needs a value that an item has; one that bounds needs what all lie beyond.
    """
    found = list_in(trials.sent[0].base)
    if found is None or len(found.items) < _MIN_ITEMS or len({key_of(one.value) for one in trials.sent}) < _MIN_VALUES:
        return False
    if negates(trials.location):
        return not _held(trials).isdisjoint(key_of(one.value) for one in trials.sent)
    if BOUNDING & {*words(trials.location.partition(":")[2])}:
        sent = {measure(one.value) for one in trials.sent} - {None}
        return len({type(n) for n in sent}) == 2 and len(sent) >= 4
    return True


def _held(trials: ParameterTrials) -> set[str]:
    """The members of the lists that items of the bases have, of those that the parameter may be about."""
    found = [list_in(one.base) for one in trials.sent]
    fields = [members(trials.location, one.items) for one in found if one is not None]
    return {value for each in fields for rows in each.values() for held in rows for value in held}


KIND = Kind("ignored", Holds, PARAMETER, replay=Replay(trials=3), from_trials=_from_trials)
