"""A model's text to the typed answer of a prompt: tolerant of how it is written, strict in what it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docrev.errors import AnswerError
from docrev.models.parsing_blocks import read_values
from docrev.models.parsing_shapes import fit_shapes, read_lines
from docrev.models.rendering import answer, answer_schema
from docrev.prompts.questions import AnswerT, Prompt
from docrev.records import Json


def parse(text: str, prompt: Prompt[AnswerT], *, cut: bool = False) -> AnswerT:
    """The answer that `text` gives to `prompt`: of several, the last that is valid.

    `cut`: the text is known to have been cut at its end, so only an answer that was whole before counts. Raises
    AnswerError, with a text that may be sent back to the model, if there is none.
    """
    first: AnswerError | None = None
    for data in _candidates(text, answer_schema(prompt), cut):
        try:
            return answer(prompt, data)
        except AnswerError as error:
            first = first or error
    raise first or AnswerError(_nothing(text))


def _candidates(text: str, schema: Mapping[str, Any], cut: bool) -> Iterator[Json]:
    for value in read_values(text, cut=cut):
        yield from fit_shapes(value, schema)
    written = None if cut or "{" in text else read_lines(text, schema)
    if written is not None:
        yield written


def _nothing(text: str) -> str:
    if not text.strip():
        return "the answer is empty"
    return "the answer is cut off" if "{" in text else "there is no JSON object in the answer"
