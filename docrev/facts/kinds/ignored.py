"""`ignored`: no value of a parameter changes anything, nonsense included."""

from __future__ import annotations

from itertools import chain

from docrev.facts.bounds import BOUNDING
from docrev.facts.kind import PARAMETER, Facts, Holds, Kind, Replay
from docrev.facts.kinds import excludes
from docrev.facts.kinds.excludes import negates
from docrev.facts.parameter_trials import NONSENSE, ParameterTrials
from docrev.facts.trials import list_in
from docrev.facts.wire_values import key_of, measure
from docrev.json_values.leaves import members
from docrev.json_values.pointer import last
from docrev.language.words import singular, words
from docrev.records import Json

_MIN_ITEMS = 3
"""Items that a response must have to show a change of order, or of number."""
_MIN_VALUES = 3
_AROUND = frozenset("show hide include exclude with without skip only is has no all any return get fetch".split())
"""Words in the name of a switch that say what becomes of what it names."""


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

    One that leaves out what it names needs a value that an item has; one that bounds needs what all lie beyond; a
    switch needs an item that has what it names: where nothing is hidden, "show hidden" changes nothing.
    """
    found = list_in(trials.sent[0].base)
    if found is None or len(found.items) < _MIN_ITEMS or len({key_of(one.value) for one in trials.sent}) < _MIN_VALUES:
        return False
    if _is_switch(trials):
        return any(_has(item, _named(trials.location)) for item in found.items)
    if negates(trials.location):
        return not _held(trials).isdisjoint(key_of(one.value) for one in trials.sent)
    return not BOUNDING & {*words(trials.location.partition(":")[2])} or _are_far_apart(trials)


def _are_far_apart(trials: ParameterTrials) -> bool:
    sent = {measure(one.value) for one in trials.sent} - {None}
    return len({type(n) for n in sent}) == 2 and len(sent) >= 4


def _is_switch(trials: ParameterTrials) -> bool:
    """Whether all that makes sense and was tried is true or false."""
    return {key_of(one.value) for one in trials.sent if one.value not in NONSENSE} <= {"true", "false"}


def _named(location: str) -> set[str]:
    return {singular(word) for word in words(location.partition(":")[2])} - _AROUND


def _has(item: Json, named: set[str]) -> bool:
    """Whether an item has something in a field of one of these names, or is said to be that: `state: hidden`."""
    held = [(at, value) for at, value in members(item) if value not in (None, False, "", [], {})]
    texts = (value for _, value in held if isinstance(value, str))
    return any(not named.isdisjoint(map(singular, words(text))) for text in chain(map(last, dict(held)), texts))


def _held(trials: ParameterTrials) -> set[str]:
    """The members of the lists that items of the bases have, of those that the parameter may be about."""
    found = [list_in(one.base) for one in trials.sent]
    fields = [excludes.members(trials.location, one.items) for one in found if one is not None]
    return {value for each in fields for rows in each.values() for held in rows for value in held}


KIND = Kind("ignored", Holds, PARAMETER, replay=Replay(trials=3), from_trials=_from_trials)
