"""Findings as SARIF, annotations, JUnit and Markdown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import docrev
from docrev.spec import Document, Finding, lint, load
from docrev.spec.finding_formats import FINDING_FORMATS, RULES, fingerprints, show_findings

PACKAGE = Path(__file__).resolve().parents[2] / "docrev"
SPEC = """\
openapi: 3.0.3
info: {title: Shop, version: '1'}
paths:
  /items:
    get:
      operationId: list items, all
      parameters: [{name: q, in: query, description: Q., schema: {type: string}}]
      responses: {200: {description: OK}}
"""


def findings(folder: Path, text: str = SPEC) -> tuple[list[Finding], dict[str, Document]]:
    (folder / "shop.yaml").write_text(text)
    catalog = load(folder / "shop.yaml")
    return lint(catalog, validator=False), catalog.documents


def shown(folder: Path, format: Any) -> str:
    found, documents = findings(folder)
    whole = show_findings(found, documents, format)
    assert docrev.show_findings(found, docrev.load(folder / "shop.yaml"), format) == whole
    return whole


def test_each_kind_of_finding_has_a_rule_and_each_rule_a_finding() -> None:
    made = re.compile(r'(?:Finding|Fault|note|_note|finding)\(\s*(?:[\w.]+, )*\(?"([a-z]+(?:-[a-z]+)+)"')
    sources = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py") if path.name != "finding_formats.py")
    found = set(made.findall(sources))
    assert len(found) > 20
    assert found <= RULES.keys()
    assert [id for id in RULES if id not in sources] == []
    assert all(text[:1].isupper() or text.startswith("docrev") for text in RULES.values())


def test_sarif_has_rules_places_and_fingerprints(tmp_path: Path) -> None:
    run = json.loads(shown(tmp_path, "sarif"))["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert {"unfit-operation-id", "integer-response-code"} <= set(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    unfit = next(result for result in run["results"] if result["ruleId"] == "unfit-operation-id")
    region = unfit["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], unfit["level"]) == (6, 7, "note")


def test_a_fingerprint_survives_moved_lines_and_parameters(tmp_path: Path) -> None:
    moved = SPEC.replace("paths:", "# one\n# two\npaths:").replace("[{name: q", "[{name: a, in: query}, {name: q")
    before, after = findings(tmp_path), findings(tmp_path, moved)
    kept = {*fingerprints(before[0], before[1])}
    assert len(kept) == len(before[0]) > 2
    assert kept <= {*fingerprints(after[0], after[1])}
    twice = fingerprints([before[0][0], before[0][0]], before[1])
    assert len(set(twice)) == 2


def test_a_workflow_command_holds_any_text() -> None:
    finding = Finding("malformed", "error", "a:b,c.yaml", 3, "", "50 % of\nit::stop", "mend it")
    assert show_findings([finding], {}, "github") == (
        "::error file=a%3Ab%2Cc.yaml,line=3,col=1,title=docrev malformed::50 %25 of%0Ait::stop; mend it"
    )


def test_junit_counts_errors_and_warnings_and_names_what_is_well(tmp_path: Path) -> None:
    root = ElementTree.fromstring(shown(tmp_path, "junit").encode())
    assert (root.get("failures"), root.get("tests")) == ("1", "1")
    well = ElementTree.fromstring(show_findings([], findings(tmp_path)[1], "junit").encode())
    assert (well.get("failures"), well.get("tests"), len(well.findall(".//testcase"))) == ("0", "1", 1)
    strange = Finding("malformed", "error", "a.yaml", 1, "", "\x00\x1b[2J<b>\ud800", "")
    assert "[2J<b>" in (ElementTree.fromstring(show_findings([strange], {}, "junit")).findtext(".//failure") or "")


def test_markdown_is_a_table_that_no_text_breaks() -> None:
    finding = Finding("malformed", "error", "a.yaml", 1, "", "x | y\n<b>", "")
    assert show_findings([finding], {}, "markdown").splitlines()[2] == (
        "| error | `a.yaml:1` | x \\| y &lt;b> | malformed |"
    )
    assert show_findings([], {}, "markdown") == "No findings."


def test_every_format_is_written_for_no_findings() -> None:
    assert len(FINDING_FORMATS) == 4
    for format in FINDING_FORMATS:
        show_findings([], {}, format)  # type: ignore[arg-type]
