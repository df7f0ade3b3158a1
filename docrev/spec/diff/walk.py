"""The walk over two trees at once: where it stands (`DiffSpot`), how it pairs what belongs together, what it reports.

It knows nothing of OpenAPI: `structure` and `schemas` hold the format, as tables of handlers by key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from docrev.json_values.pointer import escape
from docrev.records import ChangeClass, Json
from docrev.settings.choices import Edit
from docrev.spec.change_classes import by_worth, class_of_contract, class_of_text
from docrev.spec.diff.differences import Difference, Verb, fingerprint, same
from docrev.spec.diff.ids import identify, level
from docrev.spec.diff.sides import Side
from docrev.spec.keywords import EXCLUSIVE, FLAGS
from docrev.spec.meaning import MISSING

FALSE_IF_ABSENT = {*FLAGS, *EXCLUSIVE, "required", "nullable", "allowEmptyValue", "allowReserved"}
"""Keys whose absence means false."""


Kind = TypeVar("Kind", dict[str, Json], list[Json])


class At(NamedTuple):
    """A node of one side: its file, relative to the side, and its JSON pointer."""

    file: str
    pointer: str

    def child(self, key: str | int) -> At:
        return At(self.file, f"{self.pointer}/{escape(str(key))}")


@dataclass(frozen=True, slots=True)
class DiffSpot:
    """Where the walk stands. `base` is the shared definition it is in, if any, on each side."""

    subject: str
    old: At
    new: At
    operation: str = ""
    shared: str = ""
    location: str = ""
    media_type: str = ""
    schema: bool = False
    base: tuple[At, At] | None = None

    def child(self, old: str | int, new: str | int | None = None, **changes: Any) -> DiffSpot:
        """One step down: into the key `old`, which the new side may have under another key or index."""
        new = old if new is None else new
        return replace(self, old=self.old.child(old), new=self.new.child(new), **changes)


Handler = Callable[["Walk", DiffSpot, str, Json, Json], None]
"""Compares what stands under a key: (walk, the spot of the object that has the key, key, old, new)."""

Each = Callable[["Walk", DiffSpot, Json, Json], None]
"""Compares two things that are both there: (walk, their own spot, old, new)."""


class Walk:
    """Collects the differences of one tool. `users` names the operations that use a shared definition."""

    def __init__(self, tool: str, old: Side, new: Side, users: Callable[[At, At], tuple[str, ...]]) -> None:
        self.tool, self.old, self.new = tool, old, new
        self.entries: list[Difference] = []
        self._users = users
        self._paired: set[tuple[str, str, At, At]] = set()

    def emit(self, spot: DiffSpot, aspect: str, old: object, new: object, *, field: str | None = None) -> None:
        """Report a difference in `aspect` of the spot ("" for the whole of it); MISSING for what is absent.

        `spot` is that of the thing reported, key included; `field` is the key as the document spells it.
        """
        verb = _verb(old, new)
        field = aspect if field is None else field
        name = identify(spot.subject, aspect, verb, schema=spot.schema)
        before, after = (None if value is MISSING else value for value in (old, new))
        docs = _level(spot.subject, aspect, field) == "docs"
        category, confidence = self._class(spot, field if docs else aspect, verb, new, docs=docs)
        owner = f"{self.tool} {spot.operation or spot.shared}".rstrip()
        self.entries.append(
            Difference(
                id=name,
                level="docs" if docs else "contract",
                tool=self.tool,
                operation=spot.operation,
                shared=spot.shared,
                location=spot.location,
                field=field,
                pointer=(spot.old if new is MISSING else spot.new).pointer,
                before=before,
                after=after,
                old="" if old is MISSING else self.old.where(*spot.old),
                new="" if new is MISSING else self.new.where(*spot.new),
                fingerprint=fingerprint(name, owner, spot.location, [spot.media_type, field, verb, before, after]),
                media_type=spot.media_type,
                used_by=self._users(*spot.base) if spot.base else (),
                category=category,
                confidence=confidence,
            )
        )

    def _class(
        self, spot: DiffSpot, field: str, verb: Verb, new: object, *, docs: bool
    ) -> tuple[ChangeClass | None, str]:
        """The class and the confidence of a difference: see `Difference`."""
        marks = self.new.marks(spot.new.file)
        if not docs:
            return (class_of_contract(field, verb) if marks.entries else None), ""
        document = self.new.document(spot.new.file)
        if document is not None and marks.entries and isinstance(new, str):
            mark = marks.at(document.definition(spot.new.pointer))
            # Of a text that was mended in the middle, no part is docrev's.
            is_written = not mark.texts or bool(mark.split(new).added)
            if is_written and (classes := by_worth(mark.classes)):
                return classes[0], mark.confidence
        return class_of_text(spot.subject, field), ""

    def leaf(self, spot: DiffSpot, key: str, old: object, new: object) -> None:
        """Report the value under `key` as a whole; a flag that is absent is false, and `changed`, not added."""
        if key in FALSE_IF_ABSENT and (isinstance(old, bool) or isinstance(new, bool)):
            old, new = (False if value is MISSING else value for value in (old, new))
        if not same(old, new):
            self.emit(spot.child(key), key, old, new)

    def fields(self, spot: DiffSpot, old: Json, new: Json, handlers: Mapping[str, Handler]) -> None:
        """Compare two objects key by key, in the order of the new one, then what was removed."""
        for key, before, after in differing(old, new):
            handlers.get(key, Walk.leaf)(self, spot, key, before, after)

    def pair(self, spot: DiffSpot, old: object, new: object, each: Each) -> None:
        """Compare two things that may be references.

        The target of a reference that did not change is compared where it is defined, not here. One that points
        elsewhere is reported if that says something else; one that replaces, or is replaced by, what it
        points to is followed, unless what stands there now describes other things: it is reported as a whole.
        """
        before, after = (_reference(node) for node in (old, new))
        if before is None and after is None:
            each(self, spot, old, new)
        elif before is not None and after is not None:
            self._references(spot, old, new, each)
        else:
            self._follow(spot, old, new, each)

    def _references(self, spot: DiffSpot, old: Json, new: Json, each: Each) -> None:
        if old["$ref"] != new["$ref"]:
            targets = self.old.resolve(spot.old.file, old["$ref"]), self.new.resolve(spot.new.file, new["$ref"])
            known = targets[0] is not None and targets[1] is not None
            if not known or not same(targets[0][2], targets[1][2]):  # type: ignore[index]
                self.emit(spot.child("$ref"), "$ref", old["$ref"], new["$ref"])
        beside = [{key: value for key, value in node.items() if key != "$ref"} for node in (old, new)]
        if any(beside):
            each(self, spot, *beside)

    def _follow(self, spot: DiffSpot, old: Json, new: Json, each: Each) -> None:
        key = (spot.operation, spot.shared, spot.old, spot.new)
        if key in self._paired:
            return
        self._paired.add(key)
        side, at, node = (self.new, spot.new, new) if _reference(old) is None else (self.old, spot.old, old)
        target = side.resolve(at.file, node["$ref"])
        if target is None or not isinstance(target[2], dict):
            self.emit(spot, "reference", old, new)
            return
        file, pointer, found = target
        merged = {**found, **{name: value for name, value in node.items() if name != "$ref"}}
        if _describe_others(*((old, merged) if side is self.new else (merged, new))):
            self.emit(spot, "reference", old, new)
            return
        if side is self.new:
            self.pair(replace(spot, new=At(file, pointer)), old, merged, each)
        else:
            self.pair(replace(spot, old=At(file, pointer)), merged, new, each)

    def mapping(
        self,
        spot: DiffSpot,
        old: Json,
        new: Json,
        each: Each,
        *,
        child: Callable[[str], Mapping[str, Any]],
        aspect: str = "",
    ) -> None:
        """Compare two mappings of names to things; `child` says what of the spot a name changes."""
        for name, before, after in differing(old, new):
            inner = spot.child(name, **child(name))
            if isinstance(before, dict) and isinstance(after, dict):
                self.pair(inner, before, after, each)
            else:
                self.emit(inner, aspect, before, after, field=name)

    def listing(
        self,
        spot: DiffSpot,
        old: list[Json],
        new: list[Json],
        each: Each,
        *,
        keys: tuple[list[str], list[str]],
        child: Callable[[Json], Mapping[str, Any]],
        aspect: str = "",
    ) -> None:
        """Compare two lists of things by what names them (`keys`, as long as the lists), not by their order."""
        for name, places, one, other in paired(old, new, keys):
            inner = spot.child(*places, **child(one if other is MISSING else other))
            if isinstance(one, dict) and isinstance(other, dict):
                self.pair(inner, one, other, each)
            else:
                self.emit(inner, aspect, one, other, field=name)


def filled(kind: type[Kind], old: object, new: object) -> tuple[Kind, Kind] | None:
    """Both values, with an empty one of a kind (`dict`, `list`) for what is absent; None if one is of another kind."""
    before, after = (kind() if value is MISSING else value for value in (old, new))
    return (before, after) if isinstance(before, kind) and isinstance(after, kind) else None


def differing(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[tuple[str, Json, Json]]:
    """(name, old, new) of what differs between two mappings: in the order of the new one, then what was removed."""
    for name in (*new, *(name for name in old if name not in new)):
        before, after = old.get(name, MISSING), new.get(name, MISSING)
        if before is not after and not same(before, after):
            yield name, before, after


def paired(
    old: list[Json], new: list[Json], keys: tuple[Iterable[str], Iterable[str]]
) -> Iterator[tuple[str, tuple[int, int], Json, Json]]:
    """(name, old and new index, old, new) of the items that differ between two lists, paired by what names them.

    An item that is absent from one list has the index of the other.
    """
    before, after = (_positions(names) for names in keys)
    for key in (*after, *(key for key in before if key not in after)):
        i, j = before.get(key, after.get(key, 0)), after.get(key, before.get(key, 0))
        one, other = old[i] if key in before else MISSING, new[j] if key in after else MISSING
        if not same(one, other):
            yield key.partition("\0")[0], (i, j), one, other


def _positions(names: Iterable[str]) -> dict[str, int]:
    """Name → position; the second thing of the same name is distinguished from the first by its number."""
    found: dict[str, int] = {}
    for position, name in enumerate(names):
        key, number = name, 1
        while key in found:
            key, number = f"{name}\0{number}", number + 1
        found[key] = position
    return found


def _reference(node: object) -> str | None:
    found = node.get("$ref") if isinstance(node, dict) else None
    return found if isinstance(found, str) else None


def _describe_others(old: dict[str, Json], new: dict[str, Json]) -> bool:
    """Whether two schemas have other types, or most properties of the old one are none of the new one."""
    types, properties = ([node.get(key) for node in (old, new)] for key in ("type", "properties"))
    if all(isinstance(kind, str) for kind in types) and types[0] != types[1]:
        return True
    before, after = (set(part) if isinstance(part, dict) else set() for part in properties)
    return bool(before and after) and 2 * len(before & after) < len(before)


def _level(subject: str, aspect: str, field: str) -> Edit:
    """A text deep in something that has no ids of its own (`callbacks/…/description`) is a text still."""
    if subject in ("example", "link") or aspect in ("experience", "docrev"):
        return "docs"
    deep = field.startswith(f"{aspect}/")
    return level(field.rpartition("/")[2] if deep else aspect)


def _verb(old: object, new: object) -> Verb:
    return "added" if old is MISSING else "removed" if new is MISSING else "changed"
