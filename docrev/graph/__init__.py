"""The tool graph: which operation's responses feed which operation's parameters, by name and by value."""

from docrev.graph.tool_graph import Edge, ToolGraph
from docrev.graph.values import Sighting, Values, flat, leaves, telling

__all__ = ["Edge", "Sighting", "ToolGraph", "Values", "flat", "leaves", "telling"]
