"""Importing as many operations as ToolBench has, in its format, and commands on them, each in a process of its own; and
the beginning of an exploration of one API with as many operations as the largest have.

The data is generated.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from measured_commands import measured
from table import Row, render

TOOLS, OPERATIONS = 3_451, 16_464
LARGE, NOT_REACHED = 1_200, 3
"""Operations of one API (GitHub's has 1,223), and the exit code if a service cannot be reached."""
CODE = """
import resource, sys, time
from docrev.cli import run
code = run(["import", "toolbench", sys.argv[1], "-o", sys.argv[2]])
print(code, time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def main() -> str:
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "tools", Path(folder) / "specs"
        _generate(source)
        words = [sys.executable, "-c", CODE, str(source), str(out)]
        printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
        code, seconds, memory = map(float, printed[-1].split())
        files = sum(1 for _ in out.iterdir())
        used = {name: measured(*words) for name, words in _uses(str(out)).items()}
        large = Path(folder) / "large.json"
        large.write_text(json.dumps(_large()))
        # Nobody listens there: what it takes is the reading of the document, its tool graph, and the first plan.
        nowhere = ("--base-url", "http://127.0.0.1:1", "--max-calls", "5", "--out", str(Path(folder) / "kept"))
        begun = measured("explore", str(large), *nowhere)
    rows = [
        Row("operations", printed[0].split()[0], f"{OPERATIONS:,}", printed[0].startswith(f"{OPERATIONS:,} ")),
        Row("files", f"{files:,}", f"{TOOLS:,}", files == TOOLS and code == 0),
        Row("seconds of processor", f"{seconds:.1f}", "< 60", seconds < 60),
        Row("memory, MB", f"{memory / 1e6:.0f}", "< 1,000", memory < 1e9),
    ]
    rows += [
        Row(f"{name}: seconds of processor, MB", str(one), "< 60, 1,000", not one.code and one.is_within(60, 1000))
        for name, one in used.items()
    ]
    together = seconds + sum(one.seconds for one in used.values())
    rows.append(Row("together: seconds of processor", f"{together:.1f}", "< 60", together < 60))
    what = f"one API of {LARGE:,} operations, explored until nobody answers: seconds of processor, MB"
    rows.append(Row(what, str(begun), "< 20, 512", begun.code == NOT_REACHED and begun.is_within(20, 512)))
    return render("Importing: ToolBench's format, generated; then what its specs are used for", rows)


def _uses(specs: str) -> dict[str, tuple[str, ...]]:
    """Commands on all specs: none calls anything."""
    return {
        "lint": ("lint", specs),
        "index, and find": ("retrieve", "things with their parts", specs, "--method", "bm25"),
        "plan of an exploration": ("explore", specs, "--dry-run"),
    }


def _generate(folder: Path) -> None:
    """Tools of four or five operations each, in 49 categories."""
    for tool in range(TOOLS):
        count = OPERATIONS // TOOLS + (tool < OPERATIONS % TOOLS)
        place = folder / f"Category_{tool % 49}" / f"tool_{tool}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        host = f"https://tool{tool}.example.org"
        apis = [_api(host, tool, number) for number in range(count)]
        record = {"tool_name": f"Tool {tool}", "tool_description": "Tells of things. " * 6, "api_list": apis}
        place.write_text(json.dumps(record))


def _api(host: str, tool: int, number: int) -> dict[str, Any]:
    kinds = ("STRING", "NUMBER", "BOOLEAN")
    parameters = [
        {"name": f"p{index}", "type": kinds[index % 3], "description": "What to look for. " * 3, "default": "2.5"}
        for index in range(3)
    ]
    return {
        "name": f"Get thing {number} of {tool}",
        "url": f"{host}/things/{number}/{{p0}}",
        "method": "POST" if number % 5 == 4 else "GET",
        "description": "Gives the thing with all of its parts, in order. " * 4,
        "required_parameters": parameters[:1],
        "optional_parameters": parameters[1:],
        "template_response": {"things": [{"id": "int", "name": "str", "price": "float", "_list_length": 9}] * 1},
    }


def _large() -> dict[str, Any]:
    """One API in which every operation takes and returns what names the same few things."""
    paths = {}
    text = {"type": "string"}
    person = {"type": "object", "properties": dict.fromkeys(("id", "login", "name", "team_slug", "org"), text)}
    linked = {f"{role}_{name}": text for role in ("base", "head", "source") for name in ("id", "url", "repo", "owner")}
    repo = {"type": "object", "properties": {**linked, "name": text, "owner": person}}
    item = {"type": "object", "properties": {"id": text, "owner": person, "author": person, "repo": repo}}
    for number in range(LARGE // 2):
        place = f"/repos/{{owner}}/{{repo}}/{'kind' if number % 3 else 'part'}{number}s"
        for path, schema in ((place, {"type": "array", "items": item}), (f"{place}/{{id}}", item)):
            names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
            answer = {"description": "Found.", "content": {"application/json": {"schema": schema}}}
            parameters = [{"name": name, "in": "path", "required": True, "schema": text} for name in names]
            paths[path] = {"get": {"parameters": parameters, "responses": {"200": answer}}}
    return {"openapi": "3.0.3", "info": {"title": "Large", "version": "1"}, "paths": paths}
