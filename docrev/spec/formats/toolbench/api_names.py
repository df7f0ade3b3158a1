"""What ToolBench calls operations: in the `api_list` of instruction files, and in a catalog that was imported.

`apis(catalog)` finds them in a catalog that `docrev import toolbench` wrote, or in `Imported.catalog()`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from docrev.json_values.containers import mapping, sequence
from docrev.records import OperationKey
from docrev.spec.catalog import Catalog
from docrev.spec.formats.toolbench.parameters import EXTRA
from docrev.spec.meaning import string

CATEGORY = "x-category"


class ApiName(NamedTuple):
    """What ToolBench calls an operation: its category, tool and API, spelled as in the data."""

    category: str
    tool: str
    api: str


@dataclass(frozen=True)
class Apis:
    """The operations of a catalog by the names that ToolBench has for them."""

    names: dict[ApiName, OperationKey]

    def operation_key(self, category: str, tool: str, api: str) -> OperationKey | None:
        """The operation of this name in instruction files; with `category` "", of the first tool of this name."""
        found = self.names.get(ApiName(category, tool, api))
        if found is not None or category:
            return found
        return next((key for name, key in self.names.items() if name[1:] == (tool, api)), None)


def apis(catalog: Catalog) -> Apis:
    """The operations of an imported catalog, by name. Operations that were not imported have none."""
    names: dict[ApiName, OperationKey] = {}
    for operation in catalog.operations:
        document = catalog.documents[operation.place.file]
        tool = document.get(f"/{EXTRA}/tool_name", None)
        api = document.get(f"{operation.place.pointer}/{EXTRA}/api_name", None)
        if isinstance(tool, str) and isinstance(api, str):
            names[ApiName(string(document.get(f"/{CATEGORY}", "")), tool, api)] = operation.key
    return Apis(names)


def api_names(query: object) -> list[ApiName]:
    """The APIs that one entry of an instruction file offers, in its order; what names none is left out."""
    listed = sequence(mapping(query).get("api_list"))
    return [name for item in listed if (name := name_of(item)) is not None]


def relevant(query: object) -> list[ApiName]:
    """The APIs that one entry gives as relevant, with the category from its `api_list` ("" if they are not in it)."""
    offered = {(name.tool, name.api): name for name in reversed(api_names(query))}
    listed = sequence(mapping(query).get("relevant APIs"))
    pairs = [pair for pair in listed if isinstance(pair, list) and len(pair) == 2]
    return [offered.get((str(tool), str(api)), ApiName("", str(tool), str(api))) for tool, api in pairs]


def name_of(item: object) -> ApiName | None:
    """The API that an entry of an `api_list` names; None if it names none."""
    record = mapping(item)
    category, tool, api = (string(record.get(key)) for key in ("category_name", "tool_name", "api_name"))
    return ApiName(category, tool, api) if tool.strip() and api.strip() else None
