"""The writer built in: purposes by algorithm, from names, facts and calls, and what the papers' methods ask for.

What a parameter does is written as facts show it; if there are none, its name is written out, and no more. An order
that no parameter asks for is stated if every long list kept it. Values, examples and pitfalls are added beside these
purposes, whoever writes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from docrev.errors import ModelError
from docrev.prompts.baselines import (
    ReviseDescription,
    ReviseParameters,
    ReviseResponses,
    RewriteAfterTrial,
    ShortenDocumentation,
)
from docrev.prompts.questions import AnswerT, Prompt
from docrev.revision import baseline_texts
from docrev.revision.operation_purposes import describe_operation
from docrev.revision.parameter_purposes import describe_parameter
from docrev.revision.property_purposes import describe_property
from docrev.revision.writer_inputs import OperationInput, ParameterInput, PropertyInput, Purpose

_ANSWERS: dict[type[Prompt[Any]], Callable[[Any], Any]] = {
    ShortenDocumentation: baseline_texts.shorten,
    RewriteAfterTrial: baseline_texts.rewrite,
    ReviseDescription: baseline_texts.describe_use,
    ReviseParameters: baseline_texts.describe_parameters,
    ReviseResponses: baseline_texts.describe_responses,
}


class OfflineWriter:
    """The offline model as far as a revision by a paper's method needs it: no catalog, no graph, no state."""

    name = "offline"

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """`answer` without waiting."""
        return self.answer(prompt)

    def answer(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The text for a prompt of EasyTool, DRAFT or ToolBFS+. Raises ModelError for any other."""
        writer = _ANSWERS.get(type(prompt))
        if writer is None:
            raise ModelError(f"the offline writer does not answer {type(prompt).__name__}")
        return cast("AnswerT", writer(prompt))


def write(place: OperationInput) -> Purpose:
    """The purpose of a place; with the text "" if nothing shows it."""
    match place:
        case ParameterInput():
            return Purpose(describe_parameter(place))
        case PropertyInput():
            return describe_property(place)
    return Purpose(describe_operation(place))
