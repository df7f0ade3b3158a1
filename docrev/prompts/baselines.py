"""What the two earlier methods of revising documentation ask of a model, so that any spec can be put through them.

EasyTool (Yuan et al., 2024) shortens documentation to an instruction with one example call, and calls nothing. DRAFT
(Qu et al., 2025) rewrites an operation's description after every trial of that one operation, until it changes little.
Neither touches parameters or responses.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field, SkipValidation

from docrev.prompts.questions import Answer, Brief, Prompt, Text
from docrev.records import Call


class Instruction(Answer):
    """What a tool does in one sentence, and one example: a `scenario` and the parameters that serve it, by location."""

    description: str
    scenario: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)


class ShortenDocumentation(Prompt[Instruction]):
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
