"""A difference as text, Markdown, JSON or HTML."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal, get_args

from docrev.errors import UsageError
from docrev.records import Json
from docrev.render import render
from docrev.spec.diff.differences import Diff, Difference
from docrev.spec.diff.view import DiffRow, Group, Section, sections, summary, visible

Format = Literal["text", "markdown", "json", "html"]
FORMATS: Final[tuple[str, ...]] = get_args(Format)

_TEMPLATES = {"text": "diff/text.txt.j2", "markdown": "diff/pull_request.md.j2", "html": "diff/page.html.j2"}
_LONG, _LONG_NEW, _CUT = 280, 1200, 4000
_COMMENT = 65_000
"""Characters: GitHub takes 65,536 in a comment or a description."""

_ACTIVE = re.compile(r"([\\`*_\[\]|~])")
_CODE = re.compile(r"```[^\n`]*\n(?P<block>.*?)\n?```|(?P<run>``?)(?P<span>[^`\n]+)(?P=run)", re.S)


def show(diff: Diff, format: str = "text", *, templates: Path | str | None = None) -> str:
    """The whole difference in one of FORMATS, without a newline at its end.

    `templates` is a folder that may replace the bundled templates (`diff/page.html.j2` and so on).
    """
    if format == "json":
        shown = json.dumps(as_json(diff), ensure_ascii=False, indent=2, default=str)
        return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", shown)
    if format not in _TEMPLATES:
        raise UsageError(f"no such format: {format}", fix=f"choose one of {', '.join(FORMATS)}")
    every = sections(diff)
    shown = _render(diff, format, every, 0, templates)
    if format == "markdown" and len(shown) > _COMMENT:
        return _fitting(diff, every, templates)
    return shown


def _render(diff: Diff, format: str, parts: tuple[Section, ...], left: int, templates: Path | str | None) -> str:
    return render(
        _TEMPLATES[format],
        templates=templates,
        old=visible(diff.old),
        new=visible(diff.new),
        summary=summary(diff),
        sections=parts,
        left=left,
        several=len(diff.tools) > 1,
        place=place,
        users=users,
        md=md,
        code=code,
        cell=cell,
    ).rstrip("\n")


def _fitting(diff: Diff, every: tuple[Section, ...], templates: Path | str | None) -> str:
    """As many groups, from the first on, as a comment on a pull request takes."""
    low, high = 0, sum(len(section.groups) for section in every)
    shown = ""
    while low < high:
        middle = (low + high + 1) // 2
        parts = tuple(_first(every, middle))
        left = len(diff.entries) - sum(group.count for section in parts for group in section.groups)
        tried = _render(diff, "markdown", parts, left, templates)
        if len(tried) <= _COMMENT:
            low, shown = middle, tried
        else:
            high = middle - 1
    return shown or _render(diff, "markdown", (), len(diff.entries), templates)


def _first(every: tuple[Section, ...], most: int) -> Iterator[Section]:
    for section in every:
        if most > 0:
            yield replace(section, groups=section.groups[:most])
        most -= len(section.groups)


def as_json(diff: Diff) -> Json:
    """One object; see the help of `docrev diff`. What is absent on a side has no key."""
    return {
        "old": diff.old,
        "new": diff.new,
        "summary": {
            "contract": len(diff.contract),
            "docs": len(diff.docs),
            "operations": len(diff.operations),
            "classes": {section.category: section.count for section in sections(diff) if section.category},
        },
        "changes": [_entry(entry) for entry in diff.entries],
    }


_FIELDS = (
    "id fingerprint level category confidence tool operation shared used_by location media_type field pointer".split()
)


def _entry(entry: Difference) -> Json:
    found = {"class" if name == "category" else name: getattr(entry, name) or "" for name in _FIELDS}
    if entry.verb != "added":
        found |= {"before": entry.before, "old": entry.old}
    if entry.verb != "removed":
        found |= {"after": entry.after, "new": entry.new}
    return found


def place(row: DiffRow) -> str:
    """`old.yaml:12 → new.yaml:14`, or the one side that has it; by its JSON pointer if the file is one line."""
    file, _, line = (row.entry.new or row.entry.old).rpartition(":")
    if line == "1" and row.entry.pointer:
        return visible(f"{file}#{row.entry.pointer}")
    return visible(" → ".join(dict.fromkeys(where for where in (row.entry.old, row.entry.new) if where)))


def users(group: Group, most: int = 6) -> tuple[tuple[str, ...], int]:
    """The first operations that use what a group is about, and how many more there are."""
    return group.used_by[:most], max(0, len(group.used_by) - most)


def md(text: str) -> str:
    """Untrusted text within a line of Markdown: it stays text, whatever it holds.

    Beside Markdown and HTML, what GitHub makes of text is stopped: mentions (@name), references (#1), formulas,
    and links out of bare addresses.
    """
    text = _ACTIVE.sub(r"\\\1", html.escape(text, quote=False))
    text = re.sub(r"@(?=\w)", "@<!-- -->", text)
    text = re.sub(r"(#|GH-)(?=\d)", r"\1<!-- -->", text)
    return text.replace("$", "&#36;").replace("://", "&#58;//").replace("www.", "www&#46;")


def code(text: str) -> str:
    """Untrusted text as code within a line, in a table or out of it."""
    text = text.replace("\n", "\\n")
    if text.strip() == text != "" and not re.search(r"[`|\\]", text):
        return f"`{text}`"
    return f"<code>{md(text)}</code>"


def cell(text: str, present: bool = True, prose: bool = True, new: bool = False) -> str:
    """Untrusted text, of any length, as a cell of a table; long text folds away, and code in it stays code.

    What is not `prose` is data, and all of it code. What is `new` is there to be read, and folds later.
    """
    if not present:
        return ""
    formatted = _prose if prose else _block
    first = text.strip().partition("\n")[0]
    short = first if len(first) <= 90 else first[:90].rpartition(" ")[0] or first[:90]
    if len(text) > _CUT:
        text = f"{text[:_CUT]}\n… ({len(text):,} characters in all)"
    body = formatted(text.strip("\n"))
    if len(text) <= (_LONG_NEW if new and prose else _LONG) and text.count("\n") < 8:
        return body
    return f"<details><summary>{formatted(short)} …</summary>{body}</details>"


def _prose(text: str) -> str:
    """Text with its code spans and fenced blocks as code, and its line ends and indents kept."""
    parts, start = [], 0
    for found in _CODE.finditer(text):
        within = code(found["span"]) if found["span"] else _block(found["block"])
        parts += [_spaced(md(text[start : found.start()])), within]
        start = found.end()
    return "".join([*parts, _spaced(md(text[start:]))])


def _block(text: str) -> str:
    """Each line as code, its indent before it."""
    lines = ((line, line.lstrip(" \t")) for line in text.split("\n"))
    return "<br>".join(_spaced(line[: len(line) - len(rest)]) + (code(rest) if rest else "") for line, rest in lines)


def _spaced(text: str) -> str:
    return text.replace("  ", "&nbsp; ").replace("\t", "&nbsp; ").replace("\n", "<br>")
