"""Removing what a run created, and checking that it is gone; what is left is reported with the reason.

Only items that are certainly the run's own are touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from urllib.parse import unquote

from docrev.calls.creation_settlement import UNCERTAIN, UNSHOWN
from docrev.calls.executor import Executor
from docrev.calls.journal_items import WITH_PARENT
from docrev.calls.kept_things import is_still_own
from docrev.calls.listings import Listed, first_page
from docrev.calls.looks import is_nowhere
from docrev.calls.path_texts import item_path, last_segment, noun_of
from docrev.conventions.ids import created_object, own_id
from docrev.conventions.lists import find_list
from docrev.conventions.run_names import carries_made_up, is_made_up
from docrev.driver.appearances import Appearances
from docrev.driver.clean_up_needs import lists_at_the_top
from docrev.driver.final_lists import FinalLists, Place
from docrev.driver.survivors import end_of, is_marked_deleted
from docrev.driver.trash import for_good, own_in_trash
from docrev.events import Handler, PhaseStarted, ignore
from docrev.prompts.steps import Invoke, Repeat, Steps
from docrev.records import Call, JournalItem, Json, OperationKey

Keep = Callable[[JournalItem], None]

_SPENT = "the budget is spent"
_UNCERTAIN = "it is not certain that this run made it"
_BESIDE = "it carries a name of the run, which did not make it by itself"
_UNSEEN_INSIDE = "it lay in what was removed, and nothing shows whether it went too"
_IN_TRASH = "the run deleted it, and it is kept there"
_TAKEN = "it may be somebody else's by now"
_ROUNDS = 3
"""How often a removal is tried that was refused: what refers to an item may have to go first."""
_LONGEST_NAME = 60
"""Characters of a name of the run that are told: some are made long to see what is refused."""
MOST_TOLD = 20
"""New things of one list that are told one by one: the entries of a log are only counted."""


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
        self._executor, self._keep, self._appearances = executor, keep, appearances
        self._statuses: dict[str, int] = {}
        self._unseen: set[str] = set()
        # The operations that show what lay in things that were removed, and that showed it gone.
        self._went: set[OperationKey] = set()
        # The removing operations after which something was still there, and those after which a GET showed nothing.
        self._broken: set[OperationKey] = set()
        self._proven: set[OperationKey] = set()
        self._lists = FinalLists(executor)
        # The paths of what lies in a trash, and the removing operations that were called on what was still there.
        self._trashed: set[str] = set()
        self._called_twice: set[OperationKey] = set()

    def look_for_late(self) -> Steps[None]:
        """Look once more where a creation showed nothing: what lists show by now, the journal takes in."""
        for tool, collection in self.journal.creations.late.places:
            step = self.journal.listing(tool, collection)
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
                self._put(replace(item, deleted=True))
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
            step = self._removal(item)
            if item.id in self._unseen and step is not None and step.key in self._broken:
                self._unseen.discard(item.id)
                self._tell(item, "it was removed, but so was another one that is still there", step)

    def result(self) -> CleanUp:
        """What came of it."""
        made = (item for item in self.journal.items if item.confirmed and item.id not in self._trashed)
        return CleanUp(sum(1 for _ in made), len(self._unseen))

    # Removing

    def _remove(self, item: JournalItem) -> Steps[bool]:
        """Remove an item, if that is possible and allowed; whether it was refused, and may not be another time."""
        if self._now(item).deleted:
            return False
        step = self._removal(item)
        reason = self._obstacle(item, step)
        if step is None or reason:
            # What may be somebody else's is told without the call that would remove it.
            self._tell(item, reason, None if reason is _UNCERTAIN else step)
            return False
        call: Call = yield step
        if call.error == "denied":
            self._tell(item, f"its removal was not sent: {call.detail}", step)
        elif call.error == "budget":
            self._tell(item, _SPENT, step)
        elif call.status is None:
            self._tell(item, f"its removal got no response: {call.detail or call.error}", step)
        elif self._now(item).deleted:
            self._statuses[item.id] = call.status
        else:
            self._tell(item, f"its removal was answered {call.status}", step)
            return True
        return False

    def _removal(self, item: JournalItem) -> Invoke | None:
        """The call that removes an item; never one that removes more."""
        step = self.journal.removal(item)
        return step if step and self.journal.routes.path(step.key).ends_in_parameter else None

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
        step = self._removal(item)
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
            self._put(replace(item, deleted=False, reason=""))
            yield from self.remove([self._now(item)])
            if self._now(item).deleted:
                yield from self._look_for(self._now(item))
        elif there is not None and _shows_id(there, item.path):
            yield from self._tell_survivor(item, there, None)

    def _tell_if_apart(self, item: JournalItem, look: Invoke | None) -> None:
        """Tell of what no look shows, and what could have been removed by itself, had it been certain whose it is: it
        may be kept outside of what it lay in, too."""
        if look is None and not item.confirmed and self._removal(item) is not None:
            self._tell(item, _UNSEEN_INSIDE, None)

    def _tell_survivor(self, item: JournalItem, there: Json, step: Invoke | None) -> Steps[None]:
        """Tell that an item, or what has its id by now, is still `there` after its removal, unless it goes at last."""
        if step is not None and is_marked_deleted(there) and (yield from self._is_gone_at_last(item, there, step)):
            return
        reason = yield from self._survival(item, there)
        if is_still_own(last_segment(item.path), there):
            self._broken |= {step.key} if step is not None else set()
            self._tell(item, reason, step)
        else:
            # Its id may have been given again: what has it now is not touched by a later clean-up either.
            self._tell(replace(item, confirmed=False), f"{reason}: {_TAKEN}", None)

    def _is_gone_at_last(self, item: JournalItem, there: Json, step: Invoke) -> Steps[bool]:
        """Remove what is marked as deleted once more, for good if that can be said; whether it is gone then.

        The second removal empties the trash in some services. Where it did not, others are not removed again.
        """
        if step.key in self._called_twice or not is_still_own(last_segment(item.path), there):
            return False
        self._put(replace(item, deleted=False, reason=""))
        call: Call = yield for_good(self._executor.catalog[step.key], replace(step, repeat=Repeat.CHECK))
        self._lists.forget(_place(item))
        if call.ok and not (yield from self._is_still_shown(item)):
            self._put(replace(item, deleted=True))
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
            self._tell_carrying(tool, path, listed)
            unknown = self.journal.unknown(tool, path)
            if unknown is not None and unknown.reason == UNSHOWN and listed.whole:
                self._put(replace(unknown, deleted=True))
        # What a refused creation made all the same.
        yield from self.remove(item for item in self.journal.left() if item.confirmed and item.id not in known)
        self._tell_what_came()
        self._tell_within()

    def _empty_trash(self, tool: str, path: str, listed: Listed) -> Steps[None]:
        """Remove what the run deleted and a list of deleted things shows, or tell it."""
        unknown = ((ids, was) for ids, was in own_in_trash(self.journal, tool, path, listed))
        found = [(ids, was) for ids, was in unknown if not self._is_known(tool, path, ids, anywhere=False)]
        items = [self.journal.record(tool, item_path(path, ids[0]), was.call) for ids, was in found]
        self._trashed |= {item.id for item in items}
        if items and self._removal(items[0]) is None:
            for item in items:
                self._tell(replace(item, confirmed=False), _IN_TRASH, None)
            return
        yield from self.remove(items)
        # What is taken out of the trash may have been put back.
        yield from self._look_again([*items, *(was for _, was in found)])

    def _look_again(self, items: Sequence[JournalItem]) -> Steps[None]:
        """Look for items once more, in lists that are read again."""
        for item in items:
            self._lists.forget(_place(item))
        for item in items:
            if self._now(item).deleted:
                yield from self._look_for(self._now(item))

    def _tell_within(self) -> None:
        """Note the names of the run in what there is one of, or in things without IDs, unless their thing is told."""
        for (tool, path), names in self._lists.within.items():
            told = self._left_near(tool, path)
            if untold := [name for name in names if name not in told]:
                sender = self._appearances.sent_first(untold[0]) if self._appearances is not None else None
                more = f" and {len(untold) - 1} more" if len(untold) > 1 else ""
                sent = f"; {sender} was sent it first" if sender is not None else ""
                self._note(tool, path, f"it has {untold[0][:_LONGEST_NAME]}{more} by now{sent}")

    def _left_near(self, tool: str, path: str) -> str:
        """The paths of what is told to be left: of the run's own things, and of all that lies below a path."""
        left = (item for item in self.journal.items if item.tool == tool and not item.deleted)
        return " ".join(unquote(item.path) for item in left if item.confirmed or item.path.startswith(f"{path}/"))

    def _places(self) -> list[tuple[str, str]]:
        """(tool, path) of the lists in which something of the run may be: first those to which it added something."""
        added = (item for item in self.journal.items if not self._lies_in_what_is_gone(item))
        places = (
            ((item.tool, item.path.rpartition("/")[0]) for item in added),
            lists_at_the_top(self.journal, self._executor.policy),
        )
        return list(dict.fromkeys(chain(*places)))

    def _tell_what_came(self) -> None:
        """Note what else came during the run, as far as lists show it."""
        lists = {place: listed for place, listed in self._lists.shown.items() if listed is not None}
        own = [item.path for item in self.journal.items if item.confirmed]
        appearances = self._appearances
        came = appearances.among(lists, own) if appearances is not None else {}
        for (tool, collection), found in came.items():
            unknown = self.journal.unknown(tool, collection)
            if unknown and appearances and appearances.misses_nothing((tool, collection), lists[tool, collection]):
                # What nobody knew of is among what is told here, or was never made.
                self._put(replace(unknown, deleted=True))
            new = {ids: why for ids, why in found.items() if not self._is_known(tool, collection, ids, anywhere=True)}
            self._tell_each(tool, collection, new)

    def _tell_carrying(self, tool: str, collection: str, listed: Listed) -> None:
        """Note what carries a name of the run: one by one, unless there are many that nothing removes, as in a log."""
        carrying = [ids for ids, thing in listed.things if carries_made_up([*ids, thing])]
        unknown = [ids for ids in carrying if not self._is_known(tool, collection, ids, anywhere=True)]
        if len(unknown) <= MOST_TOLD or self._removal(_found(tool, item_path(collection, unknown[0][0]))) is not None:
            for ids in unknown:
                self._tell_of(tool, collection, ids, _BESIDE)
        else:
            reason = f"{len(unknown)} things in this list carry a name of the run, which did not make them by itself"
            self._note(tool, f"{collection}/?", reason)

    def _tell_each(self, tool: str, collection: str, reasons: Mapping[tuple[str, ...], str]) -> None:
        """Note things of one list: one by one, unless there are many, or things without paths."""
        has_paths = self.journal.routes.address(tool, item_path(collection, "1")) is not None
        if has_paths and len(reasons) <= MOST_TOLD:
            for ids, reason in reasons.items():
                self._tell_of(tool, collection, ids, reason)
        elif reasons:
            things = "one thing" if len(reasons) == 1 else f"{len(reasons)} things"
            self._note(tool, f"{collection}/?", f"{things} in this list came during the run")

    def _tell_of(self, tool: str, collection: str, ids: tuple[str, ...], reason: str) -> None:
        """Note something that the journal does not know."""
        if not self._is_known(tool, collection, ids, anywhere=reason is _BESIDE):
            self._note(tool, item_path(collection, ids[0]), reason)

    def _note(self, tool: str, path: str, reason: str) -> None:
        """Note that something is there which is not certainly the run's own."""
        item = _found(tool, path)
        self._tell(item, reason, self._removal(item))

    def _is_known(self, tool: str, collection: str, ids: tuple[str, ...], *, anywhere: bool) -> bool:
        """Whether the journal has a thing at a path that it may have or, `anywhere`, under what it is called."""
        items = [item for item in self.journal.items if item.tool == tool and (item.confirmed or not item.deleted)]
        paths = {item.path for item in items}
        # The same thing may be listed under two paths.
        there = [item for item in items if not item.deleted] if anywhere else []
        elsewhere = {_name(item.path, of_run=item.confirmed) for item in there}
        place = item_path(collection, ids[0])
        called = {_name(place, of_run=True), _name(place, of_run=False)}
        return not called.isdisjoint(elsewhere) or any(item_path(collection, id) in paths for id in ids)

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

    # The journal

    def _by_state(self, *, deleted: bool) -> Iterator[JournalItem]:
        return (item for item in self.journal.items if item.deleted == deleted)

    def _now(self, item: JournalItem) -> JournalItem:
        return next(now for now in self.journal.items if now.id == item.id)

    def _tell(self, item: JournalItem, reason: str, step: Invoke | None) -> None:
        """Note that an item is still there, and why."""
        url = self._executor.redactor.text(self._executor.build(step).url) if step else None
        self._put(replace(item, deleted=False, reason=reason, removal=f"DELETE {url}" if url else None))

    def _put(self, item: JournalItem) -> None:
        self.journal.correct(item)
        self._keep(item)


def _place(item: JournalItem) -> Place:
    """Where an item is listed."""
    return item.tool, item.path.rpartition("/")[0]


def _found(tool: str, path: str) -> JournalItem:
    """Something that is there and not certainly the run's own."""
    return JournalItem(f"{tool} {path}", tool, path, {}, "", confirmed=False)


def _name(path: str, *, of_run: bool) -> tuple[str, str]:
    """What a thing is called wherever it is listed: its kind and its id, or an id alone that no other kind has.

    A name of the run that is not its own thing's may be a word of several vocabularies.
    """
    collection, id = path.rpartition("/")[0], last_segment(path)
    is_word = not of_run and is_made_up(unquote(id))
    return noun_of(collection) if id.isdecimal() or is_word else "", id


def _is_empty(body: Json) -> bool:
    """Whether a body shows no thing: an empty object, or a list without items in one that has no id."""
    found = find_list(body)
    return body == {} or (found is not None and not found.items and own_id(created_object(body), "id") is None)


def _shows_id(body: Json, path: str) -> bool:
    """Whether what a GET shows has the id that a path ends in: some APIs show a default for whatever is not there."""
    collection, id = path.rpartition("/")[0], last_segment(path)
    return str(own_id(created_object(body), "id", noun_of(collection))) == id
