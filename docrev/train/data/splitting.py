"""Training and test sets of instructions, and what they count (ToolLLM §3.3 and v1 table 6).

Three levels of what is new in a test set: instructions alone; tools of known categories; whole categories. What
is new there is in no row of the training set, nor in another test set.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean

from docrev.errors import InputError
from docrev.eval.suites.reading import read_json
from docrev.records import Json
from docrev.spec.formats.toolbench.api_names import ApiName, api_names, relevant

GROUP = re.compile(r"[GI]([123])(?![0-9])")
LEVELS: dict[str, tuple[str, ...]] = {
    "G1": ("instruction", "tool", "category"),
    "G2": ("instruction", "category"),
    "G3": ("instruction",),
}
"""The levels at which each group is tested: tools of I2 and categories of I3 are mixed by their making."""


@dataclass(frozen=True)
class SplitRow:
    """One instruction as its file has it, with the group it belongs to and the APIs that it offers."""

    data: dict[str, Json] = field(repr=False)
    group: str
    offered: tuple[ApiName, ...] = field(repr=False)

    @property
    def tools(self) -> frozenset[tuple[str, str]]:
        return frozenset((name.category, name.tool) for name in self.offered)

    @property
    def categories(self) -> frozenset[str]:
        return frozenset(name.category for name in self.offered)


@dataclass
class Split:
    """Rows by the name of their set: "train/G1", "test/G1_tool"; `dropped` fit in none."""

    sets: dict[str, list[SplitRow]] = field(default_factory=lambda: defaultdict(list))
    dropped: int = 0
    categories: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()

    def counts(self) -> dict[str, int]:
        return {name: len(rows) for name, rows in sorted(self.sets.items()) if rows}


def read_rows(files: Sequence[Path]) -> list[SplitRow]:
    """The instructions of files in ToolBench's format; their group is in the file's name, or follows from their tools.

    Raises InputError for a file that is no list of them.
    """
    rows = [row for file in files for row in _read(file)]
    if not rows:
        raise InputError("no instructions", where=str(files[0]), fix="give files of docrev generate instructions")
    return rows


def _read(file: Path) -> Iterator[SplitRow]:
    rows = read_json(file)
    if not isinstance(rows, list) or not all(isinstance(row, dict) and "query" in row for row in rows):
        raise InputError("not a list of instructions", where=str(file), fix="give ToolBench's format")
    named = GROUP.search(file.stem)
    for row in rows:
        offered = tuple(api_names(row))
        yield SplitRow(row, f"G{named[1]}" if named else _group(offered), offered)


def _group(offered: Sequence[ApiName]) -> str:
    tools = {(name.category, name.tool) for name in offered}
    return "G1" if len(tools) < 2 else "G2" if len({category for category, _ in tools}) == 1 else "G3"


def split(rows: Sequence[SplitRow], *, count: int = 200, categories: int = 6, seed: int = 0) -> Split:
    """Disjoint sets: `count` instructions a test set at most, `categories` that are new in those of categories."""
    draw = Random(seed)
    shuffled = sorted(rows, key=lambda row: (row.group, str(row.data.get("query_id")), str(row.data["query"])))
    draw.shuffle(shuffled)
    sets = Split()
    sets.categories = _drawn({name for row in rows if row.group != "G3" for name in row.categories}, categories, draw)
    rest = _take(shuffled, sets, "category", lambda row: row.categories <= set(sets.categories), count)
    rest = [row for row in rest if not row.categories & set(sets.categories)]
    tools = _new_tools([row for row in rest if row.group == "G1"], count, draw)
    sets.tools = tuple(sorted(tool for _, tool in tools))
    rest = _take(rest, sets, "tool", lambda row: row.tools <= tools, count)
    rest = [row for row in rest if not row.tools & tools]
    _take_instructions(rest, sets, count)
    sets.dropped = len(rows) - sum(sets.counts().values())
    return sets


def _take_instructions(rest: Sequence[SplitRow], made: Split, count: int) -> None:
    """The test sets of new instructions, and what is left to learn from."""
    uses = Counter(tool for row in rest for tool in row.tools)
    for row in rest:
        tested = made.sets[f"test/{row.group}_instruction"]
        # What is new is the instruction alone: each of its tools is in another row that is learned from.
        if len(tested) < min(count, len(rest) // 4) and all(uses[tool] > 1 for tool in row.tools):
            tested.append(row)
            uses.subtract(row.tools)
        else:
            made.sets[f"train/{row.group}"].append(row)


def _drawn(names: Iterable[str], count: int, draw: Random) -> tuple[str, ...]:
    """Some of the names; at least half of them are left to learn from."""
    every = sorted(names)
    return tuple(sorted(draw.sample(every, min(count, len(every) // 2))))


def _new_tools(rows: Sequence[SplitRow], count: int, draw: Random) -> frozenset[tuple[str, str]]:
    """Tools whose rows come to `count`, or to a quarter of what there is; a tool's category keeps others."""
    of_tool = Counter(tool for row in rows for tool in row.tools)
    left = Counter(category for category, _ in of_tool)
    chosen: set[tuple[str, str]] = set()
    wanted = min(count, len(rows) // 4)
    for tool in draw.sample(sorted(of_tool), len(of_tool)):
        if left[tool[0]] > 1 and sum(of_tool[one] for one in chosen) + of_tool[tool] <= wanted:
            chosen.add(tool)
            left[tool[0]] -= 1
    return frozenset(chosen)


def _take(
    rows: Sequence[SplitRow], made: Split, level: str, is_new: Callable[[SplitRow], bool], count: int
) -> list[SplitRow]:
    """The rows that are left when those of a level were put into their test sets."""
    left = []
    for row in rows:
        tested = made.sets[f"test/{row.group}_{level}"] if level in LEVELS[row.group] else None
        if tested is not None and is_new(row) and len(tested) < count:
            tested.append(row)
        else:
            left.append(row)
    return left


@dataclass(frozen=True, slots=True)
class GroupStatistics:
    """Means over the instructions of a group (ToolLLM v1, table 6); relevant APIs, and their tools and categories."""

    group: str
    instructions: int
    words: float
    apis: float
    tools: float
    categories: float

    def to_json(self) -> dict[str, Json]:
        rounded = {name: round(getattr(self, name), 2) for name in ("words", "apis", "tools", "categories")}
        return {"group": self.group, "instructions": self.instructions, **rounded}


def statistics(rows: Sequence[SplitRow]) -> list[GroupStatistics]:
    """The statistics of each group, in the order of their names."""
    groups: dict[str, list[SplitRow]] = defaultdict(list)
    for row in rows:
        groups[row.group].append(row)
    return [_statistics(group, groups[group]) for group in sorted(groups)]


def _statistics(group: str, rows: Sequence[SplitRow]) -> GroupStatistics:
    needed = [relevant(row.data) for row in rows]
    return GroupStatistics(
        group,
        len(rows),
        fmean(len(str(row.data["query"]).split()) for row in rows),
        fmean(len(names) for names in needed),
        fmean(len({(name.category, name.tool) for name in names}) for names in needed),
        fmean(len({name.category for name in names}) for names in needed),
    )


def to_text(found: Sequence[GroupStatistics]) -> str:
    """A column a group, as in the paper's table."""
    lines: Mapping[str, str] = {
        "instructions": "instructions",
        "words": "average word count",
        "apis": "average relevant API count",
        "tools": "average tool count",
        "categories": "average category count",
    }
    rows = [f"{'':28}" + "".join(f"{one.group:>9}" for one in found)]
    for name, title in lines.items():
        rows.append(f"{title:28}" + "".join(_cell(getattr(one, name)) for one in found))
    return "\n".join(rows)


def _cell(value: float) -> str:
    return f"{value:>9.2f}" if isinstance(value, float) else f"{value:>9}"
