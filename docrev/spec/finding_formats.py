"""Findings as other programs read them: SARIF 2.1.0, annotations of GitHub Actions, JUnit's XML, Markdown."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Final, Literal, get_args
from urllib.parse import quote
from xml.etree import ElementTree

from docrev.json_values.pointer import last
from docrev.records import Json
from docrev.spec.document import Document
from docrev.spec.findings import Finding
from docrev.spec.place_names import place_name

FindingFormat = Literal["sarif", "github", "junit", "markdown"]
FINDING_FORMATS: Final[tuple[str, ...]] = get_args(FindingFormat)
Documents = Mapping[str, Document]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_SARIF_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_GITHUB_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def show_findings(findings: Sequence[Finding], documents: Documents, format: FindingFormat) -> str:
    """Findings on documents in one of FINDING_FORMATS, without a line break at the end.

    SARIF: one run with a rule for each id. GitHub: one workflow command a finding. JUnit: one failed case for each
    error and warning, and one that passed for a document without any. Markdown: a table.
    """
    write: dict[str, Callable[[Sequence[Finding], Documents], str]] = {
        "sarif": _sarif,
        "github": _github,
        "junit": _junit,
        "markdown": _markdown,
    }
    return write[format](findings, documents)


def fingerprints(findings: Sequence[Finding], documents: Documents) -> list[str]:
    """What is the same for findings while lines move: those of one rule at one place are numbered."""
    seen: Counter[str] = Counter()
    numbered = []
    for found in (_fingerprint(finding, documents) for finding in findings):
        seen[found] += 1
        numbered.append(found if seen[found] == 1 else f"{found}:{seen[found]}")
    return numbered


def _fingerprint(finding: Finding, documents: Documents) -> str:
    """A digest of the id, the file and the name of the place of a finding."""
    document = documents.get(finding.file)
    place = place_name(document.tree, finding.pointer) if document is not None else finding.pointer
    return hashlib.sha256("\0".join((finding.id, finding.file, place)).encode("utf-8", "replace")).hexdigest()[:32]


def _position(finding: Finding, documents: Documents) -> tuple[int, int]:
    """Line and column, from 1; the column is 1 where only the line is known."""
    document = documents.get(finding.file)
    found = document.position(finding.pointer) if document is not None and finding.pointer else (finding.line, 1)
    return found if found[0] == finding.line else (max(1, finding.line), 1)


def _sarif(findings: Sequence[Finding], documents: Documents) -> str:
    ids = sorted({finding.id for finding in findings})
    rules = [{"id": id, "shortDescription": {"text": RULES[id]}, "help": {"text": RULES[id]}} for id in ids]
    driver = {"name": "docrev", "version": version("docrev"), "rules": rules}
    results = [
        _result(finding, documents, ids) | {"partialFingerprints": {"docrev/v1": fingerprint}}
        for finding, fingerprint in zip(findings, fingerprints(findings, documents), strict=True)
    ]
    run = {"tool": {"driver": driver}, "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _result(finding: Finding, documents: Documents, ids: Sequence[str]) -> dict[str, Json]:
    line, column = _position(finding, documents)
    place: dict[str, Json] = {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(finding.file)},
            "region": {"startLine": line, "startColumn": column},
        }
    }
    if finding.pointer:
        place["logicalLocations"] = [{"fullyQualifiedName": finding.pointer, "name": last(finding.pointer)}]
    return {
        "ruleId": finding.id,
        "ruleIndex": ids.index(finding.id),
        "level": _SARIF_LEVELS[finding.level],
        "message": {"text": _sentence(finding)},
        "locations": [place],
    }


def _sentence(finding: Finding) -> str:
    return f"{finding.message}; {finding.fix}" if finding.fix else finding.message


def _github(findings: Sequence[Finding], documents: Documents) -> str:
    return "\n".join(_command(finding, documents) for finding in findings)


def _command(finding: Finding, documents: Documents) -> str:
    line, column = _position(finding, documents)
    members = {"file": finding.file, "line": line, "col": column, "title": f"docrev {finding.id}"}
    shown = ",".join(f"{name}={_property(str(value))}" for name, value in members.items())
    return f"::{_GITHUB_LEVELS[finding.level]} {shown}::{_data(_sentence(finding))}"


def _data(text: str) -> str:
    """A text in a workflow command: what ends or escapes one is encoded, as the runner decodes it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _junit(findings: Sequence[Finding], documents: Documents) -> str:
    counted = [finding for finding in findings if finding.level != "info"]
    files = dict.fromkeys([*documents, *(finding.file for finding in counted)])
    root = ElementTree.Element("testsuites", name="docrev", failures=str(len(counted)))
    for file in files:
        own = [finding for finding in counted if finding.file == file]
        attributes = {"name": _xml(file), "tests": str(max(1, len(own))), "failures": str(len(own))}
        suite = ElementTree.SubElement(root, "testsuite", attributes)
        if not own:
            ElementTree.SubElement(suite, "testcase", {"classname": "docrev", "name": _xml(file)})
        for finding in own:
            name = _xml(f"{finding.id} {finding.pointer}".strip())
            case = ElementTree.SubElement(suite, "testcase", {"classname": f"docrev.{finding.id}", "name": name})
            failure = ElementTree.SubElement(case, "failure", {"type": finding.level, "message": _xml(finding.message)})
            failure.text = _xml(str(finding))
    root.set("tests", str(sum(int(suite.get("tests", "0")) for suite in root)))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def _xml(text: str) -> str:
    """A text that XML 1.0 can hold: other control characters and half surrogates become U+FFFD."""
    return "".join(
        char
        if char in "\t\n\r" or (char >= " " and not "\ud800" <= char <= "\udfff" and char not in "\ufffe\uffff")
        else "\ufffd"
        for char in text
    )


def _markdown(findings: Sequence[Finding], documents: Documents) -> str:
    if not findings:
        return "No findings."
    rows = [(finding.level, f"`{_cell(finding.where)}`", _cell(_sentence(finding)), finding.id) for finding in findings]
    head = [("Level", "Where", "What", "Rule"), ("---",) * 4]
    return "\n".join(f"| {' | '.join(row)} |" for row in (*head, *rows))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


RULES: Final[dict[str, str]] = {
    "change-invalid": "A change was left out: with it the spec would not be valid.",
    "circular-ref": "References lead to each other, and to no value.",
    "description-too-long": "Consumers of documentation cut or refuse a text of this length.",
    "duplicate-key": "A key stands twice in its mapping: readers take one of the two, and not all the same.",
    "duplicate-operation-id": "An operationId names one operation of a document.",
    "inline-schema": "In OpenAPI 3, the type of a parameter stands in its schema.",
    "integer-response-code": "In YAML, a status without quotes is a number, and a key must be a string.",
    "invalid": "The published schema of OpenAPI does not allow this.",
    "lock-damaged": "A line of docrev.lock cannot be read: a text that it stands for counts as a person's.",
    "long-description": "A short text is read whole; a long one may be cut.",
    "long-first-paragraph": "Some consumers show the first paragraph alone, and cut it.",
    "malformed": "This has another form than OpenAPI gives it, and was left out.",
    "marks-moved": "The marks of what docrev wrote stand in docrev.lock now.",
    "missing-operation-id": "Agents and generated clients call an operation by its operationId.",
    "missing-response-description": "A response requires a description.",
    "no-longer-true": "The API does not do what the documentation says.",
    "undocumented-change": "The API does not do what it was seen to do; the documentation does not say either.",
    "no-operations": "A document without operations describes no API.",
    "not-openapi": "The file is neither OpenAPI 3 nor Swagger 2.0.",
    "not-validated": "The validator was left out, since it would take too long.",
    "nothing-learned": "The API answered nothing that says what it does.",
    "operation-gone": "An operation was explored, and is no longer in the specs.",
    "path-parameter-not-in-path": "A parameter in the path is one of the names in the path.",
    "path-parameter-not-required": "A parameter in the path is always required, and must say so.",
    "path-without-slash": "A path begins with a slash.",
    "remote-ref": "References to other machines are not followed.",
    "required-flag": "Required properties are listed by the object that they belong to.",
    "restated-name": "A text that only restates a name says nothing.",
    "spec-changed": "The specs have changed since they were explored.",
    "string-boolean": 'A boolean is written without quotes: true, not "true".',
    "string-number": 'A number is written without quotes: 20, not "20".',
    "undeclared-path-parameter": "A name in a path requires a parameter.",
    "undocumented-operation": "Without a text, an agent has the name alone to choose by.",
    "unfit-operation-id": "Agents' tools have names of at most 64 letters, digits, _ and -.",
    "unknown-key": "OpenAPI does not have this key; extensions begin with x-.",
    "unknown-type": "JSON Schema does not have this type.",
    "unreadable-file": "The file cannot be read.",
    "unresolved-ref": "The reference leads nowhere.",
    "unsupported-version": "docrev reads OpenAPI 3 and Swagger 2.0.",
    "validator-stopped": "The validator stopped at an error, and may not have seen all.",
    "version-number": "The version of the format is a text of two or three parts.",
}
