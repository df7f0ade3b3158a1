"""Ways through documents: which operations to call one after another so that a clause of a task is served.

A way ends in the operation that serves the clause and begins with what can be called by the values that the text
names; in between, what one operation is documented to answer fills the parameters of the next. Ways are found
backwards and weighed by how much of the clause their documents speak of, how many of its values they use, how sure
the documents are of each link, and how short they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, product

from docrev.agent.documents import IDS, Doc, Docs, Slot
from docrev.agent.links import CODE, is_akin, looks_coded, told
from docrev.agent.tasks import METHODS, Clause
from docrev.agent.text_values import Value
from docrev.agent.vocabulary import SELF, alike, topic_stems
from docrev.language.phrases import humanise
from docrev.language.stems import stem
from docrev.language.stems import stems as name_stems
from docrev.records import Json

MAX_CALLS = 4
KEPT = 5
"""Ways to call an operation that are kept; options of a parameter."""
CALL, LINK, UNUSED, FOREIGN, WANTED, AIMED, THINGS, NAMES, VERB = 0.8, 1.5, 1.2, 0.35, 1.0, 1.0, 1.0, 0.3, 1.0
_OWN_TEXT = tuple((stem(word),) for word in ("says", "saying", "called", "named", "titled"))
_TEXTS = frozenset(stem(word) for word in ("name", "title", "text", "content", "body", "message", "description"))
_PLACES = frozenset(stem(word) for word in ("country", "city", "region", "state", "place", "location", "continent"))
_GENERIC = frozenset(stem(word) for word in ("code", "id", "name", "number", "text", "slug", "key", "title", "called"))


@dataclass(frozen=True, slots=True)
class Source:
    """Where an argument comes from: a constant, or a field of what another operation of the way answers."""

    value: Json = None
    provider: str = ""
    noun: str = ""
    attr: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a way; `chosen` are the values that an item of its answer must have to be meant, `liked` what was
    searched for: preferred where an item has just that."""

    name: str
    sources: tuple[tuple[str, Source], ...]
    chosen: tuple[Json, ...] = ()
    liked: tuple[Json, ...] = ()


Parts = Mapping[tuple[str, ...], float]
"""What a way is weighed by, each thing once: its calls, the values it uses, the links between calls."""


@dataclass(frozen=True, slots=True)
class Way:
    """Calls in order, the last one serves the clause; `used` are the indexes of values that it uses."""

    steps: tuple[Step, ...]
    used: frozenset[int]
    parts: Parts
    score: float

    @property
    def last(self) -> str:
        return self.steps[-1].name

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(step.name for step in self.steps)


@dataclass(frozen=True, slots=True)
class _Option:
    source: Source
    used: frozenset[int]
    score: float
    before: tuple[Step, ...] = ()
    parts: Parts = field(default_factory=dict)


@dataclass(slots=True)
class Search:
    """Looks for ways to serve one clause. `bias` makes operations more or less likely, `made` are unsafe operations
    that were answered already: what they made can be worked with."""

    docs: Docs
    clause: Clause
    bias: Mapping[str, float] = field(default_factory=dict)
    made: frozenset[str] = frozenset()
    _ways: dict[tuple[str, int], list[Way]] = field(default_factory=dict)
    _speaks: dict[str, float] = field(default_factory=dict)

    def best(self) -> list[Way]:
        """All ways, the best first; at most one for each set of operations."""
        found: dict[tuple[str, ...], Way] = {}
        for doc in self.docs.docs:
            if doc.method not in METHODS[self.clause.deed] or self._makes_other(doc):
                continue
            for way in self.ways(doc, MAX_CALLS):
                whole = replace(way, score=way.score + self._serves(doc, way))
                known = found.get(way.names)
                if known is None or known.score < whole.score:
                    found[way.names] = whole
        order = {doc.name: at for at, doc in enumerate(self.docs.docs)}
        return sorted(found.values(), key=lambda way: (-round(way.score, 6), len(way.steps), order[way.last]))

    def _makes_other(self, doc: Doc) -> bool:
        """Whether an operation makes something new where the clause wants something done with what is there."""
        said = topic_stems(doc.sheet.description[:40])[:1]
        return self.clause.deed in ("change", "act") and doc.method == "POST" and said == (stem("create"),)

    def _serves(self, doc: Doc, way: Way) -> float:
        """How much of the clause the documents of a way speak of, its last operation's first of all."""
        docs, clause = self.docs, self.clause
        others = [docs.by_name[name] for name in way.names[:-1]]
        covered = 0.0
        for word in clause.stems:
            last = docs.match(word, doc)
            if word == self._verb():
                covered += last
                continue
            covered += max([last, *(0.7 * docs.match(word, other) for other in others)])
        wanted = sum(weight * docs.idf.get(word, 1.0) * self._tells(doc, word) for word, weight in clause.want)
        aimed = sum(
            weight * docs.idf.get(own, 1.0) * max(alike(word, own), 0.0)
            for word, weight in clause.want
            for own in dict.fromkeys(doc.own)
        )
        foreign = sum(
            docs.idf.get(word, 1.0)
            for word in dict.fromkeys(doc.own)
            if not (word == SELF and clause.deed != "read") and not any(alike(word, said) for said in clause.stems)
        )
        tools = {str(value.value).casefold() for value in clause.values} & self.docs.tools
        named = 2.0 if doc.sheet.key.tool.casefold() in tools else 0.0
        if clause.named:
            told = [self.docs.by_name[name].sheet.key.operation in clause.named for name in way.names]
            named += 3.0 * sum(told) - 1.5 * (len(told) - sum(told))
        unused = sum(
            1
            for at, value in enumerate(clause.values)
            if value.kind != "ordinal" and at not in way.used and str(value.value).casefold() not in tools
        )
        whole = clause.many or clause.counts
        lone = -0.5 if whole and doc.single else 0.0
        if whole and any(self._lists(source, doc) for _, source in way.steps[-1].sources):
            # One item of a list is looked at more closely: the others are lost.
            lone -= 2.5
        asked = [word for word, weight in clause.want if weight == 1.0]
        if not doc.single and any(alike(word, noun) for word in asked for noun in doc.nouns):
            lone += 0.4
        lone += THINGS * max((alike(word, doc.noun) for word in asked), default=0.0)
        made = {"POST": 0.6 if clause.deed == "create" else 0.0, "PATCH": 0.4 if clause.deed == "change" else 0.0}
        deed = made.get(doc.method, 0.0)
        if clause.deed != "read":
            deed += VERB * docs.match(self._verb(), doc)
        if any(other.sheet.key.path == doc.sheet.key.path for other in others):
            # What is there already need not be added, and only what is there can be taken away.
            deed += {"create": -2.0, "delete": 0.8}.get(clause.deed, 0.0)
        return (
            2.0 * covered + WANTED * wanted + AIMED * aimed - FOREIGN * foreign - UNUSED * unused + lone + deed + named
        )

    def _lists(self, source: Source, doc: Doc) -> bool:
        """Whether an argument is one of a list, and the operation looks at that one."""
        other = self.docs.by_name.get(source.provider)
        if other is None or not other.reads or not (doc.single or other.noun in doc.nouns):
            return False
        return not other.single or f"{source.name}/0" in other.tells

    def _tells(self, doc: Doc, word: str) -> float:
        """Whether its documentation says that it tells a field; where it leaves fields out, it may."""
        told = max((alike(word, said) for told in doc.tells.values() for said in told), default=0.0)
        return max(told, 0.25) if doc.partial and doc.reads else told

    def speaks(self, doc: Doc) -> float:
        """How much of the clause one document speaks of."""
        found = self._speaks.get(doc.name)
        if found is None:
            said = [word for word in self.clause.stems if not (doc.reads and word == self._verb())]
            found = self._speaks[doc.name] = sum(self.docs.match(word, doc) for word in said)
        return found

    def _verb(self) -> str:
        """The word that says what is to be done; "" where something is only to be read."""
        return self.clause.stems[0] if self.clause.deed != "read" and self.clause.stems else ""

    def _names(self, doc: Doc) -> float:
        """How much of what the path of an operation names is asked for."""
        said = (self.docs.idf.get(word, 1.0) for word in dict.fromkeys(doc.own) if word in self.clause.stems)
        return NAMES * sum(said)

    def ways(self, doc: Doc, calls: int) -> list[Way]:
        """The best ways to call an operation with at most `calls` calls, itself included."""
        known = self._ways.get((doc.name, calls))
        if known is None:
            self._ways[doc.name, calls] = []
            known = self._ways[doc.name, calls] = self._find(doc, calls)
        return known

    def _find(self, doc: Doc, calls: int) -> list[Way]:
        slots: list[list[_Option]] = []
        names: list[str] = []
        for slot in doc.slots:
            if slot.name.startswith("body_"):
                continue
            options = self._options(doc, slot, calls)
            if not options and slot.required:
                return []
            if options:
                names.append(slot.name)
                slots.append(options)
        found = [way for way in (self._combine(doc, names, chosen) for chosen in islice(product(*slots), 256)) if way]
        found = [way for way in found if len(way.steps) <= calls]
        found.sort(key=lambda way: -way.score)
        kept: dict[tuple[tuple[str, ...], frozenset[int]], Way] = {}
        for way in found:
            kept.setdefault((way.names, way.used), way)
        return list(kept.values())[:KEPT]

    def _combine(self, doc: Doc, names: list[str], chosen: tuple[_Option, ...]) -> Way | None:
        """A way of these options; None where it would use a value twice in a call, or go in a circle."""
        used: set[int] = set()
        steps: dict[str, Step] = {}
        parts: dict[tuple[str, ...], float] = {
            ("call", doc.name): self.bias.get(doc.name, 0.0) + 0.25 * self.speaks(doc) + self._names(doc) - CALL
        }
        for name, option in zip(names, chosen, strict=True):
            if not option.before and used & option.used:
                return None
            used |= option.used
            if any(step.name == doc.name for step in option.before):
                return None
            steps.update({step.name: step for step in option.before if step.name not in steps})
            for key, score in (option.parts or {("argument", doc.name, name): option.score}).items():
                parts[key] = max(parts.get(key, score), score)
        sources = [
            (name, option.source) for name, option in zip(names, chosen, strict=True) if option.source.name != "-"
        ]
        # What a body takes as well, under the same name, is sent there too where it is required.
        given = dict(sources)
        twins = [slot for slot in doc.slots if slot.required and slot.name.startswith("body_")]
        sources += [(slot.name, given[slot.name[5:]]) for slot in twins if slot.name[5:] in given]
        selected = self._selects(doc, frozenset(used))
        parts.update({("value", str(at)): 1.0 if self.hint(self.clause.values[at]) else 0.5 for at in selected})
        made = (
            *steps.values(),
            Step(doc.name, tuple(sources), self._texts(selected), self._texts(self._searched(doc, names, chosen))),
        )
        return Way(made, frozenset(used) | selected, parts, sum(parts.values()))

    def _selects(self, doc: Doc, used: frozenset[int]) -> frozenset[int]:
        """The values that tell which item of a list is meant: named as its noun, and not sent."""
        if doc.single or not doc.reads:
            return frozenset()
        return frozenset(
            at
            for at, value in enumerate(self.clause.values)
            if at not in used
            and (
                (
                    value.kind == "text"
                    and not self._is_tool(value)
                    and (self.hint(value) in doc.nouns or (not self.hint(value) and not value.quoted))
                    and value.before[:1] not in _OWN_TEXT
                )
                or (value.kind == "ordinal" and set(value.after) & doc.nouns)
            )
        )

    def _is_tool(self, value: Value) -> bool:
        return str(value.value).casefold() in self.docs.tools

    def _searched(self, doc: Doc, names: list[str], chosen: tuple[_Option, ...]) -> frozenset[int]:
        roles = {slot.name: slot.role for slot in doc.slots}
        picked = zip(names, chosen, strict=True)
        return frozenset(at for name, option in picked if roles[name] == "search" for at in option.used)

    def _texts(self, numbers: frozenset[int]) -> tuple[Json, ...]:
        values = [self.clause.values[at] for at in sorted(numbers)]
        return tuple(value.value for value in values if value.kind == "text")

    def hint(self, value: Value) -> str:
        """The noun that a text says a value is of: `the country "Fiji"`, `Star Wars collection`."""
        nouns = {stem(noun) for noun in self.docs.nouns}
        for word in (*(() if value.apart else value.before[:2]), *value.after):
            if word in nouns:
                return word
            for noun in sorted(nouns):
                if alike(word, noun):
                    return noun
        if value.of:
            return next((noun for noun in ("person", "artist", "author") if noun in nouns), "")
        return ""

    # Options of a parameter

    def _options(self, doc: Doc, slot: Slot, calls: int) -> list[_Option]:
        for other in slot.others:
            if self._spoken(other.noun) > self._spoken(slot.noun):
                slot = other
        found = list(self._by_value(doc, slot))
        spoken = self._spoken(slot.noun) > 0
        placed = slot.noun in _PLACES and any(
            value.kind == "text" and value.by in ("in", "of", "from", "on") and not self.hint(value)
            for value in self.clause.values
        )
        wanted = slot.required or spoken or placed
        enumerated = slot.closed and bool(slot.values) and slot.source is None
        if wanted and slot.role in ("id", "text") and not enumerated and not self._own_text(doc, slot):
            found += self._by_provider(doc, slot, calls)
        if slot.required:
            found += self._by_document(slot, bool(found))
        found.sort(key=lambda option: -option.score)
        if slot.required:
            return found[:KEPT]
        return [*found[:1], _Option(Source(name="-"), frozenset(), 0.0)] if found else []

    def _spoken(self, noun: str) -> float:
        """How far the text speaks of a thing."""
        return max((alike(noun, word) for word in self.clause.stems), default=0.0) if noun else 0.0

    def _own_text(self, doc: Doc, slot: Slot) -> bool:
        """Whether a parameter takes what somebody makes up: the text of what is written."""
        return slot.argument.location.startswith("body:/") and slot.attr == "" and slot.source is None

    def _by_value(self, doc: Doc, slot: Slot) -> Iterator[_Option]:
        for at, value in enumerate(self.clause.values):
            fitting = self._fits(doc, slot, value)
            if fitting is not None:
                parts: Parts = {("value", str(at)): fitting[1]}
                yield _Option(Source(value=fitting[0]), frozenset({at}), fitting[1], (), parts)
        if slot.role in ("sort", "page", "size", "search", "date"):
            yield from self._sorted(slot)
            return
        for one in slot.values if slot.closed else ():
            said = [word for word in name_stems(str(one)) if word]
            near = [max((alike(word, other) for other in self.clause.stems), default=0.0) for word in said]
            if near and min(near) > 0.0:
                yield _Option(Source(value=one), frozenset(), 1.0 if min(near) == 1.0 else 0.8)

    def _sorted(self, slot: Slot) -> Iterator[_Option]:
        if slot.role != "sort" or not slot.values:
            return
        text = self.clause.text.lower()
        down = self.clause.order < 0
        if not down and not re.search(
            r"\bsort|\border|\bfirst\b|\bby\b|\blowest\b|\bsmallest\b|\bleast\b|\boldest\b", text
        ):
            return
        for one in slot.values:
            said = [word for word in topic_stems(humanise(str(one).lstrip("-+"))) if word not in ("desc", "asc")][:1]
            by_name = said in ([stem("name")], [stem("title")]) and not re.search(
                r"\bby (?:name|title)\b|alphabet", text
            )
            if said and not by_name and any(alike(said[0], other) for other in self.clause.stems):
                falls = str(one).startswith("-") or str(one).endswith("desc")
                yield _Option(Source(value=one), frozenset(), 0.5 if bool(down) == falls else 0.2)

    def _by_document(self, slot: Slot, other: bool) -> Iterator[_Option]:
        """What the documentation says may be sent without being told: the default, or one of the choices."""
        least = 0.2 if not other else -1.0
        if slot.argument.default is not None:
            yield _Option(Source(value=slot.argument.default), frozenset(), least)
        elif slot.closed and slot.values:
            yield _Option(Source(value=slot.values[0]), frozenset(), least - 0.4)
        elif slot.role == "number" and slot.shown is not None and self.clause.deed != "read":
            yield _Option(Source(value=slot.shown), frozenset(), least - 0.8)

    def _by_provider(self, doc: Doc, slot: Slot, calls: int) -> list[_Option]:
        if calls < 2:
            return []
        found: list[_Option] = []
        for other, name, sure in self._providers(doc, slot):
            if other.name in self.made:
                link = (sure - 1.0) * LINK
                source = Source(provider=other.name, noun=slot.noun, attr=slot.attr, name=name)
                found.append(_Option(source, frozenset(), link, (), {("link", doc.name, slot.name): link}))
                continue
            spoken = self._spoken(slot.noun) > 0
            if not slot.required and not spoken and slot.noun not in other.nouns:
                continue
            for way in self.ways(other, calls - 1)[:3]:
                if doc.name in way.names:
                    continue
                way = self._kind(other, way, slot.noun)
                source = Source(provider=other.name, noun=slot.noun, attr=slot.attr, name=name)
                link = (sure - 1.0) * LINK - (0.0 if slot.required else 0.3) - (0.8 if slot.attr == "number" else 0.0)
                parts = {**way.parts, ("link", doc.name, slot.name): link}
                if slot.required or way.used or (spoken and self.clause.deed != "read"):
                    found.append(_Option(source, way.used, way.score + link, way.steps, parts))
        found.sort(key=lambda option: -option.score)
        return found[: 2 * KEPT]

    def _kind(self, doc: Doc, way: Way, noun: str) -> Way:
        """The way with the kind of thing that is needed, where its last operation is told which kind to look for."""
        kinds: dict[str, Json] = {}
        for slot in doc.slots:
            for one in slot.values if slot.closed else ():
                if name_stems(str(one)) == (noun,):
                    kinds[slot.name] = one
        step = way.steps[-1]
        if not any(kinds.get(name, source.value) != source.value for name, source in step.sources):
            return way
        sources = tuple(
            (name, replace(source, value=kinds.get(name, source.value)) if not source.provider else source)
            for name, source in step.sources
        )
        return replace(way, steps=(*way.steps[:-1], replace(step, sources=sources)))

    def _providers(self, doc: Doc, slot: Slot) -> Iterator[tuple[Doc, str, float]]:
        """The operations whose answers hold what a parameter takes; under which name, and how sure that is."""
        documented = self.docs.by_operation.get(slot.source[1]) if slot.source else None
        for other in self.docs.docs:
            if other is doc or not (other.reads or other.name in self.made):
                continue
            name, sure = self.docs.told(other, slot, told)
            if slot.source is not None and documented is not None:
                field = slot.source[0] or self.docs.told(documented, slot, told)[0]
                name, sure = (field, 1.0) if is_akin(other, documented, field) else (name, sure)
            if other.name in self.made and sure:
                sure = sure + 1.0 if slot.noun in other.nouns else 0.0
            if sure:
                yield other, name, sure

    # Values

    def _fits(self, doc: Doc, slot: Slot, value: Value) -> tuple[Json, float] | None:
        """The value as this parameter takes it, and how well; None where it does not."""
        if slot.closed and slot.values and value.kind == "text":
            kin = [one for one in slot.values if _of(str(value.value), str(one))]
            if kin:
                return kin[0], 3.0
        labels = {*name_stems(slot.name), *topic_stems(humanise(slot.name)), slot.noun} - {""}
        named = slot.name.lower() in (value.lead, value.by) or any(
            alike(word, label) >= (1.0 if value.kind == "text" else 0.6)
            for word in self._naming(value)
            for label in labels
        )
        if slot.closed and slot.values and value.kind != "ordinal":
            same = [one for one in slot.values if str(one).casefold() == str(value.value).casefold()]
            return (same[0], 3.0) if same else None
        if value.kind == "ordinal":
            counts = slot.role == "id" and slot.attr == "number" and slot.noun in value.after
            return (int(str(value.value)) + 1, 2.5) if counts else None
        if value.kind == "date":
            return (written(str(value.value), slot.date), 2.5) if slot.role == "date" else None
        if value.kind == "number":
            numeric = (
                slot.role == "number" or slot.argument.type in ("integer", "number") or slot.attr in ("id", "number")
            )
            scaled = value.value
            if isinstance(scaled, int) and "thousands" in slot.argument.description and scaled >= 1000:
                scaled = scaled // 1000
            return (scaled, 2.5) if numeric and named and slot.role not in ("page", "sort") else None
        return self._text_fits(doc, slot, value, named)

    def _naming(self, value: Value) -> tuple[str, ...]:
        """The words that say what a value is of: the nearest, and those before a mere "code" or "name"."""
        generic = bool(value.before) and value.before[0] in _GENERIC
        near = value.before[:3] if generic else value.before[:1]
        hint = self.hint(value) if value.kind == "text" and not generic else ""
        return (*near, *value.after, *((hint,) if hint else ()))

    def _text_fits(self, doc: Doc, slot: Slot, value: Value, named: bool) -> tuple[Json, float] | None:
        text = str(value.value)
        if text.casefold() in self.docs.tools:
            return None
        labelled = bool(value.before) and value.before[0] in ("code", "id", "iata", "slug", "key")
        code = bool(CODE.fullmatch(text)) or (labelled and " " not in text)
        if value.code and slot.role != "search" and (looks_coded(slot) or slot.attr in IDS):
            text, code = value.code, True
        hint = self.hint(value)
        if slot.argument.type in ("integer", "number", "boolean") or slot.role in ("sort", "page", "size", "date"):
            return None
        own = value.before[:1] in _OWN_TEXT
        if own and not slot.argument.location.startswith("body:/"):
            return None
        if slot.role == "search":
            if labelled:
                return text, 0.4
            return text, 2.0 + (
                0.8 if hint and hint in doc.nouns else -1.0 if hint and doc.noun not in ("", "search") else 0.0
            )
        if slot.argument.location.startswith("body:/"):
            if slot.attr or coded_shape(slot, text):
                return (text, 2.5 if named else 1.5) if code else None
            own = (value.quoted or own) and name_stems(slot.name)[-1] in _TEXTS and not value.code
            return (text, 2.5 if named else 1.6) if named or own else None
        coded = looks_coded(slot)
        if coded and not code:
            return None
        if slot.attr in ("id", "code", "iata", "slug", "uuid", "key", "uri"):
            about = slot.attr in value.near or hint == slot.noun or slot.noun in self.clause.stems
            about = about or (bool(value.code) and coded_shape(slot, text))
            if code and slot.shown is not None and not coded_shape(slot, text) and not labelled:
                return None
            spoken = "name" in topic_stems(slot.argument.description)
            return (
                (text, 2.5 if slot.attr in value.near else 1.5)
                if code and about
                else (text, 1.0)
                if spoken and hint == slot.noun
                else None
            )
        if slot.source is not None and not code and slot.role == "id":
            return None
        if named:
            return text, 2.4 if coded else 2.2
        if coded:
            return (text, 1.6) if coded_shape(slot, text) else None
        place = slot.noun in _PLACES and value.by in ("in", "of", "from", "at") and slot.source is None
        return (text, 0.9) if place and not hint else None


def coded_shape(slot: Slot, text: str) -> bool:
    """Whether a text looks like the codes that the documentation shows: as long, and as high."""
    shown = [str(one) for one in (slot.shown, *slot.values) if one is not None][:1]
    return any(CODE.fullmatch(one) and len(one) == len(text) and one.isupper() == text.isupper() for one in shown)


def _of(text: str, value: str) -> bool:
    """Whether a word is the adjective of a value: African of Africa, European of Europe."""
    one, other = text.casefold(), value.casefold()
    return one == other or (len(other) > 3 and one.startswith(other[:-1]) and 0 < len(one) - len(other) <= 2)


def written(date: str, form: str) -> str:
    """A date as documented: 2024-06-01 as `DD.MM.YYYY` is 01.06.2024."""
    year, month, day = date.split("-")
    return (form or "YYYY-MM-DD").replace("YYYY", year).replace("MM", month).replace("DD", day)
