"""Instructions from documents and from evidence: what is said, with which values, and what is dropped of a model's."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from callkit import document
from chat_answers import answer
from chat_server import Body, ChatServer, Reply, said, wanted

from docrev.cli import run
from docrev.graph.tool_graph import ToolGraph
from docrev.records import OperationKey
from docrev.spec import Catalog, load
from docrev.train.data.arguments import ArgumentValues
from docrev.train.data.generating import Generated, generate
from docrev.train.data.instruction_texts import details, spoken_name
from docrev.train.data.invented_values import invented, told_in
from docrev.train.data.sampling import Sampler, categories
from docrev.train.data.seed_examples import SEVERAL, SINGLE
from docrev.train.data.tasks import in_order
from docrev.train.settings import InstructionSettings

SPECS = Path(__file__).resolve().parents[2] / "specs"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load([SPECS])


def made(catalog: Catalog, folder: Path, **options: Any) -> Generated:
    return asyncio.run(generate(catalog, InstructionSettings(out="instructions.json", **options), folder))


def test_instructions_are_varied_and_need_what_was_offered(catalog: Catalog, tmp_path: Path) -> None:
    found = made(catalog, tmp_path, count=80).instructions
    assert len({one.text for one in found}) == len(found) == 80
    for one in found:
        assert set(one.relevant) <= set(one.offered)
        assert len({key.tool for key in one.offered}) == 1
    counts = Counter(len(one.relevant) for one in found)
    assert {2, 3} <= set(counts)
    assert counts[2] > counts[4]
    assert len({key for one in found for key in one.relevant}) == len(catalog.operations)
    lengths = sorted(len(one.text) for one in found)
    assert lengths[-1] > 3 * lengths[0]
    endings = Counter(re.split(r"(?<=[.?!]) ", one.text)[0][-1] for one in found)
    assert set(endings) == {".", "?", "!"}


def test_the_same_seed_says_the_same_and_another_one_something_else(catalog: Catalog, tmp_path: Path) -> None:
    one, same, other = (made(catalog, tmp_path, count=12, seed=seed).instructions for seed in (1, 1, 2))
    assert one == same
    assert not {it.text for it in one} & {it.text for it in other}
    several = [made(catalog, tmp_path, count=12, kind=kind).instructions for kind in ("I2", "I3")]
    assert not {it.text for it in several[0]} & {it.text for it in several[1]}
    for it in (*several[0], *several[1]):
        assert len({key.tool for key in it.relevant}) == 2


def test_every_required_value_is_in_the_text(catalog: Catalog, tmp_path: Path) -> None:
    """A path cannot be called without its parameters, so the text has a value for each of them."""
    instructions = made(catalog, tmp_path, count=60).instructions
    assert instructions
    for one in instructions:
        needed = sum(len(re.findall(r"{", key.path)) for key in one.relevant)
        assert len(re.findall(r'"[^"]+"|\b\d[\d.]*\b', one.text)) >= needed, one.text


def test_categories_are_what_documents_tell(tmp_path: Path) -> None:
    for name, category in (("a", "Travel"), ("b", "Travel"), ("c", "Food")):
        text = {**document(["GET /items"]), "x-category": category}
        (tmp_path / f"{name}.json").write_text(json.dumps(text))
    catalog = load([tmp_path])
    assert categories(catalog) == {"Travel": ["a", "b"], "Food": ["c"]}
    keys = [operation.key for operation in catalog.operations]
    sampler = Sampler(catalog, keys, lambda: {}, 0)
    assert sampler.groups("I2") == {"Travel": ["a", "b"]}
    assert {key.tool for key in next(sampler.draw("I2")).operations} == {"a", "b"}


@pytest.mark.parametrize(
    ("description", "values"),
    [
        ("One of `name`, `-name`. Default: `name`.", ["name", "-name"]),
        ("The city (e.g. Lisbon).", ["Lisbon"]),
        ("Where it lies, for example: New York, or any other.", ["New York"]),
        ("The code.", []),
    ],
)
def test_values_are_read_out_of_descriptions(description: str, values: list[str]) -> None:
    assert told_in(description) == values


def test_invented_values_are_what_names_call_for(catalog: Catalog) -> None:
    country = catalog[OperationKey("atlas", "GET /countries/{code}")]
    schema = country.parameters[0].schema
    for location, pattern in [
        ("path:code", r"[A-Z]{2}"),
        ("query:currency", r"[A-Z]{3}"),
        ("query:iata", r"[A-Z]{3}"),
        ("query:review_on", r"\d{4}-\d\d-\d\d"),
        ("query:note_id", r"\d+"),
        ("query:first_name", r"[A-Z][a-z]+"),
    ]:
        assert re.fullmatch(pattern, str(invented(country, location, schema, "", Random(1)))), location


def test_coordinates_are_those_of_one_place_and_ends_differ(catalog: Catalog) -> None:
    values, random = ArgumentValues(), Random(3)
    nearest = catalog[OperationKey("atlas", "GET /cities/nearest")]
    places = {(48.85, 2.35), (40.71, -74.0), (-1.29, 36.82)}
    for _ in range(20):
        given = {at.partition(":")[2]: value for at, value in values.of(nearest, random).items()}
        pair = tuple(value for name, value in given.items() if name.startswith(("lat", "lon", "lng")))
        assert not pair or pair in places
        ends = values.of(catalog[OperationKey("airfield", "GET /distance")], random)
        assert ends["query:from"] != ends["query:to"]


def test_parameters_are_said_as_people_say_them() -> None:
    said_so = details({"query:from": "ABV", "query:unit": "km", "query:max_price": 5, "query:sort": "-name"})
    assert said_so == ' from "ABV" for the maximum price 5 in km sorted by name, the last first'
    assert details({"query:radius_km": 100}) == " for a radius of 100 kilometres"
    assert spoken_name("body:/review_on") == "review date"


def test_operations_are_told_in_the_order_of_their_path(catalog: Catalog) -> None:
    graph = ToolGraph(catalog)

    def ordered(*names: str, tool: str = "airfield") -> list[str]:
        return [key.operation for key in in_order([OperationKey(tool, name) for name in names], graph)]

    assert ordered("GET /watchlists", "DELETE /watchlists/{watchlist_id}", "POST /watchlists") == [
        "POST /watchlists",
        "DELETE /watchlists/{watchlist_id}",
        "GET /watchlists",
    ]
    way = ["GET /countries", "GET /countries/{code}", "GET /currencies/{code}"]
    assert ordered(*reversed(way), tool="atlas") == way


def _drafts(body: Body) -> Reply:
    """Two instructions that are right, one that is short, one that names what was not offered, one that is empty."""
    if wanted(body) != "InstructionDrafts" and wanted(body) != "WriteInstructions":
        return answer(body)
    offered = re.findall(r"^- (\w+ [A-Z]+ \S+?)(?::|$)", str(body["messages"][-1]["content"]), re.MULTILINE)
    more = "and then once more, " * 8
    right = [{"text": f"Do {name}, {more}please.", "operations": offered[:2]} for name in (offered[0], offered[-1])]
    wrong = [
        {"text": "Do it.", "operations": offered[:1]},
        {"text": "Beam me up.", "operations": ["enterprise POST /beam"]},
        {"text": " ", "operations": offered[:1]},
    ]
    return said({"instructions": [*right, *wrong]})


def test_what_a_model_names_beside_its_sample_is_dropped_and_counted(catalog: Catalog, tmp_path: Path) -> None:
    with ChatServer(_drafts) as server:
        found = made(catalog, tmp_path, count=8, model="openai:scripted", model_url=server.url)
        assert "Every request requires" in str(server.asked[-1]["messages"][0]["content"])
    assert len(found.instructions) == 8
    assert all(one.text.startswith("Do ") for one in found.instructions)
    assert found.dropped["instructions name operations outside of their sample"] > 0
    assert found.dropped["instructions are empty"] > 0
    assert found.dropped["instructions have fewer than 30 words"] > 0


def test_ten_are_asked_for_at_a_time_with_three_of_the_seed_examples(catalog: Catalog, tmp_path: Path) -> None:
    """ToolLLM §2.2 and appendix A.7: 12 and 36 seeds, three drawn each time; seven specific requests, three long."""
    assert (len(SINGLE), len(SEVERAL)) == (12, 36)
    for seed in (*SINGLE, *SEVERAL):
        assert len(json.loads(seed)["text"].split()) >= 30
        assert len(json.loads(seed)["operations"]) >= 2
    with ChatServer(_drafts) as server:
        made(catalog, tmp_path, count=8, model="openai:scripted", model_url=server.url)
        asked = [[message["content"] for message in body["messages"]] for body in server.asked]
    prompts = [(system, user) for system, user in asked if "Write 10 requests." in user]
    assert prompts
    shown = set()
    for system, _ in prompts:
        seeds = [seed for seed in SINGLE if seed in system]
        assert len(seeds) == 3
        shown |= set(seeds)
        assert "at least 30 words" in system
        assert "All but the last 3" in system
    assert len(shown) > 3 or len(prompts) == 1


def test_a_model_without_a_usable_answer_leaves_it_to_the_rules(catalog: Catalog, tmp_path: Path) -> None:
    with ChatServer([Reply("no JSON at all")]) as server:
        found = made(catalog, tmp_path, count=3, model="openai:scripted", model_url=server.url)
    assert len(found.instructions) == 3
    assert found.dropped["samples the model had nothing for"] >= 3


@pytest.mark.parametrize(
    ("words", "said_so"),
    [
        (["--kind", "I2", "-o", "OUT"], "several tools"),
        (["-n", "1", "-o", "."], "this is a folder"),
        (["--evidence", ".", "--simulate", "-o", "OUT"], "--evidence is given as well"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], said_so: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    given = [{"OUT": str(out), ".": str(tmp_path)}.get(word, word) for word in words]
    assert run(["generate", "instructions", str(SPECS / "atlas.yaml"), *given]) == 2
    said_on = capsys.readouterr().err
    assert said_so in said_on
    assert said_on.count("\n") == 1
    assert not out.exists()
