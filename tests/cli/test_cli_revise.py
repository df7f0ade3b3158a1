"""`docrev revise`, as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clikit import docrev
from revisekit import SPEC, experience, explored, library_calls, origin

from docrev.cli.summaries import unanswered
from docrev.records import OperationKey


@pytest.fixture
def library(tmp_path: Path) -> Path:
    explored(tmp_path, facts=[origin()], lessons=[experience()])
    (tmp_path / "evidence").rename(tmp_path / ".docrev")
    return tmp_path


def test_without_a_place_to_write_the_diff_is_shown_and_nothing_is_written(library: Path) -> None:
    done = docrev("revise", "specs", cwd=library)
    assert done.code == 0, done.err
    assert "+ Sorted by `id`." in done.out
    assert "nothing was written" in done.err
    assert (library / "specs/library.yaml").read_text() == SPEC


def test_a_folder_gets_the_revised_specs_and_a_second_time_nothing_changes(library: Path) -> None:
    done = docrev("revise", "specs", "-o", "out", cwd=library)
    assert done.code == 0, done.err
    assert done.out.endswith("wrote out/library.yaml, out/docrev.lock.\n")
    again = docrev("revise", "out", cwd=library)
    assert (again.out, again.code) == ("", 0)
    assert (library / "specs/library.yaml").read_text() == SPEC


def test_changes_are_counted_as_diff_counts_them(library: Path) -> None:
    done = docrev("revise", "specs", "--edit", "contract", "-o", "out", cwd=library)
    shown = docrev("diff", "specs", "out", "--format", "markdown", cwd=library).out
    assert "contract change" in done.out
    assert f"**{done.out.partition(';')[0]}**" in shown


def test_of_many_files_how_many_there_are_and_where(library: Path) -> None:
    for number in range(10):
        (library / f"specs/other{number}.yaml").write_text(SPEC)
    done = docrev("revise", "specs", "-o", "out", cwd=library)
    assert done.code == 0, done.err
    assert done.out.endswith("; wrote 12 files in out.\n")
    assert len(list((library / "out").iterdir())) == 12


def test_in_place(library: Path) -> None:
    assert docrev("revise", "specs/library.yaml", "--in-place", cwd=library).code == 0
    assert "Sorted by `id`." in (library / "specs/library.yaml").read_text()


def test_json_lists_changes_with_the_calls_behind_each(library: Path) -> None:
    done = docrev("revise", "specs", "--json", cwd=library)
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert rows
    known = {one.id for one in library_calls()}
    for row in rows:
        assert set(row) == {
            *("file", "line", "pointer", "edit", "classes", "confidence", "tool", "operation", "before", "after"),
            *("facts", "calls"),
        }
        assert row["calls"]
        assert set(row["calls"]) <= known
    books = next(row for row in rows if row["pointer"] == "/paths/~1books/get/description")
    assert (books["before"], books["file"]) == ("Lists the books that are in print this year.", "specs/library.yaml")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["specs", "--evidence", "nowhere"], "docrev explore"),
        (["nowhere"], "nowhere"),
        (["specs", "--in-place", "-o", "out"], "both -o and --in-place"),
        (["specs", "--model", "crystal-ball"], "crystal-ball"),
        (["specs", "--method", "tarot"], "tarot"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(library: Path, arguments: list[str], said: str) -> None:
    done = docrev("revise", *arguments, cwd=library)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
    assert (library / "specs/library.yaml").read_text() == SPEC


def test_settings_of_the_working_directory_are_taken_and_flags_win(library: Path) -> None:
    (library / "docrev.toml").write_text('[revise]\nexamples = "none"\n')
    assert "Example:" not in docrev("revise", "specs", cwd=library).out
    assert "Example:" in docrev("revise", "specs", "--examples", "masked", cwd=library).out


def test_the_number_of_words_is_a_setting(library: Path) -> None:
    assert docrev("revise", "specs", "--words", "0", cwd=library).out.count("description") == 0
    (library / "docrev.toml").write_text("[revise]\nwords = 4\n")
    few = docrev("revise", "specs", cwd=library).out
    assert "Sorted by `id`." in few
    assert "in print this year. For the email" not in few


def test_operations_that_share_a_reason_share_a_line() -> None:
    keys = [OperationKey("shop", f"{method} /orders") for method in ("GET", "POST", "PUT", "DELETE")]
    missed = [(keys[0], "answered 404"), *((key, "not allowed") for key in keys[1:])]
    assert unanswered(missed, "docrev evidence out") == [
        "Not described, without a usable answer (docrev evidence out lists each):",
        "  shop GET /orders              answered 404",
        "  shop POST /orders and 2 more  not allowed",
    ]
