"""Which operations act though their method should only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docrev.calls.routes import Routes
from docrev.language.changing_reads import says_change
from docrev.language.verbs import AMBIGUOUS, acting_verb
from docrev.language.words import words
from docrev.spec.deeds import CHANGING, VERBS

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_TAKING = frozenset({"claim", "drain", "pop", "redeem"})
"""Segments beside the items of a list that say that one is taken, though they might be nouns elsewhere."""


def acts_by_get(operation: Operation, routes: Routes) -> bool:
    """Whether an operation by a method that should only read is called by what it does, or says what it changes."""
    if says_change(operation.summary) or says_change(operation.description):
        return True
    if operation.rpc_route is not None:
        return False
    called = _is_called_as_procedure(operation, routes) or _takes_beside_items(operation, routes)
    return called or bool(acting_verb(operation))


def _takes_beside_items(operation: Operation, routes: Routes) -> bool:
    """Whether a GET beside the items of a list is called by what takes one of them away: `/jobs/pop`."""
    path = routes.path(operation.key)
    takes = not path.ends_in_parameter and path.literals[-1].rpartition("/")[2] in _TAKING
    return takes and routes.item_of(operation.tool, path.around) is not None


def _is_called_as_procedure(operation: Operation, routes: Routes) -> bool:
    """Whether a GET is called by what may be a verb where what lies beside it is called by what it does to things:
    `/pad/setText` beside `/pad/create`.
    """
    above, _, last = operation.path.rpartition("/")
    if last.startswith("{") or AMBIGUOUS.isdisjoint(words(last)[:1]):
        return False
    beside = (op.path.rpartition("/") for op in routes.operations if op.tool == operation.tool)
    return any(place == above and VERBS.get((words(name) or ("",))[0]) in CHANGING for place, _, name in beside)
