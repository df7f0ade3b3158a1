"""How a creation was answered, and what the looks beside the answer leave open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrev.calls.absences import shows_all
from docrev.calls.created_items import new_things
from docrev.calls.creation_texts import carries_sent
from docrev.calls.creations import Creation
from docrev.calls.inner_lists import inner_list
from docrev.calls.looks import LookPair
from docrev.calls.path_texts import last_segment, plain
from docrev.conventions.envelopes import says_error
from docrev.conventions.ids import created_object, own_id
from docrev.conventions.lists import ListFound, find_lists, list_of, lists_of
from docrev.conventions.statuses import is_client_error, is_success
from docrev.records import Arguments, Call, Json
from docrev.spec.bulk_paths import one_of

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


@dataclass(frozen=True, slots=True)
class CreationAnswer:
    """The part of a call that the journal reads; a carried request of a batch has one too.

    `source` is the call that it is the whole answer of.
    """

    operation: Operation
    arguments: Arguments
    call: str
    status: int
    headers: Mapping[str, str]
    body: Json
    source: Call | None = None

    @property
    def lists(self) -> list[ListFound]:
        """All lists that it is about."""
        path = self.operation.route.path
        if self.source is not None and self.source.key.path == path:
            return lists_of(self.source)
        return find_lists(self.body, path)

    @property
    def thing(self) -> Json:
        """What it is about: of a creation, what it says of the thing that was made."""
        return created_object(one_of(self.operation, self.body))

    @property
    def ok(self) -> bool:
        return is_success(self.status) and not says_error(self.body)

    @property
    def refused(self) -> bool:
        """Whether it says that nothing was done: by its status, or in a body with the status of success."""
        return is_client_error(self.status) or (is_success(self.status) and says_error(self.body))

    @property
    def failed(self) -> bool:
        """Whether nobody answered, or the server failed: the request may have been performed all the same."""
        return self.status == 0 or self.status >= 500


def answer_in(call: Call, operation: Operation, arguments: Arguments) -> CreationAnswer:
    """The answer that a call is; its status is 0 if nobody answered. `arguments` are those that were sent."""
    return CreationAnswer(operation, arguments, call.id, call.status or 0, call.headers, call.body, call)


def shown_by(creation: Creation, answer: CreationAnswer) -> Json:
    """What an answer shows of what was made: the object in it, if that carries what was sent; else None."""
    thing = answer.thing if answer.ok else None
    if thing is None or _is_parent(creation, answer):
        return None
    return thing if carries_sent(creation.sent, thing) else None


def _is_parent(creation: Creation, answer: CreationAnswer) -> bool:
    """Whether an answer shows the run's own thing that a creation adds to, with the list of what is in it."""
    id = own_id(answer.thing, creation.parameter, creation.noun)
    is_above = creation.inside != "" and (id is None or plain(id) == last_segment(creation.inside))
    return is_above and bool(inner_list(answer.body, creation.collection))


def show_sent(creation: Creation, looks: Sequence[LookPair], named: Sequence[str]) -> bool:
    """Whether a list shows what a creation sent on another thing than one that came new, at a path that is `named`.

    What the answer names may be that other thing.
    """
    for look, before, now in looks:
        if look.path is None and now.ok:
            found = list_of(now)
            new = [thing for id, thing in new_things(creation, before, now) if creation.place(id) in named]
            others = (thing for thing in (found.things if found is not None else [now.body]) if thing not in new)
            if any(carries_sent(creation.sent, thing) for thing in others):
                return True
    return False


def may_hide(looks: Sequence[LookPair], answer: CreationAnswer) -> bool:
    """Whether a creation that failed, or that nobody answered, may have made what a look at one page cannot show."""
    return answer.failed and any(look.path is None and now.ok and not shows_all(look, now) for look, _, now in looks)


def may_have_created(status: int) -> bool:
    """Whether a request may have been performed: it was not refused, nor is it to be sent again elsewhere."""
    return not is_client_error(status) and status not in (301, 307, 308)
