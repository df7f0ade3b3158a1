"""What a retriever is trained on: the operations of specs, and instruction files that are about them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.retrieval.documents import OperationText, texts_of
from docrev.spec import Catalog, load
from docrev.spec.formats import read as read_format
from docrev.train.data.instructions import counted, read_instructions
from docrev.train.data.tool_listing import ToolListing
from docrev.train.retriever.requests import RetrievalRequest

_FIX = "name specs, or instruction files with their api_list"
_ASKING = ("query", "new_instruction", "instruction")
_SPECS = ("openapi", "swagger")


@dataclass
class Corpus:
    """The operations, the requests of instruction files (their `group` is the file), and what was left out.

    `tests` are the requests of files that are held out: nothing is to be trained on them.
    """

    texts: list[OperationText] = field(default_factory=list)
    requests: list[RetrievalRequest] = field(default_factory=list)
    tests: list[RetrievalRequest] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def read_corpus(paths: Sequence[Path | str], tests: Sequence[Path | str] = ()) -> Corpus:
    """Of spec files and folders of them, and of instruction files, in any mixture; `tests` are instruction files.

    Instructions are about the specs; without any, about the operations of their own `api_list`s. What names no
    operation that there is, an id that comes twice, and a request that a test has too are left out and said. Raises
    InputError.
    """
    files = [Path(path) for path in paths if is_instructions(Path(path))]
    specs = [path for path in paths if Path(path) not in files]
    held = list(map(Path, tests))
    corpus = Corpus()
    listing = ToolListing(_catalog(specs, [*files, *held], corpus))
    corpus.texts = texts_of(listing.catalog)
    if not corpus.texts:
        raise InputError("no operation in any of the files", fix=_FIX)
    corpus.tests = _requests(held, listing, corpus)
    tested = {request.text for request in corpus.tests}
    requests = _requests(files, listing, corpus)
    corpus.requests = [request for request in requests if request.text not in tested]
    if len(corpus.requests) < len(requests):
        corpus.warnings.append(f"{len(requests) - len(corpus.requests)} requests are tests too: not trained on")
    return corpus


def is_instructions(path: Path) -> bool:
    """Whether a file holds requests: JSON lines, a list, or an object by id. What cannot be read is no such file."""
    suffix = path.suffix.lower()
    if suffix not in (".json", ".jsonl") or not path.is_file():
        return False
    if suffix == ".jsonl":
        return True
    try:
        tree = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    if isinstance(tree, list):
        return not tree or any(map(_is_request, tree))
    return isinstance(tree, dict) and tree.keys().isdisjoint(_SPECS) and any(map(_is_request, tree.values()))


def _is_request(row: object) -> bool:
    return isinstance(row, dict) and not row.keys().isdisjoint(_ASKING)


def _catalog(specs: Sequence[Path | str], files: Sequence[Path], corpus: Corpus) -> Catalog:
    if specs:
        catalog = load(specs)
        corpus.warnings += [str(finding) for finding in catalog.left_out]
        return catalog
    imported = read_format("toolbench", files)
    corpus.warnings += imported.warnings
    return imported.catalog()


def _requests(files: Sequence[Path], listing: ToolListing, corpus: Corpus) -> list[RetrievalRequest]:
    requests: list[RetrievalRequest] = []
    for file in files:
        read = read_instructions([file], listing)
        corpus.warnings += [f"{file}: {line}" for line in read.warnings()]
        usable = [instruction for instruction in read.instructions if instruction.relevant]
        if len(usable) < len(read.instructions):
            missing = len(read.instructions) - len(usable)
            corpus.warnings.append(f"{file}: {counted(missing, 'entries name no relevant operation')}")
        requests += [RetrievalRequest(instruction.text, instruction.relevant, file.stem) for instruction in usable]
    return requests
