"""Trials of POSTs that say that they read: on something of the run's own, before they may go to what is of others.

What the operation is about, and the run's own things that it is given, are looked at before and after. Where nothing
changed, the operation reads; where something did, it counts as an action from there on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from urllib.parse import unquote

from docrev.calls.journal import Journal
from docrev.calls.path_texts import above, last_segment, noun_of
from docrev.calls.routes import Routes
from docrev.calls.seen_things import is_unique_id
from docrev.conventions.described_values import described_values
from docrev.conventions.examples import fit
from docrev.conventions.fields import NAMES
from docrev.conventions.graphql import EMPTY
from docrev.conventions.ids import identifies, is_id_name, refers_to
from docrev.conventions.lists import list_of
from docrev.conventions.run_names import is_invented, run_name
from docrev.conventions.sql import own_query
from docrev.exploration.candidates import Candidates
from docrev.exploration.second_looks import SecondLooks
from docrev.exploration.subjects import Perform, Subject
from docrev.json_values.containers import mapping
from docrev.json_values.leaves import leaves, members
from docrev.json_values.pointer import split
from docrev.language.verbs import reading_verb
from docrev.language.words import words
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, JournalItem, Json
from docrev.spec import Operation, Schema
from docrev.spec.schema import places_in, properties_of

MAX_TRIALS = 4
"""Calls by which an operation is tried."""
MAX_LOOKS = 4
"""Things that are looked at before and after a trial."""
_MAX_WITHIN = 2
"""Bodies that select by a name deep in them."""
_MAX_ITEMS = 1
_NOBODYS = run_name(999_999)
"""A name that nothing has."""


class ReadTrials:
    """Tries operations that say that they read, and notes in the journal's `readings` what the trials show."""

    def __init__(self, journal: Journal, candidates: Candidates, looks: SecondLooks) -> None:
        self._journal, self._candidates, self._looks = journal, candidates, looks

    def is_about(self, subject: Subject) -> bool:
        """Whether an operation says that it reads, though it is a POST."""
        return self._journal.effects.of(subject.operation).kind == "query"

    def run(self, subject: Subject, perform: Perform) -> Steps[None]:
        """Try an operation until it has read something of the run's own, or has changed something."""
        operation, readings = subject.operation, self._journal.readings
        subject.why = "nothing shows that it only reads: there is nothing of the run's own to try it on"
        for _ in range(MAX_TRIALS):
            items, near = self._own_items(subject)
            plain = _looks_at(operation, items, self._journal.routes, self._own_path(subject))
            before: list[Call] = yield from self._looks.seen(plain)
            name = self._own_name(items, before)
            arguments = subject.new(self._sets(subject, name, _id_in(operation, items)))
            if arguments is None:
                return
            call: Call = yield from perform(subject, arguments)
            if call.status is None:
                continue
            pointers: set[str] | None = yield from self._looks.changed(before, plain)
            if pointers is None:
                return
            if pointers:
                readings.reads[operation.key] = False
                self._looks.tell(operation.key, "it was tried", pointers, [call])
                return
            if call.ok and self._has_read(operation, call):
                readings.reads[operation.key] = True
                return
            if call.ok and (not near or name == _NOBODYS or list_of(call) is None):
                # There is nothing that it could find, or it shows nothing of what it finds.
                return

    def _has_read(self, operation: Operation, call: Call) -> bool:
        """Whether a trial that changed nothing was about something: its own target, or what it found by its name."""
        if self._journal.effects.of(operation).parents or reading_verb(operation) == "graphql":
            return True
        found = list_of(call)
        names = self._journal.readings.own_names
        return found is not None and any(value in names for _, value in leaves(found.items) if isinstance(value, str))

    # What is sent

    def _sets(self, subject: Subject, name: str, id: str) -> Iterator[dict[str, Json]]:
        """Arguments that address or select something of the run's own, or nothing at all; mended ones first."""
        parents = self._journal.effects.of(subject.operation).parents
        for arguments in chain([*subject.mended], self._candidates.sets(subject, parents=parents)):
            if parents:
                yield arguments
            else:
                chosen = arguments.get("body:")
                if reading_verb(subject.operation) == "graphql":
                    yield {**arguments, "body:": {"query": EMPTY}}
                    continue
                named = _own_selections(subject.operation, chosen, name)
                for body in (*_selections_by_id(subject.operation, chosen, id), *named, chosen):
                    selecting = self._candidates.as_given(subject.operation, body)
                    if self._journal.readings.selects_nothing_of_others(subject.operation, selecting):
                        yield {**arguments, "body:": selecting}

    def _own_path(self, subject: Subject) -> Mapping[str, Json]:
        """The path arguments of the next trial: those of something of the run's own."""
        parents = self._journal.effects.of(subject.operation).parents
        return next(self._candidates.paths.of(subject.operation, parents=parents), {}) if parents else {}

    def _own_name(self, items: list[JournalItem], seen: list[Call]) -> str:
        """The name of something that the run created and that is there; one that nothing has if nothing shows any."""
        routes = self._journal.routes
        places = {item.path for item in items if item.confirmed}
        shown = [call.body for call in seen if call.ok and routes.path(call.key).fill(call.arguments) in places]
        # What docrev did not make up may be the name of somebody's thing too.
        names = [name for body in shown for name in _names_in(body) if is_invented(name)]
        ids = filter(is_unique_id, (last_segment(item.path) for item in items if item.confirmed))
        self._journal.readings.own_names.update(names, ids)
        return names[0] if names else _NOBODYS

    # What is looked at

    def _own_items(self, subject: Subject) -> tuple[list[JournalItem], bool]:
        """Things of the run's own that an operation may be about, and whether it certainly is: they are of its
        collection, or its body has their IDs, which come first.
        """
        operation = subject.operation
        there = [item for item in self._journal.items if item.tool == operation.tool and not item.deleted]
        above = operation.path.rstrip("/").rpartition("/")[0]
        near = [item for item in there if above and item.path.startswith(above + "/")]
        # A thing itself says more of what lists its kind than what lies in one.
        near.sort(key=lambda item: item.path.count("/") == above.count("/") + 1)
        named = self._named_in_bodies(subject, near or there)
        return (named or near or there)[-_MAX_ITEMS:], bool(named or near) or not above

    def _named_in_bodies(self, subject: Subject, items: list[JournalItem]) -> list[JournalItem]:
        """Those of the run's own things whose IDs the bodies of an operation would have."""
        sent = {value for body in self._candidates.bodies.of(subject) for _, value in leaves(body)}
        return [item for item in items if item.confirmed and unquote(last_segment(item.path)) in sent]


def _names_in(body: Json) -> list[str]:
    """The texts in a response that are names of things."""
    named = (value for member, value in members(body) if identifies(member.rpartition("/")[2]))
    return [value for value in named if isinstance(value, str)]


def _looks_at(operation: Operation, items: list[JournalItem], routes: Routes, path: Mapping[str, Json]) -> list[Invoke]:
    """GETs of what lies above an operation, of the items, and of the lists that they are in."""
    paths = [place for item in items for place in (item.path, item.path.rpartition("/")[0])]
    if len(path) == len(routes.path(operation.key).names):
        filled = routes.path(operation.key).fill(path)
        paths += above(filled)
    looks = (routes.get(operation.tool, place) for place in dict.fromkeys(paths) if place)
    return [replace(look, purpose="survey") for look in looks if look is not None][:MAX_LOOKS]


def _id_in(operation: Operation, items: Iterable[JournalItem]) -> str:
    """The ID of the first of some things that are of the kind which an operation is about; "" if there is none."""
    above = operation.path.rstrip("/").rpartition("/")[0]
    there = (item.path.rpartition("/") for item in items if item.confirmed)
    return next((unquote(last) for place, _, last in there if above and place == above), "")


def _selections_by_id(operation: Operation, body: Json, id: str) -> Iterator[Json]:
    """Bodies that select the one thing with an ID, by the members that are IDs of its kind: `ids`, `note_id`."""
    schema, noun = operation.body_schema, noun_of(operation.path.rstrip("/").rpartition("/")[0])
    required = schema.required if schema is not None else ()
    rest = {member: value for member, value in mapping(body).items() if member in required}
    for member, part in properties_of(schema).items() if id else ():
        if is_id_name(member) and (len(words(member)) == 1 or refers_to(member, noun)):
            yield from ({**rest, member: value} for value in _as_id(id, part))


def _as_id(id: str, part: Schema) -> Iterator[Json]:
    """An ID as the value of a member, which may be a list of IDs; nothing if the member takes no such ID."""
    item = part.items() if part.type == "array" else part
    fitting = fit(id, item) if item is not None else id
    if fitting is not None:
        yield [fitting] if part.type == "array" else fitting


def _own_selections(operation: Operation, body: Json, name: str) -> Iterator[Json]:
    """Bodies that select what is called so: by one member each, then by all texts. None if there is no place for it."""
    schema = operation.body_schema
    everywhere = [named for named in [_named(body, schema, name)] if named != body]
    if not isinstance(body, dict) or schema is None:
        yield from everywhere
        return
    texts = {member: part for member, part in schema.properties().items() if _is_free_text(part)}
    rest = {member: value for member, value in body.items() if member not in texts}
    for member in sorted(texts, key=lambda member: member not in NAMES):
        yield {**rest, member: own_query(member, texts[member], name)}
    yield from everywhere
    yield from ({**rest, **inner} for inner in islice(_selections_within(operation, name), _MAX_WITHIN))


def _selections_within(operation: Operation, name: str) -> Iterator[dict[str, Json]]:
    """Bodies that have a name in one place, deep in them: `{"notes": {"name": {"any": [NAME]}}}`.

    Those come first in which members are called like the things that are listed, and like names.
    """
    posted = words(operation.path.rstrip("/").rpartition("/")[0].rpartition("/")[2])[-1:]
    places: list[tuple[bool, bool, str]] = []
    schema = operation.body_schema
    for place, part in places_in(schema):
        parts = split(place)
        identifying = any(map(identifies, parts))
        if len(parts) > 1 and _is_free_text(part) and identifying:
            named = not {*NAMES, "key", "slug"}.isdisjoint(parts)
            places.append((words(parts[0])[-1:] != posted, not named, place))
    for _, _, place in sorted(places, key=lambda entry: entry[:2]):
        value: Json = name
        for name_or_item in reversed(split(place)):
            value = [value] if name_or_item == "0" else {name_or_item: value}
        if isinstance(value, dict):
            yield value


def _named(value: Json, schema: Schema | None, name: str) -> Json:
    """A JSON value with a name in place of every text that may be any."""
    if isinstance(value, dict):
        inner = properties_of(schema)
        return {member: _named(part, inner.get(member), name) for member, part in value.items()}
    if isinstance(value, list):
        return [_named(part, schema.items() if schema is not None else None, name) for part in value]
    return name if isinstance(value, str) and (schema is None or _is_free(schema)) else value


def _is_free_text(schema: Schema) -> bool:
    return schema.type == "string" and _is_free(schema)


def _is_free(schema: Schema) -> bool:
    return not (schema.enum or schema.format or described_values(schema.description))
