"""OpenAPI documents in other formats, for those who read no OpenAPI.

What the importers put under `x-…` comes back to where it was: import, export and import again give the same files.
"""

from __future__ import annotations

from collections.abc import Callable

from docrev.errors import UsageError
from docrev.spec.catalog import Catalog
from docrev.spec.exporters import functions, mcp, toolbench
from docrev.spec.exporters.exported import Exported

__all__ = ["FORMATS", "Exported", "export"]

FORMATS: dict[str, Callable[..., Exported]] = {
    "functions": functions.export,
    "toolbench": toolbench.export,
    "mcp": mcp.export,
}


def export(format: str, catalog: Catalog, *, alone: bool = False, whole: bool = False) -> Exported:
    """A catalog in a format: in one file where `alone`, else a file a tool. Raises UsageError for no such format."""
    if format not in FORMATS:
        raise UsageError(f"no such format: {format}", fix=f"use one of {', '.join(FORMATS)}")
    return FORMATS[format](catalog, alone=alone, whole=whole)
