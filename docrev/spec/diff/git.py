"""Files as a commit has them: `REF:path`, read with git's plumbing, never through a shell, never from the network."""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from docrev.errors import InputError


@dataclass(frozen=True)
class Commit:
    """The tree of a commit, a tag or a branch (`ref`), in the repository that `folder` is in."""

    ref: str
    tree: str
    folder: Path

    @classmethod
    def open(cls, ref: str, folder: Path) -> Commit:
        """Raises InputError if `folder` is in no repository, or the repository does not know `ref`."""
        where = f"{ref}:"
        if _git(folder, "rev-parse", "--git-dir") is None:
            raise InputError("not in a git repository", where=where, fix="change into one, or name a file")
        # A ref that starts with a dash would be taken for an option.
        found = None if ref.startswith("-") else _git(folder, "rev-parse", "--verify", "--quiet", f"{ref}^{{tree}}")
        if found is None:
            raise InputError(
                "git knows no such commit, tag or branch", where=where, fix="see `git branch -a` and `git tag`"
            )
        return cls(ref, found.decode().strip(), folder)

    def find(self, path: str) -> str | None:
        """The path within the repository: as git has it, from the top, or else from the current folder."""
        prefix = (_git(self.folder, "rev-parse", "--show-prefix") or b"").decode().strip()
        tries = [posixpath.normpath(posixpath.join(prefix, path))]
        if not path.startswith(("./", "../")):
            tries.insert(0, posixpath.normpath(path))
        return next((one for one in tries if one == "." or self._listed(one)), None)

    def files(self, path: str) -> dict[str, int]:
        """The files at or under `path`, with their sizes in bytes; symbolic links and submodules left out."""
        found: dict[str, int] = {}
        for line in self._listed(path, deep=True):
            kind, _, name = line.partition("\t")
            mode, _, _, size = kind.split()
            if mode.startswith("100"):
                found[name] = int(size)
        return found

    def read(self, path: str) -> bytes | None:
        """The bytes of the file at `path`."""
        return _git(self.folder, "cat-file", "blob", f"{self.tree}:{path}")

    def _listed(self, path: str, *, deep: bool = False) -> list[str]:
        options = ["-r"] if deep else []
        where = [] if path == "." else ["--", path]
        listed = _git(self.folder, "ls-tree", *options, "-z", "-l", "--full-tree", self.tree, *where)
        return [] if listed is None else [os.fsdecode(line) for line in listed.split(b"\0") if line]


def split(source: str) -> tuple[str, str] | None:
    """(ref, path) of `REF:path`; None for a path: one that exists, one with a drive letter, or one without a colon."""
    ref, colon, path = source.partition(":")
    if not colon or not ref or re.match(r"[A-Za-z]:[\\/]", source) or Path(source).exists():
        return None
    if path.startswith("//"):
        raise InputError("a URL, not a file", where=source, fix="fetch it first: docrev diff reads files")
    return ref, path


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git prints, or None if it fails."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "--literal-pathspecs", *arguments],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise InputError("git is not installed", fix="install git, or name files") from None
    return done.stdout if done.returncode == 0 else None
