"""Finds ways through documents: which operations to call one after another so that a clause of a task is served.

A way ends in the operation that serves the clause and begins with what can be called by the values that the text
names; in between, what one operation is documented to return fills the parameters of the next. Ways are found
backwards and weighed by how much of the clause their documents are about, how many of its values they use, how sure
the documents are of each link, and how short they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product

from docrev.agent.clauses import METHODS, Clause
from docrev.agent.documents import AgentDocuments, Doc
from docrev.agent.links import field_for, is_equivalent
from docrev.agent.parameters import Slot
from docrev.agent.relevance import Relevance
from docrev.agent.value_fits import ValueFits
from docrev.agent.vocabulary import alike, topic_stems
from docrev.agent.ways import ArgumentSource, Option, Parts, Way, WayStep
from docrev.language.phrases import humanise
from docrev.language.stems import stem
from docrev.language.stems import stems as name_stems
from docrev.records import Json

MAX_CALLS = 4
MAX_WAYS, MAX_PROVIDED = 5, 10
"""Ways to call an operation, and options of a parameter, that are kept; options by what another operation returns."""
MAX_COMBINED = 256
WAYS_OF_PROVIDER = 3
CALL = 0.8
"""What a call costs."""
LINK, OPTIONAL_LINK, NUMBERED_LINK = 1.5, 0.3, 0.8
"""What an unsure link costs; a link to a parameter that may be left out, and to one that only counts."""
CREATED = 1.0
"""How much surer a link is to what an earlier call has created."""
SELECTED, SELECTED_UNNAMED = 1.0, 0.5
"""A value that selects an item, with its noun or without."""
MENTIONED, NEARLY_MENTIONED = 1.0, 0.8
"""A documented choice that the text mentions."""
SORTED, SORTED_AGAINST = 0.5, 0.2
"""A documented order that the text asks for, and the same in the wrong direction."""
DOCUMENTED, FIRST_CHOICE, SHOWN, LAST_RESORT = 0.2, -0.4, -0.8, -1.0
"""A documented default; the first of the documented choices, the documented example; any of them beside others."""
_ASKS_ORDER = re.compile(r"\bsort|\border|\bfirst\b|\bby\b|\blowest\b|\bsmallest\b|\bleast\b|\boldest\b")
_ASKS_BY_NAME = re.compile(r"\bby (?:name|title)\b|alphabet")
_NAMES = frozenset({stem("name"), stem("title")})
_DIRECTIONS = ("desc", "asc")
_BODY_TWIN = "body_"
"""How a property of a body is called that has the name of another parameter."""


@dataclass(slots=True)
class WaySearch:
    """Looks for ways to serve one clause. `bias` makes operations more or less likely; `done` are unsafe operations
    that were called already: what they created can be worked with."""

    docs: AgentDocuments
    clause: Clause
    bias: Mapping[str, float] = field(default_factory=dict)
    done: frozenset[str] = frozenset()
    fits: ValueFits = field(init=False)
    relevance: Relevance = field(init=False)
    _returns: list[Doc] = field(init=False)
    """The operations whose responses can be worked with."""
    _ways: dict[tuple[str, int], list[Way]] = field(default_factory=dict)
    _returning: dict[tuple[str, int], list[tuple[Doc, str, float]]] = field(default_factory=dict)
    _valued: dict[tuple[str, int], list[Option]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.fits = ValueFits(self.docs, self.clause)
        self.relevance = Relevance(self.docs, self.clause)
        self._returns = [doc for doc in self.docs.docs if doc.is_read or doc.name in self.done]

    def best(self) -> list[Way]:
        """All ways, the best first; at most one for each set of operations."""
        best_ways: dict[tuple[str, ...], Way] = {}
        for doc in self.docs.docs:
            if doc.method not in METHODS[self.clause.deed] or self._creates_another(doc):
                continue
            for way in self.ways(doc, MAX_CALLS):
                score = way.score + self.relevance.score(doc, way)
                names = way.names
                if names not in best_ways or best_ways[names].score < score:
                    best_ways[names] = replace(way, score=score)
        order = {doc.name: at for at, doc in enumerate(self.docs.docs)}
        return sorted(best_ways.values(), key=lambda way: (-round(way.score, 6), len(way.steps), order[way.last]))

    def _creates_another(self, doc: Doc) -> bool:
        """Whether an operation creates something new if the clause wants something done with what is there."""
        first = topic_stems(doc.sheet.description[:40])[:1]
        return self.clause.deed in ("change", "act") and doc.method == "POST" and first == (stem("create"),)

    def ways(self, doc: Doc, calls: int) -> list[Way]:
        """The best ways to call an operation with at most `calls` calls, itself included."""
        if (doc.name, calls) not in self._ways:
            # Whoever comes back here while it is being found goes in a circle.
            self._ways[doc.name, calls] = []
            self._ways[doc.name, calls] = self._find(doc, calls)
        return self._ways[doc.name, calls]

    def _find(self, doc: Doc, calls: int) -> list[Way]:
        fillable: list[list[tuple[Slot, Option]]] = []
        for slot in doc.slots:
            options = self._options(doc, slot, calls) if not slot.name.startswith(_BODY_TWIN) else []
            if options:
                fillable.append([(slot, option) for option in options])
            elif slot.is_required and not slot.name.startswith(_BODY_TWIN):
                return []
        ways = (self._combine(doc, chosen) for chosen in islice(product(*fillable), MAX_COMBINED))
        return _best_of_each([way for way in ways if way is not None and len(way.steps) <= calls])

    def _combine(self, doc: Doc, chosen: Sequence[tuple[Slot, Option]]) -> Way | None:
        """The way with the chosen options; None if it would use a value twice in a call, or go in a circle."""
        used: set[int] = set()
        steps: dict[str, WayStep] = {}
        worth = self.bias.get(doc.name, 0.0) + self.relevance.of_call(doc) - CALL
        parts: dict[tuple[str, ...], float] = {("call", doc.name): worth}
        for slot, option in chosen:
            if option.before:
                before = {step.name: step for step in option.before}
                if doc.name in before:
                    return None
                # The same call is made once, as the first option has it, and where that needs it.
                steps = steps | before | steps
            elif used & option.used:
                return None
            used |= option.used
            for key, score in (option.parts or {("argument", doc.name, slot.name): option.score}).items():
                parts[key] = max(parts.get(key, score), score)
        selected = self._selected(doc, used)
        parts.update({("value", str(at)): self._selecting_score(at) for at in selected})
        searched = {at for slot, option in chosen if slot.role == "search" for at in option.used}
        last = WayStep(doc.name, _sources(doc, chosen), self._texts(selected), self._texts(searched))
        return Way((*steps.values(), last), frozenset(used | selected), parts, sum(parts.values()))

    def _selected(self, doc: Doc, used: set[int]) -> set[int]:
        """The values that select an item of a list, and are not sent."""
        if doc.is_single or not doc.is_read:
            return set()
        free = ((at, value) for at, value in enumerate(self.clause.values) if at not in used)
        return {at for at, value in free if self.fits.selects(doc, value)}

    def _selecting_score(self, at: int) -> float:
        return SELECTED if self.fits.hint(self.clause.values[at]) else SELECTED_UNNAMED

    def _texts(self, numbers: set[int]) -> tuple[Json, ...]:
        values = [self.clause.values[at] for at in sorted(numbers)]
        return tuple(value.value for value in values if value.kind == "text")

    # Options of a parameter

    def _options(self, doc: Doc, slot: Slot, calls: int) -> list[Option]:
        for other in slot.alternatives:
            if self.fits.mention(other.noun) > self.fits.mention(slot.noun):
                slot = other
        # The number of calls limits what other operations may provide, and not what the text says.
        if (doc.name, id(slot)) not in self._valued:
            self._valued[doc.name, id(slot)] = list(self._by_value(doc, slot))
        options = list(self._valued[doc.name, id(slot)])
        if self._may_be_provided(slot):
            options += self._by_provider(doc, slot, calls)
        if slot.is_required:
            options += _by_document(slot, is_last_resort=bool(options), deed=self.clause.deed)
        options.sort(key=lambda option: -option.score)
        if slot.is_required:
            return options[:MAX_WAYS]
        return [*options[:1], Option(None, frozenset(), 0.0)] if options else []

    def _may_be_provided(self, slot: Slot) -> bool:
        """Whether it is worth a call to find out what to send: it is needed, or the text mentions it."""
        if slot.role not in ("id", "text") or (slot.is_closed and slot.values and slot.source is None):
            return False
        if slot.in_body and slot.attr == "" and slot.source is None:
            # What somebody makes up: the text of what is written.
            return False
        return slot.is_required or self.fits.mention(slot.noun) > 0 or self.fits.has_open_place(slot)

    def _by_value(self, doc: Doc, slot: Slot) -> Iterator[Option]:
        """What the text names."""
        for at, value in enumerate(self.clause.values):
            fit = self.fits.fit(doc, slot, value)
            if fit is not None:
                parts: Parts = {("value", str(at)): fit[1]}
                yield Option(ArgumentSource(fit[0]), frozenset({at}), fit[1], (), parts)
        if slot.role == "sort":
            yield from self._by_order(slot)
        elif slot.role not in ("page", "size", "search", "date") and slot.is_closed:
            yield from self._by_mention(slot)

    def _by_mention(self, slot: Slot) -> Iterator[Option]:
        """The documented choices that the text mentions."""
        for one in slot.values:
            near = [max((alike(word, o) for o in self.clause.stems), default=0.0) for word in name_stems(str(one))]
            if near and min(near) > 0.0:
                yield Option(ArgumentSource(one), frozenset(), MENTIONED if min(near) == 1.0 else NEARLY_MENTIONED)

    def _by_order(self, slot: Slot) -> Iterator[Option]:
        """The documented orders that the text asks for."""
        text, down = self.clause.text.lower(), self.clause.order < 0
        if not down and not _ASKS_ORDER.search(text):
            return
        for one in map(str, slot.values):
            label = next(word for word in (*topic_stems(humanise(one.lstrip("-+"))), "") if word not in _DIRECTIONS)
            is_meant = label not in _NAMES or _ASKS_BY_NAME.search(text) is not None
            if label and is_meant and self.fits.mention(label) > 0:
                falls = one.startswith("-") or one.endswith("desc")
                yield Option(ArgumentSource(one), frozenset(), SORTED if down == falls else SORTED_AGAINST)

    def _by_provider(self, doc: Doc, slot: Slot, calls: int) -> list[Option]:
        """What other operations return."""
        found: list[Option] = []
        for other, name, sure in self._providers(doc, slot) if calls > 1 else ():
            source = ArgumentSource(provider=other.name, noun=slot.noun, attr=slot.attr, field=name)
            if other.name in self.done:
                link = (sure - 1.0) * LINK
                found.append(Option(source, frozenset(), link, (), {("link", doc.name, slot.name): link}))
            elif slot.is_required or self.fits.mention(slot.noun) > 0 or slot.noun in other.nouns:
                ways = (way for way in self.ways(other, calls - 1)[:WAYS_OF_PROVIDER] if doc.name not in way.names)
                options = (self._linked(doc, slot, source, sure, of_kind(other, way, slot.noun)) for way in ways)
                found += (option for option in options if option is not None)
        return sorted(found, key=lambda option: -option.score)[:MAX_PROVIDED]

    def _linked(self, doc: Doc, slot: Slot, source: ArgumentSource, sure: float, way: Way) -> Option | None:
        """A parameter filled by the last call of a way; None if nothing supports that."""
        is_asked = self.fits.mention(slot.noun) > 0 and self.clause.deed != "read"
        if not (slot.is_required or way.used or is_asked):
            return None
        link = (sure - 1.0) * LINK
        link -= 0.0 if slot.is_required else OPTIONAL_LINK
        link -= NUMBERED_LINK if slot.attr == "number" else 0.0
        parts = {**way.parts, ("link", doc.name, slot.name): link}
        return Option(source, way.used, way.score + link, way.steps, parts)

    def _providers(self, doc: Doc, slot: Slot) -> list[tuple[Doc, str, float]]:
        if (doc.name, id(slot)) not in self._returning:
            self._returning[doc.name, id(slot)] = list(self._find_providers(doc, slot))
        return self._returning[doc.name, id(slot)]

    def _find_providers(self, doc: Doc, slot: Slot) -> Iterator[tuple[Doc, str, float]]:
        """The operations that return what a parameter takes; in which field, and how sure that is."""
        fields = self.docs.fields_for(slot, field_for)
        for other in self._returns:
            name, sure = self._documented_field(other, slot) or fields.get(other.name, ("", 0.0))
            if other is doc or not sure:
                continue
            if other.name in self.done:
                sure = sure + CREATED if slot.noun in other.nouns else 0.0
            if sure:
                yield other, name, sure

    def _documented_field(self, other: Doc, slot: Slot) -> tuple[str, float] | None:
        """The field that documentation names as the source of a parameter, if this operation returns it too."""
        documented = self.docs.by_operation.get(slot.source[1]) if slot.source else None
        if slot.source is None or documented is None:
            return None
        name = slot.source[0] or self.docs.fields_for(slot, field_for).get(documented.name, ("", 0.0))[0]
        return (name, 1.0) if is_equivalent(other, documented, name) else None


def _best_of_each(ways: list[Way]) -> list[Way]:
    """The best ways, at most one for the same calls with the same values."""
    kept: dict[tuple[tuple[str, ...], frozenset[int]], Way] = {}
    for way in sorted(ways, key=lambda way: -way.score):
        kept.setdefault((way.names, way.used), way)
    return list(kept.values())[:MAX_WAYS]


def _sources(doc: Doc, chosen: Sequence[tuple[Slot, Option]]) -> tuple[tuple[str, ArgumentSource], ...]:
    """The sources of the arguments. What a body requires as well, under the same name, is sent there too."""
    given = {slot.name: option.source for slot, option in chosen if option.source is not None}
    names = (slot.name for slot in doc.slots if slot.is_required and slot.name.startswith(_BODY_TWIN))
    twins = {name: source for name in names if (source := given.get(name.removeprefix(_BODY_TWIN))) is not None}
    return tuple({**given, **twins}.items())


def _by_document(slot: Slot, *, is_last_resort: bool, deed: str) -> Iterator[Option]:
    """What the documentation says may be sent if nothing is known: the default, or one of the choices."""
    score = LAST_RESORT if is_last_resort else DOCUMENTED
    if slot.argument.default is not None:
        yield Option(ArgumentSource(slot.argument.default), frozenset(), score)
    elif slot.is_closed and slot.values:
        yield Option(ArgumentSource(slot.values[0]), frozenset(), score + FIRST_CHOICE)
    elif slot.role == "number" and slot.example is not None and deed != "read":
        yield Option(ArgumentSource(slot.example), frozenset(), score + SHOWN)


def of_kind(doc: Doc, way: Way, noun: str) -> Way:
    """The way with the kind of thing that is needed, if its last operation takes which kind to look for."""
    kinds: dict[str, Json] = {
        slot.name: one for slot in doc.slots if slot.is_closed for one in slot.values if name_stems(str(one)) == (noun,)
    }
    if not kinds:
        return way
    step = way.steps[-1]
    sources = tuple(
        (name, source if source.provider else replace(source, value=kinds.get(name, source.value)))
        for name, source in step.sources
    )
    return replace(way, steps=(*way.steps[:-1], replace(step, sources=sources)))
