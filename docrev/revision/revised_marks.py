"""The marks of documents that are being revised, whose changes can be taken back."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.records import Change
from docrev.spec.marks import Mark, Marks


class RevisedMarks:
    """The marks `of` each document, by its name."""

    def __init__(self, of: dict[str, Marks]) -> None:
        self.of = of
        self._before: dict[tuple[str, str], Mark] = {}

    def put(self, file: str, pointer: str, mark: Mark) -> None:
        """Mark a text in place of how it was marked."""
        self._before.setdefault((file, pointer), self.of[file].at(pointer))
        self.of[file].put(pointer, mark)

    def forget(self, changes: Iterable[Change]) -> None:
        """Take back the marks of changes that were dropped."""
        for change in changes:
            if before := self._before.get((change.file, change.pointer)):
                self.of[change.file].put(change.pointer, before)
