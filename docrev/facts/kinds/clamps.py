"""`clamps`: a number above the maximum is not refused but taken as the maximum."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from docrev.facts.fact_values import Ends
from docrev.facts.kind import PARAMETER, Kind
from docrev.facts.parameter_trials import HUGE, ListTrial, ParameterTrials
from docrev.facts.wire_values import whole_number
from docrev.json_values import pointer as pointers
from docrev.json_values.leaves import scalar_members
from docrev.language.words import words
from docrev.records import Fact, Json

_TOTALS = frozenset(
    ("total", "count", "hits", "totalcount", "totalresults", "totalitems", "matches", "found", "xtotalcount")
)

Clamped = Iterator[tuple[int, tuple[str, ...]]]
"""A maximum, with the calls that show it."""


def _from_trials(trials: ParameterTrials) -> Iterator[Fact]:
    """Far more than the maximum gives what the maximum gives: by its echo, or by the items counted."""
    if not trials.comparable:
        return
    for maximum, calls in chain(_by_echo(trials), _by_count(trials.lists) if "limits" in trials.found else ()):
        yield KIND.fact(trials.key, trials.location, Ends(maximum=maximum), calls)
        return


def echoes(location: str, body: Json) -> Iterator[tuple[str, Json]]:
    """(pointer, value) of the scalars, outside lists, that are named as the parameter is."""
    wanted = words(location.partition(":")[2])
    named = ((pointer, value) for pointer, value in scalar_members(body) if words(pointers.last(pointer)) == wanted)
    return ((pointer, value) for pointer, value in named if value is not None)


def _by_echo(trials: ParameterTrials) -> Clamped:
    """The echo of a huge number, which is also that of the number it is cut to, and of the next one."""
    echoed: dict[int, tuple[Json, str]] = {}
    for trial in trials.sent:
        sent = whole_number(trial.value)
        echo = next((value for _, value in echoes(trials.location, trial.call.body)), None)
        if trial.ok and sent is not None and isinstance(echo, int):
            echoed.setdefault(sent, (echo, trial.call.id))
    far = max(echoed, default=0)
    most = echoed[far][0] if echoed else 0
    cut = all(echoed.get(n, (None, ""))[0] == most for n in (most, most + 1)) and far >= 10 * most
    if echoed and cut and any(echo == sent for sent, (echo, _) in echoed.items() if sent != most):
        yield most, (echoed[most][1], echoed[most + 1][1])


def _by_count(lists: list[ListTrial]) -> Clamped:
    """As many items for a huge number as for the maximum, though more are known to be there."""
    by_base: dict[str, dict[int, ListTrial]] = {}
    for one in lists:
        if (n := whole_number(one.value)) is not None:
            by_base.setdefault(one.trial.base.id, {}).setdefault(n, one)
    huge = {base: sent[max(sent)] for base, sent in by_base.items() if max(sent) >= HUGE}
    for base, far in huge.items():
        sent, most = by_base[base], len(far.items)
        if not most or any(n not in sent or len(sent[n].items) != most for n in (most, most + 1)):
            continue
        # Another list that is as long, and not the same, shows that the number of items is no accident.
        others = [one for other, one in huge.items() if other != base and len(one.items) == most]
        others = [one for one in others if one.items != far.items]
        if _total(far) > most:
            yield most, (sent[most].id, sent[most + 1].id)
        elif others and all(len(one.items) <= most for one in huge.values()):
            yield most, (sent[most].id, far.id, others[0].id)


def _total(one: ListTrial) -> int:
    """How many items there are in all, as the response says; at least those that it has."""
    call = one.trial.call
    named = [(pointers.last(pointer), value) for pointer, value in scalar_members(call.body, depth=8)]
    named += [(name, int(text)) for name, text in call.headers.items() if text.isdecimal()]
    totals = [value for name, value in named if type(value) is int and "".join(words(name)) in _TOTALS]
    return max([len(one.items), *totals])


KIND = Kind("clamps", Ends, about=PARAMETER, effect="cut", from_trials=_from_trials)
