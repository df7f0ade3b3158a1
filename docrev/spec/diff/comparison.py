"""The comparison: which document belongs to which, the walk over each pair, and each repeated difference once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath

from docrev.errors import InputError
from docrev.json_values.containers import mapping
from docrev.records import Json
from docrev.settings.choices import MAX_SPEC_SIZE
from docrev.spec.diff.differences import Diff, Difference, fingerprint, same
from docrev.spec.diff.sides import Side
from docrev.spec.diff.sources import Source, open_side
from docrev.spec.diff.structure import METHODS, document, guess, start
from docrev.spec.diff.uses import Uses
from docrev.spec.diff.walk import At, DiffSpot, Walk
from docrev.spec.document import Document
from docrev.spec.files import numbered, stem_of
from docrev.spec.meaning import MISSING

Users = Callable[[At, At], tuple[tuple[str, str], ...]]


def compare(old: Source, new: Source, *, max_size: int = MAX_SPEC_SIZE) -> Diff:
    """What differs between two files, folders, commits (`REF:path`), or documents that were read already.

    Formatting is no difference: neither YAML or JSON, nor the order of keys, parameters and required names, nor
    a flag written out that is false anyway. What is shared is compared where it is defined, once. `max_size`
    bounds each file, in bytes. Raises InputError for a side that cannot be read.
    """
    before, after = open_side(old, max_size=max_size), open_side(new, max_size=max_size)
    try:
        return Diff(before.name, after.name, tuple(_told_apart(_compared(before, after))))
    except RecursionError:
        what = "nested too deeply to be compared"
        raise InputError(what, where=after.name, fix="name the schemas within, and refer to them") from None


def _compared(before: Side, after: Side) -> list[Difference]:
    users = _users(before, after)
    entries: list[Difference] = []
    pairs = _pairs(before, after)
    tools = _tools([(other or one).name for one, other in pairs if one or other])  # type: ignore[union-attr]
    names = {document.name: tool for pair, tool in zip(pairs, tools, strict=True) for document in pair if document}
    for (one, other), tool in zip(pairs, tools, strict=True):
        told = _named(users, names, tool)
        walk = Walk(tool, before, after, told)
        if one is not None and other is not None:
            document(walk, start(tool, one.name, other.name), one.tree, other.tree)
            entries += _once(walk.entries, one, other)
        else:
            entries.append(_whole(tool, one, other))
    return entries + _fragments(before, after, users, names)


def _pairs(old: Side, new: Side) -> list[tuple[Document | None, Document | None]]:
    """Documents that belong together: by path in the folder, then by stem; a file with a file, whatever its name."""
    if old.single and new.single:
        return [(*old.specs.values(), *new.specs.values())]  # type: ignore[list-item]
    if old.single or new.single:
        return [_picked(old, new)]
    matched = _matched(old, new)
    pairs = {key: (old.specs.get(matched.get(key, "")), new.specs[key]) for key in new.specs}
    gone = {key: (document, None) for key, document in old.specs.items() if key not in matched.values()}
    return [pair for _, pair in sorted((*pairs.items(), *gone.items()), key=lambda item: item[0])]


def _matched(old: Side, new: Side) -> dict[str, str]:
    """The key of a new document → that of the old one: the same, or of another folder with the same stem."""
    matched = {key: key for key in new.specs if key in old.specs}
    left = {PurePosixPath(key).name: key for key in sorted(old.specs, reverse=True) if key not in matched}
    for key in sorted(new.specs.keys() - matched.keys()):
        stem = PurePosixPath(key).name
        if stem in left:
            matched[key] = left.pop(stem)
    return matched


def _picked(old: Side, new: Side) -> tuple[Document, Document]:
    """A file beside a folder: the folder's file of the same stem."""
    file, folder = (old, new) if old.single else (new, old)
    ((stem, document),) = file.specs.items()
    found = [other for key, other in sorted(folder.specs.items()) if PurePosixPath(key).name == stem]
    if not found:
        raise InputError(
            f"the folder has no OpenAPI document named {stem}", where=folder.name, fix="name the file in it"
        )
    return (document, found[0]) if old.single else (found[0], document)


def _tools(names: list[str]) -> list[str]:
    """The stem of each file; one that occurs again gets a number."""
    tools: list[str] = []
    for name in names:
        tools.append(numbered(stem_of(name) or "spec", tools))
    return tools


def _users(old: Side, new: Side) -> Users:
    """Who uses a definition now, or, if nothing does, who used it."""
    before, after = Uses(old), Uses(new)
    return lambda one, other: after.of(other) or before.of(one)


def _named(users: Users, tools: dict[str, str], tool: str) -> Callable[[At, At], tuple[str, ...]]:
    def named(old: At, new: At) -> tuple[str, ...]:
        found = ((tools.get(file, file), operation) for file, operation in users(old, new))
        return tuple(operation if other == tool else f"{other} {operation}" for other, operation in found)

    return named


def _whole(tool: str, old: Document | None, new: Document | None) -> Difference:
    """A document that only one side has."""
    found = new or old
    assert found is not None
    paths = mapping(found.tree.get("paths")).items()
    operations = [f"{method.upper()} {path}" for path, item in paths for method in METHODS if method in mapping(item)]
    name = "document-removed" if new is None else "document-added"
    return Difference(
        id=name, level="contract", tool=tool, operation="", shared="", location="", field="", pointer="",
        before=None if old is None else operations, after=None if new is None else operations,
        old="" if old is None else old.where(""), new="" if new is None else new.where(""),
        fingerprint=fingerprint(name, tool, "", operations),
    )  # fmt: skip


def _once(entries: list[Difference], old: Document, new: Document) -> list[Difference]:
    """A change that YAML aliases show in several places is reported once, where it is written."""
    found: dict[tuple[str, str, str], Difference] = {}
    for entry in entries:
        document = old if entry.verb == "removed" else new
        written = document.definition(entry.pointer)
        key = (entry.id, entry.field, written)
        if key not in found:
            found[key] = replace(entry, pointer=written)
            continue
        first = found[key]
        users = (*(first.used_by or (first.operation,)), *(entry.used_by or (entry.operation,)))
        found[key] = replace(first, used_by=tuple(dict.fromkeys(user for user in users if user)))
    return list(found.values())


def _told_apart(entries: list[Difference]) -> list[Difference]:
    """Each with a fingerprint of its own, also if a document says the same thing twice (a tag, an item)."""
    seen: dict[str, int] = {}
    found: list[Difference] = []
    for entry in entries:
        number = seen[entry.fingerprint] = seen.get(entry.fingerprint, 0) + 1
        own = entry.fingerprint if number == 1 else fingerprint(entry.fingerprint, number)
        found.append(replace(entry, fingerprint=own))
    return found


def _fragments(old: Side, new: Side, users: Users, tools: dict[str, str]) -> list[Difference]:
    """What differs in files that specs refer to, and that are no specs themselves."""
    before, after = old.fragments(), new.fragments()
    entries: list[Difference] = []
    for key in sorted({*before, *after}):
        one, other = before.get(key), after.get(key)
        walk = Walk(PurePosixPath(key[0]).name, old, new, _named(users, tools, ""))
        left, right = _node(old, one), _node(new, other)
        label, subject, each = guess(left if right is MISSING else right)
        base = At(*(one or other or ("", ""))), At(*(other or one or ("", "")))
        spot = DiffSpot(subject, *base, shared=f"{label} {key[0]}#{key[1]}", base=base)
        if isinstance(left, dict) and isinstance(right, dict):
            walk.pair(spot, left, right, each)
        elif not same(left, right):
            walk.emit(spot, "", left, right)
        entries += walk.entries
    return entries


def _node(side: Side, place: tuple[str, str] | None) -> Json:
    return MISSING if place is None else side.get(*place)
