"""`docrev lint`: what is wrong or undocumented in specs, and the repair of what is mechanical."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import cast

import click

from docrev.cli.options import as_json, format_option, settings_options, specs
from docrev.cli.printing import echo
from docrev.cli.progress import waiting
from docrev.language.tables import columns
from docrev.settings.groups import SpecSettings
from docrev.spec import Catalog, Finding, load
from docrev.spec.census import Census, census
from docrev.spec.faults import Fault
from docrev.spec.finding_formats import FINDING_FORMATS, FindingFormat, show_findings
from docrev.spec.fix import fixed, repairs
from docrev.spec.lint import lint
from docrev.spec.writing import write_in_place

_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


@click.command("lint")
@specs
@click.option("--fix", is_flag=True, help="Repair what is mechanical, in place; every other byte stays.")
@format_option(("text", "json", *FINDING_FORMATS), "findings")
@settings_options(SpecSettings, "lint")
@as_json
def command(specs: tuple[str, ...], settings: SpecSettings, *, fix: bool, format_: str, as_json: bool) -> int:
    """Report what is wrong or undocumented in SPECS: files, or folders of files.

    Each finding is one line: where, level, what, JSON pointer, what to do, and a stable id; the id `invalid` is the
    published schemas' verdict (openapi-spec-validator). A census of the documentation follows.

    --fix repairs booleans and numbers written as strings, integer response codes, undeclared path parameters, unknown
    keys (moved under x-), broken $refs and the like; run again, it changes nothing.

    --format sarif is for code scanning, github annotates a pull request in a workflow, junit and markdown are for other
    reports; these contain only the findings. --json, or --format json, prints {"findings": [{id, level, file, line,
    pointer, message, fix}], "census": {kind: {total, described, good, missing}}, "counts": {error, warning, info,
    validator_errors, repairable}, "repaired": [{id, file, pointer, message}]}; the findings are those that are left.

    Exit code 1 if an error or a warning is left, 0 if there are at most notes (level info).
    """
    with waiting("reading and validating the specs"):
        catalog = load(specs, max_size=settings.max_spec_size)
        repaired = _repair(catalog) if fix else []
        if repaired:
            catalog = load(specs, max_size=settings.max_spec_size)
        findings = lint(catalog)
    counts = _counts(findings) | {"repairable": len(repairs(catalog))}
    if as_json or format_ == "json":
        echo(json.dumps(_object(findings, census(catalog), counts, repaired), indent=2, ensure_ascii=False))
    elif format_ != "text":
        echo(show_findings(findings, catalog.documents, cast(FindingFormat, format_)))
    else:
        echo("\n".join(_lines(findings, census(catalog), counts, repaired)))
    return 1 if counts["error"] or counts["warning"] else 0


def _repair(catalog: Catalog) -> list[Fault]:
    """Write the repaired documents; returns what was repaired."""
    after, repaired = fixed(catalog)
    for name, before in catalog.documents.items():
        if after.documents[name].text != before.text:
            write_in_place(after.documents[name], before=before)
    return repaired


def _counts(findings: list[Finding]) -> dict[str, int]:
    levels = Counter(str(finding.level) for finding in findings)
    return {level: levels[level] for level in _LEVELS} | {
        "validator_errors": sum(finding.id == "invalid" for finding in findings)
    }


def _object(
    findings: list[Finding], counted: Census, counts: dict[str, int], repaired: Sequence[Fault]
) -> dict[str, object]:
    done = [
        {"id": fault.id, "file": fault.place.file, "pointer": fault.place.pointer, "message": fault.message}
        for fault in repaired
    ]
    listed = [asdict(finding) for finding in findings]
    return {"findings": listed, "census": counted.as_json(), "counts": counts, "repaired": done}


def _lines(findings: list[Finding], counted: Census, counts: dict[str, int], repaired: Sequence[Fault]) -> list[str]:
    lines = [f"{one.place.file}: repaired: {one.message} at {one.place.pointer} [{one.id}]" for one in repaired]
    lines += [str(finding) for finding in findings]
    head = ("documentation", "total", "described", "good", "without text")
    rows = [
        (what, *(f"{number:,}" for number in (count.total, count.described, count.good, count.missing)))
        for what, count in counted.rows()
    ]
    lines += ["", *columns([head, *rows], right=range(1, len(head)))]
    done = f"{len(repaired):,} repaired; " if repaired else ""
    judged = f" ({counts['validator_errors']:,} by the published schemas)" if counts["validator_errors"] else ""
    numbers = (f"{counts[level]:,} {name}{'' if counts[level] == 1 else 's'}" for level, name in _LEVELS.items())
    summary = ", ".join(f"{number}{judged if 'error' in number else ''}" for number in numbers)
    more = f"; {counts['repairable']:,} can be repaired with --fix" if counts["repairable"] else ""
    return [*lines, "", f"{done}{summary}{more}"]
