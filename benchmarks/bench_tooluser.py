"""A tool user made from nothing in minutes, on services that it has never seen, beside BM25 and chance.

It trains for DOCREV_TOOLUSER_MINUTES (4; the size `nano` is meant for 19 on two cores) and is then tried in
DOCREV_TOOLUSER_WORLDS (8) services. Then it is trained as long beside ways through the bundled specs, which the offline
agent found in a simulated world, and asked other things in another world: beside that agent, and beside the tool user
that knows invented services alone. With DOCREV_TOOLUSER_VARIANTS=1 it is trained again as many steps: without primed
weights, without a curriculum; and gone on with a quarter as long, whole and by LoRA.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from table import Row, render

from docrev.eval.intervals import wilson
from docrev.models.tooluser.model import ToolUser
from docrev.train.toolllama.annotated import read_annotated
from docrev.train.toolllama.scratch import SIZES, TrainingProgress, train
from docrev.train.toolllama.trial import whole_trial

MINUTES = float(os.environ.get("DOCREV_TOOLUSER_MINUTES", "4"))
WORLDS = int(os.environ.get("DOCREV_TOOLUSER_WORLDS", "8"))
VARIANTS = os.environ.get("DOCREV_TOOLUSER_VARIANTS") == "1"
ENOUGH = 10
"""Minutes from which on it is to be better than BM25."""
RANK = 8
NANO = SIZES["nano"]
WAYS, ASKED, ELSEWHERE = 1000, 150, 99
"""Instructions of which ways are made, those that are asked in the end, and the seed of their world."""
SPECS = Path(__file__).resolve().parents[1] / "specs"
FEWER = 300
"""Services that variants learn from."""


def main() -> str:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "nano")
        log = train(NANO, folder, minutes=MINUTES)
        report = whole_trial(ToolUser(folder), WORLDS)
        rows = [*_steps(report["steps"]), *_tasks(report["tasks"]), *_differences(report["differences"])]
        end = log[-1]
        took = f"{end.minutes:.0f} minutes by the clock, {end.cpu:.1f} of a processor, {end.steps} steps"
        hint = "" if MINUTES >= ENOUGH else "; DOCREV_TOOLUSER_MINUTES=19 trains it as it is meant"
        title = f"Tool user from nothing (nano): {took}; {WORLDS} services never seen{hint}"
        parts = [render(title, rows), render("Its curve, on other services never seen", list(map(_point, _thin(log))))]
        parts.append(
            render("Tool user beside ways through the bundled specs: instructions of another world", _own(folder))
        )
        if VARIANTS:
            parts.append(render("What it is worth, at the end, on other services never seen", _variants(log, folder)))
    return "\n".join(parts)


def _steps(found: list[dict[str, Any]]) -> list[Row]:
    by = {(row["docs"], row["choice"], row["what"]): row for row in found}
    good = by["good", "all", "right function"]
    chance, words = (by["good", "all", f"{name}: right function"] for name in ("chance", "BM25"))
    whole = [row for row in found if row["what"] == "well-formed"]
    formed = all(row["hits"] == row["total"] for row in whole)
    rows = [
        Row("actions well-formed", f"{sum(row['hits'] for row in whole)} of {sum(row['total'] for row in whole)}",
            "all", formed),
        Row("right function", _shown(good), "interval above chance", good["low"] > chance["high"]),
        Row("  chance, of those that can be called", _shown(chance)),
        Row("  BM25, of those not called yet", _shown(words), f"below that, from {ENOUGH} minutes on",
            good["low"] > words["high"] if MINUTES >= ENOUGH else None),
    ]  # fmt: skip
    for docs, choice, told in (
        ("good", "all", ""),
        ("poor", "all", "poor documents: "),
        ("good", "crowded", "crowded: "),
    ):
        for what in ("right function", "right arguments of a right function", "right call", "right answer"):
            if told or what != "right function":
                rows.append(Row(f"{told}{what}", _shown(by[docs, choice, what])))
    return rows


def _tasks(found: list[dict[str, Any]]) -> list[Row]:
    return [Row(f"tasks solved by {row['what']}", _shown(row)) for row in found]


def _differences(found: list[dict[str, Any]]) -> list[Row]:
    def points(row: dict[str, Any]) -> str:
        return f"{100 * row['rate']:+.1f} [{100 * row['low']:+.1f}, {100 * row['high']:+.1f}]"

    return [Row(row["what"], points(row)) for row in found]


def _shown(row: dict[str, Any]) -> str:
    return f"{row['rate']:.1%} [{row['low']:.1%}, {row['high']:.1%}]"


def _thin(log: list[TrainingProgress]) -> list[TrainingProgress]:
    """Every third line and the last."""
    return [one for at, one in enumerate(log) if at % 3 == 2 or one is log[-1]]


def _point(one: TrainingProgress) -> Row:
    what = f"{one.minutes:.1f} min ({one.cpu:.1f} of a processor), {one.steps} steps"
    return Row(what, f"right function or end {one.right:.1%}, whole action {one.exact:.1%}")


def _own(plain: Path) -> list[Row]:
    place = plain.parent
    ways = _annotated(place / "ways", WAYS, "0") / "conversations.json"
    own = read_annotated([ways])
    end = train(NANO, place / "own", minutes=MINUTES, own=own)[-1]
    rows = [
        Row("ways learned from, of instructions", f"{len(own.learned)} of {WAYS}"),
        Row("right function or end, own tasks held out", f"{end.own_right or 0:.1%}"),
        Row("  invented services never seen", f"{end.right:.1%}"),
        _solved("solved by the offline agent", place / "asked", "dfsdt"),
    ]
    for what, model in (("tool user with own ways", place / "own"), ("tool user of invented services alone", plain)):
        for method in ("react", "dfsdt"):
            rows.append(_solved(f"solved by the {what}, {method}", place / "asked", method, model))
    return rows


def _solved(what: str, place: Path, method: str, model: Path | None = None) -> Row:
    found = _annotated(place, ASKED, str(ELSEWHERE), "--fresh", "--runner", method, *_named(model))
    told = json.loads((found / "annotations.json").read_text())
    low, high = wilson(told["kept"], told["instructions"])
    return Row(what, f"{told['kept']} of {told['instructions']}: {told['kept'] / told['instructions']:.1%} "
                     f"[{low:.1%}, {high:.1%}]")  # fmt: skip


def _named(model: Path | None) -> tuple[str, ...]:
    return () if model is None else ("--model", f"local:{model}")


def _annotated(place: Path, count: int, seed: str, *options: str) -> Path:
    """The folder with the ways of so many instructions."""
    place.mkdir(exist_ok=True)
    file, world = place / "instructions.json", (str(SPECS), "--simulate", "--seed", seed)
    if not file.exists():
        _docrev("generate", "instructions", *world, "-n", str(count), "-o", str(file))
    _docrev("generate", "annotations", str(file), *world, "-o", str(place / "solved"), *options)
    return place / "solved"


def _docrev(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "docrev", *words], check=True, capture_output=True)


def _variants(log: list[TrainingProgress], folder: Path) -> list[Row]:
    steps = log[-1].steps
    rows = [_variant("all of it", log[-1])]
    less = replace(NANO, worlds=FEWER)
    for name, shape in (
        (f"{FEWER} services", less),
        ("  without primed weights", replace(less, primed=False)),
        ("  without a curriculum", replace(less, staged=False)),
    ):
        rows.append(_variant(name, train(shape, folder.with_name("other"), steps=steps)[-1]))
    for name, rank, rate in (
        ("gone on with for a quarter more, whole", 0, NANO.rate / 4),
        (f"  by LoRA of rank {RANK}", RANK, NANO.rate),
    ):
        more = train(replace(less, rate=rate), folder.with_name("more"), steps=steps // 4, start=folder, rank=rank)
        rows.append(_variant(name, more[-1]))
    return rows


def _variant(name: str, one: TrainingProgress) -> Row:
    return Row(name, f"right function or end {one.right:.1%}, whole action {one.exact:.1%}, loss {one.loss:.3f}")
