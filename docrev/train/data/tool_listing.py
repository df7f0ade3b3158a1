"""The operations of a catalog as ToolBench lists them: category, tool and API by name, with their records.

An imported operation keeps the names of its data; another one is called by its tool's title and its own name. A tool
whose document tells no category has its most used tag for one, or else its own title.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docrev.records import Json, OperationKey
from docrev.runners.toolplanner import category_of
from docrev.spec import Catalog
from docrev.spec.formats import export

_KEPT = ("required_parameters", "optional_parameters", "method", "template_response", "url")


@dataclass(frozen=True, slots=True)
class ListedOperation:
    """One operation by its names; `record` is its entry of an `api_list`."""

    key: OperationKey
    category: str
    tool: str
    api: str
    record: Mapping[str, Json]


class ToolListing:
    """The entries of a catalog, in its order, and back from names to operations."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.entries: dict[OperationKey, ListedOperation] = {entry.key: entry for entry in _entries(catalog)}
        self._whole: dict[tuple[str, str, str], OperationKey] = {}
        self._pairs: dict[tuple[str, str], OperationKey] = {}
        for key, entry in self.entries.items():
            self._whole.setdefault((entry.category, entry.tool, entry.api), key)
            self._pairs.setdefault((entry.tool, entry.api), key)

    def __getitem__(self, key: OperationKey) -> ListedOperation:
        return self.entries[key]

    def key(self, category: str, tool: str, api: str) -> OperationKey | None:
        """The operation of these names; of this tool in any category if the category is not known here."""
        return self._whole.get((category, tool, api)) or self._pairs.get((tool, api))


def _entries(catalog: Catalog) -> Iterator[ListedOperation]:
    exported = export("toolbench", catalog)
    taken: set[tuple[str, str]] = set()
    for tool, record in zip(catalog.tools, exported.files.values(), strict=True):
        category = str(record["category_name"]) or category_of(catalog, tool) or str(record["tool_name"])
        name = str(record["tool_name"])
        if (category, name) in taken:
            # Two documents with one title: the file's name tells them apart.
            name = tool
        taken.add((category, name))
        for operation, row in zip(catalog.of_tool(tool), record["api_list"], strict=True):
            entry = {"category_name": category, "tool_name": name, "api_name": row["name"]}
            entry["api_description"] = row.get("description", "")
            yield ListedOperation(
                operation.key,
                category,
                name,
                str(row["name"]),
                entry | {name: row[name] for name in _KEPT if name in row},
            )
