"""Reports of findings, read by programs of others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from clikit import docrev
from counterparts import python_programs

ATLAS = Path(__file__).resolve().parents[2] / "specs" / "atlas.yaml"
READERS = ("sarif-tools==3.0.5", "sarif-pydantic==0.6.2", "junitparser==5.0.3")


def report(folder: Path, format: str) -> Path:
    done = docrev("lint", ATLAS, "--format", format)
    assert done.code == 1, done.err
    path = folder / f"report.{format}"
    path.write_text(done.out)
    return path


@pytest.mark.long
def test_others_read_sarif(tmp_path: Path) -> None:
    programs, path = python_programs("reports", *READERS), report(tmp_path, "sarif")
    code = """
import json, sys
from sarif_pydantic import Sarif
print(len(Sarif.model_validate(json.load(open(sys.argv[1]))).runs[0].results))
"""
    read = subprocess.run([programs / "python", "-c", code, path], check=True, capture_output=True, text=True)
    counts = docrev("lint", ATLAS, "--json").json["counts"]
    assert int(read.stdout) == counts["error"] + counts["warning"] + counts["info"] > 10
    told = subprocess.run([programs / "sarif", "summary", path], check=True, capture_output=True, text=True).stdout
    assert f"warning: {counts['warning']}" in told
    assert "integer-response-code" in told


@pytest.mark.long
def test_others_read_junit(tmp_path: Path) -> None:
    programs, path = python_programs("reports", *READERS), report(tmp_path, "junit")
    code = """
import sys
from junitparser import JUnitXml
found = JUnitXml.fromfile(sys.argv[1])
print(found.tests, found.failures)
"""
    read = subprocess.run([programs / "python", "-c", code, path], check=True, capture_output=True, text=True)
    counts = docrev("lint", ATLAS, "--json").json["counts"]
    assert read.stdout.split() == [str(counts["error"] + counts["warning"])] * 2
