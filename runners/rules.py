"""Response-compression rules: which keys of an operation's response are kept when it is too long (ToolLLM §2.1).

    compression:
      atlas GET /countries:
        keep: [/0/name, /0/code]          # JSON pointers; /0 stands for the items of an array
        drop: {/0/flag: always null}      # for the reader: what was left out, and why

`docrev collect` writes such a file (YAML or JSON); `read_rules` makes of it what a toolbox takes as its `rule`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.json_values.pointer import escape, join
from docrev.prompts.agents import Sheet
from docrev.records import Json, OperationKey
from docrev.spec import Document

from .compression import keep_what_matters

HEAD = "compression"
_NOTHING: tuple[Json, ...] = (None, "", [], {})


@dataclass(frozen=True)
class KeepRule:
    """What is kept of one operation's responses: a pointer keeps everything below it. `drop` gives reasons."""

    keep: tuple[str, ...]
    drop: Mapping[str, str] = field(default_factory=dict)

    def kept(self, body: object) -> Json:
        """The part of a response that the rule keeps; an object or list of which nothing is kept becomes empty."""
        above = {pointer[:at] for pointer in self.keep for at, char in enumerate(pointer) if char == "/"}
        return _kept(body, "", frozenset(self.keep), frozenset(above))


@dataclass(frozen=True)
class Rules:
    """A `CompressionRule` of rules by operation. What usually matters is kept if there is no rule for an operation,
    or it leaves all or nothing of a response."""

    by_key: Mapping[OperationKey, KeepRule]

    def __call__(self, sheet: Sheet, body: object) -> Json:
        rule = self.by_key.get(sheet.key)
        kept = rule.kept(body) if rule is not None else None
        return keep_what_matters(sheet, body) if kept in (*_NOTHING, body) or _is_bare(kept) else kept

    def to_json(self) -> dict[str, Json]:
        """The file's content; operations in order."""
        rules: dict[str, Json] = {
            str(key): {"keep": list(rule.keep), "drop": dict(rule.drop)} for key, rule in sorted(self.by_key.items())
        }
        return {HEAD: rules}


def read_rules(file: Path | str) -> Rules:
    """The rules of a file. Raises InputError with file and line for what is none."""
    document = Document.read(file)
    tree = document.tree
    table = tree.get(HEAD) if isinstance(tree, dict) else None
    if not isinstance(table, dict):
        raise InputError(
            "contains no compression rules", where=str(file), fix="give the file that docrev collect wrote"
        )
    rules: dict[OperationKey, KeepRule] = {}
    for name, entry in table.items():
        where = f"{document.name}:{document.line(join(HEAD, name))}"
        key = named(name)
        if key is None:
            raise InputError(f"{name!r} is no operation", where=where, fix="write TOOL METHOD /path")
        rules[key] = _rule(entry, where)
    return Rules(rules)


def named(name: str) -> OperationKey | None:
    """The operation that `TOOL METHOD /path` names; a tool's name may have spaces."""
    words = name.rsplit(" ", 2)
    return OperationKey(words[0], f"{words[1]} {words[2]}") if len(words) == 3 and words[2][:1] == "/" else None


def _rule(entry: object, where: str) -> KeepRule:
    keep = entry.get("keep") if isinstance(entry, dict) else None
    drop = entry.get("drop") or {} if isinstance(entry, dict) else None
    pointers = isinstance(keep, list) and all(isinstance(at, str) and at.startswith("/") for at in keep)
    if not pointers or not isinstance(drop, dict):
        raise InputError("is no rule", where=where, fix="write keep: [/POINTER, …]")
    assert isinstance(keep, list)
    return KeepRule(tuple(keep), {str(at): str(why) for at, why in drop.items()})


def _kept(value: object, at: str, keep: frozenset[str], above: frozenset[str]) -> Json:
    if at in keep:
        return value
    if isinstance(value, list):
        return [_kept(part, f"{at}/0", keep, above) for part in value]
    if not isinstance(value, dict):
        return None
    inner = {name: f"{at}/{escape(name)}" for name in value}
    return {
        name: _kept(value[name], below, keep, above) for name, below in inner.items() if below in keep or below in above
    }


def _is_bare(kept: object) -> bool:
    """Whether a list contains only empty values."""
    return isinstance(kept, list) and all(part in _NOTHING for part in kept)
