"""Send back what a GET returned of a thing of the run's own: as it is, then with other values for what may be chosen.

So people change things: they read one, change a field and send the whole. It shows at once what is refused, what is
stored, and what is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from docrev.calls.redact import has_mask
from docrev.conventions.ids import created_object, is_id_name
from docrev.conventions.ranks import ranks_among_others
from docrev.conventions.statuses import INVALID
from docrev.exploration.probe_places import rest_of
from docrev.exploration.state_bench import StateBench
from docrev.json_values.leaves import members
from docrev.json_values.pointer import last, placed
from docrev.language.words import words
from docrev.prompts.steps import Steps
from docrev.records import Call, Json
from docrev.spec import Operation, Schema

_TURNS = (1, 2)
_DEPTH = 2
_CLOSING = frozenset("locked protected frozen immutable archived deleted disabled readonly expired".split())
"""Words of flags after which a thing may not be changed, or found, any more."""


def send_back(bench: StateBench, operation: Operation) -> Steps[None]:
    """Send what was read, in each form and again if it is refused; then other values, and look what came of them."""
    template, place = bench.template(operation), bench.places.created_place(operation)
    thing: Call | None = (yield from bench.look(operation, place)) if template and place else None
    forms = _as_sent(thing, bench.body(operation) or {}) if thing is not None and thing.ok else []
    if template is None or place is None or not forms:
        return
    rest = rest_of(template) | place
    for body in (*forms, forms[0]):
        call: Call = yield from bench.send(operation, rest | {"body:": body})
        if call.status not in INVALID:
            break
    if call.ok:
        yield from _choose_others(bench, operation, rest, place, body)


def _choose_others(
    bench: StateBench, operation: Operation, rest: dict[str, Json], place: dict[str, Json], body: dict[str, Json]
) -> Steps[None]:
    """Send an accepted body with other values, then as it was, and look at the thing after each."""
    for turn in _TURNS:
        yield from bench.look(operation, place)
        other = _with_other_values(operation, body, turn)
        call: Call | None = (yield from bench.send(operation, {**rest, "body:": other})) if other != body else None
        if call is None or not call.ok:
            return
    yield from bench.look(operation, place)
    yield from bench.send(operation, {**rest, "body:": body})


def _as_sent(thing: Call, before: dict[str, Json]) -> list[dict[str, Json]]:
    """What a reading returned, whole and without its envelope, that of accepted bodies first; nothing if masked."""
    forms = [form for form in (thing.body, created_object(thing.body)) if isinstance(form, dict) and form]
    distinct = [form for number, form in enumerate(forms) if form not in forms[:number]]
    distinct.sort(key=lambda form: before.keys().isdisjoint(form))
    return [] if has_mask({"body:": thing.body}) else distinct


def _with_other_values(operation: Operation, body: dict[str, Json], turn: int) -> dict[str, Json]:
    """The body with another value for each flag and each choice: what else could be chosen may be somebody else's."""
    schema = operation.body_schema
    places = dict(schema.walk()) if schema is not None else {}
    changed: Json = body
    for at, value in members(body, depth=_DEPTH):
        name, place = last(at), places.get(at)
        other = _other_value(value, place, turn) if place is not None and not place.get("readOnly") else None
        is_safe = not is_id_name(name) and _CLOSING.isdisjoint(words(name)) and not ranks_among_others(name, other)
        if other is not None and is_safe:
            changed = placed(changed, at, other)
    return changed if isinstance(changed, dict) else body


def _other_value(value: Json, place: Schema, turn: int) -> Json:
    if isinstance(value, bool):
        return not value
    others: Iterator[Json] = (choice for choice in place.enum or () if choice != value)
    return next(islice(others, turn - 1, None), None) if isinstance(value, str) else None
