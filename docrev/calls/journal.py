"""What this run created: the only things that it may change or delete."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docrev.calls.account import Accounts
from docrev.calls.collection_lists import CollectionLists
from docrev.calls.creation_answers import CreationAnswer, answer_in
from docrev.calls.creation_settlement import CreationSettlement
from docrev.calls.creations import Creation
from docrev.calls.effects import Effects
from docrev.calls.journal_items import JournalItems, names_of
from docrev.calls.kept_things import KeptThings
from docrev.calls.listed_things import ListedThings
from docrev.calls.listings import has_other_items
from docrev.calls.looks import LookPair
from docrev.calls.made_elsewhere import invited, is_added, made_elsewhere
from docrev.calls.moves import Move, id_after
from docrev.calls.other_kinds import OtherKinds
from docrev.calls.path_texts import above, item_path, last_segment, noun_of
from docrev.calls.readings import Readings
from docrev.calls.route_arguments import argument
from docrev.calls.routes import Path, Routes, template
from docrev.calls.seen_codes import codes_of
from docrev.calls.seen_ranks import SeenRanks
from docrev.calls.seen_things import Reference, SeenThings, is_unique_id
from docrev.calls.targets import Target, Targets
from docrev.conventions.ids import created_object, is_kind_of, own_id, segment_identifies
from docrev.conventions.lists import find_list, list_of
from docrev.conventions.paging import goes_on
from docrev.conventions.run_names import is_invented_id, is_made_up
from docrev.conventions.statuses import NOT_FOUND
from docrev.json_values.canonical import canonical
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Call, JournalItem
from docrev.spec.route_places import called

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


class Journal(JournalItems):
    """The items this run created, by the concrete path each has behind its tool's base URL.

    A path is the identity of an item: operations may name their parameters as they like (`/buckets/{id}`,
    `/buckets/{bucket_id}/groups`). A resumed run begins with an empty journal and is shown its old calls again.
    """

    def __init__(
        self, routes: Routes, prefixes: Mapping[str, str] | None = None, effects: Effects | None = None
    ) -> None:
        super().__init__(routes, prefixes)
        self.effects = effects or Effects(routes)
        self.accounts, self.readings = Accounts(), Readings()
        self.collections = CollectionLists(routes, self.effects, self.readings)
        self.others = OtherKinds(routes, self.effects, self.readings, self.made)
        self.ranks = SeenRanks(self.made)
        self.targets = Targets(routes, self.readings, self.made)
        self.things = SeenThings(self.was_created, self.made, self.effects.kind_called)
        self.creations = CreationSettlement(self, self.effects, self.readings, self.things)
        self.listed = ListedThings(routes)
        self.kept = KeptThings(self.effects, lambda: self.items)
        self._chosen: set[tuple[str, str]] = set()
        self._spoiled: set[tuple[str, str]] = set()

    # What the policy asks

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
        return (
            self._is_address(tool, head, place)
            or self.addressed_elsewhere(tool, head, arguments)
            or bool(self._named_by(tool, place))
        )

    def _is_address(self, tool: str, head: Path, place: str) -> bool:
        """Whether a path names a thing of the run's own that lies elsewhere, by an ID that nothing else has or within
        another thing of its own.

        The parameter must be called after what it is, or after a kind of which it is one: `/dashboards/{project_id}`.
        What else the path names must be the run's own too, or contain the thing itself: a user of the run's own in
        `/groups/{group}/members/{user}` does not make the group its own.
        """
        id, container = last_segment(place), place.rpartition("/")[0].rpartition("/")[0]
        within = self.own_above(tool, place) is not None
        alone = len(head.names) == 1 or within
        return (within or is_unique_id(id)) and any(
            last_segment(item.path) == id and any(is_kind_of(head.names[-1], name) for name in names_of(item))
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

    def nobody_has(self, tool: str, place: str, *, made_up: bool) -> bool:
        """Whether the run deleted what had a path or, with `made_up`, made up its id and saw nothing there."""
        if self.was_created(tool, place):
            return not self.made(tool, place)
        return made_up and is_invented_id(last_segment(place)) and not self.things.saw(tool, place)

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

    def was_put(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether a PUT goes where one was to make a thing of the run's own: its ID is what the path says."""
        return operation.route.method == "PUT" and (operation.tool, self.path(operation, arguments)) in self._chosen

    def foreign(self, operation: Operation, body: object) -> list[Reference]:
        """What a body refers to that this run did not create."""
        return list(self.things.references(operation.tool, body, self.effects.alike(operation)))

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
        if has_other_items(call.body, found):
            return "its GET twin lists more than one kind of items"
        collection = self.routes.path(operation.key).fill(call.arguments)
        if not all(self.made(call.key.tool, self._under(operation, collection, item)) for item in found.items):
            return "its GET twin lists an item that this run did not create"
        more = goes_on(call, len(found.items))
        return "its GET twin may be one page of many" if more else None

    # What the run learns

    def record(
        self, tool: str, path: str, call: str, *, confirmed: bool = True, reason: str = "", inside: str = ""
    ) -> JournalItem:
        """As `JournalItems.record`; what was made is meant by its ID from then on."""
        item = super().record(tool, path, call, confirmed=confirmed, reason=reason, inside=inside)
        if confirmed:
            self.things.make(tool, path)
        return item

    def observe(self, operation: Operation, call: Call, carried: Iterable[CreationAnswer] = ()) -> list[JournalItem]:
        """Take in an answered call; the items that are new or changed by it come back, to be kept."""
        if call.status is None:
            return []
        changed = self._observe(answer_in(call, operation, call.arguments))
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
            own = self.made(operation.tool, place) or self.addressed_elsewhere(operation.tool, path, arguments)
            return None if own else Creation(operation, arguments, operation, place.rpartition("/")[0], place)
        if (removal := self.effects.copied(operation)) is not None:
            beside = (path.item(arguments) or "").rpartition("/")[0]
            return Creation(operation, arguments, removal, beside)
        if self.effects.of(operation).kind != "creation":
            return None
        item, collection = self.collections.items_of(operation, arguments)
        listing = self.collections.posted_listing(operation.tool, collection)
        inside = collection.rpartition("/")[0]
        parent = inside if self.made(operation.tool, inside) else ""
        return Creation(operation, arguments, item, collection, listing=listing, inside=parent)

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

    def note_unchanged(self, reference: Reference, operation: Operation, looks: Sequence[LookPair]) -> None:
        """Compare something that exists before and after a call that might change it: what changed, or could not be
        looked at, is never named again, and an action that changed what lies above its target is not done again.
        """
        if looks and all(old.ok and new.ok and canonical(old.body) == canonical(new.body) for _, old, new in looks):
            return
        self._spoiled.add(reference.place)
        if self.effects.of(operation).kind == "action":
            self.accept(operation.key)

    def settle_target(self, target: Target, looks: Sequence[LookPair], call: Call) -> list[JournalItem]:
        """Take in what looks show that a change of RPC style did to the run's own: what may be gone is nobody's."""
        tool, path, outcome = target.operation.tool, target.path, self.targets.settle(target, looks, call)
        if not outcome or not self.made(tool, path):
            return []
        gone = outcome == "gone"
        return self.remove(tool, {path}, f"{path}/") if gone else [self.record(tool, path, call.id, confirmed=False)]

    def removal(self, item: JournalItem) -> Invoke | None:
        """The call that removes an item, or None if the API has none, or nobody knows which item of a list it is."""
        if item.path.endswith("/?"):
            return None
        found = self.routes.resolve(item.tool, "DELETE", item.path)
        return Invoke(found[0].key, found[1], purpose="clean-up") if found else None

    # Reading answers

    def _observe(self, answer: CreationAnswer) -> list[JournalItem]:
        method = answer.operation.route.method
        if method == "GET":
            if answer.ok:
                self.accounts.observe(answer.operation, answer.body)
                return self._note(answer)
            return []
        if method == "DELETE":
            return self._deleted(answer)
        if method in ("PATCH", "PUT"):
            if answer.status in NOT_FOUND:
                return self._vanished(answer)
            return self._revived(answer) if method == "PATCH" else []
        if answer.ok and self.readings.reads.get(answer.operation.key):
            return self._note(answer)
        return self._made_elsewhere(answer)

    def _made_elsewhere(self, answer: CreationAnswer) -> list[JournalItem]:
        """What a POST that is no creation made, or may have made, beside what it acted on."""
        operation = answer.operation
        if (path := self._added_to_own(answer)) is not None:
            inside = self.path(operation, answer.arguments) or ""
            return [self.record(operation.tool, path, answer.call, inside=inside)]
        items = self.creations.doubted(operation, made_elsewhere(answer, self, self.effects), answer.call)
        if address := invited(answer, self.effects):
            # It does not lie in the target, and is not gone with that.
            hint = f"an account may have been made, or an invitation sent, for {address}"
            items += self.creations.doubted(operation, [f"{operation.route.path}/?"], answer.call, hint)
        return items

    def _added_to_own(self, answer: CreationAnswer) -> str | None:
        """The path elsewhere of what a POST added to the run's own: `/forms/{id}` of `POST /tables/{id}/forms`."""
        operation, arguments = answer.operation, answer.arguments
        if self.effects.of(operation).kind != "action" or not self.below_own(operation, arguments):
            return None
        creation = Creation(operation, arguments, *self.collections.items_of(operation, arguments))
        path = self.creations.named_item(creation, answer) if creation.item is not None else None
        return path if path is not None and is_added(creation, answer, path) else None

    def _vanished(self, answer: CreationAnswer) -> list[JournalItem]:
        """An item of the run that is gone though it was not deleted: what has its id by now may be somebody else's."""
        path, own = self.routes.path(answer.operation.key), template(answer.operation.path)
        place, tool = path.fill(answer.arguments), answer.operation.tool
        whole = own.ends_in_parameter or not own.names  # `/users/{id}/update` may not be there, and the user be.
        if not (whole and path.ends_in_parameter and self.made(tool, place)) or is_made_up(last_segment(place)):
            return []
        return self.remove(tool, {place}, place + "/")

    def _note(self, answer: CreationAnswer) -> list[JournalItem]:
        """Remember what was there before: an id that an answer showed was not created by a later request.

        What an earlier creation made, and no look showed then, comes back.
        """
        tool, path = answer.operation.tool, self.routes.path(answer.operation.key)
        if any(argument(answer.arguments, name) is None for name in path.names):
            return []
        filled = path.fill(answer.arguments)
        if path.ends_in_parameter:
            collection, _, last = filled.rpartition("/")
            id, thing = unquote(last), created_object(answer.body)
            self.things.see(tool, collection, id, thing, listed=False)
            self.things.codes.see(tool, collection, [(id, thing, codes_of(thing))])
            self.kept.see(tool, filled, answer.body)
            return []
        item, collection = self.collections.items_of(answer.operation, answer.arguments)
        if item is None and answer.operation.rpc_route is None:
            self.things.see_words(tool, answer.body)
            self.things.codes.see(tool, filled, self.listed.of(answer, None, noun_of(filled)))
            return []
        late, listed = list[JournalItem](), self.listed.of(answer, item, noun_of(collection))
        for id, thing, _ in listed:
            late += self.creations.late.shown(answer, collection, id, thing)
            self.things.see(tool, collection, id, thing)
        self.things.codes.see(tool, collection, listed)
        self.kept.see_list(tool, collection, listed)
        self.others.see_list(tool, collection, listed)
        self.ranks.see_list(tool, collection, listed)
        return late

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
        is_named = (tool, path.collection.literals) in self.creations.named_by
        id = id_after(answer, called(path.names[-1]), noun_of(old.rpartition("/")[0]), is_named=is_named)
        if id is None:
            return None
        move = Move(tool, old, item_path(old.rpartition("/")[0], id), answer.call)
        return move if move.new != old and self.made(tool, old) and not self.made(tool, move.new) else None

    def settle_move(self, move: Move, looks: Mapping[str, Call]) -> list[JournalItem]:
        """Take in what looks at the paths of a move show; what is at the new path is in doubt unless it moved there."""
        outcome = move.outcome(looks)
        if outcome == "stayed":
            return []
        if outcome == "moved" and is_made_up(last_segment(move.new)):
            self.things.move(move.tool, move.old, move.new)
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
            self.kept.note_removal(answer, filled)
            gone = [filled] if answer.ok or answer.status in NOT_FOUND else []
            gone += self._named_by(answer.operation.tool, filled) if answer.ok else []
            return [item for place in gone for item in self.remove(answer.operation.tool, {place}, f"{place}/")]
        if not answer.ok:
            return []
        found = find_list(answer.body, answer.operation.route.path)
        listed = {self._under(answer.operation, filled, item) for item in (found.items if found else ())}
        queried = any(location.startswith("query:") for location in answer.arguments)
        return self.remove(answer.operation.tool, listed, None if queried else filled.rstrip("/") + "/")

    def _under(self, operation: Operation, collection: str, item: object) -> str:
        found = self.routes.item_under(operation.key)
        name = called(self.routes.path(found.key).names[-1]) if found else "id"
        value = item if isinstance(item, str | int) else own_id(item, name, noun_of(collection))
        return "" if value is None else item_path(collection, value)
