"""What the offline agent reads: tasks, documents, and observations that may be cut."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from docrev.agent.agent import OfflineAgent
from docrev.agent.clauses import read_clauses
from docrev.agent.documents import AgentDocuments, read_documents
from docrev.agent.field_answers import answer
from docrev.agent.responses import SeenResponse, select_items
from docrev.agent.value_fits import format_date
from docrev.agent.way_search import WaySearch
from docrev.models.observations import read_observation
from docrev.prompts.agents import Argument, NextAction, Past, Sheet
from docrev.records import Json, OperationKey
from docrev.runners import Toolbox
from docrev.spec import load

SPECS = Path(__file__).resolve().parents[2] / "specs"
LIBRARY = Path(__file__).resolve().parents[1] / "library.yaml"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('What is the code of the country "Aland Islands"?', ["Aland Islands"]),
        ("Who directed The Fast and the Furious?", ["The Fast and the Furious"]),
        ("How far is it between Kathmandu and Pokhara?", ["Kathmandu", "Pokhara"]),
        ("Give me the second song of Mariah Carey's newest album", [1, "Mariah Carey"]),
        ("Which cities have at least 10,000,000 people?", [10_000_000]),
        ("Is it open on 21 June 2025, or on 2025-06-22?", ["2025-06-21", "2025-06-22"]),
        ("Which airports lie in Brazil (BR)?", ["Brazil"]),
        ("Give the ISO 3 code of LU, whose code is lu.", ["LU", "lu"]),
        ("Which one comes last?", [-1]),
        ("What is top-1 rated?", []),
    ],
)
def test_values_of_a_text(text: str, values: list[Json]) -> None:
    assert [value.value for clause in read_clauses(text) for value in clause.values] == values


def test_a_code_behind_a_name_belongs_to_it() -> None:
    (value,) = read_clauses("Which airports lie in Brazil (BR)?")[0].values
    assert (value.value, value.code) == ("Brazil", "BR")


def test_clauses_in_their_order() -> None:
    text = 'Create a note with the text "A". Then change its text to "B", and then delete it. Is it still there?'
    assert [clause.deed for clause in read_clauses(text)] == ["create", "change", "delete", "read"]
    assert read_clauses(text)[-1].whether
    several = read_clauses('Create the lists "Old" and "New", and then delete "Old".')
    assert [(clause.deed, clause.values[0].value) for clause in several] == [
        ("create", "Old"),
        ("create", "New"),
        ("delete", "Old"),
    ]
    assert [clause.deed for clause in read_clauses("Skip to the next track and set the volume to 60")] == [
        "act",
        "change",
    ]


def test_a_sentence_on_the_form_of_the_answer_is_no_task_of_its_own() -> None:
    (clause,) = read_clauses("Which airports serve Tokyo? Their IATA codes, please.")
    assert clause.form == ("iata", "code")
    assert clause.many


def docs(path: Path) -> AgentDocuments:
    return read_documents(Toolbox(load(path)).sheets)


def test_documents_say_where_values_come_from(tmp_path: Path) -> None:
    text = LIBRARY.read_text("utf-8").replace(
        "{name: author_id, in: query, schema: {type: integer}}",
        "{name: author_id, in: query, schema: {type: integer}, "
        "description: 'Takes `id` of `GET /search/author`. Example: `77`.'}",
    )
    (tmp_path / "library.yaml").write_text(text, "utf-8")
    slots = {slot.name: slot for slot in docs(tmp_path).by_name["get_books"].slots}
    assert slots["author_id"].source == ("id", "GET /search/author")
    assert docs(LIBRARY).by_name["get_books"].slots[4].source is None
    assert (slots["genre"].is_closed, slots["genre"].values) == (True, ("novel", "poetry", "essay"))
    assert [slots[name].role for name in ("sort", "limit", "offset", "year_min")] == ["sort", "size", "page", "number"]


def way(path: Path, task: str) -> tuple[str, ...]:
    return WaySearch(docs(path), read_clauses(task)[0]).best()[0].names


def test_ways_go_through_what_finds_the_id() -> None:
    assert way(LIBRARY, "What are the books of the author Jane Austen?") == (
        "get_search_author",
        "get_authors_by_author_id_books",
    )
    assert way(LIBRARY, "List the novels sorted by year") == ("get_books",)
    assert way(SPECS, "What is the capital of Kenya?") == ("searchCountries", "getCountry")


def test_the_place_that_a_document_names_is_one_of_those_that_are_as_good(tmp_path: Path) -> None:
    found = {"content": {"application/json": {"schema": {"type": "object", "properties": {
        "results": {"type": "array", "items": {"type": "object", "properties": {
            "id": {"type": "integer"}, "title": {"type": "string"}}}}}}}}, "description": "ok"}  # fmt: skip
    text = {"name": "query", "in": "query", "required": True, "schema": {"type": "string"}}
    by_id = {"name": "film_id", "in": "path", "required": True, "schema": {"type": "integer"}}
    by_id["description"] = "Id of the film, from `id` of `GET /browse/films`."
    paths = {
        "/browse/films": {"get": {"responses": {"200": found}}},
        "/search/films": {"get": {"parameters": [text], "responses": {"200": found}}},
        "/films/{film_id}/reviews": {
            "get": {"parameters": [by_id], "responses": {"200": {"description": "The reviews of a film."}}}
        },
    }
    spec = {"openapi": "3.0.3", "info": {"title": "Films", "version": "1"}, "paths": paths}
    (tmp_path / "films.json").write_text(json.dumps(spec), "utf-8")
    names = way(tmp_path, "Give me some film reviews about The Dark Knight")
    operations = docs(tmp_path).by_name
    assert [operations[name].sheet.key.operation for name in names] == [
        "GET /search/films",
        "GET /films/{film_id}/reviews",
    ]


def test_documented_values_and_formats_are_kept_to() -> None:
    search = WaySearch(docs(LIBRARY), read_clauses("List all books of the genre poetry")[0])
    arguments = dict(search.best()[0].steps[0].sources)
    assert arguments["genre"].value == "poetry"
    assert format_date("2024-06-01", "DD.MM.YYYY") == "01.06.2024"


@pytest.mark.parametrize("cut", [30, 47, 60, 61, 75, 90])
def test_an_observation_that_was_cut_is_read_as_far_as_it_goes(cut: int) -> None:
    text = json.dumps({"items": [{"id": at, "name": f"n, {at}", "tags": ["a", "b"]} for at in range(9)]})
    found = read_observation(text[:cut] + "…")
    assert found["items"][0]["id"] == 0
    assert len(found["items"]) < 9


@pytest.mark.parametrize("text", ["", "…", "not json", "HTTP 500.", '{"a', '{"a": "' + "x" * 9, "[" * 5000])
def test_what_cannot_be_read_is_nothing(text: str) -> None:
    assert not read_observation(text)


def test_answers_are_read_by_the_names_of_fields() -> None:
    def said(task: str, value: Json, nouns: tuple[str, ...] = ()) -> Json:
        clause = read_clauses(task)[-1]
        texts = [one.value for one in clause.values if one.kind == "text"]
        return answer(clause, select_items(SeenResponse(value).items, texts, None), SeenResponse(value), nouns)

    item = {"iata": "KIX", "name": "Kansai", "elevation_ft": 26, "timezones": ["Asia/Tokyo"]}
    assert said("Tell me the elevation in feet of KIX", item) == 26
    assert said("Which time zones are there at KIX?", item) == ["Asia/Tokyo"]
    cities = {"data": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}], "meta": {"total": 7}}
    assert said("Give me the ids of all cities", cities) == [1, 2]
    assert said('What is the id of the city "B"?', cities) == 2
    assert said("How many cities are there?", cities, ("city",)) in (2, 7)
    assert said("What is the elevation of KIX?", cities) is None


def test_where_a_list_goes_on() -> None:
    assert SeenResponse({"items": [], "next": "abc"}).next_page == "abc"
    assert SeenResponse({"data": [], "meta": {"page": 2, "per_page": 20, "total": 41}}).next_page == 3
    assert SeenResponse({"data": [], "meta": {"page": 3, "per_page": 20, "total": 41}}).next_page is None
    assert SeenResponse({"items": [], "next": None}).next_page is None


def test_courtesies_joints_and_thanks_are_no_part_of_what_is_asked() -> None:
    text = (
        'I am a student. Could you please delete the note "x" for me? Also, do you have the city with the id "7" for '
        "us? You're the best!"
    )
    first, second = read_clauses(text)
    assert (first.deed, [value.value for value in first.values]) == ("delete", ["x"])
    assert (second.deed, second.beside, [value.value for value in second.values]) == ("read", True, ["7"])
    assert "best" not in {*first.stems, *second.stems}
    [alone] = read_clauses("Let's create a note! Thank you.")
    assert (alone.deed, alone.beside) == ("create", False)


def test_what_the_text_quotes_tells_the_items_of_a_list_apart() -> None:
    listing = Sheet(
        name="airports_list", key=OperationKey("air", "GET /airports"), description="Get airports.",
        parameters=(Argument(name="country", location="query:country"),),
    )  # fmt: skip
    rows = [{"iata": f"xq{number}zv7kp", "name": f"Port {number}"} for number in range(6)]
    prompt = NextAction(task='Tell me the name of the airport with the IATA code "xq4zv7kp".', operations=(listing,))
    agent = OfflineAgent(0)
    first = asyncio.run(agent.ask(prompt))
    assert (first.action, first.arguments) == ("airports_list", {})
    past = Past(thought="", action="airports_list", arguments={}, observation=json.dumps({"items": rows}))
    last = asyncio.run(agent.ask(prompt.model_copy(update={"history": (past,)})))
    assert last.arguments["final_answer"] == "Port 4"


def test_endless_digits_in_a_task_are_no_number() -> None:
    assert [value.value for clause in read_clauses(f"Find the thing {'1' * 5000}.") for value in clause.values] == []
