"""Pairs of rounds with the same history, one of them leading to a way of reward 1 (ToolPlanner §4.3.2, C.2.2)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from docrev.eval.metrics.paths import Level, tags
from docrev.json_values.canonical import canonical
from docrev.records import Node, OperationKey, Plan, Task
from docrev.train.toolplanner.rewards import BOTH, MATCHED_AT, Category, Feedback, JudgedPath, matches, reward

Sampled = Literal["", "give-up", "stray", "early"]
"""How a negative was come by: "" found in a tree; giving up; an operation of another tool; answering too early."""
SAMPLES = 1
GIVING_UP = "Nothing here leads to what was asked for."


@dataclass(frozen=True, slots=True)
class RankedPair:
    """Two next rounds after `history`; `rewards` are theirs, the first of them 1, the second below 0."""

    task: str
    history: tuple[Node, ...]
    chosen: Node
    rejected: Node
    rewards: tuple[int, int]
    sampled: Sampled = ""


@dataclass(slots=True)
class _Branch:
    """A round of merged trees: worth as much as the best way that it belongs to."""

    node: Node
    reward: int = -4
    after: dict[str, _Branch] = field(default_factory=dict)


def pairs(
    task: Task,
    ways: Sequence[JudgedPath],
    category: Category,
    *,
    offered: Sequence[OperationKey] = (),
    samples: int = SAMPLES,
    seed: int = 0,
    feedback: Collection[Feedback] = BOTH,
) -> list[RankedPair]:
    """The pairs of a task's ways, which may be of several trees: rounds are the same if calls and history are.

    Each round of a way with reward 1 stands against every sibling whose reward is negative. Where there is none, up to
    `samples` of the three kinds of negatives are sampled; `offered` are operations that may then be strayed to, beside
    those in the trees. Rounds in which nothing was sent are nobody's example.
    """
    root = _Branch(_sampled_node(Plan("")))
    for way in ways:
        at = root
        for node in way.nodes:
            at = at.after.setdefault(_identity(node), _Branch(node))
            at.reward = max(at.reward, way.reward)
    return list(_PairMiner(task, category, ways, offered, samples, seed, feedback).below(root, ()))


def leading(pair: RankedPair, ways: Sequence[JudgedPath]) -> tuple[Node, ...]:
    """The shortest way of reward 1 that the better round of a pair is on."""
    begun = [_identity(node) for node in (*pair.history, pair.chosen)]
    on = [way.nodes for way in ways if way.reward == 1 and [*map(_identity, way.nodes)][: len(begun)] == begun]
    return min(on, key=len)


@dataclass(slots=True)
class _PairMiner:
    task: Task
    category: Category
    ways: Sequence[JudgedPath]
    offered: Sequence[OperationKey]
    samples: int
    seed: int
    feedback: Collection[Feedback]

    def below(self, branch: _Branch, history: tuple[Node, ...]) -> Iterator[RankedPair]:
        others = [one for one in branch.after.values() if one.reward < 0]
        for one in branch.after.values():
            if one.reward < 1:
                continue
            if _is_example(one.node):
                ranks = [RankedPair(self.task.id, history, one.node, other.node, (1, other.reward)) for other in others]
                yield from ranks or self._sampled(one.node, history)
            yield from self.below(one, (*history, one.node))

    def _sampled(self, chosen: Node, history: tuple[Node, ...]) -> Iterator[RankedPair]:
        way = " ".join(map(_identity, (*history, chosen)))
        draw = random.Random(f"{self.seed} {self.task.id} {way}")
        kinds = {kind: (node, worth) for kind, node, worth in self._kinds(draw, chosen, history) if worth < 0}
        for kind in sorted(draw.sample(sorted(kinds), min(self.samples, len(kinds)))):
            node, worth = kinds[kind]
            yield RankedPair(self.task.id, history, chosen, node, (1, worth), kind)

    def _kinds(
        self, draw: random.Random, chosen: Node, history: tuple[Node, ...]
    ) -> Iterator[tuple[Sampled, Node, int]]:
        """What can be sampled in place of `chosen`, with what it is worth at most."""
        passed, matched = "pass" not in self.feedback, "match" not in self.feedback
        follows = matched or matches(self.task, history, self.category)
        gave_up = next((way.nodes[-1] for way in self.ways if _gives_up(way.nodes[-1])), _sampled_node(Plan(GIVING_UP)))
        yield "give-up", gave_up, reward(passed, follows)
        answer = next((way.nodes[-1] for way in self.ways if way.passed and _answers(way.nodes[-1])), None)
        if answer is not None:
            yield "early", answer, reward(True, follows)
        thought = chosen.plan.thought if chosen.plan is not None else ""
        for strays in self._strays(thought):
            if strays:
                yield "stray", draw.choice(strays), reward(passed, False)
                return

    def _called_nodes(self) -> dict[str, Node]:
        return {_identity(node): node for way in self.ways for node in way.nodes if node.call is not None}

    def _strays(self, thought: str) -> Iterator[list[Node]]:
        """Calls that the instruction does not name: of another tool before another operation, seen before made up."""
        level = MATCHED_AT[self.task.level]
        if level is None or not self.task.gold or "match" not in self.feedback:
            return
        seen = self._called_nodes()
        made = [_sampled_node(Plan(thought, key)) for key in self.offered]
        for kind in ("tool", level):
            for nodes in (list(seen.values()), made):
                yield [node for node in nodes if not (self._is_named(node, level) or self._is_named(node, kind))]

    def _is_named(self, node: Node, level: Level) -> bool:
        key = node.plan.key if node.plan is not None else None
        named = tags([key] if key is not None else [], level, self.category)
        return any(named & tags(path, level, self.category) for path in self.task.gold)


def _sampled_node(plan: Plan) -> Node:
    return Node("", None, "", "sampled", 0, plan)


def _is_example(node: Node) -> bool:
    return node.call is not None or _answers(node)


def _answers(node: Node) -> bool:
    return node.plan is not None and node.plan.final and node.plan.answer is not None


def _gives_up(node: Node) -> bool:
    return node.plan is not None and node.plan.final and node.plan.answer is None


def _identity(node: Node) -> str:
    """What makes two rounds with the same history the same: what is called with what, or how it ends."""
    plan = node.plan
    if plan is None:
        return ""
    content = plan.answer if plan.final else plan.arguments
    return f"{plan.key or 'Finish'} {canonical(content)}"
