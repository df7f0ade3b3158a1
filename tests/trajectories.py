"""Tasks and trajectories for tests of metrics and judges: `did("GET /a", ("GET /b", {…}, 404))`."""

from __future__ import annotations

from typing import Any

from docrev.records import Call, Finish, Node, OperationKey, Plan, Task, Trajectory

TOOL = "shop"


def key(operation: str, tool: str = TOOL) -> OperationKey:
    return OperationKey(tool, operation)


def task(*gold: str | tuple[str, ...], arguments: tuple[dict[str, Any], ...] = (), answer: Any = None) -> Task:
    """A task with one gold path of steps, or several where they are tuples."""
    paths = [one for one in gold if isinstance(one, tuple)] or [tuple(str(one) for one in gold)]
    found = tuple(tuple(key(step) for step in path) for path in paths if path)
    return Task("t", "What is it?", gold=found, arguments=arguments, answer=answer)


def call(operation: str, arguments: dict[str, Any] | None = None, status: int | None = 200, body: Any = None) -> Call:
    return Call(
        id=operation,
        key=key(operation),
        arguments=arguments or {},
        url="http://127.0.0.1/",
        status=status,
        headers={},
        body=body,
        media_type="application/json",
        purpose="scenario",
        error=None if status is not None else "timeout",
    )


def did(*calls: str | tuple[Any, ...], answer: Any = None, finish: Finish = "answer") -> Trajectory:
    """A trajectory with one call after the other: an operation, or (operation, arguments, status, body)."""
    nodes = []
    for at, one in enumerate(calls):
        made = call(*one) if isinstance(one, tuple) else call(one)
        plan = Plan("next", made.key, made.arguments)
        nodes.append(Node(f"t/x/0.{at}", None, "t", "x", at + 1, plan, made, observation=str(made.body)))
    nodes.append(Node("t/x/end", None, "t", "x", len(calls) + 1, Plan("done", None, {}, answer)))
    return Trajectory("t", "react", tuple(nodes), tuple(node.id for node in nodes), answer, finish)


def invented(name: str) -> Node:
    """A node whose plan names an operation that does not exist."""
    return Node(f"t/x/{name}", None, "t", "x", 1, Plan("next", OperationKey("", name)))
