"""Continuing a run that was cut off: what the service still has, and what became of a request without an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from docrev.calls.created_items import CreatedItems, created_items
from docrev.calls.creation_answers import answer_in
from docrev.calls.creation_texts import echoes
from docrev.calls.creations import Creation
from docrev.calls.executor import Executor
from docrev.calls.listings import read_list
from docrev.calls.path_texts import last_segment
from docrev.calls.request import Request
from docrev.calls.watched import Watched
from docrev.conventions.error_hints import hints_of
from docrev.conventions.run_names import is_made_up
from docrev.conventions.statuses import INVALID, NOT_FOUND, is_success
from docrev.evidence import Evidence, Intent
from docrev.prompts.steps import Invoke, Repeat
from docrev.records import Call, JournalItem

AGAIN = "requests again: "
"""Of the counters, those of the requests that a call took beyond its first, by the call's id."""
_COUNTED = re.compile(r"(.*?)(\d{1,18})")
_BETWEEN = 20
"""How many things others may have created while the run was cut off, for what it had just created to be found."""


def sent_again(store: Evidence) -> dict[str, int]:
    """How many requests calls took beyond their first, by the call's id."""
    return {n.removeprefix(AGAIN): count for n, count in store.counters().items() if n.startswith(AGAIN)}


async def missing_item(executor: Executor, store: Evidence) -> JournalItem | None:
    """An item that the run created and did not delete, and that the service no longer has; None if there is none.

    Looks at one item, with one request that is neither kept nor counted, and that the journal is not shown: what the
    run goes on with must be what it had.
    """
    # The last one counts though its answer is kept: a kill may have come between that and what it shows.
    unsettled, _ = store.intents.unsettled()
    doubtful = [intent for intent in unsettled if executor.catalog[intent.key].route.method == "DELETE"]
    for item in store.journal.items():
        if not item.confirmed or item.deleted or _may_be_deleted(executor, item, doubtful):
            continue
        call = await look_at(executor, item.tool, item.path)
        if call is not None:
            return item if call.status in NOT_FOUND else None
    return None


def _may_be_deleted(executor: Executor, item: JournalItem, intents: Iterable[Intent]) -> bool:
    """Whether one of these DELETE requests, of which it is not kept what came, may have removed the item."""
    for intent in intents:
        path = executor.routes.path(intent.key).fill(intent.arguments).rstrip("/")
        if intent.key.tool == item.tool and (item.path == path or item.path.startswith(path + "/")):
            return True
    return False


def sent_before(executor: Executor, intent: Intent, epochs: int) -> tuple[Invoke, int] | None:
    """The step that an unsafe request of an earlier process came from, and the number of unsafe calls before it.

    None if it is not among the first `epochs`: its arguments had something that was redacted.
    """
    for repeat in (Repeat.NEVER, *(number for number in Repeat if number is not Repeat.NEVER)):
        invoke = Invoke(intent.key, intent.arguments, purpose="clean-up", repeat=repeat)
        request = executor.build(invoke)
        epoch = next((epoch for epoch in range(epochs) if request.call_id(epoch) == intent.id), None)
        if epoch is not None:
            return invoke, epoch
    return None


def looked_at(executor: Executor, store: Evidence, invoke: Invoke, epoch: int) -> Watched:
    """What a call of an earlier process may have created, with the looks that were made before it."""
    watched = executor.watch(invoke)
    while (step := watched.next_look()) is not None:
        request = executor.build(step)
        # One that still held was not made again: it is that of an earlier call.
        ids = (request.call_id(number, mark="before") for number in range(epoch, -1, -1))
        watched.saw(next((call for id in ids if (call := store.calls.recall(id)) is not None), None))
    return watched


def removed_at_its_end(items: Iterable[JournalItem], store: Evidence) -> list[JournalItem]:
    """The items that the run still counts as there, and that it removed when it ended: others may have their ids now.

    A run that goes on with more requests had come to its end before.
    """
    gone = {(item.tool, item.path, item.call) for item in store.journal.kept_items() if item.deleted}
    return [item for item in items if not item.deleted and (item.tool, item.path, item.call) in gone]


class LostCreations:
    """Finds and undoes what a request created whose answer an earlier process of the run did not live to see.

    What it sends is neither counted nor kept, and the journal is not shown it: the run goes on as if the request had
    not been sent. Only the store has what was found, should this process be killed too.
    """

    def __init__(self, executor: Executor, store: Evidence) -> None:
        self._executor, self._store = executor, store

    async def undo(self, watched: Watched, id: str) -> bool:
        """Remove what the request with this id created; False if it must not be sent again.

        An item counts as created by it if the look before and a look now show that it is new, and if it carries a text
        that the request invented, or lies in a thing of the run's own: much time may have passed. What may have been
        created, but cannot be told, is noted as left; if nothing could remove it, the request is not sent again.
        """
        for creation in watched.creations:
            if not await self._undo(creation, watched, id):
                return False
        return True

    async def _undo(self, creation: Creation, watched: Watched, id: str) -> bool:
        tool = creation.operation.tool
        looks = [await look_now(self._executor, step) for step in watched.made_looks()]
        found = created_items(creation, watched.pairs(creation, looks))
        ours = await self._ours(creation, found.own)
        doubtful = [*(path for path in found.own if path not in ours), *found.doubtful]
        hidden = _is_hidden(creation, found)
        if (doubtful or hidden) and not self._executor.journal.effects.of(creation.operation).removable:
            return False
        for path in ours:
            if not await self._remove(self._item(tool, path, id)):
                return False
        unknown = [f"{creation.collection}/?"] if hidden else []
        for path in doubtful or unknown:
            self._store.journal.adopt(replace(self._item(tool, path, id), confirmed=False))
        return True

    async def _ours(self, creation: Creation, paths: Sequence[str]) -> Sequence[str]:
        """Those of the new items that the request certainly created: all that lie in a thing of the run's own."""
        if self._executor.journal.below_own(creation.operation, creation.arguments):
            return paths
        return [path for path in paths if await self._is_ours(creation, path)]

    async def _is_ours(self, creation: Creation, path: str) -> bool:
        """Whether the item at a path carries what the request sent; without texts, its chosen id says whose it is."""
        look = await look_at(self._executor, creation.operation.tool, path)
        chosen = path == creation.path and is_made_up(last_segment(path))
        return chosen or (look is not None and look.ok and echoes(creation.sent, look.body))

    async def _remove(self, item: JournalItem) -> bool:
        """Remove an item that the request created; False if it is still there, or may not be removed."""
        step = self._executor.journal.removal(item)
        if step is None or self._executor.policy.permits(self._executor.catalog[step.key]) is not None:
            return False
        self._store.journal.adopt(item)
        call = await self._executor.send(self._executor.build(step), "", lambda: False)
        look = await look_at(self._executor, item.tool, item.path)
        gone = look.status in NOT_FOUND if look is not None else call.ok
        if gone:
            self._store.journal.adopt(replace(item, deleted=True))
        return gone

    async def name(self, watched: Watched, call: Call) -> None:
        """Settle what an earlier request may have created and no list shows, by what the same request created now.

        Where ids count up, it has one of the ids before this one's. If something there carries the value that both
        requests sent, they made two things: it is removed. If there is none, back to an id that the run or others had
        before, or to the first, the earlier request was not performed.
        """
        for creation in watched.creations:
            tool, journal = creation.operation.tool, self._executor.journal
            unknown = self._item(tool, f"{creation.collection}/?", call.id)
            if not any(item.id == unknown.id and not item.deleted for item in self._store.journal.kept_items()):
                continue
            path = journal.creations.named_item(creation, answer_in(call, creation.operation, creation.arguments))
            settled = path is not None and await self._settle_counted(creation, path, unknown.call)
            if settled or _is_refused_for_itself(call):
                self._store.journal.adopt(replace(unknown, deleted=True))

    async def _settle_counted(self, creation: Creation, path: str, call: str) -> bool:
        """Remove what carries what a creation sent and has an id not long before that of the item at a path.

        Whether it is known by now what came of that creation.
        """
        tool, journal = creation.operation.tool, self._executor.journal
        before = _ids_before(path)
        for earlier in islice(before, _BETWEEN):
            if journal.was_created(tool, earlier) or journal.things.saw(tool, earlier):
                return True
            look = await look_at(self._executor, tool, earlier)
            if look is None or not (look.ok or look.status in NOT_FOUND):
                return False
            if look.ok and echoes(creation.sent, look.body):
                item = self._item(tool, earlier, call)
                if not await self._remove(item):
                    self._store.journal.adopt(replace(item, confirmed=False))
                return True
        return _COUNTED.fullmatch(last_segment(path)) is not None and next(before, None) is None

    def answer(self, request: Request, id: str) -> Call:
        """The call that a request became whose answer was lost and that must not be sent again."""
        detail = "its answer was lost when the run was cut off; what it created may be there"
        return self._unanswered(request, id, detail)

    def _unanswered(self, request: Request, id: str, detail: str) -> Call:
        call = self._executor.denied(request.invoke, detail, error="network")
        return replace(call, id=id, url=self._executor.redactor.text(request.url))

    async def deletion(self, request: Request, id: str) -> Call | None:
        """The call that a DELETE became whose answer was lost, if a look shows that what it was to remove is gone.

        Sent again it would find nothing, and the run would learn something else of the operation: it counts as
        answered as the operation was before in this run, or else as documented. None if neither says how.
        """
        key, executor = request.invoke.key, self._executor
        operation, arguments = executor.catalog[key], request.invoke.arguments
        path = executor.routes.path(key)
        if (
            operation.route.method != "DELETE"
            or not path.ends_in_parameter
            or not executor.journal.owns(operation, arguments)
        ):
            return None
        if not await self._is_gone(key.tool, path.fill(arguments)):
            return None
        earlier = next(self._store.calls.select(key=key, ok=True), None)
        documented = [int(status) for status in operation.responses if status.isdecimal() and is_success(int(status))]
        if earlier is None and len(documented) != 1:
            return None
        detail = "its answer was lost when the run was cut off; what it was to remove is gone"
        call = replace(self._unanswered(request, id, detail), error=None)
        if earlier is None:
            return replace(call, status=documented[0])
        return replace(call, status=earlier.status, body=earlier.body, headers=earlier.headers, size=earlier.size)

    async def _is_gone(self, tool: str, path: str) -> bool:
        """Whether a GET of an item, or of its list if there is none, shows that it is not there."""
        if self._executor.routes.get(tool, path) is not None:
            look = await look_at(self._executor, tool, path)
            return look is not None and look.status in NOT_FOUND
        collection = path.rpartition("/")[0]
        look = await look_at(self._executor, tool, collection)
        listed = read_list(self._executor.catalog[look.key], collection, look) if look is not None else None
        return listed is not None and listed.find(last_segment(path)) is False

    def _item(self, tool: str, path: str, call: str) -> JournalItem:
        return JournalItem(f"{tool} {path}", tool, path, self._executor.routes.address_arguments(tool, path), call)


def _is_refused_for_itself(call: Call) -> bool:
    """Whether a call is refused for what it sends, whatever is there: it would have been refused before too."""
    return call.status in INVALID and all(hint.kind != "exists" for hint in hints_of(call))


def _is_hidden(creation: Creation, found: CreatedItems) -> bool:
    """Whether what a creation made may be there though no look shows it."""
    # What a PUT may have created has the id that was chosen for it: it is there or not.
    return not found.shown and not found.own and creation.path is None


async def watch_now(executor: Executor, invoke: Invoke) -> Watched:
    """What a call may create, looked at now; the looks are neither counted nor kept."""
    watched = executor.watch(invoke)
    while (step := watched.next_look()) is not None:
        watched.saw(await look_now(executor, step))
    return watched


async def look_now(executor: Executor, step: Invoke) -> Call | None:
    """A GET that is neither counted nor kept; None if it may not be made."""
    request = executor.prepare(step)
    return await executor.send(request, "", lambda: False) if isinstance(request, Request) else None


async def look_at(executor: Executor, tool: str, path: str) -> Call | None:
    """A GET of a path that is neither counted nor kept; None if there is none, or it may not be made."""
    step = executor.routes.get(tool, path)
    return await look_now(executor, step) if step is not None else None


def _ids_before(path: str) -> Iterator[str]:
    """The paths of the items before one whose id ends in a number, back to number 0; none if it does not."""
    collection, _, last = path.rpartition("/")
    counted = _COUNTED.fullmatch(last)
    if counted is not None:
        for number in range(int(counted[2]) - 1, -1, -1):
            yield f"{collection}/{counted[1]}{number:0{len(counted[2])}d}"
