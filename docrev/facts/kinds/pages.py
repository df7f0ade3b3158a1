"""`pages`: how the next part of a list is reached: by a page number, an offset, a cursor or a header's URL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from urllib.parse import parse_qs, urlsplit

from docrev.facts.fact_values import Record
from docrev.facts.kind import PARAMETER, RESPONSE, Kind, Replay
from docrev.facts.parameter_trials import ListTrial, ParameterTrials
from docrev.facts.wire_values import key_of, whole_number
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import scalar_members
from docrev.language.words import words
from docrev.records import Call, Fact, Json

LINK = "link"
_NEXT_LINK = re.compile(r"<([^<>]*)>[^,]*;\s*rel=\"?next\"?", re.IGNORECASE)
_NEXT_HEADERS = ("next-page", "x-next-page")


@dataclass(frozen=True)
class Paging(Record):
    """`by` is page, offset or cursor; `list` the location of the list, `next` that of what leads to the next page."""

    by: str
    list: str
    next: str | None = None


def next_url(call: Call) -> tuple[str, str] | None:
    """The header by which a response leads to the next page, and its URL or token; None without one."""
    for name in _NEXT_HEADERS:
        if call.headers.get(name):
            return name, call.headers[name]
    found = _NEXT_LINK.search(call.headers.get(LINK, ""))
    return (LINK, found.group(1)) if found else None


def _shows(fact: Fact, call: Call) -> bool:
    found = next_url(call)
    return found is not None and fact.location == f"{call.status}:header:{found[0]}"


def _from_trials(trials: ParameterTrials) -> Iterator[Fact]:
    if "window" not in trials.effects:
        yield from islice(chain.from_iterable(_by_number(trials, one) for one in trials.lists), 1)
        yield from islice(chain.from_iterable(_by_cursor(trials, one) for one in trials.lists), 1)


def _fact(trials: ParameterTrials, value: Paging, *calls: str) -> Fact:
    return KIND.fact(trials.key, trials.location, value, calls)


def _by_number(trials: ParameterTrials, one: ListTrial) -> Iterator[Fact]:
    """By offset: the list is moved along. By page: the first is what is returned without it, the next shares nothing
    with it."""
    n = whole_number(one.value)
    if n is None or not one.items or len(one.before) < 2 or one.items == one.before:
        return
    base = one.trial.base.id
    second = next((other for other in trials.lists if whole_number(other.value) != n and _is_moved(other)), None)
    first = next((other for other in trials.lists if _is_first_page(trials, other, one, n)), None)
    if second is not None and _is_moved(one):
        yield _fact(trials, Paging("offset", one.location), base, one.id, second.id)
    elif first is not None and is_disjoint(one.before, one.items) and len(one.items) <= len(one.before):
        yield _fact(trials, Paging("page", one.location), base, first.id, one.id)


def _is_first_page(trials: ParameterTrials, other: ListTrial, one: ListTrial, n: int) -> bool:
    """Whether the number before `n` gave, on the same base, what is returned without the parameter."""
    before = whole_number(other.value) == n - 1 and other.trial.base.id == one.trial.base.id
    return before and n in (1, 2) and not other.changed


def _is_moved(one: ListTrial) -> bool:
    """Whether the list begins as many items later as the number that was sent."""
    n = whole_number(one.value)
    if n is None or not 0 < n < len(one.before):
        return False
    kept = one.before[n:]
    return one.items[: len(kept)] == kept and (len(one.items) > 1 or len(kept) == 1)


def is_disjoint(one: Iterable[Json], other: Iterable[Json]) -> bool:
    """Whether two lists have no item in common."""
    return {canonical(item) for item in one}.isdisjoint(canonical(item) for item in other)


def next_values(location: str, body: Json) -> Iterator[tuple[str, str]]:
    """(pointer, value) of the texts outside lists that may say where to go on: cursors, or URLs that hold one."""
    name = location.partition(":")[2]
    for pointer, text in scalar_members(body):
        if isinstance(text, str) and text and _onward(pointers.last(pointer), location):
            linked = parse_qs(urlsplit(text).query).get(name, [])
            if linked or "://" not in text:
                yield pointer, linked[0] if linked else text


def _onward(field: str, location: str) -> bool:
    names = {*words(field)}
    return bool(names & {"next", "cursor", "token", "continuation", "after", "more"}) or names == {
        *words(location.partition(":")[2])
    }


def _by_cursor(trials: ParameterTrials, one: ListTrial) -> Iterator[Fact]:
    """A text that the base returned leads to other items; another text does not."""
    if not one.items or not isinstance(one.value, str) or not is_disjoint(one.before, one.items):
        return
    others = [trial for trial in trials.sent if key_of(trial.value) != one.value and isinstance(trial.value, str)]
    base = one.trial.base
    place = next((at for at, value in next_values(trials.location, base.body) if value == one.value), None)
    if place is not None and any(trial.rejected or not trials.same(trial, one.trial) for trial in others):
        yield _fact(trials, Paging("cursor", one.location, f"{base.status}:{place}"), base.id, one.id)


KIND = Kind(
    "pages",
    Paging,
    about=PARAMETER | RESPONSE,
    effect="window",
    shows=_shows,
    replay=Replay(weight=6),
    from_trials=_from_trials,
)
