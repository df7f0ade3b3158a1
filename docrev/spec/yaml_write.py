"""Writing YAML into a document that has its own indent, quotes and way to place lists."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from docrev.errors import UsageError
from docrev.records import Json
from docrev.spec.nodes import MappingEntry, MappingNode, ScalarNode, SequenceNode, SyntaxNode
from docrev.spec.splices import line_ending
from docrev.spec.yaml_scalars import ambiguous

Block = tuple[str, list[str]]
"""A value in block style: what follows the colon or the dash, and whole lines below it."""

WIDTH = 110
_SAMPLE = 2_000
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
# Without what turns the direction of a text or draws nothing: nobody sees it unless it is written out.
_PLAIN = (
    "\xa0-\u200a\u200c\u200d\u2010-\u2027\u202f-\u205f\u2070-\ud7ff\ue000-\ufefe\uff00-\ufff8\ufffc\ufffd"
    "\U00010000-\U000dffff\U000e1000-\U0010ffff"
)
_SPECIAL = re.compile(f"[^\x20-\x7e{_PLAIN}]")
_UNFIT = re.compile(f"[^\t\n\x20-\x7e{_PLAIN}]")
_SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0", "\x85": "\\N"}
_ESCAPE = re.compile(f'{_SPECIAL.pattern}|[\\\\"]')
_BRACKET = re.compile(r"[,\[\]{}]")
_NUMBER = re.compile(r"[0-9]+")


class YamlStyle:
    """How a YAML document is written, from its first few thousand nodes."""

    def __init__(self, text: str, root: SyntaxNode) -> None:
        self.nl = line_ending(text)
        self.comma = ", "
        self.step, self.list_step, self.quote, self.inline_lists = 2, 2, "'", False
        self._numbers: set[str] = set()
        self._look(text, root)

    def _look(self, text: str, root: SyntaxNode) -> None:
        habits = _Habits()
        todo: list[tuple[SyntaxNode, int]] = [(root, -1)]
        for node, outer in todo:
            below = habits.see(text, node, outer)
            if len(todo) < _SAMPLE:
                todo.extend(below)
        self._numbers = habits.numbers
        self.step = next((step for step, _ in habits.steps.most_common() if step > 0), 2)
        self.list_step = next((step for step, _ in habits.list_steps.most_common() if step >= 0), self.step)
        self.quote = '"' if habits.quotes['"'] > habits.quotes["'"] else "'"
        self.inline_lists = habits.lists[True] > habits.lists[False]

    # --- scalars ---------------------------------------------------------------------------------------------

    def flow(self, value: object, pad: str | None = None, old: str = "") -> str:
        """A value on one line, as it may stand in brackets."""
        if isinstance(value, dict):
            items = [f"{self._key(name, [], flow=True)}: {self.flow(item)}" for name, item in value.items()]
            return "{" + ", ".join(items) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(self.flow, value)) + "]"
        return self.scalar(value, old, flow=True)

    def scalar(self, value: object, old: str = "", *, flow: bool) -> str:
        """A scalar on one line, in brackets or not; a string keeps the quotes of the `old` one."""
        if isinstance(value, str):
            return self.string(value, old, flow=flow)
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if isinstance(value, float):
            return _float(value)
        return str(value)

    def string(self, text: str, old: str = "", *, flow: bool) -> str:
        if old not in ("'", '"') and _fits_plain(text, flow):
            return text
        return self.quoted(text, old)

    def quoted(self, text: str, old: str = "") -> str:
        quote = old if old in ("'", '"') else self.quote
        if quote == "'" and not old and "'" in text and '"' not in text and "\\" not in text:
            quote = '"'
        if quote == "'" and not _SPECIAL.search(text):
            return "'" + text.replace("'", "''") + "'"
        return '"' + _ESCAPE.sub(_escaped, text) + '"'

    # --- keys ------------------------------------------------------------------------------------------------

    def flow_key(self, name: str, siblings: list[MappingEntry]) -> str:
        return self._key(name, siblings, flow=True) + ": "

    def rename(self, name: str, key: SyntaxNode, siblings: list[MappingEntry], *, flow: bool = True) -> str:
        others = [entry for entry in siblings if entry.key is not key]
        if isinstance(key, ScalarNode) and key.style in ("'", '"'):
            return self.quoted(name, key.style)
        if any(entry.name == name for entry in siblings if entry.key is key) and _NUMBER.fullmatch(name):
            quoted = _number_styles(others) - {""}  # a number that is given its own name shall be a string
            return self.quoted(name, min(quoted, default=self.quote))
        return self._key(name, others, flow=flow)

    def _key(self, name: str, siblings: list[MappingEntry], *, flow: bool) -> str:
        """A key as its siblings are written: all in quotes, or response codes plain if theirs are."""
        styles = {entry.key.style for entry in siblings if isinstance(entry.key, ScalarNode) and not entry.merge}
        if len(styles) == 1 and (style := styles.pop()) in ("'", '"'):
            return self.quoted(name, style)
        if not _NUMBER.fullmatch(name):
            return self.string(name, flow=flow)
        near = _number_styles(siblings) or self._numbers
        return name if "" in near else self.quoted(name, min(near, default=""))

    # --- blocks ----------------------------------------------------------------------------------------------

    def block(
        self, value: object, column: int, *, item: int | None = None, old: str = "", scalars: bool = True
    ) -> Block:
        """A value in block style, under a key at `column`, or behind a dash there, at column `item`.

        `scalars` is False if a block scalar would swallow what follows it.
        """
        if self._spreads(value, column):
            if item is not None:
                first, *rest = self.lines(value, item, scalars)
                return first.lstrip(" "), rest
            step = self.step if isinstance(value, dict) else self.list_step
            return "", self.lines(value, column + step, scalars)
        if isinstance(value, str) and scalars:
            block = self._block_string(value, column + self.step if item is None else item, old)
            if block is not None:
                return block
        if isinstance(value, (dict, list)):
            return self.flow(value), []
        return self.scalar(value, old, flow=False), []

    def lines(
        self, value: Json, column: int, scalars: bool = True, siblings: list[MappingEntry] | None = None
    ) -> list[str]:
        """The lines of a collection at `column`."""
        pad, lines = " " * column, list[str]()
        if isinstance(value, dict):
            for name, item in value.items():
                head, body = self.block(item, column, scalars=scalars)
                lines.append(f"{pad}{self._key(name, siblings or [], flow=False)}:{' ' if head else ''}{head}")
                lines += body
        else:
            for item in value:
                head, body = self.block(item, column, item=column + 2, scalars=scalars)
                lines.append(f"{pad}- {head}")
                lines += body
        return lines

    def _spreads(self, value: object, column: int) -> bool:
        """Whether a value is a collection that takes lines of its own."""
        if not value or not isinstance(value, dict | list):
            return False
        return isinstance(value, dict) or not (self.inline_lists and self._short(value, column))

    def _short(self, value: list[Json], column: int) -> bool:
        plain = not any(isinstance(item, (dict, list)) for item in value)
        return plain and len(self.flow(value)) + column < WIDTH - 20

    def _block_string(self, text: str, column: int, old: str) -> Block | None:
        """A string as a block scalar, or None if it is short, or cannot be one without tricks."""
        body = text.removesuffix("\n")
        if not _fits_block(text, body):
            return None
        chomp, pad = "" if text.endswith("\n") else "-", " " * column
        long = len(text) + column > WIDTH and old not in ("'", '"')
        if (long or old == ">") and _folds(body):
            return f">{chomp}", [pad + line for line in _wrapped(body, max(40, WIDTH - 10 - column))]
        if "\n" not in body and old not in ("|", ">"):
            return None
        return f"|{chomp}", [pad + line if line else "" for line in body.split("\n")]


@dataclass
class _Habits:
    """How the first nodes of a document are written, counted."""

    steps: Counter[int] = field(default_factory=Counter)
    list_steps: Counter[int] = field(default_factory=Counter)
    quotes: Counter[str] = field(default_factory=Counter)
    lists: Counter[bool] = field(default_factory=Counter)
    numbers: set[str] = field(default_factory=set)

    def see(self, text: str, node: SyntaxNode, outer: int) -> list[tuple[SyntaxNode, int]]:
        """Count a node in a block mapping at column `outer` (-1: in none). Returns the nodes in it, each with its."""
        if isinstance(node, ScalarNode):
            self.quotes[node.style] += 1
            return []
        if isinstance(node, MappingNode) and not self.numbers:
            self.numbers = _number_styles(node.entries)
        children = _children(node)
        if isinstance(node, SequenceNode) and children and all(isinstance(item, ScalarNode) for item in children):
            self.lists[node.flow] += 1
        column = self._indent(text, node, children[0].start, outer) if children else -1
        return [(child, column) for child in children]

    def _indent(self, text: str, node: SyntaxNode, first: int, outer: int) -> int:
        """Count how far a block collection is indented; the column of a block mapping, -1 for anything else."""
        if isinstance(node, MappingNode) and not node.flow:
            column = _column(text, first)
            if outer >= 0:
                self.steps[column - outer] += 1
            return column
        bare = isinstance(node, SequenceNode) and not node.flow and node.anchor is None and not node.tag
        if bare and outer >= 0:
            self.list_steps[_column(text, node.start) - outer] += 1
        return -1


def _fits_block(text: str, body: str) -> bool:
    """Whether a text, `body` without its last line end, can be a block scalar without tricks."""
    if not body or body[0] in " \t\n" or (not _is_usual(text) and _UNFIT.search(text)):
        return False
    lines = body.split("\n")
    return bool(lines[-1]) and all(line == "" or (line.strip() and line[0] != "\t") for line in lines)


def _is_usual(text: str) -> bool:
    """Whether a text is of printable ASCII alone, as nearly all are: a search would look at each character."""
    return text.isascii() and text.isprintable()


def _folds(line: str) -> bool:
    """Whether a text is a line that can be wrapped at its spaces and be read as itself."""
    return "\n" not in line and "  " not in line and line[-1] != " "


def _number_styles(entries: list[MappingEntry]) -> set[str]:
    """How keys like response codes are written."""
    return {
        entry.key.style
        for entry in entries
        if isinstance(entry.key, ScalarNode) and _NUMBER.fullmatch(entry.name) is not None
    }


def _fits_plain(text: str, flow: bool) -> bool:
    """Whether a string may stand without quotes, here, and be read as itself by YAML 1.1 and 1.2."""
    if not text or text[0] in _INDICATORS or text[0] == " " or text[-1] in " :":
        return False
    if ": " in text or " #" in text or text.startswith("..."):
        return False
    if not _is_usual(text) and _SPECIAL.search(text):
        return False
    return not ambiguous(text) and not (flow and _BRACKET.search(text))


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if 0xD800 <= code < 0xE000:
        raise UsageError(f"YAML cannot hold half a character (U+{code:04X})", fix="put whole characters")
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _float(value: float) -> str:
    """A number that YAML 1.1 and 1.2 both read as a float: 1.1 wants a point in it."""
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    mantissa, exponent, power = text.partition("e")
    return text if "." in mantissa else f"{mantissa}.0{exponent}{power}"


def _wrapped(text: str, width: int) -> list[str]:
    lines, line = list[str](), ""
    for word in _pieces(text):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def _pieces(text: str) -> Iterator[str]:
    """The words of a text, with each span of code as one: on two lines a reader would take it for two."""
    words = iter(text.split(" "))
    is_paired = text.count("`") % 2 == 0
    for piece in words:
        while is_paired and piece.count("`") % 2:
            piece += f" {next(words)}"
        yield piece


def _children(node: SyntaxNode) -> list[SyntaxNode]:
    if isinstance(node, MappingNode):
        return [child for entry in node.entries for child in (entry.key, entry.value)]
    return list(node.items) if isinstance(node, SequenceNode) else []


def _column(text: str, offset: int) -> int:
    return offset - (max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1)
