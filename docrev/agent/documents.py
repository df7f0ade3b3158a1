"""A sheet as the offline agent reads it: words with weights, what an operation is about, where arguments come from.

Everything is read from the text that stands there: names, enums and formats, and sentences such as "Takes `slug` of
`GET /regions`", "One of `a`, `b`", "For the capital of a country use `GET /countries/{code}`".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import log

from docrev.agent.vocabulary import SELF, STOP, neighbours, topic_stems
from docrev.conventions.envelopes import ENVELOPES
from docrev.language import documentation_phrases as phrases
from docrev.language.documentation_phrases import marked, sentences
from docrev.language.phrases import humanise, owner, subject
from docrev.language.stems import stem
from docrev.language.stems import stems as name_stems
from docrev.language.words import singular, words
from docrev.prompts.agents import Argument, Sheet
from docrev.records import Json

_MARKUP = re.compile(r"<[^<>\n]{1,40}>|(?<=\])\([^()\s]*\)")
_OWN_THINGS = re.compile(r"\b(?:current|authenticated|signed-in|logged-in)\b[^.]{0,20}\buser", re.I)
_POSSESSIVE = re.compile(r"\b\w+['’]s?(?=\s)")
_IDS = re.compile(r"\bIDs\b")
_SEARCH = frozenset("q query search text term keyword phrase".split())  # noqa: SIM905
_PAGES = frozenset("page cursor offset after before start skip token".split())  # noqa: SIM905
_SIZES = frozenset("limit size count max".split()) | {"per_page", "page_size", "max_results"}  # noqa: SIM905
_SORTS = frozenset("sort order orderby ordering".split())  # noqa: SIM905
IDS = frozenset("id ids uri uris code key slug uuid iata isbn number name".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter as read: it identifies a `noun` by `attr`, or is of another `role`.

    `source` is the field and the operation that its values are documented to come from; `values` those that are named,
    `closed` where they are all there are; `most` the documented maximum; `shown` an example.
    """

    argument: Argument
    noun: str
    attr: str
    role: str
    required: bool
    values: tuple[Json, ...] = ()
    closed: bool = False
    source: tuple[str, str] | None = None
    most: int | None = None
    shown: Json = None
    date: str = ""
    others: tuple[Slot, ...] = ()
    """The same parameter, taken as one of another noun that its description speaks of."""

    @property
    def name(self) -> str:
        return self.argument.name


@dataclass(slots=True)
class Doc:
    """An operation as read. `words` are weighted stems; `tells` are the fields of its response, as path and stems."""

    sheet: Sheet
    noun: str
    single: bool
    words: dict[str, float]
    own: tuple[str, ...]
    slots: tuple[Slot, ...]
    tells: dict[str, tuple[str, ...]]
    partial: bool
    nouns: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.sheet.name

    @property
    def method(self) -> str:
        return self.sheet.key.method

    @property
    def reads(self) -> bool:
        return self.method == "GET"


@dataclass(slots=True)
class Docs:
    """All operations that an agent has, with how telling each word is, and the nouns that they speak of."""

    docs: tuple[Doc, ...]
    idf: dict[str, float]
    nouns: frozenset[str]
    by_name: dict[str, Doc] = field(default_factory=dict)
    by_operation: dict[str, Doc] = field(default_factory=dict)
    tools: frozenset[str] = frozenset()
    _told: dict[tuple[str, int], tuple[str, float]] = field(default_factory=dict)

    def told(self, doc: Doc, slot: Slot, look: Callable[[Doc, Slot], tuple[str, float]]) -> tuple[str, float]:
        """What `look` finds in a document for a parameter; looked for once."""
        key = (doc.name, id(slot))
        if key not in self._told:
            self._told[key] = look(doc, slot)
        return self._told[key]

    def match(self, word: str, doc: Doc) -> float:
        """How far an operation speaks of a word, from 0 to 1, times how telling the word is."""
        found = doc.words.get(word, 0.0)
        for other in neighbours(word):
            found = max(found, 0.6 * doc.words.get(other, 0.0))
        return found * self.idf.get(word, 1.0)


def read(sheets: Sequence[Sheet]) -> Docs:
    """The documents of an agent."""
    nouns = _nouns(sheets)
    docs = tuple(_doc(sheet, nouns) for sheet in sheets)
    by_operation = {doc.sheet.key.operation: doc for doc in reversed(docs)}
    for doc in docs:
        _refer(doc, by_operation)
    counts: dict[str, int] = {}
    for doc in docs:
        for word in doc.words:
            counts[word] = counts.get(word, 0) + 1
    idf = {word: log(1 + len(docs) / count) for word, count in counts.items()}
    highest = max(idf.values(), default=1.0)
    return Docs(
        docs,
        {word: value / highest for word, value in idf.items()},
        nouns,
        {doc.name: doc for doc in docs},
        by_operation,
        frozenset(sheet.key.tool.casefold() for sheet in sheets),
    )


def _nouns(sheets: Sequence[Sheet]) -> frozenset[str]:
    found = set()
    for sheet in sheets:
        for part in sheet.key.path.split("/"):
            if part and "{" not in part:
                found.add(singular(words(part)[-1]) if words(part) else "")
    return frozenset(found - {"", "me", "v1", "api"})


def _doc(sheet: Sheet, nouns: frozenset[str]) -> Doc:
    about = subject(sheet.key.path)
    said = sentences(_plain(sheet.description))
    kept = [part for part in said if not _is_aside(part)]
    text = " ".join(kept)
    tells = _tells(sheet, text)
    own = (*name_stems(" ".join(part for part in sheet.key.path.split("/") if "{" not in part)),)
    noun = stem(singular(about.noun.split(" ")[-1])) if about.noun else ""
    last = [part for part in sheet.key.path.split("/") if part][-1:]
    first = kept[0] if kept else ""
    # Whose something is says nothing of what it is: "Get User's Queue".
    owned = _POSSESSIVE.sub(" ", first)
    called = {stem(word) for word in words(owned) if stem(word) in {stem(n) for n in nouns}}
    if last == ["me"]:
        noun = "user"
    return Doc(
        sheet=sheet,
        noun=noun,
        single=bool(last and "{" in last[0]),
        words=_words(sheet, text, own, tells),
        own=own,
        slots=tuple(_slot(sheet, one, nouns) for one in sheet.parameters),
        tells=tells,
        partial=phrases.MORE_FIELDS.read(text) is not None or not sheet.fields,
        nouns=frozenset({noun} | called) - {""},
    )


def _is_aside(sentence: str) -> bool:
    """Whether a sentence is not on what an operation is for: it names another one, or how requests are handled."""
    others = (phrases.ALTERNATIVE, phrases.LOOKUP)
    return phrases.is_handling(sentence) or any(one.read(sentence) is not None for one in others)


def _plain(text: str) -> str:
    """A text without HTML tags and the addresses of links."""
    return _MARKUP.sub(" ", text)


def _words(sheet: Sheet, text: str, own: tuple[str, ...], tells: dict[str, tuple[str, ...]]) -> dict[str, float]:
    found: dict[str, float] = {}

    def say(said: Sequence[str], weight: float) -> None:
        for word in said:
            if found.get(word, 0.0) < weight:
                found[word] = weight

    parts = sentences(text)
    say(own, 1.0)
    say([word for word in name_stems(sheet.name) if word not in STOP], 0.9)
    mine = _OWN_THINGS.search(" ".join(parts[:3]))
    parts = [_OWN_THINGS.sub("user", part) for part in parts]
    say(topic_stems(parts[0]) if parts else (), 1.0)
    say(topic_stems(" ".join(parts[1:3])), 0.7)
    say(topic_stems(" ".join(parts[3:])), 0.3)
    say((SELF,) if mine else (), 1.0)
    for said in tells.values():
        say(said, 0.6)
    for one in sheet.parameters:
        say(name_stems(one.name), 0.3)
    return found


def _tells(sheet: Sheet, text: str) -> dict[str, tuple[str, ...]]:
    """The fields that the response is documented to have: in its schema, or named in the description."""
    found = {
        one.pointer.strip("/"): topic_stems(humanise(_last(one.pointer))) for one in sheet.fields if _last(one.pointer)
    }
    for sentence in sentences(text):
        if phrases.FIELDS.read(sentence) is not None:
            for name in marked(sentence):
                if re.fullmatch(r"[\w./-]+", name) and not name.startswith("/"):
                    found.setdefault(name, topic_stems(humanise(name.rpartition("/")[2])))
    return found


def _last(pointer: str) -> str:
    parts = [part for part in pointer.split("/") if part and part != "0"]
    return parts[-1] if parts and parts[-1] not in ENVELOPES else ""


def _refer(doc: Doc, by_operation: dict[str, Doc]) -> None:
    """What a document says of another one belongs to that: "For the capital of a country use …"."""
    for read in phrases.ALTERNATIVE.read_all(doc.sheet.description):
        other = by_operation.get(read["operation"])
        if other is None or other is doc:
            continue
        said = topic_stems(read["purpose"].partition(" of ")[0])
        for word in said:
            other.words[word] = max(other.words.get(word, 0.0), 0.9)
        if said:
            other.tells.setdefault("_".join(said), said)


# Parameters


def _slot(sheet: Sheet, one: Argument, nouns: frozenset[str]) -> Slot:
    text = _plain(one.description)
    source = phrases.SOURCE.read(text) or phrases.PROVIDER.read(text)
    values, closed = _values(one, text)
    noun, attr = _identifies(sheet, one, nouns)
    if source is not None:
        closed = closed and phrases.CHOICE.read(text) is not None
    example, shape = phrases.EXAMPLE.read(text), phrases.DATE.read(text)
    slot = Slot(
        argument=one,
        noun=noun,
        attr=attr,
        role=_role(one, text),
        required=one.required or phrases.REQUIRED.read(text) is not None,
        values=values,
        closed=closed,
        source=(source.get("field", ""), source["operation"]) if source is not None else None,
        most=_most(sheet, one, text),
        shown=one.example if one.example is not None else example["value"].strip("`") if example else None,
        date=shape["format"] if shape else "YYYY-MM-DD" if "date" in one.limits else "",
    )
    if attr != "uri" and not (attr == "id" and noun not in {stem(known) for known in nouns}):
        return slot
    return replace(slot, others=tuple(replace(slot, noun=said) for said in _spoken(one, nouns) if said != noun))


def _most(sheet: Sheet, one: Argument, text: str) -> int | None:
    """The largest number that a parameter is documented to take, by its own text or by the operation's."""
    here = (read for read in phrases.MOST_HERE.read_all(sheet.description) if read["parameter"] == one.name)
    found = phrases.MOST.read(text) or next(here, None)
    return int(found["number"].replace(",", "")) if found else None


def _values(one: Argument, text: str) -> tuple[tuple[Json, ...], bool]:
    """The values that the documentation names, and whether they are all."""
    if one.allowed:
        return one.allowed, True
    return phrases.choices(text) if one.type != "boolean" else ((), False)


def _role(one: Argument, text: str) -> str:
    parts = words(one.name)
    last = parts[-1] if parts else ""
    if one.location.startswith("path:"):
        return "id"
    named = one.name.lower() in _SEARCH or last in _SEARCH
    if one.location.startswith("query:") and (named or phrases.SEARCH.read(text) is not None):
        return "search"
    if set(parts) & _SORTS:
        return "sort"
    if one.name.lower() in _SIZES or last in _SIZES:
        return "size"
    if last in _PAGES or parts[:1] == ("page",):
        return "page"
    if "date" in parts or "date" in one.limits or phrases.DATE.read(text) is not None:
        return "date"
    if last in ("id", "ids", "uri", "uris"):
        return "id"
    return "number" if one.type in ("integer", "number") else "text"


def _identifies(sheet: Sheet, one: Argument, nouns: frozenset[str]) -> tuple[str, str]:
    """What a parameter is a value of: (movie, id), (country, code), (airport, iata)."""
    name = one.location.removeprefix("body:/") if one.location.startswith("body:/") else one.name
    parts = tuple({"ids": "id", "uris": "uri"}.get(word, singular(word)) for word in words(name))
    if not parts:
        return "", ""
    if one.location.startswith("path:"):
        of = singular(owner(sheet.key.path, one.name).split(" ")[-1]) if owner(sheet.key.path, one.name) else ""
        if len(parts) > 1:
            return stem(parts[-2]), parts[-1]
        return (stem(of), parts[0]) if parts[0] in IDS or parts[0] != of else (stem(of), "")
    if len(parts) > 1 and parts[-1] in ("id", "code", "uri"):
        said = _spoken(one, nouns) if parts[-1] == "uri" and parts[-2] not in nouns else ()
        return said[0] if said else stem(parts[-2]), parts[-1]
    if parts[-1] in ("id", "uri"):
        said = _spoken(one, nouns)
        about = subject(sheet.key.path).noun.split(" ")[-1]
        return (said[0] if said else stem(singular(about)), parts[-1])
    by_id = _IDS.search(one.description) is not None and parts[-1] in nouns
    return stem(parts[-1]), "id" if by_id else ""


def _spoken(one: Argument, nouns: frozenset[str]) -> tuple[str, ...]:
    """The things that a description speaks of; those right before "id" or "URI" first: "a track or an episode URI"."""
    near: list[str] = []
    far: list[str] = []
    for sentence in sentences(_plain(one.description)):
        said = words(sentence)
        ends = [at for at, word in enumerate(said) if word in ("id", "ids", "uri", "uris")]
        for at, word in enumerate(said):
            if singular(word) in nouns:
                (near if any(0 < end - at <= 6 for end in ends) else far).append(stem(singular(word)))
    return tuple(dict.fromkeys((*near, *far)))
