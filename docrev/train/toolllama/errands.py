"""Errands in an invented service: a task in words, the right calls, and the answer that the world's records hold.

The way is known from how the errand is made (an oracle's plan), so nothing is searched for: thousands a minute.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from docrev.records import Call, Json, OperationKey
from docrev.simulator import World
from docrev.spec import Catalog, Document
from docrev.train.toolllama.invented_services import Invented, InventedResource, invent

KINDS = ("field", "field-by-id", "filter", "parts", "parts-by-id", "owner", "owner-by-id", "owner-field")
_TEXTS = {
    "field": (
        "What is the {field} of the {called}?", "Tell me the {field} of the {called}.",
        "Which {field} does the {called} have?", "I need the {field} of the {called}, please.",
    ),
    "parts": (
        "Which {part.many} does the {called} have?", "List the {part.many} of the {called}.",
        "Show me the {part.many} that belong to the {called}.", "Name the {part.many} of the {called}.",
    ),
    "owner": (
        "What is the {field} of the {owner.noun} of the {called}?",
        "Tell me the {field} of the {owner.noun} that the {called} belongs to.",
        "Which {field} does the {owner.noun} of the {called} have?",
        "For the {owner.noun} of the {called}, give me the {field}.",
    ),
    "filter": (
        "Which {thing.many} have the {thing.label} {value}?", "List {thing.many} whose {thing.label} is {value}.",
        "Show me {thing.many} of the {thing.label} {value}.", "Name {thing.many} with {thing.label} {value}.",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RightCall:
    """One right call: what it is for, its operation, its arguments by name."""

    what: str
    key: OperationKey
    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Errand:
    """A task with the right calls in order, and the answer."""

    id: str
    kind: str
    text: str
    deeds: tuple[RightCall, ...]
    answer: Json


class InventedPlace:
    """An invented service at work: its world, and its two catalogs."""

    def __init__(self, seed: int) -> None:
        self.made: Invented = invent(seed)
        tool = f"service{seed}.json"
        self.good = Catalog.of([Document.parse(json.dumps(self.made.good), tool)])
        self.poor = Catalog.of([Document.parse(json.dumps(self.made.poor), tool)])
        self.world = World(self.good, seed)
        self.tool = self.good.tools[0]

    def key(self, what: str, thing: InventedResource) -> OperationKey:
        return OperationKey(self.tool, f"GET {self.made.operations[what, thing.noun]}")

    def call(self, key: OperationKey, arguments: dict[str, object]) -> Call:
        """Call by location, in process."""
        reply = self.world.call(key, arguments)
        return Call("", key, arguments, "", reply.status, reply.headers, reply.json, "application/json", "scenario")

    def ask(self, key: OperationKey, arguments: dict[str, object]) -> Any:
        """The body of a call by names of arguments."""
        return self.call(key, self.placed(key, arguments)).body

    def placed(self, key: OperationKey, arguments: dict[str, object]) -> dict[str, Json]:
        """Arguments by name to arguments by location."""
        at = {one.name: one.key for one in self.good[key].parameters}
        return {at[name]: value for name, value in arguments.items()}


def errands(place: InventedPlace, draw: random.Random) -> Iterator[Errand]:
    """One errand of each kind that this world allows."""
    for number, kind in enumerate(KINDS):
        errand = _errand(place, draw, kind)
        if errand is not None and errand[2] not in (None, "", []):
            yield Errand(f"{place.made.seed}-{number}", kind, errand[0], tuple(errand[1]), errand[2])


def _errand(place: InventedPlace, draw: random.Random, kind: str) -> tuple[str, list[RightCall], Json] | None:
    main, part, owner = place.made.main, place.made.part, place.made.owner
    if kind == "filter":
        return _filter_errand(place, draw)
    thing = owner if kind == "owner-field" else main
    items = place.ask(place.key("list", thing), {})
    chosen = draw.choice(items)
    deeds: list[RightCall] = []
    if kind.endswith("by-id"):
        called = draw.choice((f"{thing.noun} {chosen['id']}", f"{thing.noun} with the id {chosen['id']}"))
    else:
        deeds.append(RightCall("search", place.key("search", thing), {thing.search: chosen["name"]}))
        called = draw.choice(
            (
                f"{thing.noun} {chosen['name']}",
                f"{thing.noun} called {chosen['name']}",
                f'{thing.noun} "{chosen["name"]}"',
            )
        )
        hits = place.ask(deeds[0].key, deeds[0].arguments)
        if not hits or hits[0]["id"] != chosen["id"]:
            return None
    if kind.startswith("parts"):
        deeds.append(RightCall("parts", place.key("parts", main), {main.key: chosen["id"]}))
        return (
            draw.choice(_TEXTS["parts"]).format(part=part, called=called),
            deeds,
            [item["name"] for item in place.ask(deeds[-1].key, deeds[-1].arguments)],
        )
    deeds.append(RightCall("get", place.key("get", thing), {thing.key: chosen["id"]}))
    whole = place.ask(deeds[-1].key, deeds[-1].arguments)
    if kind not in ("owner", "owner-by-id"):
        field = draw.choice([thing.label, *(name for name, _ in thing.fields)])
        return draw.choice(_TEXTS["field"]).format(field=field, called=called), deeds, whole[field]
    deeds.append(RightCall("get", place.key("get", owner), {owner.key: whole[owner.key]}))
    field = draw.choice(["name", owner.label, *(name for name, _ in owner.fields)])
    text = draw.choice(_TEXTS["owner"]).format(field=field, owner=owner, called=called)
    return text, deeds, place.ask(deeds[-1].key, deeds[-1].arguments)[field]


def _filter_errand(place: InventedPlace, draw: random.Random) -> tuple[str, list[RightCall], Json]:
    thing = draw.choice((place.made.main, place.made.owner))
    value = draw.choice(thing.values)
    deed = RightCall("list", place.key("list", thing), {thing.filter: value})
    items = place.ask(deed.key, deed.arguments)
    text = draw.choice(_TEXTS["filter"]).format(thing=thing, value=value)
    return text, [deed], [item["name"] for item in items]
