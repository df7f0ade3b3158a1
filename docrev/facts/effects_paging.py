"""How much of a list is shown, and which part: limits, clamps, pages; and what is meant where nothing is sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import parse_qs, urlsplit

from docrev.facts.effects_lists import Seen
from docrev.facts.effects_trials import Scene, Tried, items_at, key_of, listing, number
from docrev.facts.effects_values import argument
from docrev.facts.registry import BY_FIELD
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import escape
from docrev.language.words import words
from docrev.records import Call, Fact, Json

HUGE = 1_000_000
"""What no limit allows."""
_TOTALS = frozenset(
    ("total", "count", "hits", "totalcount", "totalresults", "totalitems", "matches", "found", "xtotalcount")
)


def paging_facts(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """The facts on how a query parameter cuts or pages the list of an operation."""
    if not scene.steady:
        return
    limits = list(_limits(scene, location, found))
    yield from limits
    yield from _clamps(scene, location, found, bool(limits))
    if not limits:
        yield from _pages(scene, location, found)


# Limits


def _limits(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """As many items as were asked for, for two numbers; never more."""
    counted = [(n, one) for one in found if (n := _whole(one.value)) is not None and n >= 1]
    full = {n: one for n, one in reversed(counted) if len(one.items) == n}
    if len(full) >= 2 and all(len(one.items) <= n for n, one in counted):
        calls = tuple(full[n].tried.call.id for n in sorted(full)[:2])
        yield Fact(scene.key, "limits", location, counted[0][1].place, calls)


def _whole(value: Json) -> int | None:
    n = number(value)
    return int(n) if n is not None and float(n).is_integer() else None


# Clamps


def _clamps(scene: Scene, location: str, found: list[Seen], limits: bool) -> Iterator[Fact]:
    """Where far more than the most is answered as the most is: by its echo, or by the items counted."""
    for maximum, calls in [*_clamped_echo(scene, location), *(_clamped_count(found) if limits else ())]:
        yield Fact(scene.key, "clamps", location, {"maximum": maximum}, calls)
        return


def echoes(location: str, body: Json, pointer: str = "", depth: int = 3) -> Iterator[tuple[str, Json]]:
    """(pointer, value) of the scalars, outside lists, that are named as the parameter is."""
    if isinstance(body, dict) and depth:
        wanted = words(location.partition(":")[2])
        for name, part in body.items():
            below = f"{pointer}/{escape(name)}"
            if isinstance(part, dict):
                yield from echoes(location, part, below, depth - 1)
            elif not isinstance(part, list) and part is not None and words(name) == wanted:
                yield below, part


def _clamped_echo(scene: Scene, location: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The echo of a huge number, which is also that of the number it is cut to, and of the next one."""
    told: dict[int, tuple[Json, Tried]] = {}
    for tried in scene.values(location):
        sent = _whole(tried.value)
        echo = next((value for _, value in echoes(location, tried.call.body)), None)
        if tried.ok and sent is not None and isinstance(echo, int):
            told.setdefault(sent, (echo, tried))
    if not told or max(told) not in told:
        return
    most, _ = told[max(told)]
    if (
        most in told
        and most + 1 in told
        and told[most][0] == most
        and told[most + 1][0] == most
        and max(told) >= 10 * most
        and any(echo == sent for sent, (echo, _) in told.items() if sent != most)
    ):
        yield most, (told[most][1].call.id, told[most + 1][1].call.id)


def _clamped_count(found: list[Seen]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """As many items for a huge number as for the most, of which more are known to be there."""
    by_base: dict[str, dict[int, Seen]] = {}
    for one in found:
        if (n := _whole(one.value)) is not None:
            by_base.setdefault(one.tried.base.id, {}).setdefault(n, one)
    counts = {base: len(sent[max(sent)].items) for base, sent in by_base.items() if sent and max(sent) >= HUGE}
    for base, sent in by_base.items():
        far = sent.get(max(sent, default=0))
        if far is None or base not in counts or not far.items:
            continue
        most = len(far.items)
        if most not in sent or most + 1 not in sent or not all(len(sent[n].items) == most for n in (most, most + 1)):
            continue
        others = [
            by_base[other][max(by_base[other])]
            for other in counts
            if other != base and counts[other] == most and by_base[other][max(by_base[other])].items != far.items
        ]
        if _total(far.tried.call, far) > most:
            yield most, (sent[most].tried.call.id, sent[most + 1].tried.call.id)
        elif others and all(count <= most for count in counts.values()):
            yield most, (sent[most].tried.call.id, far.tried.call.id, others[0].tried.call.id)


def _total(call: Call, one: Seen) -> int:
    """How many items there are in all, as the response tells; at least those that it shows."""
    told = [len(one.items)]
    bodies: list[Json] = [call.body]
    while bodies:
        body = bodies.pop()
        if isinstance(body, dict):
            bodies += [part for part in body.values() if isinstance(part, dict)]
            named = (
                (name, part) for name, part in body.items() if isinstance(part, int) and not isinstance(part, bool)
            )
            told += [part for name, part in named if "".join(words(name)) in _TOTALS]
    for name, text in call.headers.items():
        if "".join(words(name)) in _TOTALS and text.isdecimal():
            told.append(int(text))
    return max(told)


# Pages


def _pages(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    yield from _by_number(scene, location, found)
    yield from _by_cursor(scene, location, found)


def _by_number(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """By page: the first is what is answered without it, the next shares nothing with it. By offset: moved along."""
    for one in found:
        n = _whole(one.value)
        if n is None or not one.items or len(one.before) < 2 or one.items == one.before:
            continue
        if (
            0 < n < len(one.before)
            and _moved(one, n)
            and any(
                (m := _whole(other.value)) is not None and 0 < m < len(other.before) and m != n and _moved(other, m)
                for other in found
            )
        ):
            second = next(
                o
                for o in found
                if (m := _whole(o.value)) not in (None, n) and 0 < (m or 0) < len(o.before) and _moved(o, m or 0)
            )
            calls = (one.tried.base.id, one.tried.call.id, second.tried.call.id)
            yield Fact(scene.key, "pages", location, {"by": "offset", "list": one.place}, calls)
            return
        first = _first_page(scene, one, n, found)
        if first is not None and _apart(one.before, one.items) and len(one.items) <= len(one.before):
            calls = (one.tried.base.id, first.tried.call.id, one.tried.call.id)
            yield Fact(scene.key, "pages", location, {"by": "page", "list": one.place}, calls)
            return


def _first_page(scene: Scene, one: Seen, n: int, found: Iterable[Seen]) -> Seen | None:
    for other in found:
        before = _whole(other.value) == n - 1 and other.tried.base.id == one.tried.base.id
        if before and n in (1, 2) and scene.same(other.tried, one.tried.base):
            return other
    return None


def _moved(one: Seen, n: int) -> bool:
    kept = one.before[n:]
    return bool(kept) and one.items[: len(kept)] == kept and (len(one.items) > 1 or len(kept) == 1)


def _apart(one: Iterable[Json], two: Iterable[Json]) -> bool:
    return {canonical(item) for item in one}.isdisjoint(canonical(item) for item in two)


def next_values(location: str, body: Json, pointer: str = "", depth: int = 3) -> Iterator[tuple[str, str]]:
    """(pointer, value) of the texts outside lists that may say where to go on: cursors, or URLs that hold one."""
    if isinstance(body, dict) and depth:
        name = location.partition(":")[2]
        for key, part in body.items():
            below = f"{pointer}/{escape(key)}"
            if isinstance(part, dict):
                yield from next_values(location, part, below, depth - 1)
            elif isinstance(part, str) and part and _onward(key, location):
                linked = parse_qs(urlsplit(part).query).get(name, [])
                if linked or "://" not in part:
                    yield below, linked[0] if linked else part


def _onward(field: str, location: str) -> bool:
    names = {*words(field)}
    return bool(names & {"next", "cursor", "token", "continuation", "after", "more"}) or names == {
        *words(location.partition(":")[2])
    }


def _by_cursor(scene: Scene, location: str, found: list[Seen]) -> Iterator[Fact]:
    """A text that the base answered leads to other items; another text does not."""
    for one in found:
        if not one.items or not isinstance(one.value, str) or not _apart(one.before, one.items):
            continue
        for pointer, value in next_values(location, one.tried.base.body):
            nonsense = [t for t in scene.values(location) if key_of(t.value) != value and isinstance(t.value, str)]
            if value == one.value and any(t.rejected or not scene.same(t, one.tried.call) for t in nonsense):
                field = f"{one.tried.base.status}:{pointer}"
                kind = {"by": "cursor", "list": one.place, "next": field}
                yield Fact(scene.key, "pages", location, kind, (one.tried.base.id, one.tried.call.id))
                return


# Defaults

_CHOOSING = {"searches", *BY_FIELD} - {"includes"}


def default_facts(scene: Scene, location: str, facts: Iterable[Fact]) -> Iterator[Fact]:
    """The value that answers as none does, while another answers otherwise.

    Only of what sorts, limits or pages, or whose value the answer tells: that a filter finds everything for some
    value does not make it the default.
    """
    known = {fact.kind: fact for fact in facts}
    orders = [fact.value["value"] for fact in facts if fact.kind == "sorts"]
    tried = [one for one in scene.values(location) if one.ok and not argument(one.base.arguments, location)[0]]
    alike = {key_of(one.value): one for one in reversed(tried) if scene.steady and scene.same(one, one.base)}
    other = [one for one in tried if not scene.same(one, one.base)]
    if not alike or not other or known.keys() & _CHOOSING:
        return
    told = [one for one in alike.values() if any(_told(one.value, v) for _, v in echoes(location, one.base.body))]
    if "limits" in known or (told and all(_whole(one.value) is not None for one in told)):
        fitting = told or [one for one in alike.values() if _fills(scene, location, one)]
        chosen = min(fitting, key=lambda one: _whole(one.value) or 0, default=None)
    elif orders or told:
        fitting = told or [one for one in alike.values() if one.value in orders]
        chosen = fitting[0] if len(fitting) == 1 else None
    elif "includes" in known:
        chosen = alike.get("false")
    elif "pages" in known and known["pages"].value["by"] != "cursor":
        chosen = next(iter(alike.values())) if len(alike) == 1 else None
    else:
        return
    if chosen is not None:
        contrast = next((one for one in other if one.base.id == chosen.base.id), None)
        if contrast is not None:
            value = number(chosen.value) if number(chosen.value) is not None else chosen.value
            value = value == "true" if "includes" in known and isinstance(value, str) else value
            calls = (chosen.base.id, chosen.call.id, contrast.call.id)
            yield Fact(scene.key, "default", location, value, calls)


def _told(sent: Json, echo: Json) -> bool:
    return key_of(echo) == key_of(sent)


def _fills(scene: Scene, location: str, tried: Tried) -> bool:
    """Whether the base shows exactly as many items as were asked for, though there are more."""
    found = listing(tried.base.body)
    if found is None or len(found.items) != _whole(tried.value):
        return False
    more = (items_at(one.call, found.pointer) for one in scene.values(location) if one.base.id == tried.base.id)
    return any(items is not None and len(items) > len(found.items) for items in more)
