"""One call after the other, or side by side: memo, budget, intents, journal, and everything kept before it is used."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from docrev.calls.executor import Executor
from docrev.calls.proofs import Proof
from docrev.calls.request import Request
from docrev.calls.watched import Watched
from docrev.conventions.run_names import carries_made_up
from docrev.conventions.statuses import is_client_error
from docrev.driver.budget import Budget
from docrev.driver.clean_up_reserve import CleanUpReserve
from docrev.driver.flights import Flights
from docrev.driver.held_calls import HeldCalls
from docrev.driver.intentions import Intentions
from docrev.driver.locks import ReadWriteLock
from docrev.driver.resuming import (
    AGAIN,
    LostCreations,
    look_now,
    looked_at,
    removed_at_its_end,
    sent_again,
    sent_before,
    watch_now,
)
from docrev.events import CallFinished, Handler, Notice
from docrev.evidence import Evidence, Intent
from docrev.prompts.question_budget import ALLOWANCE
from docrev.prompts.steps import Invoke
from docrev.records import Call, JournalItem

_BROKEN = "a list fails after what was made just now, which is removed at once"


class Caller:
    """Makes the calls of a run. `epoch` is the number of unsafe calls made before: equal requests within one are one.

    A resumed run asks for the same calls in the same order and finds them, by id, in the store.
    """

    def __init__(self, executor: Executor, store: Evidence, *, budget: Budget, concurrency: int, emit: Handler) -> None:
        self.executor, self.budget = executor, budget
        self.epoch = 0
        self._store, self._emit = store, emit
        self._lock = ReadWriteLock()
        self._slots = asyncio.Semaphore(concurrency)
        self._reserve = CleanUpReserve(executor, budget)
        # Ids made in this epoch; the calls themselves are in the store, or, while in doubt, held back here.
        self.made: set[str] = set()
        # All calls of this run that were made, or found made, in this process.
        self.taken = 0
        self._flights = Flights()
        self._sent = 0
        # What looks showed since something may have changed, by the request.
        self._looks: dict[str, Call] = {}
        self._held = HeldCalls(store.calls.put)
        self._again = sent_again(store)
        self._intentions = Intentions(executor, store)
        self._lost = LostCreations(executor, store)
        # Calls of earlier processes that this one came to.
        self._old: set[str] = set()
        # Whether this process has sent an unsafe request: from then on the service is in another state than it was.
        self._is_ahead = False

    def safe(self, invoke: Invoke) -> bool:
        """Whether a call only reads."""
        return self.executor.reads(invoke.key)

    async def call(self, invoke: Invoke) -> Call:
        """Make a call, unless it was made before, is denied, or the budget is spent: always a value."""
        if not self.safe(invoke):
            await self._lock.write()
            try:
                return await self._alone(invoke)
            finally:
                self._lock.end_write()
        request = self.executor.prepare(invoke)
        if isinstance(request, Call):
            return self._not_made(request)
        epoch = self.epoch
        id = request.call_id(epoch)
        allowance = ALLOWANCE.get()
        if allowance is not None and not await allowance.take(id):
            return self._not_made(self._unaffordable(invoke))
        await self._lock.read()
        try:
            # Something was changed while this call waited: it is another call now.
            return await self._read(request, id if epoch == self.epoch else request.call_id(self.epoch))
        finally:
            self._lock.end_read()

    def settle(self) -> None:
        """Keep what was held back: calls that nobody answered, or that were refused, in the end count as made."""
        self._held.release_all()

    # Safe calls

    async def _read(self, request: Request, id: str) -> Call:
        await self._flights.landed(id)
        if id in self.made:
            return self._shared(id, request.invoke)
        if not self.budget.take():
            return self._not_made(self._unaffordable(request.invoke))
        if self._is_kept(id):
            return self._recall(id, request.invoke)
        if self._intentions.needs_consent(request.invoke):
            self._intentions.note(request.invoke, id)
        with self._flights.flying(id):
            async with self._slots:
                return await self._send(request, id)

    def _shared(self, id: str, invoke: Invoke) -> Call:
        """A call that was made before in this epoch. It belongs to the first scenario by number, not by arrival."""
        held = self._held.get(id)
        call = held or self._store.calls.get(id)
        assert call is not None
        if call.purpose == invoke.purpose and _earlier(invoke.scenario, call.scenario):
            call = replace(call, scenario=invoke.scenario)
            if held is not None:
                self._held.replace(call)
            else:
                self._store.calls.put(call)
        self._emit(CallFinished(call, wire=False))
        return call

    # Unsafe calls

    async def _alone(self, invoke: Invoke) -> Call:
        """An unsafe call, with the lock held: nothing else is on the wire."""
        try:
            request = self.executor.build(invoke)
        except KeyError:
            # No such operation, or a missing path argument: the policy has the words for it.
            refused = self.executor.refusal(invoke)
            assert refused is not None
            return self._not_made(refused)
        id = request.call_id(self.epoch)
        sent_before = not self._is_ahead and (self._store.calls.kept(id) or self._intentions.lacks_answer(id))
        # Also where the call itself is kept: its proofs count, and say what was there before.
        watched = await self._permit(invoke, again=not sent_before)
        if isinstance(watched, Call):
            return self._not_made(watched)
        if suspects := self.executor.suspects(watched):
            await self._undo(suspects, "a list fails that answered before; what was changed since then is removed")
            return await self._alone(invoke)
        if not self._reserve.afford(invoke, ahead=max(watched.looks, len(watched.creations))):
            return self._not_made(self._unaffordable(invoke))
        if self._is_kept(id):
            call = self._recall(id, invoke)
            self._next_epoch()
            await self._undo(await self._look_after(watched, invoke, call, kept=True), _BROKEN)
            return call
        if self._go_ahead():
            self.budget.give_back()
            return await self._alone(invoke)
        lost = self._intentions.lacks_answer(id)
        self._intentions.note(invoke, id)
        self._keep(self.executor.journal.intend(self.executor.catalog[invoke.key], invoke.arguments, id))
        call = await self._send_again(watched, request, id) if lost else await self._send_new(request, id)
        broken = await self._look_after(watched, invoke, call, kept=False)
        if lost:
            await self._lost.name(watched, call)
        await self._undo(broken, _BROKEN)
        return call

    def _go_ahead(self) -> bool:
        """Leave what an earlier process did; whether something is gone by now that the run still counted as there."""
        if self._is_ahead:
            return False
        self._is_ahead = True
        self.budget.go_ahead()
        journal = self.executor.journal
        there = removed_at_its_end(journal.items, self._store)
        self._keep([journal.mark_deleted((item.tool, item.path)) for item in there])
        return bool(there)

    async def _send_new(self, request: Request, id: str) -> Call:
        self._next_epoch()
        return await self._send(request, id)

    async def _send_again(self, watched: Watched, request: Request, id: str) -> Call:
        """Send what was sent before and whose answer was lost, once what it created is removed."""
        key = request.invoke.key
        call = await self._lost.deletion(request, id)
        if call is None and await self._lost.undo(watched, id):
            self._emit(Notice(f"{key}: sent before, its answer was lost; sent again"))
            return await self._send_new(request, id)
        self._emit(Notice(f"{key}: sent before, its answer was lost; not sent again"))
        self._next_epoch()
        call = call or self._lost.answer(request, id)
        self._store.calls.put(call)
        self.made.add(id)
        self.taken += 1
        self._keep(self.executor.observe(call, request.invoke))
        return self._shared(id, request.invoke)

    async def take_up(self, intent: Intent, epochs: int) -> None:
        """Find what an unsafe request of an earlier process created, which was cut off before that was settled.

        Nothing is sent again. If its answer was lost, what it certainly created is removed; all else that it may have
        created comes into the journal. `epochs` is how many unsafe requests there were.
        """
        found = sent_before(self.executor, intent, epochs)
        if found is None:
            return
        invoke, self.epoch = found
        watched = looked_at(self.executor, self._store, invoke, self.epoch)
        call = self._recall(intent.id, invoke) if self._is_kept(intent.id) else None
        self._next_epoch()
        if call is None:
            if await self._lost.undo(watched, intent.id):
                return
            call = self._lost.answer(self.executor.build(invoke), intent.id)
        await self._look_after(watched, invoke, call, kept=True)

    def _next_epoch(self) -> None:
        self.epoch += 1
        self.made.clear()

    async def _permit(self, invoke: Invoke, *, again: bool) -> Watched | Call:
        """Make all GETs that must allow a call before it is sent; a denied call if it must not be."""
        proofs = self.executor.proofs(invoke)
        refusal = await self._prove(invoke, proofs, again=again)
        refusal = refusal or self.executor.refusal(invoke, proven=bool(proofs))
        return refusal or await self._look_before(invoke, again=again)

    async def _look_before(self, invoke: Invoke, *, again: bool) -> Watched | Call:
        """Look at what a call may create, and at what it names, before it is sent; a denied call if it must not be.

        With `again`, looks of an earlier process are made again if they allow the call: much may have changed since.
        """
        watched, old = self.executor.watch(invoke), set[str]()
        while (step := watched.next_look()) is not None:
            call = await self._look(step, invoke, mark="before")
            if call is not None and call.error == "budget":
                return call
            watched.saw(call)
            old |= {call.id} & self._old if call is not None else set()
        reason = watched.trouble()
        if reason is None and again and old:
            watched = await watch_now(self.executor, invoke)
            reason = watched.trouble()
            # Once is enough: from now on it holds as long as any other look.
            self._old -= old
        return watched if reason is None else self.executor.denied(invoke, reason)

    async def _look_after(self, watched: Watched, invoke: Invoke, call: Call, *, kept: bool) -> list[Invoke]:
        """Look again after a call; what it created comes into the journal. What must be undone at once is returned."""
        looks: list[Call | None] = []
        if not is_client_error(call.status):
            self._looks.clear()
            looks = [await self._look(step, invoke, mark="") for step in watched.made_looks()]
        named = []
        for creation, path, step in self.executor.unsettled(watched, looks, invoke, call):
            if (seen := await self._look(step, invoke, mark="")) is not None:
                named.append((creation, path, seen))
        readings = self.executor.journal.readings
        known = readings.changed(invoke.key)
        # Kept, but perhaps not to the end: a process may be killed between a call and what it shows.
        self._keep(self.executor.settle(watched, looks, invoke, call, named), again=kept)
        if readings.changed(invoke.key) and not known:
            self._store.intents.put_unforeseen(call)
            self._emit(Notice(f"{invoke.key}: the list shows that it changed what others have; it is not called again"))
        return self.executor.undoing(watched, looks, call)

    async def _undo(self, steps: Sequence[Invoke], why: str) -> None:
        """Remove what is the run's own, after which a list fails for everybody."""
        for step in steps:
            self._emit(Notice(f"{step.key}: {why}"))
            await self._alone(step)

    async def _look(self, step: Invoke, invoke: Invoke, *, mark: str) -> Call | None:
        """One look, never from the memo unless it is kept; None if it may not be made."""
        request = self.executor.prepare(replace(step, purpose=invoke.purpose, scenario=invoke.scenario))
        if isinstance(request, Call):
            return None
        if mark and request.identity in self._looks and carries_made_up(invoke.arguments.get("body:")):
            # What is to be created is told from all else by its name: a look that still holds will do.
            return self._looks[request.identity]
        id = request.call_id(self.epoch, mark=mark)
        observed = bool(mark)
        call = await self._recall_or_send(request, id, observe=observed)
        if call is None:
            return self._unaffordable(invoke)
        self._looks[request.identity] = call
        return call

    async def _prove(self, invoke: Invoke, proofs: list[Proof], *, again: bool) -> Call | None:
        """Make the GETs that the policy wants first; a denied call if they do not show what they must.

        With `again`, those of an earlier process are made again if they allow the call.
        """
        for proof in proofs:
            request = self.executor.prepare(replace(proof.invoke, purpose=invoke.purpose, scenario=invoke.scenario))
            if isinstance(request, Call):
                return self.executor.denied(invoke, f"its proof is denied: {request.detail}")
            # Its own id, and never from the memo: it must show how things are now.
            id = request.call_id(self.epoch, mark="proof")
            call = await self._recall_or_send(request, id)
            if call is None:
                return self._unaffordable(invoke)
            reason = self.executor.holds(proof, call, invoke)
            if reason is None and again and id in self._old:
                now = await look_now(self.executor, proof.invoke)
                reason = self.executor.holds(proof, now, invoke) if now is not None else None
            if reason is not None:
                return self.executor.denied(invoke, reason)
        return None

    # Both

    def _spender(self, id: str) -> Callable[[], bool]:
        def spend() -> bool:
            if not self.budget.take():
                return False
            self._store.count(AGAIN + id)
            return True

        return spend

    async def _recall_or_send(self, request: Request, id: str, *, observe: bool = True) -> Call | None:
        """The call of an earlier process, or one that is made now; None if no request is left for it."""
        if not self.budget.take():
            return None
        if self._is_kept(id):
            return self._recall(id, request.invoke, observe=observe)
        return await self._send(request, id, observe=observe)

    def _is_kept(self, id: str) -> bool:
        """Whether an earlier process made a call that this one has not come to."""
        return not self._is_ahead and id not in self.made and self._store.calls.kept(id)

    def _recall(self, id: str, invoke: Invoke, *, observe: bool = True) -> Call:
        """The call of an earlier process of this run, taken in as if it had just been made."""
        call = self._store.calls.recall(id)
        assert call is not None
        self.made.add(id)
        self._old.add(id)
        self.taken += 1
        self.budget.recall(self._again.get(id, 0))
        self.executor.storms.recall(call)
        if not self.safe(invoke):
            operation = self.executor.catalog[invoke.key]
            self._keep(self.executor.journal.intend(operation, invoke.arguments, id), again=True)
        if observe:
            self._keep(self.executor.observe(call, invoke), again=True)
        return self._shared(id, invoke)

    async def _send(self, request: Request, id: str, *, observe: bool = True) -> Call:
        """Make a call, keep it and what it changed, and emit its event; the journal sees it if `observe`."""
        self._sent += 1
        number = self._sent
        if unfinished := self._again.pop(id, 0):
            # An earlier process was killed while it tried again; what it spent is counted with the call or not at all.
            self._store.count(AGAIN + id, -unfinished)
        call = await self.executor.send(request, id, self._spender(id))
        doubtful = self.executor.storms.note(call, number, self._sent)
        # A look that is made again before anything changed has the same id: one call, by however many requests.
        self.taken += call.id not in self.made
        self.made.add(call.id)
        if doubtful:
            self._held.hold(call, self._sent)
        else:
            # Only a good answer to a request that was sent after a refusal arrived shows that it was no matter of all.
            self._held.release_before(number, call.key.tool)
            self._store.calls.put(call)
        if observe:
            self._keep(self.executor.observe(call, request.invoke))
        self._emit(CallFinished(call, wire=True))
        return call

    @property
    def unanswered(self) -> list[Call]:
        """The calls that were held back: nobody answered them, or refused them all, or had no time."""
        return self._held.calls

    def _keep(self, items: list[JournalItem], *, again: bool = False) -> None:
        for item in items:
            self._store.journal.put(item, again=again)
            self._reserve.note(item)

    def _not_made(self, call: Call) -> Call:
        self._emit(CallFinished(call, wire=False))
        return call

    def _unaffordable(self, invoke: Invoke) -> Call:
        return self.executor.denied(invoke, f"no request is left for it, of {self.budget.limit}", error="budget")


def _earlier(one: str | None, other: str | None) -> bool:
    """Whether scenario `one` has the lower number."""
    return bool(one and other) and (len(one or ""), one or "") < (len(other or ""), other or "")
