"""What differs between two trees of plain data, as few changes of members and lists as say it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from docrev.json_values.pointer import escape
from docrev.records import Json
from docrev.spec.edits import Edit, Put, Remove, neighbour
from docrev.spec.meaning import MISSING
from docrev.spec.plain_data import same


@dataclass(frozen=True, slots=True)
class TreeDifference:
    """At `pointer`, a member of a mapping, `before` became `after`; MISSING stands for none.

    `appended`: both are lists, and `after` begins with `before`. `behind` is the key that a new member looks at home
    behind.
    """

    pointer: str
    before: Json
    after: Json
    appended: bool = False
    behind: str = ""

    def edits(self) -> list[Edit]:
        """The edits that make it."""
        if self.after is MISSING:
            return [Remove(self.pointer)]
        if self.appended:
            return [Put(f"{self.pointer}/-", item) for item in self.after[len(self.before) :]]
        return [Put(self.pointer, self.after, self.behind)]


def differences(before: object, after: object, pointer: str = "") -> Iterator[TreeDifference]:
    """The differences in the order of `after`, what was removed first. A list that is not only appended to, or changed
    inside its mappings, differs as a whole.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _of_members(before, after, pointer)
    elif isinstance(before, list) and isinstance(after, list) and _is_continued(before, after):
        for place, (old, new) in enumerate(zip(before, after, strict=False)):
            yield from differences(old, new, f"{pointer}/{place}")
        if len(after) > len(before):
            yield TreeDifference(pointer, before, after, appended=True)
    elif not same(before, after):
        yield TreeDifference(pointer, before, after)


def _of_members(before: dict[str, object], after: dict[str, object], pointer: str) -> Iterator[TreeDifference]:
    yield from (TreeDifference(_below(pointer, name), before[name], MISSING) for name in before if name not in after)
    for name, value in after.items():
        below = _below(pointer, name)
        if name in before:
            yield from differences(before[name], value, below)
        else:
            yield TreeDifference(below, MISSING, value, behind=neighbour(before, below))


def _is_continued(before: list[Json], after: list[Json]) -> bool:
    pairs = zip(before, after, strict=False)
    return len(after) >= len(before) and all(
        (isinstance(old, dict) and isinstance(new, dict)) or same(old, new) for old, new in pairs
    )


def _below(pointer: str, name: str) -> str:
    return f"{pointer}/{escape(name)}"
