"""`docrev evidence`: what an exploration called and how it was answered."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from docrev.cli.options import PathName
from docrev.cli.printing import echo
from docrev.cli.progress import waiting
from docrev.language.tables import columns

if TYPE_CHECKING:
    from docrev.evidence import Evidence


@click.command()
@click.argument("folder", metavar="[DIR]", default=".docrev", type=PathName())
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines on standard output, one object for each call.")
@click.option(
    "--prune", is_flag=True, help="Remove the calls of finished runs that neither facts nor revisions need any more."
)
def command(folder: str, *, as_json: bool, prune: bool) -> None:
    """List the calls that an exploration made, of the newest run in DIR (.docrev).

    Without --json: a table of operations with their calls and answers, what was never reached and why, what was
    changed by consent, and what the run created and did not remove, with the reason and the call that would remove it.

    With --json, each line is one call: id, tool, operation, purpose (observed: made by others; survey, scenario,
    probe, replay, clean-up), scenario, arguments (by location, `path:id`), url, status (null without a response), error
    and detail (why there was none), media_type, size (bytes of the body), sampled (whether only the first items of its
    arrays were kept), redirected (the URL that redirects led to), headers, body. They are sorted by purpose, tool,
    operation, id. Credentials were taken out before anything was stored.

    With --prune, the folder keeps of every finished run what facts name and what a revision reads: at most some 200
    calls for each operation. Facts, revisions and the table stay the same; a larger --max-calls then needs --fresh.
    """
    from docrev.evidence import Evidence
    from docrev.evidence.codec import call_json

    if prune:
        _prune(folder)
        return
    with waiting("reading the evidence"):
        evidence = Evidence.open(folder, write=False)
    with evidence:
        if as_json:
            for call in evidence.calls.select():
                echo(json.dumps(call_json(call), ensure_ascii=True))
        else:
            _show(evidence)


def _prune(folder: str) -> None:
    from docrev.evidence import Evidence
    from docrev.facts.pruning import prune

    Evidence.open(folder, write=False).close()
    with Evidence.open(folder, write=True) as evidence:
        for run in evidence.runs():
            evidence.select(run)
            name = f"run {run.id}"
            echo(
                f"{name}: {prune(evidence)} calls removed"
                if run.finished
                else f"{name} is not finished: nothing removed"
            )


def _show(evidence: Evidence) -> None:
    from docrev.cli.summaries import changed_and_left
    from docrev.evidence.queries import consented_changes, left_items, statuses, totals

    counts, run = totals(evidence), evidence.run
    echo(f"{counts['calls']} calls, {counts['calls_2xx']} answered 2xx; the run is {_state(run.finished)}.")
    table = [("OPERATION", "CALLS", "2XX", "ANSWERS")]
    for key, answers in statuses(evidence).items():
        good = sum(count for status, count in answers.items() if status.startswith("2"))
        text = ", ".join(f"{status} × {count}" for status, count in sorted(answers.items()))
        table.append((str(key), str(answers.total()), str(good), text))
    _print(columns(table))
    missed = evidence.missed()
    if missed:
        echo(f"\nNever answered 2xx ({len(missed)}):")
        _print(columns([(f"  {key}", why) for key, why in missed.items()]))
    changed, left = map(asdict, consented_changes(evidence)), map(asdict, left_items(evidence))
    _print(changed_and_left(list(changed), list(left)))


def _state(finished: bool) -> str:
    return "finished" if finished else "not finished: the same explore command goes on with it"


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        echo(line)
