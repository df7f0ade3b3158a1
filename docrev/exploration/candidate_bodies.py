"""Request bodies to try: what is required, values that were seen, all that is documented, then one thing at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from docrev.calls.effects import is_batch
from docrev.calls.media import is_text_or_file
from docrev.calls.path_texts import noun_of
from docrev.calls.seen_codes import SeenCodes
from docrev.conventions import examples
from docrev.conventions.described_values import described_values
from docrev.conventions.error_claims import TYPED
from docrev.conventions.examples import fitting_values, is_single
from docrev.conventions.fields import PLAIN_IDS, is_name_field
from docrev.conventions.hint_locations import name_at, schema_at
from docrev.conventions.ids import is_id_name, names_no_kind
from docrev.conventions.ranks import unranked
from docrev.conventions.run_names import is_made_up, run_name
from docrev.exploration.bodies import body_variants, forms, marked, named_in
from docrev.exploration.contexts import Contexts
from docrev.exploration.described_bodies import described_bodies
from docrev.exploration.lessons import Lessons
from docrev.exploration.listed_values import listed_values
from docrev.exploration.own_emails import is_email, own_emails
from docrev.exploration.own_members import own_members
from docrev.exploration.own_parts import parts_called, parts_described
from docrev.exploration.parameter_values import guessed_by_name
from docrev.exploration.run_numbers import RunNumbers
from docrev.exploration.scopes import Scopes
from docrev.exploration.seen_objects import SeenObjects
from docrev.exploration.subjects import Subject
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.canonical import canonical, unique
from docrev.json_values.containers import mapping
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import join, last, placed, split
from docrev.language.path_templates import ends_in_parameter, shape_of
from docrev.language.words import words
from docrev.records import Json, OperationKey
from docrev.spec import Body, Operation, Schema
from docrev.spec.schema import properties_of

MAX_LINKS = 3
"""Links to things that a member may refer to."""
_LINKS = frozenset({"uri", "uri-reference", "url", "iri", "iri-reference"})
"""Formats of members that may refer to a thing by its link."""


class CandidateBodies:
    """Proposes request bodies, and values for places in them."""

    def __init__(
        self,
        graph: ToolGraph,
        contexts: Contexts,
        seen: SeenObjects,
        lessons: Lessons,
        numbers: RunNumbers,
        scopes: Scopes,
        codes: SeenCodes | None = None,
    ) -> None:
        self._graph, self._contexts, self._seen, self._codes = graph, contexts, seen, codes
        self._lessons, self._numbers, self._scopes = lessons, numbers, scopes

    def full(self, subject: Subject) -> Json:
        """A request body with everything that is documented; None if there is no body, or it carries requests."""
        operation = subject.operation
        if operation.body is None or operation.body.schema is None or batch_body(operation, "/") is not None:
            return None
        full = self._example(subject, operation.body.schema, full=True)
        if not subject.safe:
            full = unranked(full, operation.body.schema.required)
        return self._taught(operation, self._corrected(full, full, subject))

    def of(self, subject: Subject) -> list[Json]:
        """Request bodies: what is required, that with values that were seen, then all that is documented, then more.

        [None] if there is no body.
        """
        operation = subject.operation
        schema = operation.body_schema
        if operation.body is None or schema is None or _says_nothing(schema):
            return [None if operation.body is None else self._undescribed(subject, operation.body)]
        minimal, every = (self._example(subject, schema, full=full) for full in (False, True))
        full = every if subject.safe else unranked(every, schema.required)
        start = marked(minimal, full) if subject.creates else minimal
        plain = [
            self._corrected(start, full, subject),
            *self._called_anew(subject, start),
            *self._joining(subject, start),
            *self._with_seen(subject, start),
        ]
        plain += self._shown_before(subject)
        plain += described_bodies(operation.description, schema, minimal, full)
        wide = [self._corrected(full, full, subject), minimal, full, *body_variants(schema, minimal, every)]
        open_forms = forms(schema, start, partial(self._example, subject))
        bodies = [self._taught(operation, self._in_scope(subject, body, full)) for body in (*plain, *open_forms, *wide)]
        return list({canonical(body): body for body in bodies}.values())

    def _in_scope(self, subject: Subject, body: Json, full: Json) -> Json:
        """The body of a creation, with what it must say for its thing to be found."""
        if not subject.creates or not isinstance(body, dict) or not isinstance(full, dict):
            return body
        refused = {statement.name for statement in subject.statements.values() if statement.kind == "unknown"}
        names = (name for name in self._scopes.of(subject.operation) if name in full and name not in refused)
        return body | {name: full[name] for name in names}

    def _example(self, subject: Subject, schema: Schema, *, full: bool = False) -> Json:
        """A body of what is required, or with `full` of everything, of values that are known or made up."""

        def lookup(pointer: str, part: Schema) -> list[Json]:
            return self._known_of_body(subject, pointer, part)

        return examples.example_body(schema, lookup, full=full, number=self._numbers.of(subject))

    def _shown_before(self, subject: Subject) -> Iterator[Json]:
        """For a change: the item as a GET shows it, as far as it may be sent, and each compound part of it alone."""
        operation = subject.operation
        shown = self._seen.item(operation)
        schema = operation.body_schema
        if operation.route.method not in ("PUT", "PATCH") or not isinstance(shown, dict) or schema is None:
            return
        names = _writable_names(schema, shown)
        if names:
            yield {name: shown[name] for name in names}
        for name in names:
            if isinstance(shown[name], dict | list) and shown[name]:
                yield {name: shown[name]}

    def _known_of_body(self, subject: Subject, pointer: str, part: Schema) -> list[Json]:
        """What is known of a part of a body before anything is made up."""
        operation, name = subject.operation, name_at(f"body:{pointer}")
        called = name_inside(pointer)
        own = self.own_values(operation, called if subject.creates else _name_with_kind(operation, called), part)
        links = self._seen.links(operation.tool, name) if part.format in _LINKS else []
        if links:
            # No ID will do where a link is wanted; what is of others comes last.
            own = sorted(links, key=lambda link: not self._contexts.leads_to_own(operation.tool, link))[:MAX_LINKS]
        stated = stated_values(subject, name, "body")
        identity = self._identity(subject, pointer, part)
        if identity is not None:
            return fitting_values([*stated, *identity], part)
        found = [*stated, *own]
        # What refers to a kind of thing that the run has made never refers to somebody's.
        for edge in self._graph.producers(operation.key, f"body:{pointer}")[:2] if not own else ():
            found += self._sendable(operation, edge.source, edge.pointer)[:2]
        if subject.creates and not own:
            found += self._contexts.by_kind.known_ids(operation, called)[:2]
        if last(pointer).isdecimal() and not own and not subject.acts:
            listed = listed_values(self._graph.values, operation.tool, name, part.type)
            found += self._harmless(operation, name, listed)
        return fitting_values(found, part)

    def own_values(self, operation: Operation, name: str, part: Schema | None) -> list[Json]:
        """What a member may be that is called after things that the run created, but for what its schema excludes."""
        found = own_members(self._contexts, self._seen, operation.tool, name)
        parts = parts_called(self._graph.values, operation, name)
        own = unique([*found, *self._contexts.by_kind.own_ids(operation.tool, name), *parts])
        return own if part is None or part.enum is None else [value for value in own if value in part.enum]

    def of_kind(self, subject: Subject, noun: str) -> list[Json]:
        """The IDs of what a refusal calls by a noun: of the run's own things, or else those that a creation may refer
        to. A `strategy type` may be one of the `/strategies`.
        """
        kinds, operation = self._contexts.by_kind, subject.operation
        nouns = dict.fromkeys([noun, noun.removesuffix(" type")])
        own = next((ids for called in nouns if (ids := kinds.own_ids(operation.tool, called))), [])
        if own or not subject.creates:
            return own
        return next((ids for called in nouns if (ids := kinds.known_ids(operation, called))), [])

    def _identity(self, subject: Subject, pointer: str, part: Schema) -> list[Json] | None:
        """What a member must be for the thing to be found as the run's own; None if it says nothing of that."""
        operation = subject.operation
        scope = self._scopes.value(operation, pointer, part, guess=subject.creates)
        if scope is not None:
            return [scope]
        if not subject.creates or pointer.count("/") != 1:
            return None
        name = name_at(f"body:{pointer}")
        is_noun = part.type == "string" and words(name) == words(noun_of(operation.route.path))
        if not is_noun and not self._contexts.by_kind.names_itself(operation, name):
            return None
        # What it is called by in its path is its ID; a text that is called as the thing itself is what names it.
        own_id = examples.own_identity("/id", part, self._numbers.of(subject))
        return [] if own_id is None else [own_id]

    def _taught(self, operation: Operation, body: Json) -> Json:
        """The body with each value as errors wanted it under that name."""
        for pointer, value in leaves(body):
            schema = schema_at(operation, f"body:{pointer}")
            taught = self._lessons.fitting(operation.tool, f"body:{pointer}", value, schema)
            if taught != value:
                body = placed(body, pointer, taught)
        return body

    def _called_anew(self, subject: Subject, body: Json) -> Iterator[Json]:
        """The body of a creation with a name of the run in place of a text that an answer showed, one after the other.

        What reads like a reference, `external_id`, may be what each thing is known by: then somebody's has it already.
        """
        operation, own, values = subject.operation, run_name(self._numbers.of(subject)), self._graph.values
        for name, value in mapping(body).items() if subject.creates else ():
            part = schema_at(operation, f"body:{join(name)}")
            if part is None or is_made_up(value) or value in examples.documented_values(part):
                continue
            shown = (values.samples(*place) for place in values.named(operation.tool, name))
            if isinstance(value, str) and any(value in of_place for of_place in shown):
                yield from ({**mapping(body), name: new} for new in fitting_values([own], part))

    def _joining(self, subject: Subject, body: Json) -> Iterator[Json]:
        """The body of what may add a thing to another one, and makes none: with the ID of a thing of the run's own.

        For `POST /users/{id}/roles`, `id` may be that of a role that is there.
        """
        operation = subject.operation
        for name in body if isinstance(body, dict) and subject.creates else ():
            called = _name_with_kind(operation, name)
            own = self._contexts.by_kind.own_ids(operation.tool, called) if is_id_name(name) and called != name else []
            yield from ({**body, name: id} for id in own[:1])

    def _with_seen(self, subject: Subject, body: Json) -> Iterator[Json]:
        """The body with other values for what was made up: those that answers showed under the same names."""
        if not isinstance(body, dict):
            return
        for name, value in body.items():
            if is_made_up(value):
                part = schema_at(subject.operation, f"body:{join(name)}")
                mentioned = named_in(part.description) if part is not None else []
                seen = self.seen_as(subject.operation, join(name))[:2]
                # What is done to something is given no id or name of somebody's, but maybe a content.
                seen = [value for value in seen if _is_content(value) or is_email(value)] if subject.acts else seen
                for other in unique([*seen, *mentioned[:2]]):
                    yield {**body, name: other}

    def seen_as(self, operation: Operation, pointer: str) -> list[Json]:
        """Values that answers showed under a name: in the same place of what lies nearest to the operation first."""
        places = self._graph.values.named(operation.tool, last(pointer))
        stem, inside = shape_of(operation.route.path), split(pointer)

        def distance(place: tuple[OperationKey, str]) -> tuple[bool, bool, bool]:
            shape, seen = shape_of(place[0].path), [key for key in split(place[1].partition(":")[2]) if key != "0"]
            wanted = [key for key in inside if key != "0"]
            return seen[-len(wanted) :] != wanted, shape != stem, not shape.startswith(stem)

        near = sorted(places, key=distance)
        values = (value for place in near[:4] for value in self._sendable(operation, *place)[:4])
        own = own_emails(operation, self._graph.values) if "mail" in last(pointer).lower() else []
        return unique([*own, *(value for value in values if value != "" and not is_made_up(value))])

    def _sendable(self, operation: Operation, source: OperationKey, pointer: str) -> list[Json]:
        """Values that answers showed, and a body may carry."""
        name = name_at(f"body:{pointer.partition(':')[2]}")
        return self._harmless(operation, name, self._graph.values.samples(source, pointer))

    def _harmless(self, operation: Operation, name: str, shown: Sequence[Json]) -> list[Json]:
        """Values of what is called so, but for those of somebody: a service may connect to what it is sent, or write to
        it, and a URL or a host that leads elsewhere, an e-mail address or a code is somebody's.
        """
        elsewhere, codes, tool = self._graph.values.leads_elsewhere, self._codes, operation.tool
        kept = (value for value in shown if not elsewhere(tool, name, value))
        kept = (value for value in kept if codes is None or codes.holder(tool, value) is None)
        return [value for value in kept if is_made_up(value) or not is_email(value)]

    def _undescribed(self, subject: Subject, body: Body) -> Json:
        """A body without a schema: a text or a file of the run's own, or an empty object."""
        return run_name(self._numbers.of(subject)) if is_text_or_file(body.media_type) else {}

    def suggest(self, subject: Subject, pointer: str, own: Sequence[Json]) -> list[Json]:
        """Values for a place in a body, the run's own first."""
        return self.suggest_for(subject, pointer, schema_at(subject.operation, f"body:{pointer}"), own)

    def suggest_for(self, subject: Subject, pointer: str, part: Schema | None, own: Sequence[Json]) -> list[Json]:
        """Values for a part of what says what is to be made or changed: nothing that may be somebody's."""
        name, number = last(pointer), self._numbers.of(subject)
        if part is not None and (part.type in ("object", "array") or part.properties()) and not is_single(part):
            bodies = (examples.example_body(part, lambda p, s: [], full=full, number=number) for full in (False, True))
            referring = self._referring(subject, pointer, part)
            return unique([referring, *bodies, *self._filled(subject.operation, part, number)])
        found: list[Json] = list(own)
        if part is not None:
            called = examples.own_name(name, part, number)
            found += [*([] if called is None else [called]), *examples.documented_values(part)]
            found += described_values(part.description)
            found += [*self._known_of_body(subject, pointer, part), *named_in(part.description)]
        found += self._unproven(subject, pointer, part, number)
        return unique(found if part is None else fitting_values(found, part))

    def _referring(self, subject: Subject, pointer: str, part: Schema) -> Json:
        """A part of a body with the IDs of what it refers to, as far as they are known."""

        def lookup(inside: str, inner: Schema) -> list[Json]:
            is_id = last(inside).lower() in PLAIN_IDS
            return self._known_of_body(subject, f"{pointer}{inside}", inner) if is_id else []

        return examples.part_of_body(part, lookup, self._numbers.of(subject))

    def _filled(self, operation: Operation, part: Schema, number: int) -> Iterator[Json]:
        """What takes any properties with one that is called as a part of the run's own thing."""
        if part.type == "object" and not part.properties() and part.get("additionalProperties") is not False:
            named = parts_described(self._graph.values, operation, part.description)[:1]
            yield from ({str(name): run_name(number)} for name in named)

    def _unproven(self, subject: Subject, pointer: str, part: Schema | None, number: int) -> list[Json]:
        """Values that were seen under the name of a member, or are guessed.

        A text that is guessed is a name of the run, and so is all that an id or an action is given, or what refers to a
        kind of thing that the run has made: anything else may be somebody's thing.
        """
        name = last(pointer)
        guessed = [*(examples.guess_values(name, part) if part is not None else ()), *guessed_by_name(name)]
        named = [examples.named_after_run(value, number) for value in guessed]
        named = [value for value in named if is_made_up(value) or value not in _ANYTHING]
        of_run = list(filter(is_made_up, named))
        if is_id_name(name) or subject.acts or self._contexts.by_kind.own_ids(subject.operation.tool, name):
            return of_run
        # What is created is called as nothing else is, if it may be: its name may be its address, in any parent.
        first = of_run if subject.creates and is_name_field(name) else []
        return [*first, *self.seen_as(subject.operation, pointer), *named]

    def _corrected(self, body: Json, full: Json, subject: Subject) -> Json:
        """The body as errors want it: with what they missed, without what they refused."""
        if not isinstance(body, dict):
            return body
        changed = dict(body)
        for statement in subject.statements.values():
            name = statement.name
            if statement.place not in ("", "body"):
                continue
            if statement.kind == "required":
                known = full.get(name) if isinstance(full, dict) else None
                guess = examples.named_after_run(guessed_by_name(name)[0], self._numbers.of(subject))
                changed.setdefault(name, guess if known is None else known)
            elif not stated_values(subject, name, "body"):
                changed.pop(name, None)
        return changed


def _says_nothing(schema: Schema) -> bool:
    """Whether a schema takes anything: it is empty, or refers to what is not there."""
    known = schema.properties() or schema.alternatives() or examples.documented_values(schema)
    return schema.type is None and not known


def batch_body(operation: Operation, path: str) -> Json:
    """The body of an operation that carries other requests: one GET of `path`; None if it carries none."""
    schema = operation.body_schema
    for name, part in properties_of(schema).items():
        item = part.items()
        inner = properties_of(item)
        target = next((key for key in ("path", "url", "uri", "relative_url") if key in inner), None)
        # Things have links, too: a request has a method, or its carrier is named as one.
        carries = part.type == "array" and ("method" in inner or is_batch(operation))
        if target is not None and carries:
            return {name: [{**({"method": "GET"} if "method" in inner else {}), target: path}]}
    return None


def stated_values(subject: Subject, name: str, place: str) -> list[Json]:
    """What errors say that a parameter or property may be: the allowed values, or some of the type."""
    about_it = [s for s in subject.statements.values() if s.name == name and s.place in ("", place)]
    allowed: list[Json] = [value for s in about_it if s.kind == "allowed-values" for value in s.values]
    return allowed + [value for s in about_it if s.kind in TYPED for value in examples.values_of_type(s.values[0])]


def _writable_names(schema: Schema, item: Mapping[str, Json]) -> list[str]:
    """The properties of a body that an item has and that may be sent."""
    return [name for name, part in schema.properties().items() if name in item and not part.get("readOnly")]


def name_inside(pointer: str) -> str:
    """What says of which kind an ID in an object in a body is, if its name does not: `id` in `domain` is a domain's."""
    *above, name = [key for key in split(pointer) if not key.isdecimal()] or [""]
    return f"{above[-1]}_{name}" if above and names_no_kind(name) else name


def _name_with_kind(operation: Operation, name: str) -> str:
    """What says of which kind an ID in a body is, if its name does not: `id` for `/users/{id}/roles` is a role's."""
    inside = "}" in operation.route.path and not ends_in_parameter(operation.route.path)
    return f"{noun_of(operation.route.path)}_{name}" if inside and names_no_kind(name) else name


def _is_content(value: Json) -> bool:
    """Whether a text is written in some language, such as XML or JSON: it names nothing."""
    return isinstance(value, str) and value.lstrip()[:1] in ("<", "{", "[") and len(value) > 2


_ANYTHING = ("1", "a")
"""Texts that are guessed for anything, and may be the id of something."""
