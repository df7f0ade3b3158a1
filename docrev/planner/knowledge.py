"""What the offline engine knows of each operation: its documentation, and what its calls have shown.

Everything is indexed once: documentation at the start, a call when `learn` first sees it. Within a round of scenarios
nothing is learned, so that a plan depends on the round's evidence and not on the order in which searches run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from docrev.graph import ToolGraph
from docrev.graph.match import path_nouns
from docrev.graph.tool_graph import Edge
from docrev.graph.values import flat
from docrev.language.words import singular, words
from docrev.planner.response_items import Item, Reading, changing, equal, is_id, read
from docrev.records import Arguments, Call, Json, OperationKey
from docrev.spec import MISSING, Catalog, Operation
from docrev.spec.schema import Schema

LIKELY = 0.45
"""The score from which an edge of the tool graph counts as a way on."""
MAX_SEEN = 40
MAX_VALUES = 60
MAX_READINGS = 4000
NO_NOUN = frozenset(
    "search find query lookup list all random latest popular top nearest nearby first current detail details info by "  # noqa: SIM905
    "discover trending upcoming recent batch filter api rest autocomplete suggest match resolve "
    "json xml yaml html txt".split()
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A call that was answered 2xx, as far as it matters here."""

    id: str
    arguments: dict[str, Json]
    reading: Reading


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for an argument: a parameter, or a scalar of the request body (`body:/data/title`)."""

    location: str
    name: str
    noun: str
    required: bool
    stated: tuple[Json, ...]
    """The documented default, or else the documented enum: what may be sent without being told."""


@dataclass(slots=True)
class FieldNews:
    """What was seen of a response field: how often, how often null, and some of its distinct values."""

    seen: int = 0
    nulls: int = 0
    values: dict[str, int] = field(default_factory=dict)
    changing: bool = False


@dataclass(slots=True)
class View:
    """One operation: `slots` and `documented` from its documentation, the rest from its calls."""

    operation: Operation
    noun: str
    tokens: frozenset[str]
    slots: dict[str, Slot]
    documented: frozenset[str]
    good: int = 0
    bad: int = 0
    created: int = 0
    largest: int = 0
    read: int = 0
    fields: dict[str, FieldNews] = field(default_factory=dict)
    always: set[str] | None = None
    times: dict[str, int] = field(default_factory=dict)
    without: list[frozenset[str]] = field(default_factory=list)
    echoes: dict[str, dict[str, int]] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    _needed: list[str] | None = None
    _echoed: dict[str, list[str]] = field(default_factory=dict)

    @property
    def key(self) -> OperationKey:
        return self.operation.key

    def echoed(self, location: str) -> list[str]:
        """The fields that mostly say what was sent here: what the argument is a value of."""
        found = self._echoed.get(location)
        if found is None:
            counts, sent = self.echoes.get(location, {}), self.times.get(location, 0)
            found = self._echoed[location] = [name for name in sorted(counts) if 2 * counts[name] > sent]
        return found

    @property
    def safe(self) -> bool:
        return self.key.method in ("GET", "HEAD", "OPTIONS")

    @property
    def single(self) -> bool:
        """Whether it answers with one thing: its path ends in a parameter, and no list was seen."""
        return self.key.path.rstrip("/").endswith("}") and self.largest <= 1

    @property
    def lone(self) -> bool:
        """Whether all its answers were about one thing each."""
        return self.good > 0 and self.largest <= 1

    def needed(self) -> list[str]:
        """Where an argument must be: as documented, or as failing calls without it, or all that worked, have shown."""
        if self._needed is None:
            found = [slot.location for slot in self.slots.values() if slot.required and slot.location != "body:"]
            for location in sorted(self.always or ()):
                if location not in found and (self.good > 1 or any(location not in sent for sent in self.without)):
                    found.append(location)
            self._needed = found
        return self._needed

    def settle(self) -> None:
        """Forget what was concluded from less."""
        self._needed = None
        self._echoed.clear()

    def has(self, name: str) -> bool:
        """Whether its response holds a field of this name, as seen or, where nothing was seen, as documented."""
        return name in (self.fields or self.documented)


class Knowledge:
    """Views of all operations, and the tool graph's edges at hand."""

    def __init__(self, catalog: Catalog, graph: ToolGraph) -> None:
        self.graph = graph
        self.views = {operation.key: _view(operation) for operation in catalog.operations}
        self.version = 0
        self.fits: dict[tuple[str, str, OperationKey, str], float] = {}
        """How well the givens of a field and a noun fit a slot; emptied when something is learned."""
        self.created: set[str] = set()
        self.deleted: set[str] = set()
        self._sources: dict[tuple[OperationKey, str], dict[tuple[str, str], list[Edge]]] = {}
        self._feeding: dict[OperationKey, list[OperationKey]] = {}
        self._readings: dict[str, Reading] = {}
        self._first: dict[tuple[OperationKey, str], Seen] = {}

    def learn(self, calls: Iterable[Call]) -> None:
        """Take in calls in the given order, each once; then settle what the operations are about."""
        for call in calls:
            view = self.views.get(call.key)
            if view is None or call.error == "denied":
                continue
            if call.ok:
                self._learn(view, call)
            elif call.status is not None and 400 <= call.status < 500 and call.status not in (401, 403, 404, 429):
                view.bad += 1
                view.without.append(frozenset(location for location, _ in flat(call.arguments)))
            else:
                view.bad += 1
        for view in self.views.values():
            view.settle()
        self._settle()
        self.fits.clear()
        self._sources.clear()
        self._feeding.clear()
        self.version += 1

    def reading(self, call: Call) -> Reading:
        """What the response of a call holds; read once."""
        found = self._readings.get(call.id)
        if found is None:
            if len(self._readings) >= MAX_READINGS:
                self._readings.clear()
            found = self._readings[call.id] = read(call.body)
        return found

    def noun(self, key: OperationKey, item: Item | None = None) -> str:
        """What an item of this operation's responses is called."""
        if item is not None and item.noun and item.noun not in NO_NOUN:
            return item.noun
        return self.views[key].noun

    def feeds(self, key: OperationKey, location: str) -> list[Edge]:
        """The best edges into a slot."""
        return self.graph.producers(key, location)[:12]

    def sources(self, key: OperationKey, location: str) -> dict[tuple[str, str], list[Edge]]:
        """The best edges into a slot by the tool and the noun of what they come from."""
        found = self._sources.get((key, location))
        if found is None:
            found = self._sources[key, location] = {}
            for edge in self.feeds(key, location):
                source = self.views.get(edge.source)
                if source is not None:
                    found.setdefault((edge.source.tool, source.noun), []).append(edge)
        return found

    def feeding(self, key: OperationKey) -> list[OperationKey]:
        """The operations that feed this one, by its likelier edges."""
        found = self._feeding.get(key)
        if found is None:
            feeds = (edge for location in self.views[key].slots for edge in self.feeds(key, location))
            likely = (edge.source for edge in feeds if edge.score >= LIKELY and edge.source in self.views)
            found = self._feeding[key] = [*dict.fromkeys(likely)]
        return found

    def _learn(self, view: View, call: Call) -> None:
        reading = self.reading(call)
        view.good += 1
        view.created += call.status == 201
        view.largest = max(view.largest, len(reading.items) if reading.listed else 1)
        sent = dict(flat(call.arguments))
        for location in sent:
            view.times[location] = view.times.get(location, 0) + 1
        view.always = set(sent) if view.always is None else view.always & set(sent)
        view.read += len(reading.items)
        for item in reading.items:
            for name, value in item.fields.items():
                _note(view.fields.setdefault(name, FieldNews()), name, value)
        _note_echoes(view, sent, reading)
        if view.key.method in ("POST", "PUT"):
            items = reading.items[:1]
            self.created |= {str(value) for item in items for name, value in item.fields.items() if is_id(name)}
        elif view.key.method == "DELETE":
            self.deleted |= {str(value) for location, value in sent.items() if location.startswith("path:")}
        seen = Seen(call.id, call.arguments, reading)
        self._note_change(view, seen)
        if len(view.seen) < MAX_SEEN:
            view.seen.append(seen)

    def _note_change(self, view: View, seen: Seen) -> None:
        """A field that differs between two answers to the same request changes by itself."""
        name = (view.key, repr(sorted(seen.arguments.items(), key=str)))
        before = self._first.setdefault(name, seen)
        if before is seen or not view.safe:
            return
        for old, new in zip(before.reading.items, seen.reading.items, strict=False):
            for field_name, value in new.fields.items():
                if field_name in old.fields and old.fields[field_name] != value:
                    view.fields[field_name].changing = True

    def _settle(self) -> None:
        """Give operations whose path names no thing (`/search`) the noun of the things that they answer with."""
        known: dict[str, set[str]] = {}
        for view in self.views.values():
            if view.fields and view.noun and view.safe and view.key.path.rstrip("/").endswith("}"):
                known.setdefault(view.noun, set()).update(view.fields)
        for view in self.views.values():
            if view.fields and view.noun not in known and len(view.fields) >= 3 and view.safe:
                fits = [(len(known[noun] & set(view.fields)) / len(view.fields), noun) for noun in sorted(known)]
                share, noun = max(fits, default=(0.0, ""), key=lambda fit: fit[0])
                if share >= 0.7:
                    view.noun = noun


def _view(operation: Operation) -> View:
    noun = _noun(operation.path)
    success = operation.success
    documented = _documented(success.schema) if success is not None and success.schema is not None else frozenset()
    said = f"{operation.path} {operation.operation_id} {operation.summary} {operation.description}"
    tokens = frozenset(singular(word) for word in words(said)) | {
        singular(word) for name in documented for word in words(name)
    }
    return View(operation, noun, tokens, _slots(operation, noun), documented)


def _noun(path: str) -> str:
    """The noun of the last fixed segment that names a thing: /airports/search → airport.

    What lies under one thing is a thing of its own: /airports/{iata}/nearby → nearby.
    """
    segments = [part for part in path.strip("/").split("/") if part]
    for index in range(len(segments) - 1, -1, -1):
        segment = segments[index]
        if "{" in segment:
            continue
        under = index > 0 and "{" in segments[index - 1]
        parts = [word for word in words(segment) if under or word not in NO_NOUN]
        if parts and parts[-1].isalpha() and not (segment[:1] == "v" and segment[1:].isdigit()):
            return singular(parts[-1])
    return ""


def _documented(schema: Schema) -> frozenset[str]:
    return frozenset(
        pointer.rpartition("/")[2]
        for pointer, part in islice(schema.walk(4), 300)
        if pointer and part.type not in ("object", "array") and not pointer.endswith("/0")
    )


def _slots(operation: Operation, noun: str) -> dict[str, Slot]:
    nouns = dict(path_nouns(operation.path))
    slots = {
        parameter.key: Slot(
            parameter.key,
            parameter.name,
            nouns.get(parameter.name, noun),
            parameter.required or parameter.location == "path",
            _stated(parameter.schema),
        )
        for parameter in operation.parameters
    }
    if operation.body is not None and operation.body.schema is not None:
        slots.update(_body_slots(operation.body.schema, noun))
    return slots


def _body_slots(schema: Schema, noun: str) -> dict[str, Slot]:
    slots = {}
    holders = {""}
    for pointer, part in islice(schema.walk(4), 200):
        above, _, name = pointer.rpartition("/")
        needed = above in holders and pointer != "" and name in _required(schema, above)
        if needed and part.type == "object":
            holders.add(pointer)
        if pointer and part.type not in ("object", "array") and "/0" not in pointer and not part.get("readOnly"):
            slots[f"body:{pointer}"] = Slot(f"body:{pointer}", name, noun, needed, _stated(part))
    return slots


def _required(schema: Schema, pointer: str) -> set[str]:
    at: Schema | None = schema
    for name in pointer.split("/")[1:]:
        at = at.properties().get(name) if at is not None else None
    return at.required if at is not None else set()


def _stated(schema: Schema) -> tuple[Json, ...]:
    if schema.default is not MISSING and schema.default is not None:
        return (schema.default,)
    return tuple(schema.enum or ())


def _note(news: FieldNews, name: str, value: Json) -> None:
    news.seen += 1
    if value is None:
        news.nulls += 1
        return
    news.changing = news.changing or changing(name, value)
    text = str(value)
    if text in news.values or len(news.values) < MAX_VALUES:
        news.values[text] = news.values.get(text, 0) + 1


def _note_echoes(view: View, sent: Arguments, reading: Reading) -> None:
    """An argument that comes back as a field of the answer says what the argument is."""
    for location, value in sent.items():
        if value is None or isinstance(value, (bool, list, dict)):
            continue
        names = {name for item in reading.items[:10] for name, found in item.fields.items() if equal(found, value)}
        for name in sorted(names):
            counts = view.echoes.setdefault(location, {})
            counts[name] = counts.get(name, 0) + 1
