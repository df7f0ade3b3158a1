"""`docrev bench SUITE`: what it writes and prints."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path

from docrev.events import Handler
from docrev.language.tables import columns
from docrev.storage.atomic import write_json, write_text

from ..apibench.asking import ask_parts, is_asked
from ..apibench.files import score_folder, to_text
from ..settings import BenchSettings
from ..suites.apibench_files import present
from ..suites.fetching import fetch
from ..suites.registry import suites
from . import tables
from .bench import BenchReport, run
from .page import page

PAGE, DATA = "report.html", "report.json"


def listed() -> str:
    """The suites, one line each, and how to run one."""
    rows = [[name, found.title, found.source] for name, found in suites().items()]
    rows.append(["TASKS.yaml", "Your own tasks, in a file", "see eval/suites/tasks.py"])
    return "\n".join([*columns(rows), "", "docrev bench NAME runs one; docrev bench NAME --help shows its options."])


def bench(name: str, settings: BenchSettings, on_event: Handler, parts: Iterable[Path] = ()) -> BenchReport:
    """Run a suite as the settings say, and write page and data into `out`. Raises DocrevError and its kinds.

    `parts` are the folders of what workers did of it.
    """
    if settings.fetch:
        fetch(name)
    report = run(name, settings, on_event, parts=parts)
    write_json(settings.out / DATA, report.to_json())
    write_text(settings.out / PAGE, page(report))
    return report


def apibench(settings: BenchSettings, on_event: Handler, *, as_json: bool) -> str:
    """The scores of answers to APIBench, as a table or as JSON: of the data, or of who is asked here.

    Raises DocrevError and its kinds.
    """
    data, answers = fetch("apibench") if settings.fetch else settings.data, None
    if is_asked(settings):
        answers = asyncio.run(ask_parts(present(data), settings, on_event))
    rows = score_folder(data, answers)
    return json.dumps([row.to_json() for row in rows]) if as_json else to_text(rows)


def screen(report: BenchReport, folder: Path) -> str:
    """What the command prints."""
    return f"{tables.text(report)}\n\nevery trajectory: {folder / PAGE}"
