"""Fetching the public data of suites once, only when asked: from the authors' repositories, checked by sha256."""

from __future__ import annotations

import hashlib
import os
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from docrev.errors import InputError, UnreachableError, UsageError
from docrev.storage.atomic import write_bytes

RESTGPT = "https://raw.githubusercontent.com/Yifan-Song793/RestGPT/main"
STABLE = "https://raw.githubusercontent.com/THUNLP-MT/StableToolBench/master/solvable_queries/test_instruction"
GORILLA = "https://raw.githubusercontent.com/ShishirPatil/gorilla/main"
RESPONSES = f"{GORILLA}/eval/eval-data/responses/torchhub"
TIMEOUT = 60
LARGEST = 50 * 2**20


@dataclass(frozen=True, slots=True)
class Remote:
    """A file: its name in the cache, where it is, and its sha256 ("" where it is not known)."""

    name: str
    url: str
    sha256: str = ""


REMOTES: Mapping[str, tuple[Remote, ...]] = {
    "restbench-tmdb": (
        Remote(
            "tmdb.json",
            f"{RESTGPT}/datasets/tmdb.json",
            "6a9686067683ec6c33221de05bd2e763cfbfedf2cac6f4e6b607d7ab80a858d4",
        ),
        Remote(
            "tmdb_oas.json",
            f"{RESTGPT}/specs/tmdb_oas.json",
            "6e5a3c4ebdf2e3deeada3331ad65c7b802b0aeb58c6167704db700be49b00017",
        ),
    ),
    "restbench-spotify": (
        Remote(
            "spotify.json",
            f"{RESTGPT}/datasets/spotify.json",
            "b6ba57cc6f29adf352c6a1ceeb4434d6fd508eedfe514afb2d79b6a282f8efc0",
        ),
        Remote(
            "spotify_oas.json",
            f"{RESTGPT}/specs/spotify_oas.json",
            "7cfaf223ea373d8aa7429e6d62d9085b4678617556865cf23496ab2c4bf44c54",
        ),
    ),
    "toolbench": (
        Remote(
            "G1_category.json",
            f"{STABLE}/G1_category.json",
            "123cb9073c8b6e6473df91c8a51170277087e1c263eba2eb6077170edbe849c3",
        ),
        Remote(
            "G1_instruction.json",
            f"{STABLE}/G1_instruction.json",
            "500aa0105ed451538448f6ea04f10661536b013f3e1a293840fe401688160e7c",
        ),
        Remote("G1_tool.json", f"{STABLE}/G1_tool.json"),
        Remote(
            "G2_category.json",
            f"{STABLE}/G2_category.json",
            "71e18112f7940934f159d623b1c2b4740b1b4dc58a0b596c63b8151abbf8267e",
        ),
        Remote("G2_instruction.json", f"{STABLE}/G2_instruction.json"),
        Remote(
            "G3_instruction.json",
            f"{STABLE}/G3_instruction.json",
            "f923d1a9452646bd1a415b266117d90675d0f8fc04cf014db58d3cd78c25634f",
        ),
    ),
    "apibench": (
        Remote(
            "torchhub_api.jsonl",
            f"{GORILLA}/data/api/torchhub_api.jsonl",
            "30c762a4f8ae1be605aa45c74669e8b64a806fa4f3be52bd625199000540b080",
        ),
        Remote(
            "torchhub_eval.json",
            f"{GORILLA}/data/apibench/torchhub_eval.json",
            "e575eec9289ee46a577b80ee3065111dd8accf4e6145d6ad5fd919879a79efe9",
        ),
        Remote(
            "response_torchhub_Gorilla_FT_bm25.jsonl",
            f"{RESPONSES}/response_torchhub_Gorilla_FT_bm25.jsonl",
            "12127ecef32eabcf65560d1ba8b8d68aee92626de72cd523b76aad3f8bc16e2d",
        ),
        Remote(
            "response_torchhub_Gorilla_FT_oracle.jsonl",
            f"{RESPONSES}/response_torchhub_Gorilla_FT_oracle.jsonl",
            "a92802609e6e47213f01dc068df0163369cef6b2b1e223f8d2bf3fa8fa8f5ca4",
        ),
        Remote(
            "response_torchhub_Gorilla_RT_bm25.jsonl",
            f"{RESPONSES}/response_torchhub_Gorilla_RT_bm25.jsonl",
            "1663bf8a520357cc8da7c5a02ce6a71ec44d8065db6d4e67ab397d89e5cffa03",
        ),
        Remote(
            "response_torchhub_Gorilla_RT_oracle.jsonl",
            f"{RESPONSES}/response_torchhub_Gorilla_RT_oracle.jsonl",
            "57819ccaa4af431637c837dfaf3c3f9d00a63bdc3fffdd084fbf31d911a54114",
        ),
    ),
}


def cache_folder() -> Path:
    """Where fetched data is kept: `docrev/suites` in the user's cache (XDG_CACHE_HOME)."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "docrev" / "suites"


def fetched(suite: str) -> Path | None:
    """The folder of a suite's data where all of it was fetched before."""
    folder = cache_folder() / suite
    remotes = REMOTES.get(suite, ())
    return folder if remotes and all((folder / remote.name).is_file() for remote in remotes) else None


def fetch(suite: str, remotes: Sequence[Remote] | None = None) -> Path:
    """Fetch a suite's data into the cache and return its folder; what is there already is not fetched again.

    Raises UsageError for a suite that is not public, UnreachableError where a file cannot be had, InputError where it
    is not the file that it was, StoreError where it cannot be kept.
    """
    remotes = REMOTES.get(suite, ()) if remotes is None else remotes
    if not remotes:
        raise UsageError(f"there is nothing to fetch for {suite}", fix="leave out --fetch; other data: --data DIR")
    folder = cache_folder() / suite
    for remote in remotes:
        if not (folder / remote.name).is_file():
            _keep(folder, remote.name, _content(remote))
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


def _keep(folder: Path, name: str, content: bytes) -> None:
    """Write a file whole or not at all."""
    write_bytes(folder / name, content)
