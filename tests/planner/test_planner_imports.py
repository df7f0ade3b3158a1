"""What the planner may read: no writer of documentation, no agent, no runner, no driver."""

from __future__ import annotations

import re
from pathlib import Path

import docrev.planner

ALLOWED = (
    *(
        "records",
        "errors",
        "grouping",
        "language",
        "conventions",
        "json_values",
        "spec",
        "graph",
        "evidence",
        "calls",
        "prompts",
    ),
    "planner",
)


def test_the_planner_imports_only_what_it_may_read() -> None:
    modules = sorted(Path(docrev.planner.__file__).parent.glob("*.py"))
    imported = {
        (path.name, name)
        for path in modules
        for name in re.findall(r"^\s*(?:from|import) docrev\.(\w+)", path.read_text("utf-8"), re.MULTILINE)
    }
    assert len(modules) > 15
    assert len(imported) > 50
    assert {pair for pair in imported if pair[1] not in ALLOWED} == set()
