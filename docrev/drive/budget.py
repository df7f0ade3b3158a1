"""How many requests may still go out: counted before they do, a few kept back for clean-up."""

from __future__ import annotations


class Budget:
    """At most `limit` requests on the wire, retries and clean-up among them.

    `reserved` requests are kept back for clean-up, one for every top-level item that was created.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.spent = 0
        self.reserved = 0

    @property
    def left(self) -> int:
        """Requests that may go out without touching what is kept back."""
        return max(0, self.limit - self.spent - self.reserved)

    def take(self, *, reserved: bool = False, ahead: int = 0) -> bool:
        """Take one request, if there is one; `reserved` takes one that was kept back.

        `ahead` more must be left behind it: a creation needs one for its own clean-up.
        """
        if reserved and self.reserved and self.spent < self.limit:
            self.reserved -= 1
            self.spent += 1
            return True
        if self.left < 1 + ahead:
            return False
        self.spent += 1
        return True

    def count(self, requests: int) -> None:
        """Count requests that were sent by an earlier process of the same run."""
        self.spent += requests

    def reserve(self) -> None:
        """Keep one more back."""
        self.reserved += 1

    def release(self) -> None:
        """Give one back: an item is gone without a request of ours."""
        self.reserved = max(0, self.reserved - 1)
