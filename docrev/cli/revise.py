"""`docrev revise`: write what was learned into the specs, as small changes."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from os.path import commonpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docrev.cli.options import PathName, as_json, check_target, out_folder, settings_options, specs
from docrev.cli.printing import echo, hint
from docrev.cli.progress import Progress, waiting
from docrev.errors import UsageError
from docrev.settings.groups import ReviseSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docrev.records import Change
    from docrev.revision import Revision
    from docrev.revision.selection import UnwantedOffers
    from docrev.spec import Catalog
    from docrev.spec.diff import Diff

_MAX_NAMED = 10
"""Written files that are named, each on its own."""


@dataclass(frozen=True)
class Destination:
    """Where to write the revision: a folder, an overlay, or over the specs. False if it is only to be shown."""

    out: Path | None
    overlay: Path | None
    in_place: bool

    def __post_init__(self) -> None:
        check_target(self.out, in_place=self.in_place)

    def __bool__(self) -> bool:
        return self.in_place or bool(self.out) or bool(self.overlay)

    def write(self, catalog: Catalog, revision: Revision, specs: Sequence[str]) -> list[Path]:
        """Write it; returns the paths written."""
        from docrev.sessions import revision as session

        written: list[Path] = []
        if self.in_place or self.out is not None:
            written += session.write_revision(catalog, revision, specs, self.out)
        if self.overlay is not None:
            written += session.write_overlays(catalog, revision, self.overlay)
        return written


@click.command("revise")
@specs
@out_folder("revised specs")
@click.option("--in-place", is_flag=True, help="Write over SPECS.")
@click.option(
    "--overlay",
    type=PathName(path_type=Path),
    metavar="FILE",
    help="Write the changes as an OpenAPI overlay to this file, or one for each spec to this folder; by default none.",
)
@click.option("--interactive", is_flag=True, help="Ask which changes to write: by class, or one by one.")
@settings_options(ReviseSettings, "revise")
@as_json
def command(
    specs: tuple[str, ...],
    settings: ReviseSettings,
    *,
    out: Path | None,
    in_place: bool,
    overlay: Path | None,
    interactive: bool,
    as_json: bool,
) -> None:
    """Write what docrev explore learned into SPECS (files or folders), as small changes; never calls the API.

    Without -o, --in-place and --overlay, prints the diff and writes nothing. Good text is only appended to, and text
    that a person has edited since is left alone. --edit docs changes descriptions, examples and x-docrev; --edit
    contract also writes what is proven: parameters, required, types, formats, enums, defaults, bounds, responses and
    their properties.

    Changes come in classes, the most valuable first: correction (of what is false), trap, experience (which operation
    to use when), bound (and allowed values), source (of IDs), undeclared (fields and statuses), example, wording.
    --only and --skip choose among them; what is there already stays. --interactive asks on the terminal; docrev.lock
    notes what was declined, and it is not offered again while the facts behind it are the same (not with --marks
    inline).

    docrev.lock beside the specs notes which texts docrev wrote; commit it with them. With --marks inline, the notes are
    in the specs themselves.

    With --json, each line on stdout is one change: file, line, pointer, edit ("docs" or "contract"), classes (the most
    valuable first), confidence ("high" if all that it says was shown again by fresh calls, else "medium"), tool and
    operation ("" for what belongs to the whole file), before, after, facts (kind, location, value) and calls, the
    ids of the calls behind it; see docrev evidence DIR --json. If a model was asked, the last line has model (asks,
    calls, cached, tokens_in, tokens_cached, tokens_out, cost, by_prompt, by_operation, fallbacks, errors, budget_spent)
    and trust: how many of its texts were kept, mended (kept at the second try), cut or replaced by docrev's own, and
    how many were refused for which reason.

    --overlay writes the changes as an OpenAPI Overlay 1.0.0, with the facts behind each action. Where a spec is
    generated from code, keep the overlay, and put it on the next version with docrev apply.

    --method easytool and --method draft revise as in those papers, for comparison: a short instruction from the
    documents alone, or descriptions rewritten after trials. They ignore --edit, --links, --profile, --examples and
    classes.

    --model names who writes the texts, from the facts: offline, openai:NAME (any OpenAI-compatible server, by
    --model-url, with the key in OPENAI_API_KEY), local:PATH (transformers, in process), or recorded:FILE (what --record
    wrote). A model is asked once for each operation, and reads the whole at the end. If a text claims more than the
    calls show, the model is asked for another one, which is cut if need be. If it cannot write one, or once
    --max-model-calls, --max-tokens or --max-cost is reached, the text is written by template.
    """
    places = Destination(out, overlay, in_place)
    if interactive:
        _check_interactive(places)
    with waiting("reading the specs"):
        from docrev.cli.choosing import choose
        from docrev.revision.selection import UnwantedOffers
        from docrev.spec import load

        catalog = load(list(specs), max_size=settings.max_spec_size)
    revision = _revised(catalog, settings, UnwantedOffers())
    if interactive and revision.offers:
        revision = _revised(catalog, settings, choose(revision.offers))
    diff = _compared(catalog, revision)
    if as_json:
        _print_json(catalog, revision)
    elif not places and diff:
        _print_diff(diff)
    written = places.write(catalog, revision, specs) if places else None
    _print_summary(catalog, revision, diff, written, settings.evidence, as_json=as_json)


def _revised(catalog: Catalog, settings: ReviseSettings, choice: UnwantedOffers) -> Revision:
    from docrev.sessions import revision as session

    with Progress("drafting changes, and validating them") as progress:
        return asyncio.run(session.revise(catalog, settings, choice=choice, on_event=progress))


def _check_interactive(places: Destination) -> None:
    if not places:
        raise UsageError(
            "nothing would be written", where="--interactive", fix="add --in-place, -o OUT_DIR or --overlay FILE"
        )
    if not sys.stdin.isatty():
        fix = "run it on a terminal, or choose with --only and --skip"
        raise UsageError("nobody can be asked here", where="--interactive", fix=fix)


def _print_json(catalog: Catalog, revision: Revision) -> None:
    for change in revision.changes:
        echo(json.dumps(_row(catalog, change), ensure_ascii=True))
    if revision.model is not None:
        echo(json.dumps({"model": revision.model, "trust": dict(sorted(revision.trust.items()))}))


def _compared(catalog: Catalog, revision: Revision) -> Diff:
    """What the revision changes, as `docrev diff` tells and counts it: a property and its text are one change."""
    from docrev.spec import Catalog
    from docrev.spec.diff import Diff, compare

    if not revision.changes:
        return Diff("", "", ())
    with waiting("comparing the specs"):
        return compare(catalog, Catalog.of(revision.documents.values()))


def _print_diff(diff: Diff) -> None:
    from docrev.spec.diff.formats import show

    echo(show(diff))


def _row(catalog: Catalog, change: Change) -> dict[str, Any]:
    return {
        "file": change.file,
        "line": catalog.documents[change.file].line(change.pointer),
        "pointer": change.pointer,
        "edit": change.edit,
        "classes": list(change.classes),
        "confidence": change.confidence,
        "tool": change.key.tool if change.key else "",
        "operation": change.key.operation if change.key else "",
        "before": change.before,
        "after": change.after,
        "facts": [{"kind": fact.kind, "location": fact.location, "value": fact.value} for fact in change.facts],
        "calls": list(change.calls),
    }


def _print_summary(
    catalog: Catalog,
    revision: Revision,
    diff: Diff,
    written: list[Path] | None,
    evidence: str | None,
    *,
    as_json: bool,
) -> None:
    """Findings and what was never shown, on standard error; the count with them, unless it is the result itself.

    `diff` is what changes; `written` are the files that were written; None if none was to be written.
    """
    from docrev.cli.summaries import model_lines, refusals, unanswered
    from docrev.evidence.usefulness import listing

    lines = [str(finding) for finding in (*catalog.left_out, *revision.findings)]
    lines += unanswered(revision.missed, listing(evidence or ".docrev"))
    if revision.model is not None:
        lines += model_lines(revision.model, "the rest was written by template")
    if revision.trust:
        lines.append(refusals(revision.trust))
    for line in (*lines, *_classes(diff), *_dense(catalog, revision)):
        hint(line)
    (hint if as_json or written is None else echo)(_count(diff, written))


def _classes(diff: Diff) -> list[str]:
    """How many changes there are of each class, and of which confidence: each counts in its most valuable class."""
    from docrev.spec.diff.view import sections

    return [
        f"  {section.count:>5}  {section.title}{f' ({section.confidence})' if section.confidence else ''}"
        for section in sections(diff)
    ]


def _dense(catalog: Catalog, revision: Revision) -> list[str]:
    """A hint at --pretty, if a diff of the files would not show what changed."""
    changed = {change.file for change in revision.changes}
    names = [name for name in changed if catalog.documents[name].is_dense and revision.documents[name].is_dense]
    if not names:
        return []
    which = min(names) if len(names) == 1 else f"{min(names)} and {len(names) - 1} more"
    return [f"{which} has everything on a few lines: --pretty breaks it into lines, so that a diff shows what changed."]


def _count(diff: Diff, written: list[Path] | None) -> str:
    from docrev.spec.diff.view import summary

    line = summary(diff) if diff else "0 changes"
    if written is not None:
        line += f"; wrote {_files(written)}" if written else "; the files are as they were"
    elif diff:
        line += "; nothing was written (-o OUT_DIR, --in-place or --overlay FILE writes)"
    return f"{line}."


def _files(written: list[Path]) -> str:
    """The files by name; of many, how many there are and where."""
    if len(written) <= _MAX_NAMED:
        return ", ".join(map(_from_here, written))
    return f"{len(written)} files in {_from_here(Path(commonpath(path.parent for path in written)))}"


def _from_here(path: Path) -> str:
    here = Path.cwd().resolve()
    return str(path.relative_to(here) if path.is_absolute() and path.is_relative_to(here) else path)
