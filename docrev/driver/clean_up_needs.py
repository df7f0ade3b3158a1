"""What a clean-up will look at, and how many requests it needs for that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docrev.calls.journal import Journal
from docrev.calls.policy import Policy
from docrev.driver.trash import is_trash
from docrev.grouping import grouped
from docrev.records import JournalItem

LOOKS_PER_LIST = 4
"""Looks at a collection from which things were removed: at its list, by large pages first, and at some things."""


def requests_needed(journal: Journal, policy: Policy, most_lists: int) -> int:
    """How many requests a clean-up needs at most besides those that the budget keeps back: for the removal of what lies
    in other things, for looks at each thing, or each collection and some things in it, and at `most_lists` other lists
    of items.
    """
    late = sum(journal.collections.listing(*place) is not None for place in journal.creations.late.places)
    if not journal.items:
        return late
    inner = sum(item.parent is not None and journal.removal(item) is not None for item in journal.left())
    created = grouped(((item.tool, item.path.rpartition("/")[0]), item) for item in journal.items if item.confirmed)
    looks = sum(_looks(journal, at, items) for at, items in created.items())
    others = (at for at in lists_at_the_top(journal, policy) if at not in created)
    lists = sum(journal.routes.address(tool, f"{path}/1") is not None for tool, path in others)
    return late + inner + looks + min(lists, most_lists) + _trashed(journal, created)


def _trashed(journal: Journal, created: Mapping[tuple[str, str], Sequence[JournalItem]]) -> int:
    """What is removed once more, from a trash, if there is one that things can be removed from."""
    removals = (op for op in journal.routes.operations if op.route.method == "DELETE" and is_trash(op.route.path))
    tools = {op.tool for op in removals if journal.routes.path(op.key).ends_in_parameter}
    return sum(len(items) for (tool, _), items in created.items() if tool in tools)


def _looks(journal: Journal, place: tuple[str, str], items: Sequence[JournalItem]) -> int:
    """The looks at items of a collection: at its list, or at each that can be read by itself."""
    if journal.collections.listing(*place) is not None:
        return min(len(items) + 1, LOOKS_PER_LIST)
    return sum(journal.routes.resolve(item.tool, "GET", item.path) is not None for item in items)


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
