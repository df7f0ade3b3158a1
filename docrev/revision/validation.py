"""Changes become edits; those that would make a valid spec invalid are dropped and reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from docrev.grouping import grouped
from docrev.json_values import pointer as pointers
from docrev.records import Change, Json
from docrev.spec import Catalog, Document, Finding
from docrev.spec.edits import Edit, Put, Remove, neighbour
from docrev.spec.grammar import version
from docrev.spec.refs import References
from docrev.spec.validate import validate


def edits(document: Document, changes: Iterable[Change]) -> list[Edit]:
    """The edits of one document, one a change: what is removed goes last, since others are put beside it."""
    changes = tuple(changes)
    removed = [change for change in changes if change.after is None and change.before is not None]
    put = (change for change in changes if change not in removed)
    holders = ((change, document.get(pointers.parent(change.pointer), None)) for change in put)
    return [
        *(
            Put(change.pointer, _ended(document, change), neighbour(holder, change.pointer))
            for change, holder in holders
        ),
        *(Remove(change.pointer) for change in removed),
    ]


def _ended(document: Document, change: Change) -> Json:
    """What a change puts; a text that takes the place of one that ends with its line, as block texts of YAML do, does
    so, too: the header of that stays as it is."""
    old, new = document.get(change.pointer, None), change.after
    is_line = isinstance(old, str) and old.endswith("\n") and old.strip() != ""
    return f"{new}\n" if is_line and isinstance(new, str) and new and not new.endswith("\n") else new


def apply(catalog: Catalog, changes: Sequence[Change]) -> tuple[dict[str, Document], list[Change], list[Finding]]:
    """The documents after the changes, the changes that were made, and a finding for each that was dropped.

    A change is dropped if with it the document has a validator error that it did not have before. Other documents of
    the catalog are validated as part of those that refer to them.
    """
    validator = _Validator(catalog)
    kept = validator.sift([], list(changes))
    stayed = {id(change) for change in kept}
    findings = [_dropped(catalog, change) for change in changes if id(change) not in stayed] + validator.left_out
    return validator.documents(kept), kept, findings


def unchecked(catalog: Catalog, changes: Sequence[Change]) -> dict[str, Document]:
    """The documents after the changes, whatever a validator says of them."""
    return _Validator(catalog).documents(changes)


def sound(catalog: Catalog, changes: Sequence[Change]) -> bool:
    """Whether all changes together leave no validator error that was not there."""
    return not changes or _Validator(catalog).sound(changes)


class _Validator:
    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._before: dict[str, Counter[str]] = {}
        # The last of each document: what was found sound is what is kept, and halves leave most files as they were.
        self._edited: dict[str, tuple[list[Change], Document]] = {}
        self.left_out: list[Finding] = []
        """That documents, as they were, took the validator too long."""

    def documents(self, changes: Sequence[Change]) -> dict[str, Document]:
        by_file = grouped((change.file, change) for change in changes)
        return self._catalog.documents | {name: self._document(name, group) for name, group in by_file.items()}

    def _document(self, name: str, changes: list[Change]) -> Document:
        if self._edited.get(name, ((),))[0] != changes:
            document = self._catalog.documents[name]
            self._edited[name] = changes, document.edited(edits(document, changes))
        return self._edited[name][1]

    def sift(self, kept: list[Change], rest: list[Change]) -> list[Change]:
        """`kept` and those of `rest` that can be made beside them: halves are tried until the offender is found."""
        if not rest or self.sound([*kept, *rest]):
            return [*kept, *rest]
        if len(rest) == 1:
            return kept
        half = len(rest) // 2
        return self.sift(self.sift(kept, rest[:half]), rest[half:])

    def sound(self, changes: Sequence[Change]) -> bool:
        documents = self.documents(changes)
        touched = {change.file for change in changes}
        specs = [name for name in self._catalog.files.values() if version(documents[name].tree) is not None]
        # A fragment is validated within the specs that may refer to it.
        affected = [name for name in specs if name in touched] if touched <= set(specs) else specs
        return all(self._is_sound(documents, name) for name in affected)

    def _is_sound(self, documents: dict[str, Document], name: str) -> bool:
        found = _errors(documents, name)
        # Nothing wrong now is nothing new, whatever was wrong before.
        return not found or not found - self._errors_before(name)

    def _errors_before(self, name: str) -> Counter[str]:
        if name not in self._before:
            found = validate(self._catalog.documents[name], self._catalog.refs)
            self.left_out += [finding for finding in found if finding.id == "not-validated"]
            self._before[name] = _counted(found)
        return self._before[name]


def _errors(documents: dict[str, Document], name: str) -> Counter[str]:
    """Validator errors by place and message; places alone would call a changed error a new one."""
    refs = References(dict(documents))
    return _counted(validate(documents[name], refs))


def _counted(findings: Iterable[Finding]) -> Counter[str]:
    return Counter(f"{found.pointer} {found.message}" for found in findings)


def _dropped(catalog: Catalog, change: Change) -> Finding:
    line = catalog.documents[change.file].line(change.pointer)
    message = "a change was dropped: with it the spec would not be valid"
    return Finding("change-invalid", "warning", change.file, line, change.pointer, message, "report it to docrev")
