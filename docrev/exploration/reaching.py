"""How many requests reaching operations may take before anything is asked about those that are reached."""

from __future__ import annotations

from collections.abc import Callable

from docrev.exploration.shares import Shares
from docrev.exploration.survey import Surveyor
from docrev.prompts.steps import Steps

STEP = 40
"""Requests that must reach an operation, at least, for the survey to go on at the cost of the probes."""


def reach(surveyor: Surveyor, hold: Callable[[int], None], shares: Shares) -> Steps[None]:
    """Reach operations with what is nobody else's, then, as long as that pays, with half of what is the probes'; `hold`
    keeps requests back.

    What is given up here goes on with what the probes leave.
    """
    for_others = shares.replay + shares.scenarios_least
    held, least, known = for_others + shares.probes, for_others + shares.probes // 2, -1
    while surveyor.count_reached() > known:
        known = surveyor.count_reached()
        hold(held)
        yield from surveyor.reach()
        if not surveyor.is_cut_off or held == least:
            return
        held = max(least, held - max(STEP, shares.probes // 8))
