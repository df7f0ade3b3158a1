"""`docrev.lock` in a repository: commits, merges, moves, and files that cannot be written."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from clikit import Done, docrev
from revisekit import SPEC, experience, explored, origin

from docrev.spec.lock import read_lock

REVISE = ("revise", "specs", "--evidence", "evidence", "--in-place")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A repository with a spec, and evidence that is not committed."""
    explored(tmp_path, facts=[origin()], lessons=[experience()])
    (tmp_path / ".gitignore").write_text("evidence\n")
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, "Published")
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)


def revise(folder: Path, *more: str) -> Done:
    done = docrev(*REVISE, *more, cwd=folder)
    assert done.code == 0, done.err
    return done


def test_a_commit_has_the_spec_and_its_lock_file_and_then_nothing_changes(library: Path) -> None:
    done = revise(library)
    assert done.out.endswith("wrote specs/library.yaml, specs/docrev.lock.\n")
    assert git(library, "status", "--porcelain").split() == ["M", "specs/library.yaml", "??", "specs/docrev.lock"]
    assert "texts:" not in (library / "specs/library.yaml").read_text()
    commit(library, "Revised")
    assert "0 changes" in revise(library).out
    assert git(library, "status", "--porcelain") == ""


def test_branches_that_revise_different_texts_merge_without_a_conflict(library: Path) -> None:
    (library / ".gitattributes").write_text("docrev.lock merge=union\n")
    commit(library, "Merge lock files line by line")
    for branch, category in (("traps", "trap"), ("examples", "example")):
        git(library, "checkout", "-q", "-b", branch, "main")
        revise(library, "--only", category)
        commit(library, branch)
    git(library, "checkout", "-q", "-b", "both", "traps")
    git(library, "merge", "-q", "--no-edit", "-X", "ours", "examples")
    lock = read_lock(library / "specs/docrev.lock")
    assert lock.damaged == 0
    assert {name for mark in lock.sections["library.yaml"].values() for name in mark.classes} >= {"trap", "example"}
    assert "edited" not in revise(library).err


def test_a_spec_that_is_put_back_is_revised_anew(library: Path) -> None:
    revise(library)
    whole = (library / "specs/library.yaml").read_text()
    git(library, "checkout", "-q", "specs/library.yaml")
    revise(library)
    assert (library / "specs/library.yaml").read_text() == whole


@pytest.mark.parametrize("how", ["lost", "damaged"])
def test_texts_are_known_again_whatever_became_of_the_lock_file(library: Path, how: str) -> None:
    revise(library)
    specs = library / "specs"
    whole = (specs / "library.yaml").read_text()
    if how == "lost":
        (specs / "docrev.lock").unlink()
    if how == "damaged":
        lock = (specs / "docrev.lock").read_text()
        (specs / "docrev.lock").write_text(lock.replace('" = {', '" {'))
    done = revise(library)
    assert "0 changes" in done.out
    assert (specs / "library.yaml").read_text() == whole
    assert ("docrev.lock:6: warning: this line cannot be read" in done.err) == (how == "damaged")
    assert read_lock(specs / "docrev.lock").damaged == 0


def test_a_spec_that_is_renamed_takes_its_lines_along(library: Path) -> None:
    revise(library)
    commit(library, "Revised")
    git(library, "mv", "specs/library.yaml", "specs/other.yaml")
    # The tool is named after the file: the evidence is of another tool now.
    assert "0 changes" in revise(library).out
    assert git(library, "diff", "--stat", "HEAD", "--", "specs/other.yaml").count("|") == 1
    assert list(read_lock(library / "specs/docrev.lock").sections) == ["other.yaml"]
    commit(library, "Renamed")
    assert git(library, "show", "--stat", "--format=", "HEAD").count("docrev.lock") == 1


def test_a_spec_that_is_moved_without_its_lock_file_is_known_again(library: Path) -> None:
    revise(library)
    whole = (library / "specs/library.yaml").read_text()
    (library / "apis").mkdir()
    (library / "specs/library.yaml").rename(library / "apis/library.yaml")
    done = docrev("revise", "apis", "--evidence", "evidence", "--in-place", cwd=library)
    assert "0 changes" in done.out
    assert (library / "apis/library.yaml").read_text() == whole


def test_the_lock_file_of_another_program_is_one_line_and_nothing_is_written(library: Path) -> None:
    (library / "specs/docrev.lock").write_text('[[package]]\nname = "x"\n')
    done = docrev(*REVISE, cwd=library)
    done.failed(2, "specs/docrev.lock: this is not a lock file of docrev; move it away")
    assert (library / "specs/library.yaml").read_text() == SPEC


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_one_line_and_nothing_is_written(library: Path) -> None:
    (library / "specs").chmod(0o555)
    try:
        docrev(*REVISE, cwd=library).failed(2, "read-only", "choose another folder with -o")
    finally:
        (library / "specs").chmod(0o755)
    assert (library / "specs/library.yaml").read_text() == SPEC


def test_a_folder_of_results_has_a_lock_file_of_its_own_that_keeps_what_others_wrote(library: Path) -> None:
    out = library / "out"
    out.mkdir()
    (out / "other.yaml").write_text("openapi: 3.0.3\n")
    lock = 'version = 1\n\n["other.yaml"]\n"/info/description" = { text = "1234567" }\n'
    (out / "docrev.lock").write_text(lock)
    done = docrev("revise", "specs", "--evidence", "evidence", "-o", "out", cwd=library)
    assert done.out.endswith("wrote out/library.yaml, out/docrev.lock.\n")
    assert list(read_lock(out / "docrev.lock").sections) == ["library.yaml", "other.yaml"]
    assert not (library / "specs/docrev.lock").exists()
    assert docrev("revise", "out/library.yaml", "--evidence", "evidence", cwd=library).out == ""


def test_marks_may_stay_in_the_spec_and_move_out_of_it(library: Path) -> None:
    revise(library, "--marks", "inline")
    assert "texts:" in (library / "specs/library.yaml").read_text()
    assert not (library / "specs/docrev.lock").exists()
    assert "0 changes" in revise(library, "--marks", "inline").out
    done = revise(library)
    assert "the marks of what docrev wrote move to docrev.lock" in done.err
    assert "texts:" not in (library / "specs/library.yaml").read_text()
    assert (library / "specs/docrev.lock").exists()
    revise(library, "--marks", "inline")
    assert "texts:" in (library / "specs/library.yaml").read_text()
    assert not (library / "specs/docrev.lock").exists()


def test_classes_are_counted_selected_and_taken_from_the_settings_file(library: Path) -> None:
    everything = docrev("revise", "specs", "--evidence", "evidence", cwd=library)
    assert "  Traps (medium)\n" in everything.err
    assert "  Examples (medium)\n" in everything.err
    (library / "docrev.toml").write_text('[revise]\nskip = ["example", "wording"]\n')
    less = docrev("revise", "specs", "--evidence", "evidence", "--json", cwd=library)
    rows = [json.loads(line) for line in less.out.splitlines()]
    assert rows
    assert not any({"example", "wording"} & set(row["classes"]) for row in rows)
    assert {row["confidence"] for row in rows} == {"medium"}
    wrong = docrev("revise", "specs", "--only", "traps", cwd=library)
    wrong.failed(2, "'traps' is not one of 'correction', 'trap'")


def test_json_on_one_line_is_broken_into_lines_only_if_asked_for(tmp_path: Path) -> None:
    tree = {"openapi": "3.0.3", "info": {"title": "Library", "version": "1", "description": "x" * 300}}
    again = {"name": "again", "in": "query", "schema": {"type": "integer"}}
    operation = {"operationId": "broken", "parameters": [again], "responses": {"200": {"description": "OK"}}}
    path, _ = explored(tmp_path, json.dumps({**tree, "paths": {"/broken": {"get": operation}}}))
    words = ("revise", str(path), "--evidence", str(tmp_path / "evidence"))
    dense = docrev(*words, "-o", "dense", cwd=tmp_path)
    assert dense.err.count("has everything on a few lines: --pretty breaks it into lines") == 1
    assert len((tmp_path / "dense" / path.name).read_text().splitlines()) == 1
    lines = docrev(*words, "--pretty", "-o", "lines", cwd=tmp_path)
    assert "--pretty" not in lines.err
    broken = (tmp_path / "lines" / path.name).read_text()
    assert len(broken.splitlines()) > 15
    assert json.loads(broken) == json.loads((tmp_path / "dense" / path.name).read_text())
    again = docrev("revise", "lines", "--evidence", "evidence", "--pretty", "--in-place", cwd=tmp_path)
    assert "the files are as they were" in again.out
