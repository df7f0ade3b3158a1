"""The files of APIBench: its three parts, each with APIs and an evaluation set."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from docrev.errors import InputError
from docrev.records import Json

from .reading import find, folder_of

NAME = "apibench"
_PARTS = (
    ("torchhub", "TorchHub", "torchhub_api.jsonl", "torchhub_eval.json"),
    ("huggingface", "HuggingFace", "huggingface_api.jsonl", "huggingface_eval.json"),
    ("tensorflowhub", "TensorHub", "tensorflowhub_api.jsonl", "tensorflow_eval.json"),
)


class PartFiles(NamedTuple):
    """One part: its name in files, its title, and where its APIs and its evaluation set are."""

    name: str
    title: str
    apis: Path
    evaluation: Path


def present(data: Path | None) -> list[PartFiles]:
    """The parts that a folder has the data of. Raises UsageError without a folder, InputError if it has none."""
    folder, parts = folder_of(data, NAME), []
    for name, title, apis, evaluation in _PARTS:
        try:
            parts.append(PartFiles(name, title, find(folder, apis, NAME), find(folder, evaluation, NAME)))
        except InputError:
            continue
    if not parts:
        names = " or ".join(f"{apis} with {evaluation}" for _, _, apis, evaluation in _PARTS)
        raise InputError(f"there is no {names}", where=str(folder), fix=f"give the folder of the data of {NAME}")
    return parts


def part_of(answers: Path, parts: list[PartFiles]) -> PartFiles | None:
    """The part that a file of answers is of: the one that its name says, or the first of one part alone."""
    named = next((part for part in parts if answers.stem.startswith(f"response_{part.name}")), None)
    says_other = any(answers.stem.startswith(f"response_{name}") for name, *_ in _PARTS)
    return named or (None if says_other else parts[0])


def instruction(row: Json) -> str:
    """The task of a row of an evaluation set."""
    return str(row.get("code", "")).partition("###Output")[0].removeprefix("###Instruction:").strip()
