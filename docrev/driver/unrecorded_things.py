"""What lists show at the end of a run and its journal does not know: what carries a name of the run, or came meanwhile.

Nobody knows whether it is the run's own: it is told, and not touched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import unquote

from docrev.calls.listings import Listed
from docrev.calls.path_texts import item_path, last_segment, noun_of
from docrev.conventions.run_names import carries_made_up, is_made_up
from docrev.driver.appearances import Appearances
from docrev.driver.clean_up_account import CleanUpAccount, found_item
from docrev.driver.final_lists import FinalLists

_BESIDE = "it carries a name of the run, which did not make it by itself"
_LONGEST_NAME = 60
"""Characters of a name of the run that are told: some are made long to see what is refused."""
_MOST_TOLD = 20
"""New things of one list that are told one by one: the entries of a log are only counted."""


class UnrecordedThings:
    """`appearances` say what came during the run."""

    def __init__(self, account: CleanUpAccount, lists: FinalLists, appearances: Appearances | None) -> None:
        self._account, self._journal = account, account.journal
        self._lists, self._appearances = lists, appearances

    def tell_carrying(self, tool: str, collection: str, listed: Listed) -> None:
        """Note what carries a name of the run: one by one, unless there are many that nothing removes, as in a log."""
        carrying = [ids for ids, thing in listed.things if carries_made_up([*ids, thing])]
        unknown = [ids for ids in carrying if not self.is_known(tool, collection, ids, anywhere=True)]
        if len(unknown) <= _MOST_TOLD or self._is_removable(tool, item_path(collection, unknown[0][0])):
            for ids in unknown:
                self._tell_of(tool, collection, ids, _BESIDE)
        else:
            reason = f"{len(unknown)} things in this list carry a name of the run, which did not make them by itself"
            self._account.tell_found(tool, f"{collection}/?", reason)

    def _is_removable(self, tool: str, path: str) -> bool:
        return self._account.removal(found_item(tool, path)) is not None

    def tell_what_came(self) -> None:
        """Note what else came during the run, as far as lists show it."""
        lists = {place: listed for place, listed in self._lists.shown.items() if listed is not None}
        own = [item.path for item in self._journal.items if item.confirmed]
        appearances = self._appearances
        came = appearances.among(lists, own) if appearances is not None else {}
        for (tool, collection), found in came.items():
            unknown = self._journal.unknown(tool, collection)
            if unknown and appearances and appearances.misses_nothing((tool, collection), lists[tool, collection]):
                # What nobody knew of is among what is told here, or was never made.
                self._account.put(replace(unknown, deleted=True))
            new = {ids: why for ids, why in found.items() if not self.is_known(tool, collection, ids, anywhere=True)}
            self._tell_each(tool, collection, new)

    def _tell_each(self, tool: str, collection: str, reasons: Mapping[tuple[str, ...], str]) -> None:
        """Note things of one list: one by one, unless there are many, or things without paths."""
        has_paths = self._journal.routes.address(tool, item_path(collection, "1")) is not None
        if has_paths and len(reasons) <= _MOST_TOLD:
            for ids, reason in reasons.items():
                self._tell_of(tool, collection, ids, reason)
        elif reasons:
            things = "one thing" if len(reasons) == 1 else f"{len(reasons)} things"
            self._account.tell_found(tool, f"{collection}/?", f"{things} in this list came during the run")

    def _tell_of(self, tool: str, collection: str, ids: tuple[str, ...], reason: str) -> None:
        """Note something that the journal does not know."""
        if not self.is_known(tool, collection, ids, anywhere=reason is _BESIDE):
            self._account.tell_found(tool, item_path(collection, ids[0]), reason)

    def tell_within(self) -> None:
        """Note the names of the run in what there is one of, or in things without IDs, unless their thing is told."""
        for (tool, path), names in self._lists.within.items():
            told = self._left_near(tool, path)
            if untold := [name for name in names if name not in told]:
                sender = self._appearances.sent_first(untold[0]) if self._appearances is not None else None
                more = f" and {len(untold) - 1} more" if len(untold) > 1 else ""
                sent = f"; {sender} was sent it first" if sender is not None else ""
                self._account.tell_found(tool, path, f"it has {untold[0][:_LONGEST_NAME]}{more} by now{sent}")

    def _left_near(self, tool: str, path: str) -> str:
        """The paths of what is told to be left: of the run's own things, and of all that lies below a path."""
        left = (item for item in self._journal.items if item.tool == tool and not item.deleted)
        return " ".join(unquote(item.path) for item in left if item.confirmed or item.path.startswith(f"{path}/"))

    def is_known(self, tool: str, collection: str, ids: tuple[str, ...], *, anywhere: bool) -> bool:
        """Whether the journal has a thing at a path that it may have or, `anywhere`, under what it is called."""
        items = [item for item in self._journal.items if item.tool == tool and (item.confirmed or not item.deleted)]
        paths = {item.path for item in items}
        # The same thing may be listed under two paths.
        there = [item for item in items if not item.deleted] if anywhere else []
        elsewhere = {_name(item.path, of_run=item.confirmed) for item in there}
        place = item_path(collection, ids[0])
        called = {_name(place, of_run=True), _name(place, of_run=False)}
        return not called.isdisjoint(elsewhere) or any(item_path(collection, id) in paths for id in ids)


def _name(path: str, *, of_run: bool) -> tuple[str, str]:
    """What a thing is called wherever it is listed: its kind and its id, or an id alone that no other kind has.

    A name of the run that is not its own thing's may be a word of several vocabularies.
    """
    collection, id = path.rpartition("/")[0], last_segment(path)
    is_word = not of_run and is_made_up(unquote(id))
    return noun_of(collection) if id.isdecimal() or is_word else "", id
