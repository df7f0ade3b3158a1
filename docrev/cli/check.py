"""`docrev check`: are the documents still true?"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, cast

import click

from docrev.cli.options import format_option, settings_options, specs
from docrev.cli.printing import echo
from docrev.cli.progress import Progress
from docrev.grouping import grouped
from docrev.settings.groups import CheckSettings
from docrev.spec.finding_formats import FINDING_FORMATS, FindingFormat, show_findings

if TYPE_CHECKING:
    from docrev.sessions.checking import Check, Checked, Standing

_TITLES: dict[Standing, str] = {
    "false": "no longer true",
    "undocumented": "otherwise now but not documented",
    "unknown": "could not be shown",
    "true": "still true",
}
_ALWAYS = (_TITLES["false"], _TITLES["true"])
"""What is counted though there is none."""


@click.command("check")
@specs
@settings_options(CheckSettings, "check")
@format_option(("text", "json", *FINDING_FORMATS), "result")
def command(specs: tuple[str, ...], settings: CheckSettings, *, format_: str) -> int:
    """Ask the API whether what SPECS say is still true, in few calls, and by GET unless --allow permits more.

    With evidence of docrev explore (--evidence), what the facts behind the documents say is shown again. Without, what
    the specs say by themselves is tried: parameters, types, allowed values, bounds, defaults, statuses. Each statement
    is still true, no longer true (with what was seen instead, and the call as a curl command), or could not be shown:
    what it was seen on is gone, the API has trouble, or it answers differently each time. If something has changed
    that the evidence shows and no document says, it is reported as information.

    \b
      docrev check specs --base-url https://api.example.org
      docrev check specs --base-url https://api.example.org --since origin/main --format github

    --format json prints one object: true, false, unknown, undocumented (counts), requests, and statements [{tool,
    operation, outcome, statement, kind, location, why, curl}]. sarif, github (annotations), junit and markdown list
    what is false.

    Exit code 1 if something is no longer true, 0 if not, 3 if the API cannot be reached.
    """
    from docrev.sessions import checking

    with Progress() as progress:
        check = asyncio.run(checking.check(specs, settings, on_event=progress))
    echo(_formatted(check, format_))
    return 1 if check.of("false") else 0


def _formatted(check: Check, format: str) -> str:
    if format == "json":
        return json.dumps(_object(check), indent=2, ensure_ascii=False)
    if format == "text":
        return "\n".join(_lines(check))
    return show_findings(check.findings, check.catalog.documents, cast(FindingFormat, format))


def _object(check: Check) -> dict[str, object]:
    counts: dict[str, object] = {outcome: len(check.of(outcome)) for outcome in _TITLES}
    return {**counts, "requests": check.requests, "statements": [one.to_json() for one in check.statements]}


def _lines(check: Check) -> list[str]:
    lines = []
    for checked in check.of("false"):
        lines += [f"{checked.key}", f"  {checked.statement}", f"    {checked.why}", f"    {checked.curl}"]
    for checked in check.of("undocumented"):
        lines.append(f"not documented: {checked.key}: {checked.statement}: {checked.why}")
    reasons = grouped((checked.why, checked) for checked in check.of("unknown"))
    lines += [f"not shown: {_counted(group)}: {why}" for why, group in reasons.items()]
    counts = {title: len(check.of(outcome)) for outcome, title in _TITLES.items()}
    summary = ", ".join(f"{count:,} {title}" for title, count in counts.items() if count or title in _ALWAYS)
    return [*lines, f"{summary}; {check.requests:,} requests."]


def _counted(group: list[Checked]) -> str:
    """How many statements, and on which operation if it is one."""
    keys = {checked.key for checked in group}
    operations = str(group[0].key) if len(keys) == 1 else f"{len(keys):,} operations"
    return f"{len(group):,} statement{'' if len(group) == 1 else 's'} on {operations}"
