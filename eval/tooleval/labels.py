"""The rules of ToolEval's pass rate, and what several votes come to (ToolLLM v2 appendix, "Details for Pass Rate")."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from docrev.prompts.judging import Solvable, Status
from docrev.records import Finish, OperationKey, Trajectory

Label = Literal["pass", "fail", "unsure"]
WORTH: dict[Status | Label, float] = {"solved": 1.0, "pass": 1.0, "unsure": 0.5, "unsolved": 0.0, "fail": 0.0}
"""What a verdict counts."""
REFUSAL = re.compile(
    r"\b(sorry|apologi[sz]e|apology|unfortunately|couldn['’]t|can(?:not|['’]t)|could not|unable to)\b", re.IGNORECASE
)


def label(
    solvable: Solvable, finish: Finish, status: Status, *, tried_all: bool, informed: bool, refused: bool
) -> Label:
    """Whether a solution path passes.

    `tried_all`: every operation that was given was called; `informed`: some call gave valid information; `refused`: the
    final answer is a refusal. Where it is not sure that the task can be solved, the path passes or fails if it does so
    either way. A path that did not finish fails: ToolEval takes only those that end with Finish.
    """
    if finish not in ("answer", "give-up"):
        return "fail"
    if solvable == "unsure":
        both = {
            label(one, finish, status, tried_all=tried_all, informed=informed, refused=refused)
            for one in ("solvable", "unsolvable")
        }
        return both.pop() if len(both) == 1 else "unsure"
    helpless = tried_all and not informed
    if solvable == "solvable":
        return _of_solvable(finish, status, helpless=helpless)
    if finish == "give-up" or status == "solved" or refused:
        return "pass"
    return "unsure" if status == "unsure" else "fail"


def _of_solvable(finish: Finish, status: Status, *, helpless: bool) -> Label:
    if finish == "give-up":
        return "pass" if helpless else "fail"
    if status == "solved" or (status == "unsolved" and helpless):
        return "pass"
    return "unsure" if status == "unsure" else "fail"


def decided(labels: Sequence[Label]) -> Label:
    """The majority of several predictions; without one it is unsure, as no coin is thrown."""
    [(winner, count)] = Counter(labels).most_common(1) or [("unsure", 0)]
    return winner if 2 * count > len(labels) else "unsure"


def is_refusal(answer: object) -> bool:
    """Whether an answer is none: empty, or with the words of refusals (ToolPlanner's list)."""
    return answer in (None, "", [], {}) or (isinstance(answer, str) and REFUSAL.search(answer) is not None)


def is_informed(trajectory: Trajectory) -> bool:
    """Whether some call anywhere in the tree gave something: 2xx, with a body that is not empty."""
    calls = (node.call for node in trajectory.nodes if node.call is not None)
    return any(call.ok and call.body not in (None, "", [], {}) for call in calls)


def has_tried_all(trajectory: Trajectory, operations: Sequence[OperationKey]) -> bool:
    """Whether every operation that was given was called somewhere in the tree."""
    tried = {node.call.key for node in trajectory.nodes if node.call is not None}
    return bool(operations) and tried.issuperset(operations)
