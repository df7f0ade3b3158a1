"""Answers that are kept: a backend that remembers, and one that has nothing but what was recorded.

A kept answer stands for the same request of the same model with the same settings (`store.question`). At
temperature 0 it is given to whoever asks; above, only to the run that it was given to, which goes on where it was cut
off, and to a replay. A replay also takes what was answered to a question that differs in what an API counts or times.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from docrev.errors import ModelError, NotRecordedError
from docrev.models.backend import Backend, Completion, CompletionRequest, CompletionSettings
from docrev.models.budgets import Budgets
from docrev.models.store import Answers, Kept, Seat, likeness, question


class RememberingBackend:
    """Asks `backend` what is not among `answers` yet, within `budgets`; equal questions at a time are one.

    `run` names the run that asks: what it was answered before counts as spent by it, what others were answered is
    free. None stands for a replay: whatever is kept was given to this run. One event loop may use it.
    """

    def __init__(self, backend: Backend, answers: Answers | None, budgets: Budgets, *, run: str | None = "") -> None:
        self._backend, self._answers, self._budgets, self._run = backend, answers, budgets, run
        self._exact = backend.settings.temperature == 0 and answers is not None
        self._flights: dict[str, asyncio.Event] = {}
        self._times: dict[str, int] = {}
        self._counted: set[str] = set()

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def settings(self) -> CompletionSettings:
        return self._backend.settings

    async def complete(self, request: CompletionRequest) -> Completion:
        """The kept answer, or the backend's. Raises BudgetSpent, and what the backend raises or raised."""
        key = question(request, self.name, self.settings)
        number = self._number(key)
        id = f"{key}/{number}"
        kept = self._kept(key, number) or self._near(request, number)
        if kept is None or self._ours(kept) or id in self._counted:
            await self._budgets.take(id)
        while kept is None and (flight := self._flights.get(id)) is not None:
            await flight.wait()
            kept = self._kept(key, number)
        asked = kept is None
        if kept is None:
            kept = await self._ask(request, key, number)
        new = id not in self._counted and (asked or self._ours(kept))
        return self._given(id, kept, new)

    async def close(self) -> None:
        await self._backend.close()

    def _number(self, key: str) -> int:
        """How often the question was asked before, if its answers may differ."""
        if self._exact:
            return 0
        self._times[key] = self._times.get(key, -1) + 1
        return self._times[key]

    def _ours(self, kept: Kept) -> bool:
        return self._run is None or (kept.run == self._run != "")

    def _near(self, request: CompletionRequest, number: int) -> Kept | None:
        """In a replay: what was answered to the question that is most like this one."""
        if self._run is not None or self._answers is None:
            return None
        return self._answers.near(likeness(request, self.name, self.settings), number)

    def _kept(self, key: str, number: int) -> Kept | None:
        kept = self._answers.get(key, number) if self._answers is not None else None
        if kept is None or self._ours(kept) or f"{key}/{number}" in self._counted:
            return kept
        return kept if self._exact and not kept.error else None

    async def _ask(self, request: CompletionRequest, key: str, number: int) -> Kept:
        id, run = f"{key}/{number}", self._run or ""
        flight = self._flights[id] = asyncio.Event()
        try:
            try:
                kept = Kept(await self._backend.complete(request), run)
            except ModelError as error:
                kept = Kept(Completion(""), run, f"{error.where}: {error.what}" if error.where else error.what)
            if self._answers is not None and self._answers.writes:
                like = likeness(request, self.name, self.settings) if self._answers.records else None
                self._answers.put(key, number, request.prompt, kept, like)
        finally:
            del self._flights[id]
            flight.set()
        return kept

    def _given(self, id: str, kept: Kept, new: bool) -> Completion:
        if new or id in self._counted:
            self._budgets.pay(id, self._budgets.cost(self.name, kept.completion), again=not new)
        if new:
            self._counted.add(id)
        if kept.error:
            raise ModelError(kept.error)
        return (
            kept.completion
            if new
            else replace(kept.completion, tokens_in=0, tokens_cached=0, tokens_out=0, cached=True)
        )


class RecordedBackend:
    """What is left of a model when only its answers are there: `seat` is who gave them, `where` the file."""

    def __init__(self, seat: Seat, where: str) -> None:
        self.name, self.settings, self._where = seat.name, seat.settings, where

    async def complete(self, request: CompletionRequest) -> Completion:
        """Raises NotRecordedError: what was recorded did not come here."""
        what = f"no answer is recorded to this {request.prompt}"
        raise NotRecordedError(what, where=self._where, fix="record it with --record FILE, or ask a model")

    async def close(self) -> None:
        """Nothing is open."""
