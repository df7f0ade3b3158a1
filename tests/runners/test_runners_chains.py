"""Runners driven by canned answers: what becomes of each kind of action, and where each of them ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from driving import called, drive

from docrev.errors import AnswerError
from docrev.prompts.agents import (
    Action,
    ConstructedRequest,
    ConstructRequest,
    Critique,
    CritiqueAction,
    Extract,
    FillArguments,
    Filled,
    FitExperience,
    Fitting,
    MakePlan,
    NextAction,
    NextSubGoal,
    Planned,
    PlannedStep,
    ReadResponse,
    Selected,
    Selection,
    SelectOperation,
    SelectValues,
    SubGoal,
    finish,
    give_up,
)
from docrev.prompts.questions import Prompt
from docrev.prompts.steps import Ask, Invoke
from docrev.records import Call, OperationKey, Task, Trajectory
from docrev.runners import RUNNERS, Toolbox, TrackLimits, runner
from docrev.runners.lessons import Lesson, lessons
from docrev.runners.restgpt import selected_text
from docrev.spec import load

LIBRARY = Path(__file__).resolve().parents[1] / "library.yaml"
TASK = Task("t1", "Which books are there?")
Answers = Callable[[Prompt[Any]], Any]


@pytest.fixture(scope="module")
def tools() -> Toolbox:
    return Toolbox(load(LIBRARY))


def answering(*actions: Action) -> Answers:
    """Gives the actions one after another, the last one for ever."""
    left = list(actions)

    def answer(prompt: Prompt[Any]) -> Any:
        if isinstance(prompt, CritiqueAction):
            return Critique()
        assert isinstance(prompt, NextAction)
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


def ok(invoke: Invoke) -> Call:
    return called(invoke, {"items": [{"id": 1, "title": "Emma"}]})


def go(
    name: str, tools: Toolbox, answer: Answers, call: Callable[[Invoke], Call] = ok, limits: TrackLimits | None = None
) -> Trajectory:
    result = drive(runner(name)(TASK, tools, limits or TrackLimits()), answer, call)
    assert isinstance(result, Trajectory)
    return result


def reasons(trajectory: Trajectory) -> list[str]:
    return [node.reason for node in trajectory.nodes]


LIST = Action(action="get_books")
ONE = Action(action="get_books_by_book_id", arguments={"book_id": "7"})


def test_react_ends_with_its_answer(tools: Toolbox) -> None:
    result = go("react", tools, answering(LIST, ONE, finish(["Emma"])))
    assert (result.finish, result.answer, result.reason) == ("answer", ["Emma"], "")
    assert [call.key.operation for call in result.calls] == ["GET /books", "GET /books/{book_id}"]
    assert result.calls[1].arguments == {"path:book_id": 7}
    assert [node.id for node in result.nodes] == [f"t1/react/0{'.1' * depth}" for depth in (1, 2, 3)]
    assert result.path == tuple(node.id for node in result.nodes)
    assert result.asks == 3
    assert result.tokens_in > result.tokens_out > 0


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Action(action="get_boks"), "no-such-operation"),
        (Action(action=""), "no-such-operation"),
        (Action(action="get_books", arguments={"gnre": "novel"}), "unknown-argument"),
        (Action(action="get_books", arguments={"limit": "many"}), "wrong-type"),
        (Action(action="get_books", arguments={"limit": {"most": 3}}), "wrong-type"),
        (Action(action="get_books_by_book_id"), "missing-argument"),
        (Action(action="get_books_by_book_id", arguments={"book_id": None}), "missing-argument"),
        (Action(action="Finish"), "missing-argument"),
    ],
)
def test_what_cannot_be_called_is_told_and_recorded(tools: Toolbox, action: Action, reason: str) -> None:
    result = go("react", tools, answering(action, finish("none")), call=_never)
    first = result.nodes[0]
    assert first.reason == reason
    assert first.observation
    assert first.call is None
    assert result.finish == "answer"


def _never(invoke: Invoke) -> Call:
    raise AssertionError(f"called {invoke}")


def test_an_operation_that_does_not_exist_has_no_tool(tools: Toolbox) -> None:
    result = go("react", tools, answering(Action(action="buy"), give_up()))
    assert result.nodes[0].plan is not None
    assert result.nodes[0].plan.key == OperationKey("", "buy")
    assert (result.finish, result.answer) == ("give-up", None)


def test_the_same_call_for_ever_ends_at_the_steps_and_is_made_once(tools: Toolbox) -> None:
    made: list[Invoke] = []

    def call(invoke: Invoke) -> Call:
        made.append(invoke)
        return ok(invoke)

    result = go("react", tools, answering(LIST), call, TrackLimits(steps=5))
    assert (result.finish, result.reason) == ("steps", "same-call")
    assert reasons(result) == ["", *["same-call"] * 4]
    assert len(made) == 1


def test_a_reading_may_be_repeated_after_a_change(tools: Toolbox) -> None:
    change = Action(action="patch_books_by_book_id", arguments={"book_id": 7, "title": "Emma"})
    result = go("react", tools, answering(ONE, change, ONE, change, finish("done")))
    assert reasons(result) == [""] * 5
    assert result.calls[1].arguments == {"path:book_id": 7, "body:": {"title": "Emma"}}


def test_each_limit_ends_a_run_and_says_which(tools: Toolbox) -> None:
    def other(prompt: Prompt[Any]) -> Any:
        return Action(action="get_books", arguments={"offset": len(prompt.history)})  # type: ignore[attr-defined]

    assert (go("react", tools, other, limits=TrackLimits(calls=2)).reason) == "calls-spent"
    assert go("react", tools, other, limits=TrackLimits(calls=2)).finish == "calls"
    assert go("react", tools, other, limits=TrackLimits(asks=3)).reason == "asks-spent"
    spent = go("react", tools, other, limits=TrackLimits(tokens=9000))
    assert (spent.finish, spent.reason) == ("tokens", "tokens-spent")
    assert spent.tokens_in + spent.tokens_out <= 9000
    assert len(go("react", tools, other, limits=TrackLimits(steps=4)).nodes) == 4


def test_an_api_that_dies_is_an_observation(tools: Toolbox) -> None:
    def call(invoke: Invoke) -> Call:
        found = called(invoke, None)
        return replace(found, status=None, error="network")

    result = go("react", tools, answering(LIST, finish("unknown")), call)
    assert result.nodes[0].reason == "network"
    assert "network" in result.nodes[0].observation


def test_a_model_without_an_answer_fails_the_task_alone(tools: Toolbox) -> None:
    steps = RUNNERS["react"](TASK, tools, TrackLimits())
    next(steps)
    again = steps.throw(AnswerError("is not JSON"))
    assert isinstance(again, Ask)
    assert isinstance(again.prompt, NextAction)
    assert "is not JSON" in again.prompt.history[0].observation
    with pytest.raises(StopIteration) as stop:
        steps.throw(AnswerError("is not JSON"))
    assert (stop.value.value.finish, stop.value.value.reason) == ("failed", "no-answer: is not JSON")


def test_after_a_round_that_is_no_action_the_way_goes_on(tools: Toolbox) -> None:
    steps = RUNNERS["dfsdt"](TASK, tools, TrackLimits())
    next(steps)
    steps.throw(AnswerError("is not JSON"))
    with pytest.raises(StopIteration) as stop:
        steps.send(finish("Emma"))
    assert (stop.value.value.answer, stop.value.value.nodes[0].reason) == ("Emma", "no-action")


def test_react_at_n_starts_over_until_it_answers(tools: Toolbox) -> None:
    attempts: list[tuple[int, int]] = []

    def answer(prompt: Prompt[Any]) -> Any:
        assert isinstance(prompt, NextAction)
        attempts.append((prompt.attempt, len(prompt.history)))
        return finish("Emma") if prompt.attempt == 2 else give_up()

    assert go("cot@5", tools, answer).answer == "Emma"
    assert attempts == [(0, 0), (1, 0), (2, 0)]
    assert go("react@2", tools, answer).finish == "give-up"
    assert go("react@N", tools, answering(give_up()), limits=TrackLimits(asks=7)).reason == "asks-spent"


def test_a_critique_becomes_advice_for_the_next_action(tools: Toolbox) -> None:
    seen: list[str] = []

    def answer(prompt: Prompt[Any]) -> Any:
        if isinstance(prompt, CritiqueAction):
            wrong = prompt.history[-1].action == "get_books"
            return Critique(correct=not wrong, advice="read one" if wrong else "")
        assert isinstance(prompt, NextAction)
        seen.append(prompt.advice)
        return [LIST, ONE, finish("Emma")][len(prompt.history)]

    assert go("reflect", tools, answer).answer == "Emma"
    assert seen == ["", "read one", ""]


def test_an_answer_that_is_criticised_is_given_once_more(tools: Toolbox) -> None:
    answers = iter([finish("Persuasion"), finish("Emma")])

    def answer(prompt: Prompt[Any]) -> Any:
        return Critique(correct=False, advice="no") if isinstance(prompt, CritiqueAction) else next(answers)

    assert go("reflect", tools, answer).answer == "Emma"


def test_chameleon_carries_out_its_plan_as_it_stands(tools: Toolbox) -> None:
    asked: list[str] = []

    def answer(prompt: Prompt[Any]) -> Any:
        asked.append(type(prompt).__name__)
        if isinstance(prompt, MakePlan):
            steps = [("find", "get_books"), ("buy", "buy"), ("read", "get_books_by_book_id")]
            return Planned(steps=tuple(PlannedStep(purpose=why, action=name) for why, name in steps))
        if isinstance(prompt, FillArguments):
            return Filled(arguments={"book_id": 1} if prompt.purpose == "read" else {})
        assert isinstance(prompt, NextAction)
        assert prompt.operations == ()
        return finish("Emma")

    result = go("chameleon", tools, answer)
    assert asked == ["MakePlan", "FillArguments", "FillArguments", "NextAction"]
    assert reasons(result) == ["", "no-such-operation", "", ""]
    assert (result.finish, result.answer) == ("answer", "Emma")


def test_restgpts_planner_sees_no_operations_and_its_selector_plans_several_calls(tools: Toolbox) -> None:
    """RestGPT §3.2: coarse-to-fine planning; the plan of a sub-goal is one call or several, until one fails."""
    plans = iter(
        [SubGoal(text="find and read the book"), SubGoal(state="continue"), SubGoal(state="end", answer="Emma")]
    )
    selected = iter([("get_books", "get_books_by_book_id"), ("get_books_by_book_id", "get_books")])
    goals: list[tuple[str, ...]] = []

    def answer(prompt: Prompt[Any]) -> Any:
        if isinstance(prompt, NextSubGoal):
            goals.append(prompt.goals)
            assert "get_books" not in prompt.model_dump_json(exclude={"history"})
            return next(plans)
        if isinstance(prompt, SelectOperation):
            assert prompt.operations
            return Selected(actions=next(selected))
        if isinstance(prompt, ConstructRequest):
            return ConstructedRequest(
                arguments={"book_id": 1 + len(prompt.history)} if "by" in prompt.operation.name else {}
            )
        return Extract(text="read") if isinstance(prompt, ReadResponse) else Selection()

    result = go(
        "restgpt",
        tools,
        answer,
        lambda invoke: called(invoke, {}, 404 if invoke.arguments.get("path:book_id") == 3 else 200),
    )
    assert goals == [(), ("find and read the book",), ("find and read the book",)]
    assert [call.key.operation for call in result.calls] == [
        "GET /books",
        "GET /books/{book_id}",
        "GET /books/{book_id}",
    ]
    assert result.answer == "Emma"


def test_restgpts_parser_applies_a_declared_selection_and_reads_what_none_fits(tools: Toolbox) -> None:
    """RestGPT §3.3: the caller's output instructions, and a parser that works on schema and response by code."""
    asked: list[str] = []
    goals = iter([SubGoal(text="find it"), SubGoal(text="read it"), SubGoal(state="end", answer="Emma")])

    def answer(prompt: Prompt[Any]) -> Any:
        asked.append(type(prompt).__name__)
        if isinstance(prompt, NextSubGoal):
            return next(goals)
        if isinstance(prompt, SelectOperation):
            return Selected(actions=("get_books" if prompt.goal == "find it" else "get_books_by_book_id",))
        if isinstance(prompt, ConstructRequest):
            return ConstructedRequest(
                arguments={"book_id": 1} if prompt.goal == "read it" else {}, output=f"the id for {prompt.goal}"
            )
        if isinstance(prompt, SelectValues):
            assert prompt.output == f"the id for {prompt.goal}"
            return Selection(items="/items", fields=("/id",)) if prompt.goal == "find it" else Selection()
        assert isinstance(prompt, ReadResponse)
        return Extract(text="as read")

    result = go("restgpt", tools, answer)
    assert [node.observation for node in result.nodes[:2]] == ['{"/id": 1}', "as read"]
    assert asked.count("SelectValues") == 2
    assert asked.count("ReadResponse") == 1


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(items="/items", fields=("/id", "name")), '[{"/id": 1, "name": "a"}, {"/id": 2, "name": "b"}]'),
        (Selection(items="/items", fields=("/id",), first=1), '{"/id": 1}'),
        (Selection(items="/items", fields=("/id",), where="name", equals="b"), '{"/id": 2}'),
        (Selection(fields=("/total", "/items/0/id")), '{"/total": 2, "/items/0/id": [1, 2]}'),
        (Selection(items="/nowhere", fields=("/id",)), ""),
        (Selection(items="/items"), ""),
        (Selection(items="/items", fields=("/text",)), ""),
    ],
)
def test_a_selection_is_applied_and_nothing_is_executed(selection: Selection, expected: str) -> None:
    body = {"total": 2, "items": [{"id": 1, "name": "a", "text": "x" * 9000}, {"id": 2, "name": "b"}]}
    assert selected_text(selection, body) == expected


def test_dfsdt_shows_siblings_and_giving_up_prunes(tools: Toolbox) -> None:
    """ToolLLM §3.3, as ToolBench's DFS.py goes back: a node that gives up ends its parent's loop, and no more."""
    seen: list[tuple[int, int]] = []

    def answer(prompt: Prompt[Any]) -> Any:
        assert isinstance(prompt, NextAction)
        seen.append((len(prompt.history), len(prompt.siblings)))
        if prompt.siblings:
            assert (prompt.siblings[0].action, prompt.siblings[0].outcome) == (ONE.action, "answered")
            assert "Emma" in prompt.siblings[0].observation
            return finish("Emma")
        return [LIST, ONE, give_up()][len(prompt.history)]

    result = go("dfsdt", tools, answer)
    # The last call led to giving up: what comes next is its sibling, one step higher than where that was said.
    assert seen == [(0, 0), (1, 0), (2, 0), (1, 1)]
    assert result.path == ("t1/dfsdt/0.1", "t1/dfsdt/0.1.2")
    assert len(result.nodes) == 4


def test_dfsdt_gives_up_the_whole_tree_when_every_way_does(tools: Toolbox) -> None:
    """ToolLLM §3.3: both children of a node that gave up lead back to its parent; at the root that is the end."""
    seen: list[tuple[int, int]] = []
    ways = iter([LIST, ONE, give_up(), Action(action="get_books", arguments={"limit": 2}), give_up(), ONE, give_up()])

    def answer(prompt: Prompt[Any]) -> Any:
        assert isinstance(prompt, NextAction)
        seen.append((len(prompt.history), len(prompt.siblings)))
        return next(ways)

    result = go("dfsdt", tools, answer)
    assert seen == [(0, 0), (1, 0), (2, 0), (1, 1), (2, 0), (0, 1), (1, 0)]
    assert result.finish == "give-up"


def test_dfsdt_is_bounded_where_nothing_ever_ends(tools: Toolbox) -> None:
    """ToolBench asks at most 200 questions for a task, and goes at most 12 steps one way."""
    assert (TrackLimits().asks, TrackLimits().steps) == (200, 12)
    result = go("dfsdt", tools, answering(LIST), limits=TrackLimits(steps=6))
    assert result.finish in ("steps", "calls")
    assert len(result.calls) == 1
    assert len(result.nodes) < 20


def test_experiences_stand_in_the_documents_without_a_question_of_their_own(experienced: Path) -> None:
    seen: list[str] = []

    def answer(prompt: Prompt[Any]) -> Any:
        assert isinstance(prompt, NextAction)
        seen.append(prompt.operations[0].description)
        return [LIST, finish("Emma")][len(prompt.history)]

    assert go("react", Toolbox(load(experienced)), answer).answer == "Emma"
    assert seen == ["List books. For the title of a book, use `GET /books/{book_id}`. To be short. First. Second."] * 2
    seen.clear()
    assert go("react", Toolbox(load(LIBRARY), known=lessons(load(experienced))), answer).answer == "Emma"
    assert go("react", Toolbox(load(LIBRARY)), answer).answer == "Emma"
    assert [text.count("use `GET /books/{book_id}`") for text in seen] == [1, 1, 0, 0]


def test_an_experience_set_is_looked_at_after_its_operation_was_called() -> None:
    """ToolBFS+ §3.4: the set of an operation is exposed after its use, and what fits goes into the context."""
    books = OperationKey("library", "GET /books")
    known = {books: (Lesson("Known: an ID.", after=True), Lesson("Known: a title.", after=True))}
    toolbox = Toolbox(load(LIBRARY), known=known)
    assert "Known" not in toolbox.by_name["get_books"].description
    offered: list[FitExperience] = []
    shown: list[tuple[str, ...]] = []
    actions = answering(Action(action="get_books"), finish("Emma"))

    def answer(prompt: Prompt[Any]) -> Any:
        if isinstance(prompt, FitExperience):
            offered.append(prompt)
            return Fitting(numbers=(2, 7))
        assert isinstance(prompt, NextAction)
        shown.append(tuple(text for past in prompt.history for text in past.experience))
        return actions(prompt)

    assert go("react", toolbox, answer).answer == "Emma"
    [one] = offered
    assert (one.experiences, len(one.history)) == (("Known: an ID.", "Known: a title."), 1)
    assert shown == [(), ("Known: a title.",)]


def test_where_an_argument_comes_from_stands_in_its_description() -> None:
    lesson = Lesson("A genre, as in `name` of `GET /genres`.", "query:genre")
    books = OperationKey("library", "GET /books")
    taught = Toolbox(load(LIBRARY), known={books: (lesson,)}).by_name["get_books"]
    [genre] = [one for one in taught.parameters if one.name == "genre"]
    assert genre.description == "Only books of this genre. A genre, as in `name` of `GET /genres`."
    plain = Toolbox(load(LIBRARY)).by_name["get_books"]
    assert [one for one in taught.parameters if one.name != "genre"] == [
        one for one in plain.parameters if one.name != "genre"
    ]


@pytest.fixture
def experienced(tmp_path: Path) -> Path:
    """The library with more experiences than are shown, one of an earlier form, and one that is none."""
    text = LIBRARY.read_text("utf-8")
    lesson = (
        "      x-docrev: {experience: [{scenario: Find a book}, 7, "
        "{text: 'For the title of a book, use `GET /books/{book_id}`.'}, {text: To be short.}, "
        "{text: First.}, {text: Second.}, {text: Too many.}]}\n"
    )
    path = tmp_path / "library.yaml"
    path.write_text(text.replace("      summary: List books\n", f"      summary: List books\n{lesson}", 1), "utf-8")
    return path


def test_a_runner_that_is_not_there_is_named() -> None:
    with pytest.raises(Exception, match="no runner bfs"):
        runner("bfs")
