"""Removing what a run created, and checking that it is gone; what is left is reported with the reason.

Only items that are certainly the run's own are touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from docrev.calls.creation_settlement import UNCERTAIN, UNSHOWN
from docrev.calls.executor import Executor
from docrev.calls.journal_items import WITH_PARENT
from docrev.calls.kept_things import is_still_own
from docrev.calls.listings import Listed, first_page
from docrev.calls.looks import is_nowhere
from docrev.calls.path_texts import item_path, last_segment, noun_of
from docrev.conventions.envelopes import wraps_null
from docrev.conventions.ids import created_object, own_id
from docrev.conventions.lists import find_list
from docrev.driver.appearances import Appearances
from docrev.driver.clean_up_account import CleanUpAccount, Keep
from docrev.driver.clean_up_needs import lists_at_the_top
from docrev.driver.final_lists import FinalLists, Place
from docrev.driver.survivors import end_of, is_marked_deleted
from docrev.driver.trash import for_good, own_in_trash
from docrev.driver.unrecorded_things import UnrecordedThings
from docrev.events import Handler, PhaseStarted, ignore
from docrev.prompts.steps import Invoke, Repeat, Steps
from docrev.records import Call, JournalItem, Json, OperationKey

_SPENT = "the budget is spent"
_UNCERTAIN = "it is not certain that this run made it"
_UNSEEN_INSIDE = "it lay in what was removed, and nothing shows whether it went too"
_IN_TRASH = "the run deleted it, and it is kept there"
_TAKEN = "it may be somebody else's by now"
_ROUNDS = 3
"""How often a removal is tried that was refused: what refers to an item may have to go first."""


@dataclass(frozen=True, slots=True)
class CleanUp:
    """What came of removing: how many items the run created, and how many of those removed could not be looked for,
    since the API shows neither them nor their list, or the budget is spent.
    """

    created: int = 0
    unseen: int = 0


def _forget(item: JournalItem) -> None:
    """For callers that keep no evidence."""


def clean_up(
    executor: Executor, emit: Handler = ignore, keep: Keep = _forget, appearances: Appearances | None = None
) -> Steps[CleanUp]:
    """Remove what is still in the journal, the children first, and look for all that the run created and removed.

    `keep` gets each item whose state that changes; `appearances` say what else came during the run.
    """
    cleaning = _Cleaning(executor, keep, appearances)
    yield from cleaning.look_for_late()
    items = cleaning.journal.left()
    if items:
        emit(PhaseStarted("clean-up", len(items)))
    yield from cleaning.remove(items)
    yield from cleaning.look()
    return cleaning.result()


class _Cleaning:
    def __init__(self, executor: Executor, keep: Keep, appearances: Appearances | None) -> None:
        self.journal = executor.journal
        self._executor = executor
        self._account = CleanUpAccount(executor, keep)
        self._statuses: dict[str, int] = {}
        self._unseen: set[str] = set()
        # The operations that show what lay in things that were removed, and that showed it gone.
        self._went: set[OperationKey] = set()
        # The removing operations after which something was still there, and those after which a GET showed nothing.
        self._broken: set[OperationKey] = set()
        self._proven: set[OperationKey] = set()
        self._lists = FinalLists(executor)
        self._others = UnrecordedThings(self._account, self._lists, appearances)
        # The paths of what lies in a trash, and the removing operations that were called on what was still there.
        self._trashed: set[str] = set()
        self._called_twice: set[OperationKey] = set()

    def look_for_late(self) -> Steps[None]:
        """Look once more where a creation showed nothing: what lists show by now, the journal takes in."""
        for tool, collection in self.journal.creations.late.places:
            step = self.journal.collections.listing(tool, collection)
            for look in first_page(self._executor.catalog[step.key], step) if step is not None else ():
                call: Call = yield replace(look, purpose="clean-up", repeat=Repeat.LATE)
                if call.ok:
                    break

    def remove(self, items: Iterable[JournalItem]) -> Steps[None]:
        """Remove items in this order; once more those that were refused, as long as others could be removed."""
        waiting = list(items)
        for _ in range(_ROUNDS):
            refused = []
            for item in waiting:
                if (yield from self._remove(item)):
                    refused.append(item)
            if len(refused) == len(waiting):
                return
            waiting = refused

    def look(self) -> Steps[None]:
        """Look whether all that was removed is gone, and whether what may be the run's own is there at all."""
        for item in list(self._by_state(deleted=False)):
            if not item.confirmed and (yield from self._is_there(item)) is False:
                self._account.put(replace(item, deleted=True))
        for item in list(self._by_state(deleted=True)):
            if item.confirmed and not self._lies_in_what_is_gone(item):
                yield from self._look_for(item)
            elif item.reason == WITH_PARENT and not item.path.endswith("/?"):
                yield from self._look_inside(item)
        self._doubt_unseen()
        if self.journal.items:
            yield from self._look_for_others()

    def _doubt_unseen(self) -> None:
        """Tell what no look could show, and what an operation removed that left something else there."""
        for item in list(self._by_state(deleted=True)):
            step = self._account.removal(item)
            if item.id in self._unseen and step is not None and step.key in self._broken:
                self._unseen.discard(item.id)
                self._account.tell(item, "it was removed, but so was another one that is still there", step)

    def result(self) -> CleanUp:
        """What came of it."""
        made = (item for item in self.journal.items if item.confirmed and item.id not in self._trashed)
        return CleanUp(sum(1 for _ in made), len(self._unseen))

    # Removing

    def _remove(self, item: JournalItem) -> Steps[bool]:
        """Remove an item, if that is possible and allowed; whether it was refused, and may not be another time."""
        if self._account.now(item).deleted:
            return False
        step = self._account.removal(item)
        reason = self._obstacle(item, step)
        if step is None or reason:
            # What may be somebody else's is told without the call that would remove it.
            self._account.tell(item, reason, None if reason is _UNCERTAIN else step)
            return False
        call: Call = yield step
        if call.error == "denied":
            self._account.tell(item, f"its removal was not sent: {call.detail}", step)
        elif call.error == "budget":
            self._account.tell(item, _SPENT, step)
        elif call.status is None:
            self._account.tell(item, f"its removal got no response: {call.detail or call.error}", step)
        elif self._account.now(item).deleted:
            self._statuses[item.id] = call.status
        else:
            self._account.tell(item, f"its removal was answered {call.status}", step)
            return True
        return False

    def _obstacle(self, item: JournalItem, step: Invoke | None) -> str:
        """Why the removal of an item is not tried; "" if it is."""
        if not item.confirmed:
            return item.reason or (UNCERTAIN if item.path.endswith("/?") else _UNCERTAIN)
        if step is None:
            return "the API has no operation that removes it"
        denial = self._executor.policy.permits(self._executor.catalog[step.key])
        return denial.partition(";")[0] if denial else ""

    # Looking

    def _look_for(self, item: JournalItem) -> Steps[None]:
        """Look whether an item that was removed is gone: in its list, which is read once, and by a GET of it.

        That is not needed if a list does not show it, once a GET agreed with that after the same operation.
        """
        step = self._account.removal(item)
        listed = yield from self._lists.at(_place(item))
        there = None if listed is None else listed.find(last_segment(item.path))
        if there is None or (there is False and not self._is_proven(item, step)):
            shown = yield from self._is_shown(item, listed, there)
            there = self._judged(step, shown, there)
        if there is False:
            there = yield from self._is_kept(item)
        if there is None:
            self._unseen.add(item.id)
        elif there is not False:
            yield from self._tell_survivor(item, there, step)

    def _judged(self, step: Invoke | None, shown: Json, listed: Json) -> Json:
        """What holds of an item by what a GET and its list show: where others survived, a list alone shows nothing."""
        if step is not None and shown is False:
            self._proven.add(step.key)
        is_doubtful = step is not None and step.key in self._broken
        return (None if is_doubtful else listed) if shown is None else shown

    def _is_shown(self, item: JournalItem, listed: Listed | None, there: Json) -> Steps[Json]:
        """The same as `_is_there`, but False for what a GET shows in place of an item that its list shows as `there`:
        nothing, an empty list, or what it shows for any ID."""
        shown = yield from self._is_there(item)
        is_empty = there is False and _is_empty(shown)
        is_other = listed is not None and listed.shows_for_any_id(created_object(shown))
        return False if is_empty or is_other else shown

    def _look_inside(self, item: JournalItem) -> Steps[None]:
        """Look whether what lay in a thing that was removed went with it, and remove it if it did not.

        One of a kind that went is enough to show that the others did.
        """
        look = self.journal.routes.get(item.tool, item.path)
        if look is None or look.key in self._went:
            self._tell_if_apart(item, look)
            return
        there = yield from self._is_there(item)
        if there is False:
            self._went.add(look.key)
        elif item.confirmed and there is not None and is_still_own(last_segment(item.path), there):
            self._account.put(replace(item, deleted=False, reason=""))
            yield from self.remove([self._account.now(item)])
            if self._account.now(item).deleted:
                yield from self._look_for(self._account.now(item))
        elif there is not None and _shows_id(there, item.path):
            yield from self._tell_survivor(item, there, None)

    def _tell_if_apart(self, item: JournalItem, look: Invoke | None) -> None:
        """Tell of what no look shows, and what could have been removed by itself, had it been certain whose it is: it
        may be kept outside of what it lay in, too."""
        if look is None and not item.confirmed and self._account.removal(item) is not None:
            self._account.tell(item, _UNSEEN_INSIDE, None)

    def _tell_survivor(self, item: JournalItem, there: Json, step: Invoke | None) -> Steps[None]:
        """Tell that an item, or what has its id by now, is still `there` after its removal, unless it goes at last."""
        if step is not None and is_marked_deleted(there) and (yield from self._is_gone_at_last(item, there, step)):
            return
        reason = yield from self._survival(item, there)
        if is_still_own(last_segment(item.path), there):
            self._broken |= {step.key} if step is not None else set()
            self._account.tell(item, reason, step)
        else:
            # Its id may have been given again: what has it now is not touched by a later clean-up either.
            self._account.tell(replace(item, confirmed=False), f"{reason}: {_TAKEN}", None)

    def _is_gone_at_last(self, item: JournalItem, there: Json, step: Invoke) -> Steps[bool]:
        """Remove what is marked as deleted once more, for good if that can be said; whether it is gone then.

        The second removal empties the trash in some services. Where it did not, others are not removed again.
        """
        if step.key in self._called_twice or not is_still_own(last_segment(item.path), there):
            return False
        self._account.put(replace(item, deleted=False, reason=""))
        call: Call = yield for_good(self._executor.catalog[step.key], replace(step, repeat=Repeat.CHECK))
        self._lists.forget(_place(item))
        if call.ok and not (yield from self._is_still_shown(item)):
            self._account.put(replace(item, deleted=True))
            return True
        self._called_twice.add(step.key)
        return False

    def _is_still_shown(self, item: JournalItem) -> Steps[bool]:
        """Whether an item may still be there after its last removal."""
        there = yield from self._is_there(item)
        if there is None:
            listed = yield from self._lists.at(_place(item))
            there = None if listed is None else listed.find(last_segment(item.path))
        return there is not False or bool((yield from self._is_kept(item)))

    def _is_kept(self, item: JournalItem) -> Steps[Json]:
        """What a list that is asked for what was deleted shows of an item; False if it shows nothing of it."""
        listed = yield from self._lists.with_deleted(_place(item))
        thing = listed.find(last_segment(item.path)) if listed is not None else False
        # What says that it was deleted was not given the ID again.
        is_same = bool(thing) and (is_still_own(last_segment(item.path), thing) or bool(end_of(thing)))
        return thing if is_same else False

    def _is_proven(self, item: JournalItem, step: Invoke | None) -> bool:
        """Whether a list is enough to show that an item is gone: a GET agreed with that after the same operation."""
        return item.id not in self._statuses if step is None else step.key in self._proven

    def _look_for_others(self) -> Steps[None]:
        """Look through lists for what carries a name of the run and is not in the journal: those at the top, and those
        to which the run added something.

        Where nobody knows whether it was there before, it is told, and not touched.
        """
        known = {item.id for item in self.journal.items}
        for tool, path in self._places():
            if (listed := (yield from self._lists.at((tool, path)))) is None:
                continue
            yield from self._empty_trash(tool, path, listed)
            self._others.tell_carrying(tool, path, listed)
            unknown = self.journal.unknown(tool, path)
            if unknown is not None and unknown.reason == UNSHOWN and listed.whole:
                self._account.put(replace(unknown, deleted=True))
        # What a refused creation made all the same.
        yield from self.remove(item for item in self.journal.left() if item.confirmed and item.id not in known)
        self._others.tell_what_came()
        self._others.tell_within()

    def _empty_trash(self, tool: str, path: str, listed: Listed) -> Steps[None]:
        """Remove what the run deleted and a list of deleted things shows, or tell it."""
        unknown = ((ids, was) for ids, was in own_in_trash(self.journal, tool, path, listed))
        found = [(ids, was) for ids, was in unknown if not self._others.is_known(tool, path, ids, anywhere=False)]
        items = [self.journal.record(tool, item_path(path, ids[0]), was.call) for ids, was in found]
        self._trashed |= {item.id for item in items}
        if items and self._account.removal(items[0]) is None:
            for item in items:
                self._account.tell(replace(item, confirmed=False), _IN_TRASH, None)
            return
        yield from self.remove(items)
        # What is taken out of the trash may have been put back.
        yield from self._look_again([*items, *(was for _, was in found)])

    def _look_again(self, items: Sequence[JournalItem]) -> Steps[None]:
        """Look for items once more, in lists that are read again."""
        for item in items:
            self._lists.forget(_place(item))
        for item in items:
            if self._account.now(item).deleted:
                yield from self._look_for(self._account.now(item))

    def _places(self) -> list[tuple[str, str]]:
        """(tool, path) of the lists in which something of the run may be: first those to which it added something."""
        added = (item for item in self.journal.items if not self._lies_in_what_is_gone(item))
        places = (
            ((item.tool, item.path.rpartition("/")[0]) for item in added),
            lists_at_the_top(self.journal, self._executor.policy),
        )
        return list(dict.fromkeys(chain(*places)))

    def _is_there(self, item: JournalItem) -> Steps[Json]:
        """The body with which a GET shows an item; False if it shows that it is gone, None if it shows nothing."""
        look = self.journal.routes.get(item.tool, item.path)
        if look is None or not self.journal.routes.path(look.key).ends_in_parameter:
            return None
        call: Call = yield replace(look, purpose="clean-up", repeat=Repeat.CHECK)
        if is_nowhere(item.path, call):
            return False
        return (True if call.body in (None, "") else call.body) if call.ok else None

    def _survival(self, item: JournalItem, thing: Json) -> Steps[str]:
        """Why an item that was removed is still shown as `thing`. What a list does not say, a GET of it may."""
        status = self._statuses.get(item.id)
        removed = f"its removal was answered {status}" if status else item.reason or "it was removed"
        end = end_of(thing) or end_of((yield from self._is_there(item)))
        return f"{removed}, but {end or 'it is there'}"

    def _lies_in_what_is_gone(self, item: JournalItem) -> bool:
        parent = item.parent and next((other for other in self.journal.items if other.id == item.parent), None)
        return bool(parent and parent.deleted)

    def _by_state(self, *, deleted: bool) -> Iterator[JournalItem]:
        return (item for item in self.journal.items if item.deleted == deleted)


def _place(item: JournalItem) -> Place:
    """Where an item is listed."""
    return item.tool, item.path.rpartition("/")[0]


def _is_empty(body: Json) -> bool:
    """Whether a body shows no thing: an empty object, null in an envelope, or a list without items in one that has no
    id."""
    found = find_list(body)
    return (
        body == {}
        or wraps_null(body)
        or (found is not None and not found.items and own_id(created_object(body), "id") is None)
    )


def _shows_id(body: Json, path: str) -> bool:
    """Whether what a GET shows has the id that a path ends in: some APIs show a default for whatever is not there."""
    collection, id = path.rpartition("/")[0], last_segment(path)
    return str(own_id(created_object(body), "id", noun_of(collection))) == id
