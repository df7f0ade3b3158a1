"""Every command of the README and of the site runs; the ports are those of this test, and models learn little."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
from clikit import docrev
from patience import HANGS
from services import running

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "docs"
LISTED = re.findall(r"^[a-z][a-z/-]+$", (SITE / "index.md").read_text(), re.M)
PAGES = (ROOT / "README.md", *(page for name in LISTED if (page := SITE / f"{name}.md").exists()))
"""The README, and the pages of the site in the order of its contents, without those that are made when it is built."""
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.S)
MAKE = {"make demo", "make test"}
QUICK = {
    "-n 1000": "-n 24", "--from-scratch nano": "--from-scratch test", "-o retriever": "-o retriever --generate 0",
    "--limit 12": "--limit 1",
}  # fmt: skip
LONG = ("docrev train ", "docrev demo", "docrev bench bundled", "docrev bench agreement")
"""Commands that take over three seconds in a test, and what needs them. What their block has before them runs first."""


WRITES = "docrev revise  specs/atlas.yaml --evidence .docrev -o revised"
"""The command of the README that writes what its diff shows."""


def blocks(language: str) -> list[str]:
    return [body for page in PAGES for name, body in BLOCK.findall(page.read_text()) if name == language]


def commands() -> list[str]:
    return [line for body in blocks("sh") for line in body.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    folder = tmp_path_factory.mktemp("readme")
    # The specs as published are also what `docrev demo` writes first.
    for specs in (folder / "specs", folder / "docrev-demo" / "specs"):
        shutil.copytree(ROOT / "specs", specs, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    with running() as urls:
        yield folder, {"http://127.0.0.1:8101": urls["atlas"], "http://127.0.0.1:8102": urls["airfield"]}


def there(text: str, ports: dict[str, str]) -> str:
    for written, real in (ports | QUICK).items():
        text = text.replace(written, real)
    return text


def test_what_make_can_do_is_what_the_readme_says() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    told = {line for line in commands() if line.startswith("make ")}
    assert told == MAKE
    assert {line.split()[1] for line in told} <= targets


RUN = [line for line in dict.fromkeys(commands()) if line not in MAKE]


def test_the_pages_show_commands() -> None:
    assert len(RUN) >= 30


def test_the_readme_is_read_in_three_minutes() -> None:
    assert len(re.sub(r"```.*?```", "", (ROOT / "README.md").read_text(), flags=re.S).split()) < 3 * 240


def marked(line: str) -> Any:
    return pytest.param(line, marks=pytest.mark.long if line.startswith(LONG) else ())


def needed(line: str) -> list[str]:
    """The commands before a long one in its block, some of which the run of the long tests leaves out."""
    [block, *_] = [lines for body in blocks("sh") if line in (lines := body.splitlines())]
    return block[: block.index(line)]


@pytest.fixture(scope="module")
def finished() -> set[str]:
    """The commands that ran in this process."""
    return set()


@pytest.mark.parametrize("line", [marked(line) for line in RUN])
def test_each_command_runs_after_those_before_it(
    place: tuple[Path, dict[str, str]], finished: set[str], line: str
) -> None:
    for each in (*(needed(line) if line.startswith(LONG) else ()), line):
        if each not in finished:
            run_command(place, each)
            finished.add(each)


def run_command(place: tuple[Path, dict[str, str]], line: str) -> None:
    folder, ports = place
    program, *words = shlex.split(there(line, ports))
    assert program == "docrev"
    result = docrev(*words, cwd=folder)
    # lint ends with 1 where it has something to report; everything else must end well.
    assert result.code in ((0, 1) if words[0] == "lint" else (0,)), result.err
    assert result.out.strip() or result.err.strip()


@pytest.mark.parametrize("shown", blocks("diff"), ids=["README", "tutorial"])
def test_the_diffs_of_the_pages_are_what_is_written(
    place: tuple[Path, dict[str, str]], finished: set[str], shown: str
) -> None:
    folder, _ = place
    [commands] = [body.splitlines() for body in blocks("sh") if WRITES in body]
    for each in commands[: commands.index(WRITES) + 1]:
        if each not in finished:
            run_command(place, each)
            finished.add(each)
    old, new = ((folder / file).read_text().splitlines() for file in ("specs/atlas.yaml", "revised/atlas.yaml"))
    lines = list(unified_diff(old, new, lineterm="", n=max(len(old), len(new))))
    assert shown.rstrip("\n") in "\n".join(lines)


def test_the_python_runs(place: tuple[Path, dict[str, str]]) -> None:
    folder, ports = place
    [code] = blocks("python")
    result = subprocess.run(
        [sys.executable, "-c", there(code, ports)], cwd=folder, capture_output=True, text=True, timeout=HANGS
    )
    assert result.returncode == 0, result.stderr
    operations, changes = map(int, result.stdout.split())
    assert operations >= 10
    assert changes >= 10


def test_the_settings_are_understood(tmp_path: Path) -> None:
    from docrev.settings.file import read_settings
    from docrev.settings.groups import ExploreSettings

    [settings] = blocks("toml")
    (tmp_path / "docrev.toml").write_text(settings)
    assert read_settings(tmp_path / "docrev.toml", ExploreSettings, "explore")["max_calls"] == 500
