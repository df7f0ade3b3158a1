"""Files written whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from docrev.errors import InputError, LockedError
from docrev.storage.atomic import write_bytes, write_files, write_json, write_json_lines, write_text


def test_files_are_written_with_their_folders_and_nothing_is_left_beside(tmp_path: Path) -> None:
    one, two = tmp_path / "a" / "one", tmp_path / "a" / "two"
    two.parent.mkdir()
    two.write_bytes(b"same")
    assert write_files([(one, b"new"), (two, b"same")]) == [one]
    assert sorted(path.name for path in two.parent.iterdir()) == ["one", "two"]
    assert one.read_bytes() == b"new"


def test_no_file_changes_if_one_cannot_be_written(tmp_path: Path) -> None:
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_bytes(b"before")
    (folder / "inside").mkdir(parents=True)
    with pytest.raises(InputError, match="folder"):
        write_files([(file, b"after"), (folder, b"content")])
    with pytest.raises(InputError, match="not a folder"):
        write_files([(file, b"after"), (file / "below", b"content")])
    assert file.read_bytes() == b"before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_modes_and_links_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"before")
    target.chmod(0o640)
    link.symlink_to(target)
    write_bytes(link, b"after")
    assert link.is_symlink()
    assert target.read_bytes() == b"after"
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write read-only files")
def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"before")
    file.chmod(0o444)
    with pytest.raises(LockedError, match="read-only"):
        write_bytes(file, b"after")
    assert file.read_bytes() == b"before"


def test_texts_and_json_are_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_text(file, "é\ud800\n")
    assert file.read_bytes() == b"\xc3\xa9\\ud800\n"
    write_json(file, {"b": "é", "a": ["\ud800"]})
    assert json.loads(file.read_text("utf-8")) == {"b": "é", "a": ["\ud800"]}
    write_json_lines(file, [{"a": 1}, None])
    assert file.read_text("utf-8") == '{"a": 1}\nnull\n'
