"""Going on with a run that was cut off: whether the service still has what the run created."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.calls.executor import Executor
from docrev.calls.request import Request
from docrev.conventions.statuses import NOT_FOUND
from docrev.driver.store import Intent, Store
from docrev.prompts.steps import Invoke
from docrev.records import JournalItem


async def missing_item(executor: Executor, store: Store) -> JournalItem | None:
    """An item that the run created and did not delete, and that the service no longer has; None if there is none.

    Looks at one item, with one request that is neither kept nor counted, and that the journal is not shown: what the
    run goes on with must be what it had.
    """
    doubtful = [intent for intent in store.intents() if intent.key.method == "DELETE"]
    for item in store.journal():
        if not item.confirmed or item.deleted or _may_be_deleted(executor, item, doubtful):
            continue
        found = executor.routes.resolve(item.tool, "GET", item.path)
        request = executor.prepare(Invoke(found[0].key, found[1])) if found is not None else None
        if isinstance(request, Request):
            call = await executor.send(request, "", lambda: False)
            return item if call.status in NOT_FOUND else None
    return None


def _may_be_deleted(executor: Executor, item: JournalItem, intents: Iterable[Intent]) -> bool:
    """Whether one of these DELETE requests, whose answers were lost, may have removed the item."""
    for intent in intents:
        path = executor.routes.path(intent.key).fill(intent.arguments).rstrip("/")
        if intent.key.tool == item.tool and (item.path == path or item.path.startswith(path + "/")):
            return True
    return False
