"""The names of files: which are specs, and what refers to what."""

from __future__ import annotations

from pathlib import Path

import pytest

from docrev.spec.files import folder_of, is_spec_name, numbered, spec_files, stem_of
from docrev.spec.refs import target


@pytest.mark.parametrize("path", ["a.json", "x/b.YAML", "../c.yml"])
def test_json_and_yaml_may_be_specs(path: str) -> None:
    assert is_spec_name(path)


@pytest.mark.parametrize("path", ["a.txt", ".a.json", ".git/a.json", "node_modules/x/a.json", "json"])
def test_other_hidden_and_installed_files_are_passed_over(path: str) -> None:
    assert not is_spec_name(path)


def test_the_files_of_a_folder_are_sorted(tmp_path: Path) -> None:
    for name in ("b.json", "a/c.yaml", ".hidden/d.json", "node_modules/e.json", "f.md"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("{}")
    assert [path.relative_to(tmp_path).as_posix() for path in spec_files(tmp_path)] == ["a/c.yaml", "b.json"]


def test_names_have_a_folder_and_a_stem() -> None:
    assert [folder_of(name) for name in ("a/b/c.yaml", "/c.yaml", "HEAD:c.yaml", "c.yaml")] == [
        "a/b/",
        "/",
        "HEAD:",
        "",
    ]
    assert [stem_of(name) for name in ("a/b/c.yaml", "HEAD:c.yaml")] == ["c", "c"]
    assert numbered("a", []) == "a"
    assert numbered("a", {"a", "a-2"}) == "a-3"


def test_a_reference_is_relative_to_the_folder_of_its_document() -> None:
    assert target("a/b.yaml", "../c.yaml#/x") == ("c.yaml", "/x")
    assert target("HEAD:b.yaml", "c%20d.yaml") == ("HEAD:c d.yaml", "")
    assert target("HEAD:a/b.yaml", "c.yaml#/x") == ("HEAD:a/c.yaml", "/x")
    assert target("/b.yaml", "#/x") == ("/b.yaml", "/x")
    assert target("b.yaml", "https://host/c.yaml") is None
