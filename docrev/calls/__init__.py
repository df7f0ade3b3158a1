"""Calls: what may be sent, how it is sent, and what comes back redacted.

`Executor` sends; `Policy` judges; the `Journal` knows what this run created. Nothing here knows a strategy. Names are
loaded when they are first used: what only wants a path need not have the HTTP client.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docrev.calls.bases import choose_bases
    from docrev.calls.credentials import Header, parse_header
    from docrev.calls.executor import Executor
    from docrev.calls.journal import Journal
    from docrev.calls.limits import Limits
    from docrev.calls.policy import Policy
    from docrev.calls.redact import Redactor

__all__ = ["Executor", "Header", "Journal", "Limits", "Policy", "Redactor", "choose_bases", "parse_header"]

_HOMES = {
    "Executor": "docrev.calls.executor",
    "Header": "docrev.calls.credentials",
    "Journal": "docrev.calls.journal",
    "Limits": "docrev.calls.limits",
    "Policy": "docrev.calls.policy",
    "Redactor": "docrev.calls.redact",
    "choose_bases": "docrev.calls.bases",
    "parse_header": "docrev.calls.credentials",
}


def __getattr__(name: str) -> Any:
    """Load a name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
