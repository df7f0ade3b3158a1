"""A repository's life with docrev, and what programs of others say of each file that docrev writes for them.

`TRANSCRIPT=FILE` writes down what a new user typed and saw.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import life as story
import pytest
import served_and_watched
from life import Life
from table import Row, render

TESTS = Path(__file__).resolve().parents[1] / "tests"
VERDICTS = {
    "SARIF, validated by the published schema": ("spec/test_spec_finding_formats.py", "sarif"),
    "SARIF, read by sarif-tools and sarif-pydantic": ("real/test_real_reports.py", "sarif"),
    "JUnit, read by junitparser": ("real/test_real_reports.py", "junit"),
    "overlays, applied by openapi-format": ("real/test_real_overlays.py", "openapi_format"),
    "overlays, applied by overlayjs": ("real/test_real_overlays.py", "overlayjs"),
    "action, workflow and GitLab jobs, by the published schemas": ("real/test_real_ci_files.py", "schema"),
    "action and workflow, by action-validator": ("real/test_real_ci_files.py", "validator"),
    "hooks, by pre-commit": ("real/test_real_ci_files.py", "pre_commit"),
    "workflows, run by Redocly's respect": ("real/test_real_workflows.py", "arazzo"),
    "HAR, by its published schema and haralyzer": ("real/test_real_workflows.py", "har"),
    "MCP, listed and called by the official SDK": ("sessions/test_sessions_mcp.py", "over"),
    "scripts of the action, with a bare remote": ("cli/test_cli_integrations.py", ""),
}
"""By what is judged: the tests that hand it to a counterpart, as a file and a part of their names."""
Codes = list[int]
STEPS: dict[str, tuple[Callable[[Life], Codes], Codes]] = {
    "a spec with an error: review, repair, merge": (story.a_pull_request_with_errors, [1, 0]),
    "explored, and kept as an overlay": (story.an_overlay, [0, 0, 0]),
    "the how-to's workflow": (lambda life: _codes(story.continuous_integration(life, "as it is")), [0, 0, 0]),
    "the next version, overlay applied again": (lambda life: _codes(story.the_next_version(life)), [0, 0, 0]),
    "a drifted service: check, and action": (lambda life: _codes(story.a_drifted_service(life)), [0, 0, 1, 1]),
    "the repair": (lambda life: _codes(story.the_repair(life)), [0, 0, 0]),
}


def main() -> str:
    paid, watched = served_and_watched.rows()
    tables = {
        "Life in a repository: exit codes": _life(),
        "Counterparts' verdicts": _verdicts(),
        "MCP: what agents pay on the bundled suite (about 4 characters a token)": paid,
        "Watching beside exploring: the bundled services": watched,
    }
    return "\n".join(render(title, rows) for title, rows in tables.items())


def _codes(results: list[tuple[int, str]]) -> Codes:
    return [code for code, _ in results]


def _life() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        try:
            life = story.begin(Path(folder))
        except pytest.skip.Exception as skipped:
            return [Row("a repository's life", str(skipped))]
        rows = []
        for what, (step, wanted) in STEPS.items():
            codes = step(life)
            rows.append(Row(what, _shown(codes), _shown(wanted), codes == wanted))
        if path := os.environ.get("TRANSCRIPT"):
            Path(path).write_text("\n".join(life.transcript) + "\n")
    return rows


def _shown(codes: Codes) -> str:
    return " ".join(map(str, codes))


def _verdicts() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        files = sorted({str(TESTS / file) for file, _ in VERDICTS.values()})
        subprocess.run([sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *files], capture_output=True)
        cases = list(ElementTree.parse(report).iter("testcase"))
    return [_verdict(what, *where, cases) for what, where in VERDICTS.items()]


def _verdict(what: str, file: str, part: str, cases: list[ElementTree.Element]) -> Row:
    module = Path(file).stem
    chosen = [case for case in cases if module in str(case.get("classname")) and part in str(case.get("name"))]
    skips = [str(skip.get("message")) for case in chosen if (skip := case.find("skipped")) is not None]
    bad = sum(case.find("failure") is not None or case.find("error") is not None for case in chosen)
    good = len(chosen) - bad - len(skips)
    measured = f"{good} of {len(chosen)} accepted" + (f"; {skips[0]}" if skips else "")
    return Row(what, measured, "all", not bad and bool(chosen) if not skips else None)
