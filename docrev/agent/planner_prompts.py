"""What the offline agent answers before it acts: the tags of the documents that promise most, and a planned path."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.agent.actor import LEAST_SCORE, Actor
from docrev.prompts.agents import Past
from docrev.prompts.planning import ExtractTags, SolutionPath, Tags

WAYS = 2
"""Ways of a clause whose operations are tagged: the best, and what may take its place."""
CLOSE = 0.9
"""How near the second way's promise is to that of the best if it is taken too."""


def tags(actor: Actor, prompt: ExtractTags) -> Tags:
    """The operations of the most promising ways, with their tools, and the categories of the tools."""
    named = {sheet.name: sheet for sheet in prompt.operations}
    names = dict.fromkeys(name for _, name in actor.plan(prompt.attempt))
    for number in range(len(actor.clauses)):
        ways = actor.ranked(number, frozenset())[prompt.attempt :]
        for way in ways[:WAYS]:
            if way.score >= max(LEAST_SCORE, CLOSE * ways[0].score):
                names |= dict.fromkeys(way.names)
    tools = dict.fromkeys(named[name].key.tool for name in names)
    categories = dict.fromkeys(prompt.categories[tool] for tool in tools if tool in prompt.categories)
    return Tags(categories=tuple(categories), tools=tuple(tools), operations=tuple(names))


def path(actor: Actor, attempt: int) -> SolutionPath:
    """The calls of the plan, in order."""
    return SolutionPath(operations=tuple(name for _, name in actor.plan(attempt)))


def planned(path: Sequence[str], history: Sequence[Past]) -> tuple[str, ...]:
    """The operations of a path that were not called yet."""
    done = {past.action for past in history}
    return tuple(name for name in dict.fromkeys(path) if name not in done)
