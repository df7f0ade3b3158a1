"""`docrev demo`: both bundled services, explored and revised with the commands that a user would type."""

from __future__ import annotations

import difflib
import os
import re
import shlex
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path

from docrev.errors import LockedError
from docrev.sandbox.atlas import KEY
from docrev.sandbox.serve import SERVICES, serve

Command = Callable[[list[str]], int]
"""Runs one docrev command with its arguments, the command's name first; returns its exit code."""

SPECS = ("airfield.json", "atlas.yaml")
KEY_VARIABLE = "ATLAS_API_KEY"
PORT = 8101
SHOWN = ("atlas.yaml", "/countries")
SHOWN_LINES = 40


def run_demo(folder: Path, explore: Command, revise: Command, out: Callable[[str], None]) -> int:
    """Write the specs to `folder`, start the services, explore, revise, show what changed and what to try next.

    Returns the exit code of the first command that failed, or 0. The services stop however it ends. Raises UsageError
    without the extra `sandbox`, LockedError if `folder` cannot be written.
    """
    with serve() as urls:
        write_specs(folder)
        os.environ[KEY_VARIABLE] = KEY
        for command, arguments in (
            (explore, [*explore_arguments(folder, urls), "--fresh"]),
            (revise, revise_arguments(folder)),
        ):
            out(f"$ {as_typed(arguments)}")
            code = command(arguments)
            if code:
                return code
    out(f"\nBefore and after, {SHOWN[1]} of {SHOWN[0]}:\n")
    out(excerpt(folder))
    out(farewell(folder))
    return 0


def write_specs(folder: Path) -> None:
    """Copy the published specs to `folder`/specs."""
    target = folder / "specs"
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name in SPECS:
            (target / name).write_bytes(files("docrev.specs").joinpath(name).read_bytes())
    except OSError as error:
        raise LockedError(
            f"cannot be written: {error.strerror}", where=str(target), fix="run it in a folder that can"
        ) from error


def explore_arguments(folder: Path, urls: Mapping[str, str]) -> list[str]:
    """The explore command of the demo."""
    bases = [part for name in SERVICES for part in ("--base-url", f"{name}={urls[name]}")]
    key = ["-H", f"X-Api-Key: env:{KEY_VARIABLE}"]
    return [
        "explore",
        str(folder / "specs"),
        *bases,
        *key,
        "--allow",
        "POST,PUT,PATCH,DELETE",
        "--out",
        str(folder / "evidence"),
    ]


def revise_arguments(folder: Path) -> list[str]:
    """The revise command of the demo."""
    return ["revise", str(folder / "specs"), "--evidence", str(folder / "evidence"), "-o", str(folder / "revised")]


def as_typed(arguments: list[str]) -> str:
    """A command as it is typed."""
    return shlex.join(["docrev", *arguments])


def excerpt(folder: Path) -> str:
    """What changed in one path of a spec, as a short diff."""
    name, path = SHOWN
    before, after = (block((folder / part / name).read_text("utf-8"), path) for part in ("specs", "revised"))
    lines = list(difflib.unified_diff(before, after, "before", "after", n=2, lineterm=""))
    shown = [line for line in lines[2:] if not line.startswith("@@")]
    more = len(shown) - SHOWN_LINES
    return "\n".join([*shown[:SHOWN_LINES], *([f"… and {more} more lines"] if more > 0 else [])])


def block(text: str, path: str) -> list[str]:
    """The lines of one path item of a YAML spec."""
    start = re.search(rf"^  {re.escape(path)}:", text, re.MULTILINE)
    if start is None:
        return []
    end = re.search(r"^(  /|\S)", text[start.end() :], re.MULTILINE)
    return text[start.start() : start.end() + end.start() if end else len(text)].rstrip().splitlines()


def farewell(folder: Path) -> str:
    """What to run by hand next."""
    by_hand = {name: f"http://127.0.0.1:{PORT + place}" for place, name in enumerate(SERVICES)}
    diff = ["diff", str(folder / "specs"), str(folder / "revised")]
    return "\n".join(
        [
            "",
            "Everything that changed, and the calls behind it:",
            f"  {as_typed(diff)}",
            f"  {as_typed(['facts', str(folder / 'evidence')])}",
            "",
            "The same by hand:",
            f"  python -m docrev.sandbox {' '.join(SERVICES)} --port {PORT} &",
            f"  export {KEY_VARIABLE}={KEY}",
            f"  {as_typed(explore_arguments(folder, by_hand))}",
            f"  {as_typed(revise_arguments(folder))}",
        ]
    )
