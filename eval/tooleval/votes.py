"""Stored votes of ToolEval: pass rates and preferences, and what they come to."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from docrev.errors import InputError
from docrev.prompts.judging import Status
from docrev.records import Json

from ..metrics.paths import Share
from ..suites.reading import read_json, read_text

STATUS: Mapping[str, Status] = {
    "AnswerStatus.Solved": "solved",
    "AnswerStatus.Unsolved": "unsolved",
    "AnswerStatus.Unsure": "unsure",
}
WORTH: Mapping[Status, float] = {"solved": 1.0, "unsure": 0.5, "unsolved": 0.0}
Votes = Mapping[str, tuple[Status, ...]]
"""The votes on each task, in the order of their rounds."""


class Duel(NamedTuple):
    """Of votes between two answers, how many were for the first and for the second; the rest were ties."""

    first: int
    second: int
    total: int

    @property
    def win_rate(self) -> float | None:
        """The second's share, ties split (ToolLLM v2 appendix)."""
        return (self.second + (self.total - self.first - self.second) / 2) / self.total if self.total else None


def read_votes(file: Path) -> Votes:
    """A file of pass-rate results, by query id. Raises InputError where it is none."""
    tree = read_json(file)
    if not isinstance(tree, dict):
        raise InputError("is no file of pass-rate results", where=str(file))
    return {task: _statuses(entry, f"{file} {task}") for task, entry in tree.items()}


def _statuses(entry: Json, where: str) -> tuple[Status, ...]:
    told = entry.get("is_solved") if isinstance(entry, dict) else None
    rounds = sorted(told.items(), key=lambda one: int(one[0])) if isinstance(told, dict) else [("0", told)]
    votes = [str(status) for _, status in rounds]
    unknown = [vote for vote in votes if vote not in STATUS]
    if unknown:
        raise InputError(f"{unknown[0]!r} is no vote", where=where, fix=f"votes are {', '.join(STATUS)}")
    return tuple(STATUS[vote] for vote in votes)


def solvable_pass_rate(votes: Votes) -> Share:
    """Votes for solved of all votes, unsure counting half (SoPR, StableToolBench §4): requests are held solvable."""
    every = [vote for task in sorted(votes) for vote in votes[task]]
    return Share(sum(WORTH[vote] for vote in every), len(every))


def majority(votes: tuple[Status, ...]) -> Status:
    """The verdict of several votes: more than half of them; else unsure, as no coin is thrown."""
    [(status, count)] = Counter(votes).most_common(1) or [("unsure", 0)]
    return status if 2 * count > len(votes) else "unsure"


def read_preferences(file: Path, first: str, second: str) -> Mapping[str, Duel]:
    """A file of preferences between two methods, by query id. Raises InputError where it is none of these two."""
    tree = read_json(file)
    if not isinstance(tree, dict):
        raise InputError("is no file of preferences", where=str(file))
    return {task: _duel(entry, first, second, f"{file} {task}") for task, entry in tree.items()}


def _duel(entry: Json, first: str, second: str, where: str) -> Duel:
    counts = [entry.get(name) for name in (first, second)] if isinstance(entry, dict) else []
    known = [count for count in counts if isinstance(count, int)]
    if len(known) != 2:
        raise InputError(f"has no votes on {first} and {second}", where=where)
    rounds = sum(1 for name in entry if str(name).startswith("round_"))
    return Duel(known[0], known[1], max(rounds, sum(known)))


def preferences(duels: Mapping[str, Duel]) -> Duel:
    """All votes together."""
    return Duel(*(sum(duel[at] for duel in duels.values()) for at in range(3)))


def read_table(file: Path) -> list[dict[str, str]]:
    """A table of ToolEval (`.csv`, yet separated by tabs), one dict a row. InputError where it is none."""
    # Cells hold whole responses: more than the module's 131,072 characters may come.
    csv.field_size_limit(50 * 2**20)
    try:
        rows = [dict(row) for row in csv.DictReader(io.StringIO(read_text(file)), delimiter="\t", strict=True)]
    except csv.Error as error:
        raise InputError(f"is no table: {error}", where=str(file)) from error
    if not rows or any(None in row or None in row.values() for row in rows):
        raise InputError("is no table of ToolEval", where=str(file))
    return rows
