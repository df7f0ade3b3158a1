"""Importing as many operations as ToolBench has, in its format, and commands on them, each in a process of its own.

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
