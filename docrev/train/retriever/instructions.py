"""Instruction files in ToolBench's format as requests, and specs or such files as the operations to retrieve."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.records import Json, OperationKey
from docrev.spec import load
from docrev.spec.catalog import Catalog
from docrev.spec.importers import read
from docrev.spec.importers.toolbench import Apis, apis, relevant
from docrev.train.retriever.documents import OperationText, texts_of
from docrev.train.retriever.requests import Request


@dataclass
class Corpus:
    """What there is to train on: the operations, the requests of instruction files, and what had to be left out."""

    texts: list[OperationText] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def read_corpus(paths: Sequence[Path | str]) -> Corpus:
    """Of spec files and folders of them, and of instruction files (lists of objects with a `query`), in any mixture.

    The operations of instruction files are those of all their `api_list`s. A request that names no operation that
    there is, an id that comes twice, and an empty list are left out and said. Raises InputError.
    """
    data = [Path(path) for path in paths if _is_instructions(Path(path))]
    specs = [path for path in paths if Path(path) not in data]
    corpus = Corpus()
    if specs:
        catalog = load(specs)
        corpus.warnings += [str(finding) for finding in catalog.left_out]
        corpus.texts += texts_of(catalog)
    if data:
        imported = read("toolbench", data)
        catalog = imported.catalog()
        corpus.warnings += imported.warnings
        known = {text.key for text in corpus.texts}
        corpus.texts += [text for text in texts_of(catalog) if text.key not in known]
        for path in data:
            _add(corpus, path, catalog)
    if not corpus.texts:
        raise InputError("no operation in any of the files", fix="name specs, or instruction files with their api_list")
    return corpus


def _is_instructions(path: Path) -> bool:
    """Whether a file is a list of queries; what cannot be read is for the reader of specs to tell."""
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    try:
        tree = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(tree, list) and (not tree or any(isinstance(row, dict) and "query" in row for row in tree))


def _add(corpus: Corpus, path: Path, catalog: Catalog) -> None:
    names = apis(catalog)
    seen: set[str] = set()
    for at, row in enumerate(json.loads(path.read_text("utf-8"))):
        where = f"{path}: /{at}"
        text = row.get("query") if isinstance(row, dict) else None
        name = str(row.get("query_id", f"#{at}")) if isinstance(row, dict) else ""
        keys = _keys(row, names)
        if not isinstance(text, str) or not text.strip():
            corpus.warnings.append(f"{where}: no query: left out")
        elif name in seen:
            corpus.warnings.append(f"{where}: query_id {name} comes a second time: left out")
        elif not keys:
            corpus.warnings.append(f"{where}: none of its relevant APIs is documented: left out")
        else:
            seen.add(name)
            corpus.requests.append(Request(" ".join(text.split("\n")), keys, path.stem))


def _keys(row: Json, names: Apis) -> tuple[OperationKey, ...]:
    """The relevant operations that exist, each once; names that the documents do not have are hallucinated."""
    found = [names.operation_key(*name) for name in relevant(row)]
    return tuple(dict.fromkeys(key for key in found if key is not None))
