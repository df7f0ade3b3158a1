"""Lists that are filtered by operators: in the names of parameters, or in the conditions that one takes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from servers import Answer, Received, Server, reply

from docrev import explore, revise
from docrev.conventions.operators import OF_CONDITIONS, OF_NAMES, Form
from docrev.evidence import Evidence

WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven")
KITES = [{"id": f"k{n}", "name": f"{WORDS[n]} {WORDS[-n]}", "span": 40 + n * 17 % 50, "ply": n % 3} for n in range(8)]
BY_WORD: dict[str, Callable[[Any, str], bool]] = {
    "gt": lambda value, sent: value > float(sent),
    "lt": lambda value, sent: value < float(sent),
    "not": lambda value, sent: str(value) != sent,
    "in": lambda value, sent: str(value) in sent.split(","),
    "like": lambda value, sent: sent.lower() in str(value).lower(),
    "eq": lambda value, sent: str(value) == sent,
}


def listed(conditions: list[tuple[str, str, str]]) -> Answer:
    """The kites for which all (field, word, value) hold."""
    return reply([k for k in KITES if all(f in k and BY_WORD[w](k[f], v) for f, w, v in conditions)])


def by_names(request: Received) -> Answer:
    conditions = []
    for name, (*_, value) in request.query.items():
        word, _, field = name.partition("_")
        conditions.append((field, word, value) if word in BY_WORD else (name, "eq", value))
    return listed(conditions)


def by_names_of_texts(request: Received) -> Answer:
    """The same, but that what is in a list is compared as a text: no number is."""
    numbers = [name for name in request.query if name in ("in_span", "in_ply")]
    return reply([]) if numbers else by_names(request)


def by_names_if_there(request: Received) -> Answer:
    """The same, but that what is above a bound is whatever lacks the field, too."""
    lacking = [name for name in request.query if name.startswith("gt_") and name[3:] not in KITES[0]]
    return reply(KITES) if lacking else by_names(request)


def by_conditions(request: Received) -> Answer:
    text = request.query.get("filter", [""])[-1]
    parts = [re.fullmatch(r"(\w+)(>|<|:)(.+)", part) for part in text.split(";") if part]
    if not all(parts):
        return reply({"detail": "cannot read the filter"}, 400)
    return listed([(p[1], {">": "gt", "<": "lt", ":": "eq"}[p[2]], p[3]) for p in parts if p])


ALARMS = [
    {"id": f"a{n}", "since": f"2026-03-0{n + 1}", "labels": {"room": WORDS[n], "floor": f"f{n % 3}"}} for n in range(6)
]


def by_labels(request: Received) -> Answer:
    """The alarms whose labels a matcher fits; what is no label is an empty one."""
    found = ALARMS
    for text in request.query.get("filter", []):
        part = re.fullmatch(r"(\w+)(!?=)([^=].*)", text)
        if part is None:
            return reply({"detail": "bad matcher"}, 400)
        found = [one for one in found if (one["labels"].get(part[1], "") == part[3]) is (part[2] == "=")]
    return reply(found)


def ignoring(request: Received) -> Answer:
    return reply(KITES)


Operators = dict[str, set[tuple[str, str]]]


@pytest.fixture
def explored(tmp_path: Path) -> Callable[..., tuple[Operators, dict[str, Any]]]:
    """Explores and revises one list: its operators by location, as (form, relation), and the revised operation."""

    def run(answer: Callable[[Received], Answer]) -> tuple[Operators, dict[str, Any]]:
        declared = [{"name": "filter", "in": "query", "schema": {"type": "string"}}]
        get = {"parameters": declared, "responses": {"200": {"description": "ok"}}}
        spec = {"openapi": "3.0.3", "info": {"title": "kites", "version": "1"}, "paths": {"/kites": {"get": get}}}
        path = tmp_path / "kites.json"
        path.write_text(json.dumps(spec))
        with Server({"GET /kites": answer}) as server:
            explore(path, base_urls=server.url, out=tmp_path / "out", max_calls=300)
        with Evidence.open(tmp_path / "out", write=False) as evidence:
            facts = [fact for fact in evidence.facts() if fact.kind == "operators"]
        assert all(fact.replays for fact in facts)
        revise(path, evidence=tmp_path / "out", write_to=tmp_path / "new")
        operators: Operators = {}
        for fact in facts:
            operators.setdefault(fact.location, set()).add((fact.value["form"], fact.value["relation"]))
        return operators, yaml.safe_load((tmp_path / "new" / "kites.json").read_text())["paths"]["/kites"]["get"]

    return run


def test_operators_before_a_field_s_name_are_found_and_told(explored: Any) -> None:
    operators, operation = explored(by_names)
    assert operators == {
        "query:*=": {
            ("gt_{field}={value}", "more-than"),
            ("lt_{field}={value}", "less-than"),
            ("not_{field}={value}", "not-equal"),
            ("in_{field}={value}", "any-of"),
            ("like_{field}={value}", "contains"),
        }
    }
    assert "`gt_FIELD` (above), `lt_FIELD` (below)" in operation["description"]


def test_a_field_for_which_an_operator_fails_is_told(explored: Any) -> None:
    operation = explored(by_names_of_texts)[1]
    assert "`in_FIELD` (any of `a,b`, not for `span`)" in operation["description"]
    assert "not for" not in explored(by_names)[1]["description"]


def test_that_items_are_returned_which_lack_the_field_is_told(explored: Any) -> None:
    assert "Items without the field are returned by `gt_FIELD`, too." in explored(by_names_if_there)[1]["description"]


def test_conditions_in_the_value_of_a_parameter_are_found_and_told(explored: Any) -> None:
    operators, operation = explored(by_conditions)
    assert operators == {
        "query:filter": {
            ("{field}:{value}", "equal"),
            ("{field}>{value}", "more-than"),
            ("{field}<{value}", "less-than"),
        }
    }
    told = operation["parameters"][0]["description"]
    assert "Conditions are written `FIELD:VALUE`." in told
    assert "`FIELD>VALUE` (above) and `FIELD<VALUE` (below)" in told


def test_conditions_on_labels_are_found_by_the_form_that_is_accepted(explored: Any) -> None:
    operators, operation = explored(by_labels)
    assert operators == {"query:filter": {("{field}={value}", "equal"), ("{field}!={value}", "not-equal")}}
    told = operation["parameters"][0]["description"]
    assert "Conditions are written `FIELD=VALUE`, with a name in `labels` as `FIELD`." in told
    assert "Other operators: `FIELD!=VALUE` (not equal)." in told


def test_a_list_that_ignores_what_it_does_not_know_has_no_operators(explored: Any) -> None:
    assert explored(ignoring)[0] == {}


@pytest.mark.parametrize("form", [*OF_NAMES, *OF_CONDITIONS], ids=lambda form: form.text)
def test_every_form_is_read_as_it_is_written(form: Form) -> None:
    assert form.read(form.write("span", "57"), "span") == "57"
    assert form.read(form.write("span", "57"), "ply") is None
