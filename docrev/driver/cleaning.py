"""Removing what a run created."""

from __future__ import annotations

from docrev.calls.journal import Journal
from docrev.calls.policy import Policy
from docrev.events import Handler, PhaseStarted, ignore
from docrev.prompts.steps import Steps
from docrev.spec import Catalog


def clean_up(journal: Journal, policy: Policy, catalog: Catalog, emit: Handler = ignore) -> Steps[tuple[str, ...]]:
    """Remove what is still in the journal, children first, if DELETE is allowed; returns the paths that are left."""
    items = journal.left()
    if items:
        emit(PhaseStarted("clean-up", len(items)))
    for item in items:
        gone = any(now.id == item.id and now.deleted for now in journal.items)
        step = None if gone else journal.removal(item)
        if step is not None and policy.permits(catalog[step.key]) is None:
            yield step
    return tuple(f"{item.tool} {item.path}" for item in reversed(journal.left()))
