"""What the commands say in the end, as text."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence

from docrev.api import Exploration
from docrev.cli.usage import model_lines
from docrev.records import Json, OperationKey


def summary(explored: Exploration, specs: Sequence[str]) -> str:
    """What an exploration came to, and what was not reached and why."""
    told = explored.summary
    lines = [
        *(["Finished before: nothing was called."] if explored.kept else []),
        f"operations answered   {told['operations_2xx']} of {told['operations']}",
        f"calls                 {told['calls']}, {told['calls_2xx']} answered with 2xx ({told['requests']} requests)",
        f"scenarios             {told['scenarios']}, {told['solved']} solved",
        f"experiences           {told['experiences']}",
        f"facts                 {told['facts']} shown again, {told['facts_dropped']} dropped",
        f"seconds               {told['seconds']}",
    ]
    if told.get("model"):
        lines += ["", *model_lines(told["model"], "no more scenarios were begun; a larger one goes on from here")]
    if told["comparison"]:
        lines += ["", *_comparison(told["comparison"])]
    if told["missed"]:
        width = max(len(f"{row['tool']} {row['operation']}") for row in told["missed"])
        lines += ["", "Not reached:"]
        lines += [f"  {row['tool'] + ' ' + row['operation']:<{width}}  {row['why']}" for row in told["missed"]]
    if told.get("findings"):
        lines += ["", "Little was learned:", *(f"  {finding}" for finding in told["findings"])]
    if told["left"]:
        lines += ["", "Created and still there (docrev explore --clean removes it, with --allow DELETE):"]
        lines += [f"  {path}" for path in told["left"]]
    if told["budget_spent"]:
        lines += [
            "",
            "The budget of requests was reached: some probes were left out. A larger --max-calls goes on from here.",
        ]
    evidence = "" if str(explored.folder) == ".docrev" else f" --evidence {shlex.quote(str(explored.folder))}"
    lines += ["", f"Next: docrev revise {' '.join(map(shlex.quote, specs))}{evidence}"]
    return "\n".join(lines)


def _comparison(rows: Sequence[Mapping[str, Json]]) -> list[str]:
    """The paper's Table 4, with the length over the scenarios that every strategy solved beside it."""
    lines = ["strategy   correct   length   common   tool-calling success   calls"]
    for row in rows:
        lines.append(
            f"{row['strategy']:<8}  {row['correct']:>7.1%}  {_number(row['length']):>7}  "
            f"{_number(row['common_length']):>7}  {_share(row['success']):>21}  {row['calls']:>6}"
        )
    return lines


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def plan(verdicts: Mapping[OperationKey, str | None], *, as_json: bool) -> str:
    """What may be called, and what not and why."""
    rows = [{"tool": key.tool, "operation": key.operation, "denied": why} for key, why in verdicts.items()]
    if as_json:
        return json.dumps(rows)
    width = max(len(str(key)) for key in verdicts)
    return "\n".join(f"{key!s:<{width}}  {why or 'may be called'}" for key, why in verdicts.items())


def left(paths: Sequence[str]) -> str:
    """What could not be removed."""
    return "\n".join(["Still there:", *(f"  {path}" for path in paths)]) if paths else "Nothing is left."
