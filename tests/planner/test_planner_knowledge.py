"""What the planner knows: names that follow from fields, ids of the run's own, edges, and caches that are emptied."""

from __future__ import annotations

from dataclasses import replace

from driving import called
from plannerkit import AUTHOR, AUTHORS, BOOK, BOOKS, EVIDENCE, WORKS, knowledge_of, respond

from docrev.planner.knowledge import Memo
from docrev.prompts.steps import Invoke
from docrev.records import OperationKey

FIND = OperationKey("shop", "GET /find")
ITEM = OperationKey("shop", "GET /lamps/{id}")
MAKE = OperationKey("shop", "POST /lamps")
SHOP = """
swagger: "2.0"
info: {title: Shop, version: "1"}
paths:
  /find: {get: {responses: {200: {description: ok}}}}
  /lamps: {post: {parameters: [{name: body, in: body, schema: {type: object}}], responses: {201: {description: ok}}}}
  /lamps/{id}:
    get: {parameters: [{name: id, in: path, required: true, type: string}], responses: {200: {description: ok}}}
"""
LAMP = {"id": "l1", "colour": "red", "watts": 40}


def test_a_path_without_a_noun_gets_that_of_the_items_it_returns() -> None:
    calls = [called(Invoke(FIND, {}), [LAMP]), called(Invoke(ITEM, {"path:id": "l1"}), LAMP)]
    knowledge = knowledge_of(calls, SHOP, "shop")
    assert knowledge.views[FIND].noun == "lamp"
    assert knowledge.alike(knowledge.views[FIND]) == [knowledge.views[MAKE], knowledge.views[ITEM]]


def test_ids_that_the_run_created_are_kept() -> None:
    calls = [
        called(Invoke(MAKE, {"body:": {}}), LAMP, 201),
        called(Invoke(ITEM, {"path:id": "l9"}), LAMP | {"id": "l9"}),
    ]
    assert knowledge_of(calls, SHOP, "shop").created_ids == {"l1"}


def test_an_item_is_called_by_its_list_or_by_its_path() -> None:
    knowledge = knowledge_of()
    (item,) = knowledge.response(respond(AUTHOR, id=101)).items
    assert knowledge.item_noun(AUTHOR, item) == "author"
    assert knowledge.item_noun(AUTHOR, item._replace(noun="poet")) == "poet"
    assert knowledge.item_noun(AUTHOR, item._replace(noun="detail")) == "author"


def test_edges_lead_from_lists_to_items() -> None:
    knowledge = knowledge_of()
    best = knowledge.best_edges(BOOK, "path:isbn")[0]
    assert (best.source, best.pointer) in [(WORKS, "200:/data/0/isbn"), (BOOKS, "200:/data/0/isbn")]
    assert {AUTHORS} <= set(knowledge.feeding_operations(AUTHOR))
    assert ("library", "author") in knowledge.edges_by_source(WORKS, "path:author_id")


def test_denied_calls_are_not_learned_from() -> None:
    denied = replace(called(Invoke(AUTHORS, {}), None), status=None, error="denied")
    view = knowledge_of([denied]).views[AUTHORS]
    assert (view.successes, view.failures) == (0, 0)


def test_what_was_computed_is_forgotten_when_something_is_learned() -> None:
    knowledge = knowledge_of()
    memo = knowledge.memo()
    assert [memo.get("key", lambda: 1), memo.get("key", lambda: 2)] == [1, 1]
    knowledge.learn([EVIDENCE[0]])
    assert memo.get("key", lambda: 3) == 3


def test_a_full_cache_is_emptied() -> None:
    memo: Memo[str] = Memo(2)
    assert [memo.get(key, lambda: "first") for key in (1, 2, 3)] == ["first"] * 3
    assert [memo.get(key, lambda: "second") for key in (3, 1)] == ["first", "second"]
