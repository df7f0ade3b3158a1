"""What this run created: the only things that it may change or delete."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docrev.calls.account import Accounts
from docrev.calls.bystanders import disturbs
from docrev.calls.creation_answers import CreationAnswer, may_have_created, may_hide, show_sent
from docrev.calls.creations import (
    CreatedItems,
    Creation,
    Look,
    addresses,
    carries_sent,
    created_items,
    repeats,
)
from docrev.calls.effects import Effects, item_operation
from docrev.calls.journal_items import JournalItems
from docrev.calls.listings import read_list
from docrev.calls.moves import Move
from docrev.calls.readings import Readings
from docrev.calls.routes import Path, Routes, above, argument, item_path, last_segment, noun_of, only_path, plain
from docrev.calls.seen_things import Reference, SeenThings, is_unique_id
from docrev.calls.targets import Target, Targets
from docrev.conventions.ids import created_object, identifying_members, is_called, own_id, segment_identifies
from docrev.conventions.lists import ListFound, all_lists, find_list, find_lists, list_of
from docrev.conventions.paging import goes_on
from docrev.conventions.run_names import carries_made_up, is_invented_id, is_made_up
from docrev.conventions.statuses import NOT_FOUND, is_client_error
from docrev.json_values.canonical import canonical
from docrev.language.urls import split_url
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Call, JournalItem, OperationKey
from docrev.spec.procedures import called

if TYPE_CHECKING:
    from docrev.spec.operation import Operation
UNCERTAIN = "it is not certain what this run made"
UNSHOWN = "its creation failed, and no list shows whether it was performed all the same"


class Journal(JournalItems):
    """The items this run created, by the concrete path each has behind its tool's base URL.

    `prefixes` are the paths of the base URLs, for Location headers. A path is the identity of an item: operations may
    name their parameters as they like (`/buckets/{id}`, `/buckets/{bucket_id}/groups`). Items come in order of
    creation. A resumed run begins with an empty journal and is shown its old calls again.
    """

    def __init__(
        self, routes: Routes, prefixes: Mapping[str, str] | None = None, effects: Effects | None = None
    ) -> None:
        super().__init__(routes)
        self.effects = effects or Effects(routes)
        self.accounts, self.readings = Accounts(), Readings()
        self.targets = Targets(routes, self.readings, self.made)
        self.things = SeenThings(self.was_created, self.effects.kind_called)
        self._prefixes = dict(prefixes or {})
        self._chosen: set[tuple[str, str]] = set()
        self._accepted: set[OperationKey] = set()
        self._spoiled: set[tuple[str, str]] = set()
        self._perhaps_put: set[tuple[str, str]] = set()
        # Collections whose items have ids that are made of their names.
        self.named_by: set[tuple[str, tuple[str, ...]]] = set()
        # By creating operation: the member by which its items are addressed; the first one that nothing lists.
        self._addresses: dict[OperationKey, str] = {}
        self._unlisted: dict[OperationKey, tuple[Creation, str]] = {}

    # What the policy asks

    def path(self, operation: Operation, arguments: Arguments) -> str | None:
        """The path of the item that a call addresses, or lies under; None without path parameters."""
        return self.routes.path(operation.key).item(arguments)

    def item(self, operation: Operation, arguments: Arguments) -> JournalItem | None:
        """The item of this run that a call addresses or lies directly under, unless it is deleted."""
        path = self.path(operation, arguments)
        found = self._items.get((operation.tool, path)) if path is not None else None
        return found if found is not None and not found.deleted else None

    def owns(self, operation: Operation, arguments: Arguments, parameters: int | None = None) -> bool:
        """Whether the call goes to something that this run created, or to what lies in it.

        `parameters` is the number of leading path parameters that count; without it, all do.
        """
        path = self.routes.path(operation.key)
        head = path if parameters is None else path.head(parameters)
        tool, place = operation.tool, head.item(arguments)
        if place is None:
            return False
        if self.made(tool, place) or self._inside(tool, place):
            return True
        return self._is_address(tool, head, place) or bool(self._named_by(tool, place))

    def _is_address(self, tool: str, head: Path, place: str) -> bool:
        """Whether a path names a thing of the run's own, which lies elsewhere, by an ID that nothing else has.

        The parameter must be called after what it is: `/dashboards/{project_id}`. What else the path names must be the
        run's own too, or contain the thing itself: a user of the run's own in `/groups/{group}/members/{user}` does not
        make the group its own.
        """
        id, container = last_segment(place), place.rpartition("/")[0].rpartition("/")[0]
        alone = len(head.names) == 1 or self.own_above(tool, place) is not None
        return is_unique_id(id) and any(
            last_segment(item.path) == id and is_called(head.names[-1], noun_of(item.path.rpartition("/")[0]))
            for item in self.items
            if item.tool == tool and self.made(tool, item.path) and (alone or item.path.startswith(f"{container}/"))
        )

    def _named_by(self, tool: str, place: str) -> list[str]:
        """The path of the run's own thing that another path names: `/variables/7` for `/variables/name/x`.

        A name that the run made up is nobody else's, if all that was shown under it is the run's own.
        """
        above, _, last = place.rpartition("/")
        collection, _, member = above.rpartition("/")
        if not segment_identifies(member) or not is_made_up(unquote(last)):
            return []
        paths = sorted(self.things.called(tool, collection, unquote(last)))
        inside = [path for path in paths if path.rpartition("/")[0] == collection]
        return inside if all(self.made(tool, path) for path in paths) else []

    def _inside(self, tool: str, place: str) -> bool:
        """Whether an item lies in one of this run: made up by the run, or shown there and nowhere else."""
        parent = self.own_above(tool, place)
        if parent is None or self.was_created(tool, place, deleted=True):
            return False
        return is_made_up(last_segment(place)) or self.things.only_within(tool, place, parent)

    def had(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether the call goes to an item that this run created and that is gone by now."""
        return self.was_created(operation.tool, self.path(operation, arguments) or "", deleted=True)

    def nobody_has(self, tool: str, place: str, *, made_up: bool) -> bool:
        """Whether the run deleted what had a path or, with `made_up`, made up its id and saw nothing there."""
        if self.was_created(tool, place):
            return not self.made(tool, place)
        return made_up and is_invented_id(last_segment(place)) and not self.things.saw(tool, place)

    def below_own(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether the item that a call goes to, or adds, would lie under one that this run created and still has."""
        place = self.path(operation, arguments) or ""
        adds = not self.routes.path(operation.key).ends_in_parameter
        return self.own_above(operation.tool, f"{place}/" if adds else place) is not None

    def choose(self, operation: Operation, arguments: Arguments) -> None:
        """Note that the id in `arguments` was made up by docrev, for a PUT that creates."""
        path = self.path(operation, arguments)
        if path is not None:
            self._chosen.add((operation.tool, path))

    def chosen(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether the id was made up by docrev (noted, or named so), and never seen in an answer."""
        place = (operation.tool, self.path(operation, arguments) or "")
        noted = place in self._chosen or is_made_up(last_segment(place[1]))
        return noted and not self.things.saw(*place)

    def accepted(self, operation: Operation) -> bool:
        """Whether an operation has made, or may have made, what this run cannot remove: once is enough."""
        return operation.key in self._accepted

    def foreign(self, operation: Operation, body: object) -> list[Reference]:
        """What a body refers to that this run did not create."""
        return list(self.things.references(operation.tool, body, self.effects.acted_on(operation)))

    def spoiled(self, reference: Reference) -> bool:
        """Whether something that exists changed when it was named in a creation: it is never named again."""
        return reference.place in self._spoiled

    def only_own(self, operation: Operation, call: Call) -> str | None:
        """Why a listing does not show items of this run and nothing else; None if it does.

        A listing that goes on elsewhere, or that may be cut at a page's size, shows nothing.
        """
        found = list_of(call)
        if not call.ok or found is None or not found.items or found.keys:
            return "its GET twin does not list items of this run"
        if _other_items(call.body, found):
            return "its GET twin lists more than one kind of items"
        collection = self.routes.path(operation.key).fill(call.arguments)
        if not all(self.made(call.key.tool, self._under(operation, collection, item)) for item in found.items):
            return "its GET twin lists an item that this run did not create"
        more = goes_on(call, len(found.items))
        return "its GET twin may be one page of many" if more else None

    # What the run learns

    def observe(self, operation: Operation, call: Call, carried: Iterable[CreationAnswer] = ()) -> list[JournalItem]:
        """Take in an answered call; the items that are new or changed by it come back, to be kept."""
        if call.status is None:
            return []
        answer = CreationAnswer(operation, call.arguments, call.id, call.status, call.headers, call.body)
        changed = self._observe(answer)
        for inner in carried:
            changed += self._observe(inner)
        return changed

    def intend(self, operation: Operation, arguments: Arguments, call: str) -> list[JournalItem]:
        """Before a call puts something at a chosen id: an item that may come to be, unconfirmed."""
        if not self.effects.puts(operation) or not self.chosen(operation, arguments) or self.owns(operation, arguments):
            return []
        return [self.record(operation.tool, self.path(operation, arguments) or "", call, confirmed=False)]

    def creation(self, operation: Operation, arguments: Arguments) -> Creation | None:
        """The creation that a call may be: what adds to a collection, or puts what is not the run's own yet."""
        path = self.routes.path(operation.key)
        if self.effects.puts(operation):
            place = path.fill(arguments)
            own = self.made(operation.tool, place)
            return None if own else Creation(operation, arguments, operation, place.rpartition("/")[0], place)
        if (removal := self.effects.copied(operation)) is not None:
            beside = (path.item(arguments) or "").rpartition("/")[0]
            return Creation(operation, arguments, removal, beside)
        if self.effects.of(operation).kind != "creation":
            return None
        item, collection = self.items_of(operation, arguments)
        listing = self._posted_listing(operation.tool, collection)
        return Creation(operation, arguments, item, collection, listing=listing)

    def listing(self, tool: str, collection: str) -> Invoke | None:
        """The call that lists the collection at a path: a GET, or a POST that trials have shown to read; else None."""
        look = self.routes.get(tool, collection or "/")
        posted = self._posted_listing(tool, collection) if look is None else None
        return look if posted is None else Invoke(posted[0].key, posted[1])

    def _posted_listing(self, tool: str, collection: str) -> tuple[Operation, Arguments] | None:
        """The POST that lists the collection at a path, with what it is sent for all that is there."""
        for key, reads in self.readings.reads.items():
            word = last_segment(self.routes.path(key).literals[-1])
            found = self.routes.resolve(tool, "POST", f"{collection}/{word}") if reads and key.tool == tool else None
            if found is not None and found[0].key == key and self.effects.posted_listing(found[0]) is not None:
                return found[0], {**found[1], "body:": {}}
        return None

    def items_of(self, operation: Operation, arguments: Arguments) -> tuple[Operation | None, str]:
        """An operation on one item of what a call lists or adds to, and the path under which the items are."""
        posted = self.effects.posted_listing(operation)
        if posted is not None:
            return posted[0], posted[1].fill(arguments)
        item = item_operation(operation, self.routes)
        if item is not None and self.routes.item_under(operation.key) is None:
            return item, self.routes.path(item.key).literals[0].rstrip("/")
        return item, self.routes.path(operation.key).fill(arguments).rstrip("/")

    def open_paths(
        self, creation: Creation, looks: Sequence[tuple[Look, Call, Call]], answer: CreationAnswer
    ) -> list[str]:
        """The paths to be looked at before it is settled what a creation made, and under which path."""
        key = creation.operation.key
        found = created_items(creation, list(looks))
        if found.own:
            return list(addresses(creation, list(looks)).values()) if key not in self._addresses else []
        path = None if found.doubtful else self.named_item(creation, answer)
        earlier = [self._unlisted[key][1]] if self.pending(creation.operation) else []
        return [] if path is None else [path, *earlier]

    def _learn_address(
        self,
        creation: Creation,
        looks: Sequence[tuple[Look, Call, Call]],
        named: Sequence[tuple[str, Call]],
    ) -> None:
        """Note the member by which items are addressed: the one under whose path the new item answers."""
        there = {path for path, call in named if call.ok}
        members = [member for member, path in addresses(creation, list(looks)).items() if path in there]
        if members:
            self._addresses.setdefault(creation.operation.key, members[0])

    def _told_apart(self, creation: Creation, found: CreatedItems, named: Sequence[tuple[str, Call]]) -> CreatedItems:
        """What is new in a collection of which no list shows it: nothing can show that an id was free before.

        A list may show a page, or the things of another scope. But two creations that came to two items, which no look
        had shown and each of which still carries what was sent for it, did not both change something that was there:
        then they are the run's own. `found` is what the looks show, where the items show nothing.
        """
        key = creation.operation.key
        carrying = [path for path, call in named if carries_sent(creation, call.body)]
        earlier = self._unlisted.get(key)
        if earlier is not None and not self.pending(creation.operation):
            return CreatedItems(tuple(path for path, call in named if repeats(creation, call.body)))
        if not carrying:
            return found
        if earlier is None:
            if self._is_removable(creation):
                self._unlisted[key] = creation, carrying[0]
            return CreatedItems(doubtful=(carrying[0],), shown=False)
        first, path = earlier
        kept = [at for at, call in named if at == path and carries_sent(first, call.body)]
        return CreatedItems((path, carrying[0])) if kept and path != carrying[0] else CreatedItems(shown=False)

    def pending(self, operation: Operation) -> bool:
        """Whether a second creation would show that the first one is the run's own: no list shows what it makes."""
        found = self._unlisted.get(operation.key)
        return found is not None and not self.made(operation.tool, found[1])

    def answered(self, creation: Creation, call: Call) -> CreationAnswer:
        """The answer to a creation that a call is; its status is 0 if nobody answered."""
        status, body = call.status or 0, call.body
        return CreationAnswer(creation.operation, creation.arguments, call.id, status, call.headers, body)

    def settle(
        self,
        creation: Creation,
        looks: Sequence[tuple[Look, Call, Call]],
        answer: CreationAnswer,
        named: Sequence[tuple[str, Call]] = (),
    ) -> list[JournalItem]:
        """Take in what the looks before and after a creation show; the items that are new or changed come back.

        `named` are the `open_paths`, with a look at each.
        """
        self._learn_address(creation, looks, named)
        found = created_items(creation, list(looks), named, self._addresses.get(creation.operation.key, ""))
        if disturbs(creation.operation.tool, creation.collection, looks, self.made):
            self.readings.note_change(creation.operation.key)
            # Something may have come in the place of what is gone.
            found = replace(found, shown=False)
        elif not found.own and not found.doubtful and not show_sent(creation, looks, [path for path, _ in named]):
            found = self._told_apart(creation, found, named)
        items = self._owned(creation, found, answer.call)
        refused = is_client_error(answer.status)
        if creation.path is not None and not refused:
            self._perhaps_put.add((creation.operation.tool, creation.path))
        if refused and not found.own:
            return self._refused((creation.operation.tool, creation.path or ""))
        if not found.own and may_hide(looks, answer):
            items += self._hidden(creation, answer.call)
        doubtful = found.doubtful or self._supposed(creation, looks, answer, found, named)
        return items + self._doubted(creation.operation, doubtful, answer.call, self.named_item(creation, answer))

    def _owned(self, creation: Creation, found: CreatedItems, call: str) -> list[JournalItem]:
        """Note what a creation certainly made, and what that says of the next one."""
        operation, tool = creation.operation, creation.operation.tool
        if creation.path is None and any(is_made_up(last_segment(path)) for path in found.own):
            self.named_by.add((tool, self.routes.path(operation.key).literals))
        if found.own and not self._is_removable(creation):
            self._accepted.add(operation.key)
        return [self.record(tool, path, call) for path in found.own if not self.made(tool, path)]

    def _hidden(self, creation: Creation, call: str) -> list[JournalItem]:
        """Note that something may be in a collection whose list shows a page alone, though its creation failed.

        What has no name of the run could not be told from what others made, and what cannot be removed is enough once:
        then the operation is not called again.
        """
        tool, path = creation.operation.tool, f"{creation.collection}/?"
        named = carries_made_up(creation.arguments.get("body:"))
        if not named or not self._is_removable(creation):
            self._accepted.add(creation.operation.key)
        if creation.path is not None or (named and (tool, path) in self._items):
            return []
        return [self.record(tool, path, call, confirmed=False, reason=UNSHOWN if named else "")]

    def _is_removable(self, creation: Creation) -> bool:
        """Whether what a creation makes can be removed again: alone, or with what it lies in."""
        removable = self.effects.of(creation.operation).removable
        return removable or self.below_own(creation.operation, creation.arguments)

    def _supposed(
        self,
        creation: Creation,
        looks: Sequence[tuple[Look, Call, Call]],
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
            shown.setdefault(path, created_object(answer.body))
        carrying = [path for path, body in shown.items() if carries_sent(creation, body)]
        if carrying:
            return carrying[:1]
        copies = self.effects.copied(creation.operation) is not None
        none = self._shows_source(creation, looks) if copies else found.shown and self._made_nothing(creation, answer)
        return [] if none else [f"{creation.collection}/?"]

    def _shows_source(self, creation: Creation, looks: Sequence[tuple[Look, Call, Call]]) -> bool:
        """Whether a list shows what was copied, so that it would show the copy too."""
        source = last_segment(self.routes.path(creation.operation.key).item(creation.arguments) or "")
        listings = ((look.listing, after) for look, _, after in looks if look.listing is not None)
        lists = (read_list(listing, creation.collection, after) for listing, after in listings)
        return any(found is not None and found.find(source) for found in lists)

    def _made_nothing(self, creation: Creation, answer: CreationAnswer) -> bool:
        """Whether an answer agrees with looks that show nothing new: it failed, or names what was there before.

        What the run itself made before may be named with any status: then it was changed.
        """
        paths = self._named_paths(creation, answer)
        if answer.failed or any(self.made(creation.operation.tool, path) for path in paths):
            return True
        existing = any(self.things.saw(creation.operation.tool, path) for path in paths)
        return existing and answer.status not in (201, 202)

    def named_item(self, creation: Creation, answer: CreationAnswer) -> str | None:
        """The path of what an answer to a creation names, by its `Location` or by an id, if it was not seen before."""
        paths = self._named_paths(creation, answer)
        return next((path for path in paths if not self.things.saw(answer.operation.tool, path)), None)

    def _named_paths(self, creation: Creation, answer: CreationAnswer) -> list[str]:
        value = own_id(created_object(answer.body), creation.parameter, creation.noun)
        parents = {plain(given) for given in only_path(creation.arguments).values()}
        paths = [self._located(answer), None if value is None or plain(value) in parents else creation.place(value)]
        return [path for path in paths if path is not None]

    def _doubted(
        self, operation: Operation, paths: Iterable[str], call: str, named: str | None = None
    ) -> list[JournalItem]:
        """Note what a call may have made, of which nobody knows whose it is: the operation is not called again.

        `named` is the path that its response names, which helps a person who looks for it.
        """
        items = []
        for path in paths:
            if (operation.tool, path) not in self._items and not self.things.saw(operation.tool, path):
                reason = f"{UNCERTAIN}; the response named {named}" if named and path.endswith("/?") else ""
                items.append(self.record(operation.tool, path, call, confirmed=False, reason=reason))
                if not self.pending(operation):
                    self._accepted.add(operation.key)
        return items

    def _refused(self, place: tuple[str, str]) -> list[JournalItem]:
        """A PUT that was refused has put nothing where it was to."""
        item = self._items.get(place)
        unborn = item is not None and not item.confirmed and not item.deleted and place not in self._perhaps_put
        return [self.mark_deleted(place)] if unborn else []

    def beside(self, operation: Operation, arguments: Arguments) -> Reference | None:
        """The nearest thing above the target of an action that this run did not create: it must not change by it."""
        path = self.path(operation, arguments)
        if operation.route.method != "POST" or path is None or self.effects.of(operation).kind != "action":
            return None
        for parent in above(path):
            look = None if self.made(operation.tool, parent) else self.routes.get(operation.tool, parent)
            if look is not None and self.routes.path(look.key).ends_in_parameter:
                return Reference("path", last_segment(parent), (operation.tool, parent), False)
        return None

    def note_unchanged(
        self, reference: Reference, operation: Operation, looks: Sequence[tuple[Look, Call, Call]]
    ) -> None:
        """Compare something that exists before and after a call that might change it: what changed, or could not be
        looked at, is never named again, and an action that changed what lies above its target is not done again.
        """
        if looks and all(old.ok and new.ok and canonical(old.body) == canonical(new.body) for _, old, new in looks):
            return
        self._spoiled.add(reference.place)
        if self.effects.of(operation).kind == "action":
            self._accepted.add(operation.key)

    def settle_target(self, target: Target, looks: Sequence[tuple[Look, Call, Call]], call: Call) -> list[JournalItem]:
        """Take in what looks show that a change of RPC style did to the run's own: what may be gone is nobody's."""
        tool, path, outcome = target.operation.tool, target.path, self.targets.settle(target, looks, call)
        if not outcome or not self.made(tool, path):
            return []
        gone = outcome == "gone"
        return self.remove(tool, {path}, f"{path}/") if gone else [self.record(tool, path, call.id, confirmed=False)]

    def removal(self, item: JournalItem) -> Invoke | None:
        """The call that removes an item, or None if the API has none."""
        found = self.routes.resolve(item.tool, "DELETE", item.path)
        return Invoke(found[0].key, found[1], purpose="clean-up") if found else None

    # Reading answers

    def _observe(self, answer: CreationAnswer) -> list[JournalItem]:
        method = answer.operation.route.method
        if method == "GET":
            if answer.ok:
                self.accounts.observe(answer.operation, answer.body)
                self._note(answer)
            return []
        if method == "DELETE":
            return self._deleted(answer)
        if method in ("PATCH", "PUT"):
            if answer.status in NOT_FOUND:
                return self._vanished(answer)
            return self._revived(answer) if method == "PATCH" else []
        if answer.ok and self.readings.reads.get(answer.operation.key):
            self._note(answer)
        return self._started(answer)

    def _vanished(self, answer: CreationAnswer) -> list[JournalItem]:
        """An item of the run that is gone though it was not deleted: what has its id by now may be somebody else's."""
        path = self.routes.path(answer.operation.key)
        place, tool = path.fill(answer.arguments), answer.operation.tool
        if not path.ends_in_parameter or is_made_up(last_segment(place)) or not self.made(tool, place):
            return []
        return self.remove(tool, {place}, place + "/")

    def _started(self, answer: CreationAnswer) -> list[JournalItem]:
        """What a POST that is no creation says that it made elsewhere."""
        if (
            answer.operation.route.method != "POST"
            or not answer.ok
            or self.effects.of(answer.operation).kind == "creation"
            or self.effects.copied(answer.operation) is not None
        ):
            return []
        paths = [self._located(answer), self._copied(answer)]
        return self._doubted(answer.operation, [path for path in paths if path is not None][:1], answer.call)

    def _copied(self, answer: CreationAnswer) -> str | None:
        """The path of another thing of its target's kind that an action says it created: `POST /projects/7/clone`."""
        target = self.path(answer.operation, answer.arguments)
        if target is None or answer.status != 201:
            return None
        collection, name = target.rpartition("/")[0], self.routes.path(answer.operation.key).names[-1]
        value = own_id(created_object(answer.body), name, noun_of(collection))
        path = None if value is None else item_path(collection, value)
        return path if path is not None and self.routes.address(answer.operation.tool, path) is not None else None

    def _note(self, answer: CreationAnswer) -> None:
        """Remember what was there before: an id that an answer showed was not created by a later request."""
        tool, path = answer.operation.tool, self.routes.path(answer.operation.key)
        if any(argument(answer.arguments, name) is None for name in path.names):
            return
        filled = path.fill(answer.arguments)
        if path.ends_in_parameter:
            collection, _, last = filled.rpartition("/")
            self.things.see(tool, collection, unquote(last), created_object(answer.body), listed=False)
            return
        item, collection = self.items_of(answer.operation, answer.arguments)
        if item is None and answer.operation.rpc_route is None:
            self.things.see_words(tool, answer.body)
            return
        # What lists by its name alone may list what no other operation is understood to name.
        name, noun = called(self.routes.path(item.key).names[-1]) if item is not None else "id", noun_of(collection)
        maps = (found for found in find_lists(answer.body, answer.operation.route.path) if found.keys)
        for found in (*all_lists(answer.body), *maps):
            for number, thing in enumerate(found.items):
                value = thing if isinstance(thing, str) else own_id(thing, name, noun)
                self.things.see(tool, collection, found.keys[number] if found.keys else value, thing)

    def _revived(self, answer: CreationAnswer) -> list[JournalItem]:
        """What was deleted and is there again, since a change of it was accepted."""
        item = self.routes.path(answer.operation.key).ends_in_parameter
        if answer.ok and item and self.had(answer.operation, answer.arguments):
            path = self.path(answer.operation, answer.arguments) or ""
            return [self.record(answer.operation.tool, path, answer.call)]
        return []

    def move(self, answer: CreationAnswer) -> Move | None:
        """The move that a change of an item of the run may be: its answer has an id that was sent, or is the run's.

        Where ids are made of names, the name that was sent is one if the answer shows none.
        """
        operation, tool = answer.operation, answer.operation.tool
        path = self.routes.path(operation.key)
        if operation.route.method not in ("PATCH", "PUT", "POST") or not answer.ok or not path.ends_in_parameter:
            return None
        old = path.fill(answer.arguments)
        sent = [value for _, value in identifying_members(answer.arguments.get("body:"))]
        value = own_id(created_object(answer.body), path.names[-1], noun_of(old.rpartition("/")[0]))
        if value is None and (tool, path.collection.literals) in self.named_by:
            value = next(filter(is_made_up, sent), None)
        if value is None or not (is_made_up(value) or value in sent):
            return None
        new = item_path(old.rpartition("/")[0], value)
        return (
            None
            if new == old or not self.made(tool, old) or self.made(tool, new)
            else Move(tool, old, new, answer.call)
        )

    def settle_move(self, move: Move, looks: Mapping[str, Call]) -> list[JournalItem]:
        """Take in what looks at the paths of a move show; what is at the new path is in doubt unless it moved there."""
        outcome = move.outcome(looks)
        if outcome == "stayed":
            return []
        if outcome == "moved" and is_made_up(last_segment(move.new)):
            return self.record_move(move.tool, move.old, move.new, move.call)
        gone = [self.mark_deleted((move.tool, move.old))] if outcome == "moved" else []
        known = self._items.get((move.tool, move.new))
        if self.things.saw(move.tool, move.new) or (known is not None and not known.deleted):
            return gone
        return [*gone, self.record(move.tool, move.new, move.call, confirmed=False)]

    def _deleted(self, answer: CreationAnswer) -> list[JournalItem]:
        """What a DELETE removed: an item with what lies under it, or the items that its answer lists."""
        path = self.routes.path(answer.operation.key)
        filled = path.fill(answer.arguments)
        if path.ends_in_parameter:
            gone = [filled] if answer.ok or answer.status in NOT_FOUND else []
            gone += self._named_by(answer.operation.tool, filled) if answer.ok else []
            return [item for place in gone for item in self.remove(answer.operation.tool, {place}, f"{place}/")]
        if not answer.ok:
            return []
        found = find_list(answer.body, answer.operation.route.path)
        listed = {self._under(answer.operation, filled, item) for item in (found.items if found else ())}
        queried = any(location.startswith("query:") for location in answer.arguments)
        return self.remove(answer.operation.tool, listed, None if queried else filled.rstrip("/") + "/")

    def _located(self, answer: CreationAnswer) -> str | None:
        """The path of the item that the `Location` of an answer names: of that alone nobody knows whose it is."""
        tool = answer.operation.tool
        path = self.local(tool, split_url(answer.headers.get("location", "")).path)
        return path if self.routes.address(tool, path) is not None else None

    def local(self, tool: str, path: str) -> str:
        """A path of a server without that of the tool's base URL."""
        prefix = self._prefixes.get(tool, "")
        return path[len(prefix) :] if prefix and path.startswith(prefix + "/") else path

    def _under(self, operation: Operation, collection: str, item: object) -> str:
        found = self.routes.item_under(operation.key)
        name = self.routes.path(found.key).names[-1] if found else "id"
        value = item if isinstance(item, str | int) else own_id(item, name, noun_of(collection))
        return "" if value is None else item_path(collection, value)


def _other_items(body: object, found: ListFound) -> bool:
    """Whether a body has a list beside `found` with anything in it that has an id."""
    others = (item for other in all_lists(body) if other.pointer != found.pointer for item in other.items)
    return any(own_id(item, "id") is not None for item in others)
