"""Calls: what may be sent, how it is sent, and what comes back redacted.

`Executor` sends; `Policy` judges; the `Journal` knows what this run created. Nothing here knows a strategy.
"""

from __future__ import annotations

from docrev.calls.bases import choose_bases
from docrev.calls.credentials import Header, parse_header
from docrev.calls.executor import Executor
from docrev.calls.journal import Journal
from docrev.calls.limits import Limits
from docrev.calls.policy import Policy
from docrev.calls.redact import Redactor

__all__ = ["Executor", "Header", "Journal", "Limits", "Policy", "Redactor", "choose_bases", "parse_header"]
