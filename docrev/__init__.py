"""docrev makes API documentation good enough for LLM agents, by using the API before they do.

    import docrev
    docrev.explore("specs", base_urls="http://127.0.0.1:8000", out=".docrev")
    revision = docrev.revise("specs", evidence=".docrev")

Names are loaded when they are first used: importing docrev is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Arguments": "docrev.records",
    "Call": "docrev.records",
    "Catalog": "docrev.spec",
    "Change": "docrev.records",
    "Check": "docrev.sessions.checking",
    "DocrevError": "docrev.errors",
    "Experience": "docrev.records",
    "Exploration": "docrev.api",
    "Fact": "docrev.records",
    "Finding": "docrev.spec",
    "Node": "docrev.records",
    "Observation": "docrev.sessions.observation",
    "OperationKey": "docrev.records",
    "Revision": "docrev.revision",
    "Scenario": "docrev.records",
    "Solution": "docrev.records",
    "aapply": "docrev.api",
    "acheck": "docrev.api",
    "adiff": "docrev.api",
    "aexplore": "docrev.api",
    "aexport_arazzo": "docrev.api",
    "aexport_har": "docrev.api",
    "aimport_specs": "docrev.api",
    "ainit": "docrev.api",
    "alint": "docrev.api",
    "amcp_server": "docrev.api",
    "aobserve": "docrev.api",
    "apply": "docrev.api",
    "areport": "docrev.api",
    "arevise": "docrev.api",
    "ashow_findings": "docrev.api",
    "check": "docrev.api",
    "diff": "docrev.api",
    "explore": "docrev.api",
    "export_arazzo": "docrev.api",
    "export_har": "docrev.api",
    "import_specs": "docrev.api",
    "init": "docrev.api",
    "lint": "docrev.api",
    "load": "docrev.spec",
    "mcp_server": "docrev.api",
    "observe": "docrev.api",
    "report": "docrev.api",
    "revise": "docrev.api",
    "show_findings": "docrev.api",
}

__all__ = [
    "Arguments",
    "Call",
    "Catalog",
    "Change",
    "Check",
    "DocrevError",
    "Experience",
    "Exploration",
    "Fact",
    "Finding",
    "Node",
    "Observation",
    "OperationKey",
    "Revision",
    "Scenario",
    "Solution",
    "aapply",
    "acheck",
    "adiff",
    "aexplore",
    "aexport_arazzo",
    "aexport_har",
    "aimport_specs",
    "ainit",
    "alint",
    "amcp_server",
    "aobserve",
    "apply",
    "areport",
    "arevise",
    "ashow_findings",
    "check",
    "diff",
    "explore",
    "export_arazzo",
    "export_har",
    "import_specs",
    "init",
    "lint",
    "load",
    "mcp_server",
    "observe",
    "report",
    "revise",
    "show_findings",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'docrev' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
