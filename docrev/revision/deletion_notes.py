"""What deleting a list deletes and returns, at the operation or once for all lists of an API."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from docrev.conventions.parameters import Role, role_of
from docrev.language.path_subjects import subject
from docrev.language.phrases import joined_names
from docrev.records import Call, Fact, OperationKey
from docrev.revision.common_notes import LIST_DELETION
from docrev.revision.majority import is_common
from docrev.revision.notes import Statement, facts_behind
from docrev.revision.observations import ObservedOperation
from docrev.revision.response_samples import lists
from docrev.revision.undeclared_fields import undeclared_fields

MAX_CALLS = 5
MAX_NAMES = 4
"""Fields of what was deleted that are few enough to be all of them."""
_CHOOSING_NONE = frozenset({Role.SORT, Role.DIRECTION, Role.FIELDS, Role.EXPAND, Role.FORMAT, Role.LANGUAGE, Role.UNIT})
"""What parameters are for that choose no things of a list."""


def deletes_all(observed: ObservedOperation, operations: Iterable[ObservedOperation]) -> Iterator[Statement]:
    """That a deletion takes everything: nothing chose one thing of the list, or some, in a call that was accepted.

    `operations` are all of the API: what none of them lists, and none has an item of, may be the caller's mark on a
    thing (`DELETE /charts/{id}/favorites`).
    """
    about, calls = subject(observed.key.path), _unfiltered(observed)
    if not any(_shows_items(other.key, observed.key) for other in operations):
        return
    if calls:
        is_filtered = _takes_filters(observed)
        text = f"{'Without filters, deletes' if is_filtered else 'Deletes'} all {about.many}{about.of}."
        yield Statement(text, LIST_DELETION if is_filtered else "", calls=tuple(call.id for call in calls[:MAX_CALLS]))


def list_deletions(operations: Iterable[ObservedOperation], invented: Collection[str]) -> Iterator[Statement]:
    """What most deletions of lists do, if there are several; those that filters alone allowed are among them."""
    deletions = [observed for observed in operations if _takes_filters(observed) and _is_of_list(observed)]
    shown = [call for observed in deletions for call in _unfiltered(observed)]
    if not is_common(len({call.key for call in shown}), len(deletions)):
        return
    text = "Without filters, `DELETE` on a list deletes all of its items that you may write"
    facts: tuple[Fact, ...] = ()
    if names := deleted_fields(deletions):
        text += f"; it returns {joined_names(names)} of each"
        fields = (fact for observed in deletions for fact in undeclared_fields(observed, invented))
        facts = facts_behind([Statement("", facts=tuple(fields))])
    yield Statement(f"{text}.", LIST_DELETION, "trap", facts, tuple(call.id for call in shown[:MAX_CALLS]))


def deleted_fields(deletions: Iterable[ObservedOperation]) -> Sequence[str]:
    """The fields of the things that deletions returned, if all have the same few."""
    items = [item for observed in deletions for found in lists(observed.good) for item in found.items]
    names = {tuple(item) for item in items if isinstance(item, dict)}
    fields = {frozenset(each) for each in names}
    return min(names) if len(fields) == 1 and 1 < len(min(names)) <= MAX_NAMES else ()


def _shows_items(key: OperationKey, deletion: OperationKey) -> bool:
    """Whether an operation lists what a deletion is of, or takes one of it."""
    path, around = key.path.rstrip("/"), deletion.path.rstrip("/")
    is_item = path.startswith(f"{around}/{{") and path.count("/") == around.count("/") + 1
    return key.tool == deletion.tool and (is_item or (path == around and key.method == "GET"))


def _is_of_list(observed: ObservedOperation) -> bool:
    about = subject(observed.key.path)
    # `/projects/{id}/shared` is no list of things.
    is_plural = about.as_written != "" and about.as_written == about.many
    return observed.key.method == "DELETE" and is_plural and not about.by and bool(observed.good)


def _unfiltered(observed: ObservedOperation) -> list[Call]:
    calls = (call for call in observed.good if all(at.startswith("path:") for at in call.arguments))
    return list(calls) if _is_of_list(observed) else []


def _takes_filters(observed: ObservedOperation) -> bool:
    """Whether the query may choose which things of a list are deleted, and not only how, or what is returned."""
    queried = (parameter for parameter in observed.operation.parameters if parameter.location == "query")
    return any(one.schema.type != "boolean" and role_of(one.name) not in _CHOOSING_NONE for one in queried)
