"""`docrev lint` as a user runs it: lines, JSON, exit codes, and the file in place."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from patience import HANGS

from docrev.cli import run
from docrev.errors import InputError
from docrev.spec import Document, write_in_place

FAULTY = """# kept
openapi: 3.0.3
info: {title: Shops, version: "1"}
paths:
  /shops/{id}:
    get:
      cache: 5
      operationId: getShop
      description: One shop with its opening hours and prices.
      responses:
        200: {description: Fine.}
"""
SOUND = """openapi: 3.0.3
info: {title: Shops, version: "1"}
paths:
  /shops:
    get:
      operationId: listShops
      responses:
        "200": {description: Fine.}
"""


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    path = tmp_path / "shops.yaml"
    path.write_text(FAULTY)
    return path


def lint(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = run(["lint", *map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_findings_census_and_summary(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = lint(capsys, faulty)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert f'{faulty}:7: warning: unknown key "cache" at /paths/~1shops~1{{id}}/get/cache; ' in out
    ids = [re.findall(r"\[([a-z-]+)\]$", line)[0] for line in lines[: lines.index("")]]
    assert sorted(ids) == ["integer-response-code", "invalid", "invalid", "undeclared-path-parameter", "unknown-key"]
    assert re.search(r"^operations +1 +1 +1 +0$", out, re.MULTILINE)
    assert re.search(r"^parameters +1 +0 +0 +1$", out, re.MULTILINE)
    counted = "3 errors (2 by the published schemas), 2 warnings, 0 notes"
    assert lines[-1] == f"{counted}; 3 can be repaired with --fix"


def test_notes_alone_are_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "shops.yaml").write_text(SOUND)
    code, out, _ = lint(capsys, tmp_path)
    assert code == 0
    assert "info: the operation has neither description nor summary" in out


def test_fix_writes_the_file_and_changes_nothing_the_second_time(
    faulty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faulty.chmod(0o640)
    code, out, _ = lint(capsys, faulty, "--fix")
    assert code == 0
    assert out.count(": repaired: ") == 3
    text = faulty.read_text()
    assert text.startswith("# kept\nopenapi: 3.0.3\n")
    assert "      x-cache: 5\n" in text
    assert stat.S_IMODE(faulty.stat().st_mode) == 0o640
    assert os.listdir(faulty.parent) == [faulty.name]
    before = faulty.stat()
    code, out, _ = lint(capsys, faulty, "--fix")
    assert (code, faulty.read_text()) == (0, text)
    assert (faulty.stat().st_ino, faulty.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert "repaired" not in out


def test_json_is_one_object(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = lint(capsys, faulty, "--json")
    told = json.loads(out)
    assert code == 1
    assert sorted(told) == ["census", "counts", "findings", "repaired"]
    assert told["counts"] == {"error": 3, "warning": 2, "info": 0, "validator_errors": 2, "repairable": 3}
    assert sorted(told["findings"][0]) == ["file", "fix", "id", "level", "line", "message", "pointer"]
    assert told["census"]["parameters"] == {"total": 1, "described": 0, "good": 0, "missing": 1}
    fixed = json.loads(lint(capsys, faulty, "--json", "--fix")[1])
    assert [one["id"] for one in fixed["repaired"]] == [
        "unknown-key",
        "integer-response-code",
        "undeclared-path-parameter",
    ]
    assert (fixed["findings"], fixed["counts"]["error"]) == ([], 0)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such file"),
        ("just words", "neither JSON nor YAML"),
        ('{"openapi": "3.0.0", ', ""),
        ("name: x", "not an OpenAPI document"),
        ("[" * 100_000, ""),
        ("a: " * 10_000, ""),
        ("openapi: 3.0.3\ninfo: " + "{a: " * 10_000, ""),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, said: str
) -> None:
    path = tmp_path / "bad.yaml"
    if content is not None:
        path.write_text(content)
    code, out, err = lint(capsys, path)
    assert (code, out) == (2, "")
    assert err.startswith(f"docrev: {path}")
    assert said in err
    assert err.count("\n") == 1


def test_a_file_over_the_limit(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = lint(capsys, faulty, "--max-spec-size", "0.0001")
    assert code == 2
    assert "--max-spec-size" in err
    assert lint(capsys, faulty, "--max-spec-size", "0")[0] == 2


def test_without_specs_it_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(capsys)[0] == 2


def test_a_linked_file_is_written_behind_the_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "shops.yaml").write_text(FAULTY)
    (tmp_path / "link.yaml").symlink_to("real/shops.yaml")
    assert lint(capsys, tmp_path / "link.yaml", "--fix")[0] == 0
    assert (tmp_path / "link.yaml").is_symlink()
    assert "x-cache" in (tmp_path / "real" / "shops.yaml").read_text()


def test_a_file_that_changed_meanwhile_is_not_overwritten(faulty: Path) -> None:
    before = Document.read(faulty)
    faulty.write_text(FAULTY + "# somebody's line\n")
    with pytest.raises(InputError, match="changed while docrev worked"):
        write_in_place(Document.parse(SOUND, str(faulty)), before=before)
    assert faulty.read_text().endswith("# somebody's line\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_file_is_left_and_told(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faulty.chmod(0o444)
    code, _, err = lint(capsys, faulty, "--fix")
    assert (code, faulty.read_text()) == (2, FAULTY)
    assert "permission denied" in err


def test_a_file_that_vanished_is_told(faulty: Path) -> None:
    before = Document.read(faulty)
    faulty.unlink()
    with pytest.raises(InputError, match="no longer there"):
        write_in_place(Document.parse(SOUND, str(faulty)), before=before)
    assert os.listdir(faulty.parent) == []


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "shops.yaml"
    path.write_text(FAULTY + "# " + "x" * 3000 + "\n")
    source = path.read_text()
    # A limit on the size of files fails in the middle of the write, as a full disk does.
    line = f"ulimit -f 1; exec {sys.executable} -m docrev lint --fix {path}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=HANGS, check=False)
    assert done.returncode == 4
    assert done.stderr.count("\n") == 1
    assert "the disk is full; nothing was changed" in done.stderr
    assert (path.read_text(), os.listdir(tmp_path)) == (source, [path.name])
