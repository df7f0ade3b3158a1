"""What an exploration is given: what it works with and how it goes on; and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from sys import maxsize

from docrev.calls.journal import Journal
from docrev.calls.policy import Policy
from docrev.driver.cleaning import CleanUp
from docrev.events import Handler
from docrev.evidence import Evidence
from docrev.exploration.compare import Comparison
from docrev.exploration.experiments import Order, by_worth
from docrev.exploration.given_values import GivenValue
from docrev.exploration.scenarios import Sample, no_calls
from docrev.exploration.survey import Survey
from docrev.exploration.unreached import Unreached
from docrev.exploration.wanted_values import WantedValue
from docrev.graph.tool_graph import ToolGraph
from docrev.prompts.steps import Steps
from docrev.records import Experience, Goal, OperationKey, Scenario
from docrev.search import STRATEGIES, SearchLimits, limits_of
from docrev.settings.choices import Strategy
from docrev.spec import Catalog


@dataclass(frozen=True, slots=True)
class Method:
    """How to explore: the search strategy, or all of them side by side; one operation a scenario as the ablation.

    `toolbfs` leaves out what ToolBFS+ does not have: variations, probes, facts, trials of experience, and, if scenarios
    are `written` by a model that knows the names of things, a first call of each operation. `limits` are those of a
    search, by strategy. `probe_order` says what is probed first: unless told otherwise, what tells most for
    a call.
    `guided`: a model is asked for doubts first, designs a round of tasks at a time, and solves each in a conversation.
    """

    strategy: Strategy = "bfs"
    compare: bool = False
    single_tool: bool = False
    probe_order: Order = by_worth
    toolbfs: bool = False
    limits: Callable[[Strategy], SearchLimits] = limits_of
    guided: bool = False
    written: bool = False

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        return tuple(STRATEGIES) if self.compare else (self.strategy,)


@dataclass(slots=True)
class Workspace:
    """What an exploration works with: all of it is made by the caller and outlives the run.

    `hold` keeps a number of the `limit` requests back for later phases, `left` says how many may go out now; `sample`
    gives the calls that scenarios are made of, if the model does not have the evidence itself. `secrets` are the
    headers that say who calls. `clean_up` removes what the run created, `try_experiences` returns the experiences
    that help in a fresh task. `given` are values that a person gave; `asks`: a model may be asked what to send to an
    operation that stays unreached. `read_goal` reads the goal in the text of a scenario that a model wrote.
    """

    catalog: Catalog
    graph: ToolGraph
    evidence: Evidence
    journal: Journal
    policy: Policy
    emit: Handler
    clean_up: Callable[[], Steps[CleanUp]]
    try_experiences: Callable[[Sequence[Experience]], Steps[list[Experience]]]
    limit: int = 0
    hold: Callable[[int], None] = lambda requests: None
    left: Callable[[], int] = lambda: maxsize
    secrets: tuple[str, ...] = ()
    sample: Sample = no_calls
    given: Sequence[GivenValue] = ()
    asks: bool = False
    read_goal: Callable[[Scenario], Goal | None] = lambda scenario: None


@dataclass(slots=True)
class ExplorationOutcome:
    """What came of it. `cleaned` says what became of what the run created, `findings` say why so little was learned of
    some operations, `wanted` which values of a person would help most."""

    survey: Survey
    scenarios: int = 0
    solved: int = 0
    experiences: int = 0
    facts: int = 0
    dropped: int = 0
    cleaned: CleanUp = field(default_factory=CleanUp)
    missed: dict[OperationKey, Unreached] = field(default_factory=dict)
    wanted: tuple[WantedValue, ...] = ()
    findings: tuple[str, ...] = ()
    comparison: Comparison | None = None
