"""From the JSON that a model wrote to the typed answer of a prompt, and back."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from pydantic import TypeAdapter

from docrev.models import exploring_checks, forms  # noqa: F401 (importing them registers the checks)
from docrev.models.checks import check, operations_of
from docrev.prompts.questions import AnswerT, Prompt
from docrev.records import Json


def answer_class(prompt: Prompt[Any] | type[Prompt[Any]]) -> type:
    """The class of a prompt's answer."""
    return _answer_class(prompt if isinstance(prompt, type) else type(prompt))


@lru_cache(maxsize=128)
def _answer_class(kind: type[Prompt[Any]]) -> type:
    for base in kind.__mro__:
        generic = getattr(base, "__pydantic_generic_metadata__", None) or {}
        origin = generic.get("origin")
        if isinstance(origin, type) and issubclass(origin, Prompt):
            found: type = generic["args"][0]
            return found
    raise TypeError(f"{kind.__name__} does not say what its answer is: derive it from Prompt[…]")


def answer_type(prompt: Prompt[AnswerT]) -> TypeAdapter[AnswerT]:
    """The adapter of a prompt's answer, as it is in Python (not in the form that models write)."""
    return TypeAdapter(answer_class(prompt))


def answer_schema(prompt: Prompt[Any]) -> dict[str, Json]:
    """The JSON schema of what a model is to write: closed, all properties required, as strict output demands."""
    return forms.schema(answer_class(prompt), operations_of(prompt))


def answer(prompt: Prompt[AnswerT], data: Json) -> AnswerT:
    """The answer that `data` says. Raises AnswerError if it is not one, or says what the prompt does not allow."""
    read = forms.read(answer_class(prompt), data, operations_of(prompt))
    return cast(AnswerT, check(prompt, read))


def written(prompt: Prompt[AnswerT], given: AnswerT) -> Json:
    """An answer in the form that models write: `answer(prompt, written(prompt, given))` is `given`."""
    return forms.written(given, answer_class(prompt))
