"""Asking a model which fields to keep, and checking its answer against what it was given; None without a usable one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docrev.errors import ModelError
from docrev.models import Model
from docrev.prompts.briefs import brief
from docrev.prompts.training import CompressResponse
from docrev.records import Call
from docrev.runners.rules import KeepRule
from docrev.spec import Operation
from docrev.train.data.compressing import seen_fields

MAX_CALLS = 2


async def choose_fields(
    model: Model, operation: Operation, calls: Sequence[Call], feeding: Collection[str]
) -> KeepRule | None:
    """The rule that a model makes; what feeds other operations is kept in any case.

    None if it has no usable answer, names only fields that are not there, or leaves nothing out.
    """
    seen = seen_fields(call.body for call in calls)
    if not seen:
        return None
    prompt = CompressResponse(operation=brief(operation), fields=seen, calls=tuple(calls[:MAX_CALLS]))
    try:
        chosen = set((await model.ask(prompt)).keep)
    except ModelError:
        return None
    pointers = [one.pointer for one in seen]
    if not chosen & set(pointers):
        return None
    keep = tuple(at for at in pointers if at in chosen or at in feeding)
    return (
        KeepRule(keep, {at: "left out by the model" for at in pointers if at not in keep})
        if len(keep) < len(pointers)
        else None
    )
