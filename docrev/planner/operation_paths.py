"""Ways through the operations that the evidence has shown to work: what scenarios are made of.

A way starts at an entry, where something that can be said in words leads to an item, and goes on by hops, where a field
of that item was accepted as an argument elsewhere. Ways are about operations; `stories.py` puts values in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from docrev.conventions.ids import IDENTIFIERS
from docrev.graph.match import path_nouns
from docrev.language.words import singular, words
from docrev.planner.arguments import SEARCHING, fit
from docrev.planner.knowledge import Knowledge, View
from docrev.planner.observed_filters import Pick, picks
from docrev.planner.response_items import changing, linking
from docrev.records import Given, OperationKey

MAX_HOPS = 2
NAMING = ("name", "title", "label", "fullname", "displayname", "headline", "subject")
CODES = ("code", "iata", "icao", "iso", "symbol", "abbreviation", "isbn", "sku", "tld")
Kind = Literal["name", "code", "pick", "told"]


@dataclass(frozen=True, slots=True)
class Entry:
    """How a way starts: an item named by `label` (`name`), addressed by it (`code`, at `location`), the first of a
    chosen list (`pick`), or what told arguments give (`told`)."""

    key: OperationKey
    kind: Kind
    label: str = ""
    location: str = ""
    pick: Pick | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """A call with `field` of the item at hand as `location`; `told` are other arguments that the text must give."""

    key: OperationKey
    field: str
    location: str
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    entry: Entry
    hops: tuple[Hop, ...] = ()

    @property
    def keys(self) -> tuple[OperationKey, ...]:
        return tuple(dict.fromkeys((self.entry.key, *(hop.key for hop in self.hops))))

    @property
    def last(self) -> OperationKey:
        return self.hops[-1].key if self.hops else self.entry.key


class Ways:
    """All ways that the evidence of a round allows, by each operation on them."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._version = -1
        self._through: dict[OperationKey, list[Way]] = {}
        self._hops: dict[OperationKey, list[Hop]] = {}

    def through(self, key: OperationKey) -> list[Way]:
        """The ways on which an operation lies, in a stable order."""
        if self._version != self._knowledge.version:
            self._version = self._knowledge.version
            self._hops.clear()
            self._through = {}
            for way in self._all():
                for on in way.keys:
                    self._through.setdefault(on, []).append(way)
        return self._through.get(key, [])

    def _all(self) -> Iterator[Way]:
        for view in self._knowledge.views.values():
            for entry in self._entries(view):
                yield from self._onward(Way(entry), view)

    def _onward(self, way: Way, view: View) -> Iterator[Way]:
        yield way
        if way.entry.kind == "told":
            return
        if len(way.hops) >= MAX_HOPS:
            return
        for hop in self._hops_from(view):
            if hop.key not in way.keys and hop.key.method == "GET":
                yield from self._onward(Way(way.entry, (*way.hops, hop)), self._knowledge.views[hop.key])

    def _entries(self, view: View) -> Iterator[Entry]:
        if not view.good or not view.fields or not view.safe:
            return
        yield from self._named(view)
        yield from (Entry(view.key, "pick", pick=pick) for pick in picks(view))
        if view.lone and view.safe and (len(view.needed()) != 1 or not view.needed()[0].startswith("path:")):
            yield Entry(view.key, "told")

    def _named(self, view: View) -> Iterator[Entry]:
        needed = view.needed()
        if view.lone and len(needed) == 1 and needed[0].startswith("path:"):
            for name in view.echoed(needed[0]):
                if _said(view, name) and "/" not in name:
                    yield Entry(view.key, "code", name, needed[0])
            return
        for label in labels(view):
            given = Given(label, "", view.noun)
            slots = [slot for slot in view.slots.values() if slot.location.startswith("query:")]
            best = max(slots, key=lambda slot: fit(self._knowledge, given, view, slot), default=None)
            found = best.location if best and fit(self._knowledge, given, view, best) >= 0.8 else ""
            if (found and not _finds(view, found, label)) or (not found and view.largest <= 1):
                continue
            if all(
                location == found or (view.slots.get(location) and view.slots[location].stated) for location in needed
            ):
                yield Entry(view.key, "name", label, found)

    def _hops_from(self, view: View) -> list[Hop]:
        found = self._hops.get(view.key)
        if found is None:
            found = self._hops[view.key] = list(self._find_hops(view))
        return found

    def _find_hops(self, view: View) -> Iterator[Hop]:
        best: dict[OperationKey, tuple[float, Hop]] = {}
        patterns = {item.pattern for seen in view.seen for item in seen.reading.items}
        for edge in self._knowledge.graph.consumers(view.key):
            target = self._knowledge.views.get(edge.target)
            field = _field(edge.pointer, patterns)
            if target is None or field is None or not target.good or edge.score < 0.45:
                continue
            if SEARCHING.intersection(words(edge.location.partition(":")[2])) and edge.location.startswith("query:"):
                continue  # a text that is found in others is no relation
            if field not in view.fields or not self._shown(view, field, target, edge.location):
                continue
            if not _plain(field, view.noun, self._about(target, edge.location), target.noun):
                continue
            told = self._told(view, target, field, edge.location)
            known = best.get(edge.target)
            if told is not None and (known is None or edge.score > known[0]):
                best[edge.target] = (edge.score, Hop(edge.target, field, edge.location, told))
        yield from (hop for _, hop in best.values())

    def _shown(self, view: View, field: str, target: View, location: str) -> bool:
        """Whether values of the field were accepted there; for a thing of the same kind, as its own id."""
        values = view.fields[field].values
        sent = [seen.arguments.get(location) for seen in target.seen]
        if not any(value is not None and str(value) in values for value in sent):
            return False
        echoes = target.echoed(location)
        own = not echoes or field.rpartition("/")[2] in {name.rpartition("/")[2] for name in echoes}
        if view.noun == target.noun:
            return own and (target.lone or not target.safe)
        about = self._about(target, location)
        return about in (view.noun, target.noun) or target.lone or not target.safe

    def _about(self, target: View, location: str) -> str:
        """What kind of thing an argument names: /countries/{code}/cities is asked with a country."""
        slot = target.slots.get(location)
        if location.startswith("path:"):
            return dict(path_nouns(target.key.path)).get(location.partition(":")[2], target.noun)
        nouns = {view.noun for view in self._knowledge.views.values()}
        first = singular(next(iter(words(slot.name if slot else location.partition(":")[2])), ""))
        return first if first in nouns else target.noun

    def _told(self, view: View, target: View, field: str, location: str) -> tuple[str, ...] | None:
        """The other arguments that the text must give; None where one is of a kind that cannot be said."""
        told: list[str] = []
        for other in target.needed():
            slot = target.slots.get(other)
            if other == location or (slot is not None and len(slot.stated) == 1):
                continue
            if other.startswith("path:") and carried(view.key.path, target.key.path, other):
                continue
            if other.startswith("path:") or self._shown(view, field, target, other):
                return None  # from or to: the text could not say which of the two the item is
            told.append(other)
        return tuple(told)


def carried(path: str, onward: str, location: str) -> str | None:
    """The path argument that goes on from one call to the next: /a/{x}/b, then /a/{y}/b/{z}, takes x for y."""
    name = "{" + location.partition(":")[2] + "}"
    before, after = path.rstrip("/").split("/"), onward.rstrip("/").split("/")
    for index, (one, other) in enumerate(zip(before, after, strict=False)):
        if other == name and one.startswith("{"):
            return f"path:{one.strip('{}')}" if index + 1 < len(before) else None
        if one != other and not (one.startswith("{") and other.startswith("{")):
            return None
    return None


def labels(view: View) -> list[str]:
    """The fields by which a person would name one of the things: a name, then a code; unique where seen."""
    found = []
    for kind in (NAMING, CODES):
        for name in view.fields:
            parts = words(name)
            if not parts or "/" in name or not _said(view, name):
                continue
            own = len(parts) == 1 or parts[0] == view.noun
            if "".join(parts) in kind or (own and parts[-1] in kind):
                found.append(name)
    return found[:2]


def _plain(field: str, *nouns: str) -> bool:
    """Whether a field is the thing's own id or names what it leads to: `currency_code`, not `highest_airport`."""
    own = {singular(word) for word in words(field)} - IDENTIFIERS - {"name", "iata", "icao", "title", "path"}
    return own <= {word for noun in nouns for word in words(noun)}


def _finds(view: View, location: str, label: str) -> bool:
    """Whether what was searched for was found in this field."""
    for seen in view.seen:
        sent = str(seen.arguments.get(location, "")).casefold()
        if sent and any(sent in str(item.fields.get(label, "")).casefold() for item in seen.reading.items):
            return True
    return False


def _said(view: View, name: str) -> bool:
    """Whether a field's values can stand in a text and tell the things apart."""
    news = view.fields.get(name)
    if news is None or not news.values or news.changing or news.nulls * 4 > news.seen:
        return False
    value = next(iter(news.values))
    if changing(name, value) or linking(value):
        return False
    return view.single or view.largest <= 1 or len(news.values) >= min(view.largest, 3)


def _field(pointer: str, patterns: set[str]) -> str | None:
    """The field of an item that a pointer of the tool graph names, where it lies in one of the main items."""
    place = pointer.partition(":")[2]
    for pattern in sorted(patterns, key=len, reverse=True):
        if place.startswith(f"{pattern}/"):
            inner = place[len(pattern) + 1 :]
            return None if "/0" in f"/{inner}" or inner == "0" else inner
    return None
