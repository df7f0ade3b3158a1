"""Documentation rated as it stands: three aspects, three points (ToolBFS+ §6, table 5, and appendix E)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docrev.prompts.questions import RateDocumentation, Ratings
from docrev.prompts.steps import Ask, Steps
from docrev.records import OperationKey
from docrev.spec import Catalog, Operation, Schema

MAX_LINES = 60
ASPECTS = ("description", "parameters", "responses")


@dataclass(frozen=True, slots=True)
class Rated:
    """The scores of one operation, by aspect in the order of `ASPECTS`, with the judge's reasons."""

    key: OperationKey
    scores: tuple[int, int, int]
    reasons: tuple[str, str, str]


def rate(catalog: Catalog) -> Steps[tuple[Rated, ...]]:
    """Have every operation of a catalog rated."""
    prompts = [rating_prompt(operation) for operation in catalog.operations]
    answers: list[Ratings] = yield [Ask(prompt) for prompt in prompts]
    return tuple(_rated(prompt.key, answer) for prompt, answer in zip(prompts, answers, strict=True))


def rating_prompt(operation: Operation) -> RateDocumentation:
    """An operation's documentation as a judge reads it: the text, then a line a parameter and a response field."""
    return RateDocumentation(
        key=operation.key,
        description=operation.text,
        parameters=tuple(_parameters(operation)),
        responses=tuple(_responses(operation)),
    )


def means(rated: Sequence[Rated]) -> dict[str, float]:
    """The mean score of each aspect; empty of nothing."""
    return {name: sum(one.scores[at] for one in rated) / len(rated) for at, name in enumerate(ASPECTS)} if rated else {}


def _rated(key: OperationKey, answer: Ratings) -> Rated:
    one, two, three = answer.description, answer.parameters, answer.responses
    return Rated(key, (one.score, two.score, three.score), (one.reason, two.reason, three.reason))


def _parameters(operation: Operation) -> Iterator[str]:
    for parameter in operation.parameters:
        need = "required" if parameter.required else "optional"
        yield _line(parameter.key, f"{parameter.schema.type or 'any'}, {need}", parameter.description)
    if operation.body_schema is not None:
        yield from _fields("body", operation.body_schema)


def _responses(operation: Operation) -> Iterator[str]:
    success = operation.success
    if success is not None and success.schema is not None:
        yield from _fields(success.status, success.schema)


def _fields(where: str, schema: Schema) -> Iterator[str]:
    ratings = [(pointer, part) for pointer, part in schema.walk(5) if pointer and part.type not in ("object", "array")]
    for pointer, part in ratings[:MAX_LINES]:
        yield _line(f"{where}:{pointer}", part.type or "any", part.description)


def _line(location: str, about: str, text: str) -> str:
    return f"{location} ({about}): {' '.join(text.split())}".rstrip(": ")
