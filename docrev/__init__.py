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
    "DocrevError": "docrev.errors",
    "Experience": "docrev.records",
    "Exploration": "docrev.api",
    "Fact": "docrev.records",
    "Finding": "docrev.spec",
    "Node": "docrev.records",
    "OperationKey": "docrev.records",
    "Revision": "docrev.revision",
    "Scenario": "docrev.records",
    "Solution": "docrev.records",
    "aapply": "docrev.api",
    "acheck": "docrev.api",
    "adiff": "docrev.api",
    "aexplore": "docrev.api",
    "alint": "docrev.api",
    "apply": "docrev.api",
    "arevise": "docrev.api",
    "check": "docrev.api",
    "diff": "docrev.api",
    "explore": "docrev.api",
    "lint": "docrev.api",
    "load": "docrev.spec",
    "revise": "docrev.api",
}

__all__ = [
    "Arguments",
    "Call",
    "Catalog",
    "Change",
    "DocrevError",
    "Experience",
    "Exploration",
    "Fact",
    "Finding",
    "Node",
    "OperationKey",
    "Revision",
    "Scenario",
    "Solution",
    "aapply",
    "acheck",
    "adiff",
    "aexplore",
    "alint",
    "apply",
    "arevise",
    "check",
    "diff",
    "explore",
    "lint",
    "load",
    "revise",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'docrev' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
