"""The tool graph: which operation's responses feed which operation's parameters, by name and by value.

Names are loaded when they are first used: what only compares names need not have networkx.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docrev.graph.tool_graph import Edge, ToolGraph
    from docrev.graph.values import Sighting, Values, flat, is_distinctive

__all__ = ["Edge", "Sighting", "ToolGraph", "Values", "flat", "is_distinctive"]

_HOMES = {
    "Edge": "docrev.graph.tool_graph",
    "Sighting": "docrev.graph.values",
    "ToolGraph": "docrev.graph.tool_graph",
    "Values": "docrev.graph.values",
    "flat": "docrev.graph.values",
    "is_distinctive": "docrev.graph.values",
}


def __getattr__(name: str) -> Any:
    """Load a name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
