"""Probes of what a creation may be sent besides what it needs: properties that no accepted body had yet.

Agents fill in what a schema offers. What is checked there is seen by what a refusal names, and what an unknown ID comes
to by sending one that nothing has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from docrev.conventions.error_hints import hints_of
from docrev.conventions.ids import is_id_name
from docrev.conventions.run_names import PROBES, run_name, run_uuid
from docrev.conventions.statuses import INVALID
from docrev.exploration.state_bench import StateBench
from docrev.facts.call_values import sent_properties
from docrev.facts.kinds.unknown_references import is_reference
from docrev.language.path_subjects import subject
from docrev.language.words import word_set, words
from docrev.prompts.steps import Steps
from docrev.records import Call, Json
from docrev.spec import Operation, Schema
from docrev.spec.schema import properties_of

MAX_OPTIONAL = 8
"""Properties that are sent together."""
MAX_REFERENCES = 3
MAX_ROUNDS = 3
"""Refusals of them after which no more are sent."""
_PAIR = 2
_REACHING = word_set(
    "url uri urls link href host address callback webhook endpoint email mail phone path paths file filename"
    " directory dir command cmd script exec query sql template cron schedule password secret token key keys credential"
    " credentials auth owner user role roles permission permissions"
)
"""Words of properties by which a service may reach somebody, run something, or give somebody rights."""
_IN_NAMES = word_set("name names title label slug description")
"""Last words after which such a property is only a text: `endpoint_name`, `key_description`."""


class OptionalProbes:
    """Creations with more than was accepted before."""

    def __init__(self, bench: StateBench) -> None:
        self._bench = bench

    def optional(self, operation: Operation, text: str = "") -> dict[str, Json]:
        """The texts, objects and lists of texts that a body may have and no accepted one had, each with `text`."""
        found = ((name, _value(part, text)) for name, part in self._untried(operation) if _is_harmless(name))
        return dict(islice(((name, value) for name, value in found if value is not None), MAX_OPTIONAL))

    def references(self, operation: Operation) -> list[tuple[str, Json]]:
        """The IDs of other things that a body may have, each with the known form of such an ID."""
        noun = subject(operation.path).noun
        schema = properties_of(operation.body_schema)
        named = [name for name in schema if is_reference(name, noun)]
        forms = ((name, _id_form(schema[name])) for name in named if not schema[name].get("readOnly"))
        return list(islice(((name, form) for name, form in forms if form is not None), MAX_REFERENCES))

    def _untried(self, operation: Operation) -> Iterator[tuple[str, Schema]]:
        schema = operation.body_schema
        tried = {name for call in self._bench.good(operation) for name in sent_properties(call)}
        required = schema.required if schema is not None else ()
        for name, part in properties_of(schema).items():
            if name not in tried and name not in required and not part.get("readOnly") and not is_id_name(name):
                yield name, part

    def add_optional(self, operation: Operation) -> Steps[None]:
        """Create with all of them; what a refusal names is then sent by itself, and left out.

        What is taken is sent again for another thing: it may have to be its own.
        """
        before = self._bench.places.existing_items()
        yield from self._add(operation, self.optional(operation, str(self._bench.places.chosen_id(""))))
        yield from self._remove_since(before)

    def _add(self, operation: Operation, more: dict[str, Json]) -> Steps[None]:
        template = self._bench.template(operation)
        for _ in range(MAX_ROUNDS):
            if template is None or not more:
                return
            call = yield from self._create(operation, template, more)
            if call is None or call.ok:
                yield from self._create(operation, template, more)
                return
            named = _named(call, more) if call.status in INVALID else []
            if not named:
                return
            for name in named:
                if len(more) > 1:
                    yield from self._create(operation, template, {name: more[name]})
            more = {name: value for name, value in more.items() if name not in named}

    def refer(self, operation: Operation) -> Steps[None]:
        """Create with the ID of something that nothing has: each of two, for each property."""
        template, before = self._bench.template(operation), self._bench.places.existing_items()
        for name, form in self.references(operation) if template is not None else ():
            for _ in range(_PAIR):
                yield from self._create(operation, template, {name: self._bench.places.chosen_id(form)})
        yield from self._remove_since(before)

    def _remove_since(self, before: set[str]) -> Steps[None]:
        """Remove what was created since: what others are tried on is what was created with little."""
        for item in self._bench.places.new_items(before):
            yield from self._bench.remove(item)

    def _create(self, operation: Operation, template: Call | None, more: dict[str, Json]) -> Steps[Call | None]:
        """A creation like one before, with more properties."""
        place = self._bench.places.place_to_write(operation)
        if template is None or place is None:
            return None
        sent = self._bench.anew(operation, template, place)
        call: Call = yield from self._bench.make(operation, sent | {"body:": {**sent["body:"], **more}})
        return call


def _named(call: Call, more: Iterable[str]) -> list[str]:
    """The added properties that a refusal names."""
    names = {name for hint in hints_of(call) for name in (hint.name, *hint.pointer.split("/"))}
    return [name for name in more if name in names]


def _is_harmless(name: str) -> bool:
    parts = words(name)
    return parts[-1:] != () and (parts[-1] in _IN_NAMES or _REACHING.isdisjoint(parts))


def _value(part: Schema, text: str) -> Json:
    """A value with a text, if any text, any object or any list of texts is taken by a schema; None if not."""
    if part.alternatives() or _is_limited(part):
        return None
    if part.type == "object":
        return {"title": text} if not part.properties() else None
    items = part.items() if part.type == "array" else None
    is_list = items is not None and items.type == "string" and not _is_limited(items)
    return [text] if is_list else text if part.type == "string" else None


def _is_limited(schema: Schema) -> bool:
    return any(part.enum or part.format or part.get("pattern") for part, _ in schema.parts())


def _id_form(part: Schema) -> Json:
    """An ID as a property has it; None for a list, or an object."""
    forms: dict[str | None, Json] = {"integer": 1, "string": run_name(0, PROBES)}
    is_uuid = any(one.format == "uuid" for one, _ in part.parts())
    return run_uuid(0, PROBES) if is_uuid else None if part.alternatives() else forms.get(part.type)
