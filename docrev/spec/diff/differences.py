"""What a comparison finds: `Difference`, one difference, and `Diff`, all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from docrev.json_values.canonical import digest
from docrev.records import ChangeClass, Json
from docrev.settings.choices import Edit

Verb = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference, at the place where it is written.

    `operation` is `METHOD /path`, or "" for what belongs to the whole document or is shared; `shared` names
    the shared thing (`schema Pet`, `parameter Limit`, `path /pets/{id}`), and `used_by` the operations that use
    it, as `METHOD /path` of the same tool. `location` follows the grammar of locations (`query:limit`, `200:/id`);
    in a shared schema or response it is the JSON pointer into the value (`/owner/0/name`). `field` is the key
    that changed, as the document spells it. `before` and `after` are None if `id` ends in `-added` or
    `-removed`. `old` and `new` are `file:line`, or "" if the thing is absent. `category` is the class of a change that
    docrev made, as the lock file beside the new document says, and else by what kind of node changed; None for a change
    of the contract by somebody else. `confidence` is "high" if all that a text says was shown again by fresh calls,
    "medium" if calls show it, "" if no lock file says so.
    """

    id: str
    level: Edit
    tool: str
    operation: str
    shared: str
    location: str
    field: str
    pointer: str
    before: Json
    after: Json
    old: str
    new: str
    fingerprint: str
    media_type: str = ""
    used_by: tuple[str, ...] = ()
    category: ChangeClass | None = None
    confidence: str = ""

    @property
    def verb(self) -> Verb:
        return cast(Verb, self.id.rpartition("-")[2])


@dataclass(frozen=True, slots=True)
class Diff:
    """All differences between two documents or folders, by tool and then in the order of the new document."""

    old: str
    new: str
    entries: tuple[Difference, ...]

    @property
    def docs(self) -> tuple[Difference, ...]:
        """Differences in descriptions, summaries, titles, examples, links and `x-docrev`: no client notices."""
        return tuple(entry for entry in self.entries if entry.level == "docs")

    @property
    def contract(self) -> tuple[Difference, ...]:
        """Every other difference."""
        return tuple(entry for entry in self.entries if entry.level == "contract")

    @property
    def tools(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(entry.tool for entry in self.entries))

    @property
    def operations(self) -> tuple[tuple[str, str], ...]:
        """(tool, operation) of every operation that differs itself, not only by something shared."""
        found = ((entry.tool, entry.operation) for entry in self.entries if entry.operation)
        return tuple(dict.fromkeys(found))

    def __bool__(self) -> bool:
        return bool(self.entries)


def fingerprint(*parts: Json) -> str:
    """12 hex digits that identify a difference, whatever its line, the order, and the other differences."""
    return digest(parts, 12)


def same(old: object, new: object) -> bool:
    """Equal as JSON: `true` is not 1 (as Python has it), 1 is 1.0, and the order of keys says nothing."""
    if isinstance(old, dict):
        return (
            isinstance(new, dict)
            and len(old) == len(new)
            and all(key in new and same(value, new[key]) for key, value in old.items())
        )
    if isinstance(old, list):
        return isinstance(new, list) and len(old) == len(new) and all(map(same, old, new))
    return isinstance(old, bool) == isinstance(new, bool) and bool(old == new or (old != old and new != new))
