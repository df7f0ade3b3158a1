"""The requests that are held back while an exploration goes on: for its later stages, and for removing what it made."""

from __future__ import annotations

from docrev.driver.clean_up_needs import requests_needed
from docrev.exploration.shares import Shares
from docrev.exploration.workspace import Workspace


class HeldRequests:
    """Holds requests back for later stages. Removing what was created may take half of what is for the replay; what it
    needs beyond is held, too, with what was created by then."""

    def __init__(self, workspace: Workspace, shares: Shares) -> None:
        self._workspace, self._shares = workspace, shares
        self.held = 0

    def hold(self, requests: int) -> None:
        """Hold this many back for later stages, instead of what was held before."""
        self.held = requests
        self._workspace.hold(requests + self._beyond_replay())

    def hold_more(self, requests: int) -> None:
        """Hold this many more."""
        self.hold(self.held + requests)

    def hold_for_clean_up(self) -> None:
        """Hold back what removing needs, and nothing else."""
        self.held = 0
        self._workspace.hold(self._needed())

    def release(self) -> None:
        """Hold nothing back."""
        self.held = 0
        self._workspace.hold(0)

    def left(self) -> int:
        """The requests that may go out now."""
        self.hold(self.held)
        return self._workspace.left()

    def _beyond_replay(self) -> int:
        return max(0, self._needed() - self._shares.replay // 2)

    def _needed(self) -> int:
        return requests_needed(self._workspace.journal, self._workspace.policy, self._shares.clean_up_lists)
