"""How many requests may still go out: counted before they do, a few kept back for clean-up."""

from __future__ import annotations


class Budget:
    """At most `limit` requests on the wire, retries and clean-up among them.

    One request is kept back for every top-level item that was created and not yet deleted, by the item's id; `held`
    more for what comes later in the run. `short` says whether any request was refused. `owed` is how many requests
    earlier processes of the same run sent that this one has not come to.
    """

    def __init__(self, limit: int, *, owed: int = 0) -> None:
        self.limit = limit
        self.owed = owed
        self.spent = 0
        self._lost = 0
        self.held = 0
        self.short = False
        self._kept: set[str] = set()

    @property
    def reserved(self) -> int:
        """Requests that are kept back for clean-up."""
        return len(self._kept)

    @property
    def left(self) -> int:
        """Requests that may go out without touching what is kept back."""
        return max(0, self.limit - self.spent - self._lost - self.reserved - self.held)

    def hold(self, requests: int) -> None:
        """Hold this many requests back from now on, instead of what was held before."""
        self.held = requests

    def take(self, *, ahead: int = 0) -> bool:
        """Take one request, if there is one with `ahead` more behind it: a creation needs one for its own removal.

        Also one that an earlier process sent: refused here as it was there, so that all later choices are the same.
        """
        if self.left < 1 + ahead:
            self.short = True
            return False
        self.spent += 1
        return True

    def take_kept(self, item: str) -> bool:
        """Take the request that was kept back for `item`; any other one if there was none."""
        if item not in self._kept or self.spent >= self.limit:
            return self.take()
        self._kept.remove(item)
        self.spent += 1
        return True

    def give_back(self) -> None:
        """What was taken last is not sent now."""
        self.spent -= 1

    def recall(self, retries: int) -> None:
        """What was taken last was sent by an earlier process, and as many times more."""
        self.spent += retries
        self.owed = max(0, self.owed - 1 - retries)

    def go_ahead(self) -> None:
        """This process comes to nothing more of what earlier ones sent: what is owed is spent, for nothing."""
        self._lost, self.owed = self.owed, 0

    def keep(self, item: str) -> None:
        """Keep one request back for the removal of `item`."""
        self._kept.add(item)

    def release(self, item: str) -> None:
        """`item` is gone: what was kept back for it is free."""
        self._kept.discard(item)
