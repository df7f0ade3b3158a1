"""Which actions may close a thing, after which others on it, and on what lies in it, are refused."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from docrev.language.words import word_set, words

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_CLOSING = word_set("archive close deactivate decommission disable freeze lock pause retire seal suspend unpublish")
"""Verbs of what closes a thing, first in the last segment of a path."""
_CLOSED = word_set("archived closed deactivated disabled frozen inactive locked paused readonly sealed suspended")
"""States of what is closed, anywhere in that segment: `change_readonly`."""


def closes(operation: Operation) -> bool:
    """Whether an operation may close the thing before the end of its path: `POST /rooms/{id}/archive`."""
    thing, _, rest = operation.route.path.rstrip("/").rpartition("}")
    found = words(rest.rpartition("/")[2])
    if operation.route.method not in ("POST", "PUT", "PATCH") or not thing or not found:
        return False
    return found[0] in _CLOSING or not _CLOSED.isdisjoint(found) or ("read", "only") in pairwise(found)
