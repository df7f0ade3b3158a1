"""Documents to disk: whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from docrev.errors import LockedError, StoreError, UsageError
from docrev.revision import targets, write
from docrev.spec import Document


def document(path: Path, text: str = '{"a": 1}\n') -> Document:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return Document.read(path)


def test_a_folder_keeps_its_shape_below_the_output(tmp_path: Path) -> None:
    one = document(tmp_path / "specs/a.json")
    other = document(tmp_path / "specs/parts/b.json")
    documents = {one.name: one, other.name: other}
    found = targets(documents, [tmp_path / "specs"], tmp_path / "out")
    assert sorted(found.values()) == [tmp_path / "out/a.json", tmp_path / "out/parts/b.json"]
    assert targets(documents, [tmp_path / "specs"], None)[one.name] == tmp_path / "specs/a.json"


def test_a_document_outside_the_spec_folder_still_lands_below_the_output(tmp_path: Path) -> None:
    spec = document(tmp_path / "specs/a.json")
    part = document(tmp_path / "shared/b.json")
    found = targets({spec.name: spec, part.name: part}, [tmp_path / "specs/a.json"], tmp_path / "out")
    assert sorted(found.values()) == [tmp_path / "out/shared/b.json", tmp_path / "out/specs/a.json"]


def test_a_document_of_a_commit_cannot_be_written_in_place() -> None:
    made = Document.parse("{}", "HEAD:a.json")
    with pytest.raises(UsageError, match="not a file"):
        targets({made.name: made}, ["a.json"], None)


def test_written_files_keep_their_mode_and_equal_ones_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    before = document(path)
    path.chmod(0o640)
    stamp = path.stat().st_mtime_ns
    assert write([(before, path)]) == []
    assert path.stat().st_mtime_ns == stamp
    assert write([(Document.parse('{"a": 2}', "a.json"), path)]) == [path]
    assert path.stat().st_mode & 0o777 == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.json"]


def test_a_name_that_is_no_folder_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(UsageError, match="not a folder"):
        write([(Document.parse("{}", "a.json"), tmp_path / "out" / "a.json")])


def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    document(path)
    path.chmod(0o444)
    if os.access(path, os.W_OK):
        pytest.skip("this user may write to read-only files")
    with pytest.raises(LockedError, match="read-only"):
        write([(Document.parse('{"a": 2}', "a.json"), path)])
    assert path.read_text() == '{"a": 1}\n'


FULL = """
import resource, signal, sys
from pathlib import Path
from docrev.errors import StoreError
from docrev.revision import write
from docrev.spec import Document

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
folder = Path(sys.argv[1])
small, large = Document.parse('{"a": 2}', "a.json"), Document.parse('{"a": "' + "x" * 5000 + '"}', "b.json")
try:
    write([(small, folder / "a.json"), (large, folder / "b.json")])
except StoreError as error:
    sys.exit(error.exit_code)
"""


def test_where_there_is_no_room_no_file_is_changed(tmp_path: Path) -> None:
    document(tmp_path / "a.json")
    document(tmp_path / "b.json")
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], check=False)
    assert done.returncode == StoreError.exit_code == 4
    assert {entry.name: entry.read_text() for entry in tmp_path.iterdir()} == {
        "a.json": '{"a": 1}\n',
        "b.json": '{"a": 1}\n',
    }


def test_a_read_only_folder_is_locked(tmp_path: Path) -> None:
    folder = Path("/proc/self")
    if not folder.is_dir():
        pytest.skip("no /proc on this system")
    with pytest.raises((LockedError, StoreError, UsageError)) as caught:
        write([(Document.parse("{}", "a.json"), folder / "out" / "a.json")])
    assert str(caught.value).count("\n") == 0
