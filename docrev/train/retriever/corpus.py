"""What a retriever is trained on: the operations of specs, and instruction files that are about them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.retrieval.documents import OperationText, texts_of
from docrev.spec import Catalog, load
from docrev.spec.formats import read
from docrev.train.data.instructions import ReadInstructions, read_instructions
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
    held = [Path(path) for path in tests]
    corpus = Corpus()
    listing = ToolListing(_catalog(specs, [*files, *held], corpus))
    corpus.texts = texts_of(listing.catalog)
    if not corpus.texts:
        raise InputError("no operation in any of the files", fix=_FIX)
    corpus.tests = [request for file in held for request in _requests(file, listing, corpus)]
    kept = {request.text for request in corpus.tests}
    found = [request for file in files for request in _requests(file, listing, corpus)]
    corpus.requests = [request for request in found if request.text not in kept]
    if len(corpus.requests) < len(found):
        corpus.warnings.append(f"{len(found) - len(corpus.requests)} requests are tests too: not trained on")
    return corpus


def is_instructions(path: Path) -> bool:
    """Whether a file holds requests: JSON lines, a list, or an object by id. What cannot be read is no such file."""
    if path.suffix.lower() == ".jsonl":
        return path.is_file()
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    try:
        tree = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    if isinstance(tree, list):
        return not tree or any(isinstance(row, dict) and any(name in row for name in _ASKING) for row in tree)
    rows = list(tree.values()) if isinstance(tree, dict) and not any(name in tree for name in _SPECS) else []
    return any(isinstance(row, dict) and any(name in row for name in _ASKING) for row in rows)


def _catalog(specs: Sequence[Path | str], files: Sequence[Path], corpus: Corpus) -> Catalog:
    if specs:
        catalog = load(specs)
        corpus.warnings += [str(finding) for finding in catalog.left_out]
        return catalog
    imported = read("toolbench", files)
    corpus.warnings += imported.warnings
    return imported.catalog()


def _requests(file: Path, listing: ToolListing, corpus: Corpus) -> list[RetrievalRequest]:
    found: ReadInstructions = read_instructions([file], listing)
    corpus.warnings += [f"{file}: {line}" for line in found.warnings()]
    asked = [one for one in found.instructions if one.relevant]
    if len(asked) < len(found.instructions):
        corpus.warnings.append(f"{file}: {len(found.instructions) - len(asked)} entries tell nothing relevant")
    return [RetrievalRequest(one.text, one.relevant, file.stem) for one in asked]
