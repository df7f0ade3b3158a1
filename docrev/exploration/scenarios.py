"""Rounds of scenarios (ToolBFS+ §3.2): the least-used operation is always taken first, so each gets its turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from docrev.prompts.questions import Brief, DesignScenario, ScenarioDraft
from docrev.prompts.steps import Ask, Steps
from docrev.records import Call, OperationKey, Scenario

Sample = Callable[[OperationKey], tuple[Call, ...]]
NEVER = "no call returned 2xx"


def no_calls(key: OperationKey) -> tuple[Call, ...]:
    """For callers that know no calls of any operation."""
    return ()


@dataclass(slots=True)
class Board:
    """What the rounds keep between them. The caller owns it and keeps `working` up to date before each round.

    `operations` are all of the catalog, in canonical order; `working` those that have answered 2xx; `uses` counts in
    how many scenarios an operation was; `skipped` says why an operation got none (yet); `sample` gives the calls that
    a model may take values from (the offline engine has the evidence itself).
    """

    operations: tuple[Brief, ...]
    single_tool: bool = False
    sample: Sample = no_calls
    working: set[OperationKey] = field(default_factory=set)
    uses: dict[OperationKey, int] = field(default_factory=dict)
    skipped: dict[OperationKey, str] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)
    count: int = 0

    def keep(self, scenario: Scenario) -> None:
        self.count += 1
        self.texts.add(scenario.text)
        for key in scenario.operations:
            self.uses[key] = self.uses.get(key, 0) + 1


def design_round(board: Board, size: int) -> Steps[list[Scenario]]:
    """Up to `size` new scenarios, ids `s001`, `s002`, …; fewer if no more can be made of what is known.

    The operation used least is taken first, ties in canonical order; one that no scenario can be made for is noted in
    `board.skipped` with the reason and asked about again in the next round, when more is known.
    """
    made: list[Scenario] = []
    barren: set[OperationKey] = set()
    for brief in board.operations:
        if brief.key not in board.working:
            board.skipped[brief.key] = NEVER
    while len(made) < size and (first := _least_used(board, barren)) is not None:
        draft: ScenarioDraft = yield Ask(_question(board, first))
        if not draft.text or draft.text in board.texts:
            board.skipped[first] = draft.reason or "no new scenario can be made of what is known"
            barren.add(first)
            continue
        scenario = Scenario(f"s{board.count + 1:03d}", draft.text, draft.operations, draft.goal)
        board.keep(scenario)
        for key in scenario.operations:
            board.skipped.pop(key, None)
        made.append(scenario)
    return made


def _least_used(board: Board, barren: set[OperationKey]) -> OperationKey | None:
    able = [brief.key for brief in board.operations if brief.key in board.working and brief.key not in barren]
    return min(able, key=lambda key: board.uses.get(key, 0), default=None)


def _question(board: Board, first: OperationKey) -> DesignScenario:
    return DesignScenario(
        first=first,
        operations=board.operations,
        calls=board.sample(first),
        single_tool=board.single_tool,
        avoid=frozenset(board.texts),
    )
