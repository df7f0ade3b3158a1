"""From the options of `docrev bench SUITE` to what it prints and writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from docrev.events import Handler
from docrev.runners import Limits
from docrev.settings.models import ModelSettings
from docrev.storage.atomic import write_json, write_text

from ..apibench.files import score_folder, to_text
from ..suites.fetching import fetch
from ..suites.registry import suites
from . import tables
from .bench import DOCS, Report, Request, run
from .page import page

PAGE, DATA = "report.html", "report.json"


def listed() -> str:
    """The suites, one line each, and how to run one."""
    rows = [[name, found.title, found.source] for name, found in suites().items()]
    rows.append(["TASKS.yaml", "Your own tasks, in a file", "see eval/suites/tasks.py"])
    return "\n".join([*tables.aligned(rows), "", "docrev bench NAME runs one; docrev bench NAME --help tells how."])


def bench(name: str, options: Mapping[str, Any], on_event: Handler) -> Report:
    """Run a suite as the options say, and write page and data into `out`. Raises DocrevError and its kinds."""
    if options["fetch"]:
        fetch(name)
    names = {one.name for one in fields(ModelSettings)}
    request = Request(
        name,
        docs=tuple(options["docs"]) or DOCS,
        runners=tuple(one.strip() for one in options["runners"].split(",") if one.strip()),
        models=ModelSettings(**{key: value for key, value in options.items() if key in names}),
        judge=options["judge"],
        data=options["data"],
        out=options["out"],
        mended=not options["as_published"],
        limit=options["limit"],
        seed=options["seed"],
        concurrency=options["concurrency"],
        limits=Limits(steps=options["steps"], calls=options["max_calls"]),
        retrieve=options["retrieve"],
        retriever=options["retriever"],
        compression=options["compression"],
        fresh=options["fresh"],
    )
    report = run(request, on_event)
    _write(report, request.out)
    return report


def apibench(options: Mapping[str, Any]) -> str:
    """The scores of all answers to APIBench in the data, as a table or as JSON. Raises DocrevError and its kinds."""
    rows = score_folder(fetch("apibench") if options["fetch"] else options["data"])
    return json.dumps([row.to_json() for row in rows]) if options["as_json"] else to_text(rows)


def _write(report: Report, folder: Path) -> None:
    write_json(folder / DATA, report.to_json())
    write_text(folder / PAGE, page(report))


def screen(report: Report, folder: Path) -> str:
    """What the command prints."""
    return f"{tables.text(report)}\n\nevery trajectory: {folder / PAGE}"
