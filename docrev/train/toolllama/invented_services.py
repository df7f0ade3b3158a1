"""Invented services: specs of three kinds of things with made-up names, documented well and documented poorly.

The contract is the same in both; the poor one has what real documents lack (ToolBFS+ §1): operations without a telling
name or text, or with the text of another operation. A model can only use them by reading.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from docrev.records import Json

_SOUNDS = (
    "b br c cr d dr f fl g gl h j k kl l m n p pl pr qu r sk sl sn st t tr v w y z",
    "a e i o u ai ea io oa",
    "b d g k l m n nd p r rk t v x",
)
_STARTS, _MIDDLES, _ENDS = (sounds.split() for sounds in _SOUNDS)
_PLAIN = ("Get data.", "Returns the result.", "Request endpoint.", "", "", "", "Fetch records.", "See the guide.")
Document = dict[str, Any]


def word(draw: random.Random, syllables: int = 0) -> str:
    """A made-up word of two or three syllables that ends like a singular noun."""
    count = syllables or draw.choice((2, 2, 3))
    parts = [draw.choice(_STARTS) + draw.choice(_MIDDLES) for _ in range(count)]
    return "".join(parts) + draw.choice(_ENDS)


@dataclass(frozen=True, slots=True)
class InventedResource:
    """A kind of thing: its noun, its fields with their JSON types, and the values of the one that lists filter by."""

    noun: str
    label: str
    values: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]
    filter: str
    search: str

    @property
    def many(self) -> str:
        return f"{self.noun}s"

    @property
    def key(self) -> str:
        return f"{self.noun}_id"


@dataclass(slots=True)
class Invented:
    """A service that nobody has seen: `good` and `poor` are OpenAPI documents of the same contract.

    `main` has `part`s of its own and belongs to one `owner`; `operations` has the path of each by (what, noun).
    """

    seed: int
    main: InventedResource
    part: InventedResource
    owner: InventedResource
    good: Document = field(default_factory=dict)
    poor: Document = field(default_factory=dict)
    operations: dict[tuple[str, str], str] = field(default_factory=dict)


def invent(seed: int) -> Invented:
    """The service of this seed."""
    draw = random.Random(f"service {seed}")
    taken: set[str] = set()
    main, part, owner = (_thing(draw, taken) for _ in range(3))
    service = Invented(seed, main, part, owner)
    for document, poor in ((service.good, False), (service.poor, True)):
        _SpecWriter(service, random.Random(f"text {seed} {poor}"), random.Random(f"names {seed}"), poor).write(document)
    return service


def _fresh(draw: random.Random, taken: set[str]) -> str:
    while (made := word(draw)) in taken:
        pass
    taken.add(made)
    return made


def _thing(draw: random.Random, taken: set[str]) -> InventedResource:
    noun, label = _fresh(draw, taken), _fresh(draw, taken)
    values = tuple(_fresh(draw, taken) for _ in range(draw.choice((3, 4))))
    fields = tuple((_fresh(draw, taken), draw.choice(("integer", "string"))) for _ in range(draw.choice((1, 2, 2))))
    return InventedResource(
        noun, label, values, fields, filter=label,
        search=draw.choice(("q", "query", "name", "search", "text")),
    )  # fmt: skip


class _SpecWriter:
    """Writes one document. `words` chooses the texts, `names` the contract, which is the same in both documents."""

    def __init__(self, made: Invented, words: random.Random, names: random.Random, poor: bool) -> None:
        self.made, self.words, self.names, self.poor = made, words, names, poor
        self.paths: dict[str, Json] = {}
        self.schemas: dict[str, Json] = {}

    def write(self, document: Document) -> None:
        main, part, owner = self.made.main, self.made.part, self.made.owner
        self._schema(main, owner)
        self._schema(part, None)
        self._schema(owner, None)
        for thing, other in ((main, owner), (owner, None)):
            self._collection(thing)
            self._item(thing, other)
        self._item(part, None)
        self._parts(main, part)
        document.update(
            openapi="3.0.3",
            info={"title": f"{main.noun} service", "version": "1"},
            servers=[{"url": "http://localhost"}],
            paths=self.paths,
            components={"schemas": self.schemas},
        )

    def _schema(self, thing: InventedResource, owner: InventedResource | None) -> None:
        whole: dict[str, Json] = {"id": {"type": "integer"}, "name": {"type": "string"}}
        whole[thing.label] = {"type": "string", "enum": list(thing.values)}
        whole |= {name: {"type": kind} for name, kind in thing.fields}
        if owner is not None:
            whole[owner.key] = {"type": "integer"}
        brief = {name: whole[name] for name in ("id", "name")}
        self.schemas[thing.noun.title()] = {"type": "object", "properties": whole}
        self.schemas[f"{thing.noun.title()}Brief"] = {"type": "object", "properties": brief}

    def _collection(self, thing: InventedResource) -> None:
        apart = self.names.random() < 0.5
        chosen = {"name": thing.filter, "in": "query", "schema": {"type": "string", "enum": list(thing.values)}}
        sought = {"name": thing.search, "in": "query", "schema": {"type": "string"}, "required": apart}
        if not self.poor:
            chosen["description"] = f"Only {thing.many} whose {thing.label} is this."
            sought["description"] = self._any_of(
                f"The name of the {thing.noun}.", f"Name, or part of the name, of a {thing.noun}."
            )
        results = self._list(thing)
        texts: tuple[str, ...] = (
            f"All {thing.many}, by {thing.label} if you like.", f"List {thing.many}; filter them by {thing.label}.",
            f"Which {thing.many} there are, of one {thing.label} or all.", f"Browse the {thing.many} by {thing.label}.",
        )  # fmt: skip
        searching = (
            f"Find a {thing.noun} by name.", f"Search {thing.many} by their name to get the id.",
            f"The id of the {thing.noun} with a name.", f"Look up {thing.many} by name.",
        )  # fmt: skip
        if not apart:
            texts = tuple(f"{text} {results}" for text, results in zip(texts, searching, strict=True))
        page: dict[str, Json] = {"name": "limit", "in": "query", "schema": {"type": "integer", "default": 3}}
        parameters = [chosen, page] if apart else [sought, chosen, page]
        self._operation(f"/{thing.many}", "list", thing, parameters, results, texts)
        if not apart:
            self.made.operations["search", thing.noun] = f"/{thing.many}"
            return
        self._operation(f"/{thing.many}/search", "search", thing, [sought, page], results, searching)

    def _item(self, thing: InventedResource, owner: InventedResource | None) -> None:
        fields = [thing.label, *(name for name, _ in thing.fields)]
        held = ", ".join(fields) + (f" and the id of its {owner.noun}" if owner else "")
        texts = (
            f"One {thing.noun}: {held}.", f"Details of a {thing.noun} by id: {held}.",
            f"Everything about a {thing.noun}, its {held}.", f"Read the {held} of a {thing.noun}.",
        )  # fmt: skip
        key = self._key(thing)
        whole = {"$ref": f"#/components/schemas/{thing.noun.title()}"}
        self._operation(f"/{thing.many}/{{{thing.key}}}", "get", thing, [key], whole, texts)

    def _parts(self, main: InventedResource, part: InventedResource) -> None:
        texts = (
            f"The {part.many} of a {main.noun}.", f"List what {part.many} a {main.noun} has.",
            f"All {part.many} that belong to one {main.noun}.", f"{part.many} in the {main.noun} with this id.",
        )  # fmt: skip
        page: dict[str, Json] = {"name": "limit", "in": "query", "schema": {"type": "integer", "default": 3}}
        path = f"/{main.many}/{{{main.key}}}/{part.many}"
        self._operation(path, "parts", main, [self._key(main), page], self._list(part), texts)

    def _key(self, thing: InventedResource) -> dict[str, Json]:
        key: dict[str, Json] = {"name": thing.key, "in": "path", "required": True, "schema": {"type": "integer"}}
        if not self.poor:
            key["description"] = self._any_of(f"The id of the {thing.noun}.", f"Which {thing.noun}, by id.")
        return key

    def _list(self, thing: InventedResource) -> Json:
        return {"type": "array", "items": {"$ref": f"#/components/schemas/{thing.noun.title()}Brief"}}

    def _operation(
        self, path: str, what: str, thing: InventedResource, parameters: list[Any], schema: Json, texts: tuple[str, ...]
    ) -> None:
        self.made.operations[what, thing.noun] = path
        telling = {"list": "list", "search": "find", "get": "get", "parts": "partsOf"}[what]
        noun = thing.noun.title() if what in ("get", "parts") else thing.many.title()
        # A name that says nothing is part of the contract, so it stands in both documents.
        name = word(self.names, 3) if self.names.random() < 0.5 else f"{telling}{noun}"
        text = self.words.choice(texts)
        if self.poor:
            # Half say nothing, a few say what is not so; the others are as good as ever.
            other = f"Find a {self.made.part.noun} by name."
            text = self.words.choices((self.words.choice(_PLAIN), other, text), (0.6, 0.1, 0.3))[0]
        self.paths[path] = {
            "get": {
                "operationId": name,
                **({"summary": text} if text else {}),
                "parameters": parameters,
                "responses": {
                    "200": {"description": "OK", "content": {"application/json": {"schema": schema}}},
                    "404": {"description": "There is none"},
                },
            }
        }

    def _any_of(self, *texts: str) -> str:
        return self.words.choice(texts)
