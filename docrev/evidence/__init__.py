"""The store of everything a run has seen: calls, scenarios, search trees, experiences, facts, journal."""

from docrev.evidence.calls import CallEntry
from docrev.evidence.store import Evidence, Intent, Run

__all__ = ["CallEntry", "Evidence", "Intent", "Run"]
