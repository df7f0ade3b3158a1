"""Numbers for what the run makes up, so that no two of its things have the same name."""

from __future__ import annotations

from docrev.conventions.run_names import run_name, run_uuid
from docrev.exploration.subjects import Subject
from docrev.records import Json, OperationKey
from docrev.spec import Schema


class RunNumbers:
    """Counts what gets a name of the run."""

    def __init__(self) -> None:
        self._fresh = 0
        self._numbers: dict[tuple[OperationKey, int], int] = {}

    def fresh(self, schema: Schema) -> Json:
        """A value that nobody used yet: a name of the run, or a large number if a number is wanted."""
        number = self.next()
        if schema.type in ("integer", "number"):
            return 900_000_000 + number
        return run_uuid(number) if schema.format == "uuid" else run_name(number)

    def next(self) -> int:
        """The number of the next thing that gets a name of the run."""
        self._fresh += 1
        return self._fresh

    def of(self, subject: Subject) -> int:
        """The number of what an operation will create: the same until it has created it."""
        place = (subject.operation.key, subject.successes)
        if place not in self._numbers:
            self._numbers[place] = self.next()
        return self._numbers[place]
