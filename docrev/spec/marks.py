"""Which texts of a document docrev wrote, as short hashes, so that it knows its own texts from those of people.

A later run can thereby distinguish a text that docrev wrote, in the words of this version or an earlier one (it may be
rewritten), one that a person edited since (it is left alone, for good), and one that docrev never touched. Only the
part that docrev wrote is hashed, which is at the end of the prose. A place is named by its JSON pointer with parameters
by their names, so that their order does not matter.

The marks stand in `docrev.lock` (see `docrev.spec.lock`), or inside the document: under the root's
`x-docrev: {texts: …}`, one line a path or component, each mark `place-text` with five characters of the place's hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping
from docrev.records import Json
from docrev.spec.place_names import place_name
from docrev.spec.texts import prose_end

INLINE = "/x-docrev/texts"
_PLACE, _TEXT = 5, 7


def short_hash(text: str, length: int = _TEXT) -> str:
    """The first hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A text as a person wrote it (`original`) and what docrev added to its prose before (`added`).

    `edited`: docrev wrote here, and a person has changed that since.
    """

    original: str
    added: str = ""
    edited: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """What is kept of one place. `texts` are hashes of the part that docrev wrote: one, or several after a merge.

    `classes` are those of its statements, the most valuable first; `confidence` is that of the weakest. `rejected`
    are hashes of what a person declined.
    """

    texts: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    confidence: str = ""
    rejected: tuple[str, ...] = ()

    def __or__(self, other: Mark) -> Mark:
        """Both: what two branches wrote at the same place."""
        pairs = ((self.texts, other.texts), (self.classes, other.classes), (self.rejected, other.rejected))
        texts, classes, rejected = (tuple(dict.fromkeys(ours + theirs)) for ours, theirs in pairs)
        confidences = {self.confidence, other.confidence} - {""}
        return Mark(texts, classes, "medium" if len(confidences) > 1 else "".join(confidences), rejected)

    def split(self, text: str) -> WrittenText:
        """A text at this place, taken apart into what was there first and what docrev wrote."""
        if not self.texts:
            return WrittenText(text)
        for end in dict.fromkeys((len(text), len(text.rstrip("\n")), prose_end(text))):
            for at in _starts(text[:end]):
                if short_hash(text[at:end]) in self.texts:
                    return WrittenText(text[:at].rstrip() + text[end:], text[at:end])
        return WrittenText(text, edited=True)


@dataclass(slots=True)
class Marks:
    """The marks of the document with this `tree`, by the name of their place."""

    tree: Json
    entries: dict[str, Mark]

    @classmethod
    def of(cls, tree: object, entries: Mapping[str, Mark]) -> Marks:
        """These marks, and those that the document itself carries; what is malformed there is passed over."""
        return cls(tree, {**_inline(tree), **entries})

    def at(self, pointer: str) -> Mark:
        """The mark of a place; an empty one if it has none."""
        return self.entries.get(place_name(self.tree, pointer), Mark())

    def split(self, pointer: str, text: str) -> WrittenText:
        """`text` at `pointer`, taken apart into what was there first and what docrev wrote."""
        return self.at(pointer).split(text)

    def put(self, pointer: str, mark: Mark) -> None:
        """Keep `mark` of a place; an empty one forgets the place."""
        name = place_name(self.tree, pointer)
        if mark == Mark():
            self.entries.pop(name, None)
        else:
            self.entries[name] = mark

    def inline(self) -> dict[str, Json]:
        """The marks of texts as they stand under the root's `x-docrev: {texts: …}`."""
        groups: dict[str, list[str]] = {}
        for name, mark in self.entries.items():
            group, place = _hashed(name)
            groups.setdefault(group, []).extend(f"{place}-{text}" for text in mark.texts)
        return {group: " ".join(sorted(groups[group])) for group in sorted(groups) if groups[group]}


def written(text: str, classes: Iterable[str] = (), confidence: str = "", *, rejected: tuple[str, ...] = ()) -> Mark:
    """The mark of a text that docrev wrote."""
    return Mark((short_hash(text),), tuple(classes), confidence, rejected)


def _group(name: str) -> str:
    """The path or component that a place lies in."""
    parts = pointers.split(name)
    depth = 3 if parts[:1] == ["components"] else 2
    return parts[depth - 1] if len(parts) > depth - 1 else "/".join(parts)


def _inline(tree: object) -> dict[str, Mark]:
    """The marks that a document carries, by the names of their places."""
    hashes: dict[tuple[str, str], Mark] = {}
    for group, line in mapping(mapping(mapping(tree).get("x-docrev")).get("texts")).items():
        for place, _, text in (mark.partition("-") for mark in str(line).split()):
            if len(place) == _PLACE:
                key = str(group), place
                hashes[key] = hashes.get(key, Mark()) | Mark((text,))
    if not hashes:
        return {}
    found = ((name, hashes.get(_hashed(name))) for name, _ in places(tree, {group for group, _ in hashes}))
    return {name: mark for name, mark in found if mark is not None}


def _hashed(name: str) -> tuple[str, str]:
    """A place as inline marks name it: its group, and the hash of its pointer."""
    return _group(name), short_hash("\0".join(pointers.split(name)), _PLACE)


def places(tree: object, groups: Container[str] | None = None) -> Iterator[tuple[str, str]]:
    """(name, text) of each place of a tree that has or could have a description, in these paths and components."""
    stack: list[tuple[str, Json]] = [("", tree)]
    seen: set[int] = set()
    while stack:
        pointer, node = stack.pop()
        # What YAML aliases show again is marked where it is written, which comes first.
        if not isinstance(node, dict | list) or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, dict):
            name, text = place_name(tree, f"{pointer}/description"), node.get("description")
            if groups is None or _group(name) in groups:
                yield name, text if isinstance(text, str) else ""
        inner = node.items() if isinstance(node, dict) else enumerate(node)
        stack.extend(reversed([(pointer + pointers.join(key), value) for key, value in inner]))


def _starts(text: str) -> Iterable[int]:
    """Where docrev's part may begin: at the start, and behind every white space."""
    yield 0
    for at, char in enumerate(text[1:], 1):
        if text[at - 1].isspace() and not char.isspace():
            yield at
