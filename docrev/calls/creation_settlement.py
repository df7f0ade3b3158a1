"""What the looks around a creation and its answer settle: what it made, what it may have made, and what it did not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from docrev.calls.broken_lists import made_unseen
from docrev.calls.bystanders import disturbs
from docrev.calls.created_items import CreatedItems, addresses, created_items
from docrev.calls.creation_answers import CreationAnswer, may_have_created, may_hide, show_sent, shown_by
from docrev.calls.creation_texts import carries, carries_sent, repeats, sent_names
from docrev.calls.creations import Creation
from docrev.calls.effects import Effects
from docrev.calls.inner_references import without_references
from docrev.calls.journal_items import JournalItems
from docrev.calls.late_items import LateItems
from docrev.calls.looks import Look, LookPair, shown_at
from docrev.calls.path_texts import last_segment, plain
from docrev.calls.readings import Readings
from docrev.calls.routes import only_path
from docrev.calls.seen_things import SeenThings
from docrev.conventions.ids import drawn_id, is_id, own_id
from docrev.conventions.run_names import carries_made_up, is_made_up
from docrev.records import Call, JournalItem, Json, OperationKey

if TYPE_CHECKING:
    from docrev.spec.operation import Operation
UNCERTAIN = "it is not certain what this run made"
UNSHOWN = "its creation failed, and no list shows whether it was performed all the same"


class CreationSettlement:
    """Notes in the journal what came of each creation, and keeps what one of them says of the next.

    `named_by`: the collections whose items have IDs that are made of their names. `sent`: the body that each of the
    run's own things was made with, by tool and path.
    """

    def __init__(self, items: JournalItems, effects: Effects, readings: Readings, things: SeenThings) -> None:
        self._items, self._routes = items, items.routes
        self._effects, self._readings, self._things = effects, readings, things
        self.named_by: set[tuple[str, tuple[str, ...]]] = set()
        self.sent: dict[tuple[str, str], Json] = {}
        # The names that the run made up in what it sent, by (tool, path) as well.
        self._names: dict[tuple[str, str], set[str]] = {}
        self.late = LateItems(items, things)
        self._perhaps_put: set[tuple[str, str]] = set()
        # By creating operation: the member by which its items are addressed; the first one that nothing lists.
        self._addresses: dict[OperationKey, str] = {}
        self._unlisted: dict[OperationKey, tuple[Creation, str]] = {}

    def open_paths(self, creation: Creation, looks: Sequence[LookPair], answer: CreationAnswer) -> list[str]:
        """The paths to be looked at before it is settled what a creation made, and under which path."""
        key = creation.operation.key
        found = created_items(creation, looks, answered=shown_by(creation, answer))
        if found.own:
            return list(addresses(creation, looks).values()) if key not in self._addresses else []
        path = None if found.doubtful else self.named_item(creation, answer)
        earlier = [self._unlisted[key][1]] if self.pending(creation.operation) else []
        return [] if path is None else [path, *earlier]

    def _learn_address(self, creation: Creation, looks: Sequence[LookPair], named: Sequence[tuple[str, Call]]) -> None:
        """Note the member by which items are addressed: the one under whose path the new item answers."""
        there = {path: call.body for path, call in named if call.ok}
        if not there or creation.operation.key in self._addresses:
            return
        paths = addresses(creation, looks).items()
        # What a member refers to may be another thing of the same kind, which is somebody's.
        members = [
            member
            for member, path in paths
            if path in there and (member in ("", "id") or carries_sent(creation.sent, there[path]))
        ]
        if members:
            self._addresses[creation.operation.key] = members[0]

    def _told_apart(self, creation: Creation, found: CreatedItems, named: Sequence[tuple[str, Call]]) -> CreatedItems:
        """What is new in a collection of which no list shows it: nothing can show that an id was free before.

        A list may show a page, or the things of another scope. But two creations that came to two items, which no look
        had shown and each of which still carries what was sent for it, did not both change something that was there:
        then they are the run's own. `found` is what the looks show, where the items show nothing.
        """
        key = creation.operation.key
        carrying = [path for path, call in named if carries_sent(creation.sent, call.body)]
        earlier = self._unlisted.get(key)
        if earlier is not None and not self.pending(creation.operation):
            fresh = self._fresh_names(creation)
            # What was sent beside a name of its own may have been ignored: `status` is often the service's to say.
            return CreatedItems(
                tuple(path for path, call in named if repeats(creation.sent, call.body) or carries(fresh, call.body))
            )
        if not carrying:
            return found
        if earlier is not None:
            return _two_items(*earlier, carrying[0], named)
        if self._is_removable(creation):
            self._unlisted[key] = creation, carrying[0]
        return CreatedItems(doubtful=(carrying[0],), shown=False)

    def _fresh_names(self, creation: Creation) -> set[str]:
        """The names that the run made up for a creation alone: no other thing of its own is called so, or got them."""
        things = {last_segment(item.path) for item in self._items.items}
        return sent_names(creation.sent).difference(things, *self._names.values())

    def pending(self, operation: Operation) -> bool:
        """Whether a second creation would show that the first one is the run's own: no list shows what it makes."""
        found = self._unlisted.get(operation.key)
        # What was deleted since then was the run's own, too.
        return found is not None and not self._items.was_created(operation.tool, found[1])

    def settle(
        self,
        creation: Creation,
        looks: Sequence[LookPair],
        answer: CreationAnswer,
        named: Sequence[tuple[str, Call]] = (),
        before: Sequence[tuple[Look, Call]] = (),
    ) -> list[JournalItem]:
        """Take in what the looks before and after a creation show; the items that are new or changed come back.

        `named` are the `open_paths`, with a look at each; `before` the looks before it: after a refusal there are none.
        """
        self._learn_address(creation, looks, named)
        found = self._created(creation, looks, named, answer)
        items = self._owned(creation, found, answer.call)
        if creation.path is not None and not answer.refused:
            self._perhaps_put.add((creation.operation.tool, creation.path))
        if creation.path is None and not found.own and not self._readings.changed(creation.operation.key):
            self.late.expect(creation, before, answer)
        if answer.refused and not found.own:
            return self._refused((creation.operation.tool, creation.path or ""))
        if not found.own and may_hide(looks, answer):
            items += self._hidden(creation, answer.call)
        doubtful = found.doubtful or self._supposed(creation, looks, answer, found, named)
        named_path = self.named_item(creation, answer)
        hint = f"the response named {named_path}" if named_path else _sent_name(creation)
        return items + self.doubted(creation.operation, doubtful, answer.call, hint)

    def _created(
        self,
        creation: Creation,
        looks: Sequence[LookPair],
        named: Sequence[tuple[str, Call]],
        answer: CreationAnswer,
    ) -> CreatedItems:
        """What looks show that a creation made."""
        member, shown = self._addresses.get(creation.operation.key, ""), shown_by(creation, answer)
        found = created_items(creation, looks, named, member, shown)
        found = without_references(creation, looks, found, self._items, self._things)
        if disturbs(creation.operation.tool, creation.collection, looks, self._items.made):
            self._readings.note_change(creation.operation.key)
            # Something may have come in the place of what is gone.
            return replace(found, shown=False)
        if not found.own and (path := made_unseen(creation, looks, answer, self.named_item(creation, answer), named)):
            return CreatedItems((path,), shown=False)
        if not found.own and not found.doubtful and not show_sent(creation, looks, [path for path, _ in named]):
            return self._told_apart(creation, found, named)
        return found

    def _owned(self, creation: Creation, found: CreatedItems, call: str) -> list[JournalItem]:
        """Note what a creation certainly made, and what that says of the next one."""
        operation, tool = creation.operation, creation.operation.tool
        for name in self._routes.scoping(operation) if found.own and isinstance(creation.sent, dict) else ():
            if is_id(value := creation.sent.get(name)):
                self._routes.scopes.setdefault((tool, name), value)
        if creation.path is None and any(is_made_up(last_segment(path)) for path in found.own):
            self.named_by.add((tool, self._routes.path(operation.key).literals))
        if found.own and not self._is_removable(creation):
            self._items.accept(operation.key)
        made = [path for path in found.own if not self._items.made(tool, path)]
        places = [(tool, path) for path in made]
        self.sent.update(dict.fromkeys(places, creation.sent))
        self._names.update(dict.fromkeys(places, sent_names(creation.sent)))
        return [self._items.record(tool, path, call) for path in made]

    def _hidden(self, creation: Creation, call: str) -> list[JournalItem]:
        """Note that something may be in a collection whose list shows a page alone, though its creation failed.

        What has no name of the run could not be told from what others made, and what cannot be removed is enough once:
        then the operation is not called again.
        """
        tool, path = creation.operation.tool, f"{creation.collection}/?"
        named = carries_made_up(creation.sent)
        if not named or not self._is_removable(creation):
            self._items.accept(creation.operation.key)
        if creation.path is not None or (named and self._items.at(tool, path) is not None):
            return []
        return [self._items.record(tool, path, call, confirmed=False, reason=UNSHOWN if named else "")]

    def _is_removable(self, creation: Creation) -> bool:
        """Whether what a creation makes can be removed again: alone, or with what it lies in."""
        removable = self._effects.of(creation.operation).removable
        return removable or self._items.below_own(creation.operation, creation.arguments)

    def _supposed(
        self,
        creation: Creation,
        looks: Sequence[LookPair],
        answer: CreationAnswer,
        found: CreatedItems,
        named: Sequence[tuple[str, Call]],
    ) -> list[str]:
        """What an accepted creation may have made though no look shows it: what the answer names and what carries a
        value of the creation there or in the answer, or anything. Nothing, if the answer names what was there before.
        """
        if found.own or creation.path is not None or not may_have_created(answer.status):
            return []
        shown = {path: call.body for path, call in named}
        if (path := self.named_item(creation, answer)) is not None:
            # What no GET shows, the answer alone may show.
            shown.setdefault(path, answer.thing)
        carrying = [path for path, body in shown.items() if carries_sent(creation.sent, body)]
        if carrying:
            return carrying[:1]
        copies = self._effects.copied(creation.operation) is not None
        none = self._shows_source(creation, looks) if copies else found.shown and self._made_nothing(creation, answer)
        return [] if none else [f"{creation.collection}/?"]

    def _shows_source(self, creation: Creation, looks: Sequence[LookPair]) -> bool:
        """Whether a list shows what was copied, so that it would show the copy too."""
        source = self._routes.path(creation.operation.key).item(creation.arguments) or ""
        return any(shown_at(source, look, creation.collection, after) for look, _, after in looks if look.path is None)

    def _made_nothing(self, creation: Creation, answer: CreationAnswer) -> bool:
        """Whether an answer agrees with looks that show nothing new: it failed, or names what was there before.

        What the run itself made before may be named with any status, or by what was sent: then it was changed.
        """
        paths = self._named_paths(creation, answer) or [creation.place(text) for text in sent_names(creation.sent)]
        if answer.failed or any(self._items.made(creation.operation.tool, path) for path in paths):
            return True
        existing = any(self._things.saw(creation.operation.tool, path) for path in paths)
        return existing and answer.status not in (201, 202)

    def named_item(self, creation: Creation, answer: CreationAnswer) -> str | None:
        """The path of what an answer to a creation names, by its `Location` or by an id, if it was not seen before."""
        paths = self._named_paths(creation, answer)
        return next((path for path in paths if not self._things.saw(answer.operation.tool, path)), None)

    def _named_paths(self, creation: Creation, answer: CreationAnswer) -> list[str]:
        value = drawn_id(answer.thing) or own_id(answer.thing, creation.parameter, creation.noun)
        parents = {plain(given) for given in only_path(creation.arguments).values()}
        path = None if value is None or plain(value) in parents else creation.place(value)
        return [path for path in (self._items.located(answer), path) if path is not None]

    def doubted(self, operation: Operation, paths: Iterable[str], call: str, hint: str = "") -> list[JournalItem]:
        """Note what a call may have made, of which nobody knows whose it is: the operation is not called again.

        `hint` helps a person who looks for it: the path that the response names, or the name that was sent.
        """
        items = []
        for path in paths:
            if self._items.at(operation.tool, path) is None and not self._things.saw(operation.tool, path):
                reason = f"{UNCERTAIN}; {hint}" if hint and path.endswith("/?") else ""
                items.append(self._items.record(operation.tool, path, call, confirmed=False, reason=reason))
                if not self.pending(operation):
                    self._items.accept(operation.key)
        return items

    def _refused(self, place: tuple[str, str]) -> list[JournalItem]:
        """A PUT that was refused has put nothing where it was to."""
        item = self._items.at(*place)
        unborn = item is not None and not item.confirmed and not item.deleted and place not in self._perhaps_put
        return [self._items.mark_deleted(place)] if unborn else []


def _sent_name(creation: Creation) -> str:
    """What a creation called what it may have made, in words; "" if that was no name of the run."""
    names = (f"the request called it {value}" for _, value in creation.names if is_made_up(value))
    return next(names, "")


def _two_items(first: Creation, path: str, other: str, named: Sequence[tuple[str, Call]]) -> CreatedItems:
    """The items of two creations that no list shows, if they are two, and the `first` still has at its `path` what was
    sent."""
    kept = any(at == path and carries_sent(first.sent, call.body) for at, call in named)
    return CreatedItems((path, other)) if kept and path != other else CreatedItems(shown=False)
