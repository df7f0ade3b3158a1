"""`docrev revise --interactive`, on a terminal of its own."""

from __future__ import annotations

import os
import pty
import select
from pathlib import Path

import pytest
from clikit import docrev, plain_environment
from forked import Forked
from revisekit import SPEC, experience, explored, fact, origin

from docrev.spec.change_classes import CLASSES, TITLES
from docrev.spec.lock import read_lock

CLAMPED, DEFAULT = "Silently capped at the server's limit (9).", "Defaults to `3`."
WORDS = ("revise", "specs", "--evidence", "evidence", "--in-place", "--interactive")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    known = [("clamps", {"maximum": 9}), ("default", 3)]
    facts = [fact("GET /authors", kind, "query:country", value) for kind, value in known]
    explored(tmp_path, facts=[origin(), *facts], lessons=[experience()])
    return tmp_path


def typed(answers: str, cwd: Path, *more: str) -> tuple[int, str]:
    """The exit code and all that is shown when these keys are typed, each followed by Enter, as they are asked for.

    The last one is typed as often as needed; "." stands for the end of the input.
    """
    ours, theirs = pty.openpty()
    process = Forked([*WORDS, *more], (os.ttyname(theirs),) * 3, cwd, plain_environment())
    shown, asked, code = "", 0, None
    try:
        while code is None:
            code = process.wait(0.01)
            while select.select([ours], [], [], 0)[0]:
                shown += os.read(ours, 65536).decode(errors="replace")
            while shown.count(",?] ") > asked:
                answer = answers[min(asked, len(answers) - 1)]
                os.write(ours, b"\x04" if answer == "." else f"{answer}\n".encode())
                asked += 1
    finally:
        process.kill()
        os.close(ours)
        os.close(theirs)
    assert asked >= len(answers), shown
    return code, shown


def text(library: Path) -> str:
    return (library / "specs/library.yaml").read_text()


def test_all_classes_accepted_is_the_whole_revision(library: Path, tmp_path: Path) -> None:
    code, shown = typed("y", library)
    assert code == 0, shown
    titles = [TITLES[name] for name in CLASSES if f"\n{TITLES[name]} (" in shown]
    assert len(titles) > 2
    places = [shown.index(title) for title in titles]
    assert places == sorted(places)
    assert f"+ {CLAMPED}" in shown
    assert "GET /authors query:country (medium)" in shown
    whole = text(library)
    (library / "specs/library.yaml").write_text(SPEC)
    (library / "specs/docrev.lock").unlink()
    docrev(*WORDS[:-1], cwd=library)
    assert text(library) == whole


def test_a_class_that_was_declined_is_not_offered_again(library: Path) -> None:
    code, shown = typed("ny", library)
    assert code == 0, shown
    assert CLAMPED not in text(library)
    assert DEFAULT in text(library)
    again = docrev(*WORDS[:-1], cwd=library)
    assert "0 changes" in again.out


def test_one_by_one_with_help_and_what_is_left_of_the_class(library: Path) -> None:
    code, shown = typed("x" + "onla" + "q", library)
    assert code == 0, shown
    assert "decide one by one" in shown
    lock = read_lock(library / "specs/docrev.lock").sections["library.yaml"]
    assert sum(len(mark.rejected) for mark in lock.values()) == 1


@pytest.mark.parametrize("end", ["q", "."])
def test_quitting_keeps_what_was_accepted_and_offers_the_rest_again(library: Path, end: str) -> None:
    code, shown = typed(f"y{end}", library)
    assert code == 0, shown
    assert CLAMPED in text(library)
    assert DEFAULT not in text(library)
    rest = docrev("revise", "specs", "--evidence", "evidence", cwd=library)
    assert DEFAULT in rest.out
    assert CLAMPED not in "".join(line for line in rest.out.splitlines() if line.lstrip().startswith("+ At most"))


def test_quitting_at_once_writes_nothing(library: Path) -> None:
    code, shown = typed("q", library)
    assert (code, text(library)) == (0, SPEC)
    assert "the files are as they were" in shown
    assert not (library / "specs/docrev.lock").exists()


def test_only_what_is_selected_is_asked(library: Path) -> None:
    _, shown = typed("y", library, "--only", "trap")
    assert "Traps (" in shown
    assert "Wording (" not in shown


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (WORDS, "nobody can be asked here; run it on a terminal, or choose with --only and --skip"),
        ([*WORDS[:4], "--interactive"], "nothing would be written; add --in-place, -o OUT_DIR or --overlay FILE"),
    ],
)
def test_without_a_terminal_or_a_place_to_write_it_is_one_line(library: Path, words: list[str], what: str) -> None:
    docrev(*words, cwd=library).failed(2, what)
    assert text(library) == SPEC
