"""What agents pay for tools that are listed flat or lazily, and what watching shows beside exploring."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from services import running
from table import Row

from docrev import api
from docrev.eval.scores import Score, score
from docrev.eval.statements import statements_of
from docrev.eval.suites.registry import suites
from docrev.eval.truth import truth_of
from docrev.evidence import Evidence
from docrev.records import Call, Task
from docrev.runners.compression import tokens
from docrev.sessions.agent_tools import AgentTools, open_tools
from docrev.settings.serving import McpSettings
from docrev.spec import load
from docrev.traffic.har_writing import har

ROOT = Path(__file__).resolve().parents[1]
SPECS = {name: ROOT / "specs" / file for name, file in (("atlas", "atlas.yaml"), ("airfield", "airfield.json"))}
ALL_METHODS = ("POST,PUT,PATCH,DELETE",)


def rows() -> tuple[list[Row], list[Row]]:
    """The rows on MCP, and those on watching, of one exploration of the bundled services."""
    with tempfile.TemporaryDirectory() as place, running(*SPECS) as urls:
        folder = Path(place)
        bases = [f"{name}={url}" for name, url in urls.items()]
        api.explore([*SPECS.values()], base_urls=bases, allow=ALL_METHODS, out=folder / "explored")
        api.revise([*SPECS.values()], evidence=folder / "explored", write_to=folder / "revised", profile="mcp")
        return _mcp_rows(folder / "revised", bases), _watching_rows(folder, bases)


def _mcp_rows(specs: Path, bases: list[str]) -> list[Row]:
    tasks = suites()["bundled"].load().tasks
    flat, lazy = (asyncio.run(_paid(specs, bases, listing, tasks)) for listing in ("flat", "lazy"))
    return [
        Row("tools listed, flat / lazy", f"{flat[0]} / {lazy[0]}"),
        Row("tokens of the list, flat / lazy", f"{flat[1]:,} / {lazy[1]:,}"),
        Row("tokens read before the calls of a task, flat / lazy (mean)", f"{flat[2]:,} / {lazy[2]:,}"),
        Row("tasks of which one search finds all operations, lazy", f"{lazy[3]} of {len(tasks)}"),
    ]


async def _paid(specs: Path, bases: list[str], listing: str, tasks: Iterable[Task]) -> tuple[int, int, int, int]:
    """(tools, tokens of their list, tokens before the calls of a task on average, tasks whose search finds all)."""
    settings = McpSettings(base_urls=tuple(bases), allow=ALL_METHODS, listing=listing)  # type: ignore[arg-type]
    async with open_tools(specs, settings) as tools:
        listed = tools.listed()
        whole = tokens(json.dumps(listed)) + tokens(tools.instructions)
        read, found, count = 0, 0, 0
        for task in tasks:
            count += 1
            more, is_found = await _read_for(tools, task) if tools.lazy else (0, True)
            read, found = read + whole + more, found + is_found
        return len(listed), whole, round(read / count), found


async def _read_for(tools: AgentTools, task: Task) -> tuple[int, bool]:
    """What an agent reads that searches once with the text of a task and describes what it then calls."""
    hits = await tools.call("search", {"text": task.text, "count": 10})
    wanted = [tools.name_of(key) for key in (task.gold[0] if task.gold else ())]
    names = [name for name in dict.fromkeys(wanted) if name is not None]
    described = await tools.call("describe", {"operations": names[:10]}) if names else None
    there = {hit["operation"] for hit in json.loads(hits.text)}
    return tokens(hits.text) + (tokens(described.text) if described else 0), there.issuperset(names)


def _watching_rows(folder: Path, bases: list[str]) -> list[Row]:
    """Facts of what agents asked in scenarios, and of all traffic, beside those of the exploration that made it."""
    with Evidence.open(folder / "explored", write=False) as evidence:
        made = list(evidence.calls.select())
    asked = [call for call in made if call.purpose in ("survey", "scenario")]
    results = {"exploring": (len(made), _score(folder / "explored", folder))}
    for name, calls in (("watching its survey and scenarios", asked), ("watching all of it", made)):
        results[name] = (len(calls), _watched(calls, folder, bases))
    return [
        Row(
            f"{name}: {calls:,} calls",
            f"{found.total.recovered} of {found.total.hidden} true statements, {found.total.wrong} false",
            "0 false",
            not found.total.wrong,
        )
        for name, (calls, found) in results.items()
    ]


def _watched(calls: list[Call], folder: Path, bases: list[str]) -> Score:
    traffic, out = folder / "traffic.har", folder / f"watched{len(calls)}"
    traffic.write_text(json.dumps(har(calls)))
    api.observe([*SPECS.values()], traffic, base_urls=bases, out=out)
    return _score(out, folder)


def _score(evidence: Path, folder: Path) -> Score:
    truths = folder / "truths"
    truths.mkdir(exist_ok=True)
    for name in SPECS:
        shutil.copy(ROOT / "docrev" / "sandbox" / name / "truth.yaml", truths / f"{name}.yaml")
    truth = truth_of(load(truths), closed=True)
    with Evidence.open(evidence, write=False) as kept:
        return score(statements_of(fact for fact in kept.facts() if fact.key in truth.catalog), truth)
