"""`docrev.lock`: the marks of all specs of a folder, one line a place, in a file beside them.

    version = 1

    ["atlas.yaml"]
    "/paths/~1countries/get/description" = { text = "5f1c2ab", class = "trap bound", confidence = "high" }
    "/paths/~1countries/get/parameters/query:lang/description" = { rejected = "90b2e77" }

It is TOML in which every line stands alone, sorted, so that Git can merge it: it is read line by line, what a merge
left behind is passed over, and of two lines on one place both count. A text matches if any of its hashes does.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.language.characters import hidden
from docrev.records import Json
from docrev.settings.choices import MarksPlace
from docrev.spec.document import Document
from docrev.spec.edits import Edit, Put, Remove
from docrev.spec.findings import Finding
from docrev.spec.marks import INLINE, Mark, Marks, places

LOCK_NAME = "docrev.lock"
_VERSION = 1
_HEADER = """\
# Which texts in the specs beside this file docrev wrote, and of which kind; commit it with them.
# Made by docrev revise: a text that no line here matches counts as a person's, and is left alone.
version = 1
"""
_KEYS = {"text": "texts", "class": "classes", "rejected": "rejected"}
_ORDER = ("text", "class", "confidence", "rejected")
Sections = dict[str, dict[str, Mark]]
"""The marks of each file, by the file's name and then by place."""


@dataclass(slots=True)
class Lock:
    """A lock file as it was read. `damaged` is the first line that is none of its own, 0 if there is none."""

    path: Path
    sections: Sections = field(default_factory=dict)
    damaged: int = 0
    line_end: str = "\n"

    def section(self, name: str, tree: object) -> dict[str, Mark]:
        """The marks of the file `name`: its own, or those of a file that is gone and whose texts it has.

        If none of the texts is there, the file was put back (`git checkout`), or a write was cut off between the two
        files; that no text is there is then nobody's wish.
        """
        if name in self.sections:
            return _standing(tree, self.sections[name])
        gone = [marks for file, marks in self.sections.items() if not (self.path.parent / file).exists()]
        counted = [(sum(1 for _ in _matches(tree, marks)), marks) for marks in gone]
        most, marks = max(counted, key=lambda pair: pair[0], default=(0, {}))
        return marks if most else {}

    def replace(self, name: str, entries: Mapping[str, Mark]) -> None:
        """Make `entries` the marks of the file `name`; a file that is gone and whose places these are is forgotten."""
        for file, marks in list(self.sections.items()):
            if marks.keys() <= entries.keys() and not (self.path.parent / file).exists():
                del self.sections[file]
        self.sections.pop(name, None)
        if entries:
            self.sections[name] = dict(entries)

    def to_bytes(self) -> bytes:
        """The file's content: sorted, a line for each place, with the line ends that it has."""
        parts = [_HEADER]
        for name, marks in sorted(self.sections.items()):
            lines = (f"{_quoted(place)} = {_row(marks[place])}\n" for place in sorted(marks))
            parts.append(f"[{_quoted(name)}]\n{''.join(lines)}")
        return "\n".join(parts).replace("\n", self.line_end).encode()


def read_lock(path: Path) -> Lock:
    """The lock file at `path`; an empty one if there is none.

    Raises InputError if it cannot be read, another program wrote it, or a newer docrev.
    """
    try:
        return parse_lock(path.read_bytes(), path)
    except (FileNotFoundError, NotADirectoryError):
        return Lock(path)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), fix="mend it, or remove it") from None


def parse_lock(source: bytes, path: Path) -> Lock:
    """The lock file with this content. Raises InputError if another program wrote it, or a newer docrev."""
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("cannot be read: not UTF-8", where=str(path), fix="mend it, or remove it") from None
    lock, version = Lock(path, line_end="\r\n" if "\r\n" in text else "\n"), 0
    section: dict[str, Mark] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for key, value in _members(line).items():
            if key == "version" and isinstance(value, int):
                version = value
            elif value == {}:
                section = lock.sections.setdefault(key, {})
            elif (mark := _mark(value)) is not None:
                section[key] = section.get(key, Mark()) | mark
            else:
                lock.damaged = lock.damaged or number
    if text.strip() and version != _VERSION:
        raise _other_version(path, newer=version > _VERSION)
    return lock


def _quoted(name: str) -> str:
    """A name as a string of TOML, with what draws nothing, or steers how others are drawn, written out."""
    text = json.dumps(name, ensure_ascii=False)
    return "".join(f"\\U{ord(char):08x}" if hidden(char) else char for char in text)


def _members(line: str) -> dict[str, Json]:
    """The members that a line of TOML has; the line itself under "" if it is damaged."""
    try:
        return tomllib.loads(line.strip())
    except tomllib.TOMLDecodeError:
        return {"": line}


def _other_version(path: Path, *, newer: bool) -> InputError:
    what = "a newer docrev wrote this file" if newer else "this is not a lock file of docrev"
    return InputError(what, where=str(path), fix="update docrev" if newer else "move it away")


def _mark(value: object) -> Mark | None:
    """The mark of a line; None if it is none."""
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        return None
    lists = {_KEYS[key]: tuple(text.split()) for key, text in value.items() if key in _KEYS}
    return Mark(**lists, confidence=value.get("confidence", ""))


def _row(mark: Mark) -> str:
    lists = {key: " ".join(getattr(mark, name)) for key, name in _KEYS.items()}
    pairs = ((key, {**lists, "confidence": mark.confidence}[key]) for key in _ORDER)
    return f"{{ {', '.join(f'{key} = {json.dumps(text)}' for key, text in pairs if text)} }}"


def _matches(tree: object, entries: Mapping[str, Mark]) -> Iterator[str]:
    """The places of a tree whose texts are those that the marks are of."""
    return (name for name, text in places(tree) if name in entries and entries[name].split(text).added)


def _standing(tree: object, entries: dict[str, Mark]) -> dict[str, Mark]:
    """The marks, without those of texts if no text is there."""
    if any(_matches(tree, entries)) or not any(mark.texts for mark in entries.values()):
        return entries
    return {name: Mark(rejected=mark.rejected) for name, mark in entries.items() if mark.rejected}


def marked(documents: Mapping[str, Document]) -> tuple[dict[str, Document], list[Finding]]:
    """The documents with their marks, wherever they stand, and a finding for each lock file that is damaged.

    Raises InputError as `read_lock` does.
    """
    locks: dict[Path, Lock] = {}
    found: dict[str, Document] = {}
    for name, document in documents.items():
        entries = document.marks
        if entries is None and document.path is not None:
            place = document.path.resolve()
            path = place.parent / LOCK_NAME
            lock = locks[path] if path in locks else locks.setdefault(path, read_lock(path))
            entries = lock.section(place.name, document.tree)
        found[name] = document.with_marks(entries or {})
    return found, [_damage(lock) for lock in locks.values() if lock.damaged]


def read_marks(documents: Mapping[str, Document]) -> tuple[dict[str, Marks], list[Finding]]:
    """The marks of documents by name, and the findings that `marked` has. Raises InputError as `read_lock` does."""
    found, findings = marked(documents)
    return {name: Marks.of(document.tree, document.marks or {}) for name, document in found.items()}, findings


def _damage(lock: Lock) -> Finding:
    message = "this line cannot be read; a text that only such lines stand for counts as a person's"
    return Finding("lock-damaged", "warning", str(lock.path), lock.damaged, "", message, "resolve the merge")


def lock_files(documents: Iterable[tuple[Document, Path]]) -> tuple[list[tuple[Path, bytes]], list[Path]]:
    """The lock files that belong to documents at their paths, with their contents, and those that are empty now.

    What they say of other files of their folders stays. Raises InputError as `read_lock` does.
    """
    locks: dict[Path, Lock] = {}
    for document, place in documents:
        if document.marks is not None:
            path = place.parent / LOCK_NAME
            lock = locks[path] if path in locks else locks.setdefault(path, read_lock(path))
            lock.replace(place.name, document.marks)
    full = [(path, lock.to_bytes()) for path, lock in locks.items() if lock.sections]
    return full, [path for path, lock in locks.items() if not lock.sections and path.exists()]


def place_marks(
    documents: Mapping[str, Document], marks: Mapping[str, Marks], where: MarksPlace
) -> tuple[dict[str, Document], list[Finding]]:
    """The documents with their marks where they are to stand, and a finding for each whose marks move out of it."""
    placed: dict[str, Document] = {}
    findings: list[Finding] = []
    for name, document in documents.items():
        edit = _inline_edit(document, marks[name].inline() if where == "inline" else {})
        edited = document.edited([edit]) if edit else document
        placed[name] = edited.with_marks({} if where == "inline" else marks[name].entries)
        if where == "lock" and edit:
            message = f"the marks of what docrev wrote move to {LOCK_NAME}"
            findings.append(Finding("marks-moved", "info", name, document.line(INLINE), INLINE, message))
    return placed, findings


def _inline_edit(document: Document, lines: Mapping[str, object]) -> Edit | None:
    """The edit by which a document carries these marks, and no others; None if it does already."""
    extension = document.get("/x-docrev", None)
    inside = isinstance(extension, dict)
    if not isinstance(document.tree, dict) or lines == ((extension.get("texts") if inside else None) or {}):
        return None
    if lines:
        return Put(INLINE, lines) if inside else Put("/x-docrev", {"texts": lines})
    return Remove(INLINE if len(extension) > 1 else "/x-docrev")
