"""ToolBench's answer files as trajectories: DFSDT trees, CoT chains, and what its converter for ToolEval makes of them.

An operation's key is (tool, function) as the function's name has it: `search_for_tmdb` is `search` of `tmdb`; `keys`
gives the operations of a catalog instead, by function name. Arguments are kept as `query:NAME`: where an argument goes,
ToolBench does not tell. `Finish` is a final plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from docrev.errors import InputError
from docrev.records import Call, Finish, Json, Node, OperationKey, Plan, Trajectory

from ..suites.reading import read_json

FINISH = "Finish"
STATUSES = {0: 200, 2: 400, 6: 404, 7: 403, 8: 401, 9: 429, 10: 429, 11: 500}
"""What ToolBench's observation codes are over HTTP; 1 is a function that does not exist, 5 and 12 got no answer."""
INVENTED, ANSWERED, GAVE_UP = 1, 3, 4


@dataclass(frozen=True, slots=True)
class Answered:
    """What one file, or one entry of one, holds: the request, the functions that were offered, and what was done."""

    query: str
    functions: tuple[str, ...]
    trajectory: Trajectory


@dataclass
class _Growing:
    """The nodes of a trajectory while a tree is walked; `ends` are final nodes with their observation codes."""

    task: str
    strategy: str
    keys: Mapping[str, OperationKey]
    nodes: list[Node] = field(default_factory=list)
    ends: list[tuple[Node, int]] = field(default_factory=list)

    def add(self, parent: Node | None, thought: str, name: str, raw: Json, observation: Json, code: int) -> Node:
        """One action with what came of it, below `parent`; its id is its position."""
        arguments = _object(raw)
        base, depth = (parent.id, parent.depth) if parent is not None else (f"{self.task}/{self.strategy}/0", 0)
        id = f"{base}.{sum(1 for node in self.nodes if node.parent == base)}"
        shown = observation if isinstance(observation, str) else json.dumps(observation, ensure_ascii=False)
        node = Node(id, base, self.task, self.strategy, depth + 1, None, observation=shown)
        if name == FINISH:
            node = replace(node, plan=Plan(thought, answer=arguments.get("final_answer")))
            gave_up = code == GAVE_UP or str(arguments.get("return_type", "")).startswith("give_up")
            self.ends.append((node, GAVE_UP if gave_up else ANSWERED))
        else:
            plan = Plan(thought, self._key(name, code), {f"query:{arg}": value for arg, value in arguments.items()})
            node = replace(node, plan=plan, call=_call(id, plan, observation, code))
        self.nodes.append(node)
        return node

    def _key(self, name: str, code: int) -> OperationKey:
        if code == INVENTED:
            return OperationKey("", name)
        if name in self.keys:
            return self.keys[name]
        operation, _, tool = name.rpartition("_for_")
        return OperationKey(tool, operation) if operation else OperationKey(name, name)

    def trajectory(self, runner: str, *, asks: int = 0) -> Trajectory:
        """What was done: the first answer's way, or that of the last to give up, or the last way of all."""
        finish, end = self._end()
        answer = end.plan.answer if finish == "answer" and end is not None and end.plan is not None else None
        path: list[str] = []
        by_id = {node.id: node for node in self.nodes}
        while end is not None:
            path.append(end.id)
            end = by_id.get(end.parent or "")
        return Trajectory(self.task, runner, tuple(self.nodes), tuple(reversed(path)), answer, finish, asks=asks)

    def _end(self) -> tuple[Finish, Node | None]:
        """How it ended, and at which node."""
        answers = [node for node, code in self.ends if code == ANSWERED]
        if answers:
            return "answer", answers[0]
        retreats = [node for node, code in self.ends if code == GAVE_UP]
        return ("give-up", retreats[-1]) if retreats else ("steps", self.nodes[-1] if self.nodes else None)


def read_answer(file: Path, keys: Mapping[str, OperationKey] | None = None) -> Answered:
    """An answer file as ToolBench's inference writes it (`588_DFS_woFilter_w2.json`, `588_CoT@1.json`).

    Raises InputError where it is none.
    """
    tree = read_json(file)
    told = tree.get("answer_generation") if isinstance(tree, dict) else None
    if not isinstance(told, dict) or not ("tree" in tree or "trys" in tree):
        raise InputError("is no answer of ToolBench", where=str(file), fix="give files of its inference")
    task, _, method = file.stem.partition("_")
    growing = _Growing(task, method, keys or {})
    if "tree" in tree:
        _grow(growing, tree["tree"].get("tree", {}))
    else:
        for attempt in tree["trys"]:
            _grow(growing, _chained(attempt.get("chain", [])))
    functions = tuple(str(one.get("name", "")) for one in told.get("function", []))
    trajectory = growing.trajectory(method, asks=int(told.get("query_count") or 0))
    return Answered(str(told.get("query", "")), functions, trajectory)


def _chained(chain: list[dict[str, Json]]) -> dict[str, Json]:
    """A CoT chain as the tree that it is: each of its nodes below the one before."""
    below: list[Json] = []
    for node in reversed(chain):
        below = [{**node, "children": below}]
    return {"node_type": "", "children": below}


def _grow(growing: _Growing, root: dict[str, Json]) -> None:
    """Walk a tree in pre-order, putting Thought, Action and Action Input together; without recursion, as it is deep."""
    stack: list[tuple[dict[str, Json], Node | None, str, str]] = [(root, None, "", "")]
    while stack:
        raw, parent, thought, action = stack.pop()
        kind, text = raw.get("node_type"), str(raw.get("description", ""))
        if kind == "Thought":
            thought = text
        elif kind == "Action":
            action = text
        elif kind == "Action Input" and action:
            code = raw.get("observation_code")
            code = code if isinstance(code, int) else 12
            parent = growing.add(parent, thought, action, raw.get("description"), raw.get("observation", ""), code)
            thought = action = ""
        stack += [(child, parent, thought, action) for child in reversed(raw.get("children") or [])]


def read_converted(file: Path, keys: Mapping[str, OperationKey] | None = None) -> dict[str, Answered]:
    """A file that ToolEval's converter wrote, by query id. Raises InputError where it is none."""
    tree = read_json(file)
    if not isinstance(tree, dict) or not all(isinstance(one, dict) and "answer" in one for one in tree.values()):
        raise InputError("is no file of converted predictions", where=str(file))
    return {task: _converted(task, entry, keys or {}) for task, entry in tree.items()}


def _converted(task: str, entry: dict[str, Json], keys: Mapping[str, OperationKey]) -> Answered:
    answer = entry["answer"]
    growing = _Growing(task, str(answer.get("method", "")), keys)
    parent, thought = None, ""
    for role, message in _messages(answer.get("answer_details") or []):
        if role == "assistant":
            thought = str(message)
        elif role == "tool" and isinstance(message, dict):
            name, response = str(message.get("name", "")), message.get("response", "")
            parent = growing.add(parent, thought, name, message.get("arguments"), response, _code(response))
            thought = ""
    functions = tuple(str(one.get("name", "")) for one in entry.get("available_tools", []))
    return Answered(str(entry.get("query", "")), functions, growing.trajectory(growing.strategy))


def _messages(details: list[dict[str, Json]]) -> Iterator[tuple[str, Json]]:
    """The messages of nested details, in order."""
    stack = list(reversed(details))
    while stack:
        one = stack.pop()
        yield str(one.get("role", "")), one.get("message")
        stack += reversed(one.get("next") or [])


def _code(response: Json) -> int:
    """The observation code that a response stands for: the converter leaves it out."""
    return INVENTED if "no such function" in str(_object(response).get("error", "")).lower() else 0


def _object(raw: Json) -> dict[str, Json]:
    """A JSON object, also from its text; anything else is none."""
    if isinstance(raw, str):
        try:
            raw = json.loads(raw)
        except (ValueError, RecursionError):
            return {}
    return raw if isinstance(raw, dict) else {}


def _call(id: str, plan: Plan, observation: Json, code: int) -> Call | None:
    """The call of which an observation is the response, which ToolBench wraps as {"error", "response"}; None if the
    function does not exist."""
    if plan.key is None or not plan.key.tool:
        return None
    wrapped = _object(observation)
    status = STATUSES.get(code)
    if status == 200 and wrapped.get("error"):
        status = 500
    return Call(
        id=id,
        key=plan.key,
        arguments=plan.arguments,
        url="",
        status=status,
        headers={},
        body=wrapped.get("response", observation),
        media_type="application/json",
        purpose="scenario",
        error=None if status is not None else "timeout" if code == 5 else "network",
        detail=str(wrapped.get("error", "")),
    )
