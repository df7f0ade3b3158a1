"""Following a way through a history: the next call, pages, what was created, and the answer."""

from __future__ import annotations

import json

import pytest
from agentkit import CITIES, COUNTRIES, COUNTRY, CREATE, docs

from docrev.agent.actor import Actor
from docrev.agent.agent import extract
from docrev.agent.clauses import read_clauses
from docrev.agent.documents import read_documents
from docrev.agent.pursuit import DeadEnd, Pursuit, PursuitOutcome
from docrev.agent.responses import SeenResponse, field_value, has_value, nested_objects, select_items
from docrev.agent.ways import ArgumentSource, Way, WayStep
from docrev.prompts.agents import Action, Past, Sheet
from docrev.records import Json

FRANCE = {"code": "FR", "name": "France"}
PERU = {"code": "PE", "name": "Peru"}
CODE = ArgumentSource(provider=COUNTRIES.name, noun="countri", attr="code", field="code")
TO_COUNTRY = Way((WayStep(COUNTRIES.name, (), ("Peru",)), WayStep(COUNTRY.name, (("code", CODE),))), frozenset(), {}, 0)


def past(one: Sheet, body: Json, outcome: str = "answered", **arguments: Json) -> Past:
    return Past.model_validate(
        {"thought": "", "action": one.name, "arguments": arguments, "observation": json.dumps(body), "outcome": outcome}
    )


def follow(text: str, way: Way, *history: Past) -> Action | PursuitOutcome:
    return Pursuit(docs(), read_clauses(text)[0], history).follow(way)


def test_a_way_is_followed_call_by_call() -> None:
    text = "What is the capital of Peru?"
    first = follow(text, TO_COUNTRY)
    assert isinstance(first, Action)
    assert (first.action, first.arguments) == (COUNTRIES.name, {})
    listing = past(COUNTRIES, {"data": [FRANCE, PERU]})
    second = follow(text, TO_COUNTRY, listing)
    assert isinstance(second, Action)
    assert (second.action, second.arguments) == (COUNTRY.name, {"code": "PE"})
    last = past(COUNTRY, {"name": "Peru", "capital": "Lima"}, code="PE")
    assert follow(text, TO_COUNTRY, listing, last) == PursuitOutcome("Lima")


@pytest.mark.parametrize(
    "listing",
    [past(COUNTRIES, {"data": []}), past(COUNTRIES, {"data": [FRANCE]}), past(COUNTRIES, {}, "failed")],
    ids=["empty", "without it", "failed"],
)
def test_a_way_that_brought_nothing_is_a_dead_end(listing: Past) -> None:
    with pytest.raises(DeadEnd):
        follow("What is the capital of Peru?", TO_COUNTRY, listing)


def test_all_pages_are_read_where_all_things_are_wanted() -> None:
    way = Way((WayStep(CITIES.name, ()),), frozenset(), {}, 0)
    text = "List the names of all cities"
    sized = follow(text, way)
    assert isinstance(sized, Action)
    assert sized.arguments == {"limit": 40}
    first = past(CITIES, {"data": [{"id": 1, "name": "A"}], "next": "x"}, limit=40)
    more = follow(text, way, first)
    assert isinstance(more, Action)
    assert more.arguments == {"limit": 40, "cursor": "x"}
    second = past(CITIES, {"data": [{"id": 2, "name": "B"}], "next": None}, limit=40, cursor="x")
    assert follow(text, way, first, second) == PursuitOutcome(["A", "B"])


def test_what_was_created_is_used_by_its_id() -> None:
    created = past(CREATE, {"id": "n7", "text": "A"}, text="A")
    actor = Actor(docs(), read_clauses('Create a note with the text "A", and then delete it.'))
    decided = actor.decide([created]).action
    assert (decided.action, decided.arguments) == ("delete_notes_id", {"id": "n7"})
    assert actor.plan()[-1][1] == "delete_notes_id"


def test_without_a_way_the_nearest_answer_is_given_or_none() -> None:
    actor = Actor(read_documents(()), read_clauses("What is the capital of Peru?"))
    assert actor.decide([]).action.arguments["return_type"] == "give_up_and_restart"
    assert actor.conclude([past(COUNTRY, {"name": "Peru", "capital": "Lima"})]) == "Lima"


def test_a_plan_speaks_for_its_operations() -> None:
    actor = Actor(docs(), read_clauses("What is the capital of France?"))
    plain, planned = actor.ranked(0, frozenset()), actor.ranked(0, frozenset(), [CITIES.name])
    assert plain[0].last == COUNTRY.name
    assert planned[0].last == CITIES.name


def test_responses_are_read_by_the_conventions_of_apis() -> None:
    cast = {"id": 1, "name": "Alien", "cast": [{"actor": "A", "role": "R"}]}
    assert [one.fields for one in SeenResponse(cast, "/movies/{id}").items] == [cast]
    assert not SeenResponse(cast, "/movies/{id}").is_list
    paged = SeenResponse({"items": [{"id": 1}], "total": 7, "next": "abc"})
    assert (paged.is_list, paged.total, paged.next_page) == (True, 7, "abc")
    playing = SeenResponse({"is_playing": True, "item": {"id": "t1"}})
    assert [one.fields for one in playing.items] == [{"id": "t1"}]
    assert SeenResponse({"items": []}).is_empty
    assert not SeenResponse({"timezones": ["UTC"]}).is_list


def test_items_are_told_apart_by_their_values() -> None:
    items = SeenResponse({"data": [FRANCE, {**PERU, "capital": {"name": "Lima"}}]}).items
    assert select_items(items, ["lima"], None) == items[1:]
    assert select_items(items, [], 1) == items[1:]
    assert select_items(items, ["nowhere"], None) == items
    assert has_value(items[0], "fr")
    assert field_value(items, "countri", "code", "") == "FR"
    assert [one.noun for one in nested_objects({"cities": [{"mayor": {}}]})] == ["", "citi", "mayor"]


def test_an_extract_keeps_what_the_task_mentions() -> None:
    response = json.dumps({"data": [{"id": 1, "capital": "Lima", "flag": "x"}]})
    assert json.loads(extract("What is the capital of Peru?", response)) == {"data": [{"id": 1, "capital": "Lima"}]}
    assert extract("What is the capital of Peru?", "no JSON") == "no JSON"
