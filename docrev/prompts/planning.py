"""What a planner asks before it acts: which categories, tools and operations a task speaks of, and in which order.

Both are tasks of the model that also takes the actions (ToolPlanner §4.2); the role is "agent".
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, SkipValidation

from docrev.prompts.agents import AgentPrompt, Sheets
from docrev.prompts.agents import Tags as Tags
from docrev.prompts.questions import Answer


class ExtractTags(AgentPrompt[Tags]):
    """The tags of a task among those of the operations that there are (ToolPlanner §4.2.1).

    `categories` names the category of each tool, if tools have one.
    """

    operations: Sheets
    categories: dict[str, str] = Field(default_factory=dict)


class SolutionPath(Answer):
    """Operations in the order in which they are to be called, by name; Finish, which ends every path, is left out."""

    operations: tuple[str, ...] = ()


class PlanPath(AgentPrompt[SolutionPath]):
    """The whole way through the operations that the tags left, as a guide (ToolPlanner §4.2.2)."""

    operations: Sheets
    tags: Annotated[Tags, SkipValidation] = Tags()
