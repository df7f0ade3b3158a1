"""Where the two sides come from: files, folders, commits, and the files that specs refer to."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from docrev.errors import InputError
from docrev.spec.catalog import load
from docrev.spec.diff import compare

SPEC = """openapi: 3.0.3
info: {title: T, version: "1"}
paths:
  /x:
    get:
      summary: SUMMARY
      responses: {200: {description: OK}}
"""


def write(path: Path, summary: str = "One", source: str = SPEC) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source.replace("SUMMARY", summary), encoding="utf-8")
    return path


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose first commit has `specs/a.yaml` and `specs/b.yaml`, and whose working tree differs in a."""
    root = tmp_path / "repository"
    write(root / "specs" / "a.yaml")
    write(root / "specs" / "b.yaml", "Two")
    git(root, "init")
    git(root, "add", ".")
    git(root, "commit", "-m", "first")
    git(root, "tag", "v1")
    write(root / "specs" / "a.yaml", "Changed")
    monkeypatch.chdir(root)
    return root


def test_two_files_belong_together_whatever_their_names(tmp_path: Path) -> None:
    diff = compare(write(tmp_path / "a.yaml"), write(tmp_path / "b.yaml", "Two"))
    assert [(e.tool, e.before, e.after) for e in diff.entries] == [("b", "One", "Two")]


def test_folders_are_matched_by_path_and_then_by_stem(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    write(old / "same.yaml")
    write(old / "moved.yml")
    write(old / "gone.yaml")
    write(new / "same.yaml", "Two")
    write(new / "deep" / "moved.json", "Three", '{"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": '
          '{"/x": {"get": {"summary": "SUMMARY", "responses": {"200": {"description": "OK"}}}}}}')  # fmt: skip
    write(new / "come.yaml")
    write(new / "package.json", source="{}")
    write(new / "notes.yaml", source="- [")
    diff = compare(old, new)
    assert [(e.tool, e.id, e.after) for e in diff.entries] == [
        ("come", "document-added", ["GET /x"]),
        ("moved", "operation-summary-changed", "Three"),
        ("gone", "document-removed", None),
        ("same", "operation-summary-changed", "Two"),
    ]
    assert diff.entries[1].new == f"{new}/deep/moved.json:1"


def test_a_spec_that_cannot_be_read_is_not_a_removed_one(tmp_path: Path) -> None:
    write(tmp_path / "old" / "a.yaml")
    write(tmp_path / "old" / "b.yaml")
    write(tmp_path / "new" / "a.yaml")
    write(tmp_path / "new" / "b.yaml", source=SPEC + "  /y: [")
    with pytest.raises(InputError, match=r"b\.yaml:\d+"):
        compare(tmp_path / "old", tmp_path / "new")


def test_a_file_beside_a_folder_is_compared_with_its_namesake(tmp_path: Path) -> None:
    write(tmp_path / "new" / "a.yaml", "Two")
    write(tmp_path / "new" / "b.yaml")
    assert [e.after for e in compare(write(tmp_path / "a.yaml"), tmp_path / "new").entries] == ["Two"]
    with pytest.raises(InputError, match="no OpenAPI document named c"):
        compare(write(tmp_path / "c.yaml"), tmp_path / "new")


def test_catalogs_and_documents_can_be_compared(tmp_path: Path) -> None:
    write(tmp_path / "old" / "a.yaml")
    write(tmp_path / "old" / "b.yaml")
    write(tmp_path / "new" / "a.yaml", "Two")
    write(tmp_path / "new" / "b.yaml")
    old, new = load([tmp_path / "old"]), load([tmp_path / "new"])
    assert [e.after for e in compare(old, new).entries] == ["Two"]
    assert [e.after for e in compare(tmp_path / "old", new).entries] == ["Two"]


def test_a_file_that_specs_refer_to_is_compared_once_with_its_users(tmp_path: Path) -> None:
    source = SPEC.replace("{200: {description: OK}}", "{404: {$ref: 'common/errors.yaml#/NotFound'}}")
    common = "NotFound: {description: SUMMARY, content: {application/json: {schema: {$ref: '#/Error'}}}}\n"
    common += "Error: {type: KIND}\n"
    for folder, text, kind in (("old", "Not here", "object"), ("new", "No such thing", "array")):
        write(tmp_path / folder / "a.yaml", source=source)
        write(tmp_path / folder / "b.yaml", source=source)
        write(tmp_path / folder / "common" / "errors.yaml", text, common.replace("KIND", kind))
    diff = compare(tmp_path / "old", tmp_path / "new")
    assert [(e.id, e.shared, e.level, e.used_by) for e in diff.entries] == [
        ("schema-type-changed", "schema common/errors#/Error", "contract", ("a GET /x", "b GET /x")),
        ("response-description-changed", "response common/errors#/NotFound", "docs", ("a GET /x", "b GET /x")),
    ]
    assert diff.entries[0].new == f"{tmp_path}/new/common/errors.yaml:2"


def test_a_reference_out_of_the_folder_is_not_read(tmp_path: Path) -> None:
    source = SPEC.replace("{200: {description: OK}}", "{404: {$ref: '../secret.yaml#/NotFound'}}")
    write(tmp_path / "secret.yaml", source="NotFound: {description: a}\n")
    old, new = write(tmp_path / "one" / "a.yaml", source=source), write(tmp_path / "two" / "a.yaml", source=source)
    assert not compare(old, new)
    assert not compare(old.parent, new.parent)


def test_a_file_of_a_commit_against_the_working_tree(repository: Path) -> None:
    for ref in ("HEAD", "main", "v1"):
        (entry,) = compare(f"{ref}:specs/a.yaml", "specs/a.yaml").entries
        assert (entry.before, entry.after) == ("One", "Changed")
        assert (entry.old, entry.new) == (f"{ref}:specs/a.yaml:6", "specs/a.yaml:6")


def test_a_folder_of_a_commit_against_the_working_tree(repository: Path) -> None:
    for folder in ("specs", "specs/", "./specs"):
        assert [e.tool for e in compare(f"HEAD:{folder}", folder).entries] == ["a"]
    assert not compare("HEAD:", "v1:.")


def test_a_path_of_a_commit_is_found_from_a_folder_below(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "specs")
    for path in ("a.yaml", "./a.yaml", "specs/a.yaml", "../specs/a.yaml"):
        assert len(compare(f"HEAD:{path}", "a.yaml").entries) == 1


def test_files_that_a_committed_spec_refers_to_are_of_that_commit(repository: Path) -> None:
    source = SPEC.replace("{200: {description: OK}}", "{404: {$ref: 'parts/r.yaml'}}")
    write(repository / "specs" / "c.yaml", source=source)
    write(repository / "specs" / "parts" / "r.yaml", source="description: old\n")
    git(repository, "add", ".")
    git(repository, "commit", "-m", "second")
    write(repository / "specs" / "parts" / "r.yaml", source="description: new\n")
    for path in ("specs/c.yaml", "specs"):
        (entry,) = compare(f"HEAD:{path}", path).entries
        assert (entry.before, entry.after, entry.used_by[0]) == ("old", "new", "c GET /x")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("nowhere:specs/a.yaml", "git knows no such commit"),
        ("--output=x:specs/a.yaml", "git knows no such commit"),
        ("HEAD:specs/none.yaml", "no such file or folder"),
        ("HEAD:../outside.yaml", "no such file or folder"),
        ("https://example.com/a.yaml", "a URL, not a file"),
        ("specs/none.yaml", "no such file"),
        ("C:\\specs\\a.yaml", "no such file"),
        ("C:/specs/a.yaml", "no such file"),
    ],
)
def test_what_is_not_there_is_one_line(repository: Path, source: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        compare(source, "specs/a.yaml")
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_an_existing_path_with_a_colon_wins_over_a_commit(repository: Path) -> None:
    write(repository / "HEAD:specs" / "a.yaml", "Colon")
    assert [e.before for e in compare("HEAD:specs/a.yaml", "specs/a.yaml").entries] == ["Colon"]


def test_outside_of_a_repository_a_commit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="not in a git repository"):
        compare("HEAD:a.yaml", write(tmp_path / "a.yaml"))


def test_what_is_no_spec_is_refused(tmp_path: Path) -> None:
    spec = write(tmp_path / "a.yaml")
    with pytest.raises(InputError, match="not an OpenAPI document"):
        compare(write(tmp_path / "b.yaml", source="a: 1\n"), spec)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no OpenAPI document in the folder"):
        compare(spec, tmp_path / "empty")
    with pytest.raises(InputError, match="over 9"):
        compare(spec, spec, max_size=10)
