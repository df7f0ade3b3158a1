"""The methods that docrev is measured against, for any spec: EasyTool and DRAFT, as their papers describe them.

Both replace the description of every operation and leave everything else alone, as the published texts of DRAFT do
(all descriptions changed, no parameter). They keep no fingerprints and back no statement with calls.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from difflib import SequenceMatcher

from docrev.errors import ModelError
from docrev.evidence import Evidence
from docrev.evidence.usefulness import useless_tools
from docrev.language.characters import visible
from docrev.models import Model
from docrev.prompts.baselines import RewriteAfterTrial, ShortenDocumentation, ToolInstruction
from docrev.prompts.briefs import brief
from docrev.prompts.questions import AnswerT, Prompt
from docrev.records import Call, Change
from docrev.revision.purposes import OfflineWriter
from docrev.revision.quotations import masked_call
from docrev.revision.revision import Revision
from docrev.revision.validation import apply
from docrev.spec import Catalog, Operation

EPISODES = 5
"""Trials of one operation (DRAFT §3)."""
SAME = 0.75
"""Similarity of two texts from which on the description has converged (DRAFT §3; there by BLEU and embeddings)."""
LONGEST = 1000

_Describe = Callable[[Operation], Awaitable[tuple[str, tuple[str, ...]]]]


async def easytool(catalog: Catalog, model: Model | None = None) -> Revision:
    """Every operation's documentation as a short instruction with an example call; from the documents alone."""

    async def describe(operation: Operation) -> tuple[str, tuple[str, ...]]:
        prompt = ShortenDocumentation(operation=brief(operation), original=_text(operation))
        return _instruction(await asked(model, prompt)), ()

    return await _described(catalog, describe)


async def draft(catalog: Catalog, evidence: Evidence, model: Model | None = None) -> Revision:
    """Every operation's description rewritten after each of a few trials of it alone, until it changes little.

    The trials are calls that `evidence` has: the survey's and those of scenarios of one operation, at most five.
    """

    useless = useless_tools(evidence)

    async def describe(operation: Operation) -> tuple[str, tuple[str, ...]]:
        current = _text(operation)
        used: list[str] = []
        for call in _trials(evidence, operation) if operation.tool not in useless else ():
            prompt = RewriteAfterTrial(operation=brief(operation), current=current, call=masked_call(call))
            answer = await asked(model, prompt)
            before, current = current, visible(answer.text)[:LONGEST] or current
            used.append(call.id)
            if SequenceMatcher(None, before, current, autojunk=False).ratio() > SAME and len(used) > 1:
                break
        return (current if used else ""), tuple(used)

    return await _described(catalog, describe)


async def asked(model: Model | None, prompt: Prompt[AnswerT]) -> AnswerT:
    """The model's answer; without a model, or if its answer cannot be used, the built-in writer's."""
    if model is not None:
        try:
            return await model.ask(prompt)
        except ModelError:
            pass
    return OfflineWriter().answer(prompt)


def _trials(evidence: Evidence, operation: Operation) -> list[Call]:
    """Calls of one operation, successful ones first, no two with the same arguments."""
    trials: dict[str, Call] = {}
    for call in (
        *evidence.calls.select(key=operation.key, ok=True),
        *evidence.calls.select(key=operation.key, ok=False),
    ):
        if call.purpose in ("survey", "scenario") and call.status is not None:
            trials.setdefault(repr(sorted(call.arguments.items(), key=str)), call)
    return list(trials.values())[:EPISODES]


async def _described(catalog: Catalog, describe: _Describe) -> Revision:
    changes = []
    for operation in catalog.operations:
        text, calls = await describe(operation)
        place = operation.place
        node = catalog.node(place)
        before = node.get("description") if isinstance(node, dict) else None
        if text and text != before:
            pointer = f"{place.pointer}/description"
            changes.append(Change(place.file, pointer, before, text, operation.key, calls=calls))
    documents, kept, dropped = apply(catalog, changes)
    return Revision(tuple(kept), documents, tuple(dropped))


def _text(operation: Operation) -> str:
    return operation.description or operation.summary


def _instruction(instruction: ToolInstruction) -> str:
    """The instruction as one description."""
    text = visible(instruction.description).rstrip(".")
    if instruction.parameters:
        pairs = ", ".join(f"{at.partition(':')[2]}={value}" for at, value in instruction.parameters.items())
        scenario = f"{visible(instruction.scenario).rstrip('.')}: " if instruction.scenario else ""
        text += f". Example: {scenario}{visible(pairs)}"
    return f"{text}."[:LONGEST] if text else ""
