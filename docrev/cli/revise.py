"""`docrev revise`: write what was learned into the specs, as small changes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docrev.cli.options import as_json, settings_options, specs
from docrev.cli.printing import echo
from docrev.cli.progress import Progress
from docrev.errors import UsageError
from docrev.settings.groups import ReviseSettings

if TYPE_CHECKING:
    from docrev.records import Change
    from docrev.revision import Revision
    from docrev.spec import Catalog


@click.command("revise")
@specs
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="OUT_DIR",
    help="Write the revised specs to this folder; by default nothing is written.",
)
@click.option("--in-place", is_flag=True, help="Write over SPECS.")
@settings_options(ReviseSettings, "revise")
@as_json
def command(
    specs: tuple[str, ...], settings: ReviseSettings, *, out: Path | None, in_place: bool, as_json: bool
) -> None:
    """Write what docrev explore learned into SPECS (files or folders), as small changes; never calls the API.

    Without -o and --in-place, prints the diff and writes nothing. Good text is only appended to, and text that a
    person has edited since is left alone. --edit docs changes descriptions, examples and x-docrev; --edit contract
    also writes what is proven: parameters, required, types, formats, enums, defaults, bounds, responses and their
    properties.

    With --json, each line on stdout is one change: file, line, pointer, edit ("docs" or "contract"), tool and
    operation ("" for what belongs to the whole file), before, after, facts (kind, location, value) and calls, the
    ids of the calls behind it; see docrev evidence DIR --json. If a model was asked, the last line has model (asks,
    calls, cached, tokens_in, tokens_out, cost, by_prompt, by_operation, fallbacks, errors, budget_spent) and trust: how
    many of its texts were kept, mended (kept at the second try) or replaced by docrev's own, and how many were refused
    for which reason.

    --method easytool and --method draft revise as in those papers, for comparison: a short instruction from the
    documents alone, or descriptions rewritten after trials. They ignore --edit, --links, --profile and --examples.

    --model writes the purposes: offline, openai:NAME (any OpenAI-compatible server, by --model-url, with the key in
    OPENAI_API_KEY), local:PATH (transformers, in process), or recorded:FILE (what --record wrote). If it cannot write
    a text, if the calls do not back the text, or once --max-model-calls, --max-tokens or --max-cost is reached, the
    text is written by template.
    """
    from docrev.sessions import revision as session
    from docrev.spec import load

    if in_place and out is not None:
        raise UsageError("both -o and --in-place were given", fix="give one of them")
    catalog = load(list(specs), max_size=settings.max_spec_size)
    with Progress() as progress:
        revision = asyncio.run(session.revise(catalog, settings, on_event=progress))
    writes = in_place or out is not None
    if as_json:
        _print_json(catalog, revision)
    elif not writes:
        _print_diff(catalog, revision)
    written = session.write_revision(catalog, revision, specs, out) if writes else None
    _print_summary(catalog, revision, written, as_json=as_json)


def _print_json(catalog: Catalog, revision: Revision) -> None:
    for change in revision.changes:
        echo(json.dumps(_row(catalog, change), ensure_ascii=True))
    if revision.model is not None:
        echo(json.dumps({"model": revision.model, "trust": dict(sorted(revision.trust.items()))}))


def _print_diff(catalog: Catalog, revision: Revision) -> None:
    from docrev.spec import Catalog
    from docrev.spec.diff import compare
    from docrev.spec.diff.formats import show

    if revision.changes:
        echo(show(compare(catalog, Catalog.of(revision.documents.values()))))


def _row(catalog: Catalog, change: Change) -> dict[str, Any]:
    return {
        "file": change.file,
        "line": catalog.documents[change.file].line(change.pointer),
        "pointer": change.pointer,
        "edit": change.edit,
        "tool": change.key.tool if change.key else "",
        "operation": change.key.operation if change.key else "",
        "before": change.before,
        "after": change.after,
        "facts": [{"kind": fact.kind, "location": fact.location, "value": fact.value} for fact in change.facts],
        "calls": list(change.calls),
    }


def _print_summary(catalog: Catalog, revision: Revision, written: list[Path] | None, *, as_json: bool) -> None:
    """Findings and what was never shown, on standard error; the count with them, unless it is the result itself.

    `written` are the files that were written; None if none was to be written.
    """
    from docrev.cli.summaries import model_lines, refusals, unanswered

    lines = [str(finding) for finding in (*catalog.left_out, *revision.findings)]
    lines += unanswered(revision.missed)
    if revision.model is not None:
        lines += model_lines(revision.model, "the rest was written by template")
    if revision.trust:
        lines.append(refusals(revision.trust))
    for line in lines:
        echo(line, err=True)
    echo(_count(revision, written), err=as_json or written is None)


def _count(revision: Revision, written: list[Path] | None) -> str:
    operations, count = len({change.key for change in revision.changes if change.key}), len(revision.changes)
    line = f"{count} change{'' if count == 1 else 's'} in {operations} operation{'' if operations == 1 else 's'}"
    if written is not None:
        line += f"; wrote {', '.join(map(str, written))}" if written else "; the files are as they were"
    elif count:
        line += "; nothing was written (-o OUT_DIR or --in-place writes)"
    return f"{line}."
