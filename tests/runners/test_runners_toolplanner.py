"""ToolPlanner: what its tags leave, what its path says, when it plans again, and what it solves on real services."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driving import called, drive

from docrev.agent.agent import OfflineAgent
from docrev.errors import UsageError
from docrev.models.asking import parse
from docrev.models.rendering import messages
from docrev.prompts import conversation
from docrev.prompts.agents import Action, NextAction, finish, give_up
from docrev.prompts.planning import ExtractTags, PlanPath, SolutionPath, Tags
from docrev.prompts.questions import Prompt
from docrev.prompts.steps import Invoke
from docrev.records import Call, Task, Trajectory
from docrev.runners import Toolbox, TrackLimits, runner
from docrev.spec import load

LIBRARY = Path(__file__).resolve().parents[1] / "library.yaml"
TASK = Task("t1", "Which books are there?")


@pytest.fixture(scope="module")
def tools() -> Toolbox:
    return Toolbox(load(LIBRARY))


class Canned:
    """Answers with the same tags and path each time, and with actions one after another; keeps what it was asked."""

    def __init__(self, tags: Tags, path: tuple[str, ...], *actions: Action) -> None:
        self.tags, self.path, self.actions = tags, path, list(actions)
        self.asked: list[Prompt[Any]] = []

    def __call__(self, prompt: Prompt[Any]) -> Any:
        self.asked.append(prompt)
        if isinstance(prompt, ExtractTags):
            return self.tags
        if isinstance(prompt, PlanPath):
            return SolutionPath(operations=self.path)
        assert isinstance(prompt, NextAction)
        return self.actions.pop(0) if len(self.actions) > 1 else self.actions[0]

    def of(self, kind: type[Prompt[Any]]) -> list[Any]:
        return [prompt for prompt in self.asked if isinstance(prompt, kind)]


def ok(invoke: Invoke) -> Call:
    return called(invoke, {"items": [{"id": 1, "title": "Emma"}]})


def go(
    name: str, tools: Toolbox, answer: Callable[[Prompt[Any]], Any], limits: TrackLimits | None = None
) -> Trajectory:
    result = drive(runner(name)(TASK, tools, limits or TrackLimits()), answer, ok)
    assert isinstance(result, Trajectory)
    return result


READ = Action(thought="Look.", action="get_books")


def test_the_tree_has_what_was_tagged_and_follows_the_path(tools: Toolbox) -> None:
    model = Canned(Tags(operations=("get_books", "no_such")), ("get_books", "no_such"), READ, finish("Emma"))
    found = go("toolplanner", tools, model)
    assert (found.answer, found.finish, found.runner) == ("Emma", "answer", "toolplanner")
    assert [type(prompt) for prompt in model.asked] == [ExtractTags, PlanPath, NextAction, NextAction]
    assert model.of(ExtractTags)[0].operations == tools.sheets
    for prompt in (*model.of(PlanPath), *model.of(NextAction)):
        assert [sheet.name for sheet in prompt.operations] == ["get_books"]
    assert {prompt.path for prompt in model.of(NextAction)} == {("get_books",)}
    assert {prompt.tags for prompt in model.of(NextAction)} == {Tags(operations=("get_books", "no_such"))}
    assert found.asks == 4


def test_an_operation_that_was_not_tagged_is_none(tools: Toolbox) -> None:
    model = Canned(Tags(operations=("get_books",)), (), Action(action="get_me"), finish("none"))
    found = go("toolplanner", tools, model)
    assert [node.reason for node in found.nodes] == ["no-such-operation", ""]


def test_tags_that_name_nothing_leave_everything(tools: Toolbox) -> None:
    model = Canned(Tags(tools=("elsewhere",)), (), finish("Emma"))
    go("toolplanner", tools, model)
    assert model.of(NextAction)[0].operations == tools.sheets


def test_a_tool_alone_leaves_its_operations(tools: Toolbox) -> None:
    tool = tools.sheets[0].key.tool
    model = Canned(Tags(tools=(tool,)), (), finish("Emma"))
    go("toolplanner", tools, model)
    assert {sheet.key.tool for sheet in model.of(NextAction)[0].operations} == {tool}


def test_a_tree_without_an_answer_is_planned_again_with_the_whole_tools(tools: Toolbox) -> None:
    model = Canned(Tags(operations=("get_books",)), ("get_books",), READ, give_up(), give_up())
    found = go("toolplanner", tools, model)
    assert found.finish == "give-up"
    assert [prompt.attempt for prompt in model.of(ExtractTags)] == [0, 1]
    assert [prompt.attempt for prompt in model.of(PlanPath)] == [0, 1]
    last = model.of(NextAction)[-1]
    assert len(last.operations) > 1
    assert last.history == ()
    # Both trees hang on one root, and no node of the first is lost.
    roots = [node.id.rpartition("/")[2] for node in found.nodes if node.depth == 1]
    assert roots == ["0.1", "0.2", "0.3"] or roots == ["0.1", "0.3"]
    assert len({node.id for node in found.nodes}) == len(found.nodes)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("toolplanner-tags", [PlanPath, NextAction]),
        ("toolplanner-path", [ExtractTags, NextAction]),
        ("toolplanner-tags-path", [NextAction]),
    ],
)
def test_what_is_left_out_is_not_asked(name: str, asked: list[type], tools: Toolbox) -> None:
    model = Canned(Tags(operations=("get_books",)), ("get_books",), finish("Emma"))
    found = go(name, tools, model)
    assert [type(prompt) for prompt in model.asked] == asked
    assert (found.runner, found.answer) == (name, "Emma")
    left = model.of(NextAction)[0]
    assert left.path == (() if "-path" in name else ("get_books",))
    assert (left.operations == tools.sheets) == ("-tags" in name)


def test_limits_hold_over_both_trees(tools: Toolbox) -> None:
    model = Canned(Tags(), (), give_up())
    found = go("toolplanner", tools, model, TrackLimits(asks=5))
    assert (found.finish, found.asks) == ("steps", 5)


def test_only_what_the_paper_leaves_out_can_be_left_out() -> None:
    for name in ("toolplanner-", "toolplanner-path-tags", "toolplanner-x"):
        with pytest.raises(UsageError, match="no runner"):
            runner(name)


def test_a_plan_is_shown_to_chat_models_and_to_trained_ones(tools: Toolbox) -> None:
    prompt = NextAction(task="Which books?", operations=tools.sheets, path=("get_books", "get_me"))
    assert "The plan: get_books, get_me, Finish." in messages(prompt)[1]["content"]
    assert "The plan: get_books, get_me, Finish\n" in conversation.turns(prompt)[1].text
    assert "The plan" not in conversation.turns(prompt.model_copy(update={"path": ()}))[1].text


def test_the_tree_is_asked_for_with_the_tag_list(tools: Toolbox) -> None:
    """ToolPlanner §4.2.3 and table 20: instruction, tag list and solution path are the tree prompt's input."""
    tags = Tags(categories=("Books",), tools=("library",), operations=("get_books",))
    prompt = NextAction(task="Which books?", operations=tools.sheets, tags=tags, path=("get_books",))
    for text in (messages(prompt)[1]["content"], conversation.turns(prompt)[1].text):
        at = [text.index(part) for part in ("Which books?", "Books", "library", "get_books", "The plan: get_books")]
        assert at[0] < at[-1]
    assert "Categories: Books\nTools: library\nFunctions: get_books\nThe plan" in conversation.turns(prompt)[1].text


def test_tags_are_read_with_or_without_categories(tools: Toolbox) -> None:
    prompt = ExtractTags(task="Which books?", operations=tools.sheets, categories={tools.sheets[0].key.tool: "Culture"})
    assert "(Culture)" in messages(prompt)[1]["content"]
    said = parse('{"categories": [], "tools": ["library"], "operations": ["get_books"]}', prompt)
    assert said == Tags(tools=("library",), operations=("get_books",))


def test_the_offline_agent_tags_and_plans_by_the_documents(tools: Toolbox) -> None:
    agent = OfflineAgent()
    categories = {tools.sheets[0].key.tool: "Culture"}
    tags = agent.answer(ExtractTags(task=TASK.text, operations=tools.sheets, categories=categories))
    assert "get_books" in tags.operations
    assert len(tags.operations) < len(tools.sheets)
    assert (tags.tools, tags.categories) == ((tools.sheets[0].key.tool,), ("Culture",))
    path = agent.answer(PlanPath(task=TASK.text, operations=tools.sheets, tags=tags))
    assert set(path.operations) <= set(tags.operations)
