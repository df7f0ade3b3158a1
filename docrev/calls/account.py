"""The account of the caller, which must never be changed, whatever is allowed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docrev.conventions.methods import SAFE_METHODS
from docrev.records import Arguments

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

SELF = frozenset(["me", "self", "account", "current_user", "current-user", "currentuser", "whoami"])
_OWN_PROFILE = re.compile(
    r"(?:my|own|user|current[-_]?user)[-_]?(?:profile|account|settings?|preferences?)", re.IGNORECASE
)
"""What the caller has one of, though its path may be that of a list: `/userprofile`."""
_HOLDERS = ("user", "me", "account", "current_user", "currentUser", "viewer", "principal")
_NAMES = frozenset(
    "key slug login username user_name name email handle principal principals sub user account bucket".split()
)
_DEPTH = 4


class Accounts:
    """IDs that stand for the caller: seen in responses of `/me` and its like, or as `user` of a server's own page."""

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def observe(self, operation: Operation, body: object) -> None:
        """Take in the body of a GET response."""
        if not isinstance(body, dict) or "{" in operation.path:
            return
        if about_self(operation):
            self._collect(body, _DEPTH)
            return
        for name in _HOLDERS:
            if name in body:
                self._collect({name: body[name]}, _DEPTH)

    def holds(self, arguments: Arguments) -> bool:
        """Whether a path argument is one of the caller's ids."""
        return bool(self._ids) and any(
            location.startswith("path:") and not self._ids.isdisjoint((str(value), *str(value).split("/")))
            for location, value in arguments.items()
        )

    def _collect(self, value: object, depth: int, name: str = "") -> None:
        if isinstance(value, dict) and depth:
            for inner, item in value.items():
                self._collect(item, depth - 1, inner)
        elif isinstance(value, list) and depth:
            for item in value:
                self._collect(item, depth - 1, name)
        elif isinstance(value, str | int) and not isinstance(value, bool) and _identifies(name):
            self._ids.add(str(value))


def about_self(operation: Operation) -> bool:
    """Whether the path ends in the caller's own account: `/me`, `/users/self`, `/account`."""
    return "{" not in operation.path and _last(operation).lower() in SELF


def changes_own_profile(operation: Operation) -> bool:
    """Whether an operation changes what the caller has one of: `POST /user-profile`, be it the path of a list, too."""
    is_own = "{" not in operation.path and _OWN_PROFILE.fullmatch(_last(operation)) is not None
    return is_own and operation.route.method not in SAFE_METHODS


def _last(operation: Operation) -> str:
    return operation.path.rstrip("/").rpartition("/")[2]


def below_self(operation: Operation) -> bool:
    """Whether the path lies in the caller's own account: `/me/playlists`."""
    return any(segment.lower() in SELF for segment in operation.path.split("{")[0].split("/"))


def _identifies(name: str) -> bool:
    # Any other value (a country, a count of followers) would forbid what is not the caller's.
    return name.lower().endswith("id") or name.lower() in _NAMES
