"""Traces: a task is solved as one conversation, and siblings are opened only where it went wrong.

Breadth costs questions at every level though most first plans are right; here it is paid where a judge, or a failure,
has shown the step that was not. A call that failed is a sibling of what was done next: what leads nowhere is not on the
way to the answer, so a choice between the two can be learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from docrev.conventions.methods import SAFE_METHODS
from docrev.events import NodeAdded
from docrev.prompts.exploring import JudgeTraces, ModelCall, NextTurn, Trace, TraceVerdict, TraceVerdicts, Turn
from docrev.prompts.questions import Brief
from docrev.prompts.steps import Ask, Invoke, Steps, Tell
from docrev.records import Call, Experience, Node, Plan, Scenario
from docrev.search.node_labels import finished
from docrev.search.tree import SearchLimits, SearchResult, Tree, same_plan
from docrev.settings.choices import Strategy

LIMITS = SearchLimits(width=3, depth=8, calls=16)
"""Ways that a task is tried in, steps of one way, and calls in all."""
TOGETHER = 8
"""Tasks that are judged in one question."""


@dataclass(slots=True)
class _Conversation:
    """One task. `said` are its nodes in the order of their making; `answer` is the final one of the last way."""

    tree: Tree
    reads: bool
    root: Node
    said: list[Node] = field(default_factory=list)
    answer: Node | None = None
    correct: Node | None = None
    ways: int = 0
    siblings: list[Plan] = field(default_factory=list)
    wrong: str = ""

    @property
    def operations(self) -> tuple[Brief, ...]:
        """What only reads is solved by what only reads: such tasks are solved side by side."""
        briefs = self.tree.operations
        return tuple(brief for brief in briefs if brief.key.method in SAFE_METHODS) if self.reads else briefs

    @property
    def may_go_on(self) -> bool:
        return self.correct is None and self.ways < self.tree.limits.width and self.tree.left > 0


def solve_tasks(
    scenarios: Sequence[Scenario], operations: Sequence[Brief], experiences: Sequence[Experience], strategy: Strategy
) -> Steps[list[SearchResult]]:
    """Solve a round of tasks; the results are in their order. `strategy` is the name that nodes go by."""
    started = [_started(scenario, operations, experiences, strategy) for scenario in scenarios]
    while waiting := [one for one in started if one.may_go_on]:
        reading = [one for one in waiting if one.reads]
        if reading:
            yield [_converse(one) for one in reading]
        for one in waiting:
            if not one.reads:
                yield from _converse(one)
        yield from _judge(waiting)
    return [finished(one.tree, one.correct) for one in started]


def _started(
    scenario: Scenario, operations: Sequence[Brief], experiences: Sequence[Experience], strategy: Strategy
) -> _Conversation:
    tree = Tree(scenario, strategy, tuple(operations), LIMITS, tuple(experiences))
    reads = all(key.method in SAFE_METHODS for key in scenario.operations)
    return _Conversation(tree, reads, tree.plant())


def _converse(one: _Conversation) -> Steps[None]:
    """Go on until there is an answer, or the model gives up."""
    one.ways, one.answer = one.ways + 1, None
    for _ in range(one.tree.limits.depth):
        turn: Turn = yield Ask(_question(one))
        if not turn.calls:
            plan = Plan(turn.thought, answer=turn.answer)
            one.answer = one.tree.add(_child(one, plan)) if turn.answer is not None else None
            return
        made = yield from _call(one, turn)
        if not made:
            return


def _question(one: _Conversation) -> NextTurn:
    return NextTurn(
        scenario=one.tree.scenario,
        operations=one.operations,
        history=tuple(one.said),
        siblings=tuple(one.siblings),
        wrong=one.wrong,
        experiences=one.tree.experiences,
    )


def _call(one: _Conversation, turn: Turn) -> Steps[bool]:
    """Make the calls of a turn that were not made before, as far as the limits go; False if there is none."""
    before = [node.plan for node in one.said if node.plan is not None] + one.siblings
    plans = [_plan(turn, call) for call in turn.calls]
    new = [plan for plan in plans if not any(same_plan(plan, other) for other in before)][: one.tree.left]
    if not new:
        return False
    one.tree.calls += len(new)
    calls: list[Call] = yield [
        Invoke(plan.key, plan.arguments, "scenario", one.tree.scenario.id) for plan in new if plan.key is not None
    ]
    for plan, call in zip(new, calls, strict=True):
        node = one.tree.add(replace(_child(one, plan), call=call))
        one.said.append(node)
        yield Tell(NodeAdded(node))
    return True


def _plan(turn: Turn, call: ModelCall) -> Plan:
    return Plan(turn.thought, call.operation, dict(call.arguments))


def _child(one: _Conversation, plan: Plan) -> Node:
    """A node below the last call that was answered."""
    answered = [node for node in one.said if node.call is not None and node.call.ok]
    parent = answered[-1] if answered else one.root
    index = 1 + sum(node.parent == parent.id for node in one.tree.nodes.values())
    return parent.child(index, plan)


def _judge(conversations: Sequence[_Conversation]) -> Steps[None]:
    """Have the answers judged, several at a time, and go back to the step that was wrong where one was."""
    for one in conversations:
        if one.answer is None and not one.said:
            one.ways = one.tree.limits.width
        elif one.answer is None:
            _go_back(one, 0, "no answer was found")
    answered = [(one, one.answer) for one in conversations if one.answer is not None]
    for at in range(0, len(answered), TOGETHER):
        part = answered[at : at + TOGETHER]
        traces = tuple(_trace(one, node) for one, node in part)
        verdicts: TraceVerdicts = yield Ask(JudgeTraces(operations=part[0][0].tree.operations, traces=traces))
        for (one, node), verdict in zip(part, verdicts.verdicts, strict=True):
            yield from _take_in(one, node, verdict)


def _trace(one: _Conversation, answer: Node) -> Trace:
    plan = answer.plan
    return Trace(scenario=one.tree.scenario, history=tuple(one.said), answer=plan.answer if plan is not None else None)


def _take_in(one: _Conversation, answer: Node, verdict: TraceVerdict) -> Steps[None]:
    judged = one.tree.add(replace(answer, correct=verdict.correct, reason=verdict.reason))
    yield Tell(NodeAdded(judged))
    if verdict.correct:
        one.correct = judged
    else:
        wrong_step = verdict.wrong_step if verdict.wrong_step > 0 else len(one.said) + 1
        _go_back(one, min(wrong_step, len(one.said) + 1) - 1, verdict.reason)


def _go_back(one: _Conversation, step: int, reason: str) -> None:
    """Forget what was done from a step on (counted from 0), and remember it as what the next way must differ from."""
    final = [one.answer.plan] if one.answer is not None and one.answer.plan is not None else []
    dropped = [node.plan for node in one.said[step:] if node.plan is not None]
    one.siblings, one.wrong = (dropped[:1] or final), reason
    one.said, one.answer = one.said[:step], None
