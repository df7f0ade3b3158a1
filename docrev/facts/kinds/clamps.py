"""`clamps`: a number above the maximum is not refused but taken as the maximum, by a list or by what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat

from docrev.conventions.paging import next_of, total_of
from docrev.facts.call_values import MAX_NAMED
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import ARGUMENT, Ends, Facts, Kind
from docrev.facts.outcomes import AcceptedWrite
from docrev.facts.parameter_trials import HUGE, ListTrial, ParameterTrials
from docrev.facts.wire_values import whole_number
from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping
from docrev.json_values.leaves import scalar_members
from docrev.json_values.scalars import is_whole
from docrev.language.words import words
from docrev.records import Call, Json

Clamped = Iterator[tuple[int, tuple[str, ...]]]
"""A maximum, with the calls that show it."""


_LEAST_PAGE = 10
"""Items that a largest page has at least; fewer may be all there are, in two lists that happen to be of one length too,
and whatever a response says of another page."""


def _from_trials(trials: ParameterTrials) -> Facts:
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
    if echoed := _echoed(trials):
        most = echoed[max(echoed)][0]
        cut = [call for echo, call in map(echoed.get, (most, most + 1), repeat((None, ""))) if echo == most]
        heeded = any(echo == sent for sent, (echo, _) in echoed.items() if sent != most)
        if len(cut) == 2 and heeded and max(echoed) >= 10 * most:
            yield most, tuple(cut)


def _echoed(trials: ParameterTrials) -> dict[int, tuple[Json, str]]:
    """By the whole number that was sent: its echo, with the call."""
    echoed: dict[int, tuple[Json, str]] = {}
    for trial in trials.sent:
        sent = whole_number(trial.value)
        echo = next((value for _, value in echoes(trials.location, trial.call.body)), None)
        if trial.ok and sent is not None and isinstance(echo, int):
            echoed.setdefault(sent, (echo, trial.call.id))
    return echoed


def _by_count(lists: list[ListTrial]) -> Clamped:
    """As many items for a huge number as for the maximum, though more are known to be there."""
    by_base: dict[str, dict[int, ListTrial]] = {}
    for one in lists:
        if (n := whole_number(one.value)) is not None:
            by_base.setdefault(one.trial.base.id, {}).setdefault(n, one)
    huge = [sent for sent in by_base.values() if max(sent) >= HUGE]
    return chain.from_iterable(_cut(sent, [other[max(other)] for other in huge if other is not sent]) for sent in huge)


def _cut(sent: dict[int, ListTrial], others: list[ListTrial]) -> Clamped:
    """The same for the trials of one base, by the number sent; `others` are what huge numbers gave on other bases."""
    far = sent[max(sent)]
    most = len(far.items)
    if not _is_most(sent, most):
        return
    # Another list that is as long, and not the same, shows that the number of items is no accident.
    same = [one for one in others if len(one.items) == most and one.items != far.items]
    call = far.trial.call
    if _says_more(call, most) or (not same and _leads_on(call, most)):
        yield most, (sent[most].id, sent[most + 1].id)
    elif same and most >= _LEAST_PAGE and all(len(one.items) <= most for one in others):
        yield most, (sent[most].id, far.id, same[0].id)


def _says_more(call: Call, most: int) -> bool:
    return (total_of(call) or 0) > most


def _leads_on(call: Call, most: int) -> bool:
    return most >= _LEAST_PAGE and next_of(call) is not None


def _is_most(sent: dict[int, ListTrial], most: int) -> bool:
    """Whether as many items came for this number as for the next one."""
    return most > 0 and all(n in sent and len(sent[n].items) == most for n in (most, most + 1))


_LEAST_CUT = 2
"""Different numbers that must have been stored as the same smaller one."""


def _from_calls(view: EvidenceView) -> Facts:
    """The number as which every larger one is stored, while smaller ones are stored as they are."""
    for key, found in view.outcomes.items():
        for at, stored in sorted(_stored_numbers(found).items()):
            cut = {sent: held for sent, (held, _) in stored.items() if sent > held}
            most = max(cut.values(), default=0)
            is_cut = len(cut) >= _LEAST_CUT and len(cut) < len(stored)
            if is_cut and all(held == min(sent, most) for sent, (held, _) in stored.items()):
                calls = [call for _, (_, call) in sorted(stored.items(), reverse=True)]
                yield KIND.fact(key, f"body:{at}", Ends(maximum=most), calls[:MAX_NAMED])


def _stored_numbers(found: list[AcceptedWrite]) -> dict[str, dict[int, tuple[int, str]]]:
    """By place in the body, with `/0` for every item, and by the number that was sent: what was stored, by which
    call."""
    numbers: dict[str, dict[int, tuple[int, str]]] = {}
    for one in found:
        for at, sent in _whole_numbers(one.body):
            held = one.holds(at)[1]
            if is_whole(held):
                place = "".join("/0" if step.isdecimal() else pointers.join(step) for step in pointers.split(at))
                numbers.setdefault(place, {}).setdefault(sent, (held, one.call.id))
    return numbers


def _whole_numbers(body: Json, above: str = "") -> Iterator[tuple[str, int]]:
    """The whole numbers of a body, those of the items of its lists too, by their pointers."""
    inner = enumerate(body) if isinstance(body, list) else mapping(body).items()
    for name, value in inner:
        at = f"{above}{pointers.join(str(name))}"
        if isinstance(value, dict | list):
            yield from _whole_numbers(value, at)
        elif is_whole(value):
            yield at, value


KIND = Kind("clamps", Ends, ARGUMENT, "cut", from_trials=_from_trials, from_calls=_from_calls)
