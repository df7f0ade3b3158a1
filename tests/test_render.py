"""Rendering: strict names, escaping by file name, a user's folder before ours, and a lazy jinja2."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from docrev.errors import DocrevError, InputError
from docrev.render import render


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def test_a_users_template_is_filled_without_a_newline_at_the_end(tmp_path: Path) -> None:
    write(tmp_path, "note.txt.j2", "Hello {{ name }}\n")
    assert render("note.txt.j2", templates=tmp_path, name="<b>") == "Hello <b>"


def test_html_is_escaped_by_the_name_of_the_template(tmp_path: Path) -> None:
    write(tmp_path, "page.html.j2", "{{ name }}")
    assert render("page.html.j2", templates=tmp_path, name="<b>") == "&lt;b&gt;"


def test_a_missing_name_is_an_error_and_not_an_empty_string(tmp_path: Path) -> None:
    write(tmp_path, "note.txt.j2", "Hello {{ nmae }}")
    with pytest.raises(InputError, match=r"note\.txt\.j2: 'nmae' is undefined"):
        render("note.txt.j2", templates=tmp_path, name="x")


def test_a_wrong_template_is_named_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, "note.txt.j2", "one\n{% if %}\n")
    with pytest.raises(InputError, match=r"note\.txt\.j2:2: "):
        render("note.txt.j2", templates=tmp_path)


def test_a_template_cannot_reach_into_python(tmp_path: Path) -> None:
    write(tmp_path, "note.txt.j2", "{{ name.__class__.__mro__ }}")
    with pytest.raises(InputError, match="unsafe"):
        render("note.txt.j2", templates=tmp_path, name="x")


def test_a_template_that_nobody_wrote_is_named() -> None:
    with pytest.raises(DocrevError, match=r"^no/such\.j2: no such template"):
        render("no/such.j2")


def test_a_folder_of_templates_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder of templates"):
        render("note.txt.j2", templates=tmp_path / "none")


def test_jinja2_is_loaded_only_when_something_is_rendered() -> None:
    code = "import sys, docrev.render; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
