"""ToolEval's two numbers for stored predictions: the pass rate, and the win rate over a reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, pstdev

from docrev.models import Model
from docrev.prompts.judging import Status
from docrev.records import Json

from ..intervals import Interval, wilson
from .judging import VOTES, answered, judge_better, judge_pass
from .labels import WORTH, Label
from .predictions import Prediction, Predictions


@dataclass(frozen=True, slots=True)
class SetScore:
    """One set: `votes` are those on passing by request (1, 0.5, 0), `preferences` those for the reference and for the
    model. `stored` requests were judged before; the others were judged now."""

    name: str
    votes: Mapping[str, tuple[float, ...]]
    preferences: Mapping[str, tuple[float, float]]
    stored: int

    @property
    def passed(self) -> float:
        """The pass rate: the mean over requests of the mean of their votes (StableToolBench's SoPR)."""
        return mean(mean(votes) for votes in self.votes.values()) if self.votes else 0.0

    @property
    def spread(self) -> float:
        """The standard deviation of the pass rate over the rounds of votes."""
        rounds = min((len(votes) for votes in self.votes.values()), default=0)
        return pstdev([mean(votes[at] for votes in self.votes.values()) for at in range(rounds)]) if rounds else 0.0

    @property
    def interval(self) -> Interval:
        return wilson(self.passed * len(self.votes), len(self.votes))

    @property
    def wins(self) -> tuple[int, int, int]:
        """How many requests were won, tied and lost, by the majority of the votes."""
        ahead = [mine - other for other, mine in self.preferences.values()]
        return sum(one > 0 for one in ahead), sum(one == 0 for one in ahead), sum(one < 0 for one in ahead)

    @property
    def preferred(self) -> tuple[float, float]:
        """All votes for the model, and all for the reference."""
        return sum(mine for _, mine in self.preferences.values()), sum(other for other, _ in self.preferences.values())

    def to_json(self) -> dict[str, Json]:
        win, tie, lose = self.wins
        mine, other = self.preferred
        return {
            "set": self.name,
            "requests": len(self.votes),
            "judged_before": self.stored,
            "pass": round(self.passed, 6),
            "spread": round(self.spread, 6),
            "wins": {"win": win, "tie": tie, "lose": lose} if self.preferences else None,
            "votes": [mine, other] if self.preferences else None,
        }


async def score(
    predictions: Sequence[Predictions], judge: Model, references: Sequence[Predictions] = (), votes: int = VOTES
) -> list[SetScore]:
    """The score of each set; a request whose votes lie beside the predictions is not judged again.

    References are taken by the name of the set; requests that a reference lacks are not compared.
    """
    by_name = {one.name: one for one in references}
    return [await _score(one, judge, by_name.get(one.name), votes) for one in predictions]


async def _score(mine: Predictions, judge: Model, reference: Predictions | None, votes: int) -> SetScore:
    stored = mine.statuses()
    passed: dict[str, tuple[float, ...]] = {}
    for request, one in mine.of_request.items():
        statuses = stored.get(request)
        if statuses is None:
            judged = await answered(judge_pass(one.task, one.trajectory, one.tools, votes=votes), judge)
            passed[request] = tuple(WORTH[label] for label in judged.labels)
        else:
            passed[request] = tuple(WORTH[status] for status in statuses)
    preferred = await _preferred(mine, reference, judge, votes, passed) if reference is not None else {}
    return SetScore(mine.name, passed, preferred, sum(request in stored for request in passed))


async def _preferred(
    mine: Predictions, reference: Predictions, judge: Model, votes: int,
    passed: Mapping[str, tuple[float, ...]],
) -> dict[str, tuple[float, float]]:  # fmt: skip
    stored, others = mine.preferences(reference), reference.statuses()
    ballots: dict[str, tuple[float, float]] = {}
    for request, one in mine.of_request.items():
        other = reference.of_request.get(request)
        if request in stored:
            ballots[request] = stored[request]
        elif other is not None:
            before = await _label(other, others.get(request), judge, votes)
            labels = before, _decided(passed[request])
            compared = await answered(
                judge_better(one.task, other.trajectory, one.trajectory, labels, votes=votes), judge
            )
            ballot = compared.votes or (compared.won,)
            ballots[request] = (ballot.count("first"), ballot.count("second"))
    return ballots


async def _label(one: Prediction, statuses: Sequence[Status] | None, judge: Model, votes: int) -> Label:
    if statuses is not None:
        return _decided([WORTH[status] for status in statuses])
    return (await answered(judge_pass(one.task, one.trajectory, one.tools, votes=votes), judge)).label


def _decided(votes: Sequence[float]) -> Label:
    share = mean(votes)
    return "pass" if share > 0.5 else "fail" if share < 0.5 else "unsure"


def to_text(model: str, judge: str, scores: Sequence[SetScore], reference: str = "") -> str:
    """One row a set, and their average."""
    return "\n".join(_rows(model, judge, scores, reference))


def _rows(model: str, judge: str, scores: Sequence[SetScore], reference: str) -> Iterator[str]:
    against = f"  votes against {reference}, wins, ties, losses" if reference else ""
    stored, all_requests = sum(one.stored for one in scores), sum(len(one.votes) for one in scores)
    who = "stored votes" if stored == all_requests else f"stored votes and {judge}" if stored else judge
    yield f"{model:28}{'requests':>9}  {f'pass ({who})':24}{against}".rstrip()
    for one in scores:
        low, high = one.interval
        passed = f"{100 * one.passed:.1f} ± {100 * one.spread:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
        mine, other = one.preferred
        compared = f"  {mine:g} to {other:g}, {', '.join(map(str, one.wins))}" if one.preferences else ""
        yield f"{one.name:28}{len(one.votes):>9}  {passed:24}{compared}".rstrip()
    if len(scores) > 1:
        yield f"{'average':28}{'':>9}  {100 * mean(one.passed for one in scores):.1f}"
