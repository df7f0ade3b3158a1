"""What an answer must satisfy beside its form: it uses only what its prompt offers.

`check` is one function for each kind of prompt; those of a package above register their own. What is wrong is an
AnswerError whose text can be sent back to the model.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import singledispatch
from typing import Any

from docrev.json_values import pointer as pointers
from docrev.language.path_templates import parameters_of
from docrev.language.words import has_word
from docrev.models.answer_forms import wrong
from docrev.models.trust import unsafe
from docrev.prompts.questions import (
    Brief,
    CallArguments,
    ConstructCall,
    DesignScenario,
    ExperienceDraft,
    JudgeAnswer,
    NextPlan,
    ParseResponse,
    Prompt,
    ReadObservation,
    ScenarioDraft,
    SuggestCall,
    SuggestedCall,
    SummariseExperience,
    Verdict,
)
from docrev.records import Goal, Json, Node, OperationKey, Plan, Scenario

MAX_OBSERVATION = 800
MAX_SCENARIO = 900
MAX_SUGGESTION = 20_000
MOST_OPERATIONS = 4
_LOCATION = re.compile(r"\s*(\S+) \(")
_PATH = re.compile(r"(?<![\w.`])/[\w{}][\w{}/~.-]*|(?<=`)/[\w{}][\w{}/~.-]*")
_BODY = re.compile(r"body:(?:/(?:[^~]|~[01])*)?")
_PLACES = ("path:", "query:", "header:", "cookie:", "body:")
_WRITING = ("POST", "PUT", "PATCH", "DELETE")


@singledispatch
def check(prompt: Prompt[Any], answer: Any) -> Any:
    """`answer`, in its final shape. Raises AnswerError for what it must not say."""
    return answer


@check.register
def _scenario(prompt: DesignScenario, answer: ScenarioDraft) -> ScenarioDraft:
    text = " ".join(answer.text.split())
    if not text:
        return answer.model_copy(update={"text": "", "reason": answer.reason or "no scenario was found"})
    others = tuple(key for key in dict.fromkeys(answer.operations) if key != prompt.first)
    if prompt.first not in answer.operations:
        raise wrong(f"must include {prompt.first}", "operations")
    if others and prompt.single_tool:
        raise wrong(f"must be {prompt.first} alone", "operations")
    if len(others) >= MOST_OPERATIONS:
        raise wrong(f"may be {MOST_OPERATIONS} at most", "operations")
    if text in prompt.avoid:
        raise wrong("this scenario exists already; write another", "text")
    if len(text) > MAX_SCENARIO:
        raise wrong(f"may have {MAX_SCENARIO} characters at most", "text")
    _safe(text, "text")
    goal = _goal(answer.goal, text)
    return answer.model_copy(update={"text": text, "operations": (prompt.first, *others), "goal": goal})


def _goal(goal: Goal | None, text: str) -> Goal | None:
    """A goal whose every given the text tells; one that says more than the text, or asks for nothing, is left out."""
    if goal is None or not goal.want.strip():
        return None
    said = text.casefold()
    told = all(str(given.value).casefold() in said for given in goal.givens if not isinstance(given.value, dict | list))
    placed = all(given.location == "" or given.location.startswith(_PLACES) for given in goal.givens)
    within = all(index < len(goal.givens) for deed in goal.deeds for index in deed.givens)
    return goal if told and placed and within else None


@check.register
def _plan(prompt: NextPlan, answer: Plan) -> Plan:
    if answer.key is None:
        return replace(answer, arguments={})
    brief = next((brief for brief in prompt.operations if brief.key == answer.key), Brief(key=answer.key))
    arguments = dict(_apart(answer.arguments))
    _check_locations(brief, arguments, prompt.scenario, prompt.history)
    return replace(answer, arguments=arguments, answer=None)


@check.register
def _arguments(prompt: ConstructCall, answer: CallArguments) -> CallArguments:
    _check_locations(prompt.operation, answer.arguments, prompt.scenario, prompt.history)
    return CallArguments(arguments=whole_arguments(prompt.operation.key, answer.arguments))


@check.register
def _suggestion(prompt: SuggestCall, answer: SuggestedCall) -> SuggestedCall:
    if not answer.arguments:
        return answer
    if len(str(answer.arguments)) > MAX_SUGGESTION:
        raise wrong(f"may have {MAX_SUGGESTION} characters at most", "arguments")
    refused = " ".join(str(call.body) for call in prompt.calls)
    _documented(prompt.operation, answer.arguments, dict.fromkeys(locations(prompt.operation)), refused)
    return SuggestedCall(reason=answer.reason, arguments=whole_arguments(prompt.operation.key, answer.arguments))


def whole_arguments(key: OperationKey, given: Mapping[str, Json]) -> dict[str, Json]:
    """Arguments with the pieces of the body in one. Raises AnswerError if a path argument is missing."""
    arguments = {at: value for at, value in given.items() if not at.startswith("body:")}
    pieces = {at: value for at, value in given.items() if at.startswith("body:/")}
    missing = [name for name in parameters_of(key.path) if arguments.get(f"path:{name}") in (None, "")]
    if missing:
        raise wrong(f"path:{missing[0]} is missing; without it {key.operation} cannot be called", "arguments")
    body = given.get("body:")
    for at, value in pieces.items():
        body = pointers.placed(body, at.partition(":")[2], value)
    return {**arguments, "body:": body} if pieces or "body:" in given else arguments


def _apart(arguments: Mapping[str, object]) -> Iterator[tuple[str, Json]]:
    """Arguments by location, the objects of a body taken apart: `body:/data/title`; lists stay whole."""
    for at, value in arguments.items():
        if at.startswith("body:") and isinstance(value, dict):
            yield from _apart({f"{at}{pointers.join(name)}": part for name, part in value.items()})
        else:
            yield at, value


def _check_locations(
    brief: Brief, arguments: Mapping[str, object], scenario: Scenario, history: Iterable[Node]
) -> None:
    """Every location is documented, given by the scenario, or named if the API refused an earlier call."""
    givens = scenario.goal.givens if scenario.goal else ()
    allowed = dict.fromkeys([*locations(brief), *(given.location for given in givens if given.location)])
    _documented(brief, arguments, allowed, _refusals(brief.key, history))


def _documented(brief: Brief, arguments: Iterable[str], allowed: Collection[str], refused: str) -> None:
    """Every location is `allowed`, in a body, or named by what the API `refused`."""
    writes = brief.key.method in _WRITING
    for at in arguments:
        is_body = writes and _BODY.fullmatch(at) is not None
        if at not in allowed and not is_body and not is_named(at, refused):
            places = ", ".join(allowed) or "none"
            raise wrong(f"{brief.key.operation} has no place {at[:80]!r}; its places: {places}", "arguments")


def _refusals(key: OperationKey, history: Iterable[Node]) -> str:
    """What the API answered to calls of an operation that failed."""
    calls = (node.call for node in history if node.call is not None)
    return " ".join(str(call.body) for call in calls if call.key == key and not call.ok)


def is_named(at: str, text: str) -> bool:
    """Whether a text has the name of a query parameter or header as a word."""
    place, _, name = at.partition(":")
    if not name or place not in ("query", "header"):
        return False
    return has_word(text, name)


def locations(brief: Brief) -> list[str]:
    """Where an operation takes arguments, as its brief and its path say."""
    told = [match[1] for line in brief.parameters if (match := _LOCATION.match(line))]
    return list(dict.fromkeys([*(f"path:{name}" for name in parameters_of(brief.key.path)), *told]))


@check.register
def _observation(prompt: ParseResponse, answer: ReadObservation) -> ReadObservation:
    text = " ".join(answer.text.split())
    if not text:
        raise wrong("must not be empty", "text")
    return ReadObservation(text=text if len(text) <= MAX_OBSERVATION else f"{text[: MAX_OBSERVATION - 1]}…")


@check.register
def _verdict(prompt: JudgeAnswer, answer: Verdict) -> Verdict:
    if answer.correct and answer.rule:
        raise wrong("must be 0 where correct is true; make correct false where a rule is broken", "rule")
    if not answer.correct and not 1 <= answer.rule <= 6:
        raise wrong("must be the number of the rule that is broken, 1 to 6, where correct is false", "rule")
    return answer


@check.register
def _experience(prompt: SummariseExperience, answer: ExperienceDraft) -> ExperienceDraft:
    if not answer.worth:
        return ExperienceDraft(worth=False)
    texts = {name: " ".join(getattr(answer, name).split()) for name in ("known", "right_plan", "wrong_plan", "why")}
    for name, text in texts.items():
        if not text:
            raise wrong("must not be empty where worth is true", name)
        _safe(text, name)
        _only_called(text, name, prompt)
    return ExperienceDraft(worth=True, **texts)


def _only_called(text: str, where: str, prompt: SummariseExperience) -> None:
    """Only operations that were called are named: another may stand in a response, and be none."""
    calls = [node.call for node in (*prompt.history, prompt.right, prompt.wrong) if node.call is not None]
    paths = {call.key.path for call in calls}
    for path in _PATH.findall(text):
        if path.rstrip(".,;") not in paths:
            raise wrong(f"{path[:80]} was not called; name only {', '.join(sorted(paths))}", where)


def _safe(text: str, where: str) -> None:
    """Texts that end up in documentation speak of the API, and never to the model that reads it."""
    for doubt in unsafe(text):
        raise wrong(doubt.says, where)


def operations_of(prompt: Prompt[Any]) -> tuple[OperationKey, ...]:
    """The operations that an answer to `prompt` may name; () if the prompt lists none."""
    briefs = getattr(prompt, "operations", ())
    return tuple(brief.key for brief in briefs if isinstance(brief, Brief))
