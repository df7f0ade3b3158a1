"""Looks: GETs made before and after a call that may change something, and what each shows of one thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docrev.calls.inner_lists import as_inner_list
from docrev.calls.listings import read_list
from docrev.calls.path_texts import last_segment
from docrev.conventions.disguised_errors import is_disguised, shows_nothing
from docrev.conventions.envelopes import wraps_null
from docrev.conventions.ids import created_object
from docrev.conventions.run_names import is_made_up
from docrev.conventions.statuses import INVALID, NOT_THERE
from docrev.prompts.steps import Invoke
from docrev.records import Call, Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


@dataclass(frozen=True, slots=True)
class Look:
    """A GET made before and after a creation: of the list that it adds to, or of the item at `path`.

    `listing` is the operation that lists; `scoped`: it lists what belongs to what the creation refers to. `elsewhere`:
    it is not at the path of the collection, and may list a part of it: what it does not show may be there. `part`: the
    path of a collection that it shows as a list in the thing that this lies in.
    """

    invoke: Invoke
    path: str | None = None
    scoped: bool = False
    listing: Operation | None = field(default=None, compare=False, repr=False)
    elsewhere: bool = False
    part: str = ""

    def shown(self, call: Call) -> Call:
        """What a response shows of what was looked for."""
        return as_inner_list(call, self.part) if self.part else call


LookPair = tuple[Look, Call, Call]
"""A look with what it showed before a call, and after it."""


def shown_at(path: str, look: Look, collection: str, call: Call) -> Json:
    """What the response to a look shows of the thing at a path, be it a GET of it or of the list of a collection.

    False if the thing is not in the list, None if nothing is shown of it.
    """
    if look.path is not None:
        return None if is_absent(look.path, call) else created_object(call.body)
    found = read_list(look.listing, collection, call) if look.listing is not None else None
    return found.find(last_segment(path)) if found is not None else None


def is_absent(path: str, call: Call) -> bool:
    """Whether a GET of the item at a path shows that nothing is there; where the run made the id up, 403 does, and that
    nothing can have such an ID, and a success with nothing in it."""
    by_status = call.error is None and (call.status in NOT_THERE or call.status in INVALID)
    refused = by_status or is_disguised(call)
    return is_nowhere(path, call) or (refused and is_made_up(last_segment(path)))


def is_nowhere(path: str, call: Call) -> bool:
    """Whether a GET of the item at a path says that nothing is there; where the run made the id up, with no content."""
    return shows_nothing(call) or (is_empty(call) and is_made_up(last_segment(path)))


def is_empty(call: Call) -> bool:
    """Whether a call succeeded and returned nothing: no body, or an empty object, list or text, or null in an
    envelope."""
    return call.ok and (call.body in (None, "", [], {}) or wraps_null(call.body))
