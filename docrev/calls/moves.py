"""What shows that a change moved an item of the run's own to another path: looks at both, after the change.

An answer that names another path proves nothing: the item may still be where it was, and what has the other path may
be a copy, another thing, or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from docrev.calls.creation_answers import CreationAnswer
from docrev.calls.looks import is_absent, is_nowhere
from docrev.conventions.disguised_errors import shows_nothing
from docrev.conventions.ids import created_object, identifying_members, own_id
from docrev.conventions.run_names import is_made_up
from docrev.records import Call, Json

Outcome = Literal["stayed", "moved", "doubtful"]


@dataclass(frozen=True, slots=True)
class Move:
    """A change of an item of the run's own that may have moved it from the path `old` to `new`. `call` is its id."""

    tool: str
    old: str
    new: str
    call: str

    def outcome(self, looks: Mapping[str, Call]) -> Outcome:
        """What looks after the change, by path, show: it moved if it is gone from the old path and is at the new."""
        old, new = looks.get(self.old), looks.get(self.new)
        gone = old is not None and is_absent(self.old, old)
        nowhere = new is not None and (shows_nothing(new) if gone else is_nowhere(self.new, new))
        if new is None or not new.ok or nowhere:
            return "stayed" if nowhere and not gone else "doubtful"
        return "moved" if gone else "doubtful"


def id_after(answer: CreationAnswer, parameter: str, noun: str, *, is_named: bool) -> Json:
    """The ID that an item has after a change, by its answer or, if it `is_named`, by the name that was sent; None for
    what may be another's."""
    sent = [value for _, value in identifying_members(answer.arguments.get("body:"))]
    id = own_id(created_object(answer.body), parameter, noun)
    if is_made_up(id) or id in sent:
        return id
    # Beside its name it may have a number, which addresses nothing.
    return next(filter(is_made_up, sent), None) if is_named else None
