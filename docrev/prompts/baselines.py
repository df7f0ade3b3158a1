"""What the papers' methods of revising documentation ask of a model, so that any spec can be put through them.

EasyTool (Yuan et al., 2024) shortens documentation to an instruction with one example call, and calls nothing. DRAFT
(Qu et al., 2025) rewrites an operation's description after every trial of that one operation, until it changes little.
Neither touches parameters or responses. ToolBFS+ asks three questions an operation (appendix A.5, tables 10 to 12),
each with the solved scenarios in which it was called, and whether an experience is there already (§3.4).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field, SkipValidation

from docrev.prompts.questions import Answer, AnswerT, Brief, Prompt, Same, ShownPart, Text
from docrev.records import Call, Experience


class ToolInstruction(Answer):
    """What a tool does in one sentence, and one example: a `scenario` and the parameters that serve it, by location."""

    description: str
    scenario: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)


class ShortenDocumentation(Prompt[ToolInstruction]):
    """EasyTool's instruction of an operation, from its documentation alone."""

    role: ClassVar[str] = "revise"
    operation: Annotated[Brief, SkipValidation]
    original: str = ""


class RewriteAfterTrial(Prompt[Text]):
    """DRAFT's rewriter: the description after one more trial; `current` is the one that the last trial left."""

    role: ClassVar[str] = "revise"
    operation: Annotated[Brief, SkipValidation]
    current: str
    call: Annotated[Call, SkipValidation]


class SolvedUse(ShownPart):
    """A right node: the scenario that was solved with it, the call, and what its response said towards that."""

    scenario: str
    call: Annotated[Call, SkipValidation]
    result: str = ""


class _ReviseByUse(Prompt[AnswerT]):
    """What the three share: `original` is what is documented now, `examples` are solved scenarios alone."""

    role: ClassVar[str] = "revise"
    operation: Annotated[Brief, SkipValidation]
    examples: Annotated[tuple[SolvedUse, ...], SkipValidation] = ()


class ReviseDescription(_ReviseByUse[Text]):
    """The operation's description in at most 50 words (ToolBFS+ table 10)."""

    original: str = ""
    words: int = 50


class LocatedText(Answer):
    """A text for a parameter or a response value, by its location."""

    location: str
    text: str = ""


class PlaceTexts(Answer):
    texts: tuple[LocatedText, ...] = ()


class ReviseParameters(_ReviseByUse[PlaceTexts]):
    """All parameters' descriptions, each in at most 10 words (table 11); `original` are those of now, by location."""

    original: dict[str, str] = Field(default_factory=dict)
    words: int = 10


class ReviseResponses(_ReviseByUse[PlaceTexts]):
    """A description of each response value (table 12); `original` are those of now, by location (`200:/items/0/id`)."""

    original: dict[str, str] = Field(default_factory=dict)


class SimilarExperience(Prompt[Same]):
    """Whether the experience set `known` has one that is like `new`, by known information and scenario (§3.4)."""

    role: ClassVar[str] = "experience"
    new: Annotated[Experience, SkipValidation]
    known: Annotated[tuple[Experience, ...], SkipValidation]
