"""ToolBench's answer files: the tree of a search, what was asked and answered.

A tree alternates Thought (if there is one), Action (a function's name) and Action Input (its arguments, with the
observation and ToolBench's code for it).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docrev.prompts.agents import Sheet
from docrev.prompts.conversation import FINISH_FUNCTION, Utterance, function, observation_text, system, user
from docrev.records import Json, Node, Trajectory
from docrev.storage.atomic import write_json
from docrev.train.data.agent_steps import Sheets, action, by_key, past

ROOT = "Action Input"
CODES = {400: 2, 401: 8, 403: 7, 404: 6, 405: 2, 409: 2, 422: 2, 429: 9}
"""ToolBench's observation codes by HTTP status; 0 answered, 1 no such function, 3 answer, 4 gave up, 5 timeout, 11 any
other failure, 12 nothing was sent or came back."""
_METHODS = {"dfsdt": "DFS_woFilter_w2", "react": "CoT@1"}


@dataclass
class AnswerStep:
    """One node of a tree. `kind` is Thought, Action or Action Input; `rest` are its other members, in their order."""

    kind: str
    text: str
    depth: int
    terminal: bool = False
    pruned: bool = False
    finished: bool = False
    rest: dict[str, Json] = field(default_factory=dict)
    children: list[AnswerStep] = field(default_factory=list)

    def to_json(self) -> dict[str, Json]:
        """The node as files have it."""
        node: dict[str, Json] = {"is_terminal": self.terminal, "pruned": self.pruned, "finished": self.finished}
        node |= {"depth": self.depth, "node_type": self.kind, "description": self.text, **self.rest}
        return node | {"children": [child.to_json() for child in self.children]}

    def walk(self) -> Iterator[AnswerStep]:
        """This node and all below it, in pre-order."""
        stack = [self]
        while stack:
            one = stack.pop()
            yield one
            stack += reversed(one.children)


@dataclass
class AnswerFile:
    """One answer: the tree, and everything else of the file by name."""

    tree: AnswerStep
    rest: dict[str, Json]

    def to_json(self) -> dict[str, Json]:
        """The file's content."""
        return {
            name: {**value, "tree": self.tree.to_json()} if name == "tree" else value
            for name, value in self.rest.items()
        }


def write_answer_file(file: Path, answer: AnswerFile) -> None:
    """Write an answer file. Raises LockedError, StoreError."""
    write_json(file, answer.to_json())


def method_name(runner: str) -> str:
    """What ToolBench's files call a runner: `DFS_woFilter_w2`."""
    return _METHODS.get(runner, runner.replace("react@", "CoT@"))


def answer_file(
    query: str, trajectory: Trajectory, sheets: Sequence[Sheet], limits: Mapping[str, int] | None = None
) -> AnswerFile:
    """What a runner did, in ToolBench's form: every branch of its tree, and the messages of the way it ended on."""
    documents = by_key(sheets)
    tree = _search_tree(trajectory, documents)
    size = sum(1 for _ in tree.walk())
    steps = [_messages_of(node, documents) for node in trajectory.steps]
    ended = trajectory.finish in ("answer", "give-up") and bool(steps)
    final = action(trajectory.steps[-1], documents).arguments if ended else {}
    bounds = dict(limits or {})
    generation: dict[str, Json] = {
        "valid_data": trajectory.finish == "answer",
        "query_count": trajectory.asks,
        "total_tokens": trajectory.tokens_in + trajectory.tokens_out,
        "final_answer": json.dumps(final, ensure_ascii=False) if final else "",
        "finish_type": "give_answer" if trajectory.finish == "answer" else "give_up",
        "function": [*(function(sheet) for sheet in sheets), FINISH_FUNCTION],
        "chain": [],
        "train_messages": _messages(query, steps, sheets),
        "query": query,
    }
    rest: dict[str, Json] = {
        "win": trajectory.finish == "answer",
        "tree": {"size": size, "max_length": max(step.depth for step in tree.walk()) + 1},
        "forward_args": {
            "single_chain_max_step": bounds.get("steps", 12),
            "tree_beam_size": 2,
            "max_query_count": bounds.get("asks", 200),
            "answer": 1,
            "with_filter": False,
        },
        "compare_candidates": [],
        "answer_generation": generation,
    }
    return AnswerFile(tree, rest)


def _search_tree(trajectory: Trajectory, sheets: Sheets) -> AnswerStep:
    """The tree: each node of the trajectory as up to three of ToolBench's."""
    root = AnswerStep(ROOT, "", 0, rest={"Elo": 1000.0, "child_count": 0, "expand_num": 0, "io_state": {}})
    ends: dict[str, AnswerStep] = {}
    way = set(trajectory.path) if trajectory.finish == "answer" else set()
    for number, node in enumerate(trajectory.nodes, 1):
        if node.plan is None:
            continue
        parent = ends.get(node.parent or "", root)
        done, taken = node.id in way, action(node, sheets)
        pruned = not done and (node.plan.final or node.call is None or not node.call.ok)
        if node.plan.thought:
            parent = _below(parent, "Thought", node.plan.thought, done, number)
        parent = _below(parent, "Action", taken.action, done, number)
        step = _below(parent, ROOT, json.dumps(taken.arguments, ensure_ascii=False), done, number)
        step.terminal, step.pruned = node.plan.final, pruned
        step.rest |= {"observation": _observation(node), "observation_code": _code(node), "io_state": {}}
        ends[node.id] = step
    return root


def _below(parent: AnswerStep, kind: str, text: str, finished: bool, number: int) -> AnswerStep:
    step = AnswerStep(kind, text, parent.depth + 1, finished=finished)
    step.rest = {"Elo": 1000.0, "child_count": 0, "expand_num": number}
    parent.children.append(step)
    parent.rest["child_count"] += 1
    return step


def _observation(node: Node) -> str:
    if node.plan is not None and node.plan.final:
        gave = node.plan.answer is not None
        return json.dumps({"response": "the answer was given" if gave else "gave up"})
    return observation_text(past(node, {}))


def _code(node: Node) -> int:
    plan, call = node.plan, node.call
    if plan is not None and plan.final:
        return 3 if plan.answer is not None else 4
    if call is None:
        return 1 if node.reason == "no-such-operation" else 2
    if call.status is None:
        return 5 if call.error in ("timeout", "too-slow") else 12
    return 0 if call.ok else CODES.get(call.status, 11)


def _messages_of(node: Node, sheets: Sheets) -> tuple[dict[str, Json], dict[str, Json]]:
    """A step of the way as two messages: the function that was called, and what it answered."""
    thought = node.plan.thought if node.plan is not None else ""
    taken = action(node, sheets)
    name, given = taken.action, json.dumps(taken.arguments, ensure_ascii=False)
    said = {"role": "assistant", "content": thought or None, "function_call": {"name": name, "arguments": given}}
    return said, {"role": "function", "name": name, "content": _observation(node)}


def _messages(
    query: str, steps: Sequence[tuple[dict[str, object], dict[str, object]]], sheets: Sequence[Sheet]
) -> list[Json]:
    """The messages up to each step of the way, as ToolBench keeps them to train on."""
    opening = [Utterance("system", system(sheets)), Utterance("user", user(query))]
    before: list[Json] = [{"role": turn.speaker, "content": turn.text} for turn in opening]
    histories: list[Json] = []
    for said, heard in steps:
        histories.append([*before, said])
        before = [*before, said, heard]
    return histories
