"""The store of everything a run has seen: calls, scenarios, search trees, experiences, facts, journal."""

from docrev.evidence.calls import Ending
from docrev.evidence.run_tables import Intent, Run
from docrev.evidence.store import Evidence

__all__ = ["Ending", "Evidence", "Intent", "Run"]
