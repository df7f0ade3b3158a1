"""The names of files: which are specs, which folder they are in, and what tools they make.

A document of a commit is named `REF:path`.
"""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path, PurePosixPath

from docrev.errors import InputError

_SUFFIXES = (".json", ".yaml", ".yml")


def is_spec_name(path: str) -> bool:
    """Whether a path may be that of a spec: JSON or YAML by its name, neither hidden nor of `node_modules`."""
    parts = PurePosixPath(path).parts
    return path.lower().endswith(_SUFFIXES) and not any(_is_passed_over(part) for part in parts)


def spec_files(folder: Path) -> list[Path]:
    """The files under a folder that may be specs by their names, sorted."""
    found: list[Path] = []
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_passed_over(name))
        found += [Path(here) / name for name in files if is_spec_name(name)]
    return sorted(path for path in found if path.is_file())


def _is_passed_over(part: str) -> bool:
    return part == "node_modules" or (part.startswith(".") and part != "..")


def folder_of(name: str) -> str:
    """What the name of a document starts with, up to the last slash, or the colon of `REF:path`."""
    head, slash, _ = name.rpartition("/")
    if slash:
        return f"{head}/"
    ref, colon, _ = name.rpartition(":")
    return f"{ref}{colon}"


def stem_of(name: str) -> str:
    """The name of a document without folder and suffix."""
    return PurePosixPath(name.rpartition(":")[2]).stem


def numbered(name: str, taken: Container[str]) -> str:
    """`name`, or the first of `name-2`, `name-3`, … that is not taken."""
    free, count = name, 1
    while free in taken:
        count += 1
        free = f"{name}-{count}"
    return free


def not_openapi(where: str) -> InputError:
    """The error for a document that is no spec."""
    what = "not an OpenAPI document: neither `openapi` nor `swagger` at its top"
    return InputError(what, where=f"{where}:1", fix="name another")
