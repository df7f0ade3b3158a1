"""ToolPlanner (Wu et al., 2024): tags of the task, a path through what they leave, and a tree that follows the path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from docrev.language.words import words
from docrev.prompts.planning import ExtractTags, PlanPath, SolutionPath, Tags
from docrev.prompts.steps import Steps
from docrev.records import Node, Task, Trajectory
from docrev.spec import Catalog
from docrev.spec.formats.toolbench.api_names import CATEGORY

from .dfsdt import WIDTH, search
from .toolbox import Toolbox
from .track import Track, TrackLimits, run

TREES = 2
"""Solution trees at most (ToolPlanner appendix A)."""


def toolplanner(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
    """Extract tags, plan the path, search depth first along it; if the tree has no answer, all of it once more.

    The first tree has only the operations that were tagged, the second all those of the tagged tools: what was left
    out may be why the first one ended without an answer. Tags that name nothing leave everything.
    """
    track = Track(task, tools, limits, "toolplanner")
    return (yield from run(track, _plan_and_search(track, tools, tags=True, path=True)))


def ablated(
    name: str, *, tags: bool = True, path: bool = True
) -> Callable[[Task, Toolbox, TrackLimits], Steps[Trajectory]]:
    """ToolPlanner without tag extraction or without a path (ToolPlanner table 5)."""

    def runner(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
        track = Track(task, tools, limits, name)
        return (yield from run(track, _plan_and_search(track, tools, tags=tags, path=path)))

    return runner


def _plan_and_search(track: Track, tools: Toolbox, *, tags: bool, path: bool) -> Steps[Node]:
    end = track.root
    for track.attempt in range(TREES):
        chosen = (yield from _tagged(track, tools)) if tags else Tags()
        track.tags = chosen
        track.tools = _left(tools, chosen, whole=track.attempt > 0)
        track.path = (yield from _planned(track, chosen)) if path else ()
        end = yield from search(track, 1 + WIDTH * track.attempt)
        if end.plan is not None and end.plan.answer is not None:
            break
    return end


def _tagged(track: Track, tools: Toolbox) -> Steps[Tags]:
    tags: Tags = yield from track.ask(
        ExtractTags(**track.situation(track.root), operations=tools.sheets, categories=categories(tools))
    )
    return tags


def _planned(track: Track, tags: Tags) -> Steps[tuple[str, ...]]:
    planned: SolutionPath = yield from track.ask(
        PlanPath(**track.situation(track.root), operations=track.tools.sheets, tags=tags)
    )
    return tuple(name for name in planned.operations if name in track.tools.by_name)


def _left(tools: Toolbox, tags: Tags, *, whole: bool) -> Toolbox:
    """What the tags leave: the operations that are there of those they name, else those of their tools."""
    named = {sheet.name for name in tags.operations if (sheet := tools.sheet(name)) is not None}
    if whole or not named:
        of = set(tags.tools) | {tools.by_name[name].key.tool for name in named}
        named = {sheet.name for sheet in tools.sheets if sheet.key.tool in of}
    return tools.narrowed(named) if named else tools


def categories(tools: Toolbox) -> dict[str, str]:
    """The category of each tool that has one."""
    tools_named = dict.fromkeys(sheet.key.tool for sheet in tools.sheets)
    return {tool: one for tool in tools_named if (one := category_of(tools.catalog, tool))}


def category_of(catalog: Catalog, tool: str) -> str:
    """The category in a tool's document, else its most used tag in words; "" if it has neither."""
    category = catalog.documents[catalog.files[tool]].get(f"/{CATEGORY}", None)
    if isinstance(category, str) and category.strip():
        return category
    tags = Counter(tag for operation in catalog.of_tool(tool) for tag in operation.tags)
    return " ".join(words(tags.most_common(1)[0][0])).capitalize() if tags else ""
