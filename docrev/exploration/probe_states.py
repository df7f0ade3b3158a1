"""Probes of states: what comes of writing with and without a thing, to what is there and to what is not.

They run while what the run created still exists. Everything on a writing operation is done twice, apart from each
other: nothing that was created by a survey can be replayed later in the state in which it was then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from docrev.calls.effects import is_batch
from docrev.calls.journal import Journal
from docrev.calls.policy import Policy
from docrev.calls.routes import Routes
from docrev.conventions.ids import created_object
from docrev.conventions.statuses import INVALID, NOT_FOUND
from docrev.exploration.contexts import fill, heads_of, parameters_of, path_arguments, shape_of
from docrev.exploration.deleted_lists import bringing_back
from docrev.exploration.experiments import Experiment, Spent
from docrev.exploration.probe_places import Places, rest_of
from docrev.exploration.state_bodies import (
    FILLER,
    LISTED_TEXTS,
    allows,
    bare,
    empty_wrappers,
    filled,
    fullest,
    has_members_of,
    id_to_choose,
    is_closed,
    left_out,
    less,
    list_of_texts,
    listable,
    merged,
    objects_in_turn,
    open_object,
    other_kinds,
    other_values,
    undeclared_values,
    unknown_choices,
    with_more,
    with_text,
    wrong,
)
from docrev.facts.attached_things import Attached, attached
from docrev.facts.kinds.unknown_properties import UNKNOWN_PROPERTIES, UNKNOWN_VALUE
from docrev.facts.observations import Observations
from docrev.facts.samples import STATES, barren
from docrev.json_values.pointer import find, placed
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, JournalItem, Json, OperationKey, Purpose
from docrev.spec import Catalog, Operation

MAX_LESS = 2
MAX_OTHERS = 4
_ERROR = 4.0
"""Facts that an undocumented refusal shows: its status, and the shape of its body."""
_OTHER_VALUE = 3.0
"""Facts that another value of a property shows: a default, or what an unknown value comes to."""
_UNDECLARED = 4.0
"""The same if no schema has the property: agents would never send it."""
_LISTED = 1.0
"""Facts that one value in a list of names shows for a call."""
_CHOSEN = 8.0
"""Facts that IDs in the bodies of creations show: whether they are heeded, and what a second one comes to."""
_CONTENTS = 4.0
"""Facts that the deletion of what is not empty is worth: whether it is refused, or takes what lies in it."""
_MAX_CONTENTS = 2
"""Kinds of things that are put into something before it is deleted."""
_MAX_TEMPLATES = 3
_UNKNOWN = 3.0
"""Facts that unknown properties are worth."""
_UNKNOWN_AT = 4
"""Writes of a service that are sent unknown properties: what these do with them, most of them do."""
_LEAST_UNKNOWN = 4
"""Writes that a service must have for that: what fewer do is not told of all."""
_REWRITTEN = 2.0
"""Facts that two objects, one after the other, show of the property that they are given to."""
_MAX_OBJECTS = 2
_FIRST_ORPHANS = 3
_LATER = 0.25
_FIRST_CREATIONS = 2
"""Creations of a service that are given an ID early."""


class StateProber:
    """Offers the experiments on what writes. `seen` are the calls that were made before."""

    def __init__(
        self,
        catalog: Catalog,
        journal: Journal,
        policy: Policy,
        routes: Routes,
        places: Places,
        seen: Mapping[OperationKey, Observations],
    ) -> None:
        self._journal, self._routes, self._places, self._seen = journal, routes, places, seen
        self._permitted = [operation for operation in catalog.operations if policy.permits(operation) is None]
        self._made: dict[tuple[str, str], Operation] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._settled: dict[OperationKey, Call | None] = {}
        self._heeded: dict[str, str] = {}
        self._listed = set[OperationKey]()

    def experiments(self) -> Iterator[Experiment]:
        """What may be tried of each writing operation that worked before."""
        for operation in self._permitted:
            if operation.method in ("POST", "PUT", "PATCH", "DELETE") and self._seen[operation.key].good:
                for subject, facts, calls, run in self._of(operation):
                    yield Experiment(operation.key, subject, facts, calls, run, writes=True)

    def _of(self, operation: Operation) -> Iterator[tuple[str, float, float, Callable[[], Steps[None]]]]:
        method, parameters = operation.method, parameters_of(operation.path)
        error, gone = self._unknown(operation, INVALID), self._unknown(operation, NOT_FOUND)
        if method == "DELETE":
            contents = len(self._contents(operation))
            facts, calls = 1 + gone + _CONTENTS * min(contents, 1), 7 + 3 * contents
            yield "deleted", facts, calls, lambda: self._delete(operation)
            return
        if self._journal.effects.puts(operation) or method == "PUT":
            yield "accepted", 3 + gone, 10, lambda: self._accept(operation)
        else:
            yield "accepted", 2, 4, lambda: self._accept(operation)
        body = self._body(operation)
        if body is not None and not is_batch(operation):
            yield "refused", 1 + error, 3, lambda: self._refuse(operation)
            yield from self._of_body(operation, body)
            yield from self._of_properties(operation, body)
        if self._places.takes_other_form(operation):
            yield "other form", 3, 1.5, lambda: self._other_form(operation)
        item = operation.path.rstrip("/").endswith("}")
        parents = parameters[:-1] if item else parameters
        if parents and method != "PATCH":
            # What one write of a service returns below what does not exist, most of them do.
            is_early = self._count("orphans", operation) <= _FIRST_ORPHANS
            facts = (1 + gone) * len(parents) * (1 if is_early else _LATER)
            yield "orphans", facts, 2.5 * len(parents), lambda: self._orphans(operation)
        if item and method == "PATCH":
            yield "gone", gone, 6, lambda: self._gone(operation)

    def _of_body(
        self, operation: Operation, body: dict[str, Json]
    ) -> Iterator[tuple[str, float, float, Callable[[], Steps[None]]]]:
        if operation.method != "PATCH":
            count = len(list(left_out(body)))
            # If a document names nothing that is needed, each that is, is news.
            each = 0.5 if self._names_required(operation) else 1.0
            yield "left out", each * count + 0.5, 1.5 * count + 1, lambda: self._leave_out(operation)
        if lists := listable(operation, self._smallest(operation)):
            calls = sum(len(values) for _, values in lists) + 1
            yield "listed", _LISTED * calls, calls, lambda: self._list(operation)
        # A list must show what a creation made that carries a name of the run nowhere.
        if operation.method == "POST" and self._routes.twin(operation.key, "GET") is not None:
            yield from self._of_creation(operation, body)

    def _of_properties(
        self, operation: Operation, body: dict[str, Json]
    ) -> Iterator[tuple[str, float, float, Callable[[], Steps[None]]]]:
        if self._is_tried_with_unknown(operation, body):
            yield "unknown properties", _UNKNOWN, 4, lambda: self._add_unknown(operation)
        if operation.method != "POST" and (objects := [*islice(objects_in_turn(operation), _MAX_OBJECTS)]):
            facts, calls = _REWRITTEN * len(objects), 6 * len(objects)
            yield "objects", facts, calls, lambda: self._rewrite_objects(operation, objects)
        if undeclared := undeclared_values(operation, self._things(operation)):
            facts, calls = _UNDECLARED * len(undeclared), 8 * len(undeclared)
            yield "undeclared", facts, calls, lambda: self._undeclared(operation)

    def _of_creation(
        self, operation: Operation, body: dict[str, Json]
    ) -> Iterator[tuple[str, float, float, Callable[[], Steps[None]]]]:
        if others := self._others(operation, body):
            yield "other values", _OTHER_VALUE * len(others), 4 * len(others), lambda: self._vary(operation)
        places = [at for at in map(id_to_choose, self._seen[operation.key].good) if at]
        if places and not any(allows(operation, at) for at in places):
            # What is not declared is tried where another creation of the service heeds it.
            if not is_closed(operation):
                yield "again", 0.9 * _CHOSEN, 9, lambda: self._again(operation, only_if_heeded=True)
        elif places:
            # What one creation of a service does, most of them do.
            is_early = self._count("again", operation) <= _FIRST_CREATIONS
            yield "again", _CHOSEN if is_early else 0.5 * _CHOSEN, 9, lambda: self._again(operation)

    def _is_tried_with_unknown(self, operation: Operation, body: dict[str, Json]) -> bool:
        writes = [one for one in self._permitted if one.tool == operation.tool and self._body(one) is not None]
        is_open = open_object(operation, body) is not None and len(writes) >= _LEAST_UNKNOWN
        return is_open and self._count("unknown", operation) <= _UNKNOWN_AT

    def _count(self, subject: str, operation: Operation) -> int:
        """How many operations of a service a subject was offered for, this one among them."""
        self._counts[subject, operation.tool] = self._counts.get((subject, operation.tool), 0) + 1
        return self._counts[subject, operation.tool]

    def _things(self, operation: Operation) -> list[Json]:
        """What GETs of single things returned of the kind that an operation writes."""
        item = operation if operation.path.rstrip("/").endswith("}") else self._routes.item_under(operation.key)
        twin = self._routes.twin(item.key, "GET") if item is not None else None
        return [created_object(call.body) for call in self._seen[twin.key].good] if twin is not None else []

    def _undeclared(self, operation: Operation) -> Steps[None]:
        """Send fields of the things that the body does not declare, and what may be meant by them: are they kept?"""
        template, place = fullest(self._seen[operation.key].good), self._places.place_to_write(operation)
        if template is None or place is None:
            return
        for name, values in undeclared_values(operation, self._things(operation)):
            for value in values:
                sent = self._renamed(operation, rest_of(template)) | place
                body = {key: held for key, held in sent["body:"].items() if key != name}
                call: Call = yield from self._make(operation, sent | {"body:": {**body, name: value}})
                if call.ok and operation.method != "POST":
                    yield from self._look(operation, place)
                if not call.ok:
                    break

    def _add_unknown(self, operation: Operation) -> Steps[None]:
        """Send properties that no API has beside those that were accepted: are they refused, lost or kept?"""
        template = fullest(self._seen[operation.key].good)
        if template is None:
            return
        # An answer that is the thing shows what became of it.
        send = self._send if has_members_of(template.body, template.arguments["body:"]) else self._make
        for name in UNKNOWN_PROPERTIES:
            place = self._places.place_to_write(operation)
            if place is None:
                return
            sent = self._renamed(operation, rest_of(template)) | place
            at = open_object(operation, sent["body:"]) or ""
            body = placed(sent["body:"], f"{at}/{name}", UNKNOWN_VALUE)
            call: Call = yield from send(operation, sent | {"body:": body})
            if call.ok and operation.method != "POST" and send == self._make:
                yield from self._look(operation, place)

    def _rewrite_objects(
        self, operation: Operation, objects: Sequence[tuple[str, list[dict[str, Json]]]]
    ) -> Steps[None]:
        """Give an object one member, then another one: is the one before still there?"""
        template, place = fullest(self._seen[operation.key].good), self._places.created_place(operation)
        if template is None or place is None:
            return
        rest = rest_of(template)
        body = rest["body:"] if operation.method == "PUT" else {}
        for name, values in objects:
            for value in values:
                call: Call = yield from self._send(operation, rest | place | {"body:": {**body, name: value}})
                if not call.ok:
                    break
                yield from self._look(operation, place)

    def _other_form(self, operation: Operation) -> Steps[None]:
        """What worked, on the same kind of thing by the ID that other operations take."""
        template, place = fullest(self._seen[operation.key].good), self._places.journal_place(operation)
        if template is not None and place is not None:
            yield from self._send(operation, rest_of(template) | place)

    def _smallest(self, operation: Operation) -> dict[str, Json]:
        bodies = (call.arguments.get("body:") for call in self._seen[operation.key].good)
        return min((body for body in bodies if isinstance(body, dict)), key=len, default={})

    def _list(self, operation: Operation) -> Steps[None]:
        """Send a smallest body with one value in a list of names: which fields are returned on request alone?"""
        body, place = self._smallest(operation), self._places.place_to_write(operation)
        if place is None:
            return
        bodies = [{**body, name: [value]} for name, values in listable(operation, body) for value in values]
        for sent in (body, *bodies):
            yield from self._send(operation, place | {"body:": sent})

    def _names_required(self, operation: Operation) -> bool:
        schema = operation.body.schema if operation.body is not None else None
        return schema is not None and bool(schema.required)

    def _others(self, operation: Operation, body: dict[str, Json]) -> list[tuple[str, tuple[Json, ...]]]:
        """The properties of a creation with values that are not known, or are others than were filled in."""
        filled_in = other_values(operation, body, self._seen[operation.key].good)
        return [*unknown_choices(operation, body), *filled_in][:MAX_OTHERS]

    def _unknown(self, operation: Operation, statuses: frozenset[int]) -> float:
        """How many facts, new to documentation and calls, a refusal with one of these statuses would show."""
        known = [operation.responses[status] for status in map(str, statuses) if status in operation.responses]
        if any(response.schema for response in known):
            return 0.5
        return 0.5 * _ERROR if self._seen[operation.key].with_status(*statuses) else _ERROR

    def _body(self, operation: Operation) -> dict[str, Json] | None:
        template = fullest(self._seen[operation.key].good)
        body = template.arguments.get("body:") if template is not None else None
        return body if isinstance(body, dict) else None

    # Creating and changing

    def _accept(self, operation: Operation) -> Steps[None]:
        """Do once more what worked, and read what came of it."""
        first = yield from self._settle(operation)
        if first is None:
            return
        puts = self._journal.effects.puts(operation)
        if operation.method == "POST" and not puts:
            yield from self._make(operation, dict(first.arguments))
        elif operation.method in ("PUT", "POST"):
            for _ in range(2):
                fresh = self._places.fresh_place(operation) if puts else None
                made: Call | None = None
                if fresh is not None:
                    made = yield from self._make(operation, rest_of(first) | fresh)
                place = fresh if made is not None and made.ok else self._places.created_place(operation)
                if place is not None:
                    yield from self._replace(operation, rest_of(first), place)
        else:
            yield from self._send(operation, dict(first.arguments))
            yield from self._change_list(operation)

    def _change_list(self, operation: Operation) -> Steps[None]:
        """Give a list of texts one text, then others: is what was in it still there?"""
        place, name = self._places.created_place(operation), list_of_texts(operation)
        for text in LISTED_TEXTS if place is not None and name else ():
            call: Call = yield from self._send(operation, (place or {}) | {"body:": {name: [text]}})
            if not call.ok:
                return
            yield from self._look(operation, place or {})

    def _replace(self, operation: Operation, rest: dict[str, Json], place: dict[str, Json]) -> Steps[None]:
        """Replace something as it was, then without one of the properties: is what was left out still there?"""
        whole, taken = with_more(operation, rest.get("body:")), False
        # What was added is left out first.
        bodies = [
            whole,
            *([rest["body:"]] if whole != rest.get("body:") else []),
            *islice(less(rest.get("body:")), MAX_LESS),
        ]
        for body in bodies:
            sent = rest | ({"body:": body} if "body:" in rest else {})
            call: Call = yield from self._send(operation, sent | place)
            if call.ok and not has_members_of(call.body, whole):
                yield from self._look(operation, place)
            if call.ok and taken:
                return
            taken = taken or call.ok

    def _again(self, operation: Operation, *, only_if_heeded: bool = False) -> Steps[None]:
        """Send an ID in the body of a creation, and what it created once more, under the same ID."""
        if only_if_heeded and operation.tool not in self._heeded:
            return
        first = yield from self._settle(operation)
        at = id_to_choose(first) if first is not None else ""
        if first is None or not at or (only_if_heeded and at != self._heeded[operation.tool]):
            return
        chosen = self._places.chosen_id(find(first.body, at)[1])
        for _ in range(3):
            named = {**first.arguments, "body:": with_text(first.arguments["body:"], at)}
            sent = self._renamed(operation, named)
            call: Call = yield from self._make(operation, {**sent, "body:": placed(sent["body:"], at, chosen)})
            if not call.ok or find(call.body, at)[1] != chosen:
                return
            self._heeded[operation.tool] = at

    def _vary(self, operation: Operation) -> Steps[None]:
        """Create with unknown values, and with others than were filled in: which are refused, kept, or replaced?"""
        template, place = fullest(self._seen[operation.key].good), self._places.place_to_write(operation)
        if template is None or place is None:
            return
        for name, values in self._others(operation, template.arguments["body:"]):
            for value in values:
                sent = self._renamed(operation, rest_of(template)) | place
                call: Call = yield from self._make(operation, sent | {"body:": {**sent["body:"], name: value}})
                if not call.ok:
                    break

    def _settle(self, operation: Operation) -> Steps[Call | None]:
        """The call that the others differ from, made once: accepted, with as much in its body as is taken."""
        if operation.key not in self._settled:
            self._settled[operation.key] = yield from self._first(operation)
        call = self._settled[operation.key]
        return call

    def _first(self, operation: Operation) -> Steps[Call | None]:
        good, place = self._seen[operation.key].good, self._places.place_to_write(operation)
        template = fullest(good)
        if template is None or place is None:
            return None
        patches = operation.method == "PATCH"
        richest = template if patches else merged(good) or template
        first: Call = yield from self._make_again(operation, richest, place)
        if not first.ok and first.error is None:
            first = yield from self._make_again(operation, template, place)
        if not first.ok:
            return None
        if patches or is_batch(operation):
            return first
        filled_in: Call = yield from self._fill_in(operation, first)
        return filled_in if filled_in.ok else None

    def _make_again(self, operation: Operation, call: Call, place: dict[str, Json]) -> Steps[Call]:
        """Send what a call sent, at a place and with names that nothing has yet."""
        return self._make(operation, self._renamed(operation, _refilled(operation, call)) | place)

    def _make(self, operation: Operation, arguments: dict[str, Json], purpose: Purpose = "probe") -> Steps[Call]:
        """Send what may create something, and read what it created."""
        before = self._places.existing_items()
        call: Call = yield from self._send(operation, arguments, purpose)
        for item in self._places.new_items(before):
            shape = self._places.shape(item)
            if shape is not None:
                self._made.setdefault((item.tool, shape), operation)
            yield from self._read(item)
        return call

    def _read(self, item: JournalItem) -> Steps[None]:
        """Look at an item: by itself, or in the list that it lies in."""
        for path in (item.path, item.path.rpartition("/")[0]):
            found = self._routes.resolve(item.tool, "GET", path)
            if found is not None and found[0] in self._permitted:
                yield from self._send(found[0], dict(found[1]))
                return

    def _look(self, operation: Operation, place: dict[str, Json]) -> Steps[Call | None]:
        twin = self._routes.twin(operation.key, "GET")
        if twin is None or twin not in self._permitted:
            return None
        values = [place[f"path:{name}"] for name in parameters_of(operation.path)]
        return (yield from self._send(twin, path_arguments(twin.path, values)))

    def _fill_in(self, operation: Operation, call: Call) -> Steps[Call]:
        """Where what was created came back in an object that was not sent, try to send one; the call that worked."""
        body = call.arguments.get("body:")
        for name in empty_wrappers(body, call.body):
            more = dict(call.arguments) | {"body:": {**(body or {}), name: dict(FILLER)}}
            again: Call = yield from self._make(operation, more)
            if again.ok:
                return again
        if isinstance(body, dict) and filled(body) != body:
            again = yield from self._make(operation, dict(call.arguments) | {"body:": filled(body)})
            return again if again.ok else call
        return call

    # Bodies

    def _refuse(self, operation: Operation) -> Steps[None]:
        """No body at all, and one in which every property is wrong: one answer names them all."""
        template, place = fullest(self._seen[operation.key].good), self._places.place_to_write(operation)
        if template is None or place is None:
            return
        bare_call = {name: value for name, value in rest_of(template).items() if name != "body:"} | place
        bad = wrong(operation, template.arguments["body:"])
        for arguments in (bare_call, {**bare_call, "body:": bad}, bare_call):
            call: Call = yield from self._make(operation, arguments)
            if call.ok and arguments is bare_call:
                return

    def _leave_out(self, operation: Operation) -> Steps[None]:
        """The body without each of its properties, and without its wrapper: what is refused is refused twice."""
        call = yield from self._settle(operation)
        if call is None:
            return
        place = {name: value for name, value in call.arguments.items() if name != "body:"}
        body = call.arguments["body:"]
        for lacking in left_out(body):
            refused = yield from self._twice_refused(operation, place | {"body:": lacking})
            if refused is not None:
                yield from self._of_other_kinds(operation, refused)
        for unwrapped in bare(body, call.body):
            yield from self._twice_refused(operation, place | {"body:": unwrapped})

    def _twice_refused(self, operation: Operation, arguments: dict[str, Json]) -> Steps[Call | None]:
        """The second refusal of the same; None if it was not refused twice."""
        call: Call | None = None
        for _ in range(2):
            call = yield from self._make(operation, self._renamed(operation, arguments))
            if call is None or call.status not in INVALID:
                return None
        return call

    def _of_other_kinds(self, operation: Operation, refused: Call) -> Steps[None]:
        """Send a refused body for things of other kinds: is it refused for all of them, and for the same reason?"""
        body = refused.arguments["body:"]
        for name, values in other_kinds(operation, body, self._seen[operation.key].good):
            for value in values:
                sent = self._renamed(operation, dict(refused.arguments) | {"body:": {**body, name: value}})
                call: Call = yield from self._make(operation, sent, "survey")
                # What is there may be of another kind.
                fresh = self._places.fresh_place(operation) if self._journal.effects.puts(operation) else None
                if not call.ok and fresh is not None and call.body != refused.body:
                    yield from self._make(operation, sent | fresh, "survey")

    # What is not there

    def _orphans(self, operation: Operation) -> Steps[None]:
        """The same below parents that do not exist: each in turn, the ones above it being there."""
        call = yield from self._settle(operation)
        if call is None or is_batch(operation):
            return
        names = parameters_of(operation.path)
        parents = names[:-1] if operation.path.rstrip("/").endswith("}") else names
        for name in parents:
            for _ in range(2):
                changed = {f"path:{name}": self._places.unknown_id(operation, name)}
                if self._journal.effects.puts(operation):
                    changed[f"path:{names[-1]}"] = self._places.unknown_id(operation, names[-1])
                    self._journal.choose(operation, dict(call.arguments) | changed)
                missing: Call = yield from self._make(operation, dict(call.arguments) | changed)
                if missing.ok or missing.status is None:
                    break

    def _gone(self, operation: Operation) -> Steps[None]:
        """The same on what this run created and deleted."""
        creating = {item.call for item in self._journal.items}
        good = self._seen[operation.key].good
        template = fullest(good)
        if template is None or any(call.id in creating for call in good):
            return
        place = self._removed(operation)
        if place is None:
            item = yield from self._another(operation.tool, shape_of(operation.path))
            if item is not None:
                yield from self._remove(item)
            place = self._removed(operation)
        for _ in range(2 if place is not None else 0):
            call: Call = yield from self._send(operation, rest_of(template) | (place or {}))
            if call.ok or call.status is None:
                return

    def _removed(self, operation: Operation) -> dict[str, Json] | None:
        """The path of an item that this run created and deleted, its parent being there."""
        shape = shape_of(operation.path)
        gone = {(item.tool, item.path) for item in self._journal.items if item.deleted}
        for item in reversed(self._journal.items):
            was_there = item.tool == operation.tool and item.confirmed and item.deleted
            values = fill(shape, item.path) if was_there else None
            above = any((item.tool, item.path[:end]) in gone for end in _ends(item.path))
            if values is not None and not above:
                return path_arguments(operation.path, values)
        return None

    def _remove(self, item: JournalItem) -> Steps[None]:
        step = self._journal.removal(item)
        operation = next((one for one in self._permitted if step is not None and one.key == step.key), None)
        if step is not None and operation is not None:
            yield from self._send(operation, dict(step.arguments))

    # Deleting

    def _delete(self, operation: Operation) -> Steps[None]:
        """Delete something made for it, until two deletions have shown a body; look for it, and delete again.

        What can be made in it is there by then: is that refused, or does all of it go?
        """
        good = self._seen[operation.key].good
        shown = any(not barren(call.body) for call in good)
        for turn in range(1 if shown else 2):
            victim = yield from self._victim(operation)
            place = self._places.place_to_write(operation) if victim else None
            if victim is None or place is None or not good:
                return
            arguments = self._deletion(operation, victim, rest_of(good[0]) | place)
            if arguments is None:
                return
            inside: list[JournalItem] = yield from self._fill(operation, victim)
            named: list[Attached] = yield from self._read_attached(operation, place)
            call: Call = yield from self._delete_with(operation, arguments, inside)
            if call.ok and operation.path.rstrip("/").endswith("}"):
                yield from self._look(operation, place)
                for one in named:
                    yield from self._send(one.reader, one.arguments)
                if turn == 0:
                    yield from self._list_deleted(victim, call)
                    yield from self._send(operation, arguments)
                    yield from self._send(operation, arguments)

    def _read_attached(self, operation: Operation, place: dict[str, Json]) -> Steps[list[Attached]]:
        """Read what something names of other kinds, and list these, if such things do: some of it may come and go
        with it."""
        twin = self._routes.twin(operation.key, "GET")
        seen = self._seen[twin.key].good if twin is not None and twin in self._permitted else []
        readers = [one for one in self._permitted if one.method == "GET"]
        there = []
        if any(any(attached(call, readers)) for call in seen):
            thing: Call | None = yield from self._look(operation, place)
            for one in islice(attached(thing, readers) if thing is not None else (), _MAX_CONTENTS):
                found: Call = yield from self._send(one.reader, one.arguments)
                there += [one] if found.ok else []
                collection = self._routes.resolve(operation.tool, "GET", one.reader.path.rpartition("/{")[0])
                if collection is not None and collection[0] in self._permitted:
                    yield from self._send(collection[0], {})
        return there

    def _list_deleted(self, victim: JournalItem, deletion: Call) -> Steps[None]:
        """Call the list that something was in, with each query parameter that it took: is what is gone in it again?"""
        found = self._routes.resolve(victim.tool, "GET", victim.path.rpartition("/")[0])
        if found is None or found[0] not in self._permitted or found[0].key in self._listed:
            return
        self._listed.add(found[0].key)
        arguments = bringing_back(found[0], self._seen[found[0].key].good, deletion)
        for asked in ({}, *arguments) if arguments else ():
            yield from self._send(found[0], dict(found[1]) | asked)

    def _delete_with(
        self, operation: Operation, arguments: dict[str, Json], inside: Sequence[JournalItem]
    ) -> Steps[Call]:
        """Delete something with what is in it, or, if that is refused, after it; read what may have gone too."""
        call: Call = yield from self._send(operation, arguments)
        for item in inside:
            yield from self._read(item) if call.ok else self._remove(item)
        if inside and not call.ok:
            call = yield from self._send(operation, arguments)
        return call

    def _contents(self, operation: Operation) -> list[str]:
        """The shapes of what the run makes, and can read, directly in the things that an operation deletes."""
        inside = re.compile(re.escape(shape_of(operation.path)) + r"(?<=})/[^{}]+/\{\}")
        read = (one for one in self._permitted if one.method == "GET" and one.tool == operation.tool)
        shapes = {shape_of(one.path) for one in read}
        found = (shape for shape in sorted(filter(inside.fullmatch, shapes)) if self._maker(operation.tool, shape))
        return list(islice(found, _MAX_CONTENTS))

    def _fill(self, operation: Operation, victim: JournalItem) -> Steps[list[JournalItem]]:
        """Make a thing of each kind in something, and read them."""
        inside: list[JournalItem] = []
        for shape in self._contents(operation):
            item = yield from self._another(victim.tool, shape)
            if item is not None and item.path.startswith(f"{victim.path}/"):
                inside.append(item)
                yield from self._read(item)
        return inside

    def _deletion(
        self, operation: Operation, victim: JournalItem, arguments: dict[str, Json]
    ) -> dict[str, Json] | None:
        """The arguments that delete `victim`: of a top-level list, its id in the only query argument, or None."""
        if parameters_of(operation.path):
            return arguments
        id = fill(self._places.shape(victim) or "", victim.path)
        queried = [name for name in arguments if name.startswith("query:")]
        return {queried[0]: id[-1]} if id and len(queried) == 1 else None

    def _victim(self, operation: Operation) -> Steps[JournalItem | None]:
        """Make an item that the operation will delete; for a collection its parent too, so that nothing else goes."""
        shape = shape_of(operation.path)
        if shape.endswith("}"):
            return (yield from self._another(operation.tool, shape))
        heads = list(heads_of(operation.path))
        if heads:
            yield from self._another(operation.tool, shape_of(heads[-1]))
        return (yield from self._another(operation.tool, f"{shape}/{{}}"))

    def _another(self, tool: str, shape: str) -> Steps[JournalItem | None]:
        maker = self._maker(tool, shape)
        if maker is None:
            return None
        for template in self._templates(maker):
            puts = self._journal.effects.puts(maker)
            place = self._places.fresh_place(maker) if puts else self._places.place_to_write(maker)
            if place is None:
                return None
            before = self._places.existing_items()
            call: Call = yield from self._send(maker, self._renamed(maker, rest_of(template)) | place)
            made = next(iter(self._places.new_items(before)), None)
            if made is not None or not call.ok:
                return made
        return None

    def _templates(self, maker: Operation) -> list[Call]:
        """Accepted calls to make another thing like: the fullest, then those that made one, should that find what is
        there already."""
        good, creating = self._seen[maker.key].good, {item.call for item in self._journal.items}
        made = (call for call in reversed(good) if call.id in creating)
        found = {call.id: call for call in (fullest(good), *made) if call is not None}
        return list(found.values())[:_MAX_TEMPLATES]

    def _renamed(self, operation: Operation, arguments: dict[str, Json]) -> dict[str, Json]:
        """The arguments of an accepted creation, with names that nothing was given yet."""
        return self._places.renamed(operation, arguments) if operation.method == "POST" else arguments

    def _maker(self, tool: str, shape: str) -> Operation | None:
        """The operation that creates items of a shape: of the calls that did, as the journal has them."""
        if (tool, shape) not in self._made:
            makers = {call.id: key for key, one in self._seen.items() for call in one.good}
            for item in self._journal.items:
                key = makers.get(item.call)
                if key is not None and item.tool == tool and self._places.shape(item) == shape:
                    self._made[tool, shape] = next(one for one in self._permitted if one.key == key)
                    break
        return self._made.get((tool, shape))

    # Calling

    def _send(self, operation: Operation, arguments: dict[str, Json], purpose: Purpose = "probe") -> Steps[Call]:
        call: Call = yield Invoke(operation.key, arguments, purpose, STATES)
        if call.error == "budget":
            raise Spent
        return call


def _refilled(operation: Operation, call: Call) -> dict[str, Json]:
    """The arguments of a call outside its path, with something in the empty objects of what replaces or changes."""
    rest = rest_of(call)
    return rest | {"body:": filled(rest["body:"])} if operation.method != "POST" and "body:" in rest else rest


def _ends(path: str) -> Iterator[int]:
    return (index for index, letter in enumerate(path) if letter == "/" and index)
