"""Operations as the built-in agent reads them: what each is about, what it returns, and the words that say so.

Everything is read from the text that stands there: names, enums and formats, and what sentences state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log
from typing import TypeAlias

from docrev.agent.parameters import Slot, plain_text, read_slot
from docrev.agent.vocabulary import SELF, STOP, neighbours, topic_stems
from docrev.conventions.envelopes import ENVELOPES, plain_name
from docrev.language import documentation_phrases as phrases
from docrev.language.documentation_phrases import marked, sentences
from docrev.language.path_subjects import subject
from docrev.language.phrases import humanise
from docrev.language.stems import stem
from docrev.language.stems import stems as name_stems
from docrev.language.words import singular, words
from docrev.prompts.agents import ResponseField, Sheet

PATH, NAME, BEGINNING, REST = 1.0, 0.9, 0.7, 0.3
"""What a word counts in the path and the first sentence; in the name; in the two sentences behind; further on."""
FIELD, PARAMETER, REFERENCE, NEIGHBOUR = 0.6, 0.3, 0.9, 0.6
"""What a word counts in a field, in a parameter, in another document that refers to this one; a word much like it."""
_OWN_THINGS = re.compile(r"\b(?:current|authenticated|signed-in|logged-in)\b[^.]{0,20}\buser", re.I)
_POSSESSIVE = re.compile(r"\b\w+['’]s?(?=\s)")
_FIELD_NAME = re.compile(r"(?!/)[\w./-]+")
_NO_NOUNS = frozenset({"", "me", "v1", "api"})


@dataclass(slots=True)
class Doc:
    """An operation as read. `noun` and `nouns` are stems of what it is about, `is_single` says whether of one of it.

    `weights` are the stems of its texts; `path_stems` those of its path; `fields` maps the paths of the response's
    fields to their stems, and `is_partial` says that there may be others.
    """

    sheet: Sheet
    noun: str
    is_single: bool
    weights: dict[str, float]
    path_stems: tuple[str, ...]
    slots: tuple[Slot, ...]
    fields: dict[str, tuple[str, ...]]
    is_partial: bool
    nouns: frozenset[str] = frozenset()
    name: str = field(init=False)
    method: str = field(init=False)
    path: str = field(init=False)

    def __post_init__(self) -> None:
        # A search asks for them a hundred thousand times.
        key = self.sheet.key
        self.name, self.method, self.path = self.sheet.name, key.method, key.path

    @property
    def is_read(self) -> bool:
        return self.method == "GET"

    def slot(self, role: str) -> Slot | None:
        """The first parameter with a role."""
        return next((slot for slot in self.slots if slot.role == role), None)


@dataclass
class AgentDocuments:
    """All operations that an agent has, how rare each word is among them, and the nouns that they are about."""

    docs: tuple[Doc, ...]
    nouns: frozenset[str]
    _fields: dict[tuple[str, str, bool], dict[str, tuple[str, float]]] = field(default_factory=dict)
    _matches: dict[tuple[str, str], float] = field(default_factory=dict)

    @cached_property
    def by_name(self) -> dict[str, Doc]:
        return {doc.name: doc for doc in self.docs}

    @cached_property
    def by_operation(self) -> dict[str, Doc]:
        return {doc.sheet.key.operation: doc for doc in reversed(self.docs)}

    @cached_property
    def tools(self) -> frozenset[str]:
        """The names of the tools, in small letters."""
        return frozenset(doc.sheet.key.tool.casefold() for doc in self.docs)

    @cached_property
    def noun_stems(self) -> frozenset[str]:
        return frozenset(map(stem, self.nouns))

    @cached_property
    def rarity(self) -> dict[str, float]:
        """How rare a word is among the documents (its idf), as a share of the rarest one."""
        counts: dict[str, int] = {}
        for doc in self.docs:
            for word in doc.weights:
                counts[word] = counts.get(word, 0) + 1
        idf = {word: log(1 + len(self.docs) / count) for word, count in counts.items()}
        highest = max(idf.values(), default=1.0)
        return {word: value / highest for word, value in idf.items()}

    def fields_for(self, slot: Slot, find: Callable[[Doc, Slot], tuple[str, float]]) -> dict[str, tuple[str, float]]:
        """By the name of a document what `find` gives for it and a parameter, where that is sure to some degree.

        Found once for all parameters that identify the same thing in the same way.
        """
        key = (slot.noun, slot.attr, slot.takes_codes)
        if key not in self._fields:
            found = {doc.name: find(doc, slot) for doc in self.docs}
            self._fields[key] = {name: one for name, one in found.items() if one[1]}
        return self._fields[key]

    def match(self, word: str, doc: Doc) -> float:
        """How much an operation is about a word, from 0 to 1, times how rare the word is."""
        key = word, doc.name
        if key not in self._matches:
            near = (NEIGHBOUR * doc.weights.get(other, 0.0) for other in neighbours(word))
            self._matches[key] = max(doc.weights.get(word, 0.0), *near, 0.0) * self.rarity.get(word, 1.0)
        return self._matches[key]


SheetsRead: TypeAlias = "dict[tuple[int, frozenset[str]], tuple[Sheet, Doc]]"
"""What was read of sheets on their own, by their identity; with the sheet, as an id is one as long as that lives."""


def read_documents(sheets: Sequence[Sheet], kept: SheetsRead | None = None) -> AgentDocuments:
    """The documents of an agent; of sheets that are in `kept`, nothing is read again."""
    nouns, kept = _path_nouns(sheets), {} if kept is None else kept
    for sheet in sheets:
        if (id(sheet), nouns) not in kept:
            kept[id(sheet), nouns] = sheet, _read_document(sheet, nouns)
    alone = (kept[id(sheet), nouns][1] for sheet in sheets)
    # What other sheets say of an operation is added to these.
    docs = AgentDocuments(
        tuple(replace(doc, weights=dict(doc.weights), fields=dict(doc.fields)) for doc in alone), nouns
    )
    for doc in docs.docs:
        _credit_alternatives(doc, docs.by_operation)
    return docs


def _path_nouns(sheets: Sequence[Sheet]) -> frozenset[str]:
    """The last word of every fixed segment of the paths, in the singular."""
    segments = (part for sheet in sheets for part in sheet.key.path.split("/") if "{" not in part)
    return frozenset(singular(parts[-1]) for segment in segments if (parts := words(segment))) - _NO_NOUNS


def _read_document(sheet: Sheet, nouns: frozenset[str]) -> Doc:
    segments = [part for part in sheet.key.path.split("/") if part]
    purpose = [part for part in sentences(plain_text(sheet.description)) if not _is_aside(part)]
    text = " ".join(purpose)
    fields = _documented_fields(sheet, purpose)
    path_stems = name_stems(" ".join(part for part in segments if "{" not in part))
    noun = "user" if segments[-1:] == ["me"] else stem(subject(sheet.key.path).noun.rpartition(" ")[2])
    return Doc(
        sheet=sheet,
        noun=noun,
        is_single=bool(segments) and "{" in segments[-1],
        weights=_weights(sheet, text, path_stems, fields),
        path_stems=path_stems,
        slots=tuple(read_slot(sheet, argument, nouns) for argument in sheet.parameters),
        fields=fields,
        is_partial=phrases.MORE_FIELDS.read(text) is not None or not sheet.fields,
        nouns=frozenset({noun} | _named_nouns(purpose, nouns)) - {""},
    )


def _is_aside(sentence: str) -> bool:
    """Whether a sentence is not on what an operation is for: it names another one, or how requests are handled."""
    others = (phrases.ALTERNATIVE, phrases.LOOKUP)
    return phrases.is_handling(sentence) or any(one.read(sentence) is not None for one in others)


def _named_nouns(purpose: Sequence[str], nouns: frozenset[str]) -> set[str]:
    """The nouns in the first sentence. Whose something is does not say what it is: "Get User's Queue"."""
    first = _POSSESSIVE.sub(" ", purpose[0]) if purpose else ""
    known = {stem(noun) for noun in nouns}
    return {stem(word) for word in words(first)} & known


def _weights(
    sheet: Sheet, text: str, path_stems: tuple[str, ...], fields: dict[str, tuple[str, ...]]
) -> dict[str, float]:
    """What each stem of a document counts: its weight in the most important place where it stands."""
    parts = sentences(text)
    is_own = _OWN_THINGS.search(" ".join(parts[:3])) is not None
    parts = [_OWN_THINGS.sub("user", part) for part in parts]
    weighted: list[tuple[Sequence[str], float]] = [
        (path_stems, PATH),
        ([word for word in name_stems(sheet.name) if word not in STOP], NAME),
        (topic_stems(parts[0]), PATH),
        (topic_stems(" ".join(parts[1:3])), BEGINNING),
        (topic_stems(" ".join(parts[3:])), REST),
        ((SELF,) if is_own else (), PATH),
        *((label, FIELD) for label in fields.values()),
        *((name_stems(one.name), PARAMETER) for one in sheet.parameters),
    ]
    weights: dict[str, float] = {}
    for words_there, weight in weighted:
        for word in words_there:
            weights[word] = max(weights.get(word, 0.0), weight)
    return weights


def _documented_fields(sheet: Sheet, purpose: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The fields that the response is documented to have: in its schema, or named in the description."""
    names = {field.pointer.strip("/"): _field_name(field) for field in sheet.fields}
    fields = {path: topic_stems(humanise(name)) for path, name in names.items() if name}
    for sentence in purpose:
        if phrases.FIELDS.read(sentence) is not None:
            for name in filter(_FIELD_NAME.fullmatch, marked(sentence)):
                fields.setdefault(name, topic_stems(humanise(name.rpartition("/")[2])))
    return fields


def _field_name(field: ResponseField) -> str:
    """The name at the end of a field's pointer; "" for an envelope."""
    name = next((part for part in reversed(field.pointer.split("/")) if part and part != "0"), "")
    return "" if field.type in ("object", "array") and plain_name(name) in ENVELOPES else name


def _credit_alternatives(doc: Doc, by_operation: dict[str, Doc]) -> None:
    """What a document says of another one counts for that: "For the capital of a country, use …"."""
    for read in phrases.ALTERNATIVE.read_all(doc.sheet.description):
        other = by_operation.get(read["operation"])
        label = topic_stems(read["purpose"].partition(" of ")[0])
        if other is None or other is doc or not label:
            continue
        for word in label:
            other.weights[word] = max(other.weights.get(word, 0.0), REFERENCE)
        other.fields.setdefault("_".join(label), label)
