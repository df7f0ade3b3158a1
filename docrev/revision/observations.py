"""What the evidence shows of each operation of the catalog, as the drafts need it: bounded samples, facts, examples.

Texts rest on calls that were made to do something; on those of probes, which send nonsense on purpose, only if there
are no others. What probes show is in the facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from docrev.calls.route_arguments import argument
from docrev.calls.routes import Routes, template
from docrev.conventions.lists import list_of
from docrev.conventions.parameters import Role, role_of
from docrev.conventions.statuses import is_success
from docrev.conventions.time_order import claimed_order
from docrev.evidence import Evidence
from docrev.evidence.part import EvidencePart
from docrev.evidence.queries import arguments
from docrev.facts.invented_properties import invented
from docrev.facts.samples import Sample, samples
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import leaves, objects, values_at
from docrev.json_values.pointer import last
from docrev.json_values.scalars import is_whole
from docrev.language.words import words
from docrev.records import Call, Experience, Fact, Json, OperationKey, Scenario
from docrev.revision.fact_calls import beside_defaults, left_out
from docrev.revision.next_pages import Link, next_page_parameters, noting_links
from docrev.revision.removals import refused_removals, removals, with_statuses
from docrev.revision.response_samples import names_as_keys
from docrev.revision.run_values import temporary_values
from docrev.spec import Catalog, Operation, Schema
from docrev.spec.schema import places_in

MAX_CALLS = 20
MAX_VALUES = 12
MAX_DEPTH = 3
_UTC = re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|\+00:?00)")
_ON_FIELDS = ("scaled", "coded", "observed-values")
_FIRST_ERROR = 400


@dataclass(frozen=True)
class ObservedOperation:
    """One operation with what was seen of it. `good` are calls answered 2xx, `bad` errors; at most 20 per status."""

    operation: Operation
    good: tuple[Call, ...]
    bad: tuple[Call, ...]
    facts: dict[str, tuple[Fact, ...]] = field(default_factory=dict)
    next_page: tuple[str, ...] = ()
    """The query parameters that only the URL of the next page has, if a header gives it."""
    next_header: tuple[str, str] = ("", "")
    """The header that led to a next page, and the call whose response had it; empty if none did."""
    disguised: tuple[Call, ...] = ()
    """Calls answered 2xx with a body that says that they failed."""
    other_than_default: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    """By location: the values, other than the default, of the calls that show it."""
    left_out: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By location of an object in a request: the members that were left out to see what becomes of them."""
    free_texts: frozenset[str] = frozenset()
    """The locations at which a text that the run made up was accepted, if only by a probe."""

    @property
    def key(self) -> OperationKey:
        return self.operation.key

    @cached_property
    def sent(self) -> dict[str, list[tuple[Json, str]]]:
        """The argument values that were accepted, by location, each with its call; body leaves by `body:/ptr`."""
        # An argument that found something shows more than one that was only not refused.
        calls = sorted(self.good, key=_found_nothing)
        return grouped((location, (value, call.id)) for call in calls for location, value in arguments(call))

    @cached_property
    def item_fields(self) -> frozenset[str]:
        """The names of the fields that all listed items have: one that some lack is what users put into their own."""
        whole = (
            call for call in self.good if Role.FIELDS not in {role_of(at.partition(":")[2]) for at in call.arguments}
        )
        listed = (found.items for call in whole if (found := list_of(call)) is not None)
        names = [frozenset(item) for items in listed for item in items if isinstance(item, dict)]
        return frozenset.intersection(*names) if names else frozenset()

    def got(self, status: int, pointer: str) -> list[tuple[Json, str]]:
        """The values at a place of the responses with `status`, each with its call."""
        return [
            (value, call.id)
            for call in self.good
            if call.status == status
            for value in values_at(call.body, pointer)[:MAX_VALUES]
        ]

    def body(self, pointer: str) -> list[tuple[Json, str]]:
        """The values at a place of the request bodies that were accepted, objects and lists too."""
        return [
            (value, call.id)
            for call in self.good
            if "body:" in call.arguments
            for value in values_at(call.arguments["body:"], pointer)[:MAX_VALUES]
        ]

    def declared(self, location: str) -> Schema | None:
        """The schema of a place in a response, such as `200:/name`; None if the document has none."""
        status, _, pointer = location.partition(":")
        response = self.operation.response(int(status))
        return dict(places_in(response.schema if response is not None else None)).get(pointer)

    def at(self, location: str) -> tuple[Fact, ...]:
        """The facts of one location."""
        return self.facts.get(location, ())

    def all(self, *kinds: str) -> list[Fact]:
        """The facts of these kinds at whatever location, by location."""
        return [fact for location in sorted(self.facts) for fact in self.facts[location] if fact.kind in kinds]


def _found_nothing(call: Call) -> bool:
    listed = list_of(call)
    return listed is not None and not listed.items


@dataclass(frozen=True)
class CatalogObservations:
    """The evidence of a whole catalog. `gone` are operations that the evidence has and the catalog does not,
    `credentials` the headers, with their schemes, that the tools were sent."""

    operations: tuple[ObservedOperation, ...]
    experiences: tuple[Experience, ...]
    scenarios: dict[str, Scenario]
    missed: dict[OperationKey, str]
    gone: tuple[OperationKey, ...]
    temporary: frozenset[str] = frozenset()
    """IDs and the like, as text, of what the run itself created and has deleted since: examples of nothing."""
    things: Mapping[OperationKey, Mapping[str, Call]] = field(default_factory=dict)
    """For lists whose text claims an order in time: the single things of their kind that were read, by their IDs."""
    credentials: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def returned(self) -> frozenset[str]:
        """The scalars, as text, that reading operations returned: what the service shows to anybody who asks."""
        read = (call for one in self.operations if one.key.method == "GET" for call in one.good)
        return frozenset(str(value) for call in read for _, value in leaves(call.body, ""))

    @cached_property
    def nested(self) -> frozenset[tuple[str, str, str]]:
        """The values of parameters of paths that have several parts, with their tool and location."""
        sent = ((one.key.tool, at, pair[0]) for one in self.operations for at in one.sent for pair in one.sent[at])
        texts = ((tool, at, str(value)) for tool, at, value in sent if at.startswith("path:"))
        return frozenset(one for one in texts if "/" in one[2].strip("/"))

    @cached_property
    def _fields_of(self) -> dict[str, set[str]]:
        """The names of the fields that a text was returned in."""
        found: dict[str, set[str]] = {}
        for call in (call for observed in self.operations for call in observed.good):
            for at, value in leaves(call.body, ""):
                if isinstance(value, str):
                    found.setdefault(value, set()).add(last(at))
        return found

    def fields_with(self, text: str) -> frozenset[str]:
        """The names of the fields that a text was returned in."""
        return frozenset(self._fields_of.get(text, ()))

    def field_of(self, values: Iterable[Json]) -> str:
        """The field for names that things have all these values in, as far as any has; "" if it may be their ID."""
        held = [self._fields_of[value] for value in values if isinstance(value, str) and value in self._fields_of]
        for name in sorted(each for each in {*chain.from_iterable(held)} if role_of(each) is Role.NAME):
            named = [fields for fields in held if name in fields]
            # A value may be returned as a reference alone: in a field that names are returned in as well.
            if "id" not in set.intersection(*named) and all(fields <= set.union(*named) for fields in held):
                return name
        return ""

    def is_value_of(self, field: str, value: Json) -> bool:
        """Whether a text was returned as the value of a field of this name, and of no other name."""
        return isinstance(value, str) and self._fields_of.get(value) == {field}

    def held_by(self, tool: str, thing: str, field: str) -> set[str]:
        """The texts that a field had in all objects in which another field identified a thing."""
        bodies = (call.body for one in self.operations if one.key.tool == tool for call in one.good)
        found = (each for body in bodies for each in objects(body, depth=MAX_DEPTH) if thing in each.values())
        return {held for each in found if isinstance(held := each.get(field), str)}

    def listed_code(self, tool: str, value: str, name: str) -> tuple[str, str] | None:
        """The field and the operation of a list in which a value identifies an item, under another name; None if there
        is none. What is the same in two items identifies none, nor what one of them lacks: it may be that of another
        thing."""
        own = {*words(name)}
        for operation, items in self._lists.get(tool, ()):
            fields = [at for item in items for at, held in item.items() if held == value]
            if len(items) > 1 and len(fields) == 1 and own.isdisjoint(words(fields[0])):
                held = {canonical(item.get(fields[0]) or None) for item in items}
                if len(held) == len(items) and canonical(None) not in held:
                    return fields[0], operation
        return None

    def fields_in(self, listing: tuple[str, str], value: str) -> set[str]:
        """The fields that have a value in the items of a list of a tool, by the list's operation."""
        tool, named = listing
        items = (item for operation, items in self._lists.get(tool, ()) if operation == named for item in items)
        return {at for item in items for at, held in item.items() if held == value}

    @cached_property
    def _lists(self) -> dict[str, list[tuple[str, list[dict[str, Json]]]]]:
        """By tool: the objects of each list that was read, with its operation, those of the whole API first."""
        found: dict[str, list[tuple[str, list[dict[str, Json]]]]] = {}
        reading = (one for one in self.operations if one.key.method == "GET")
        for observed in sorted(reading, key=lambda one: (one.key.path.count("{"), len(one.key.path))):
            for listed in filter(None, map(list_of, observed.good)):
                items = [item for item in listed.items if isinstance(item, dict)]
                found.setdefault(observed.key.tool, []).append((observed.key.operation, items))
        return found

    @cached_property
    def defaults(self) -> frozenset[tuple[str, str]]:
        """The defaults that facts state, as canonical JSON, each with the name of the parameter or property."""
        facts = (fact for observed in self.operations for fact in observed.all("default"))
        return frozenset((last(fact.location.rpartition(":")[2]), canonical(fact.value)) for fact in facts)

    @cached_property
    def _by_field(self) -> dict[tuple[str, tuple[str, ...]], list[Fact]]:
        facts = (fact for observed in self.operations for fact in observed.all(*_ON_FIELDS))
        good = (fact for fact in facts if fact.location[:1] == "2")
        return grouped(((fact.key.tool, words(last(fact.location))), fact) for fact in good)

    @cached_property
    def _returned_in(self) -> dict[tuple[str, str], list[tuple[Json, OperationKey]]]:
        """Scalars that were returned, with the operation, by tool and name of the field."""
        read = (call for observed in self.operations if observed.key.method == "GET" for call in observed.good)
        return grouped(
            ((call.key.tool, last(at)), (value, call.key)) for call in read for at, value in leaves(call.body, "")
        )

    def is_in_utc(self, tool: str, name: str) -> bool:
        """Whether all values of the fields of a name are times in UTC."""
        texts = [value for value, _ in self._returned_in.get((tool, name), ()) if value is not None]
        return bool(texts) and all(isinstance(text, str) and _UTC.fullmatch(text) for text in texts)

    def detail_of(self, key: OperationKey, name: str) -> tuple[OperationKey, Json] | None:
        """The operation on single items of a list that returns a number in the field of a name, with such a number.

        None if the list itself returns the field.
        """
        found = self._returned_in.get((key.tool, name), ())
        numbers = sorted((value, at) for value, at in found if is_whole(value))
        if not numbers or any(at == key for _, at in found):
            return None
        below = [(at, value) for value, at in numbers if value and at.path.startswith(f"{key.path.rstrip('/')}/{{")]
        return below[len(below) // 2] if below else None

    def on_fields(self, tool: str, name: str) -> Sequence[Fact]:
        """What is known of the values of all fields of a name that a tool returns."""
        return self._by_field.get((tool, words(name)), ())

    @cached_property
    def by_key(self) -> dict[OperationKey, ObservedOperation]:
        return {observed.key: observed for observed in self.operations}

    @cached_property
    def invented(self) -> frozenset[str]:
        """The names of properties that are no fields: docrev made them up, or they are the names of things."""
        made_up = invented(
            (observed.operation, _values(observed.sent), (fact for facts in observed.facts.values() for fact in facts))
            for observed in self.operations
        )
        return made_up | names_as_keys([call.body for observed in self.operations for call in observed.good])


def _values(sent: Mapping[str, Iterable[tuple[Json, str]]]) -> dict[str, list[Json]]:
    return {location: [value for value, _ in pairs] for location, pairs in sent.items()}


def read_observations(catalog: Catalog, part: EvidencePart) -> CatalogObservations:
    """What there is of `catalog`; replays are left out, as facts name them already, and clean-up but for removals."""
    evidence = part.evidence
    linking: dict[OperationKey, Link] = {}
    by_key = samples(noting_links(part.calls(), linking))
    facts = _facts_by_location(part.facts())
    routes = Routes(catalog.operations)
    groups = chain.from_iterable(sample.by_status.values() for sample in by_key.values())
    return CatalogObservations(
        operations=_paged_alike(
            _observed(
                evidence,
                operation,
                by_key.get(operation.key),
                facts.get(operation.key, {}),
                linking.get(operation.key),
            )
            for operation in catalog.operations
        ),
        experiences=part.experiences(),
        scenarios=part.scenarios(),
        missed=part.missed(),
        gone=tuple(sorted(key for key in by_key if key not in catalog)),
        temporary=temporary_values(part.items(), chain.from_iterable(groups)),
        things={
            operation.key: _things(routes.item_reader(operation), evidence)
            for operation in catalog.operations
            if claimed_order(operation.text) is not None
        },
        credentials=evidence.run.settings.get("credentials") or {},
    )


def _things(item: Operation | None, evidence: Evidence) -> dict[str, Call]:
    """The GETs of single things, by the things' IDs."""
    found: dict[str, Call] = {}
    if item is None:
        return found
    for call in evidence.calls.select(key=item.key, ok=True):
        if call.purpose != "replay":
            found.setdefault(str(argument(call.arguments, template(item.route.path).names[-1])), call)
    return found


def _paged_alike(operations: Iterable[ObservedOperation]) -> tuple[ObservedOperation, ...]:
    """The operations; GETs that declare a parameter which leads to the next page elsewhere in their API page alike."""
    operations = tuple(operations)
    names = {(observed.key.tool, name) for observed in operations for name in observed.next_page}

    def alike(observed: ObservedOperation) -> tuple[str, ...]:
        queries = [each.name for each in observed.operation.parameters if each.location == "query"]
        shared = [name for name in queries if observed.key.method == "GET" and (observed.key.tool, name) in names]
        return tuple(dict.fromkeys((*observed.next_page, *shared)))

    return tuple(replace(observed, next_page=alike(observed)) for observed in operations) if names else operations


def _facts_by_location(facts: Iterable[Fact]) -> dict[OperationKey, dict[str, list[Fact]]]:
    """The facts of each operation by location."""
    found: dict[OperationKey, dict[str, list[Fact]]] = {}
    for fact in facts:
        found.setdefault(fact.key, {}).setdefault(fact.location, []).append(fact)
    return found


def _observed(
    evidence: Evidence,
    operation: Operation,
    sample: Sample | None,
    facts: dict[str, list[Fact]],
    link: Link | None,
) -> ObservedOperation:
    removed = removals(evidence, operation)
    good, bad = (*_good_calls(sample), *removed), (*_bad_calls(sample), *refused_removals(evidence, operation))
    facts = with_statuses(facts, operation, removed)
    by_location = {location: tuple(group) for location, group in facts.items()}
    header = (link[0], link[1].id) if link is not None else ("", "")
    disguised = tuple(sample.disguised) if sample is not None else ()
    return ObservedOperation(
        operation,
        good,
        bad,
        by_location,
        next_page_parameters(evidence, chain.from_iterable(facts.values()), link),
        header,
        disguised,
        beside_defaults(evidence, facts),
        left_out(evidence, facts),
        frozenset(sample.free_texts) if sample is not None else frozenset(),
    )


def _good_calls(sample: Sample | None) -> tuple[Call, ...]:
    """Calls that were answered with 2xx: those of probes only if there are no others."""
    by_status = sorted(sample.by_status.items()) if sample else []
    good = [call for status, calls in by_status if is_success(status) for call in calls if call.ok]
    meant = [call for call in good if call.purpose != "probe"]
    return tuple((meant or good)[:MAX_CALLS])


def _bad_calls(sample: Sample | None) -> tuple[Call, ...]:
    by_status = sorted(sample.by_status.items()) if sample else []
    return tuple(call for status, calls in by_status if status >= _FIRST_ERROR for call in calls[:MAX_CALLS])
