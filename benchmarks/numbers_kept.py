"""Numbers that are kept: `numbers.json` contains the rows of earlier runs, to which a run is compared.

Whether a change is a fall is told by what is wanted of the row: `>= 95 %` wants more, `<= 600` wants less. Rows with
no wish, or with other words in them, are listed as changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from table import Row

FILE = Path(__file__).parent / "numbers.json"
Tables = dict[str, dict[str, dict[str, str]]]
"""Title of a table → what a row is → {"measured": …, "wanted": …}."""
NOISE = 0.3
"""By which part times and memory differ between two runs of the same code; less is not listed."""
_UNITS = re.compile(r"\b(?:seconds|s|ms|MB|per second|ratio)\b")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def read_numbers(file: Path = FILE) -> dict[str, Tables]:
    """The kept numbers by section; {} if there are none yet."""
    return json.loads(file.read_text()) if file.exists() else {}


def keep_numbers(section: str, rendered: Mapping[str, Sequence[Row]], file: Path = FILE) -> None:
    """Put the rows of a section in the place of those that were kept."""
    numbers = read_numbers(file) | {section: _tables(rendered)}
    file.write_text(json.dumps(dict(sorted(numbers.items())), indent=1, ensure_ascii=False) + "\n")


def compare_numbers(kept: Tables, rendered: Mapping[str, Sequence[Row]]) -> list[str]:
    """Lines on what fell, what changed, and what is new or gone; [] if every number is as it was."""
    now = _tables(rendered)
    rows = [(title, what) for title, table in kept.items() for what in table]
    lines = [f"gone: {title}: {what}" for title, what in rows if what not in now.get(title, {})]
    for title, table in now.items():
        for what, row in table.items():
            before = kept.get(title, {}).get(what)
            if before is None:
                lines.append(f"new: {title}: {what}: {row['measured']}")
            elif direction := _direction(what, before, row):
                lines.append(f"{direction}: {title}: {what}: {before['measured']} -> {row['measured']}")
    return sorted(lines, key=lambda line: not line.startswith("FELL"))


def _tables(rendered: Mapping[str, Sequence[Row]]) -> Tables:
    return {
        title: {row.what: {"measured": row.measured, "wanted": row.wanted} for row in rows if row.what}
        for title, rows in rendered.items()
    }


def _direction(what: str, before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """How a number moved: FELL, rose or changed; "" if it did not, or by no more than noise."""
    if before["measured"] == now["measured"]:
        return ""
    old, new = _NUMBER.findall(before["measured"]), _NUMBER.findall(now["measured"])
    wanted = now["wanted"].lstrip()
    if not old or not new:
        return "changed"
    first, last = (float(text[0].replace(",", "")) for text in (old, new))
    if _UNITS.search(what) and abs(last - first) <= NOISE * abs(first):
        return ""
    if first == last or not wanted.startswith((">", "<")):
        return "changed"
    return "rose" if (last > first) == wanted.startswith(">") else "FELL"
