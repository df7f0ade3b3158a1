"""Calls in Python code, by their syntax trees (extra `bench`: tree-sitter)."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from docrev.errors import UsageError

if TYPE_CHECKING:
    from tree_sitter import Node

PIP = "pip install 'docrev[bench]'"
NAMED = ("repo_or_dir", "model")
"""The arguments of `torch.hub.load` that identify the model."""


def require() -> None:
    """Raise UsageError with the pip line if the extra `bench` is not installed."""
    if not all(importlib.util.find_spec(name) for name in ("tree_sitter", "tree_sitter_python")):
        raise UsageError("APIBench is scored by syntax trees, with tree-sitter", fix=f"run: {PIP}")


@cache
def _parser() -> Any:
    require()
    import tree_sitter_python
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_python.language()))


def parse(code: str) -> Node:
    """The root of the syntax tree of some code, which may be broken."""
    root: Node = _parser().parse(code.encode()).root_node
    return root


def text(node: Node) -> str:
    """The code of a node."""
    return (node.text or b"").decode(errors="replace")


def branches(root: Node) -> Iterator[Node]:
    """All nodes with children, in the order in which the published evaluator meets them: the last child first."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += [child for child in node.children if child.children]


def head(node: Node) -> str | None:
    """The code of a node's first child: of a call, what is called."""
    return text(node.children[0]) if node.children else None


def called(root: Node) -> Node | None:
    """The call that a snippet consists of; None if it is no call."""
    statement = root.children[0] if root.children else None
    node = statement.children[0] if statement is not None and statement.children else None
    return node if node is not None and len(node.children) > 1 else None


def named_arguments(call: Node) -> list[str]:
    """TorchHub: the values of the arguments that identify the API, without their quotes."""
    return [_value(argument) for argument in _arguments(call) if any(name in text(argument) for name in NAMED)]


def all_arguments(call: Node) -> list[str]:
    """HuggingFace: the values of all arguments."""
    return [_value(argument) if "=" in text(argument) else text(argument).strip("'") for argument in _arguments(call)]


def model_arguments(call: Node) -> list[str]:
    """TensorHub: the value of `model`, and every other argument as it stands."""
    return [
        _value(argument) if re.search("model ?=", text(argument)) else text(argument).strip("'")
        for argument in _arguments(call)
    ]


TORCHHUB = "torchhub"
ARGUMENTS: dict[str, Callable[[Node], list[str]]] = {
    TORCHHUB: named_arguments,
    "huggingface": all_arguments,
    "tensorflowhub": model_arguments,
}
"""What identifies an API in its call, as the published evaluator of each part reads it."""


def _arguments(call: Node) -> list[Node]:
    return [child for child in call.children[1].children if text(child) not in ("(", ")", ",")]


def _value(argument: Node) -> str:
    """What follows the sign of a named argument; another argument as it stands."""
    return text(argument.children[2] if len(argument.children) > 2 else argument).strip("'")
