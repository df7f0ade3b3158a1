"""What a model is asked while an API is explored in docrev's own way: doubts, then tasks, solved in conversations.

Briefs come first in every question, with the same bytes each time, so that servers can cache them.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field, SkipValidation

from docrev.prompts.questions import Answer, Briefs, Calls, Nodes, Prompt, ShownPart
from docrev.records import Experience, Fact, OperationKey, Plan, Scenario


class ModelCall(Answer):
    """A call that a model wants to be made; arguments by location."""

    operation: OperationKey
    arguments: dict[str, Any] = Field(default_factory=dict)


class Doubt(Answer):
    """A claim that is vague or may be false. `place` is the location that it is about, "" for the whole operation.

    `calls` tell the hypotheses apart; `verdict` says what calls have shown, "" as long as it is open.
    """

    operation: OperationKey
    place: str = ""
    claim: str = ""
    hypotheses: tuple[str, ...] = ()
    verdict: str = ""
    calls: tuple[ModelCall, ...] = ()


class Doubts(Answer):
    """What is doubtful of a tool's documentation, the most harmful first."""

    doubts: tuple[Doubt, ...] = ()


class TestedDoubt(ShownPart):
    """A doubt with the calls that were made for it, failed ones too."""

    __test__ = False
    doubt: Annotated[Doubt, SkipValidation]
    results: Calls = ()


class FindDoubts(Prompt[Doubts]):
    """Which claims of a tool's documentation are vague or may be false, and which calls would show what is true.

    In the first round `tested` is empty and `samples` are calls of each operation; later only what is still open is
    shown, with its results. `for_writing`: the documentation is written next, and each operation may have three calls.
    """

    role: ClassVar[str] = "plan"
    is_long: ClassVar[bool] = True
    tool: str
    operations: Briefs
    samples: Calls = ()
    facts: Annotated[tuple[Fact, ...], SkipValidation] = ()
    tested: Annotated[tuple[TestedDoubt, ...], SkipValidation] = ()
    for_writing: bool = False


class TaskDraft(Answer):
    """A task with the operations that it requires."""

    operations: tuple[OperationKey, ...] = ()
    text: str = ""


class TaskDrafts(Answer):
    """Several tasks."""

    tasks: tuple[TaskDraft, ...] = ()


class DesignTasks(Prompt[TaskDrafts]):
    """The tasks of a round, two to four operations each (ToolBFS+ §3.2, but a whole round at a time).

    `cover` are the operations that must be used, the least-used first; `doubts` say what is doubtful of them, `links`
    which response fields feed which parameters. `calls` are what names and values may be taken from.
    """

    role: ClassVar[str] = "scenario"
    is_long: ClassVar[bool] = True
    operations: Briefs
    calls: Calls = ()
    cover: tuple[OperationKey, ...] = ()
    doubts: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    count: int = 16
    single_tool: bool = False
    avoid: Annotated[frozenset[str], SkipValidation] = frozenset()


class Turn(Answer):
    """The next calls of a conversation, or its `answer`. Without either, the model gives up."""

    thought: str = ""
    calls: tuple[ModelCall, ...] = ()
    answer: Any = None


class NextTurn(Prompt[Turn]):
    """What to do next in the conversation that solves a task.

    `history` is all that was done, in order; `siblings` were done at this point before and led to a wrong answer, and
    `wrong` says what was wrong with it.
    """

    role: ClassVar[str] = "plan"
    operations: Briefs
    scenario: Annotated[Scenario, SkipValidation]
    history: Nodes = ()
    siblings: Annotated[tuple[Plan, ...], SkipValidation] = ()
    wrong: str = ""
    experiences: Annotated[tuple[Experience, ...], SkipValidation] = ()


class Trace(ShownPart):
    """A task with all that was done for it, and the answer."""

    scenario: Annotated[Scenario, SkipValidation]
    history: Nodes = ()
    answer: Any = None


class TraceVerdict(Answer):
    """Whether a task is solved. `wrong_step` is the number of the first step that went wrong, 0 if none did."""

    task: str
    reason: str = ""
    wrong_step: int = 0
    correct: bool


class TraceVerdicts(Answer):
    """One verdict a task."""

    verdicts: tuple[TraceVerdict, ...] = ()


class JudgeTraces(Prompt[TraceVerdicts]):
    """Whether tasks were solved, by the rules of ToolBFS+ appendix A.4; several at a time."""

    role: ClassVar[str] = "judge"
    is_long: ClassVar[bool] = True
    operations: Briefs
    traces: Annotated[tuple[Trace, ...], SkipValidation] = ()
