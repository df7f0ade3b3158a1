"""Calls that are not kept yet: whether their answers were no matter of the whole service shows later."""

from __future__ import annotations

from collections.abc import Callable

from docrev.records import Call


class HeldCalls:
    """`keep` gets each call once it is released."""

    def __init__(self, keep: Callable[[Call], None]) -> None:
        self._keep = keep
        self._held: dict[str, tuple[int, Call]] = {}

    @property
    def calls(self) -> list[Call]:
        """The calls that are held back: nobody answered them, or refused them all, or had no time."""
        return [call for _, call in self._held.values()]

    def get(self, id: str) -> Call | None:
        """A call that is held back, by its ID."""
        return self._held[id][1] if id in self._held else None

    def hold(self, call: Call, sent: int) -> None:
        """Hold a call back; requests up to number `sent` may have been answered before it, or beside it."""
        self._held[call.id] = sent, call

    def replace(self, call: Call) -> None:
        """Put another record of the same call in its place."""
        self._held[call.id] = self._held[call.id][0], call

    def release_before(self, number: int, tool: str) -> None:
        """Release the calls of a tool after which request `number` was sent, since that was answered well."""
        for before, call in list(self._held.values()):
            if before < number and call.key.tool == tool:
                self._release(call)

    def release_all(self) -> None:
        """Release all calls: what nobody answered, or was refused, in the end counts as made."""
        for call in self.calls:
            self._release(call)

    def _release(self, call: Call) -> None:
        self._keep(call)
        del self._held[call.id]
