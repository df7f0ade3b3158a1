"""What a clean-up says of each item: that it is gone, or that it is left, why, and by which call it is removed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from docrev.calls.executor import Executor
from docrev.prompts.steps import Invoke
from docrev.records import JournalItem

Keep = Callable[[JournalItem], None]


class CleanUpAccount:
    """The journal as a clean-up corrects it; `keep` gets each item whose state changes."""

    def __init__(self, executor: Executor, keep: Keep) -> None:
        self.journal = executor.journal
        self._executor, self._keep = executor, keep

    def now(self, item: JournalItem) -> JournalItem:
        """The state of an item by now."""
        return next(now for now in self.journal.items if now.id == item.id)

    def removal(self, item: JournalItem) -> Invoke | None:
        """The call that removes an item; never one that removes more."""
        step = self.journal.removal(item)
        return step if step and self.journal.routes.path(step.key).ends_in_parameter else None

    def tell(self, item: JournalItem, reason: str, step: Invoke | None) -> None:
        """Note that an item is still there, and why."""
        url = self._executor.redactor.text(self._executor.build(step).url) if step else None
        self.put(replace(item, deleted=False, reason=reason, removal=f"DELETE {url}" if url else None))

    def tell_found(self, tool: str, path: str, reason: str) -> None:
        """Note that something is there which is not certainly the run's own."""
        item = found_item(tool, path)
        self.tell(item, reason, self.removal(item))

    def put(self, item: JournalItem) -> None:
        """Take in an item in another state."""
        self.journal.correct(item)
        self._keep(item)


def found_item(tool: str, path: str) -> JournalItem:
    """Something that is there and not certainly the run's own."""
    return JournalItem(f"{tool} {path}", tool, path, {}, "", confirmed=False)
