"""Runners: tool-use agents over any catalog and any model, as generators of steps without I/O."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from docrev.errors import UsageError
from docrev.prompts.steps import Steps
from docrev.records import Task, Trajectory

from .chameleon import chameleon
from .compression import CompressionRule
from .dfsdt import dfsdt
from .react import TRIES, react, repeated
from .reflect import reflect
from .restgpt import restgpt
from .rules import Rules, read_rules
from .toolbox import Toolbox
from .toolplanner import ablated, toolplanner
from .track import TrackLimits

__all__ = ["MEASURE", "RUNNERS", "CompressionRule", "Rules", "Runner", "Toolbox", "TrackLimits", "read_rules", "runner"]

Runner: TypeAlias = Callable[[Task, Toolbox, TrackLimits], Steps[Trajectory]]
"""An agent: yields steps, returns the trajectory; raises nothing of its own, whatever the model says."""

RUNNERS: dict[str, Runner] = {
    "react": react,
    "react@N": repeated("react@N", TRIES),
    "reflect": reflect,
    "chameleon": chameleon,
    "restgpt": restgpt,
    "dfsdt": dfsdt,
    "toolplanner": toolplanner,
}
_ABLATED = re.compile(r"toolplanner(-tags)?(-path)?")
_REPEATED = re.compile(r"(react|cot)@(N|[1-9]\d*)")
MEASURE = {"react@N": "dfsdt", "cot@N": "dfsdt"}
"""Agents that may ask as many questions for a task as another one asked for it (ToolLLM §3.3: ReACT@N)."""


def runner(name: str) -> Runner:
    """The runner of this name; `react@5` (or `cot@5`, as ToolBench calls it) starts over up to five times in all.

    `toolplanner-tags`, `toolplanner-path` and `toolplanner-tags-path` go without what they name.

    Raises UsageError if there is none.
    """
    match = _REPEATED.fullmatch(name)
    if match is not None:
        return repeated(name, TRIES if match[2] == "N" else int(match[2]))
    match = _ABLATED.fullmatch(name)
    if match is not None and name not in RUNNERS:
        return ablated(name, tags=match[1] is None, path=match[2] is None)
    if name not in RUNNERS:
        raise UsageError(f"no runner {name}", where="--runner", fix=f"one of {', '.join(RUNNERS)}, or react@NUMBER")
    return RUNNERS[name]
