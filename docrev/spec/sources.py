"""Which files belong to a catalog: those named, those in the folders named, and those that they refer to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.settings.choices import MAX_SPEC_SIZE
from docrev.spec.document import Document
from docrev.spec.files import not_openapi, spec_files
from docrev.spec.findings import Finding
from docrev.spec.grammar import version

_SUPPORTED = ("2.", "3.0", "3.1", "3.2")


@dataclass
class Sources:
    """What was read: `specs` are the OpenAPI documents by name, `others` the rest, read when first referred to."""

    max_size: int = MAX_SPEC_SIZE
    specs: dict[str, Document] = field(default_factory=dict)
    others: dict[str, Document] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    _folders: list[Path] = field(default_factory=list)
    _seen: set[Path] = field(default_factory=set)

    def add(self, spec: Path | str) -> None:
        """Take in a file, or the files of a folder and of the folders in it.

        Raises InputError if it is not there, cannot be read, or holds no OpenAPI document.
        """
        path = _plain(Path(spec))
        if not path.is_dir():
            self._folders.append(path.resolve().parent)
            self._add_file(path)
            return
        self._folders.append(path.resolve())
        files = spec_files(path)
        if not files:
            raise InputError("the folder holds no .json, .yaml or .yml file", where=str(path), fix="name another")
        before, trouble = len(self.specs), None
        for file in files:
            trouble = self._try_file(file) or trouble
        if len(self.specs) == before and not any(file.resolve() in self._seen for file in files):
            raise trouble or InputError(
                "no file in the folder is an OpenAPI document", where=str(path), fix="name another"
            )

    def _add_file(self, path: Path) -> None:
        real = path.resolve()
        if real in self._seen:
            return
        document = Document.read(path, max_size=self.max_size)
        told = version(document.tree)
        if told is None:
            raise not_openapi(str(path))
        if not told.startswith(_SUPPORTED):
            raise InputError(
                f"OpenAPI version {told} is not supported", where=f"{path}:1", fix="convert it to 2.0, 3.0 or 3.1"
            )
        self._seen.add(real)
        self.specs[document.name] = document

    def _try_file(self, path: Path) -> InputError | None:
        """Take in one file of a folder; what it is not is a finding, and the error is returned."""
        try:
            document = Document.read(path, max_size=self.max_size)
        except InputError as error:
            line = error.where.rpartition(":")[2]
            self._note(path, int(line) if line.isdigit() else 1, "unreadable-file", error.what, error.fix)
            return error
        told = version(document.tree)
        if told is None or not told.startswith(_SUPPORTED):
            self.others[document.name] = document
            if told is not None:
                what = f"OpenAPI version {told} is not supported: skipped"
                self._note(path, 1, "unsupported-version", what, "convert it to 2.0, 3.0 or 3.1")
        elif (real := path.resolve()) not in self._seen:
            self._seen.add(real)
            self.specs[document.name] = document
        return None

    def _note(self, path: Path, line: int, id: str, message: str, fix: str) -> None:
        self.findings.append(Finding(id, "error", str(path), line, "", message, fix))

    def fetch(self, name: str) -> Document | None:
        """The document of this name, if it is a readable file within one of the folders."""
        if name in self.others:
            return self.others[name]
        path = Path(name)
        try:
            real = path.resolve()
            if not any(real.is_relative_to(folder) for folder in self._folders) or not real.is_file():
                return None
        except (OSError, ValueError):
            # No name of a file: too long, or with characters that none may have.
            return None
        try:
            return Document.read(path, max_size=self.max_size)
        except InputError as error:
            self._note(path, 1, "unreadable-file", error.what, error.fix)
            return None

    def skipped(self, used: Sequence[str]) -> list[Finding]:
        """A finding for each file of a folder that is neither an OpenAPI document nor referred to (`used`)."""
        return [
            Finding("not-openapi", "info", name, 1, "", "not an OpenAPI document: skipped")
            for name in sorted(self.others)
            if name not in used and version(self.others[name].tree) is None
        ]


def _plain(path: Path) -> Path:
    """`path` without `x/..`, as references between documents are resolved by name; as it is where a link is in it."""
    plain = Path(os.path.normpath(path))
    return plain if plain.resolve() == path.resolve() else path
