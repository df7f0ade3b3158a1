"""Scores: of what was hidden, what was found again; of what was said, what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from docrev.eval.judging import agrees, judge
from docrev.eval.statements import TextStatement
from docrev.eval.truth import Truth
from docrev.records import Json


@dataclass(slots=True)
class Tally:
    """Counts of one kind. `hidden` and `recovered` are of the truth; `right`, `wrong`, `silent` of what was said."""

    hidden: int = 0
    recovered: int = 0
    right: int = 0
    wrong: int = 0
    silent: int = 0

    @property
    def recall(self) -> float | None:
        return self.recovered / self.hidden if self.hidden else None

    @property
    def precision(self) -> float | None:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None

    def to_json(self) -> dict[str, Json]:
        counts = {name: getattr(self, name) for name in ("hidden", "recovered", "right", "wrong", "silent")}
        return {**counts, "recall": _rounded(self.recall), "precision": _rounded(self.precision)}


@dataclass(slots=True)
class Score:
    """A tally a kind (those of responses apart), what is wrong with what is true instead, and what is missed."""

    kinds: dict[str, Tally] = field(default_factory=dict)
    wrong: list[tuple[TextStatement, Json]] = field(default_factory=list)
    missed: list[TextStatement] = field(default_factory=list)
    silent: list[TextStatement] = field(default_factory=list)

    @property
    def total(self) -> Tally:
        """All kinds together."""
        total = Tally()
        for tally in self.kinds.values():
            for name in ("hidden", "recovered", "right", "wrong", "silent"):
                setattr(total, name, getattr(total, name) + getattr(tally, name))
        return total

    @property
    def mean_recall(self) -> float | None:
        """The mean over kinds: many types do not hide that no sort was found."""
        found = [tally.recall for tally in self.kinds.values() if tally.recall is not None]
        return sum(found) / len(found) if found else None

    def to_json(self) -> dict[str, Json]:
        return {
            "total": self.total.to_json(),
            "mean_recall": _rounded(self.mean_recall),
            "kinds": {name: self.kinds[name].to_json() for name in sorted(self.kinds)},
            "wrong": [{**said.to_json(), "truth": told} for said, told in self.wrong],
            "missed": [statement.to_json() for statement in self.missed],
        }


def score(said: Iterable[TextStatement], truth: Truth, hidden: Callable[[TextStatement], bool] | None = None) -> Score:
    """Hold what was said against the truth. `hidden` chooses the statements that were to be found; None: all."""
    result, agreed = Score(), set()
    for statement in said:
        verdict = judge(statement, truth)
        tally = result.kinds.setdefault(label(statement), Tally())
        setattr(tally, verdict, getattr(tally, verdict) + 1)
        true = truth.statements.get(statement.place)
        if verdict == "wrong":
            result.wrong.append((statement, true.value if true is not None else None))
        elif verdict == "silent":
            result.silent.append(statement)
        elif true is not None and agrees(statement, true):
            agreed.add(statement.place)
    for place, true in truth.statements.items():
        if hidden is None or hidden(true):
            tally = result.kinds.setdefault(label(true), Tally())
            tally.hidden += 1
            if place in agreed:
                tally.recovered += 1
            else:
                result.missed.append(true)
    return result


def label(statement: TextStatement) -> str:
    """The row of a table that a statement counts in: its kind, or that of the answer it is on."""
    return f"response {statement.kind}" if statement.location[:1].isdecimal() else statement.kind


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
