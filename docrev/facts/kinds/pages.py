"""`pages`: how the next part of a list is reached: by a page number, an offset, a cursor or a header's URL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from urllib.parse import parse_qs, parse_qsl

from docrev.conventions.envelopes import CURSORS, NEXTS, plain_name
from docrev.conventions.paging import find_next
from docrev.facts.call_values import MAX_NAMED, own_list
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PARAMETER, RESPONSE, Facts, Kind, Record, Replay
from docrev.facts.observations import Observations
from docrev.facts.parameter_trials import ListTrial, ParameterTrials
from docrev.facts.wire_values import whole_number
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import scalar_members, values_at
from docrev.language.urls import split_url
from docrev.language.words import words
from docrev.records import Call, Fact, Json


@dataclass(frozen=True)
class Paging(Record):
    """`by` is page, offset or cursor; `list` the location of the list, `next` that of what leads to the next page."""

    by: str
    list: str
    next: str | None = None


def next_url(call: Call) -> tuple[str, str] | None:
    """The header by which a response leads to the next page, and its URL or token; None without one."""
    found = find_next(None, call.headers)
    return (found.pointer.removeprefix("header:"), str(found.value)) if found is not None else None


def _shows(fact: Fact, call: Call) -> bool:
    found = next_url(call)
    return found is not None and fact.location == f"{call.status}:header:{found[0]}"


def _from_trials(trials: ParameterTrials) -> Facts:
    for analysis in (_by_number, _by_cursor):
        yield from islice(chain.from_iterable(analysis(trials, one) for one in trials.lists), 1)


def _fact(trials: ParameterTrials, value: Paging, *calls: str) -> Fact:
    return KIND.fact(trials.key, trials.location, value, calls)


def _by_number(trials: ParameterTrials, one: ListTrial) -> Facts:
    """By offset: the list is moved along. By page: the first is what is returned without it, the next shares nothing
    with it."""
    n = whole_number(one.value)
    if n is None or not _is_other_part(one):
        return
    second = [other for other in filter(_is_moved, trials.lists) if whole_number(other.value) != n]
    first = [other for other in trials.lists if _is_first_page(other, one, n)]
    if second and _is_moved(one):
        yield _fact(trials, Paging("offset", one.location), one.trial.base.id, one.id, second[0].id)
    elif first and is_disjoint(one.before, one.items) and len(one.items) <= len(one.before):
        yield _fact(trials, Paging("page", one.location), one.trial.base.id, first[0].id, one.id)


def _is_other_part(one: ListTrial) -> bool:
    """Whether a value returned items, and others than the several that are returned without it."""
    return bool(one.items) and len(one.before) >= 2 and one.items != one.before


def _is_first_page(other: ListTrial, one: ListTrial, n: int) -> bool:
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


def is_disjoint(one: Iterable[object], other: Iterable[object]) -> bool:
    """Whether two lists have no item in common."""
    return {canonical(item) for item in one}.isdisjoint(canonical(item) for item in other)


def next_values(location: str, body: Json) -> Iterator[tuple[str, str]]:
    """(pointer, value) of the texts outside lists that may say where to go on: cursors, or URLs that hold one."""
    name = location.partition(":")[2]
    for pointer, text in scalar_members(body):
        if isinstance(text, str) and text and _onward(pointers.last(pointer), location):
            linked = parse_qs(split_url(text).query).get(name, [])
            if linked or "://" not in text:
                yield pointer, linked[0] if linked else text


def _onward(field: str, location: str) -> bool:
    return plain_name(field) in NEXTS | CURSORS or {*words(field)} == {*words(location.partition(":")[2])}


def _by_cursor(trials: ParameterTrials, one: ListTrial) -> Facts:
    """A text that the base returned leads to other items; another text does not."""
    base = one.trial.base
    places = [at for at, value in next_values(trials.location, base.body) if value == one.value]
    if not places or not one.items or not is_disjoint(one.before, one.items):
        return
    others = (trial for trial in trials.sent if isinstance(trial.value, str) and trial.value != one.value)
    if any(trial.rejected or not trials.same(trial, one.trial) for trial in others):
        yield _fact(trials, Paging("cursor", one.location, f"{base.status}:{places[0]}"), base.id, one.id)


def _from_calls(view: EvidenceView) -> Facts:
    """A response header that leads to the next page: followed, it returned other items; the last page has none."""
    for key, seen in view.observations.items():
        pages = [(call, found) for call in seen.good if (found := next_url(call)) is not None]
        places: dict[tuple[str, str], list[str]] = {}
        for call, (header, url) in pages if key.method == "GET" and len(pages) < len(seen.good) else ():
            if (place := _list_that_goes_on(seen, call, url)) is not None:
                places.setdefault((f"{call.status}:header:{header}", f"{call.status}:{place}"), []).append(call.id)
        for (location, place), calls in places.items():
            yield KIND.fact(key, location, Paging("cursor", place, location), calls[:MAX_NAMED])


def _list_that_goes_on(seen: Observations, call: Call, url: str) -> str | None:
    """The pointer of the list of a response, if the call to `url` was made and returned other items of it."""
    here, wanted = own_list(call), following(call, url)
    next_call = next(
        (other for other in seen.good if wanted is not None and _texts_of(other.arguments) == _texts_of(wanted)), None
    )
    if here is None or next_call is None:
        return None
    there = values_at(next_call.body, here.pointer)
    other = bool(here.items and there and there[0]) and is_disjoint(here.items, there[0])
    return here.pointer if other else None


def followed(seen: Observations) -> Facts:
    """A query parameter by which callers went on: with the value that a response named, the next had other items."""
    shown: dict[tuple[str, str, str], dict[str, None]] = {}
    names = dict.fromkeys(place for call in seen.good for place in call.arguments if place.startswith("query:"))
    for location in names:
        for call, pointer, later in _followed_calls(seen.good, location):
            found = _list_gone_on(call, later)
            if found is not None:
                place = (location, f"{call.status}:{found}", f"{call.status}:{pointer}")
                shown.setdefault(place, {}).update({call.id: None, later.id: None})
    for (location, found, onward), calls in shown.items():
        yield KIND.fact(seen.key, location, Paging("cursor", found, onward), [*calls][:MAX_NAMED])


def _list_gone_on(call: Call, later: Call) -> str | None:
    """The pointer of the list that both calls returned, if the later one had other items of it."""
    here, there = own_list(call), own_list(later)
    if here is None or there is None or here.pointer != there.pointer or not (here.items and there.items):
        return None
    return here.pointer if is_disjoint(here.items, there.items) else None


def _followed_calls(calls: Iterable[Call], location: str) -> Iterator[tuple[Call, str, Call]]:
    """(call, pointer of what it named, the call that sent it at `location`, all else equal)."""
    by_arguments = {canonical(_texts_of(call.arguments)): call for call in calls}
    for call in by_arguments.values():
        for pointer, value in next_values(location, call.body):
            later = by_arguments.get(canonical(_texts_of({**call.arguments, location: value})))
            if later is not None:
                yield call, pointer, later


def following(call: Call, url: str) -> dict[str, Json] | None:
    """The arguments with which a call reaches `url`, the next page of its response; None if that is elsewhere."""
    parts, own = split_url(url), split_url(call.url)
    if not parts.query or (parts.path and parts.path != own.path):
        return None
    path = {name: value for name, value in call.arguments.items() if name.startswith("path:")}
    query = {f"query:{name}": value for name, value in parse_qsl(parts.query, keep_blank_values=True)}
    # What was sent as a number is one there too.
    same = {name: call.arguments[name] for name in query if str(call.arguments.get(name)) == query[name]}
    return path | query | same


def _texts_of(arguments: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in arguments.items()}


KIND = Kind(
    "pages",
    Paging,
    PARAMETER | RESPONSE,
    "window",
    shows=_shows,
    replay=Replay(weight=6),
    from_trials=_from_trials,
    from_calls=_from_calls,
)
