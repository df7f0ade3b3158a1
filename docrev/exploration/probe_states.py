"""Probes of states: what comes of writing with and without a thing, to what is there and to what is not.

They run while what the run created still exists. Everything on a writing operation is done twice, apart from each
other: nothing that was created by a survey can be replayed later in the state in which it was then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from itertools import islice

from docrev.calls.effects import is_batch
from docrev.conventions.ids import created_object
from docrev.conventions.run_names import is_made_up
from docrev.conventions.statuses import INVALID, NOT_FOUND
from docrev.exploration.experiments import Experiment
from docrev.exploration.first_tries import FirstTries
from docrev.exploration.probe_actions import ActionProbes
from docrev.exploration.probe_deletions import DeletionProbes
from docrev.exploration.probe_optional import OptionalProbes
from docrev.exploration.probe_references import ReferenceProbes
from docrev.exploration.probe_refusals import RefusalProbes
from docrev.exploration.probe_writes import WriteProbes
from docrev.exploration.said_required import said_required
from docrev.exploration.state_bench import StateBench
from docrev.exploration.state_bodies import (
    allows,
    id_to_choose,
    is_closed,
    left_out,
    list_of_texts,
    listable,
    objects_in_turn,
    odd_texts,
    open_object,
    other_values,
    undeclared_values,
    unknown_choices,
)
from docrev.json_values.leaves import scalar_members
from docrev.language.path_templates import ends_in_parameter, heads_of, parameters_of, shape_of
from docrev.prompts.steps import Steps
from docrev.records import Json, OperationKey
from docrev.spec import Operation

_MAX_OTHERS = 4
_ERROR = 3.0
"""Facts that an undocumented refusal shows: its status, and the shape of its body. Few of them are worth a word."""
_NAMED_AGAIN, _NAMED_LATER = 10.0, 6.0
"""Facts that the same creation shows once more: is a name unique, is what exists returned, or is there a second one? Is
the name of what was deleted free again? Of further kinds of things less, though no kind says it of another; of what so
many do alike, there is little news."""
_LIST = 3.0
"""Facts that changing a list shows: is it replaced, or added to?"""
_SAID = 1.0
"""Facts that leaving out a property is worth which refusals called required, and no schema: agents need to know it."""
_ODD = 2.0
"""Facts that a name with odd signs shows: which ones may names have?"""
_REPLACED = 12.0
"""Facts that replacing something shows: what becomes of what is left out, and what a PUT does that finds nothing."""
_GONE = 3.0
"""Facts that reading shows of something that was deleted: is it still there?"""
_GONE_TOO = 0.5
"""The share of that which a change of what is not there shows: what reads and deletes refuses it in the same way."""
_OTHER_VALUE = 3.0
"""Facts that another value of a property shows: a default, or what an unknown value comes to."""
_UNDECLARED = 4.0
"""The same if no schema has the property: agents would never send it."""
_LISTED = 1.0
"""Facts that one value in a list of names shows for a call."""
_CHOSEN = 8.0
"""Facts that IDs in the bodies of creations show: whether they are heeded, and what a second one comes to."""
_CONTENTS = 6.0
"""Facts that the deletion of what is not empty is worth: whether it is refused, or takes what lies in it."""
_NAMED = 5.5
"""Facts that the deletion of what another thing names is worth: is it refused, or what becomes of that?"""
_UNKNOWN = 5.0
"""Facts that unknown properties are worth."""
_LEAST_UNKNOWN = 4
"""Writes that a service must have for that: what fewer do is not told of all."""
_REWRITTEN = 2.0
"""Facts that two objects, one after the other, show of the property that they are given to."""
_MAX_OBJECTS = 2
_ACTED = 16.0
"""Facts that an action shows that is done twice to two things: the state that it sets, and what a second time does."""
_TAKEN = 2.0
"""Facts that a change is worth which gives a thing the name of another one."""
_OPTIONAL = 2.0
"""Facts that each further property of a creation shows: what is checked there, or must be a thing's own."""
_MOST_OPTIONAL = 4
"""Properties beyond which no more is expected."""
_REFERRED = 4.0
"""Facts that the ID of something that nothing has is worth in the body of a creation: is it refused, lost or kept?"""
_FIRST = {
    "optional": 6,
    "unknown reference": 4,
    "accepted": 4,
    "named again": 4,
    "named anew": 16,
    "refused": 8,
    "taken": 4,
    "orphans": 3,
    "named": 4,
    "replaced": 4,
    "deleted": 4,
    "unknown properties": 8,
    "unknown properties at first": 4,
    "again": 2,
    "acted": 4,
    "gone": 4,
}
"""Operations of a service on which each is tried early: what these do, most of the others do."""
_LESS_LATER = frozenset(
    ["optional", "unknown reference", "accepted", "refused", "taken", "orphans", "named", "acted", "gone"]
)
_LATER = 0.25
"""The share of their facts that later operations are expected to show of these."""
_READ = 0.3
"""The share of its facts that leaving something out shows of a POST that reads: most such bodies take anything."""


_Offer = tuple[str, float, float, Callable[[], Steps[None]]]
"""A subject, the facts and calls that are expected of it, and what makes the calls."""


class StateProber:
    """Offers the experiments on what writes, each with its worth."""

    def __init__(self, bench: StateBench) -> None:
        self._bench = bench
        self._writes, self._refusals = WriteProbes(bench), RefusalProbes(bench)
        self._deletions, self._references = DeletionProbes(bench), ReferenceProbes(bench)
        self._actions, self._optional = ActionProbes(bench), OptionalProbes(bench)
        self._firsts = FirstTries()
        self._first_deletions: dict[str, list[OperationKey]] = {}

    def experiments(self) -> Iterator[Experiment]:
        """What may be tried of each writing operation that worked before; of what only reads last: it is no news."""
        for operation in sorted(self._bench.permitted, key=self._bench.places.only_reads):
            if operation.method in ("POST", "PUT", "PATCH", "DELETE") and self._bench.good(operation):
                offers = self._of_deletion if operation.method == "DELETE" else self._of
                for subject, facts, calls, run in offers(operation):
                    is_early = subject not in _LESS_LATER or self._is_early(subject, operation)
                    yield Experiment(
                        operation.key, subject, facts * (1 if is_early else _LATER), calls, run, writes=True
                    )

    def _of_deletion(self, operation: Operation) -> Iterator[_Offer]:
        contents = len(self._deletions.contents(operation))
        facts = _GONE if operation.key in self._central(operation.tool) else 1
        facts += self._unknown(operation, NOT_FOUND) + _CONTENTS * min(contents, 1)
        yield "deleted", facts, 9 + 4 * contents, lambda: self._deletions.delete(operation)
        if kinds := len(self._references.namings(operation)):
            yield "named", _NAMED * kinds, 6 * kinds, lambda: self._references.delete(operation)

    def _central(self, tool: str) -> Collection[OperationKey]:
        """The deletions of a service that are tried early: of things on which, and in which, most can be done."""
        if tool not in self._first_deletions:
            paths = (one.path for one in self._bench.permitted if one.tool == tool)
            shapes = Counter(shape_of(head) for path in paths for head in heads_of(path))
            deletions = [
                one
                for one in self._bench.permitted
                if one.tool == tool and one.method == "DELETE" and self._bench.good(one)
            ]
            deletions.sort(key=lambda one: -shapes[shape_of(one.path)])
            self._first_deletions[tool] = [one.key for one in deletions[: _FIRST["deleted"]]]
        return self._first_deletions[tool]

    def _of(self, operation: Operation) -> Iterator[_Offer]:
        if not self._bench.places.only_reads(operation):
            yield from self._of_success(operation)
        if self._actions.is_action(operation):
            yield "acted", _ACTED, 20, lambda: self._actions.act(operation)
        body = self._bench.body(operation)
        if body is not None and not is_batch(operation):
            error = self._unknown(operation, INVALID)
            yield "refused", 1 + error, 3.5, lambda: self._refusals.refuse(operation)
            yield from self._of_body(operation, body)
            yield from self._of_properties(operation, body)
        if self._bench.places.takes_other_form(operation):
            yield "other form", 3, 1.5, lambda: self._writes.take_other_form(operation)
        yield from self._of_absence(operation)

    def _of_success(self, operation: Operation) -> Iterator[_Offer]:
        """What worked, once more."""
        if self._bench.journal.effects.puts(operation) or operation.method == "PUT":
            facts = _REPLACED if self._is_early("replaced", operation) else 3
            facts += self._unknown(operation, NOT_FOUND)
            yield "accepted", facts, 8, lambda: self._writes.accept(operation)
        else:
            is_named = operation.method == "POST" and self._gives_name(operation)
            if is_named:
                is_news = self._is_early("named anew", operation)
                facts = _NAMED_AGAIN if self._is_early("named again", operation) else _NAMED_LATER
                facts *= 1 if is_news else _LATER
                yield "named again", facts, 6, lambda: self._writes.accept(operation)
            else:
                facts = _LIST if operation.method == "PATCH" and list_of_texts(operation) else 2
                yield "accepted", facts, 4, lambda: self._writes.accept(operation)

    def _of_absence(self, operation: Operation) -> Iterator[_Offer]:
        """Writes to what is not there, or below it."""
        parameters, gone = parameters_of(operation.path), self._unknown(operation, NOT_FOUND)
        item = ends_in_parameter(operation.path)
        parents = parameters[:-1] if item else parameters
        if parents and operation.method != "PATCH":
            facts = (1 + gone) * len(parents)
            yield "orphans", facts, 3 + 3 * len(parents), lambda: self._refusals.orphans(operation)
        if item and operation.method == "PATCH":
            yield "gone", _GONE_TOO * gone, 4, lambda: self._refusals.gone(operation)

    def _of_body(self, operation: Operation, body: dict[str, Json]) -> Iterator[_Offer]:
        said = len(said_required(operation, self._bench.seen[operation.key], body))
        if said:
            facts, calls = _SAID * said, 2 * said + 2
            yield "said required", facts, calls, lambda: self._refusals.leave_out_required(operation)
        if operation.method != "PATCH":
            count = len(list(left_out(body))) - said
            # If a document names nothing that is needed, each that is, is news.
            reads = self._bench.places.only_reads(operation)
            each = _READ if reads else 0.5 if self._names_required(operation) else 1.0
            yield "left out", each * count + 0.5, 2.5 * count + 2, lambda: self._refusals.leave_out(operation)
        if lists := listable(operation, self._bench.smallest_body(operation)):
            calls = sum(len(values) for _, values in lists) + 1
            yield "listed", _LISTED * calls, calls, lambda: self._writes.list_names(operation, lists)
        # A list must show what a creation made that carries a name of the run nowhere.
        if operation.method == "POST" and self._bench.routes.twin(operation.key, "GET") is not None:
            yield from self._of_creation(operation, body)
        if operation.method == "POST" and any(odd_texts(operation, body)):
            yield "odd name", _ODD, 4, lambda: self._refusals.name_oddly(operation)

    def _of_properties(self, operation: Operation, body: dict[str, Json]) -> Iterator[_Offer]:
        if self._is_tried_with_unknown(operation, body):
            facts = _UNKNOWN * (1 if self._is_early("unknown properties at first", operation) else _LATER)
            yield "unknown properties", facts, 4, lambda: self._writes.add_unknown(operation)
        if operation.method != "POST" and ends_in_parameter(operation.path):
            yield "taken", _TAKEN, 3, lambda: self._writes.give_taken(operation)
        if operation.method != "POST" and (objects := [*islice(objects_in_turn(operation), _MAX_OBJECTS)]):
            facts, calls = _REWRITTEN * len(objects), 6 * len(objects)
            yield "objects", facts, calls, lambda: self._writes.rewrite_objects(operation, objects)
        if undeclared := undeclared_values(operation, self._things(operation)):
            facts, calls = _UNDECLARED * len(undeclared), 8 * len(undeclared)
            yield "undeclared", facts, calls, lambda: self._writes.send_undeclared(operation, undeclared)

    def _of_creation(self, operation: Operation, body: dict[str, Json]) -> Iterator[_Offer]:
        if others := self._others(operation, body):
            yield (
                "other values",
                _OTHER_VALUE * len(others),
                3.5 * len(others),
                lambda: self._writes.vary(operation, others),
            )
        yield from self._of_more(operation)
        places = [at for at in map(id_to_choose, self._bench.good(operation)) if at]
        if places and not any(allows(operation, at) for at in places):
            # What is not declared is tried where another creation of the service heeds it.
            if not is_closed(operation):
                yield "again", 0.9 * _CHOSEN, 6, lambda: self._writes.again(operation, only_if_heeded=True)
        elif places:
            # What one creation of a service does, most of them do.
            is_early = self._is_early("again", operation)
            yield "again", _CHOSEN if is_early else 0.5 * _CHOSEN, 6, lambda: self._writes.again(operation)

    def _of_more(self, operation: Operation) -> Iterator[_Offer]:
        """What a creation may be sent besides what was accepted."""
        if optional := self._optional.optional(operation):
            facts = _OPTIONAL * min(len(optional), _MOST_OPTIONAL)
            yield "optional", facts, 10, lambda: self._optional.add_optional(operation)
        if references := self._optional.references(operation):
            calls = 7 * len(references)
            yield "unknown reference", _REFERRED * len(references), calls, lambda: self._optional.refer(operation)

    def _is_tried_with_unknown(self, operation: Operation, body: dict[str, Json]) -> bool:
        writes = [
            one for one in self._bench.permitted if one.tool == operation.tool and self._bench.body(one) is not None
        ]
        is_open = open_object(operation, body) is not None and len(writes) >= _LEAST_UNKNOWN
        return is_open and self._is_early("unknown properties", operation)

    def _is_early(self, subject: str, operation: Operation) -> bool:
        """Whether a subject was offered for few operations of a service yet; this one counts."""
        return self._firsts.is_among(_FIRST[subject], operation.tool, subject)

    def _things(self, operation: Operation) -> list[Json]:
        """What GETs of single things returned of the kind that an operation writes."""
        item = operation if ends_in_parameter(operation.path) else self._bench.routes.item_under(operation.key)
        twin = self._bench.routes.twin(item.key, "GET") if item is not None else None
        return [created_object(call.body) for call in self._bench.good(twin)] if twin is not None else []

    def _gives_name(self, operation: Operation) -> bool:
        """Whether a creation worked that gave its thing a name which the run made up."""
        creating = {item.call for item in self._bench.journal.items}
        made = (call.arguments.get("body:") for call in self._bench.good(operation) if call.id in creating)
        return any(is_made_up(value) for body in made for _, value in scalar_members(body))

    def _names_required(self, operation: Operation) -> bool:
        schema = operation.body_schema
        return schema is not None and bool(schema.required)

    def _others(self, operation: Operation, body: dict[str, Json]) -> list[tuple[str, tuple[Json, ...]]]:
        """The properties of a creation with values that are not known, or are others than were filled in."""
        filled_in = other_values(operation, body, self._bench.good(operation))
        return [*unknown_choices(operation, body), *filled_in][:_MAX_OTHERS]

    def _unknown(self, operation: Operation, statuses: frozenset[int]) -> float:
        """How many facts, new to documentation and calls, a refusal with one of these statuses would show."""
        known = [operation.responses[status] for status in map(str, statuses) if status in operation.responses]
        if any(response.schema for response in known):
            return 0.5
        return 0.5 * _ERROR if self._bench.seen[operation.key].with_status(*statuses) else _ERROR
