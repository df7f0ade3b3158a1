"""`newest-first`: a list begins with what was created last, though perhaps no field of its items says when."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from urllib.parse import unquote

from docrev.conventions.ids import find_id
from docrev.facts.call_values import ids
from docrev.facts.creations import place_called
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Holds, Kind
from docrev.facts.trials import list_in
from docrev.grouping import grouped
from docrev.records import Call

_LEAST_OWN = 4
"""Things that the run created that must stand so, in calls with two of them at least: a few may do so by chance."""
_LEAST_CALLS = 2


def _from_calls(view: EvidenceView) -> Facts:
    orders = _orders(view)
    for key, seen in sorted(view.observations.items()):
        found = [(call, ranks) for call in seen.good if (ranks := _ranks(call, orders)) is not None]
        if len(found) >= _LEAST_CALLS and _is_shown([ranks for _, ranks in found]):
            yield KIND.fact(key, "", Holds(), _shown_by(view, found[:_LEAST_CALLS]))


def _orders(view: EvidenceView) -> Mapping[tuple[str, str], Mapping[str, int]]:
    """When the run created each thing, by the tool and path of its list."""
    placed = grouped(((one.item.tool, one.item.path.rpartition("/")[0]), one) for one in view.created)
    return {
        place: {unquote(one.item.path.rpartition("/")[2]): view.when(one.call) for one in things}
        for place, things in placed.items()
    }


def _is_shown(found: Collection[Sequence[int]]) -> bool:
    """Whether enough of the run's own things stand first, the newest before all, in each call."""
    own = {rank for rank in chain.from_iterable(found) if rank >= 0}
    return len(own) >= _LEAST_OWN and all(map(_descends, found))


def _shown_by(view: EvidenceView, found: Iterable[tuple[Call, Sequence[int]]]) -> tuple[str, ...]:
    """The calls that show it: each with the one that created what stands first."""
    makers = {view.when(one.call): one.call for one in view.created}
    return ids(chain.from_iterable((makers[max(ranks)], call) for call, ranks in found))


def _ranks(call: Call, orders: Mapping[tuple[str, str], Mapping[str, int]]) -> list[int] | None:
    """For each item of a list when the run created it, -1 for what others did; None without two of its own, or without
    something of others, and for what is asked for in an order or in part."""
    order = orders.get(place_called(call)) if call.key.method == "GET" else None
    is_whole = not any(at.startswith("query:") for at in call.arguments)
    listed = list_in(call) if order and is_whole else None
    if order is None or listed is None:
        return None
    ranks = [order.get(name, -1) for name in _names(listed.items)]
    own = sum(rank >= 0 for rank in ranks)
    return ranks if 1 < own < len(ranks) else None


def _names(items: Iterable[object]) -> Iterator[str]:
    for item in items:
        found = find_id(item) if isinstance(item, dict) else None
        yield "" if found is None else str(found.value)


def _descends(ranks: Iterable[int]) -> bool:
    """Whether the run's own come first, what was created last before all."""
    return all(one > two or one == two == -1 for one, two in pairwise(ranks))


KIND = Kind("newest-first", Holds, OPERATION, from_calls=_from_calls)
