"""The writer built in: it answers the three revision prompts by algorithm, from names, facts and calls.

What a parameter does is written as facts show it; if there are none, its name is written out, and no more. An order
that no parameter asks for is stated if every long list kept it. Values, examples and pitfalls are added beside these
purposes, whoever writes them.
"""

from __future__ import annotations

from typing import cast

from docrev.errors import ModelError
from docrev.prompts.questions import (
    AnswerT,
    DescribeOperation,
    DescribeParameter,
    DescribeResponse,
    Prompt,
    Text,
)
from docrev.revision.operation_purposes import describe_operation
from docrev.revision.parameter_purposes import describe_parameter
from docrev.revision.property_purposes import describe_property


class OfflineWriter:
    """The offline model as far as a revision needs it: no catalog, no graph, no state."""

    name = "offline"

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The text for one of the three revision prompts. Raises ModelError for any other."""
        text = write(prompt)
        if text is None:
            raise ModelError(f"the offline writer does not answer {type(prompt).__name__}")
        return cast("AnswerT", text)


def write(prompt: Prompt[AnswerT]) -> Text | None:
    """The text that a revision prompt asks for; None for any other prompt."""
    match prompt:
        case DescribeOperation():
            return describe_operation(prompt)
        case DescribeParameter():
            return describe_parameter(prompt)
        case DescribeResponse():
            return describe_property(prompt)
    return None
