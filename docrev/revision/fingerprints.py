"""Which texts docrev wrote: short hashes under the root's `x-docrev: {texts: …}`, one line a path or component.

A fingerprint is `place-text`: five characters of the place's hash, seven of the text's. A later run can thereby
distinguish a text that docrev wrote, in the words of this version or an earlier one (it may be rewritten), one that a
person edited since (it is left alone, for good), and one that docrev never touched. Only the part that docrev wrote is
hashed, which is at the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from docrev.json_values import pointer as pointers
from docrev.records import Json
from docrev.spec import Document

_PLACE, _TEXT = 5, 7


def _hash(text: str, length: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A text as a person wrote it (`original`) and what docrev appended to it before (`added`).

    `edited`: docrev wrote here, and a person has changed that since.
    """

    original: str
    added: str = ""
    edited: bool = False


@dataclass(slots=True)
class Fingerprints:
    """Those of one document. `spot` names a place so that it survives the reordering of parameters."""

    document: Document
    known: dict[str, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document) -> Fingerprints:
        """The fingerprints that `document` carries; what is malformed is passed over."""
        root = document.tree.get("x-docrev") if isinstance(document.tree, dict) else None
        texts = root.get("texts") if isinstance(root, dict) else None
        found = cls(document)
        for group, line in (texts if isinstance(texts, dict) else {}).items():
            pairs = (mark.partition("-") for mark in str(line).split())
            found.known[str(group)] = {place: text for place, _, text in pairs if len(place) == _PLACE}
        return found

    def split(self, pointer: str, text: str) -> WrittenText:
        """`text` at `pointer`, taken apart into what was there first and what docrev wrote."""
        group, place = self._spot(pointer)
        mark = self.known.get(group, {}).get(place)
        if mark is None:
            return WrittenText(text)
        for at in _starts(text):
            if _hash(text[at:], _TEXT) == mark:
                return WrittenText(text[:at].rstrip(), text[at:])
        return WrittenText(text, edited=True)

    def put(self, pointer: str, added: str) -> None:
        """Note that docrev wrote `added` at `pointer`; "" forgets the place."""
        group, place = self._spot(pointer)
        if added:
            self.known.setdefault(group, {})[place] = _hash(added, _TEXT)
        else:
            self.known.get(group, {}).pop(place, None)

    def tree(self) -> dict[str, Json]:
        """What is to stand under `texts`."""
        lines = {
            group: " ".join(f"{place}-{text}" for place, text in sorted(marks.items()))
            for group, marks in self.known.items()
        }
        return {group: lines[group] for group in sorted(lines) if lines[group]}

    def _spot(self, pointer: str) -> tuple[str, str]:
        """(group, hash of the place): the path or component it lies in, and its pointer with parameters by name."""
        parts = pointers.split(pointer)
        named: list[str] = []
        node: Json = self.document.tree
        for part in parts:
            node = _step(node, part)
            by_name = isinstance(node, dict) and part.isdecimal() and "name" in node and "in" in node
            named.append(f"{node['in']}:{node['name']}" if by_name else part)
        depth = 3 if parts[:1] == ["components"] else 2
        group = parts[depth - 1] if len(parts) > depth - 1 else "/".join(parts)
        return group, _hash("\0".join(named), _PLACE)


def _step(node: Json, part: str) -> Json:
    if isinstance(node, dict):
        return node.get(part)
    return node[int(part)] if isinstance(node, list) and part.isdecimal() and int(part) < len(node) else None


def _starts(text: str) -> Iterable[int]:
    """Where docrev's part may begin: at the start, and behind every white space."""
    yield 0
    for at, char in enumerate(text[1:], 1):
        if text[at - 1].isspace() and not char.isspace():
            yield at
