"""What a clean-up will look at, and how many requests it needs for that."""

from __future__ import annotations

from collections import Counter

from docrev.calls.journal import Journal
from docrev.calls.policy import Policy
from docrev.records import JournalItem

LOOKS_PER_LIST = 4
"""Looks at a collection from which things were removed: at its list, by large pages first, and at some things."""


def requests_needed(journal: Journal, policy: Policy) -> int:
    """How many requests a clean-up needs at most besides those that the budget keeps back: for the removal of what lies
    in other things, for looks at each thing, or each collection and some things in it, and at other lists of items.
    """
    late = sum(journal.listing(*place) is not None for place in journal.creations.late.places)
    if not journal.items:
        return late
    inner = sum(item.parent is not None and journal.removal(item) is not None for item in journal.left())
    created = [item for item in journal.items if item.confirmed]
    places = Counter(map(_place, created))
    # What has no list is looked at by itself, if it has a path of its own to be read at.
    alone = Counter(_place(item) for item in created if journal.routes.resolve(item.tool, "GET", item.path) is not None)
    looks = sum(min(count + 1, LOOKS_PER_LIST) if journal.listing(*at) else alone[at] for at, count in places.items())
    others = (at for at in lists_at_the_top(journal, policy) if at not in places)
    return late + inner + looks + sum(journal.routes.address(tool, f"{path}/1") is not None for tool, path in others)


def _place(item: JournalItem) -> tuple[str, str]:
    return item.tool, item.path.rpartition("/")[0]


def lists_at_the_top(journal: Journal, policy: Policy) -> dict[tuple[str, str], None]:
    """(tool, path) of what may list something of the run and lies in nothing; lists of items first."""
    routes = journal.routes
    operations = sorted(routes.operations, key=lambda op: routes.item_under(op.key) is None)
    lists = (
        op for op in operations if op.route.method == "GET" and "{" not in op.route.path and not policy.permits(op)
    )
    posted = (journal.effects.posted_listing(op) for op in operations if journal.readings.reads.get(op.key))
    places = dict.fromkeys((op.tool, op.route.path.rstrip("/")) for op in lists)
    return places | dict.fromkeys((item.tool, at.literals[0]) for item, at in filter(None, posted) if not at.names)
