"""The catalog: all operations of some specs, with the documents they stand in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Self

from docrev.errors import InputError, UsageError
from docrev.records import Json, OperationKey
from docrev.settings.choices import MAX_SPEC_SIZE
from docrev.spec import openapi3, swagger2
from docrev.spec.addresses import with_address_routes
from docrev.spec.bare_paths import with_bare_routes
from docrev.spec.bulk_paths import with_bulk_routes
from docrev.spec.document import Document
from docrev.spec.faults import Fault, faults
from docrev.spec.files import numbered, stem_of
from docrev.spec.findings import Finding, Place
from docrev.spec.grammar import version
from docrev.spec.object_parameters import with_members
from docrev.spec.operation import Operation, Parameter
from docrev.spec.procedures import with_routes
from docrev.spec.reading import DocumentForm, DocumentReader
from docrev.spec.refs import References
from docrev.spec.sources import Sources
from docrev.spec.verb_paths import with_resource_routes

_ELSEWHERE = re.compile(r"ref[\"']?\s*:(?!\s*[\"']?#)")
"""What a `$ref` into another file certainly contains."""


@dataclass(frozen=True, eq=False)
class Catalog:
    """The operations of some specs, by tool and then in file order.

    `documents` holds every document that was read, by name: the specs and what they refer to. `tools` are sorted;
    `files` names each tool's document; `servers` are the URLs it gives, absolute or not. `digest` is a sha256 over
    the contents, the same on every machine.
    """

    documents: dict[str, Document]
    tools: tuple[str, ...]
    operations: tuple[Operation, ...]
    servers: dict[str, tuple[str, ...]]
    files: dict[str, str]
    digest: str
    refs: References = field(repr=False)
    _noted: tuple[Finding, ...] = field(repr=False)
    _find_faults: Callable[[], tuple[Fault, ...]] = field(repr=False)
    _by_key: dict[OperationKey, Operation] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._by_key.update({operation.key: operation for operation in self.operations})

    def __getitem__(self, key: OperationKey) -> Operation:
        return self._by_key[key]

    def __contains__(self, key: object) -> bool:
        return key in self._by_key

    def __len__(self) -> int:
        return len(self.operations)

    def with_operations(self) -> Self:
        """The catalog itself. Raises UsageError if it has no operation."""
        if not self.operations:
            raise UsageError("the specs describe no operation", where=", ".join(self.documents), fix="run docrev lint")
        return self

    def without_parameters(self, left_out: Callable[[str, Parameter], bool]) -> Self:
        """The catalog without some parameters, by the tool and each of them."""

        def kept(operation: Operation) -> Operation:
            parameters = tuple(p for p in operation.parameters if not left_out(operation.tool, p))
            return operation if parameters == operation.parameters else replace(operation, parameters=parameters)

        return replace(self, operations=tuple(map(kept, self.operations)), _by_key={})

    def get(self, key: OperationKey) -> Operation | None:
        """The operation of this key, if there is one."""
        return self._by_key.get(key)

    def node(self, place: Place, below: str = "", default: Json = None) -> Json:
        """What stands at a place, or at a JSON pointer below it; `default` if nothing does."""
        return self.documents[place.file].get(f"{place.pointer}{below}", default)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The mechanical faults of the specs. Few commands want them, and to find them takes a fifth of loading."""
        return self._find_faults()

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the specs, the mechanical faults too, by file and line."""
        return _in_order([*self._noted, *(fault.finding(self.refs) for fault in self.faults)])

    @property
    def left_out(self) -> tuple[Finding, ...]:
        """The findings on files of a folder that could not be read at all."""
        return tuple(finding for finding in self._noted if finding.id in ("unreadable-file", "unsupported-version"))

    def of_tool(self, tool: str) -> tuple[Operation, ...]:
        """The operations of one tool, in file order."""
        return tuple(operation for operation in self.operations if operation.tool == tool)

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Catalog:
        """The catalog of documents that were read already, as from a commit. Raises InputError if none is a spec."""
        sources = Sources()
        for document in documents:
            (sources.others if version(document.tree) is None else sources.specs)[document.name] = document
        if not sources.specs:
            raise InputError("none of the documents is an OpenAPI document", fix="name other files")
        return _build(sources)


def load(specs: Sequence[Path | str] | Path | str, *, max_size: int = MAX_SPEC_SIZE) -> Catalog:
    """The catalog of `specs`: files, or folders of files; `max_size` bounds each file, in bytes.

    Invalid specs are loaded as far as they can be; the rest is in `findings`. Raises InputError if a path is
    missing or unreadable, and where it holds no OpenAPI document at all.
    """
    paths = [specs] if isinstance(specs, str | Path) else list(specs)
    if not paths:
        raise InputError("no spec given", fix="name a file or a folder")
    sources = Sources(max_size=max_size)
    for path in paths:
        sources.add(path)
    return _build(sources)


def _build(sources: Sources) -> Catalog:
    refs = References(sources.specs, sources.fetch)
    files = _tools(sources.specs)
    operations: list[Operation] = []
    findings: list[Finding] = []
    servers: dict[str, tuple[str, ...]] = {}
    for tool, name in files.items():
        document = sources.specs[name]
        old = (version(document.tree) or "").startswith("2")
        form: DocumentForm = swagger2.Swagger2() if old else openapi3.OpenAPI3()
        reader = DocumentReader(tool, document, refs, form)
        found = list(with_bare_routes(list(with_members(reader.operations()))))
        found = list(with_bulk_routes(list(with_resource_routes(list(with_routes(found))))))
        found = list(with_address_routes(found))
        if not found:
            reader.note("no-operations", Place(name, ""), "the document has no operations", level="warning")
        operations += found
        findings += reader.findings
        servers[tool] = (swagger2 if old else openapi3).servers(document.tree)
    names = list(files.values())
    find_faults = cache(lambda: tuple(faults(refs, names)))
    if any(refers_elsewhere(refs.documents[name]) for name in names):
        # That reads all that they refer to, which is of the catalog too.
        find_faults()
    documents = dict(refs.documents)
    findings += sources.findings + sources.skipped(list(documents))
    return Catalog(
        documents=documents,
        tools=tuple(files),
        operations=tuple(operations),
        servers=servers,
        files=files,
        digest=_digest(files, documents),
        refs=refs,
        _noted=_in_order(findings),
        _find_faults=find_faults,
    )


def refers_elsewhere(document: Document) -> bool:
    """Whether a document may refer to another one; if not, it certainly does not."""
    return _ELSEWHERE.search(document.text) is not None


def _tools(specs: Mapping[str, Document]) -> dict[str, str]:
    """Tool → document name, sorted by tool. A stem that occurs again gets a number."""
    tools: dict[str, str] = {}
    for name in sorted(specs):
        # A file name may be no text at all: bytes in no encoding.
        stem = "-".join(stem_of(name.encode(errors="replace").decode()).split()).replace("=", "-") or "spec"
        tools[numbered(stem, tools)] = name
    return dict(sorted(tools.items()))


def _in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Each finding once, by file, line and pointer."""
    return tuple(sorted(set(findings), key=lambda f: (f.file, f.line, f.pointer, f.id, f.message)))


def _digest(files: Mapping[str, str], documents: Mapping[str, Document]) -> str:
    """Over tools and contents, not over where the files lie."""
    digest = hashlib.sha256()
    for tool, name in files.items():
        digest.update(f"{tool}\0".encode() + hashlib.sha256(documents[name].to_bytes()).digest())
    others = [hashlib.sha256(documents[name].to_bytes()).digest() for name in documents if name not in files.values()]
    digest.update(b"".join(sorted(others)))
    return digest.hexdigest()
