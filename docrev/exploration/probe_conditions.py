"""Probes of changes to what the run created: on a condition that is false, with null for what was there, and with all
that a GET returned."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from docrev.conventions.ids import is_id_name
from docrev.conventions.preconditions import ANYTHING, IF_MATCH, IF_NONE_MATCH, another_tag, entity_tag
from docrev.exploration.experiments import Experiment, Spent
from docrev.exploration.first_tries import FirstTries
from docrev.exploration.sent_back import send_back
from docrev.exploration.state_bench import StateBench
from docrev.exploration.state_bodies import has_members_of, objects_in_turn, with_more
from docrev.json_values.containers import mapping
from docrev.json_values.leaves import scalar_members
from docrev.json_values.pointer import escape, find, last, placed
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, Json
from docrev.spec import Operation

_CONDITIONS = 3.0
"""Facts that conditions are worth: whether a change of somebody else can be lost."""
_NULLS = 3.0
"""Facts that null is worth: whether what has a value can be without one again."""
_SENT_BACK = 3.0
"""Facts that what was read is worth if it is sent back: whether that is refused, and what is passed over."""
_MOST = {"conditions": 4, "null": 3, "sent back": 4}
"""Writes of a service that each is tried at: what these do, most of them do."""
_MAX_NULLS = 2
_DEPTH = 2


class ConditionProber:
    """Offers the experiments on what changes a single thing, at the first writes of each service."""

    def __init__(self, bench: StateBench) -> None:
        self._bench = bench
        self._firsts = FirstTries()

    def experiments(self) -> Iterator[Experiment]:
        """Conditions where things have tags, and null where a change gives values."""
        for operation in self._bench.permitted:
            reader = self._bench.routes.twin(operation.key, "GET")
            is_change = operation.method in ("PUT", "PATCH") and bool(self._bench.good(operation))
            if is_change and reader is not None and reader in self._bench.permitted:
                yield from self._of_change(operation, reader)

    def _of_change(self, operation: Operation, reader: Operation) -> Iterator[Experiment]:
        """What may be tried of an operation that changes what another reads."""
        if self._bench.body(operation) is not None and self._is_early("sent back", operation):
            run = partial(send_back, self._bench, operation)
            yield Experiment(operation.key, "sent back", _SENT_BACK, 3, run, writes=True)
        if any(map(entity_tag, self._bench.good(reader))) and self._is_early("conditions", operation):
            run = partial(self._try_conditions, operation)
            yield Experiment(operation.key, "conditions", _CONDITIONS, 4, run, writes=True)
        body = self._bench.body(operation) or {}
        places = [*islice(_clearable(operation, body), _MAX_NULLS)] if operation.method == "PATCH" else []
        if places and self._is_early("null", operation):
            run = partial(self._clear, operation)
            yield Experiment(operation.key, "null", _NULLS, 3 * len(places), run, writes=True)

    def _is_early(self, subject: str, operation: Operation) -> bool:
        """Whether a subject was offered for few operations of a service yet; this one counts."""
        return self._firsts.is_among(_MOST[subject], operation.tool, subject)

    def _try_conditions(self, operation: Operation) -> Steps[None]:
        """Write with another tag than the thing has, and with its own; then only if there is nothing."""
        template, place = self._bench.template(operation), self._bench.places.created_place(operation)
        if template is None or place is None:
            return
        sent = self._bench.anew(operation, template, place)
        thing: Call | None = yield from self._bench.look(operation, place)
        tag = entity_tag(thing) if thing is not None else ""
        if not tag:
            return
        call: Call = yield from self._send(operation, sent | {f"header:{IF_MATCH}": another_tag(tag)})
        again = another_tag(tag) if call.ok else tag
        yield from self._send(operation, sent | {f"header:{IF_MATCH}": again})
        if operation.method == "PUT" and not call.ok:
            yield from self._send(operation, sent | {f"header:{IF_NONE_MATCH}": ANYTHING})
            yield from self._send(operation, sent)

    def _clear(self, operation: Operation) -> Steps[None]:
        """Give something a value, then null: is it gone?"""
        template, place = self._bench.template(operation), self._bench.places.created_place(operation)
        if template is None or place is None:
            return
        sent = self._bench.anew(operation, template, place)
        for whole, at in islice(_clearable(operation, {**mapping(sent.get("body:"))}), _MAX_NULLS):
            for body in (whole, placed(whole, at, None)):
                call: Call = yield from self._send(operation, sent | {"body:": body})
                if not call.ok:
                    break
                if not has_members_of(call.body, body):
                    yield from self._bench.look(operation, place)

    def _send(self, operation: Operation, arguments: dict[str, Json]) -> Steps[Call]:
        call: Call = yield Invoke(operation.key, arguments, "probe")
        if call.error == "budget":
            raise Spent
        return call


def _clearable(operation: Operation, body: dict[str, Json]) -> Iterator[tuple[dict[str, Json], str]]:
    """Bodies of a change, each with the pointer of what it gives a value to and need not: what the schema declares
    beside what was sent before, and in its objects, then that, the last first."""
    schema = operation.body_schema
    required = schema.required if schema is not None else ()
    sent = [(body, at) for at, value in scalar_members(body, depth=_DEPTH) if value]
    for whole, at in (*_with_more(operation, body), *reversed(sent)):
        if not is_id_name(last(at)) and at[1:] not in required:
            yield whole, at


def _with_more(operation: Operation, body: dict[str, Json]) -> Iterator[tuple[dict[str, Json], str]]:
    """Bodies with a text more, or with a member in an object, each with the pointer of that."""
    more = with_more(operation, body)
    yield from ((more, at) for at, _ in scalar_members(more) if not find(body, at)[0])
    for name, values in objects_in_turn(operation):
        yield from (({**body, name: values[0]}, f"/{escape(name)}/{escape(member)}") for member in values[0])
