"""What comes of creating and changing: what is kept, what is filled in, and what is lost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from docrev.calls.path_texts import last_segment
from docrev.conventions.fields import is_name_field
from docrev.conventions.ids import created_id, created_object
from docrev.conventions.run_names import is_made_up
from docrev.exploration.probe_places import rest_of
from docrev.exploration.state_bench import StateBench
from docrev.exploration.state_bodies import (
    LISTED_TEXTS,
    has_members_of,
    id_to_choose,
    less,
    list_of_texts,
    names_apart,
    open_object,
    with_more,
    with_other,
    with_text,
)
from docrev.facts.kinds.unknown_properties import UNKNOWN_PROPERTIES, UNKNOWN_VALUE
from docrev.json_values.containers import mapping
from docrev.json_values.pointer import find, placed
from docrev.language.path_templates import shape_of
from docrev.prompts.steps import Steps
from docrev.records import Call, Json
from docrev.spec import Operation

_PAIR = 2
_MAX_NAMES = 2
"""Properties that are given what another thing has."""
_MAX_LESS = 2
"""Replacements that leave a property out."""
Values = Sequence[tuple[str, Sequence[Json]]]
"""Properties of a body, each with the values to be sent one after the other."""


class WriteProbes:
    """Writes that are meant to be accepted."""

    def __init__(self, bench: StateBench) -> None:
        self._bench = bench
        self._heeded: dict[str, str] = {}

    def accept(self, operation: Operation) -> Steps[None]:
        """Do once more what worked, and read what came of it."""
        first = yield from self._bench.settle(operation)
        if first is None:
            return
        puts = self._bench.journal.effects.puts(operation)
        if operation.method == "POST" and not puts:
            yield from self._make_again(operation, first)
        elif operation.method in ("PUT", "POST"):
            for _ in range(2):
                place = (yield from self._put_fresh(operation, first)) if puts else None
                place = place or self._bench.places.created_place(operation)
                if place is not None:
                    yield from self._replace(operation, self._bench.anew(operation, first, place), place)
            if puts:
                yield from self._put_other_sorts(operation, first)
        else:
            yield from self._bench.send(operation, dict(first.arguments))
            yield from self._change_list(operation)

    def _make_again(self, operation: Operation, first: Call) -> Steps[None]:
        """Create the same, then what has the name of it alone: is that refused, changed, or returned as it is?

        What is refused is refused twice, so that nobody has to show it again: then with another number beside the name,
        and with one property more, for a thing may be told by these too. What is returned is given that, too.
        """
        same: Call = yield from self._bench.make(operation, dict(first.arguments))
        if same.ok and not _is_same(first, same):
            return
        if same.ok:
            yield from self._give_more(operation, first)
        for is_other in (not same.ok, False):
            arguments = self._named_alike(operation, first)
            body = with_other(operation, arguments.get("body:")) if is_other else arguments.get("body:")
            alike: Call = yield from self._bench.make(operation, arguments | ({"body:": body} if body else {}))
            is_refused_too = not same.ok and alike.status == same.status
            if is_refused_too:
                yield from self._make_deleted(operation, first)
            if is_refused_too or not (is_other or (alike.ok and _is_same(first, alike))):
                return

    def _give_more(self, operation: Operation, first: Call) -> Steps[None]:
        """Create what is there with other values, and read it: does it get them?"""
        body, found = first.arguments.get("body:"), created_id(first.body)
        other = with_other(operation, body)
        left = (one for one in self._bench.journal.left() if one.tool == operation.tool)
        item = next((one for one in left if found is not None and last_segment(one.path) == str(found.value)), None)
        if item is None or other == body:
            return
        for _ in range(_PAIR):
            call: Call = yield from self._bench.make(operation, dict(first.arguments) | {"body:": other})
            if not call.ok or not _is_same(first, call):
                return
            yield from self._bench.read(item)

    def _make_deleted(self, operation: Operation, first: Call) -> Steps[None]:
        """Create one more thing, delete it, and create it again: is its name still in use?"""
        before = self._bench.places.existing_items()
        made: Call = yield from self._bench.make(operation, self._bench.renamed(operation, dict(first.arguments)))
        item = next(iter(self._bench.places.new_items(before)), None)
        if item is None or not made.ok:
            return
        yield from self._bench.remove(item)
        for _ in range(2):
            call: Call = yield from self._bench.make(operation, dict(made.arguments))
            if call.ok:
                return

    def _put_fresh(self, operation: Operation, first: Call) -> Steps[dict[str, Json] | None]:
        """Put the same where nothing was, and say where; None if that is not possible."""
        fresh = self._bench.places.fresh_place(operation)
        if fresh is None:
            return None
        made: Call = yield from self._bench.make(operation, self._bench.anew(operation, first, fresh))
        return fresh if made.ok else None

    def _put_other_sorts(self, operation: Operation, first: Call) -> Steps[None]:
        """Put a thing of each other sort that a path names with what is declared as required, and then, if that is
        refused, the same as of the first sort: what one sort needs, another may not take."""
        body = first.arguments.get("body:")
        declared = (operation.body_schema.required if operation.body_schema is not None else None) or ()
        least = {name: value for name, value in mapping(body).items() if name in declared}
        for place in self._bench.places.places_of_other_sorts(operation, first) if isinstance(body, dict) else ():
            made: Call = yield from self._bench.make(operation, place | {"body:": least})
            if not made.ok and least != body:
                yield from self._bench.make(operation, place | {"body:": body})

    def _named_alike(self, operation: Operation, first: Call) -> dict[str, Json]:
        """The arguments of a creation with other texts of the run's own, but for the names of things."""
        body, other = first.arguments.get("body:"), self._bench.renamed(operation, dict(first.arguments))
        if not isinstance(body, dict) or not any(is_name_field(name) and is_made_up(body[name]) for name in body):
            return dict(first.arguments)
        return {**other, "body:": {**other["body:"], **{name: body[name] for name in body if is_name_field(name)}}}

    def _change_list(self, operation: Operation) -> Steps[None]:
        """Give a list of texts one text, then others: is what was in it still there?"""
        place, name = self._bench.places.created_place(operation), list_of_texts(operation)
        for text in LISTED_TEXTS if place is not None and name else ():
            call: Call = yield from self._bench.send(operation, (place or {}) | {"body:": {name: [text]}})
            if not call.ok:
                return
            yield from self._bench.look(operation, place or {})

    def _replace(self, operation: Operation, rest: dict[str, Json], place: dict[str, Json]) -> Steps[None]:
        """Replace something as it was, then without one of the properties: is what was left out still there?"""
        whole, taken = with_more(operation, rest.get("body:")), False
        # What was added is left out first.
        bodies = [
            whole,
            *([rest["body:"]] if whole != rest.get("body:") else []),
            *islice(less(rest.get("body:")), _MAX_LESS),
        ]
        for body in bodies:
            sent = rest | ({"body:": body} if "body:" in rest else {})
            call: Call = yield from self._bench.send(operation, sent | place)
            if call.ok and not has_members_of(call.body, whole):
                yield from self._bench.look(operation, place)
            if call.ok and taken:
                return
            taken = taken or call.ok

    def again(self, operation: Operation, *, only_if_heeded: bool = False) -> Steps[None]:
        """Send an ID in the body of a creation, and what it created once more, under the same ID."""
        if only_if_heeded and operation.tool not in self._heeded:
            return
        first = yield from self._bench.settle(operation)
        at = id_to_choose(first) if first is not None else ""
        if first is None or not at or (only_if_heeded and at != self._heeded[operation.tool]):
            return
        chosen = self._bench.places.chosen_id(find(first.body, at)[1])
        for _ in range(3):
            named = {**first.arguments, "body:": with_text(first.arguments["body:"], at)}
            sent = self._bench.renamed(operation, named)
            call: Call = yield from self._bench.make(operation, {**sent, "body:": placed(sent["body:"], at, chosen)})
            if not call.ok or find(call.body, at)[1] != chosen:
                return
            self._heeded[operation.tool] = at

    def give_taken(self, operation: Operation) -> Steps[None]:
        """Give a thing of the run's own a name that another one has: is it refused?"""
        template, places = self._bench.template(operation), (yield from self._two_places(operation))
        if template is None or len(places) < _PAIR:
            return
        yield from self._give_names(operation, template, places[:_PAIR])
        states = yield from self._states(operation, places[:_PAIR])
        for name in islice(names_apart(operation, *states), _MAX_NAMES):
            for _ in range(2):
                rest = self._bench.anew(operation, template, places[0])
                whole = mapping(rest.get("body:")) if operation.method == "PUT" else {}
                sent = rest | {"body:": {**whole, name: states[1][name]}}
                call: Call = yield from self._bench.send(operation, sent)
                if call.ok or call.status is None:
                    return

    def _give_names(self, operation: Operation, template: Call, places: Sequence[dict[str, Json]]) -> Steps[None]:
        """Give names of the run to things that were replaced by what has none."""
        names = [name for name, value in mapping(template.arguments.get("body:")).items() if is_made_up(value)]
        states = (yield from self._states(operation, places)) if operation.method == "PUT" else []
        for place, state in zip(places, states, strict=False):
            if not any(mapping(state).get(name) for name in names):
                sent = self._bench.anew(operation, template, place)
                named = {name: value for name, value in mapping(sent.get("body:")).items() if name in names}
                yield from self._bench.send(operation, sent | {"body:": named})

    def _states(self, operation: Operation, places: Sequence[dict[str, Json]]) -> Steps[list[Json]]:
        """The things at places, as they are now; None for what nothing shows."""
        states: list[Json] = []
        for place in places:
            seen = yield from self._bench.look(operation, place)
            states.append(created_object(seen.body) if seen is not None and seen.ok else None)
        return states

    def _two_places(self, operation: Operation) -> Steps[list[dict[str, Json]]]:
        """Where an operation is on things of the run's own, two at least if one more can be made."""
        if len(self._bench.places.created_places(operation)) < _PAIR:
            yield from self._bench.another(operation.tool, shape_of(operation.path))
        return self._bench.places.created_places(operation)

    def vary(self, operation: Operation, others: Values) -> Steps[None]:
        """Create with unknown values, and with others than were filled in: which are refused, kept, or replaced?"""
        yield from self._send_each(operation, others)

    def send_undeclared(self, operation: Operation, undeclared: Values) -> Steps[None]:
        """Send fields of the things that the body does not declare, and what may be meant by them: are they kept?"""
        yield from self._send_each(operation, undeclared, looks=operation.method != "POST")

    def _send_each(self, operation: Operation, members: Values, *, looks: bool = False) -> Steps[None]:
        """Send each value of a member beside what was accepted, until one is refused; with `looks`, look at the thing
        after each."""
        template, place = self._bench.template(operation), self._bench.places.place_to_write(operation)
        if template is None or place is None:
            return
        for name, values in members:
            for value in values:
                sent = self._bench.anew(operation, template, place)
                call: Call = yield from self._bench.make(operation, sent | {"body:": {**sent["body:"], name: value}})
                if not call.ok:
                    break
                if looks:
                    yield from self._bench.look(operation, place)

    def add_unknown(self, operation: Operation) -> Steps[None]:
        """Send properties that no API has beside those that were accepted: are they refused, lost or kept?"""
        template = self._bench.template(operation)
        if template is None:
            return
        # An answer that is the thing shows what became of it.
        send = self._bench.send if has_members_of(template.body, template.arguments["body:"]) else self._bench.make
        for name in UNKNOWN_PROPERTIES:
            place = self._bench.places.place_to_write(operation)
            if place is None:
                return
            sent = self._bench.anew(operation, template, place)
            at = open_object(operation, sent["body:"]) or ""
            body = placed(sent["body:"], f"{at}/{name}", UNKNOWN_VALUE)
            call: Call = yield from send(operation, sent | {"body:": body})
            if call.ok and operation.method != "POST" and send == self._bench.make:
                yield from self._bench.look(operation, place)

    def rewrite_objects(self, operation: Operation, objects: Values) -> Steps[None]:
        """Give an object one member, then another one: is the one before still there?"""
        template, place = self._bench.template(operation), self._bench.places.created_place(operation)
        if template is None or place is None:
            return
        rest = self._bench.anew(operation, template, place)
        body = rest["body:"] if operation.method == "PUT" else {}
        for name, values in objects:
            for value in values:
                call: Call = yield from self._bench.send(operation, rest | {"body:": {**body, name: value}})
                if not call.ok:
                    break
                yield from self._bench.look(operation, place)

    def take_other_form(self, operation: Operation) -> Steps[None]:
        """What worked, on the same kind of thing by the ID that other operations take."""
        template, place = self._bench.template(operation), self._bench.places.journal_place(operation)
        if template is not None and place is not None:
            yield from self._bench.send(operation, rest_of(template) | place)

    def list_names(self, operation: Operation, lists: Values) -> Steps[None]:
        """Send a smallest body with one value in a list of names: which fields are returned on request alone?"""
        body, place = self._bench.smallest_body(operation), self._bench.places.place_to_write(operation)
        if place is None:
            return
        bodies = [{**body, name: [value]} for name, values in lists for value in values]
        for sent in (body, *bodies):
            yield from self._bench.send(operation, place | {"body:": sent})


def _is_same(one: Call, other: Call) -> bool:
    """Whether two creations returned the same thing, by its ID."""
    found, again = (created_id(call.body) for call in (one, other))
    return found is not None and again is not None and found.value == again.value
