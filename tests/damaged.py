"""The corpus of damaged answers: what models write where a JSON object was asked for, and what it should be read as."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from docrev.errors import AnswerError
from docrev.models.asking import parse
from docrev.models.rendering import answer, written
from docrev.prompts.baselines import ReviseDescription
from docrev.prompts.questions import (
    Brief,
    ConstructCall,
    DesignScenario,
    JudgeAnswer,
    NextPlan,
    ParseResponse,
    Prompt,
    SameExperience,
    SuggestCall,
    SummariseExperience,
)
from docrev.records import Call, Experience, Json, Node, OperationKey, Plan, Scenario

CORPUS = Path(__file__).resolve().parents[1] / "benchmarks" / "damaged_answers.yaml"


@dataclass(frozen=True)
class Case:
    """A damaged text, the prompt that it answers, and what it says; None where nothing usable is left of it."""

    name: str
    prompt: str
    text: str
    answer: Json


def corpus() -> list[Case]:
    return [Case(**case) for case in yaml.safe_load(CORPUS.read_text(encoding="utf-8"))]


def read(case: Case) -> Json:
    """What is read out of a case, in the form that models write; None where it is a named error."""
    prompt = PROMPTS[case.prompt]
    try:
        return written(prompt, parse(case.text, prompt))
    except AnswerError:
        return None


def wanted(case: Case) -> Json:
    """What should be read, with the defaults of what it does not say."""
    prompt = PROMPTS[case.prompt]
    return None if case.answer is None else written(prompt, answer(prompt, case.answer))


CITIES = OperationKey("atlas", "GET /countries/{code}/cities")
COUNTRY = OperationKey("atlas", "GET /countries/{code}")
SEARCH = OperationKey("atlas", "GET /cities")
_OPERATIONS = (
    Brief(
        key=CITIES,
        summary="Cities of a country",
        parameters=("path:code (string, required): ISO code", "query:limit (integer, optional)"),
        responses=("/0/id", "/0/name"),
    ),
    Brief(
        key=COUNTRY,
        summary="One country",
        parameters=("path:code (string, required): ISO code",),
        responses=("/name", "/capital"),
    ),
    Brief(
        key=SEARCH,
        summary="Search cities",
        parameters=("query:q (string, optional): text", "query:limit (integer, optional)"),
        responses=("/0/name", "/0/country"),
    ),
)
_SCENARIO = Scenario("s001", "What is the capital of the country that Antwerp lies in?", (COUNTRY, SEARCH))
_CALL = Call(
    id="c1",
    key=SEARCH,
    arguments={"query:q": "Antwerp"},
    url="http://127.0.0.1/cities?q=Antwerp",
    status=200,
    headers={},
    body=[{"id": 7, "name": "Antwerp", "country": "BE"}],
    media_type="application/json",
    purpose="scenario",
)
_PLAN = Plan("Look for the city.", SEARCH, {"query:q": "Antwerp"})
_NODE = Node("s001/bfs/0.0", "s001/bfs/0", "s001", "bfs", 1, _PLAN, _CALL, "Antwerp is in BE.")
_OTHER = Node("s001/bfs/0.1", "s001/bfs/0", "s001", "bfs", 1, Plan("List cities.", CITIES, {"path:code": "NL"}))
_LESSON = Experience(SEARCH, "s001", "a city's name", COUNTRY, "read the country", CITIES, "list cities", "no capital")

PROMPTS: dict[str, Prompt[Any]] = {
    "DesignScenario": DesignScenario(first=COUNTRY, operations=_OPERATIONS, calls=(_CALL,)),
    "NextPlan": NextPlan(scenario=_SCENARIO, operations=_OPERATIONS, history=(_NODE,)),
    "ConstructCall": ConstructCall(
        scenario=_SCENARIO, operation=_OPERATIONS[0], plan=Plan("List the cities.", CITIES), history=(_NODE,)
    ),
    "SuggestCall": SuggestCall(operation=_OPERATIONS[0], calls=(_CALL,), values={"query:q": ("Ghent", 7)}),
    "ParseResponse": ParseResponse(scenario=_SCENARIO, plan=_PLAN, call=_CALL),
    "JudgeAnswer": JudgeAnswer(scenario=_SCENARIO, operations=_OPERATIONS, history=(_NODE,), answer="Brussels"),
    "SummariseExperience": SummariseExperience(scenario=_SCENARIO, history=(), right=_NODE, wrong=_OTHER),
    "SameExperience": SameExperience(new=_LESSON, known=(_LESSON,)),
    "ReviseDescription": ReviseDescription(operation=_OPERATIONS[0], original="Cities of a country"),
}
"""A prompt of each kind that the corpus answers."""
