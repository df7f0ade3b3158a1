"""What an export gives: files by path, what was counted, and the table that leads from names back to operations."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from docrev.records import Json, OperationKey
from docrev.spec.catalog import Catalog
from docrev.spec.formats.imported import write_files
from docrev.spec.formats.names import legal, unique
from docrev.spec.formats.sources import TABLE
from docrev.spec.operation import Operation


@dataclass
class Exported:
    """The files, by path below the output (or `""` if it is one file); `table` gives the operation of each name."""

    files: dict[str, Json] = field(default_factory=dict)
    table: dict[str, Json] = field(default_factory=dict)
    operations: int = 0
    renamed: int = 0
    cut: int = 0
    warnings: list[str] = field(default_factory=list)

    def add(self, operation: Operation, name: str, original: str, places: Mapping[str, str]) -> None:
        """Count an operation, and note what its name and the names of its arguments stand for."""
        self.operations += 1
        self.renamed += name != original
        told = {"name": original, "tool": operation.tool, "operation": operation.key.operation}
        self.table[name] = {**told, "arguments": dict(places)}

    def add_lists(
        self,
        catalog: Catalog,
        listed: Callable[[Operation], Json],
        wrapped: Callable[[str, list[Json]], Json],
        *,
        alone: bool,
        joined: Callable[[list[Json]], Json] = lambda items: items,
    ) -> int:
        """A file for each tool with what `listed` makes of its operations, or one file with all; the longest list.

        `wrapped` puts around the list of one tool what it stood in, `joined` what stands around those of several.
        """
        lists = {tool: [listed(operation) for operation in catalog.of_tool(tool)] for tool in catalog.tools}
        if not alone:
            self.files |= {f"{tool}.json": wrapped(tool, items) for tool, items in lists.items() if items}
            return max(map(len, lists.values()), default=0)
        items = list(chain.from_iterable(lists.values()))
        self.files[""] = wrapped(catalog.tools[0], items) if len(lists) == 1 else joined(items)
        return len(items)

    def write(self, out: Path) -> list[Path]:
        """Write the files, and the table beside them. Raises InputError, LockedError, StoreError."""
        files = {out / name if name else out: tree for name, tree in self.files.items()}
        if self.table:
            alone = "" in self.files
            files[out.with_name(f"{out.stem}.names.json") if alone else out / "_names.json"] = {TABLE: self.table}
        return write_files(
            {path: json.dumps(tree, indent=2, ensure_ascii=False) + "\n" for path, tree in files.items()}
        )


def function_names(catalog: Catalog) -> dict[OperationKey, str]:
    """A name for each operation of a catalog that any consumer accepts: its own if that is legal and unique."""
    plain = {operation.key: legal(operation.name) or "operation" for operation in catalog.operations}
    return unique(plain, {key: key for key in plain})
