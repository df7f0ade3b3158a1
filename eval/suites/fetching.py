"""Fetching the public data of suites once, only when asked: from the authors' repositories, checked by sha256."""

from __future__ import annotations

import hashlib
import os
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import yaml

from docrev.errors import InputError, UnreachableError, UsageError
from docrev.storage.atomic import write_bytes

TIMEOUT = 60
LARGEST = 50 * 2**20


@dataclass(frozen=True, slots=True)
class Remote:
    """A file: its name in the cache, its address, and its sha256 ("" if it is not known)."""

    name: str
    url: str
    sha256: str = ""


@cache
def remotes_of(suite: str) -> tuple[Remote, ...]:
    """The files of a suite's public data, as `remotes.yaml` beside this module lists them; none for another suite."""
    text = files("docrev.eval.suites").joinpath("remotes.yaml").read_text("utf-8")
    return tuple(Remote(**row) for row in yaml.safe_load(text).get(suite, ()))


def cache_folder() -> Path:
    """Where fetched data is kept: `docrev/suites` in the user's cache (XDG_CACHE_HOME)."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "docrev" / "suites"


def fetched(suite: str) -> Path | None:
    """The folder of a suite's data if all of it was fetched before."""
    folder = cache_folder() / suite
    remotes = remotes_of(suite)
    return folder if remotes and all((folder / remote.name).is_file() for remote in remotes) else None


def fetch(suite: str, remotes: Sequence[Remote] | None = None) -> Path:
    """Fetch a suite's data into the cache and return its folder; what is there already is not fetched again.

    Raises UsageError for a suite that is not public, UnreachableError if a file cannot be had, InputError if it
    is not the file that it was, StoreError if it cannot be kept.
    """
    remotes = remotes_of(suite) if remotes is None else remotes
    if not remotes:
        raise UsageError(f"there is nothing to fetch for {suite}", fix="leave out --fetch; other data: --data DIR")
    folder = cache_folder() / suite
    for remote in remotes:
        if not (folder / remote.name).is_file():
            write_bytes(folder / remote.name, _content(remote))
    return folder


def _content(remote: Remote) -> bytes:
    try:
        with urllib.request.urlopen(remote.url, timeout=TIMEOUT) as response:
            content: bytes = response.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise UnreachableError(
            f"cannot be fetched: {reason}", where=remote.url, fix="fetch it yourself and give its folder: --data DIR"
        ) from error
    if len(content) > LARGEST:
        raise InputError(f"is larger than {LARGEST} bytes", where=remote.url, fix="give the data with --data DIR")
    if remote.sha256 and hashlib.sha256(content).hexdigest() != remote.sha256:
        fix = "give the data with --data DIR to use this version"
        raise InputError("is not the version that the suite is for (sha256)", where=remote.url, fix=fix)
    return content
