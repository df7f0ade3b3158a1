"""Everything that a runner asks of a model: the prompts of tool-use agents, with the role "agent".

What an agent knows of a tool is its sheet, made of the documentation as it stands and of nothing else; what it has
done is a list of `Past`. A goal is never shown. `NextAction` can be written as JSON, or as a fine-tuned ToolLLaMA
speaks: Thought, Action, Action Input.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, SkipValidation

from docrev.prompts.questions import Answer, AnswerT, Prompt, ShownPart
from docrev.records import OperationKey

FINISH = "Finish"
"""The function that ends a task: `return_type` give_answer with a `final_answer`, or give_up_and_restart."""
GIVE_ANSWER, GIVE_UP = "give_answer", "give_up_and_restart"


class Argument(ShownPart):
    """A parameter as an agent sees it: `name` is what it sends, `location` where docrev puts it (`query:region`).

    `limits` says format, bounds and pattern in words; `shape` the fields of an object or of an array's items
    (`{sku, quantity}`); `default` and `example` are None if none is documented.
    """

    name: str
    location: str
    type: str = "string"
    required: bool = False
    description: str = ""
    allowed: tuple[Any, ...] = ()
    default: Any = None
    example: Any = None
    limits: str = ""
    shape: str = ""


class ResponseField(ShownPart):
    """A field of the documented response, by JSON pointer; `/0` stands for the items of an array."""

    pointer: str
    type: str = ""
    description: str = ""


class Sheet(ShownPart):
    """The documentation of one operation as a function: `name` is unique and has at most 64 characters.

    `api` is what holds for all operations of its tool; prompts show it once.
    """

    name: str
    key: OperationKey
    description: str = ""
    parameters: tuple[Argument, ...] = ()
    response: str = ""
    fields: tuple[ResponseField, ...] = ()
    api: str = ""


Outcome = Literal["answered", "failed", "invalid"]


class Past(ShownPart):
    """One action that was taken: `observation` is what came of it, shortened.

    `answered`: the API answered 2xx; `failed`: it did not; `invalid`: nothing was sent. `experience` is what was
    chosen from the experience set of the operation (ToolBFS+ §3.4).
    """

    thought: str
    action: str
    arguments: dict[str, Any]
    observation: str
    outcome: Outcome = "answered"
    experience: tuple[str, ...] = ()


Sheets = Annotated[tuple[Sheet, ...], SkipValidation]
History = Annotated[tuple[Past, ...], SkipValidation]


class AgentPrompt(Prompt[AnswerT]):
    """What all agent prompts share: the task as the user wrote it, and what was done so far.

    `attempt` counts from 0; an agent that starts over knows that it does, and nothing of what it did before.
    """

    role: ClassVar[str] = "agent"
    task: str
    history: History = ()
    attempt: int = 0


class Action(Answer):
    """A thought and the function to call next; `Finish` ends the task."""

    thought: str = ""
    action: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)


class Tags(Answer):
    """What a task is about, at three levels; operations by the names of their sheets (ToolPlanner §4.2.1)."""

    categories: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()


class NextAction(AgentPrompt[Action]):
    """The next action (ReACT); with `siblings`, shown with what they brought, one unlike all of them (DFSDT).

    `advice` is what a critique said of the last action (Reflect); `tags` are what the task is about, and `path` the
    names of the operations that were planned, in order (ToolPlanner). Without operations only `Finish` is left.
    Of the operations named in `folded` a prompt shows a line: who chooses one is asked again, with all of it; then it
    is `chosen`.
    """

    operations: Sheets
    folded: Annotated[tuple[str, ...], SkipValidation] = ()
    chosen: str = ""
    siblings: History = ()
    advice: str = ""
    tags: Annotated[Tags, SkipValidation] = Tags()
    path: tuple[str, ...] = ()


class Fitting(Answer):
    """The numbers of the experiences that fit, from 1."""

    numbers: tuple[int, ...] = ()


class FitExperience(AgentPrompt[Fitting]):
    """Which experiences of the operation that was called last fit the task and what is known (ToolBFS+ §3.4)."""

    experiences: tuple[str, ...]


class PlannedStep(Answer):
    purpose: str = ""
    action: str = ""


class Planned(Answer):
    steps: tuple[PlannedStep, ...] = ()


class MakePlan(AgentPrompt[Planned]):
    """The whole plan before anything is called: operations in order, each with its purpose (Chameleon)."""

    operations: Sheets


class Filled(Answer):
    arguments: dict[str, Any] = Field(default_factory=dict)


class FillArguments(AgentPrompt[Filled]):
    """The arguments of the operation that was chosen; values from the task, its documentation, or what was seen."""

    purpose: str
    operation: Annotated[Sheet, SkipValidation]


class SubGoal(Answer):
    """`next`: a new sub-goal, `text` says which; `continue`: the last one is not met; `end`: `answer` is the answer.

    An end without an answer gives up.
    """

    thought: str = ""
    state: Literal["next", "continue", "end"] = "next"
    text: str = ""
    answer: Any = None


class NextSubGoal(AgentPrompt[SubGoal]):
    """The planner of RestGPT (§3.2): coarse sub-goals in plain words, without a look at the operations.

    `goals` are those so far, the last one is at work.
    """

    goals: tuple[str, ...] = ()


class Selected(Answer):
    """The calls that serve a sub-goal, one after the other: names of functions."""

    thought: str = ""
    actions: tuple[str, ...] = ()


class SelectOperation(AgentPrompt[Selected]):
    """The selector of RestGPT (§3.2): the plan of one or several calls for a sub-goal."""

    goal: str
    operations: Sheets


class ConstructedRequest(Answer):
    """The arguments of a call, and what the parser is to take from its response."""

    arguments: dict[str, Any] = Field(default_factory=dict)
    output: str = ""


class ConstructRequest(AgentPrompt[ConstructedRequest]):
    """The caller of RestGPT (§3.3): arguments and output instructions for one call of the plan."""

    goal: str
    operation: Annotated[Sheet, SkipValidation]


class Selection(Answer):
    """What to take from a response, by JSON pointers in which `/0` stands for every item of an array.

    Of everything at `items` ("": the whole response) the `fields`, each relative to it; only where the field `where`
    equals `equals`, if it is given, and at most `first`. Without fields nothing is selected.
    """

    items: str = ""
    fields: tuple[str, ...] = ()
    where: str = ""
    equals: Any = None
    first: int = 20


class SelectValues(AgentPrompt[Selection]):
    """The parser of RestGPT (§3.3): a selection by the response's schema. It is declared, and nothing is executed."""

    goal: str
    output: str
    operation: Annotated[Sheet, SkipValidation]
    arguments: dict[str, Any]
    response: str


class Extract(Answer):
    text: str = ""


class ReadResponse(AgentPrompt[Extract]):
    """The parser of RestGPT where no selection fits (§3.3): what of a response serves the sub-goal, read as text."""

    goal: str
    operation: Annotated[Sheet, SkipValidation]
    arguments: dict[str, Any]
    response: str


class Critique(Answer):
    """`correct` is False if the last action should be done otherwise; `advice` says how."""

    correct: bool = True
    advice: str = ""


class CritiqueAction(AgentPrompt[Critique]):
    """What the response of the tool says of the last action in `history` (Reflect)."""

    operations: Sheets


def finish(answer: object, thought: str = "") -> Action:
    """The action that ends a task with an answer."""
    return Action(thought=thought, action=FINISH, arguments={"return_type": GIVE_ANSWER, "final_answer": answer})


def give_up(thought: str = "") -> Action:
    """The action that ends a way without an answer."""
    return Action(thought=thought, action=FINISH, arguments={"return_type": GIVE_UP})
