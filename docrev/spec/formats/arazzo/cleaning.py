"""What a workflow creates and does not delete: the calls that delete it at its end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from urllib.parse import unquote

from docrev.records import Call, JournalItem, OperationKey
from docrev.spec.catalog import Catalog


@dataclass(frozen=True)
class Cleaning:
    """What the calls of a run created (`items`), and the status by which each deletion that the run made was answered.

    Without `items`, every creation counts as one that stays.
    """

    items: Sequence[JournalItem] = ()
    deletions: Mapping[OperationKey, int] = field(default_factory=dict)

    def calls(self, calls: Sequence[Call], catalog: Catalog) -> list[tuple[Call, Call]] | None:
        """The deletions that a sequence of calls lacks, the last creation first, each with its creation.

        None if something would stay: nothing is known that deletes it.
        """
        ids = {call.id: call for call in calls}
        created = [item for item in self.items if item.call in ids]
        known = {item.call for item in created}
        if any(
            call.key.method == "POST" and call.status == HTTPStatus.CREATED for call in calls if call.id not in known
        ):
            return None
        found: list[tuple[Call, Call]] = []
        for item in reversed(_remaining(created, calls)):
            key = self._deletion(item, catalog)
            if key is None:
                return None
            creation = ids[item.call]
            deletion = replace(creation, id=f"delete {item.id}", key=key, arguments=item.arguments)
            found.append((replace(deletion, status=self.deletions[key], body=None), creation))
        return found

    def _deletion(self, item: JournalItem, catalog: Catalog) -> OperationKey | None:
        """The operation that deleted an item; None if nothing did."""
        keys = (key for key in self.deletions if key.tool == item.tool and key in catalog)
        return next((key for key in keys if _path(key, item) == unquote(item.path)), None) if item.deleted else None


def _path(key: OperationKey, item: JournalItem) -> str:
    """The path of an operation with the arguments of an item in it."""
    path = key.path
    for location, value in item.arguments.items():
        path = path.replace(f"{{{location.partition(':')[2]}}}", str(value))
    return path


def _remaining(created: Sequence[JournalItem], calls: Iterable[Call]) -> list[JournalItem]:
    """The items that no call deletes, by itself or with what it lies in."""
    deleted = [call.arguments for call in calls if call.key.method == "DELETE" and call.ok]
    gone = {item.id for item in created if item.arguments in deleted}
    return [item for item in created if not gone & {item.id, *_above(item, created)}]


def _above(item: JournalItem, items: Collection[JournalItem]) -> Iterator[str]:
    """The ids of the items that an item lies in."""
    parents = {each.id: each.parent for each in items}
    parent = item.parent
    while parent is not None:
        yield parent
        parent = parents.get(parent)
