"""Whether a text that a model wrote for the documentation may be written: short, safe, and backed by evidence.

Backed is what occurs in the material that the text was written from: the documentation, the facts, the arguments and
responses of calls. A response backs names and values, but neither paths nor sentences: an operation that only a
response mentions is none, and a response's own prose is never repeated.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from math import prod

from docrev.graph.values import flat
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import unescape
from docrev.models.trust import URL, Suspicion, show, unsafe
from docrev.prompts.questions import Brief
from docrev.records import Call, Fact, Json, OperationKey
from docrev.revision.profiles import fits
from docrev.revision.writer_inputs import OperationInput

MAX_VALUE = 80
COPIED = 5
"""Words in a row that count as a sentence of a response when they recur in a text."""
_QUOTED = re.compile(r"`([^`]*)`|\"([^\"]*)\"|“([^”]*)”")
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[.,]\d+)*(?:e[-+]?\d{1,2})?(?!\w)")
_PATH = re.compile(r"(?:\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) )?(?<![\w`])/[\w{}~.-][\w{}/~.-]*(?<![.])")
_NAME = re.compile(r"\b(?:[A-Za-z]\w*_\w+|[a-z]+[0-9]*[A-Z]\w*|X-[\w-]+|[A-Z][A-Z0-9]+)\b")
_IDENTIFIER = re.compile(r"\w*(?:_|[a-z][A-Z])\w*|.*/.*")
_HEADER = re.compile(r"\b([\w-]+) (?:response |request )?header\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_PART = re.compile(r"[\s.,:;=&?/\[\]{}()'\"+|]+")
_OPERATION = re.compile(r"/|(?:get|post|put|patch|delete|head|options) /")
_DATE = re.compile(r"[ymdhs0-9:t/. z-]{4,}")
# Used of many things, whatever an API calls them.
_COMMON = frozenset("api apis id ids url urls uri iso utc gmt json http https html csv xml".split())
_UNITS = dict(zip("one two three four five six seven eight nine".split(), range(1, 10), strict=True))
_COUNTS = {"ten": 10, "twelve": 12, "dozen": 12, "fifteen": 15, "twenty": 20, "thirty": 30}
_COUNTS |= {"forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_SCALE = "|".join(_SCALES)
_SCALED = re.compile(
    rf"(?:(?<![\w.])(\d+(?:[.,]\d+)*|{'|'.join((*_UNITS, *_COUNTS))})[\s-]+)?\b((?:{_SCALE})(?:\s+(?:{_SCALE}))*)\b"
)
"""A number that is said in words, or in part: `ten million`, `2.5 million`, `a hundred thousand`."""


@dataclass(slots=True)
class Material:
    """What a text may mention, casefolded: `known` names and values, `numbers`, `paths` of operations (with and without
    their method), the `documentation`'s text, `copied` runs of words from responses."""

    known: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)
    paths: set[str] = field(default_factory=set)
    documentation: str = ""
    copied: set[tuple[str, ...]] = field(default_factory=set)

    def add(self, value: Json) -> None:
        """Add a scalar of an argument, a response or a fact."""
        text = str(value).casefold()
        if len(text) <= MAX_VALUE:
            self.known.add(text)
            self.numbers.update(_numbers(text))
        if isinstance(value, str):
            self.copied.update(_runs(text))

    def contains(self, piece: str) -> bool:
        """Whether a name or value occurs here, as it is or by all its parts."""
        text = piece.strip().strip("-+").casefold()
        if text in self.known or not text:
            return True
        if _OPERATION.match(text):
            return text in self.paths
        return self._has_format(text) or self._has_parts(text)

    def _has_parts(self, text: str) -> bool:
        parts = [part for part in _PART.split(text) if part]
        return bool(parts) and all(part in self.known or part in self.numbers or self._says(part) for part in parts)

    def _says(self, word: str) -> bool:
        return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", self.documentation) is not None

    def _has_format(self, text: str) -> bool:
        """Whether a text is a date format, such as `yyyy-mm-dd`, that one of the values has."""
        if not _DATE.fullmatch(text) or not any(char in text for char in "ymd"):
            return False
        shape = re.compile(re.sub(r"[ymdhs]", r"\\d", re.escape(text)))
        return any(shape.match(value) for value in self.known)


def doubts(text: str, known: Material, *, words: int, characters: int, hosts: Iterable[str] = ()) -> list[Suspicion]:
    """Why `text` may not be written, the most serious reason first; [] if it may.

    `known` is what it may mention; `hosts` are the API's own; `words` and `characters` bound it.
    """
    found = [*unsafe(text, hosts), *unbacked(text, known)]
    if not fits(text, most_words=words, most_characters=characters):
        found.append(Suspicion("too-long", f"it may have {words} words and {characters} characters at most"))
    return found


def unbacked(text: str, known: Material) -> Iterator[Suspicion]:
    """What `text` mentions that the material does not have."""
    plain = URL.sub(" ", _QUOTED.sub(" ", text))
    for reason, piece in (*_quotations(text), *_identifiers(plain), *_foreign_words(plain)):
        if not known.contains(piece):
            yield Suspicion(reason, f"{show(piece)} occurs nowhere in the material")
    for match in _PATH.finditer(plain):
        if match.group().casefold() not in known.paths:
            yield Suspicion("unknown-name", f"{show(match.group())} is no operation of the material")
    for number in sorted(_numbers(plain) - known.numbers):
        yield Suspicion("unknown-number", f"the number {number} occurs nowhere in the material")
    if any(run in known.copied for run in _runs(text)):
        yield Suspicion("copied", "it repeats what a response says; describe in words of your own")


def _quotations(text: str) -> Iterator[tuple[str, str]]:
    for parts in _QUOTED.findall(text):
        piece = next((part for part in parts if part), "")
        yield "unknown-name" if _IDENTIFIER.fullmatch(piece) else "unknown-value", piece


def _identifiers(plain: str) -> Iterator[tuple[str, str]]:
    names = [match.group() for match in _NAME.finditer(_PATH.sub(" ", plain))]
    names += [match[1] for match in _HEADER.finditer(plain) if "-" in match[1]]
    return (("unknown-name", name) for name in names if name.casefold() not in _COMMON)


def _foreign_words(plain: str) -> Iterator[tuple[str, str]]:
    """Words with a letter of another script than the Latin one: they may only look like what they say."""
    for word in _WORD.findall(plain):
        letters = (char for char in word if char.isalpha() and not char.isascii())
        if any(not unicodedata.name(char, "").startswith("LATIN") for char in letters):
            yield "unknown-value", word


def material(place: OperationInput, others: Iterable[OperationKey] = ()) -> Material:
    """What an operation's calls and facts give to write from; `others` are operations that may be named as well."""
    found = Material()
    brief = place.operation
    _operations(found, [place.operation.key, *(call.key for call in place.calls), *others])
    for name in _names(brief, place.facts):
        found.known.add(name.casefold())
    for fact in place.facts:
        _fact(found, fact)
    for call in place.calls:
        _call(found, call)
    texts = (brief.summary, *brief.parameters, *brief.responses, place.original, str(brief.key), brief.key.path)
    found.documentation = "\n".join(texts).casefold()
    found.numbers.update(_numbers(found.documentation))
    found.copied -= set(_runs(found.documentation))
    return found


def _operations(found: Material, keys: Iterable[OperationKey]) -> None:
    for key in keys:
        found.paths.update((key.path.casefold(), key.operation.casefold()))
        found.known.update((key.tool.casefold(), key.method.casefold()))


def _names(brief: Brief, facts: Iterable[Fact]) -> Iterator[str]:
    """Every name that occurs in a location: `query:min_population`, `200:/data/0/country/code`."""
    for place in (*(line.partition(" ")[0] for line in brief.parameters), *(fact.location for fact in facts)):
        yield place
        yield place.partition(":")[2]
        yield from _steps(place.partition(":")[2])
    for pointer in brief.responses:
        yield pointer
        yield from _steps(pointer)


def _steps(pointer: str) -> list[str]:
    return [unescape(step) for step in re.split(r"[/:]", pointer) if step not in ("", "0")]


def _fact(found: Material, fact: Fact) -> None:
    found.known.add(fact.kind)
    values = fact.value if isinstance(fact.value, dict | list) else [fact.value]
    for _, value in leaves(values):
        found.add(value)
        text = str(value)
        if re.match(r"\d{3}:|\w+:/", text):
            found.known.update(name.casefold() for name in (text.partition(":")[2], *_steps(text.partition(":")[2])))
        tool, _, operation = text.partition(" ")
        if re.fullmatch(r"[A-Z]+ /\S*", operation):
            _operations(found, [OperationKey(tool, operation)])


def _call(found: Material, call: Call) -> None:
    found.add(call.status)
    for location, value in flat(call.arguments):
        found.known.update(name.casefold() for name in (location, *_steps(location.partition(":")[2])))
        found.add(value)
    for pointer, value in leaves(call.body):
        found.known.update(step.casefold() for step in _steps(pointer))
        found.add(value)


def _numbers(text: str) -> set[str]:
    """The numbers in a text, as they are compared: `1,000`, `1000.0`, `1e3` and `one thousand` are 1000."""
    lower = text.casefold()
    found = {_scaled(count, scales) for count, scales in _SCALED.findall(lower)}
    rest = _SCALED.sub(" ", lower)
    found.update(str(_COUNTS[word]) for word in _words(rest) if word in _COUNTS)
    return found | {_plain_number(number) for number in _NUMBER.findall(rest)}


def _scaled(count: str, scales: str) -> str:
    digits = str((_UNITS | _COUNTS).get(count, "")) or _plain_number(count or "1")
    if digits.count(".") > 1:  # As in a version: it counts nothing.
        return digits
    return _plain_number(f"{Decimal(digits) * prod(_SCALES[scale] for scale in scales.split()):f}")


def _plain_number(number: str) -> str:
    plain = number.lstrip("+-").rstrip(".,")
    plain = plain.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", plain) else plain.replace(",", ".")
    if "e" in plain and plain.count(".") <= 1:
        plain = f"{Decimal(plain):f}"
    return plain.rstrip("0").rstrip(".") if plain.count(".") == 1 else plain


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = _words(text[:20_000])
    return (tuple(words[at : at + COPIED]) for at in range(len(words) - COPIED + 1))
