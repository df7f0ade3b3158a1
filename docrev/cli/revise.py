"""`docrev revise`: write what was learned into the specs, as small changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docrev.cli.options import as_json, config, max_spec_size, model_options, models, specs, with_shared
from docrev.cli.progress import Progress
from docrev.cli.usage import model_lines
from docrev.errors import UsageError

if TYPE_CHECKING:
    from collections import Counter

    from docrev.records import Change
    from docrev.revision import Revision
    from docrev.spec import Catalog


@click.command("revise")
@specs
@click.option("--evidence", default=".docrev", show_default=True, metavar="DIR", help="What docrev explore kept.")
@click.option("-o", "--out", type=click.Path(path_type=Path, file_okay=False), metavar="OUT_DIR", help="Write here.")
@click.option("--in-place", is_flag=True, help="Write over SPECS.")
@click.option("--edit", type=click.Choice(["docs", "contract"]), default="docs", show_default=True)
@click.option("--links", is_flag=True, help="Also write OpenAPI links for values that feed other operations.")
@click.option("--method", type=click.Choice(["docrev", "easytool", "draft"]), default="docrev", show_default=True)
@click.option(
    "--profile",
    type=click.Choice(["none", "openai", "gpt-actions", "bedrock", "mcp"]),
    default="none",
    show_default=True,
    help="Whose bounds the texts keep to.",
)
@click.option(
    "--examples",
    type=click.Choice(["masked", "observed", "none"]),
    default="masked",
    show_default=True,
    help="Observed values in texts: personal ones masked, all as they are, or none.",
)
@models
@max_spec_size
@config
@as_json
@click.pass_context
def command(ctx: click.Context, /, specs: tuple[str, ...], **_: Any) -> None:
    """Write what docrev explore learned into SPECS (files or folders), as small changes; never calls the API.

    With neither -o nor --in-place the diff is printed and nothing is written. Good text is only appended to, and
    text that a person edited since is left alone. --edit docs touches descriptions, examples and x-docrev;
    --edit contract also writes what is proven: parameters, required, types, formats, enums,
    defaults, bounds, responses and their properties.

    With --json, each line on stdout is one change: file, line, pointer, edit ("docs" or "contract"), tool and
    operation ("" for what belongs to the whole file), before, after, facts (kind, location, value) and calls, the
    ids of the calls behind it; see docrev evidence DIR --json. Where a model was asked, a last line has model (asks,
    calls, cached, tokens_in, tokens_out, cost, by_prompt, by_operation, fallbacks, errors, budget_spent) and trust: how
    many of its texts were kept, mended (kept at the second try) or replaced by docrev's own, and how often which reason
    refused one.

    --method easytool and draft revise as those papers do, to compare with: a short instruction from the documents
    alone, or descriptions rewritten after trials; --edit, --links, --profile and --examples are docrev's own.

    --model writes the purposes: offline, openai:NAME (any OpenAI-compatible server, by --model-url, its key in
    OPENAI_API_KEY), local:PATH (transformers, in process), or recorded:FILE (what --record kept). What it cannot
    write, or what the calls do not back, is written by template; so is the rest where --max-model-calls, --max-tokens
    or --max-cost is reached.
    """
    values = with_shared(ctx, specs)
    if values["in_place"] and values["out"]:
        raise UsageError("both -o and --in-place were given", fix="give one of them")
    catalog, revision = _revised(specs, values)
    if values["as_json"]:
        for change in revision.changes:
            click.echo(json.dumps(_row(catalog, change), ensure_ascii=True))
        if revision.model is not None:
            click.echo(json.dumps({"model": revision.model, "trust": dict(sorted(revision.trust.items()))}))
    elif not (values["out"] or values["in_place"]):
        _show_diff(catalog, revision)
    written = _write(catalog, revision, specs, values)
    _summarise(catalog, revision, written, values)


def _revised(specs: tuple[str, ...], values: dict[str, Any]) -> tuple[Catalog, Revision]:
    import asyncio

    from docrev.answering import revise_catalog
    from docrev.spec import load

    catalog = load(list(specs), max_size=values["max_spec_size"])
    method = values["method"]
    own = {name: values[name] for name in ("edit", "links", "profile", "examples")} if method == "docrev" else {}
    # EasyTool's method reads documents only: there need be no evidence.
    evidence = None if method == "easytool" else values["evidence"]
    with Progress() as progress:
        options = {**own, **model_options(values)}
        work = revise_catalog(catalog, evidence, method=method, on_event=progress, **options)
        return catalog, asyncio.run(work)


def _show_diff(catalog: Catalog, revision: Revision) -> None:
    from docrev.spec import Catalog
    from docrev.spec.diff import compare
    from docrev.spec.diff.formats import show

    if revision.changes:
        click.echo(show(compare(catalog, Catalog.of(revision.documents.values()))))


def _write(catalog: Catalog, revision: Revision, specs: tuple[str, ...], values: dict[str, Any]) -> list[Path]:
    from docrev.revision import targets, write

    if not (values["out"] or values["in_place"]):
        return []
    places = targets(catalog.documents, specs, values["out"])
    return write((revision.documents[name], path) for name, path in places.items())


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


def _summarise(catalog: Catalog, revision: Revision, written: list[Path], values: dict[str, Any]) -> None:
    """Findings and what was never shown, on stderr; the count with them, unless it is the result itself."""
    for finding in (*catalog.left_out, *revision.findings):
        click.echo(str(finding), err=True)
    if revision.missed:
        click.echo("No answer with 2xx, so no purpose was written:", err=True)
        width = max(len(str(key)) for key, _ in revision.missed)
        for key, why in revision.missed:
            click.echo(f"  {key!s:<{width}}  {why}", err=True)
    if revision.model is not None:
        click.echo("\n".join(model_lines(revision.model, "the rest was written by template")), err=True)
    if revision.trust:
        click.echo(_trusted(revision.trust), err=True)
    operations = len({change.key for change in revision.changes if change.key})
    count = len(revision.changes)
    line = f"{count} change{'' if count == 1 else 's'} in {operations} operation{'' if operations == 1 else 's'}"
    if not (values["out"] or values["in_place"]):
        line += "; nothing was written (-o OUT_DIR or --in-place writes)" if count else ""
    else:
        line += f"; wrote {', '.join(map(str, written))}" if written else "; the files are as they were"
    click.echo(f"{line}.", err=values["as_json"] or not (values["out"] or values["in_place"]))


def _trusted(trust: Counter[str]) -> str:
    """What became of the model's texts: how many were kept, and why others were not."""
    done = ("kept", "mended", "replaced", "unanswered")
    kept = trust["kept"] + trust["mended"]
    line = f"{kept} text{'' if kept == 1 else 's'} of the model kept"
    line += f" ({trust['mended']} at the second try)" if trust["mended"] else ""
    line += f", {trust['replaced']} replaced" if trust["replaced"] else ""
    refused = ", ".join(f"{reason} {trust[reason]}" for reason in sorted(trust) if reason not in done)
    return f"{line}{f'; refused: {refused}' if refused else ''}."
