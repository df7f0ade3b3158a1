"""Everything that docrev asks of a model: one pydantic class a question, its answer's type beside it.

A prompt holds only context that can be serialised, so that recorded, chat and offline models see the same. Each has
a template of the same name under `templates/prompts/` (`NextPlan`: `next_plan.j2`), which chat models are asked with;
the offline engine answers the same object by algorithm.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SkipValidation

from docrev.records import Call, Experience, Goal, Node, OperationKey, Plan, Scenario

AnswerT = TypeVar("AnswerT")


class _Frozen(BaseModel):
    # A command asks a few of a hundred kinds of questions: a validator is made when it is first needed.
    model_config = ConfigDict(frozen=True, defer_build=True)


class Prompt(_Frozen, Generic[AnswerT]):
    """A question with its context. `role` groups questions that one model may be chosen for.

    `is_long`: the answer has many parts, so it gets more room than others.
    """

    role: ClassVar[str] = "plan"
    is_long: ClassVar[bool] = False

    @property
    def vote(self) -> int | None:
        """The number of this vote where several are taken on one question, from 0; None where one answer is enough."""
        return None


class Answer(_Frozen):
    """What is answered to a question."""


class ShownPart(_Frozen):
    """A part of a question."""


class Brief(ShownPart):
    """What a model is told of an operation: its documentation, and nothing else.

    `parameters` are one line each, `location (type, required): description`; `responses` are field names.
    """

    key: OperationKey
    summary: str = ""
    parameters: tuple[str, ...] = ()
    responses: tuple[str, ...] = ()


Briefs = Annotated[tuple[Brief, ...], SkipValidation]
Nodes = Annotated[tuple[Node, ...], SkipValidation]
Calls = Annotated[tuple[Call, ...], SkipValidation]


class ScenarioDraft(Answer):
    """A scenario before it has an id. `text` is empty if none can be made of what is known: `reason` says why."""

    text: str
    operations: tuple[OperationKey, ...] = ()
    goal: Annotated[Goal | None, SkipValidation] = None
    reason: str = ""


class DesignScenario(Prompt[ScenarioDraft]):
    """Choose one to three operations that go with `first` (the least used) and write a scenario that needs them all.

    ToolBFS+ §3.2 and table 6: concrete values only, and only such as occur in `calls`. `avoid` are texts that exist.
    """

    role: ClassVar[str] = "scenario"
    first: OperationKey
    operations: Briefs
    calls: Calls
    single_tool: bool = False
    avoid: Annotated[frozenset[str], SkipValidation] = frozenset()


class NextPlan(Prompt[Plan]):
    """The next step, different from those of `siblings` (ToolBFS+ §3.3); `history` are the nodes from the root on."""

    scenario: Annotated[Scenario, SkipValidation]
    operations: Briefs
    history: Nodes
    siblings: Annotated[tuple[Plan, ...], SkipValidation] = ()
    experiences: Annotated[tuple[Experience, ...], SkipValidation] = ()


class CallArguments(Answer):
    arguments: dict[str, Any]


class ConstructCall(Prompt[CallArguments]):
    """The arguments for the operation that `plan` chose; every value from the text or from the history."""

    role: ClassVar[str] = "call"
    scenario: Annotated[Scenario, SkipValidation]
    operation: Annotated[Brief, SkipValidation]
    plan: Annotated[Plan, SkipValidation]
    history: Nodes


class SuggestedCall(Answer):
    """The arguments of one more call, by location; none if no call would be answered with 2xx: `reason` says why."""

    reason: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)


class SuggestCall(Prompt[SuggestedCall]):
    """What to send to an operation that never returned 2xx, after all that was known to try.

    `operation` has all that the schemas say. `calls` are the latest refusals, no two alike; `why` says why nothing was
    sent, if nothing was. `paths` are path arguments of things that are there; `values` are known for a location, the
    likeliest first; `name` is one that the run has not given yet.
    """

    role: ClassVar[str] = "call"
    operation: Annotated[Brief, SkipValidation]
    calls: Calls = ()
    why: str = ""
    paths: tuple[dict[str, Any], ...] = ()
    values: dict[str, tuple[Any, ...]] = Field(default_factory=dict)
    name: str = ""


class ReadObservation(Answer):
    """What the response says towards the scenario, in a sentence."""

    text: str


class ParseResponse(Prompt[ReadObservation]):
    """Read the response of the call that was just made."""

    role: ClassVar[str] = "parse"
    scenario: Annotated[Scenario, SkipValidation]
    plan: Annotated[Plan, SkipValidation]
    call: Annotated[Call, SkipValidation]


class Verdict(Answer):
    """`rule` is the number of the rule of appendix A.4 that was broken, or 0."""

    correct: bool
    rule: int = 0
    reason: str = ""


class JudgeAnswer(Prompt[Verdict]):
    """Whether reasoning and answer are both right, by the six rules of ToolBFS+ appendix A.4."""

    role: ClassVar[str] = "judge"
    scenario: Annotated[Scenario, SkipValidation]
    operations: Briefs
    history: Nodes
    answer: Any


class ExperienceDraft(Answer):
    """`worth` is False if the wrong branch neither failed nor lacked what was needed."""

    worth: bool
    known: str = ""
    right_plan: str = ""
    wrong_plan: str = ""
    why: str = ""


class SummariseExperience(Prompt[ExperienceDraft]):
    """What is to be learned where `right` and `wrong` part, after `history` (ToolBFS+ §3.3).

    `published`: whatever the wrong branch lacked is worth it, as in the paper.
    """

    role: ClassVar[str] = "experience"
    scenario: Annotated[Scenario, SkipValidation]
    history: Nodes
    right: Annotated[Node, SkipValidation]
    wrong: Annotated[Node, SkipValidation]
    published: bool = False


class Same(Answer):
    same: bool


class SameExperience(Prompt[Same]):
    """Whether `new` says nothing that `known` does not say (ToolBFS+ §3.4)."""

    role: ClassVar[str] = "experience"
    new: Annotated[Experience, SkipValidation]
    known: Annotated[tuple[Experience, ...], SkipValidation]


class Text(Answer):
    """A text for the documentation; empty if there is nothing to say."""

    text: str


class Rating(Answer):
    """One aspect of a documentation: `score` is 1 (poor), 2 or 3 (good)."""

    reason: str
    score: Literal[1, 2, 3]


class Ratings(Answer):
    """The three aspects that are rated each for itself (ToolBFS+ tables 17 to 19)."""

    description: Rating
    parameters: Rating
    responses: Rating


class RateDocumentation(Prompt[Ratings]):
    """How good the documentation of an operation is for those who know nothing else of it (ToolBFS+ table 5).

    `parameters` and `responses` are one line each: location, type, and what is said of it.
    """

    role: ClassVar[str] = "rate"
    key: OperationKey
    description: str
    parameters: tuple[str, ...] = ()
    responses: tuple[str, ...] = ()
