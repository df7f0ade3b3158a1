"""One source file: its exact text, its plain data, and the place of every node. Edits are splices of the text."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Mapping
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from docrev.errors import DocrevError, InputError
from docrev.json_values import pointer as pointers
from docrev.records import Json
from docrev.settings.choices import MAX_SPEC_SIZE
from docrev.spec import json_read, pretty, yaml_read
from docrev.spec.edit_plan import EditPlan
from docrev.spec.edits import Edit
from docrev.spec.json_write import JsonStyle
from docrev.spec.marks import Mark
from docrev.spec.nodes import Lines, MappingNode, SequenceNode, SyntaxNode, find, locate, resolved
from docrev.spec.plain_data import same
from docrev.spec.splices import Splicer, spliced
from docrev.spec.yaml_splices import YamlSplicer
from docrev.spec.yaml_write import YamlStyle

Format = Literal["yaml", "json"]
_MISSING: Final = object()
_URL: Final = re.compile("https?:/", re.IGNORECASE)
_ENCODINGS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


class Document:
    """A JSON or YAML file that can be edited without touching a byte that no edit names. Immutable.

    `text` is the source without its byte order mark; `tree` is plain data: YAML 1.2 scalars, string keys, aliases
    and merge keys resolved. Do not change the tree: copies of an alias are the same object.
    """

    def __init__(self, *, name: str, text: str, format: Format, tree: Json, root: SyntaxNode | None) -> None:
        self.name, self.text, self.format = name, text, format
        self.__dict__["tree"] = tree
        self.path: Path | None = None
        self.marks: Mapping[str, Mark] | None = None
        """Which texts docrev wrote, if it is known already: else see `docrev.spec.lock.read_marks`."""
        self._root = root
        self._mark, self._encoding = b"", "utf-8"
        self._duplicates: list[tuple[str, int]] | None = None
        self._aliases = self._anchors = False

    def __repr__(self) -> str:
        return f"<Document {self.name}, {self.format}, {len(self.text):,} characters>"

    @classmethod
    def read(cls, path: Path | str, *, max_size: int | None = MAX_SPEC_SIZE) -> Document:
        """The document in a file of at most `max_size` bytes. Raises InputError if it cannot be read."""
        name = str(path)
        document = cls.parse(_bytes(Path(path), max_size), name)
        document.path = Path(path)
        return document

    @classmethod
    def parse(cls, source: bytes | str, name: str) -> Document:
        """The document in a source: JSON or YAML as its content says. Raises InputError with `name:line`."""
        mark, encoding, text = _decode(source, name)
        document = _parse(cls, text, name)
        document._mark, document._encoding = mark, encoding
        if not isinstance(document.tree, (dict, list)):
            _refuse(document)
        return document

    def with_marks(self, marks: Mapping[str, Mark]) -> Document:
        """The same document with these marks of what docrev wrote."""
        marked = copy(self)
        marked.marks = dict(marks)
        return marked

    def put_away(self) -> Document:
        """The same document with its text alone in memory: it is read again once anything else is asked for."""
        put_away = copy(self)
        for name in ("tree", "root", "_lines", "duplicates"):
            put_away.__dict__.pop(name, None)
        put_away._root = None
        return put_away

    @cached_property
    def tree(self) -> Json:
        """The document as plain data."""
        read = _parse(Document, self.text, self.name, self.format)
        self._root = read._root
        return read.tree

    @property
    def is_dense(self) -> bool:
        """Whether it is JSON with so few lines that a line of a diff says nothing."""
        return self.format == "json" and pretty.is_dense(self.text)

    def broken_into_lines(self) -> Document:
        """The same document with a line for each member and item, if it is dense."""
        if not self.is_dense:
            return self
        changed = _parse(Document, pretty.pretty(self.text), self.name, self.format)
        return changed._like(self)

    def _like(self, other: Document) -> Document:
        """This text in the place of another document: with its path, its encoding and its marks."""
        self.path, self.marks, self._mark, self._encoding = other.path, other.marks, other._mark, other._encoding
        return self

    def to_bytes(self) -> bytes:
        """The document as a file: with its byte order mark, in its encoding."""
        return self._mark + self.text.encode(self._encoding)

    @cached_property
    def root(self) -> SyntaxNode:
        """The nodes of the document, with their places in `text`."""
        if self.format == "json":
            return json_read.scan(self.text)
        if self._root is None:
            self._root = _parse(Document, self.text, self.name, self.format)._root
        assert self._root is not None
        return self._root

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.text)

    def get(self, pointer: str, default: object = _MISSING) -> Json:
        """The value at a JSON pointer. Raises KeyError if there is none and no default is given."""
        here = self.tree
        for part in pointers.split(pointer):
            if isinstance(here, dict) and part in here:
                here = here[part]
            elif isinstance(here, list) and (place := pointers.index(part, len(here))) is not None:
                here = here[place]
            elif default is _MISSING:
                raise KeyError(pointer)
            else:
                return default
        return here

    def line(self, pointer: str) -> int:
        """The line, from 1, of the key or item that a pointer names, or of its nearest parent."""
        return self._lines.line(locate(self.root, pointer)[0])

    def position(self, pointer: str) -> tuple[int, int]:
        """Line and column, from 1, of the key or item that a pointer names, or of its nearest parent."""
        return self._lines.position(locate(self.root, pointer)[0])

    def where(self, pointer: str) -> str:
        """`name:line`, as errors and findings say it."""
        return f"{self.name}:{self.line(pointer)}"

    def definition(self, pointer: str) -> str:
        """The pointer to where a value is written: through YAML aliases and `<<`, each to its anchor."""
        if not self._anchors:
            return pointer
        node, path = self.root, list[str]()
        for part in pointers.split(pointer):
            node, path = _behind(node, path)
            if isinstance(node, MappingNode):
                found = find(node, part)
                if found is not None and found[0] is not node:
                    node, path = found[0], _path(found[0], path)
                node = found[1].value if found is not None else SyntaxNode(0)
            elif isinstance(node, SequenceNode) and (place := pointers.index(part, len(node.items))) is not None:
                node = node.items[place]
            else:
                node = SyntaxNode(0)
            path = [*path, part]
        return pointers.join(*_behind(node, path)[1])

    @cached_property
    def duplicates(self) -> tuple[tuple[str, int], ...]:
        """Keys that come twice in their mapping, as (pointer, line); the last one counts, all of them are here."""
        found = self._duplicates if self._duplicates is not None else json_read.duplicates(self.root)
        return tuple((pointer, self._lines.line(offset)) for pointer, offset in found)

    def edited(self, edits: Iterable[Edit]) -> Document:
        """The document after these edits, one after the other; see `docrev.spec.edits`."""
        plan = EditPlan(self.root, self.tree, aliases=self._aliases)
        try:
            plan.apply(edits)
            expected = plan.value()
            changed = self._spliced(plan)
        except RecursionError:
            raise DocrevError("this place is too deep to be edited", where=self.name) from None
        if not same(changed.tree, expected):
            raise DocrevError("these edits cannot be written into the file as it is", where=self.name)
        return changed

    def _spliced(self, plan: EditPlan) -> Document:
        style: JsonStyle | YamlStyle
        if self.format == "json":
            style = JsonStyle(self.text, self.root)
            splices = Splicer(self.text, plan, style).run()
        else:
            style = YamlStyle(self.text, self.root)
            splices = YamlSplicer(self.text, plan, style).run()
        text = spliced(self.text, splices)
        try:
            changed = _parse(Document, text, self.name, self.format)
        except InputError as error:
            raise DocrevError(f"an edit would break the file ({error.what})", where=self.name) from None
        return changed._like(self)


def _behind(node: SyntaxNode, path: list[str]) -> tuple[SyntaxNode, list[str]]:
    target = resolved(node)
    return (node, path) if target is node else (target, _path(target, path))


def _path(node: SyntaxNode, path: list[str]) -> list[str]:
    return list(node.anchor.path) if node.anchor is not None else path


def _check_kind(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise InputError("this is a folder, not a file", where=str(path), fix="name a file in it")
    # That of a shell is at hand already; of another one nobody may ever write.
    if stat.S_ISFIFO(mode) and not str(path).startswith("/dev/"):
        raise InputError("this is a pipe, not a file", where=str(path), fix="name a file")


def _bytes(path: Path, max_size: int | None) -> bytes:
    try:
        status = path.stat()
        _check_kind(path, status.st_mode)
        with path.open("rb") as file:
            # Only of a pipe the size is not known before; so many bytes are reserved at once.
            whole = max_size is None or (stat.S_ISREG(status.st_mode) and status.st_size <= max_size)
            source = file.read() if whole or max_size is None else file.read(max_size + 1)
    except FileNotFoundError:
        raise _missing(path) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", where=str(path), fix="check the file") from None
    if max_size is not None and len(source) > max_size:
        what = f"this file is over {max_size / 2**20:g} MB"
        raise InputError(what, where=str(path), fix="raise --max-spec-size to read it")
    return source


def _missing(path: Path) -> InputError:
    if not _URL.match(str(path)):
        return InputError("no such file", where=str(path), fix="check the path")
    # A URL may hold a password or a key.
    return InputError("a URL is not read", where="SPECS", fix="save it (curl -o api.json URL) and name the file")


def _decode(source: bytes | str, name: str) -> tuple[bytes, str, str]:
    if isinstance(source, str):
        bom = source.startswith("\ufeff")
        return (b"\xef\xbb\xbf", "utf-8", source[1:]) if bom else (b"", "utf-8", source)
    mark, encoding = next((pair for pair in _ENCODINGS if source.startswith(pair[0])), (b"", "utf-8"))
    try:
        return mark, encoding, source[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, len(mark) + error.start) + 1
        what = f"this is not {encoding.upper()}: byte {error.start + len(mark):,}"
        raise InputError(what, where=f"{name}:{line}", fix="save the file as UTF-8") from None


def _parse(cls: type[Document], text: str, name: str, format: str = "") -> Document:
    """JSON where the text begins like JSON and is; else YAML, unless the file's name or first key promised JSON."""
    head = text.lstrip(" \t\r\n")[:1]
    if head and head in "{[" and format != "yaml":
        try:
            return cls(name=name, text=text, format="json", tree=json_read.load(text, name), root=None)
        except InputError:
            json_read.check_depth(text, name)
            second = text.lstrip(" \t\r\n")[1:].lstrip(" \t\r\n")[:1]
            if format or name.endswith(".json") or (second == '"' and not name.endswith((".yaml", ".yml"))):
                raise
    composer = yaml_read.YamlComposer(text, name).run()
    document = cls(name=name, text=text, format="yaml", tree=composer.tree, root=composer.root)
    document._duplicates, document._aliases = composer.duplicates, composer.aliases
    document._anchors = bool(composer.anchors)
    return document


def _refuse(document: Document) -> None:
    what = "this file is empty" if document.tree is None else "this is neither JSON nor YAML with keys and values"
    raise InputError(what, where=document.name, fix="name an OpenAPI file")
