"""Creations after which a list fails that answered before: what was made spoils it for everybody, until it is gone."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.calls.absences import shows_absence
from docrev.calls.creation_answers import CreationAnswer
from docrev.calls.creation_texts import carries_sent, sent_names
from docrev.calls.creations import Creation
from docrev.calls.looks import Look, LookPair
from docrev.calls.path_texts import last_segment
from docrev.conventions.ids import is_drawn
from docrev.conventions.run_names import is_invented_id
from docrev.conventions.statuses import CREATED
from docrev.records import Call

_MOST = 3
"""How many things are suspected at once."""


def breaks(looks: Sequence[LookPair]) -> bool:
    """Whether a list answered before a call, and fails after it."""
    return any(before.ok and fails(look, after) for look, before, after in looks)


def made_unseen(
    creation: Creation,
    looks: Sequence[LookPair],
    answer: CreationAnswer,
    path: str | None,
    named: Sequence[tuple[str, Call]],
) -> str | None:
    """The `path` that the answer to a creation names, if it is the run's own though the list fails by now.

    The run chose its ID; or the list was whole before and did not show it, and what is there carries what was sent, or
    something with a name of the run was created and the ID is one that is never given again.
    """
    if path is None or creation.path is not None or not answer.ok or not breaks(looks):
        return None
    return path if is_invented_id(last_segment(path)) or _is_new(creation, looks, answer, path, named) else None


def _is_new(
    creation: Creation, looks: Sequence[LookPair], answer: CreationAnswer, path: str, named: Sequence[tuple[str, Call]]
) -> bool:
    """Whether nothing had a path before a creation, by a list that was whole, and what has it now is what was made."""
    absent = any(shows_absence(look, before) for look, before, after in looks if fails(look, after))
    shown = any(at == path and call.ok and carries_sent(creation.sent, call.body) for at, call in named)
    drawn = answer.status == CREATED and is_drawn(last_segment(path)) and bool(sent_names(creation.sent))
    return absent and (shown or drawn)


def fails(look: Look, call: Call) -> bool:
    """Whether the server fails at a look at a list."""
    return look.path is None and (call.status or 0) >= 500


class BrokenLists:
    """Which lists answered, and which of the run's own things changed since then: a list that fails may fail for them.

    Keys are (tool, path); values count the calls that were taken in.
    """

    def __init__(self) -> None:
        self._calls = 0
        self._answered: dict[tuple[str, str], int] = {}
        self._changed: dict[tuple[str, str], int] = {}

    def answered(self, tool: str, collection: str) -> None:
        """Note that a list answered."""
        self._calls += 1
        self._answered[tool, collection] = self._calls

    def changed(self, tool: str, path: str) -> None:
        """Note that a thing of the run's own was changed."""
        self._calls += 1
        self._changed[tool, path] = self._calls

    def suspects(self, tool: str, collection: str) -> list[tuple[str, str]]:
        """What was changed since a list answered that fails now, the newest first; once, until it answers again."""
        since = self._answered.pop((tool, collection), self._calls)
        found = sorted((number, at) for at, number in self._changed.items() if number > since and at[0] == tool)
        return [at for _, at in reversed(found)][:_MOST]
