"""The order in which a whole document is told what holds for all of it: by topic, a paragraph or more for each."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.revision.common_notes import LIST_DELETION, OF_LISTS
from docrev.revision.notes import Statement

_TOPICS = (
    "needs-credentials",
    "needs-first missing status comes-from",
    f"pages default empty unknown-parameters operators sorts filters at-least at-most {OF_LISTS}",
    f"left-out nulls unknown-properties exists creates conditions {LIST_DELETION}",
)
"""Kinds of statements by topic: who may ask; which thing is meant, and what comes of values that nothing has; lists;
changes. What is left is about responses: errors, fields, times."""
_TOPIC_BY_KIND = {kind: at for at, kinds in enumerate(_TOPICS) for kind in kinds.split()}


def topic(statement: Statement) -> int:
    """The number of the topic of a statement on a whole document."""
    kind = statement.kind or next((fact.kind for fact in statement.facts), "")
    is_of_query = any(fact.location.startswith("query:") for fact in statement.facts)
    return _TOPIC_BY_KIND.get(kind, _TOPIC_BY_KIND["pages"] if is_of_query else len(_TOPICS))


def by_topic(statements: Iterable[Statement]) -> list[Statement]:
    """The statements in the order of their topics."""
    return sorted(statements, key=topic)
