"""GraphQL documents, as far as it matters whether they only read (GraphQL, October 2021, §2.3)."""

from __future__ import annotations

import re

EMPTY = "query { __typename }"
"""A document that selects nothing but the name of the root type."""
_TOKEN = re.compile(
    r'"""(?:\\"""|[^"]|"(?!""))*"""'  # a block string
    r'|"(?:\\.|[^"\\\n])*"'
    r"|#[^\n]*"
    r"|[{}]|[A-Za-z_]\w*|[^\s]",
    re.ASCII,
)


def only_queries(document: object) -> bool:
    """Whether every operation of a document is a query; False for what is no document."""
    if not isinstance(document, str):
        return False
    kinds = _definitions(document)
    return kinds is not None and "query" in kinds and kinds <= {"query", "fragment"}


def _definitions(document: str) -> set[str] | None:
    """The keywords that the definitions of a document begin with; None if its braces do not match."""
    kinds: set[str] = set()
    depth, headed = 0, False
    for token in _TOKEN.findall(document):
        if token == "{":
            if depth == 0 and not headed:
                kinds.add("query")
            depth += 1
        elif token == "}":
            depth, headed = depth - 1, depth > 1 and headed
        elif depth == 0 and not headed and token[0] not in '#"':
            kinds.add(token)
            headed = True
    return kinds if depth == 0 else None
