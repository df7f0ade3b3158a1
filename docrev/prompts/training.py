"""What a model is asked when data for tool users is made: which keys matter, instructions, and their granularities."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, SkipValidation

from docrev.prompts.questions import Answer, Brief, Calls, Prompt, ShownPart
from docrev.records import OperationKey

Kind = Literal["I1", "I2", "I3"]
"""Single-tool, intra-category and intra-collection instructions (ToolLLM §2.2)."""
Level = Literal["statement", "category", "tool", "operation", "hybrid"]
LEVELS: tuple[Level, ...] = ("statement", "category", "tool", "operation", "hybrid")
"""The granularities of an instruction (ToolPlanner §3.1), the coarsest first; seeds are hybrid."""


class FieldSeen(ShownPart):
    """A field of a response, by JSON pointer (`/0` stands for the items of an array), with a value seen there."""

    pointer: str
    example: Any = None


class KeptFields(Answer):
    """The fields to keep, by pointer; one that is kept is kept with everything below it."""

    keep: tuple[str, ...] = ()


class CompressResponse(Prompt[KeptFields]):
    """Which fields of an operation's response matter to who uses it, when it is too long (ToolLLM §2.1)."""

    role: ClassVar[str] = "parse"
    operation: Annotated[Brief, SkipValidation]
    fields: tuple[FieldSeen, ...]
    calls: Calls = ()


class SampleOperation(ShownPart):
    """An operation of a sample: its documentation, what its tool and category are called, arguments that work."""

    operation: Annotated[Brief, SkipValidation]
    tool: str = ""
    category: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)


class InstructionDraft(Answer):
    """An instruction with the operations that it needs."""

    text: str
    operations: tuple[OperationKey, ...] = ()


class InstructionDrafts(Answer):
    """Several instructions for the same sample."""

    instructions: tuple[InstructionDraft, ...] = ()


class WriteInstructions(Prompt[InstructionDrafts]):
    """Instructions that some operations of a sample can carry out (ToolLLM §2.2 and appendix A.7).

    Ten at a time, the last three of them long, each of at least 30 words. `seeds` are examples as JSON; `turn` counts
    what is asked for, so that each answer is one of its own; `avoid` are texts that exist.
    """

    role: ClassVar[str] = "scenario"
    kind: Kind
    offers: tuple[SampleOperation, ...]
    count: int = 10
    long: int = 3
    words: int = 30
    seeds: tuple[str, ...] = ()
    turn: int = 0
    avoid: tuple[str, ...] = ()


class Graded(Answer):
    """An instruction at another granularity."""

    text: str


class GradeInstruction(Prompt[Graded]):
    """The same instruction at another granularity (ToolPlanner §3.1, figure 2).

    For `statement` what is `said` is the whole instruction, and only the user's situation or wish is wanted; for
    `category`, `tool` and `operation` it is that statement, and all of `tags` must be named.
    """

    role: ClassVar[str] = "scenario"
    said: str
    level: Level
    tags: tuple[str, ...] = ()
