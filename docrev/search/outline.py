"""A search tree as an outline for readers: chains of steps, and the ways into which they part."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from docrev.records import Json, Node, Plan

LONGEST = 700
"""Maximum number of characters of an observation."""


@dataclass(frozen=True)
class Leaf:
    """A node of a search tree as the page shows it; `ways` are the chains below it if there is more than one."""

    on_path: bool
    title: str
    thought: str
    arguments: str
    status: str
    observation: str
    reason: str
    ways: tuple[tuple[Leaf, ...], ...] = ()


def outline(nodes: Sequence[Node], path: Collection[str], *, longest: int = LONGEST) -> tuple[tuple[Leaf, ...], ...]:
    """The chains that begin at the root: one, unless the search parted there; `path` are the ids of the right nodes."""
    below: dict[str | None, list[Node]] = {}
    node_ids = {node.id for node in nodes}
    for node in nodes:
        below.setdefault(node.parent if node.parent in node_ids else None, []).append(node)
    on_path = set(path)

    def chain(node: Node) -> Iterator[Leaf]:
        while True:
            after = below.get(node.id, [])
            parted = tuple(tuple(chain(child)) for child in after) if len(after) > 1 else ()
            yield _leaf(node, node.id in on_path, parted, longest)
            if len(after) != 1:
                return
            [node] = after

    return tuple(tuple(chain(node)) for node in below.get(None, ()))


def _leaf(node: Node, on_path: bool, ways: tuple[tuple[Leaf, ...], ...], longest: int) -> Leaf:
    call = node.call
    title, thought, arguments = ("?", "", {}) if node.plan is None else _described(node.plan)
    return Leaf(
        on_path,
        title,
        thought,
        as_text(arguments) if arguments else "",
        "" if call is None else str(call.status or call.error),
        node.observation[:longest] + ("…" if len(node.observation) > longest else ""),
        node.reason,
        ways,
    )


def _described(plan: Plan) -> tuple[str, str, dict[str, Json]]:
    """A plan's title, its thought, and its arguments; those of the end are the answer."""
    title = "Finish" if plan.key is None else str(plan.key).strip()
    answer = {} if plan.answer is None else {"answer": plan.answer}
    return title, plan.thought, answer if plan.final else plan.arguments


def as_text(value: object) -> str:
    """A value as it is shown: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
