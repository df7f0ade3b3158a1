"""Things that are created and deleted together with the thing whose response names them: `kernel: {id: …}`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from docrev.calls.path_texts import noun_of
from docrev.calls.routes import only_path
from docrev.conventions.ids import created_object, is_id
from docrev.evidence import queries
from docrev.facts.deletions import Deletion
from docrev.facts.evidence_view import EvidenceView
from docrev.json_values.containers import mapping
from docrev.language.path_templates import ends_in_parameter
from docrev.language.words import singular_words, words
from docrev.records import Arguments, Call, Json, OperationKey
from docrev.spec import Operation

_IDS = frozenset({"id", "uuid"})


class Attached(NamedTuple):
    """A thing that another one names, with the operation that reads it, and the arguments for that."""

    reader: Operation
    arguments: dict[str, Json]

    @property
    def id(self) -> str:
        return str(next(reversed(self.arguments.values())))


def item_readers(view: EvidenceView) -> list[Operation]:
    """The operations that read single things by their ID alone."""
    return [one for one in view.catalog.operations if one.method == "GET" and _reads_by_id(one)]


def _reads_by_id(operation: Operation) -> bool:
    return operation.path.count("{") == 1 and ends_in_parameter(operation.path)


def attached(call: Call, readers: Iterable[Operation]) -> Iterator[Attached]:
    """The things of other kinds that a response names, but for those that the request named; each with its reader."""
    sent = {str(value) for _, value in queries.arguments(call)}
    named = [(noun, id) for noun, id in _named(created_object(call.body)) if str(id) not in sent]
    for reader in readers if named else ():
        collection, _, parameter = reader.path.rstrip("/").removesuffix("}").rpartition("/{")
        if reader.key.tool == call.key.tool and _reads_by_id(reader):
            for noun, id in named:
                if noun == singular_words(noun_of(collection)):
                    yield Attached(reader, {f"path:{parameter}": id})


def _named(thing: Json) -> Iterator[tuple[tuple[str, ...], str | int]]:
    """(words of the noun, ID) of the objects with an ID in a thing, and of its references by ID."""
    for name, value in mapping(thing).items():
        inner = value.get("id", value.get("uuid")) if isinstance(value, dict) else None
        if is_id(inner):
            yield singular_words(name), inner
        elif is_id(value) and len(words(name)) > 1 and words(name)[-1] in _IDS:
            yield singular_words(" ".join(words(name)[:-1])), value


def read_after(view: EvidenceView, deletion: Deletion) -> Iterator[Call]:
    """The first readings, after a deletion, of what the thing named and was there before it."""
    now = view.when(deletion.call)
    things = _calls(view, deletion.call.key, "GET", deletion.call.arguments)
    there = [call for call in things if call.ok and view.when(call) < now]
    readers = item_readers(view) if there else []
    for one in {one.id: one for call in there for one in attached(call, readers)}.values():
        yield from _first_after(view, one, now)


def _first_after(view: EvidenceView, one: Attached, now: int) -> Iterator[Call]:
    """The first reading of a thing after a moment, if the last one before found it, and the run has not deleted it."""
    calls = _calls(view, one.reader.key, "GET", one.arguments)
    before = [call for call in calls if view.when(call) < now]
    for after in calls[len(before) :][:1] if before and before[-1].ok else ():
        removals = _calls(view, one.reader.key, "DELETE", one.arguments)
        if not any(now < view.when(call) < view.when(after) for call in removals):
            yield after


def _calls(view: EvidenceView, key: OperationKey, method: str, arguments: Arguments) -> list[Call]:
    """The calls of a method on the thing that arguments name, in their order."""
    seen = view.observations.get(OperationKey(key.tool, f"{method} {key.path}"))
    every, path = seen.calls if seen is not None else (), only_path(arguments)
    found = (call for call in every if only_path(call.arguments) == path)
    return sorted(found, key=view.when)
