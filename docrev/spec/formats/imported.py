"""What an import gives: OpenAPI documents by file name, what was counted, and what had to be said about the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.events import Handler, StepTaken, ignore
from docrev.records import Json
from docrev.spec.catalog import Catalog
from docrev.spec.document import Document
from docrev.spec.yaml_write import YamlStyle
from docrev.storage import atomic

_LIKE = Document.parse("openapi: 3.1.0\ninfo:\n  title: x\ntags:\n  - x\n", "style.yaml")
_STYLE = YamlStyle(_LIKE.text, _LIKE.root)


@dataclass
class Imported:
    """The documents, by file stem; `duplicates` counts repeated entries, `left_out` those that cannot be used.

    `warnings` say where (file and JSON pointer) and what, one line each.
    """

    documents: dict[str, dict[str, Json]] = field(default_factory=dict)
    duplicates: int = 0
    left_out: int = 0
    warnings: list[str] = field(default_factory=list)

    @property
    def operations(self) -> int:
        """How many operations the documents have."""
        paths = (document["paths"] for document in self.documents.values())
        return sum(len(item) for one in paths if isinstance(one, dict) for item in one.values())

    def leave_out(self, where: str, why: str) -> None:
        """Count an entry that cannot be used, and warn of it."""
        self.left_out += 1
        self.warnings.append(f"{where}: {why}: left out")

    def settled(self, what: str) -> Imported:
        """Itself. Raises InputError if it has no operation: `what` is missing."""
        if self.operations:
            return self
        why = f" ({self.warnings[0]})" if self.warnings else ""
        raise InputError(f"no {what} in any of the sources{why}", fix="name other files, or another format")

    def texts(self, on_event: Handler = ignore, part: int = 0, parts: int = 1) -> dict[str, str]:
        """The YAML files by name, sorted; of several parts one."""
        texts: dict[str, str] = {}
        stems = sorted(self.documents)[part::parts]
        for stem in stems:
            texts[f"{stem}.yaml"] = yaml_text(self.documents[stem])
            on_event(StepTaken("writing them as OpenAPI", len(texts), len(stems), "files"))
        return texts

    def counts(self) -> dict[str, Json]:
        """What was counted, and what had to be said, as JSON."""
        counts = {"operations": self.operations, "duplicates": self.duplicates, "left_out": self.left_out}
        return {**counts, "warnings": self.warnings}

    def catalog(self) -> Catalog:
        """The operations of the documents, as `load` gives them once they are written."""
        return Catalog.of(Document.parse(text, name) for name, text in self.texts().items())

    def write(self, folder: Path, *, on_event: Handler = ignore) -> list[Path]:
        """Write one file a document into `folder`. Raises LockedError, StoreError."""
        return write_files({folder / name: text for name, text in self.texts(on_event).items()})


def yaml_text(tree: object) -> str:
    """A tree as YAML that 1.1 and 1.2 read alike."""
    return "\n".join(_STYLE.lines(tree, 0)) + "\n"


def write_files(files: dict[Path, str]) -> list[Path]:
    """Write texts to files, making their folders. Raises InputError, LockedError, StoreError with the path."""
    atomic.write_files((path, text.encode("utf-8")) for path, text in files.items())
    return list(files)
