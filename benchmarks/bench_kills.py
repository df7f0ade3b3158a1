"""Explorations that write, killed (`kill -9`) at random moments and resumed, beside ones that ran to their end.

Seeded: half of the kills are at requests that may change something, which are few and matter most. The bundled
services answer the same each time, so everything is compared; other services draw ids and count time, so what is
compared there is how many calls were made, what is left, and what was harmed. Chroma, and Kinto with somebody's data,
are there where the kit is that starts them (`tests/kills.py`, KIT).
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from kills import (
    KIT,
    Ending,
    Kill,
    Subject,
    bundled,
    differences,
    drawn_kills,
    explore,
    kinto_subject,
    kit_subject,
    unaccounted,
)
from table import Row, render

KILLS = int(os.environ.get("KILLS") or 100)
CALLS = 400
SIDE_BY_SIDE = 8
BESIDE = SIDE_BY_SIDE + 8
"""Requests that may come more: what was on the wire, and the looks when the run goes on."""
OPTIONS = ("--max-calls", str(CALLS), "--concurrency", str(SIDE_BY_SIDE))
Start = Callable[[], AbstractContextManager[Subject]]


@dataclass(frozen=True)
class Series:
    """The whole run of a service, and those that were killed, with how each of them differs from it."""

    whole: Ending
    resumed: list[Ending]
    different: dict[Kill, list[str]]

    @property
    def killed(self) -> int:
        return sum(ending.killed for ending in self.resumed)

    @property
    def unaccounted(self) -> int:
        return sum(len(unaccounted(ending)) for ending in self.resumed)

    @property
    def calls_apart(self) -> int:
        """By how many calls a run that was killed differs from the whole one, at most."""
        return max(abs(ending.summary["calls"] - self.whole.summary["calls"]) for ending in self.resumed)

    @property
    def over(self) -> int:
        """How many requests were sent beyond the budget, at most."""
        return max(0, *(ending.sent - CALLS for ending in self.resumed))


def main() -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        others = {"kinto": KILLS // 4} if not KIT.exists() else {"kinto": KILLS // 5, "chroma": KILLS // 10}
        tables = [_bundled_table(_series(bundled, KILLS - sum(others.values()), folder / "bundled"))]
        tables += [_other_table(service, count, folder) for service, count in others.items() if count]
    return "\n".join(tables)


def _bundled_table(series: Series) -> str:
    same = len(series.resumed) - len(series.different)
    count = len(series.resumed)
    what = "ended with the same calls, facts, changes and account"
    rows = [*_common(series), Row(what, f"{same} of {count}", str(count), same == count)]
    lines = [f"{kill}: {told[:5]}" for kill, told in series.different.items()]
    return "\n".join([render("Kills: the bundled services", rows), *lines])


def _other_table(service: str, count: int, folder: Path) -> str:
    (folder / service).mkdir()

    def start() -> AbstractContextManager[Subject]:
        return kit_subject(service, folder / service) if KIT.exists() else kinto_subject(folder / service)

    return render(f"Kills: {service}", _common(_series(start, count, folder / service)))


def _common(series: Series) -> list[Row]:
    left, over = series.unaccounted, series.over
    return [
        Row("runs", str(len(series.resumed))),
        Row("of these killed", str(series.killed)),
        Row("calls more or fewer than uninterrupted, at most", str(series.calls_apart)),
        Row(f"requests over --max-calls {CALLS}, at most", str(over), f"<= {BESIDE}", over <= BESIDE),
        Row("items left and not in the account, or others' harmed", str(left), "0", left == 0),
    ]


def _series(start: Start, count: int, folder: Path) -> Series:
    with start() as subject:
        whole = explore(subject, folder / "whole", *OPTIONS)
    resumed, different = [], {}
    for number, kill in enumerate(drawn_kills(whole, count, seed=100)):
        with start() as subject:
            ending = explore(subject, folder / str(number), *OPTIONS, kills=[kill])
        resumed.append(ending)
        if told := differences(whole, ending, more=BESIDE):
            different[kill] = told
    return Series(whole, resumed, different)


if __name__ == "__main__":
    print(main())
