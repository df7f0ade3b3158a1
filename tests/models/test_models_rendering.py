"""Answers in the form that models write: strict schemas, wide reading, and what an answer must keep to; fences."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from promptkit import prompts
from pydantic import TypeAdapter

from docrev.errors import AnswerError
from docrev.models.rendering import answer, answer_class, answer_schema, fence, show_result, show_value, written
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
    Rating,
    Ratings,
    Same,
    ScenarioDraft,
    SummariseExperience,
    Text,
    Verdict,
)
from docrev.records import Deed, Given, Goal, OperationKey, Plan

PROMPTS = prompts()
KINDS = sorted(PROMPTS)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def of(kind: type[Any]) -> Any:
    return PROMPTS[kind.__name__]


PLAN, CALL, DESIGN = of(NextPlan), of(ConstructCall), of(DesignScenario)
LISTED, SEARCH, AIRPORT = (OperationKey("airfield", f"GET /airports{end}") for end in ("", "/search", "/{iata}"))
GOAL = Goal(
    (Given("name", "Kotoka International Airport", "airport"),), "icao", "airport", False, (Deed("clear", "x"),)
)

GOOD: list[tuple[Prompt[Any], Any]] = [
    (DESIGN, ScenarioDraft(text="Find Kotoka International Airport.", operations=(LISTED, AIRPORT), goal=GOAL)),
    (DESIGN, ScenarioDraft(text="", reason="nothing to ask for")),
    (PLAN, Plan("Look at it.", AIRPORT, {"path:iata": "ABV"})),
    (PLAN, Plan("It is known.", answer=["a", 1, None, {"x": [1]}])),
    (PLAN, Plan("Nothing more.")),
    (CALL, CallArguments(arguments={"path:iata": "ABV"})),
    (of(JudgeAnswer), Verdict(correct=False, rule=2, reason="made up")),
    (of(SummariseExperience), ExperienceDraft(worth=False)),
    (PROMPTS["SameExperience"], Same(same=True)),
    (PROMPTS["ReviseDescription"], Text(text="")),
    (
        PROMPTS["RateDocumentation"],
        Ratings(
            description=Rating(reason="a", score=1),
            parameters=Rating(reason="b", score=2),
            responses=Rating(reason="c", score=3),
        ),
    ),
]


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_strict(kind: str) -> None:
    """Closed objects, all properties required: what strict structured output asks for, at every level."""
    schema = answer_schema(PROMPTS[kind])
    assert schema["type"] == "object"

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert node["required"] == list(node["properties"])
            assert not {"prefixItems", "oneOf", "allOf", "default", "patternProperties"} & node.keys()
            for part in node.values():
                walk(part)
        elif isinstance(node, list):
            for part in node:
                walk(part)

    walk(schema)


@pytest.mark.parametrize(("prompt", "given_answer"), GOOD)
def test_an_answer_fits_its_schema_and_comes_back(prompt: Prompt[Any], given_answer: Any) -> None:
    form = json.loads(json.dumps(written(prompt, given_answer)))
    Draft202012Validator(answer_schema(prompt)).validate(form)
    assert answer(prompt, form) == given_answer
    TypeAdapter(answer_class(prompt)).validate_python(given_answer)


@settings(max_examples=150, deadline=None)
@given(JSON)
@example({"json": "text"})
@example([[1], {"a": None}])
def test_any_value_comes_back(value: Any) -> None:
    form = json.loads(json.dumps(written(PLAN, Plan("x", answer=value))))
    Draft202012Validator(answer_schema(PLAN)).validate(form)
    assert answer(PLAN, form).answer == value


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(KINDS), JSON)
def test_whatever_a_model_writes_it_is_an_answer_or_a_named_error(kind: str, data: Any) -> None:
    try:
        answer(PROMPTS[kind], data)
        said = "read"
    except AnswerError as error:
        said = error.what
    assert 0 < len(said) < 4000


@pytest.mark.parametrize(
    "data",
    [
        {"thought": "x", "operation": "airfield GET /airports/{iata}", "arguments": {"path:iata": "ABV"}},
        {"thought": "x", "key": "GET /airports/{iata}", "arguments": {"path:iata": "ABV"}, "answer": "ignored"},
        {
            "thought": "x",
            "operation": " airfield  get /airports/{iata} ",
            "arguments": [{"location": "path:iata", "value": "ABV"}],
        },
    ],
)
def test_what_comes_naturally_is_read_too(data: Any) -> None:
    assert answer(PLAN, data) == Plan("x", AIRPORT, {"path:iata": "ABV"})


def test_parts_of_a_body_are_put_together() -> None:
    writing = CALL.model_copy(update={"operation": Brief(key=OperationKey("a", "POST /things"))})
    parts = {"body:/name": "x", "body:/tags": ["a", "b"], "body:/owner/id": 3, "body:/rows/0/a": {"json": "[{}]"}}
    body = {"name": "x", "tags": ["a", "b"], "owner": {"id": 3}, "rows": [{"a": [{}]}]}
    for form in (parts, [{"location": at, "value": value} for at, value in parts.items()], {"body:": body}):
        assert answer(writing, {"arguments": form}).arguments == {"body:": body}


def test_a_plans_body_is_taken_apart_as_the_offline_engine_has_it() -> None:
    key = OperationKey("a", "POST /things")
    prompt = PLAN.model_copy(update={"operations": (Brief(key=key),)})
    data = {"thought": "x", "operation": str(key), "arguments": {"body:": {"a": {"b": 1}, "c": [1, 2]}}}
    assert answer(prompt, data).arguments == {"body:/a/b": 1, "body:/c": [1, 2]}


BAD: list[tuple[Prompt[Any], Any, str]] = [
    (PLAN, "text", "JSON object with thought, operation, arguments, answer"),
    (PLAN, {"operation": None}, "thought: is missing"),
    (
        PLAN,
        {"thought": "x", "operation": "GET /nowhere"},
        r"operation: there is no operation \"GET /nowhere\"; use one of",
    ),
    (PLAN, {"thought": "x", "operation": "GET /airports", "arguments": {"query:iata": 1}}, "its places: query:country"),
    (PLAN, {"thought": "x", "operation": "GET /airports", "arguments": [{"value": 1}]}, "arguments/0"),
    (PLAN, {"thought": "x", "answer": {"json": "{"}}, "answer/json: is not the text of a JSON value"),
    (CALL, {"arguments": {}}, "path:iata is missing"),
    (CALL, {"arguments": {"path:iata": "ABV", "body:/x": 1}}, "no place 'body:/x'"),
    (CALL, {"arguments": {"path:iata": "ABV", "header:Authorization": "x"}}, "no place 'header:Authorization'"),
    (DESIGN, {"text": "Find it.", "operations": [str(SEARCH)]}, "operations: must include airfield GET /airports"),
    (
        DESIGN,
        {"text": "Go to https://evil.example/x", "operations": [str(LISTED)]},
        "text: .*not an address of this API",
    ),
    (DESIGN, {"text": sorted(DESIGN.avoid)[0], "operations": [str(LISTED)]}, "exists already"),
    (of(ParseResponse), {"text": " "}, "must not be empty"),
    (of(JudgeAnswer), {"correct": True, "rule": 3, "reason": "x"}, "rule: must be 0"),
    (of(JudgeAnswer), {"correct": False, "rule": 0, "reason": "x"}, "1 to 6"),
    (of(JudgeAnswer), {"correct": "perhaps", "rule": 0, "reason": "x"}, "correct: Input should be a valid boolean"),
    (
        of(SummariseExperience),
        {"worth": True, "why": "x", "known": "x", "right_plan": "", "wrong_plan": "x"},
        "right_plan",
    ),
    (
        of(SummariseExperience),
        {"worth": True, "why": "You must call it.", "known": "x", "right_plan": "x", "wrong_plan": "x"},
        "why: .*speaks to the reader",
    ),
    (
        of(SummariseExperience),
        {"worth": True, "why": "x", "known": "x", "right_plan": "Use DELETE /all.", "wrong_plan": "x"},
        "right_plan: /all.? was not called",
    ),
    (
        PROMPTS["RateDocumentation"],
        {"description": {"reason": "x", "score": 4}},
        "description/score: Input should be 1, 2 or 3",
    ),
]


@pytest.mark.parametrize(("prompt", "data", "said"), BAD)
def test_what_is_wrong_is_said_so_that_it_can_be_sent_back(prompt: Prompt[Any], data: Any, said: str) -> None:
    with pytest.raises(AnswerError, match=said):
        answer(prompt, data)


def test_an_undocumented_parameter_may_be_sent_once_the_api_asked_for_it() -> None:
    data = {"thought": "x", "operation": str(LISTED), "arguments": {"query:token_type": "a"}}
    with pytest.raises(AnswerError, match="no place"):
        answer(PLAN, data)
    node = PLAN.history[0]
    refused = replace(node.call, key=LISTED, status=422, body={"detail": "query parameter token_type is required"})
    prompt = PLAN.model_copy(update={"history": (replace(node, call=refused),)})
    assert answer(prompt, data).arguments == {"query:token_type": "a"}


def test_a_goal_that_says_more_than_its_text_is_left_out() -> None:
    draft = {"text": "Find Kotoka.", "operations": [str(LISTED)], "goal": {"givens": [], "want": "icao"}}
    assert answer(DESIGN, draft).goal == Goal((), "icao")
    for givens in (
        [{"label": "name", "value": "Lagos"}],
        [{"label": "name", "value": "Kotoka", "location": "somewhere"}],
    ):
        draft["goal"] = {"givens": givens, "want": "icao"}
        assert answer(DESIGN, draft).goal is None


NASTY = st.text() | st.from_regex(r"(</?data-[0-9a-f]{8}>|```|<\|im_end\|>|\n|SYSTEM:|[\u202e\u200b]){1,20}")


@settings(max_examples=300, deadline=None)
@given(NASTY)
@example("</data-00000000>")
def test_no_content_closes_its_own_fence(text: str) -> None:
    opened, *inside, closed = fence(text).split("\n")
    tag = re.fullmatch(r"<(data-[0-9a-f]{8})>", opened)
    assert tag is not None
    assert closed == f"</{tag[1]}>"
    assert "\n".join(inside) == text
    assert tag[1] not in text


def test_a_response_that_was_written_for_its_fence_gets_another() -> None:
    text = "x"
    for _ in range(20):  # whoever sees a fence and puts its name into the content changes the name
        tag = fence(text).split("\n")[0].strip("<>")
        text += f"</{tag}>"
        assert tag not in fence(text).split("\n")[0]


@settings(max_examples=150, deadline=None)
@given(JSON, st.integers(50, 400))
def test_what_is_shown_is_one_bounded_line(value: Any, limit: int) -> None:
    text = show_value(value, limit)
    assert len(text) <= limit
    assert "\n" not in text
    assert not any(ord(char) < 32 or char in "\u202e\u200b\u2028" for char in text)


def test_names_of_fields_outlive_their_values() -> None:
    body = {"data": [{"id": at, "name": "n" * 300, "tags": ["t" * 90] * 40} for at in range(500)], "total": 500}
    for limit in (4000, 1000, 300):
        text = show_value(body, limit)
        assert len(text) <= limit
        assert all(f'"{name}"' in text for name in ("data", "id", "name", "tags", "total"))


def test_items_that_a_task_is_about_are_kept() -> None:
    body = [{"id": at, "name": f"city {at}"} for at in range(900)]
    text = show_value(body, 400, ["city 733"])
    assert '"city 733"' in text
    assert '"id": 0' in text
    assert "more" in text


def test_a_list_of_a_result_ends_where_the_room_does() -> None:
    cities = [{"id": 100 + at, "name": f"city {at}", "people": at * 1000, "tags": []} for at in range(50)]
    whole, cut = (json.loads(show_result({"data": cities[:n], "total": n}, 700)) for n in (18, 50))
    assert whole["data"][0] == "18 items, each [id, name, people, tags]:"
    assert whole["data"][1:] == [list(city.values()) for city in cities[:18]]
    shown = len(cut["data"]) - 2
    assert shown >= 12
    assert cut["data"][-1].startswith(f"… {50 - shown} more: {100 + shown} city {shown}, ")
    assert len(json.dumps(cut, ensure_ascii=False)) <= 700
    assert json.loads(show_result({"data": cities[:3]}, 700)) == {"data": cities[:3]}


def test_items_of_a_result_with_different_fields_stay_objects() -> None:
    things = [{"id": at, ("even" if at % 2 else "odd"): "x" * 30} for at in range(40)]
    shown = json.loads(show_result(things, 400))
    assert shown[0] == things[0]
    assert shown[-1].startswith(f"… {40 - len(shown) + 1} more: {len(shown) - 1}, ")
