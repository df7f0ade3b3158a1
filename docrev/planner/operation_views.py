"""An operation as the planner sees it: its documentation, and statistics of the calls made so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from docrev.conventions import statuses
from docrev.conventions.fields import is_link, is_volatile_field
from docrev.conventions.methods import SAFE_METHODS
from docrev.graph.match import path_nouns
from docrev.graph.values import flat
from docrev.json_values.pointer import escape
from docrev.json_values.scalars import same_scalar
from docrev.language.path_templates import ends_in_parameter
from docrev.language.words import singular, singular_words, words
from docrev.planner.response_items import ResponseItems
from docrev.records import Arguments, Call, Json, OperationKey
from docrev.spec import MISSING, Operation
from docrev.spec.schema import Schema

MAX_CALLS = 40
"""Successful calls that are kept of an operation."""
MAX_DEPTH = 4
"""Levels of a schema that are looked at."""
MAX_SLOTS = 200
MAX_VALUES = 60
"""Distinct values that are kept of a response field."""
GENERIC_SEGMENTS = frozenset(
    "search find query lookup list all random latest popular top nearest nearby first current detail details info by "
    "discover trending upcoming recent batch filter api rest autocomplete suggest match resolve "
    "json xml yaml html txt".split()
)
"""Words of path segments that name no thing: `/airports/search` is about airports."""
_UNRELATED = statuses.CREDENTIALS | statuses.NOT_FOUND | statuses.BUSY
"""Statuses that do not mean that an argument is missing."""


@dataclass(frozen=True, slots=True)
class SuccessfulCall:
    """A call that returned 2xx: its arguments, and the items of its response."""

    arguments: dict[str, Json]
    response: ResponseItems


@dataclass(frozen=True, slots=True)
class ArgumentSlot:
    """A parameter, or a scalar of the request body (`body:/data/title`).

    `documented_values` are the documented default, otherwise the documented enum: what may be sent without a source.
    """

    location: str
    name: str
    noun: str
    required: bool
    documented_values: tuple[Json, ...] = ()


@dataclass(slots=True)
class FieldStatistics:
    """How often a response field was seen and how often null, with the counts of at most 60 distinct values."""

    count: int = 0
    nulls: int = 0
    values: dict[str, int] = field(default_factory=dict)
    is_volatile: bool = False

    def add(self, name: str, value: Json) -> None:
        """Count one occurrence of the field called `name`."""
        self.count += 1
        if value is None:
            self.nulls += 1
            return
        self.is_volatile = self.is_volatile or is_volatile_field(name, value)
        text = str(value)
        if text in self.values or len(self.values) < MAX_VALUES:
            self.values[text] = self.values.get(text, 0) + 1

    def is_quotable(self, name: str) -> bool:
        """Whether values of the field called `name` can be written in a text: they do not change, and are no links."""
        value = next(iter(self.values), None)
        return not (value is None or self.is_volatile or is_volatile_field(name, value) or is_link(value))


@dataclass(slots=True)
class OperationView:
    """One operation: the first five attributes come from its documentation, the others from its calls.

    `longest_list` is the most items that a response had, `item_count` those of all responses; `sent` counts the calls
    with an argument at a location, `echoes` those whose response repeated the argument in a field. `always_sent` are
    the locations of arguments that every successful call had, `refused` those of each refused call.
    """

    operation: Operation
    noun: str
    tokens: frozenset[str]
    slots: dict[str, ArgumentSlot]
    documented_fields: frozenset[str]
    successes: int = 0
    failures: int = 0
    creations: int = 0
    longest_list: int = 0
    item_count: int = 0
    fields: dict[str, FieldStatistics] = field(default_factory=dict)
    always_sent: set[str] | None = None
    sent: dict[str, int] = field(default_factory=dict)
    refused: list[frozenset[str]] = field(default_factory=list)
    echoes: dict[str, dict[str, int]] = field(default_factory=dict)
    calls: list[SuccessfulCall] = field(default_factory=list)
    _first_calls: dict[str, SuccessfulCall] = field(default_factory=dict)
    _required: list[str] | None = None
    _echo_fields: dict[str, list[str]] = field(default_factory=dict)
    _calls_by_value: dict[str, dict[str, list[SuccessfulCall]]] = field(default_factory=dict)

    @property
    def key(self) -> OperationKey:
        return self.operation.key

    @property
    def is_safe(self) -> bool:
        return self.key.method in SAFE_METHODS

    @property
    def query_slots(self) -> list[ArgumentSlot]:
        return [slot for slot in self.slots.values() if slot.location.startswith("query:")]

    @property
    def addresses_item(self) -> bool:
        """Whether the path ends in a parameter."""
        return ends_in_parameter(self.key.path)

    @property
    def is_single(self) -> bool:
        """Whether it returns one item: its path ends in a parameter, and no list was seen."""
        return self.addresses_item and self.longest_list <= 1

    @property
    def was_single(self) -> bool:
        """Whether it was called, and no response had several items."""
        return self.successes > 0 and self.longest_list <= 1

    def required_locations(self) -> list[str]:
        """Where an argument is required: as documented, or as all successful and some refused calls show."""
        if self._required is None:
            documented = [slot.location for slot in self.slots.values() if slot.required]
            always = (location for location in sorted(self.always_sent or ()) if location not in documented)
            self._required = [*documented, *(location for location in always if self._seems_required(location))]
        return self._required

    def required_slots(self) -> list[ArgumentSlot]:
        """The slots where an argument is required, documented or not."""
        return [
            self.slots.get(location) or ArgumentSlot(location, location.partition(":")[2], self.noun, True)
            for location in self.required_locations()
        ]

    def _seems_required(self, location: str) -> bool:
        return self.successes > 1 or any(location not in sent for sent in self.refused)

    def echo_fields(self, location: str) -> list[str]:
        """The response fields that mostly repeat the argument sent here: what the argument is a value of."""
        if location not in self._echo_fields:
            counts, sent = self.echoes.get(location, {}), self.sent.get(location, 0)
            self._echo_fields[location] = [name for name in sorted(counts) if 2 * counts[name] > sent]
        return self._echo_fields[location]

    def calls_with(self, location: str, value: object) -> list[SuccessfulCall]:
        """The calls that were sent a value at a location."""
        if location not in self._calls_by_value:
            groups = self._calls_by_value[location] = {}
            for call in self.calls:
                if location in call.arguments:
                    groups.setdefault(str(call.arguments[location]).casefold(), []).append(call)
        return self._calls_by_value[location].get(str(value).casefold(), [])

    def returns_field(self, name: str) -> bool:
        """Whether its responses contain a field: as seen or, if none was seen, as documented."""
        return name in (self.fields or self.documented_fields)

    def add_failure(self, call: Call) -> None:
        """Count a failed call; a refused one says which arguments were not enough."""
        self.failures += 1
        if statuses.is_client_error(call.status) and call.status not in _UNRELATED:
            self.refused.append(frozenset(location for location, _ in flat(call.arguments)))

    def add_success(self, call: Call, response: ResponseItems) -> None:
        """Count a successful call, with its arguments and response."""
        self.successes += 1
        self.creations += call.status == 201
        self.longest_list = max(self.longest_list, len(response.items) if response.is_list else 1)
        self.item_count += len(response.items)
        for item in response.items:
            for name, value in item.fields.items():
                self.fields.setdefault(name, FieldStatistics()).add(name, value)
        self._add_arguments(dict(flat(call.arguments)), response)
        successful = SuccessfulCall(call.arguments, response)
        self._note_volatile(successful)
        if len(self.calls) < MAX_CALLS:
            self.calls.append(successful)

    def _add_arguments(self, sent: Arguments, response: ResponseItems) -> None:
        self.always_sent = set(sent) if self.always_sent is None else self.always_sent & set(sent)
        for location, value in sent.items():
            self.sent[location] = self.sent.get(location, 0) + 1
            if value is None or isinstance(value, bool | list | dict):
                continue
            fields = (field for item in response.items[:10] for field in item.fields.items())
            counts = self.echoes.setdefault(location, {})
            for name in sorted({name for name, returned in fields if same_scalar(returned, value)}):
                counts[name] = counts.get(name, 0) + 1

    def _note_volatile(self, call: SuccessfulCall) -> None:
        """A field that differs between two responses to the same request changes by itself."""
        earlier = self._first_calls.setdefault(repr(sorted(call.arguments.items(), key=str)), call)
        if earlier is call or not self.is_safe:
            return
        for old, new in zip(earlier.response.items, call.response.items, strict=False):
            for name, value in new.fields.items():
                if name in old.fields and old.fields[name] != value:
                    self.fields[name].is_volatile = True

    def forget_conclusions(self) -> None:
        """Drop what was concluded from fewer calls."""
        self._required = None
        self._echo_fields.clear()
        self._calls_by_value.clear()


def documented_view(operation: Operation) -> OperationView:
    """The view of an operation that was not called yet."""
    noun = path_noun(operation.path)
    success = operation.success
    fields = _documented_fields(success.schema) if success is not None and success.schema is not None else frozenset()
    text = f"{operation.path} {operation.operation_id} {operation.summary} {operation.description}"
    tokens = {word for source in (text, *fields) for word in singular_words(source)}
    return OperationView(operation, noun, frozenset(tokens), _slots(operation, noun), fields)


def path_noun(path: str) -> str:
    """The noun of the last fixed segment that names a thing: /airports/search → airport.

    A segment right below a parameter names a thing of its own: /airports/{iata}/nearby → nearby.
    """
    segments = [part for part in path.strip("/").split("/") if part]
    for index in range(len(segments) - 1, -1, -1):
        below_item = index > 0 and "{" in segments[index - 1]
        noun = _segment_noun(segments[index], allow_generic=below_item)
        if noun:
            return noun
    return ""


def _segment_noun(segment: str, *, allow_generic: bool) -> str:
    """The noun of a fixed segment; "" for a parameter or a version."""
    if "{" in segment or (segment[:1] == "v" and segment[1:].isdigit()):
        return ""
    parts = [word for word in words(segment) if allow_generic or word not in GENERIC_SEGMENTS]
    return singular(parts[-1]) if parts and parts[-1].isalpha() else ""


def _is_scalar(schema: Schema) -> bool:
    return schema.type not in ("object", "array")


def _documented_fields(schema: Schema) -> frozenset[str]:
    return frozenset(
        pointer.rpartition("/")[2]
        for pointer, part in islice(schema.walk(MAX_DEPTH), 300)
        if pointer and _is_scalar(part) and not pointer.endswith("/0")
    )


def _slots(operation: Operation, noun: str) -> dict[str, ArgumentSlot]:
    nouns = dict(path_nouns(operation.path))
    slots = {
        parameter.key: ArgumentSlot(
            parameter.key,
            parameter.name,
            nouns.get(parameter.name, noun),
            parameter.required or parameter.location == "path",
            _documented_values(parameter.schema),
        )
        for parameter in operation.parameters
    }
    if operation.body_schema is not None:
        body = islice(_body_slots(operation.body_schema, noun), MAX_SLOTS)
        slots |= {slot.location: slot for slot in body}
    return slots


def _body_slots(schema: Schema, noun: str, at: str = "body:", required: bool = True) -> Iterator[ArgumentSlot]:
    """The scalars of a request body outside of arrays; one is required if all the objects around it are."""
    for name, part in schema.properties().items() if at.count("/") < MAX_DEPTH else ():
        location, is_required = f"{at}/{escape(name)}", required and name in schema.required
        if _is_scalar(part) and not part.get("readOnly"):
            yield ArgumentSlot(location, name, noun, is_required, _documented_values(part))
        yield from _body_slots(part, noun, location, is_required and part.type == "object")


def _documented_values(schema: Schema) -> tuple[Json, ...]:
    if schema.default is not MISSING and schema.default is not None:
        return (schema.default,)
    return tuple(schema.enum or ())
