"""Sentences are read by few, plain patterns: what they say, and what only looks like it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from draft_documents import documents

from docrev.errors import InputError
from docrev.eval.judging import judge
from docrev.eval.text_statements import operation_text, parameter_text, stated
from docrev.eval.truth import truth_of
from docrev.records import Json, OperationKey
from docrev.spec import Catalog, load

KEY = OperationKey("shop", "GET /things")
LIMIT = {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 50, "default": 20}}
ORDER = {"name": "order", "in": "query", "required": True, "schema": {"type": "string", "enum": ["up", "down"]}}


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    parameters = [LIMIT, ORDER, {"name": "page", "in": "query", "schema": {"type": "integer", "default": 1}}]
    paths = {"/things": {"get": {"parameters": parameters, "responses": {"200": {"description": "Things."}}}}}
    spec = tmp_path / "shop.yaml"
    spec.write_text(yaml.safe_dump({"openapi": "3.0.0", "info": {"title": "", "version": ""}, "paths": paths}))
    return load([spec])


def told(text: str) -> dict[str, Json]:
    found = parameter_text(KEY, "query:limit", text)
    return {f"{one.kind} {one.part}".strip(): one.value for one in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many. Default: 20.", {"default": 20}),
        ("Defaults to `name`.", {"default": "name"}),
        ("The default value is 1.5; at most 100", {"default": 1.5, "range maximum": 100}),
        ("20 by default, up to 50.", {"default": 20, "range maximum": 50}),
        ("An integer between 1 and 50.", {"range minimum": 1, "range maximum": 50}),
        ("Required. The name.", {"required": True}),
        ("This must be given.", {"required": True}),
        ("One of 'up', 'down'.", {"allowed-values": ["up", "down"]}),
        ("Allowed values: up, down or both", {"allowed-values": ["up", "down", "both"]}),
        ("True by default.", {"default": True}),
    ],
)
def test_what_sentences_say(text: str, expected: dict[str, Json]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Which page to query.",
        "It is not required.",
        "No parameters are required.",
        "Defaults to excluding adults.",
        "With the default being the first page.",
        "Invalid values are answered 422: 'sort' should be 'name', 'title', 'date…",
        "One of the things.",
        "More than 100 is cut.",
    ],
)
def test_what_only_looks_like_it(text: str) -> None:
    assert told(text) == {}


def test_a_sentence_on_several_parameters_is_cut_where_it_names_the_next(catalog: Catalog) -> None:
    text = "'limit' is how many (1-50, default 20), and 'page' is which (default is 1); the rest is ignored."
    found = {(one.location, one.kind, one.value) for one in operation_text(catalog.operations[0], text)}
    assert found == {("query:limit", "default", 20), ("query:page", "default", 1)}
    # A word of the language is no name of a parameter.
    assert not list(operation_text(catalog.operations[0], "They come in any order, and the default is 5."))


def test_texts_are_scored_as_facts_are(catalog: Catalog, tmp_path: Path) -> None:
    entry = {
        "tool_name": "GET_things",
        "url": "http://127.0.0.1/v1/things",
        "description": "Lists things. The 'order' parameter is required and can be 'up' or 'down'.",
        "optional_parameters": [
            {"name": "limit", "description": "At most 50, by default 10.", "schema": {"default": 9}}
        ],
    }
    unknown = {"tool_name": "GET_other", "url": "http://127.0.0.1/other", "description": "The 'order' is required."}
    file = tmp_path / "documents.json"
    file.write_text(json.dumps({"0": entry, "1": unknown}))
    found, matched = documents(file, catalog)
    verdicts = {(one.location, one.kind): judge(one, truth_of(catalog)) for one in found}
    assert matched == {KEY}
    assert verdicts == {
        ("query:order", "required"): "right",
        ("query:order", "allowed-values"): "right",
        ("query:limit", "range"): "right",
        ("query:limit", "default"): "wrong",
    }


def test_a_file_that_holds_no_documents_is_one_line(catalog: Catalog, tmp_path: Path) -> None:
    file = tmp_path / "documents.json"
    file.write_text("[1, 2")
    with pytest.raises(InputError, match="not a file of documents"):
        documents(file, catalog)


def test_what_a_spec_states_is_its_keywords_and_its_sentences(catalog: Catalog, tmp_path: Path) -> None:
    plain = {"name": "size", "in": "query", "description": "At least 2.", "schema": {"default": 7}}
    paths = {"/things": {"get": {"parameters": [plain], "responses": {"200": {"description": ""}}}}}
    spec = tmp_path / "more.yaml"
    spec.write_text(yaml.safe_dump({"openapi": "3.0.0", "info": {"title": "", "version": ""}, "paths": paths}))
    found = {(one.kind, one.location, one.part, one.value) for one in stated(load([spec])) if one.location}
    assert found == {("default", "query:size", "", 7), ("range", "query:size", "minimum", 2)}
