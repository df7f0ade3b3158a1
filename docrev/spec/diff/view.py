"""How a difference is put before a reader: sections, groups and rows, the same for text, Markdown and HTML."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.containers import mapping, sequence
from docrev.records import ChangeClass, Json
from docrev.settings.choices import Edit
from docrev.spec.change_classes import CLASSES, TITLES, confidence_in_words
from docrev.spec.diff.differences import Diff, Difference

Piece = tuple[str, bool]
"""A stretch of text, and whether it is what changed."""

Line = tuple[Literal["-", "+", " ", "…"], str]

_LONG_BEFORE = 60
"""Characters of a text that a reader need not read twice."""
_LONG_FORMER = 120
"""Characters of the beginning of a text that was only added to."""
_BRIEF = ("operation-added", "operation-removed", "document-added", "document-removed")
_PROSE = ("description", "summary", "title")
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_TOLD_APART = ("extension", "keyword", "docrev", "callbacks", "flows", "scopes")
_WHOLE_LINES = 12
_COMPARED_LINES = 4000
_MOST_LINES = 60
_MOST_WORDS = 400
_ALIKE = 3
_PATH = "path "
_LISTED = ("tag ", "server ")


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One difference: its place in words, both values as text, and what of the texts changed."""

    entry: Difference
    place: str
    before: str
    after: str

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(_lines(self))

    @property
    def pieces(self) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """Before and after, word by word."""
        return _pieces(self.before, self.after)

    @property
    def is_prose(self) -> bool:
        """Whether the values are text for people, and no data: a property may be called `title`."""
        is_text = self.entry.level == "docs" and self.entry.field.rpartition("/")[2] in _PROSE
        return is_text or self.entry.id in _BRIEF

    @property
    def label(self) -> str:
        """What changed at the place: the text by its name, anything else by the id of the change."""
        is_text = self.is_prose and self.entry.id not in _BRIEF
        return self.entry.field.rpartition("/")[2] if is_text else self.entry.id

    @property
    def _added(self) -> str:
        """What was added to a long text that is otherwise as it was; "" of any other change."""
        kept = self.before.rstrip()
        only_added = self.is_prose and len(kept) > _LONG_BEFORE and self.after.startswith(kept)
        return self.after[len(kept) :].removeprefix(".").lstrip() if only_added else ""

    @property
    def addition(self) -> str:
        """What stands after the change; of a text that was only added to, `… ` and what was added."""
        return f"… {self._added}" if self._added else self.after

    @property
    def former(self) -> str:
        """What stood before the change; of a text that was only added to, its beginning, by which one knows it."""
        first, _, more = self.before.strip().partition("\n")
        if not self._added or (not more and len(first) <= _LONG_FORMER):
            return self.before
        short = first if len(first) <= _LONG_FORMER else first[:_LONG_FORMER].rpartition(" ")[0] or first[:_LONG_FORMER]
        return f"{short} …"

    @property
    def has_before(self) -> bool:
        return self.entry.verb != "added"

    @property
    def has_after(self) -> bool:
        return self.entry.verb != "removed"


@dataclass(frozen=True, slots=True)
class Group:
    """The differences of one operation, of one shared definition, or of the document itself.

    `count` is more than the rows if one row stands for the same difference in several operations or paths.
    """

    tool: str
    title: str
    used_by: tuple[str, ...]
    rows: tuple[DiffRow, ...]
    count: int

    def heading(self, several: bool) -> str:
        """The title, with the tool if there are several."""
        return f"{self.tool if several else ''} {self.title}".strip() or "The document"


@dataclass(frozen=True, slots=True)
class Section:
    """All changes of one class, or those of the contract that docrev did not make (`category` None)."""

    category: ChangeClass | None
    title: str
    count: int
    confidence: str
    groups: tuple[Group, ...]

    @property
    def level(self) -> Edit:
        return "contract" if self.category is None else "docs"


def sections(diff: Diff) -> tuple[Section, ...]:
    """The contract first, since it asks for most care, then the classes, the most valuable first; none is empty."""
    parts: dict[ChangeClass | None, list[Difference]] = {None: [], **{name: [] for name in CLASSES}}
    for entry in diff.entries:
        parts[entry.category].append(entry)
    return tuple(
        Section(
            name,
            TITLES[name] if name else "Contract changes",
            len(entries),
            confidence_in_words([entry.confidence for entry in entries]),
            tuple(_groups(entries)),
        )
        for name, entries in parts.items()
        if entries
    )


def summary(diff: Diff) -> str:
    """`2 contract changes, 14 documentation changes; 5 operations`."""
    if not diff:
        return "No differences"
    levels = ((diff.contract, "contract change"), (diff.docs, "documentation change"))
    told = [_count(len(entries), noun) for entries, noun in levels if entries]
    where = [_count(len(diff.operations), "operation")] if diff.operations else []
    shared = {
        (entry.tool, entry.shared) for entry in diff.entries if entry.shared and not entry.shared.startswith(_LISTED)
    }
    where += [_count(len(shared), "shared definition")] if shared else []
    return ", ".join(told) + (f" in {' and '.join(where)}" if where else "")


def visible(text: str) -> str:
    """The text with control, invisible and direction-changing characters spelled out; line ends and tabs stay."""
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\r\n", "\n"))


def _groups(entries: Iterable[Difference]) -> Iterator[Group]:
    """By operation or shared definition; what says the same of several operations or paths is a group, at the end."""
    for (tool, title, places), members in _grouped(entries).items():
        users = places or dict.fromkeys(user for entry in members for user in entry.used_by)
        rows = tuple(_row(entry) for entry in members)
        yield Group(
            visible(tool),
            visible(title),
            tuple(map(visible, users)),
            rows,
            len(rows) * max(1, len(places)),
        )


def _grouped(entries: Iterable[Difference]) -> dict[tuple[str, str, tuple[str, ...]], list[Difference]]:
    """Differences by tool, title and, of a group that says the same of several places, these places."""
    alike = _alike(entries)
    found: dict[tuple[str, str, tuple[str, ...]], list[Difference]] = {}
    for entry in entries:
        twins = alike.get(_says(entry), ())
        if len(twins) < _ALIKE:
            found.setdefault((entry.tool, entry.operation or entry.shared, ()), []).append(entry)
    for twins in alike.values():
        if len(twins) >= _ALIKE:
            places = tuple(twin.operation or twin.shared.removeprefix(_PATH) for twin in twins)
            title = f"{len(twins)} {'operations' if twins[0].operation else 'paths'} alike"
            found.setdefault((twins[0].tool, title, places), []).append(twins[0])
    return found


def _alike(entries: Iterable[Difference]) -> dict[str, list[Difference]]:
    """What is said of operations, or of paths → the differences that say it: a spec that shares nothing repeats it."""
    return grouped(
        (_says(entry), entry)
        for entry in entries
        if (entry.operation or entry.shared.startswith(_PATH)) and (entry.location or entry.after is not None)
    )


def _says(entry: Difference) -> str:
    place = entry.location, entry.media_type, entry.field
    told = entry.shared.partition(" ")[0], entry.tool, entry.id, place, entry.before, entry.after
    return canonical(told)


def _row(entry: Difference) -> DiffRow:
    parts = [entry.location]
    if any(f"-{aspect}-" in entry.id for aspect in _TOLD_APART):
        parts.append(entry.field)
    if entry.media_type and entry.media_type != "application/json":
        parts.append(f"({entry.media_type})")
    place = " ".join(visible(part).replace("\n", "\\n") for part in parts if part)
    brief = entry.id in _BRIEF
    show = _marks if entry.field == "x-docrev/texts" else outline if brief else plain
    return DiffRow(entry, place, *("" if value is None else show(value) for value in _values(entry)))


def _values(entry: Difference) -> tuple[Json, Json]:
    """A null that a document holds is shown, what is absent is not."""
    null = json.dumps(None)
    before = null if entry.before is None and entry.verb != "added" else entry.before
    after = null if entry.after is None and entry.verb != "removed" else entry.after
    return before, after


def plain(value: object) -> str:
    """A value as a reader wants it: text as it is, an object as `key: value` lines, else JSON."""
    if isinstance(value, str):
        return visible(value) or '""'
    if isinstance(value, dict) and value and all(map(_is_outline, value.values())):
        return "\n".join(_value_lines(value))
    text = json.dumps(value, ensure_ascii=False, default=str)
    return visible(text if len(text) <= 100 else json.dumps(value, ensure_ascii=False, indent=2, default=str))


def _is_outline(value: object) -> bool:
    """Whether a value is a scalar, a list of some, or an object of such values."""
    if isinstance(value, dict):
        return bool(value) and all(map(_is_outline, value.values()))
    return not isinstance(value, list) or (bool(value) and not any(isinstance(one, dict | list) for one in value))


def _value_lines(value: dict[str, object]) -> Iterator[str]:
    for key, one in value.items():
        if isinstance(one, dict):
            yield f"{visible(key)}:"
            yield from (f"  {line}" for line in _value_lines(one))
        else:
            said = ", ".join(map(_scalar, one)) if isinstance(one, list) else _scalar(one)
            yield f"{visible(key)}: {said}"


def _scalar(value: object) -> str:
    return visible(value if isinstance(value, str) else json.dumps(value, default=str))


def _marks(value: object) -> str:
    """What `docrev revise` keeps to know its own texts again: hashes, which say nothing to a reader."""
    lines = value.values() if isinstance(value, dict) else ()
    return f"marks of {_count(sum(len(str(line).split()) for line in lines), 'text')} that docrev wrote"


def outline(value: object) -> str:
    """An operation in a line or two, or the list of a document's operations."""
    if isinstance(value, list):
        return "\n".join(visible(str(one)) for one in value) or "no operations"
    if not isinstance(value, dict):
        return plain(value)
    told = (value.get(key) for key in ("summary", "description", "operationId"))
    text = str(next(filter(None, told), "")).strip().partition("\n")[0]
    parameters, responses = sequence(value.get("parameters")), mapping(value.get("responses"))
    parts = [_count(len(parameters), "parameter")] if parameters else []
    parts += ["a request body"] if "requestBody" in value else []
    parts += [f"responses {', '.join(map(str, responses))}"] if responses else []
    return visible("\n".join(filter(None, (text, "; ".join(parts))))) or "empty"


def _lines(row: DiffRow) -> Iterator[Line]:
    """Removed and added lines; of long texts only what changed, with a line around it."""
    texts = row.before, row.after
    # A line end at the end is shown only if it is the whole difference.
    if texts[0].rstrip("\n") != texts[1].rstrip("\n"):
        texts = texts[0].rstrip("\n"), texts[1].rstrip("\n")
    before = texts[0].split("\n") if row.has_before else []
    after = texts[1].split("\n") if row.has_after else []
    if before and after and _WHOLE_LINES < len(before) + len(after) < _COMPARED_LINES:
        yield from _cut(_unified(before, after))
    else:
        yield from _cut((*(("-", line) for line in before), *(("+", line) for line in after)))


def _unified(before: list[str], after: list[str]) -> Iterator[Line]:
    signs: dict[str, Literal["-", "+", " "]] = {"-": "-", "+": "+", " ": " "}
    for number, line in enumerate(difflib.unified_diff(before, after, n=1, lineterm="")):
        if line.startswith("@@"):
            if number > 2:
                yield "…", ""
        elif number > 1:
            yield signs[line[0]], line[1:]


def _cut(lines: Iterable[Line]) -> Iterator[Line]:
    every = list(lines)
    yield from every[:_MOST_LINES]
    if len(every) > _MOST_LINES:
        yield "…", f"{len(every) - _MOST_LINES} more lines"


def _pieces(before: str, after: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    old, new = (re.findall(r"\w+|\s+|[^\w\s]", text) for text in (before, after))
    plainly = ((before, False),), ((after, False),)
    if not old or not new or max(len(old), len(new)) > _MOST_WORDS:
        return plainly
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 0.4:
        return plainly
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        for side, text in zip(sides, ("".join(old[i1:i2]), "".join(new[j1:j2])), strict=True):
            if text:
                side.append((text, tag != "equal"))
    return tuple(sides[0]), tuple(sides[1])


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
