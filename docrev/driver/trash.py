"""Where a service keeps what was deleted: in a trash of its own, or in a list that shows it if that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from docrev.calls.journal import Journal
from docrev.calls.listings import Listed
from docrev.calls.path_texts import last_segment
from docrev.conventions.ids import identifying_members, is_drawn
from docrev.conventions.run_names import is_made_up
from docrev.language.words import words
from docrev.prompts.steps import Invoke
from docrev.records import JournalItem, Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_TRASH = frozenset({"archive", "archived", "archives", "bin", "deleted", "recycle", "removed", "trash", "trashed"})
_DELETED = frozenset({"archive", "archived", "deleted", "hidden", "inactive", "removed", "trash", "trashed"})
_WITHOUT = frozenset({"before", "exclude", "hide", "no", "not", "omit", "since", "skip", "until", "without"})
"""Words of parameters that ask for less, or for a time."""
_FOR_GOOD = frozenset({"destroy", "force", "forever", "hard", "permanent", "permanently", "purge"})


def is_trash(path: str) -> bool:
    """Whether a path is called after what was deleted: `/trash`, `/notes/archived`."""
    literals = [segment for segment in path.split("/") if segment]
    return any(not _TRASH.isdisjoint(words(segment)) for segment in literals[-2:])


def own_in_trash(
    journal: Journal, tool: str, path: str, listed: Listed
) -> Iterator[tuple[tuple[str, ...], JournalItem]]:
    """(ids, what it was) of each thing in a list of deleted things that is called as only the run calls things."""
    if not is_trash(path):
        return
    removed = {last_segment(item.path): item for item in _removed(journal, tool)}
    for ids, thing in listed.things:
        same = next((removed[id] for id in ids if id in removed), None)
        if _is_called_by_run(ids, thing):
            same = same or next(iter(removed.values()), None)
        elif not any(map(is_drawn, ids)):
            # A number may be that of something else there.
            continue
        if same is not None:
            yield ids, same


def _removed(journal: Journal, tool: str) -> Iterator[JournalItem]:
    """What the run made and removed."""
    return (item for item in journal.items if item.tool == tool and item.confirmed and item.deleted)


def _is_called_by_run(ids: tuple[str, ...], thing: Json) -> bool:
    """Whether what a thing is called is a name that the run made up."""
    return any(is_made_up(value) for value in (*ids, *(value for _, value in identifying_members(thing))))


def asking_for_deleted(operation: Operation) -> dict[str, Json]:
    """The arguments with which a list shows what was deleted too, as far as its parameters say; else {}."""
    for parameter in operation.parameters:
        if parameter.location != "query" or not _WITHOUT.isdisjoint(words(parameter.name)):
            continue
        named = not _DELETED.isdisjoint(words(parameter.name))
        choices = [value for value in parameter.schema.enum or () if isinstance(value, str)]
        chosen = next((value for value in choices if not _DELETED.isdisjoint(words(value))), None)
        if chosen is not None:
            return {parameter.key: chosen}
        if named and parameter.schema.type == "boolean":
            return {parameter.key: True}
    return {}


def for_good(operation: Operation, step: Invoke) -> Invoke:
    """A removal that leaves nothing in a trash, if a parameter says so; else the same removal."""
    names = (
        parameter.key
        for parameter in operation.parameters
        if parameter.location == "query"
        and parameter.schema.type == "boolean"
        and not _FOR_GOOD.isdisjoint(words(parameter.name))
    )
    name = next(names, None)
    return step if name is None else replace(step, arguments={**step.arguments, name: True})
