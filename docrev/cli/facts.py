"""`docrev facts`: what an exploration showed, and showed again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import click

from docrev.cli.options import PathName
from docrev.cli.printing import echo
from docrev.cli.progress import waiting
from docrev.language.characters import shortened
from docrev.language.tables import columns

if TYPE_CHECKING:
    from docrev.records import Fact


_OF_SHAPES = frozenset(["field", "type", "nullable", "format"])
"""Kinds of facts that say what responses look like."""


@click.command()
@click.argument("folder", metavar="[DIR]", default=".docrev", type=PathName())
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines on standard output, one object for each fact.")
def command(folder: str, as_json: bool) -> None:
    """List the facts of the newest run in DIR (.docrev): what calls showed, and showed again when repeated.

    With --json, each line is one fact: tool, kind (as type, default or required), operation
    ("GET /path"), location (`query:NAME`, `path:NAME`, `body:/ptr`, `STATUS:/ptr` with /0 for the items of an array,
    or "" for the operation itself), value, calls (ids of those that show it) and replays (of those that showed it
    again). They are sorted by tool, operation, location, kind. Without --json, the fields of responses are one line.
    """
    from docrev.evidence import Evidence
    from docrev.evidence.codec import fact_json

    with waiting("reading the evidence"):
        evidence = Evidence.open(folder, write=False)
    with evidence:
        facts = evidence.facts()
        if as_json:
            for fact in facts:
                echo(json.dumps(fact_json(fact), ensure_ascii=True))
        else:
            _show(facts, evidence.dropped())


def _show(facts: Iterable[Fact], dropped: dict[str, int]) -> None:
    shown = 0
    for key, group in groupby(facts, lambda fact: fact.key):
        found = list(group)
        shapes = [fact for fact in found if fact.kind in _OF_SHAPES and fact.location[:1].isdigit()]
        shown += len(found)
        echo("\n".join([str(key), *columns([_row(fact) for fact in found if fact not in shapes]), *_fields(shapes)]))
    text = ", ".join(f"{count} {kind}" for kind, count in dropped.items())
    echo(f"{shown} facts; {sum(dropped.values())} could not be shown again{f' ({text})' if text else ''}.")


def _fields(shapes: Iterable[Fact]) -> Iterator[str]:
    """One line for what responses look like, which takes most facts and says least."""
    types = {fact.location: "" for fact in shapes} | {
        fact.location: fact.value for fact in shapes if fact.kind == "type"
    }
    named = [f"{location} {type}".rstrip() for location, type in types.items() if not location.endswith(":")]
    if named:
        yield f"  fields of responses ({len(named)}): {shortened(', '.join(named), 200)}"


def _row(fact: Fact) -> tuple[str, str, str, str]:
    count = len(fact.calls)
    calls = f"({count} call{'' if count == 1 else 's'}, {len(fact.replays)} again)"
    return f"  {fact.kind}", fact.location or "-", shortened(json.dumps(fact.value, ensure_ascii=False), 100), calls
