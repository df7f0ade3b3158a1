"""Tasks in YAML: the format of the user's own tasks, and of the bundled suite.

    title: Orders                      optional
    specs: [shop.yaml]                 OpenAPI files or folders, beside this file
    base_urls: {shop: http://…}        where they are served; without it, simulated worlds of the specs
    headers: ["X-Key: env:SHOP_KEY"]   what every request carries, as -H takes it
    allow: [POST, PATCH]               what the tasks need beyond GET, as --allow takes it
    tasks:
      - id: cheapest                   letters, digits, `-`, `_` and `.`; unique
        text: Which order was cheapest?
        level: statement               optional: statement, category, tool, operation or hybrid
        group: reading                 optional: the part of the suite it belongs to
        operations: [shop GET /orders]           optional: the candidates that the agent is given
        gold: [shop GET /orders, shop GET /orders/{id}]   optional: a right path, or a list of right paths
        arguments: [{query:sort: price}, {path:id: o_7}]  optional: of the calls of the first gold path
        answer: {text: o_7}            optional: the truth, see docrev.eval.metrics.accepted_answers and .execution

The tool's name may be left out if there is one spec. What is wrong is an InputError with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from docrev.errors import InputError
from docrev.prompts.training import LEVELS
from docrev.records import Json, OperationKey, Task
from docrev.spec import Document

from ..metrics.accepted_answers import KINDS

FIELDS = {"id", "text", "level", "group", "operations", "gold", "arguments", "answer"}
HEAD = {"title", "specs", "base_urls", "headers", "allow", "tasks"}
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
LOCATION = re.compile(r"(path|query|header|cookie):.+|body:")


@dataclass(frozen=True, slots=True)
class TaskFile:
    """A file of tasks; `tools` are the names that operations may begin with, the only one may be left out."""

    document: Document
    tools: tuple[str, ...]

    def head(self) -> Mapping[str, Json]:
        """Everything but the tasks."""
        tree = self.document.tree
        if not isinstance(tree, dict):
            self.fail("", "is not an object with tasks", "write tasks: [{id:, text:}]")
        for name in tree:
            if name not in HEAD:
                self.fail(f"/{name}", f"{name!r} is not known here", f"use one of {', '.join(sorted(HEAD))}")
        return tree

    def tasks(self) -> tuple[Task, ...]:
        """The tasks in the order of the file. Raises InputError."""
        rows = self.head().get("tasks")
        if not isinstance(rows, list) or not rows:
            self.fail("/tasks" if rows is not None else "", "has no list of tasks", "write tasks: [{id:, text:}]")
        by_id: dict[str, Task] = {}
        for at, row in enumerate(rows):
            pointer = f"/tasks/{at}"
            task = self._task(row, pointer)
            if task.id in by_id:
                self.fail(f"{pointer}/id", f"a second task has the id {task.id!r}", "give each its own")
            by_id[task.id] = task
        return tuple(by_id.values())

    def fail(self, pointer: str, what: str, fix: str = "") -> NoReturn:
        """Raise InputError with file and line."""
        raise InputError(what, where=f"{self.document.name}:{self.document.line(pointer)}", fix=fix)

    def _task(self, row: object, pointer: str) -> Task:
        if not isinstance(row, dict):
            self.fail(pointer, "a task is an object with id and text")
        for name in row:
            if name not in FIELDS:
                self.fail(f"{pointer}/{name}", f"{name!r} is not known here", f"use one of {', '.join(sorted(FIELDS))}")
        for name in ("id", "text"):
            if not isinstance(row.get(name), str) or not row[name].strip():
                self.fail(f"{pointer}/{name}" if name in row else pointer, f"the task has no {name}", "write a text")
        if not ID.fullmatch(row["id"]):
            self.fail(f"{pointer}/id", f"{row['id']!r} is no id", "use letters, digits, - _ and .")
        level = row.get("level", "")
        if level not in ("", *LEVELS):
            self.fail(f"{pointer}/level", f"{level!r} is no level", f"use one of {', '.join(LEVELS)}")
        gold = tuple(self._paths(row.get("gold", []), f"{pointer}/gold"))
        self._truth(row.get("answer"), f"{pointer}/answer")
        return Task(
            id=row["id"],
            text=" ".join(row["text"].split()),
            operations=self._keys(row.get("operations", []), f"{pointer}/operations"),
            gold=gold,
            arguments=self._arguments(row.get("arguments", []), gold, f"{pointer}/arguments"),
            answer=row.get("answer"),
            level=level,
            group=str(row.get("group", "")),
        )

    def _paths(self, value: object, pointer: str) -> Iterator[tuple[OperationKey, ...]]:
        if isinstance(value, list) and any(isinstance(path, list) for path in value):
            yield from (self._keys(path, f"{pointer}/{at}") for at, path in enumerate(value))
        elif value:
            yield self._keys(value, pointer)

    def _keys(self, value: object, pointer: str) -> tuple[OperationKey, ...]:
        if not isinstance(value, list):
            self.fail(pointer, "is not a list of operations", "write [TOOL METHOD /path, …]")
        return tuple(self._key(text, f"{pointer}/{at}") for at, text in enumerate(value))

    def _key(self, text: object, pointer: str) -> OperationKey:
        words = text.split() if isinstance(text, str) else []
        if len(words) == 2 and len(self.tools) == 1:
            words = [self.tools[0], *words]
        if len(words) != 3 or not words[2].startswith("/"):
            self.fail(pointer, f"{text!r} is no operation", "write TOOL METHOD /path")
        if words[0] not in self.tools:
            self.fail(pointer, f"no spec is called {words[0]!r}", f"use one of {', '.join(self.tools)}")
        return OperationKey(words[0], f"{words[1].upper()} {words[2]}")

    def _arguments(
        self, value: object, gold: Sequence[Sequence[OperationKey]], pointer: str
    ) -> tuple[dict[str, Json], ...]:
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self.fail(pointer, "is not a list of arguments", "write one object a call: {query:sort: name}")
        if value and (not gold or len(value) != len(gold[0])):
            self.fail(pointer, f"{len(value)} calls have arguments", "write one object a call of the first gold path")
        for at, one in enumerate(value):
            for location in one:
                if not LOCATION.fullmatch(location):
                    self.fail(f"{pointer}/{at}", f"{location!r} is no location", "write query:NAME, path:NAME or body:")
        return tuple(value)

    def _truth(self, value: object, pointer: str) -> None:
        """Check the grammar of a truth."""
        if not isinstance(value, dict):
            return
        kinds = [name for name in value if name in KINDS]
        if len(kinds) != 1:
            self.fail(pointer, "does not say how to compare", f"use one of {', '.join(KINDS)}")
        for name in ("all", "one_of", "list", "set"):
            for at, inner in enumerate(value.get(name, [])):
                self._truth(inner, f"{pointer}/{name}/{at}")
        for at, read in enumerate(value.get("state", [])):
            where = f"{pointer}/state/{at}"
            if not isinstance(read, dict) or not set(read) <= {"read", "arguments", "status", "body"}:
                self.fail(where, "is no look at the state", "write {read:, arguments:, status:, body:}")
            key = self._key(read.get("read"), f"{where}/read" if "read" in read else where)
            read["read"] = str(key)
