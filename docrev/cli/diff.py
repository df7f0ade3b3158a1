"""`docrev diff`: what differs between two specs, texts apart from contract."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from docrev.cli.options import PathName, format_option, settings_options
from docrev.cli.printing import echo
from docrev.cli.progress import waiting
from docrev.settings.groups import SpecSettings
from docrev.spec.diff import compare
from docrev.spec.diff.formats import FORMATS, show


@click.command("diff")
@click.argument("old")
@click.argument("new")
@format_option(FORMATS, "differences")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if there are differences, as git does.")
@settings_options(SpecSettings, from_file=False)
@click.option(
    "--templates",
    type=PathName(path_type=Path),
    metavar="DIR",
    help="Folder of templates whose `diff/*.j2` replace docrev's own; by default none.",
)
def command(
    old: str, new: str, settings: SpecSettings, *, format_: str, exit_code: bool, templates: Path | None
) -> None:
    """Show what differs between OLD and NEW: files, folders, or REF:PATH as git has them.

    Changes of texts (descriptions, summaries, titles, examples, links, x-docrev) are listed apart from changes of
    the contract, which is everything else. A change of what is shared is listed once, where it is defined, with the
    operations that use it. Formatting, order and YAML or JSON make no difference. Folders are matched file by file,
    by path and then by name.

    Changes come in classes, the most valuable first: correction, trap, experience, bound, source, undeclared,
    example, wording. The docrev.lock beside NEW says which class a text of docrev's is of, and how sure it is: high if
    all that it says was shown again by fresh calls, else medium. Without one, the kind of node that changed decides,
    and changes of the contract are a class of their own.

    \b
      docrev diff specs/ revised/
      docrev diff main:specs/airports.yaml specs/airports.yaml --format markdown
      docrev diff HEAD~1:specs specs --exit-code

    --format json prints one object: old, new, summary {contract, docs, operations, classes} and changes, a list of
    {id, fingerprint, level ("docs" or "contract"), class ("" for a change of the contract by somebody else),
    confidence ("high", "medium", "" if unknown), tool, operation ("GET /path", or ""), shared ("schema Pet", or ""),
    used_by, location, media_type, field, pointer, before, after, old and new ("file:line")}. An addition has no
    before and old, a removal no after and new. Ids and fingerprints are stable: they do not change when lines
    move or other things change.
    """
    with waiting("reading and comparing the specs"):
        diff = compare(old, new, max_size=settings.max_spec_size)
    shown = show(diff, format_, templates=templates)
    echo(shown, style=_coloured if format_ == "text" and sys.stdout.isatty() else str)
    if exit_code and diff:
        raise SystemExit(1)


def _coloured(text: str) -> str:
    colours = {"    - ": "red", "    + ": "green"}
    return "\n".join(
        click.style(line, fg=colours[line[:6]]) if line[:6] in colours else line for line in text.split("\n")
    )
