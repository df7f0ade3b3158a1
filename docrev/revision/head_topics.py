"""The order in which a whole document is told what holds for all of it: by topic, a paragraph or more for each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from docrev.revision.common_notes import LIST_DELETION, OF_LISTS
from docrev.revision.notes import Statement

_TOPICS = {
    "Credentials": "needs-credentials",
    "Missing things": "needs-first missing status",
    "IDs": "comes-from",
    "Lists": f"pages default empty unknown-parameters operators sorts filters at-least at-most {OF_LISTS}",
    "Changes": f"left-out nulls unknown-properties exists creates conditions {LIST_DELETION}",
    "Responses": "",
}
"""Kinds of statements by topic: who may ask; what comes of what is not there; where IDs come from; lists; changes. What
is left is about responses: errors, fields, times."""
TOPIC_BY_KIND = {kind: topic for topic, kinds in _TOPICS.items() for kind in kinds.split()}
_MANY, _EACH = 3, 2
"""Topics, and statements on each in the mean, from which on topics are named, in bold: a page is looked through."""
_HEADING = "Conventions"
"""The section that docrev writes in a text that has sections."""
LABEL = re.compile(rf"(?:#+ {_HEADING}\n\n)?(?:\*\*(?:{'|'.join(_TOPICS)})\.\*\* *)?$")
"""What may stand before the first statement on a topic."""
_SECTION = re.compile(r"^ {0,3}(#{1,6})[ \t]+\S", re.MULTILINE)
_FENCED = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)


def topic(statement: Statement) -> str:
    """The topic of a statement on a whole document."""
    kind = statement.kind or next((fact.kind for fact in statement.facts), "")
    if kind == "status" and statement.about:
        # What is returned of a success, not for what does not exist.
        return "Responses"
    is_of_query = any(fact.location.startswith("query:") for fact in statement.facts)
    return TOPIC_BY_KIND.get(kind, "Lists" if is_of_query else "Responses")


def by_topic(statements: Iterable[Statement]) -> list[Statement]:
    """The statements in the order of their topics."""
    order = [*_TOPICS]
    return sorted(statements, key=lambda statement: order.index(topic(statement)))


def is_not_worth_section(statements: Sequence[Statement], around: str) -> bool:
    """Whether a section would have nothing but what most APIs do: that unknown parameters are ignored."""
    facts = [fact for statement in statements for fact in statement.facts]
    kinds = {(fact.kind, str(fact.value).partition(" ")[0]) for fact in facts}
    is_expected = len(statements) == 1 and kinds == {("unknown-parameters", "ignored")}
    return is_expected and _level_of_sections(around) > 0


def labels(statements: Sequence[Statement], around: str) -> dict[str, str]:
    """By topic, what goes before its first statement: its name, where there are many topics, else nothing. What is
    put behind a text with sections begins one of its own.
    """
    count = Counter(map(topic, statements))
    is_long = len(count) >= _MANY and count.total() >= _EACH * len(count)
    named = {name: f"**{name}.** " if is_long else "" for name in count}
    level = _level_of_sections(around)
    first = topic(statements[0])
    return named | ({first: f"{'#' * level} {_HEADING}\n\n{named[first]}"} if level else {})


def _level_of_sections(text: str) -> int:
    """The level of the sections of a Markdown text: the highest that several have, else that of the one; 0 without."""
    levels = Counter(len(marks) for marks in _SECTION.findall(_FENCED.sub("", text)))
    return min([level for level, count in levels.items() if count > 1] or levels, default=0)
