"""Mechanical repairs, as splices: what `docrev lint --fix` does to the user's files."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.json_values import pointer as pointers
from docrev.records import Json
from docrev.spec.catalog import Catalog
from docrev.spec.document import Document
from docrev.spec.edits import Edit, Put, RenameKey
from docrev.spec.faults import Fault
from docrev.spec.grammar import version
from docrev.spec.keywords import METHODS

_PASSES = 5  # one repair can lay open another: an unknown key that becomes a known one holds faults of its own


def repairs(catalog: Catalog) -> list[Fault]:
    """The faults that have edits, in the order in which they are reported."""
    found = [fault for fault in catalog.faults if fault.edits]
    return list({(fault.id, fault.place, fault.message): fault for fault in [*found, *_undeclared(catalog)]}.values())


def fixes(catalog: Catalog) -> list[tuple[str, list[Edit]]]:
    """The edits of `repairs`, by document, in an order in which none moves the place of another."""
    by_file: dict[str, list[Edit]] = {}
    for fault in repairs(catalog):
        edits = by_file.setdefault(fault.place.file, [])
        edits += [_canonical(catalog.documents[fault.place.file], edit) for edit in fault.edits]
    return [(file, _ordered({repr(edit): edit for edit in edits}.values())) for file, edits in sorted(by_file.items())]


def fixed(catalog: Catalog) -> tuple[Catalog, list[Fault]]:
    """The catalog after all repairs, and the faults that were repaired; applied again, it changes nothing."""
    done: list[Fault] = []
    for _ in range(_PASSES):
        edits = fixes(catalog)
        if not edits:
            break
        done += repairs(catalog)
        documents = dict(catalog.documents)
        for file, changes in edits:
            documents[file] = documents[file].edited(changes)
        catalog = Catalog.of(documents.values())
    return catalog, done


def _undeclared(catalog: Catalog) -> Iterable[Fault]:
    """`undeclared-path-parameter`: declared as a string, at the operation."""
    listed: set[tuple[str, str]] = set()
    for operation in catalog.operations:
        if pointers.last(operation.place.pointer).lower() not in METHODS:
            continue  # a stray $ref made something else of it
        document = catalog.documents[operation.place.file]
        for parameter in operation.parameters:
            if parameter.declared:
                continue
            node: dict[str, Json] = {"name": parameter.name, "in": "path", "required": True}
            old = (version(catalog.documents[catalog.files[operation.tool]].tree) or "").startswith("2")
            node |= {"type": "string"} if old else {"schema": {"type": "string"}}
            here = f"{operation.place.pointer}/parameters"
            there = isinstance(document.get(here, None), list) or operation.place in listed
            listed.add(operation.place)
            edit = Put(f"{here}/-", node) if there else Put(here, [node])
            message = f'path parameter "{parameter.name}" of {operation.path} is not declared'
            yield Fault("undeclared-path-parameter", "error", operation.place, message, (edit,))


def _canonical(document: Document, edit: Edit) -> Edit:
    """The edit where YAML aliases and merges have their text."""
    if document.format != "yaml":
        return edit
    above, _, last = edit.pointer.rpartition("/")
    pointer = f"{document.definition(above)}/{last}"
    if isinstance(edit, Put):
        return Put(pointer, edit.value, edit.after)
    return RenameKey(pointer, edit.key) if isinstance(edit, RenameKey) else type(edit)(pointer)


def _ordered(edits: Iterable[Edit]) -> list[Edit]:
    """Puts as they come; then renames and removals from the end of the document, the inner before the outer."""
    every = list(edits)
    puts: list[Edit] = [edit for edit in every if isinstance(edit, Put)]
    rest = [edit for edit in every if not isinstance(edit, Put)]
    rest.sort(key=lambda edit: _key(edit.pointer), reverse=True)
    return puts + [step for edit in rest for step in _steps(edit)]


def _steps(edit: Edit) -> list[Edit]:
    """A rename to the same name writes the key anew (200 becomes "200"), by way of another name."""
    if isinstance(edit, RenameKey) and pointers.last(edit.pointer) == edit.key:
        passing = f"x-{edit.key}"
        return [RenameKey(edit.pointer, passing), RenameKey(pointers.parent(edit.pointer) + f"/{passing}", edit.key)]
    return [edit]


def _key(pointer: str) -> list[tuple[int, int, str]]:
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in pointers.split(pointer)]
