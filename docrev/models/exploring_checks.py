"""What answers during an exploration must satisfy: a call that cannot be made is left out, not sent back.

These answers have many parts; one part that cannot be used is no reason to ask for all of them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docrev.errors import AnswerError
from docrev.models.answer_checks import MAX_SCENARIO, MOST_OPERATIONS, check, is_named, locations, whole_arguments
from docrev.models.answer_forms import wrong
from docrev.models.trust import unsafe
from docrev.prompts.exploring import (
    DesignTasks,
    Doubt,
    Doubts,
    FindDoubts,
    JudgeTraces,
    ModelCall,
    NextTurn,
    TaskDraft,
    TaskDrafts,
    TraceVerdicts,
    Turn,
)
from docrev.prompts.questions import Brief
from docrev.records import OperationKey

MAX_DOUBTS = 20
"""New doubts of one answer; verdicts on those that were tested come on top, one a place."""
MAX_CALLS = 4
"""Calls for one doubt, or in one turn."""
_BODY = "body:"


@check.register
def _doubts(prompt: FindDoubts, answer: Doubts) -> Doubts:
    briefs = {brief.key: brief for brief in prompt.operations}
    tested = {(one.doubt.operation, one.doubt.place) for one in prompt.tested}
    known = {(doubt.operation, doubt.place): doubt for doubt in answer.doubts}
    verdicts = [known[place] for place in known if place in tested]
    new = [doubt for doubt in answer.doubts if (doubt.operation, doubt.place) not in tested]
    kept = (doubt for doubt in (*verdicts, *new[:MAX_DOUBTS]) if doubt.operation in briefs)
    return Doubts(doubts=tuple(_doubt(doubt, briefs) for doubt in kept))


def _doubt(doubt: Doubt, briefs: Mapping[OperationKey, Brief]) -> Doubt:
    calls = [made for call in doubt.calls for made in _callable(call, briefs)]
    return doubt.model_copy(update={"calls": tuple(calls[:MAX_CALLS])})


def _callable(call: ModelCall, briefs: Mapping[OperationKey, Brief]) -> Iterator[ModelCall]:
    """The call with its body in one, if all its places are documented and its path is whole."""
    brief = briefs.get(call.operation)
    if brief is None:
        return
    allowed = set(locations(brief))
    if any(at not in allowed and not at.startswith(_BODY) for at in call.arguments):
        return
    try:
        yield call.model_copy(update={"arguments": whole_arguments(call.operation, call.arguments)})
    except AnswerError:
        return


@check.register
def _tasks(prompt: DesignTasks, answer: TaskDrafts) -> TaskDrafts:
    known = {brief.key for brief in prompt.operations}
    most = 1 if prompt.single_tool else MOST_OPERATIONS
    found: dict[str, TaskDraft] = {}
    for draft in answer.tasks[: prompt.count]:
        text, keys = " ".join(draft.text.split()), tuple(dict.fromkeys(draft.operations))
        fits = 0 < len(text) <= MAX_SCENARIO and 0 < len(keys) <= most and known.issuperset(keys)
        if fits and text not in prompt.avoid and not any(unsafe(text)):
            found.setdefault(text, TaskDraft(operations=keys, text=text))
    if answer.tasks and not found:
        raise wrong(f"no task can be used: each needs a text and 1 to {most} of the listed operations", "tasks")
    return TaskDrafts(tasks=tuple(found.values()))


@check.register
def _turn(prompt: NextTurn, answer: Turn) -> Turn:
    """A call that cannot be made is sent back here: there is nothing else in the answer."""
    if answer.answer is not None:
        return answer.model_copy(update={"calls": ()})
    briefs = {brief.key: brief for brief in prompt.operations}
    calls = []
    for call in answer.calls[:MAX_CALLS]:
        if call.operation not in briefs:
            raise wrong(f"{call.operation} is not among the operations", "calls")
        refused = " ".join(str(node.call.body) for node in prompt.history if node.call and not node.call.ok)
        unknown = [at for at in call.arguments if not _has_place(briefs[call.operation], at, refused)]
        if unknown:
            places = ", ".join(locations(briefs[call.operation])) or "none"
            raise wrong(f"{call.operation.operation} has no place {unknown[0][:80]!r}; its places: {places}", "calls")
        calls.append(call.model_copy(update={"arguments": whole_arguments(call.operation, call.arguments)}))
    return answer.model_copy(update={"calls": tuple(calls)})


def _has_place(brief: Brief, at: str, refused: str) -> bool:
    """Whether an operation takes an argument there: as documented, in its body, or as a refusal named it."""
    return at in locations(brief) or at.startswith(_BODY) or is_named(at, refused)


@check.register
def _verdicts(prompt: JudgeTraces, answer: TraceVerdicts) -> TraceVerdicts:
    wanted = [trace.scenario.id for trace in prompt.traces]
    given = {verdict.task: verdict for verdict in answer.verdicts}
    if missing := [task for task in wanted if task not in given]:
        raise wrong(f"has no verdict on {', '.join(missing)}", "verdicts")
    return TraceVerdicts(verdicts=tuple(given[task] for task in wanted))
