"""What models were asked and what it cost, as text."""

from __future__ import annotations

from collections.abc import Mapping

from docrev.records import Json


def model_lines(told: Mapping[str, Json], at_the_end: str) -> list[str]:
    """The lines of a summary's `model`; `at_the_end` says what was done where a budget was reached."""
    lines = [f"model                 {_spent(told)}"]
    for prompt, row in told["by_prompt"].items():
        lines.append(f"  {prompt:<20}{_spent(row)}")
    answers = told["asks"] - told["cached"]
    if told["errors"]:
        failed = sum(told["errors"].values())
        lines.append(f"{failed} of {told['asks']} answers could not be used; the offline engine answered instead.")
    if told["budget_spent"]:
        lines.append(f"{' and '.join(told['budget_spent'])} was reached after {answers} answers: {at_the_end}.")
    return lines


def _spent(row: Mapping[str, Json]) -> str:
    cached = f" and {row['cached']:,} from the cache" if row["cached"] else ""
    cost = f", cost {row['cost']:,.4f}" if row.get("cost") is not None else ""
    return f"{row['calls']:,} calls{cached}, {row['tokens_in']:,} tokens in, {row['tokens_out']:,} out{cost}"
