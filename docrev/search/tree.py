"""The search tree that every strategy grows: nodes, ways through it, and the steps that grow it by one node.

Nothing here does I/O: `grow` and `answered` are generators of steps (see `docrev.prompts.steps`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from docrev.conventions.methods import UNSAFE_METHODS
from docrev.events import NodeAdded
from docrev.prompts.questions import (
    Brief,
    CallArguments,
    ConstructCall,
    JudgeAnswer,
    NextPlan,
    ParseResponse,
    ReadObservation,
    Verdict,
)
from docrev.prompts.steps import Ask, Invoke, Steps, Tell
from docrev.records import Call, Experience, Json, Node, OperationKey, Plan, Scenario, Solution
from docrev.settings.choices import Strategy

DEPTH, CALLS = 8, 40


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """How far a search may go. `depth` counts the final answer: 8 is at most 7 calls (ToolBFS+ §4.3).

    `published`: nothing is spared that Algorithm 1 of ToolBFS+ does: Tool-BFS goes on below failed calls too, and a
    model that gives up is asked for the other children all the same.
    """

    width: int = 3
    depth: int = DEPTH
    calls: int = CALLS
    published: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found: `solution` is None if no answer was judged correct.

    `nodes` are all nodes in the order of their making, the root first, labelled; `calls` counts the calls asked for.
    """

    scenario: Scenario
    strategy: Strategy
    solution: Solution | None
    nodes: tuple[Node, ...]
    calls: int


@dataclass(slots=True)
class Tree:
    """The nodes of one search by id, and how many calls it has asked for; `spent`: no request was left for one."""

    scenario: Scenario
    strategy: Strategy
    operations: tuple[Brief, ...]
    limits: SearchLimits
    experiences: tuple[Experience, ...] = ()
    nodes: dict[str, Node] = field(default_factory=dict)
    calls: int = 0
    spent: bool = False

    def plant(self) -> Node:
        """Add the root: no plan, no call, depth 0."""
        name = f"{self.scenario.id}/{self.strategy}/0"
        return self.add(Node(name, None, self.scenario.id, self.strategy, 0, None))

    def add(self, node: Node) -> Node:
        """Keep `node`, or put it in the place of the one with its id."""
        self.nodes[node.id] = node
        self.spent = self.spent or (node.call is not None and node.call.error == "budget")
        return node

    def history(self, node: Node) -> tuple[Node, ...]:
        """The nodes from below the root down to `node`; empty for the root."""
        way: list[Node] = []
        at: Node | None = node
        while at is not None and at.parent is not None:
            way.append(at)
            at = self.nodes[at.parent]
        return tuple(reversed(way))

    @property
    def left(self) -> int:
        return 0 if self.spent else max(0, self.limits.calls - self.calls)


def next_plan(tree: Tree, node: Node, siblings: Sequence[Plan]) -> Steps[Plan]:
    """Ask for the next plan after `node`, other than `siblings`."""
    prompt = NextPlan(
        scenario=tree.scenario,
        operations=tree.operations,
        history=tree.history(node),
        siblings=tuple(siblings),
        experiences=tree.experiences,
    )
    plan: Plan = yield Ask(prompt)
    return plan


def gives_up(plan: Plan) -> bool:
    """A final answer without an answer: the model cannot go on with these operations."""
    return plan.final and plan.answer is None


def unsafe(plan: Plan) -> bool:
    """Whether the plan calls an operation that may change something."""
    return plan.key is not None and plan.key.method in UNSAFE_METHODS


def same_plan(one: Plan, other: Plan) -> bool:
    """Whether two plans do the same, whatever their thoughts."""
    return (one.key, one.arguments, one.answer) == (other.key, other.arguments, other.answer)


def perform(tree: Tree, node: Node) -> Steps[Node]:
    """Construct the call that the node's plan chose, make it and read its response; the node as it is then.

    Plan, call and parse are the three steps of a tool invocation (ToolBFS+ §4.3).
    """
    plan, history = node.plan, tree.history(tree.nodes[node.parent or ""])
    assert plan is not None
    assert plan.key is not None
    brief = _brief(tree, plan.key)
    filled: CallArguments = yield Ask(
        ConstructCall(scenario=tree.scenario, operation=brief, plan=plan, history=history)
    )
    call: Call = yield Invoke(plan.key, filled.arguments, "scenario", tree.scenario.id)
    seen: ReadObservation = yield Ask(ParseResponse(scenario=tree.scenario, plan=plan, call=call))
    return (yield from _announced_node(replace(node, call=call, observation=seen.text)))


def judge(tree: Tree, node: Node) -> Steps[Node]:
    """Have the node's final answer judged (ToolBFS+ appendix A.4)."""
    plan = node.plan
    assert plan is not None
    answer: Json = plan.answer
    history = (*tree.history(tree.nodes[node.parent or ""]), node)
    verdict: Verdict = yield Ask(
        JudgeAnswer(scenario=tree.scenario, operations=tree.operations, history=history, answer=answer)
    )
    return (yield from _announced_node(replace(node, correct=verdict.correct, reason=verdict.reason)))


def _announced_node(node: Node) -> Steps[Node]:
    """The node after it was announced: it is kept as soon as it is finished, not at the end of the search."""
    yield Tell(NodeAdded(node))
    return node


def _brief(tree: Tree, key: OperationKey) -> Brief:
    for brief in tree.operations:
        if brief.key == key:
            return brief
    return Brief(key=key)
