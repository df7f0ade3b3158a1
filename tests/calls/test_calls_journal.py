"""What counts as created by this run, how it is found again, and in which order it is removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, CRUD, Api, catalog, invoke, key
from servers import Answer, Received, Server, reply

from docrev.calls.creation_answers import CreationAnswer, answer_in
from docrev.calls.creation_looks import looks_at
from docrev.calls.creations import created_items
from docrev.calls.journal import Journal
from docrev.calls.looks import Look
from docrev.conventions.run_names import run_name
from docrev.prompts.steps import Invoke
from docrev.records import Call, JournalItem, Json, OperationKey

LOANS = (
    *CRUD,
    "GET /users/{user_id}/loans",
    "POST /users/{user_id}/loans",
    "GET /loans/{loan_id}",
    "DELETE /loans/{loan_id}",
    "POST /search",
)


@pytest.fixture
def journal(tmp_path: Path) -> tuple[Journal, Api]:
    api = Api(catalog(tmp_path, LOANS), "http://127.0.0.1:9/v1", tmp_path, allow=ALL)
    return api.executor().journal, api


def tell(
    pair: tuple[Journal, Api],
    line: str,
    arguments: dict[str, Json] | None = None,
    *,
    status: int = 201,
    body: Json = None,
    headers: dict[str, str] | None = None,
) -> list[str]:
    """Show a call that is no creation to the journal; the paths of what changed."""
    operation = pair[1].catalog[key(line)]
    call = Call("c", key(line), arguments or {}, "", status, headers or {}, body, "", "survey")
    return paths(pair[0].observe(operation, call))


def create(
    pair: tuple[Journal, Api],
    line: str,
    arguments: dict[str, Json] | None = None,
    *,
    status: int | None = 201,
    body: Json = None,
    headers: dict[str, str] | None = None,
    before: tuple[int, Json] | None = None,
    after: tuple[int, Json] | None = None,
    shown: dict[str, Json] | None = None,
) -> list[str]:
    """Show a creation to the journal, with status and body of the looks before and after it if there are any.

    `shown` is what the paths that an answer names show.
    """
    journal, api = pair
    operation = api.catalog[key(line)]
    creation = journal.creation(operation, arguments or {})
    assert creation is not None
    looks = []
    if before is not None and after is not None:
        look = looks_at(creation, journal.routes, [])
        assert look is not None
        old, now = (
            Call(name, look.invoke.key, dict(look.invoke.arguments), "", found[0], {}, found[1], "", "survey")
            for name, found in (("before", before), ("after", after))
        )
        journal.observe(api.catalog[look.invoke.key], old)
        looks = [(look, old, now)]
    call = Call("c", key(line), arguments or {}, "", status, headers or {}, body, "", "survey")
    answer = answer_in(call, operation, arguments or {})
    named = []
    for path in journal.creations.open_paths(creation, looks, answer) if call.ok else ():
        found = routes_to(journal, path)
        here = (404, {}) if shown is None or path not in shown else (200, shown[path])
        named.append((path, Call("named", found, {}, "", here[0], {}, here[1], "", "survey")))
    return paths(journal.creations.settle(creation, looks, answer, named))


def routes_to(journal: Journal, path: str) -> OperationKey:
    found = journal.routes.resolve("shop", "GET", path)
    assert found is not None
    return found[0].key


def paths(items: Sequence[JournalItem]) -> list[str]:
    """The paths of items: "-" before one that is deleted, "?" before one of which it is not certain whose it is."""
    return [("-" if item.deleted else "" if item.confirmed else "?") + item.path for item in items]


def make(pair: tuple[Journal, Api], line: str, id: Json, **arguments: Json) -> None:
    """Show the creation of an item to the journal: the list had nothing before, and has the item after it."""
    given = {f"path:{name}": value for name, value in arguments.items()}
    assert create(pair, line, given, before=(200, []), after=(200, [{"id": id}])) != []


MARKED: dict[str, Json] = {"body:": {"name": run_name(1)}}
THERE: Json = {"name": run_name(1)}


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"id": 7}, "/items/7"),
        ({"uuid": "a-b"}, "/items/a-b"),
        ({"data": {"id": "x"}}, "/items/x"),
        ({"id": 7, "data": {"text": "t"}}, "/items/7"),
        ({"id": 7, "data": {"id": "x"}}, "/items/x"),
        ({"item": {"_id": 3, "name": "n"}}, "/items/3"),
        ({"widget": {"id": "a/b"}}, "/items/a%2Fb"),
        ({"item_id": 4, "size": 1}, "/items/4"),
        ({"id": True}, "/items/?"),
        ({"code": 200, "name": "n", "user_id": 3}, "/items/?"),
        ({"message": "queued"}, "/items/?"),
        (None, "/items/?"),
        ([1, 2], "/items/?"),
    ],
)
def test_what_only_an_answer_names_is_in_doubt(journal: tuple[Journal, Api], body: Json, path: str) -> None:
    """It is accounted for and never changed, though it carries what was sent: an upsert would make it so."""
    assert create(journal, "POST /items", MARKED, body=body, shown={path: THERE}) == [f"?{path}"]
    catalog_ = journal[1].catalog
    assert not journal[0].owns(catalog_[key("DELETE /items/{id}")], {"path:id": path.rpartition("/")[2]})


@pytest.mark.parametrize("shown", [{}, {"/items/7": {"name": "theirs"}}])
def test_what_it_names_and_does_not_carry_what_was_sent_is_something_else(
    journal: tuple[Journal, Api], shown: dict[str, Json]
) -> None:
    """What was made, if anything, nobody knows; it is not made again."""
    assert create(journal, "POST /items", MARKED, body={"id": 7}, shown=shown) == ["?/items/?"]
    assert journal[0].accepted(journal[1].catalog[key("POST /items")])


def test_what_is_not_certain_says_what_the_response_named(journal: tuple[Journal, Api]) -> None:
    """It may help the owner to find it."""
    assert create(journal, "POST /items", body={"id": 7}, shown={"/items/7": {"id": 7}}) == ["?/items/?"]
    [item] = journal[0].left()
    assert item.reason == "it is not certain what this run made; the response named /items/7"


@pytest.mark.parametrize(
    ("second", "shown", "own"),
    [
        ({"id": 8}, {"/items/7": THERE, "/items/8": {"name": run_name(2)}}, ["/items/7", "/items/8"]),
        ({"id": 7}, {"/items/7": {"name": run_name(2)}}, []),
        ({"id": 8}, {"/items/7": {"name": "x"}, "/items/8": {"name": run_name(2)}}, ["?/items/8"]),
        ({"id": 8}, {"/items/8": {"name": run_name(2)}}, ["?/items/8"]),
    ],
)
def test_two_creations_that_nothing_lists_are_told_apart(
    journal: tuple[Journal, Api], second: Json, shown: dict[str, Json], own: list[str]
) -> None:
    """Two that came to two items, each of which carries what was sent for it, did not change one that was there."""
    post = journal[1].catalog[key("POST /items")]
    assert create(journal, "POST /items", MARKED, body={"id": 7}, shown={"/items/7": THERE}) == ["?/items/7"]
    assert not journal[0].accepted(post), "it may be made once more"
    again = create(journal, "POST /items", {"body:": {"name": run_name(2)}}, body=second, shown=shown)
    assert again == own
    assert journal[0].creations.pending(post) is (own != ["/items/7", "/items/8"])


@pytest.mark.parametrize(
    "location", ["/v1/items/9", "http://127.0.0.1:9/v1/items/9", "/items/9", "http://other/v1/items/9?x=1"]
)
@pytest.mark.parametrize("status", [201, 302, 303])
def test_so_is_what_only_a_location_names(journal: tuple[Journal, Api], location: str, status: int) -> None:
    """A redirect is not followed: what it leads to was not looked at."""
    path = "/items/9" if status == 201 else "/items/?"
    headers, shown = {"location": location}, {"/items/9": THERE}
    assert create(journal, "POST /items", MARKED, status=status, headers=headers, shown=shown) == [f"?{path}"]


@pytest.mark.parametrize("status", [301, 307, 308])
def test_a_request_that_is_sent_elsewhere_made_nothing_here(journal: tuple[Journal, Api], status: int) -> None:
    assert create(journal, "POST /items", status=status, headers={"location": "/v1/items/"}) == []


def test_a_location_that_the_catalog_does_not_know(journal: tuple[Journal, Api]) -> None:
    assert create(journal, "POST /items", headers={"location": "/elsewhere/9"}) == ["?/items/?"]


@pytest.mark.parametrize(
    ("body", "made"),
    [
        ({"ID": "9", "Path": "/v1/items/9", "Status": "Success"}, ["?/items/9"]),
        ({"item": {"href": "http://127.0.0.1:9/v1/items/9"}}, ["?/items/9"]),
        # What it went to, what was there before, what refers to something else, and what is no item.
        ({"url": "/v1/items/1"}, []),
        ({"url": "/v1/items/2"}, []),
        ({"next_url": "/v1/items/9", "owner": {"url": "/v1/items/8"}}, []),
        ({"url": "/v1/elsewhere/9"}, []),
    ],
)
def test_what_an_action_says_that_it_made_is_in_the_account(tmp_path: Path, body: Json, made: list[str]) -> None:
    """Nobody knows whose it is: it is told, and not touched."""
    api = Api(catalog(tmp_path, (*LOANS, "POST /items/{id}/anonymize")), "http://127.0.0.1:9/v1", tmp_path, allow=ALL)
    pair = api.executor().journal, api
    tell(pair, "GET /items", status=200, body={"items": [{"id": 2}]})
    make(pair, "POST /items", 1)
    assert tell(pair, "POST /items/{id}/anonymize", {"path:id": "1"}, status=200, body=body) == made


def test_what_is_created_under_another_path_is_found(journal: tuple[Journal, Api]) -> None:
    loan: dict[str, Json] = {"path:user_id": 1}
    marked, shown = loan | MARKED, {"/loans/5": THERE, "/loans/6": THERE}
    assert create(journal, "POST /users/{user_id}/loans", marked, body={"loan_id": 5}, shown=shown) == ["?/loans/5"]
    before, after = (200, [{"id": 7}]), (200, [{"id": 7}, {"id": 8}])
    assert create(journal, "POST /users/{user_id}/loans", loan, before=before, after=after) == ["/loans/8"]
    # What that list showed before is somebody's, wherever it is addressed.
    assert journal[0].things.saw("shop", "/loans/7")


def test_an_answer_about_the_parent_is_not_about_what_was_created(journal: tuple[Journal, Api]) -> None:
    loan: dict[str, Json] = {"path:user_id": "1"}
    assert create(journal, "POST /users/{user_id}/loans", loan, body={"id": 1, "name": "ann"}) == ["?/loans/?"]


@pytest.mark.parametrize("status", [400, 404, 409])
def test_what_was_refused_created_nothing(journal: tuple[Journal, Api], status: int) -> None:
    assert create(journal, "POST /items", status=status, body={"id": 7}) == []


@pytest.mark.parametrize("status", [201, 200, 303, 500, None])
def test_what_a_list_shows_to_be_new_is_ours_whatever_the_answer(
    journal: tuple[Journal, Api], status: int | None
) -> None:
    before, after = (200, [{"id": 7}]), (200, [{"id": 7}, {"id": 8}])
    # An answer may name something else: that proves nothing either way.
    assert create(journal, "POST /items", status=status, body={"id": 7}, before=before, after=after) == ["/items/8"]


def test_what_failed_and_is_not_listed_created_nothing(journal: tuple[Journal, Api]) -> None:
    same: tuple[int, Json] = (200, [{"id": 7}])
    assert create(journal, "POST /items", status=500, before=same, after=same) == []
    assert create(journal, "POST /items", status=None, before=same, after=same) == []


def test_what_nobody_answered_and_no_look_shows_may_have_created_something(journal: tuple[Journal, Api]) -> None:
    assert create(journal, "POST /items", status=None) == ["?/items/?"]


def test_what_an_answer_showed_before_is_not_ours(journal: tuple[Journal, Api]) -> None:
    tell(journal, "GET /items", status=200, body={"items": [{"id": 7}, {"id": 8}]})
    tell(journal, "GET /items/{id}", {"path:id": "9"}, status=200, body={"id": 9})
    assert create(journal, "POST /items", body={"id": 7}) == ["?/items/?"]
    assert create(journal, "POST /items", body={"id": 9}) == [], "it is in the account already"
    assert create(journal, "POST /items", MARKED, body={"id": 10}, shown={"/items/10": THERE}) == ["?/items/10"]


def test_a_post_that_finds_what_it_names_created_nothing(journal: tuple[Journal, Api]) -> None:
    there: tuple[int, Json] = (200, [{"id": "mine"}])
    named = {"body:": {"data": {"id": "mine"}}}
    body = {"data": {"id": "mine"}}
    assert create(journal, "POST /items", named, status=200, body=body, before=there, after=there) == []
    assert create(journal, "POST /items", named, status=201, body=body, before=there, after=there) == ["?/items/?"]
    assert create(journal, "POST /items", named, status=200, body=body, before=(200, []), after=there) == [
        "/items/mine"
    ]
    # What it finds is the run's own by now.
    assert create(journal, "POST /items", named, status=201, body=[{"id": "mine"}], before=there, after=there) == []


def test_a_search_by_post_created_nothing(journal: tuple[Journal, Api]) -> None:
    search = journal[1].catalog[key("POST /search")]
    assert journal[0].creation(search, {}) is None
    assert tell(journal, "POST /search", status=200, body={"results": [{"id": 1}]}) == []


@pytest.mark.parametrize(
    ("before", "status", "after", "made"),
    [
        (404, 201, 200, ["/items/mine"]),
        (404, 200, 200, ["/items/mine"]),
        (410, 204, 200, ["/items/mine"]),
        (404, 500, 200, ["/items/mine"]),
        (404, 201, 404, []),
        (404, 400, 404, ["-/items/mine"]),
        (200, 200, 200, []),
        (500, 201, 200, []),
    ],
)
def test_a_put_to_a_chosen_id(
    journal: tuple[Journal, Api], before: int, status: int, after: int, made: list[str]
) -> None:
    """What it may have made is in the account from before it is sent, and ours if it was absent and is present."""
    operation = journal[1].catalog[key("PUT /items/{id}")]
    arguments: dict[str, Json] = {"path:id": "mine"}
    assert journal[0].intend(operation, arguments, "c") == []
    journal[0].choose(operation, arguments)
    assert paths(journal[0].intend(operation, arguments, "c")) == ["?/items/mine"]
    assert create(journal, "PUT /items/{id}", arguments, status=status, before=(before, {}), after=(after, {})) == made
    assert paths(journal[0].left()) == ([] if status == 400 else made or ["?/items/mine"])


def test_a_made_up_id_is_chosen_until_an_answer_shows_it(journal: tuple[Journal, Api]) -> None:
    operation, name = journal[1].catalog[key("PUT /items/{id}")], run_name(1)
    assert journal[0].chosen(operation, {"path:id": name})
    tell(journal, "GET /items/{id}", {"path:id": name}, status=200, body={})
    assert not journal[0].chosen(operation, {"path:id": name})


def test_the_same_item_whatever_its_parameter_is_called(journal: tuple[Journal, Api]) -> None:
    make(journal, "POST /items", 7)
    catalog_ = journal[1].catalog
    assert journal[0].owns(catalog_[key("DELETE /items/{id}")], {"path:id": "7"})
    assert journal[0].owns(catalog_[key("DELETE /items/{item_id}/notes")], {"path:item_id": 7})
    assert not journal[0].owns(catalog_[key("DELETE /items/{id}")], {"path:id": "70"})


def test_what_lies_in_an_own_item_is_owned_if_it_is_nobody_else_s(journal: tuple[Journal, Api]) -> None:
    """It has a made-up name, or answers showed it there and nothing of its kind and id anywhere else."""
    make(journal, "POST /items", 7)
    note = journal[1].catalog[key("DELETE /items/{item_id}/notes/{note_id}")]

    def owned(id: Json) -> bool:
        return journal[0].owns(note, {"path:item_id": 7, "path:note_id": id})

    assert not owned(1)
    assert owned(run_name(3))
    tell(journal, "GET /items/{item_id}/notes", {"path:item_id": 7}, status=200, body=[{"id": 1}, {"id": 2}])
    assert owned(1)
    tell(journal, "GET /items/{item_id}/notes", {"path:item_id": 8}, status=200, body=[{"id": 2}])
    assert owned(1)
    assert not owned(2)


def family(pair: tuple[Journal, Api]) -> Journal:
    make(pair, "POST /items", 1)
    make(pair, "POST /items/{item_id}/notes", "a", item_id=1)
    make(pair, "POST /items", 2)
    make(pair, "POST /items/{item_id}/notes", "b", item_id=1)
    return pair[0]


def test_children_go_before_parents_and_the_newest_first(journal: tuple[Journal, Api]) -> None:
    left = family(journal).left()
    assert [item.path for item in left] == ["/items/1/notes/b", "/items/1/notes/a", "/items/2", "/items/1"]
    assert [item.parent for item in left] == ["shop /items/1", "shop /items/1", None, None]
    removal = journal[0].removal(left[0])
    assert removal == Invoke(
        key("DELETE /items/{item_id}/notes/{note_id}"), {"path:item_id": "1", "path:note_id": "b"}, purpose="clean-up"
    )


@pytest.mark.parametrize(("status", "gone"), [(204, True), (404, True), (410, True), (500, False), (403, False)])
def test_what_is_deleted_takes_its_children_along(journal: tuple[Journal, Api], status: int, gone: bool) -> None:
    family(journal)
    changed = tell(journal, "DELETE /items/{id}", {"path:id": 1}, status=status)
    assert changed == (["-/items/1", "-/items/1/notes/a", "-/items/1/notes/b"] if gone else [])
    assert [item.path for item in journal[0].left()][-1] == ("/items/2" if gone else "/items/1")


def test_a_deleted_collection_takes_its_items_along(journal: tuple[Journal, Api]) -> None:
    family(journal)
    changed = tell(journal, "DELETE /items/{item_id}/notes", {"path:item_id": 1}, status=200, body={"deleted": 2})
    assert changed == ["-/items/1/notes/a", "-/items/1/notes/b"]


def test_with_a_query_only_those_that_the_answer_names(journal: tuple[Journal, Api]) -> None:
    family(journal)
    body = {"data": [{"id": "b", "deleted": True}]}
    arguments = {"path:item_id": 1, "query:q": "x"}
    assert tell(journal, "DELETE /items/{item_id}/notes", arguments, status=200, body=body) == ["-/items/1/notes/b"]


def test_items_of_an_earlier_process_are_taken_over_for_clean_up_alone(journal: tuple[Journal, Api]) -> None:
    old = family(journal).items
    fresh = journal[1].executor().journal
    fresh.restore(old)
    assert [item.path for item in fresh.left()] == [item.path for item in journal[0].left()]


def listing(paths: Sequence[Json], **headers: str) -> Call:
    arguments: dict[str, Json] = {"query:tag": "t"}
    return Call("g", key("GET /items"), arguments, "", 200, headers, {"data": list(paths)}, "", "survey")


def test_a_listing_of_own_items_and_nothing_else(journal: tuple[Journal, Api]) -> None:
    family(journal)
    delete = journal[1].catalog[key("DELETE /items")]

    def why(call: Call) -> str | None:
        return journal[0].only_own(delete, call)

    assert why(listing([{"id": 1}, {"id": 2}])) is None
    assert why(listing(["1"])) is None
    assert why(listing([{"id": 1}, {"id": 3}])) == "its GET twin lists an item that this run did not create"
    assert why(listing([{"name": "no id at all", "x": 1}])) == "its GET twin lists an item that this run did not create"
    assert why(listing([])) == "its GET twin does not list items of this run"
    assert why(replace(listing([{"id": 1}]), status=500)) == "its GET twin does not list items of this run"
    paged = "its GET twin may be one page of many"
    assert why(listing([{"id": 1}], **{"next-page": "http://x"})) == paged
    assert why(listing([{"id": 1}], **{"x-total-count": "2"})) == paged
    assert why(listing([{"id": 1}], link='<http://x?page=2>; rel="next"')) == paged
    assert why(replace(listing([]), body={"items": [{"id": 1}], "paging": {"next": "abc"}})) == paged
    assert why(replace(listing([]), body={"items": [{"id": 1}], "total": 9})) == paged
    assert why(listing([{"id": 1}] * 20)) == paged


@pytest.mark.parametrize(
    "body",
    [
        {"id": 5, "name": "a box", "items": [{"id": 1}]},
        {"1": {"size": 1}, "2": {"size": 2}},
        {"items": [{"id": 1}], "archived": [{"id": 9}]},
        {"items": [{"id": 1}], "related": {"items": [{"id": 9}]}},
        {"mine": [{"id": 1}], "shared": [{"id": 2}]},
        {"data": {"items": {"edges": [{"node": {"id": 1}}]}}},
        {"items": [{"id": 1}], "page_info": {"end": {"cursor": "x"}}},
        {"items": [{"id": 1}], "links": [{"rel": "next", "href": "/items?page=2"}]},
        {"items": [{"id": 1}], "page": {"next": {"href": "/items?page=2"}}},
        {"items": [{"id": 1}], "summary": {"counts": {"total": 2}}},
        {"items": [{"id": None}]},
    ],
)
def test_a_listing_in_doubt_shows_nothing(journal: tuple[Journal, Api], body: Json) -> None:
    """One thing with a list, a map, a second list, a connection, a next page anywhere, an item without an id."""
    family(journal)
    delete = journal[1].catalog[key("DELETE /items")]
    both = replace(listing([]), body={"items": [{"id": 1}, {"id": 2}]})
    assert journal[0].only_own(delete, both) is None
    assert journal[0].only_own(delete, replace(both, sampled=True)) == "its GET twin may be one page of many"
    assert journal[0].only_own(delete, replace(listing([]), body=body)) is not None


@pytest.mark.parametrize(
    "body",
    [
        {"items": [{"id": 7}]},
        {"found": {"by": "name", "rows": [{"id": 7}]}, "size": {"other": []}},
        {"id": 1, "name": "a page", "items": [{"id": 7}]},
        {"permissions": [7], "items": [{"id": 7}]},
    ],
)
def test_whatever_list_showed_an_id_it_is_not_ours(journal: tuple[Journal, Api], body: Json) -> None:
    tell(journal, "GET /items", status=200, body=body)
    assert create(journal, "POST /items", body={"id": 7}) == ["?/items/?"]


def test_the_journal_follows_what_is_sent(tmp_path: Path) -> None:
    api = Api(catalog(tmp_path), "", tmp_path, allow=ALL)
    there: list[str] = []

    def create(request: Received) -> Answer:
        there.append("x y")
        return Answer(201, headers={"Location": "/v1/items/x%20y"})

    routes: dict[str, Any] = {"POST /v1/items": create, "DELETE *": reply({})}
    routes["GET /v1/items"] = lambda request: reply([{"id": id} for id in there])
    with Server(routes) as server:
        calls = replace(api, url=f"{server.url}/v1").make(
            invoke("POST /items"), invoke("DELETE /items/{id}", {"path:id": "x y"})
        )
    assert [call.error for call in calls] == [None, None]
    assert server.changes == ["POST /v1/items", "DELETE /v1/items/x%20y"]


def change(pair: tuple[Journal, Api], id: Json, sent: Json, body: Json, *, there: Sequence[str]) -> list[str]:
    """Show a change of an item to the journal, after which GETs find what is `there`; the paths of what changed."""
    journal, line, arguments = pair[0], "PATCH /items/{id}", {"path:id": id, "body:": sent}
    tell(pair, line, arguments, status=200, body=body)
    move = journal.move(CreationAnswer(pair[1].catalog[key(line)], arguments, "c", 200, {}, body))
    if move is None:
        return []
    looks = {
        path: Call("l", key("GET /items/{id}"), {}, "", 404, {}, {}, "", "survey") for path in (move.old, move.new)
    }
    looks |= {path: replace(looks[path], status=200) for path in there}
    return paths(journal.settle_move(move, looks))


MOVED, NAMED = "docrev-00000000-3", {"id": "docrev-00000000-3"}


def test_what_a_change_moves_is_still_the_run_s_own(journal: tuple[Journal, Api]) -> None:
    family(journal)
    make(journal, "POST /items/{item_id}/notes", 5, item_id=2)
    changed = change(journal, 2, {}, NAMED, there=[f"/items/{MOVED}"])
    assert changed == ["-/items/2", f"/items/{MOVED}", "-/items/2/notes/5", f"/items/{MOVED}/notes/5"]
    assert change(journal, MOVED, {}, {"id": 19}, there=["/items/19"]) == []


@pytest.mark.parametrize(
    ("sent", "body", "there", "changed"),
    [
        ({}, NAMED, ["/items/2"], []),
        ({}, NAMED, ["/items/2", f"/items/{MOVED}"], [f"?/items/{MOVED}"]),
        ({}, NAMED, [], [f"?/items/{MOVED}"]),
        ({"slug": "fido"}, {"id": "fido"}, ["/items/fido"], ["-/items/2", "?/items/fido"]),
        ({"slug": "fido"}, {"id": "fido"}, ["/items/2", "/items/fido"], ["?/items/fido"]),
        ({"slug": "fido"}, {"id": "fido"}, ["/items/2"], []),
    ],
)
def test_what_a_change_says_of_another_path_is_looked_at(
    journal: tuple[Journal, Api], sent: Json, body: Json, there: list[str], changed: list[str]
) -> None:
    family(journal)
    assert change(journal, 2, sent, body, there=there) == changed
    assert journal[0].made("shop", "/items/2") is ("-/items/2" not in changed)
    assert not journal[0].made("shop", "/items/fido")


def test_where_ids_are_names_what_was_sent_says_where_an_item_went(journal: tuple[Journal, Api]) -> None:
    make(journal, "POST /items", run_name(1))
    assert change(journal, run_name(1), {"name": MOVED}, None, there=[f"/items/{MOVED}"]) == [
        f"-/items/{run_name(1)}",
        f"/items/{MOVED}",
    ]
    assert change(journal, MOVED, {"size": 3}, None, there=[]) == []


def test_what_is_gone_without_having_been_deleted_may_be_somebody_else_s(journal: tuple[Journal, Api]) -> None:
    """A change of it finds nothing: what lies in it is gone too, and another thing may have these ids by now."""
    family(journal)
    note = journal[1].catalog[key("DELETE /items/{item_id}/notes/{note_id}")]
    below: dict[str, Json] = {"path:item_id": 1, "path:note_id": 5}
    make(journal, "POST /items/{item_id}/notes", 5, item_id=1)
    assert journal[0].owns(note, below)
    assert tell(journal, "PATCH /items/{id}", {"path:id": 1}, status=422) == []
    gone = tell(journal, "PATCH /items/{id}", {"path:id": 1}, status=404)
    assert "-/items/1/notes/5" in gone
    assert not journal[0].owns(note, below)
    assert not journal[0].below_own(note, below)


def test_nobody_else_has_what_the_run_called_by_its_own_name(journal: tuple[Journal, Api]) -> None:
    make(journal, "POST /items", run_name(1))
    assert tell(journal, "PATCH /items/{id}", {"path:id": run_name(1)}, status=404) == []


def test_what_is_listed_by_another_id_has_the_one_that_was_chosen_for_it(journal: tuple[Journal, Api]) -> None:
    blind = Journal(journal[0].routes)
    put, chosen = journal[1].catalog[key("PUT /items/{id}")], {"path:id": run_name(1), "body:": {}}
    creation = blind.creation(put, chosen)
    assert creation is not None
    look = Look(invoke("GET /items"))
    old, now = (replace(listing([]), body=body) for body in ([], [{"id": "0-0", "name": run_name(1)}]))
    assert created_items(creation, [(look, old, now)]).own == (f"/items/{run_name(1)}",)


@pytest.mark.parametrize(("body", "again"), [(MARKED, True), ({"body:": {"size": 1}}, False)])
def test_a_creation_that_failed_may_have_been_performed_where_a_page_is_all_that_shows(
    tmp_path: Path, body: dict[str, Json], again: bool
) -> None:
    """By its name it would be found at the end; what has none is not sent again."""
    paged = {"GET /items": {"parameters": [{"name": "cursor", "in": "query", "schema": {"type": "string"}}]}}
    api = Api(catalog(tmp_path, LOANS, **paged), "http://127.0.0.1:9/v1", tmp_path, allow=ALL)
    pair = api.executor().journal, api
    page: Json = [{"id": 1}, {"id": 2}]
    assert create(pair, "POST /items", body, status=422, before=(200, page), after=(200, page)) == []
    assert create(pair, "POST /items", body, status=500, before=(200, page), after=(200, page)) == ["?/items/?"]
    assert pair[0].accepted(api.catalog[key("POST /items")]) is not again


def test_a_look_by_a_made_up_name_that_shows_nothing_is_no_look(tmp_path: Path) -> None:
    """Nothing lists them, and their ids are no names: two of them are told apart."""
    blind = Api(catalog(tmp_path, [line for line in CRUD if line != "GET /items"]), "http://x", tmp_path, allow=ALL)
    pair, gone, name = (blind.executor().journal, blind), (404, {}), {"name": run_name(2)}
    first = create(pair, "POST /items", MARKED, body={"id": 7}, before=gone, after=gone, shown={"/items/7": THERE})
    shown: dict[str, Json] = {"/items/7": THERE, "/items/8": name}
    second = create(pair, "POST /items", {"body:": name}, body={"id": 8}, before=gone, after=gone, shown=shown)
    assert (first, second) == (["?/items/7"], ["/items/7", "/items/8"])


def test_what_is_added_to_something_of_the_run_lies_in_it(journal: tuple[Journal, Api]) -> None:
    family(journal)
    post = journal[1].catalog[key("POST /items/{item_id}/notes")]
    patch = journal[1].catalog[key("PATCH /items/{id}")]
    assert journal[0].below_own(post, {"path:item_id": 1})
    assert not journal[0].below_own(post, {"path:item_id": 99})
    assert not journal[0].below_own(patch, {"path:id": 1})


def test_a_thing_of_the_run_is_its_own_under_every_path_that_takes_its_id(tmp_path: Path) -> None:
    more = ["POST /boards/{item_id}", "POST /boxes/{box_id}"]
    api = Api(catalog(tmp_path, [*CRUD, *more]), "http://127.0.0.1:9/v1", tmp_path, allow=ALL)
    journal = api.executor().journal
    for id in (run_name(1), "7"):
        journal.record(api.catalog.operations[0].tool, f"/items/{id}", "c")
    board, box = (api.catalog[key(line)] for line in more)
    assert journal.owns(board, {"path:item_id": run_name(1)})
    # Another thing may have the ID 7, and a box is no item.
    assert not journal.owns(board, {"path:item_id": "7"})
    assert not journal.owns(box, {"path:box_id": run_name(1)})


def test_a_thing_of_the_run_does_not_make_its_own_what_else_a_path_names(tmp_path: Path) -> None:
    more = ["POST /items", "PUT /groups/{group}/members/{item_id}", "POST /items/{item}/groups/{group}/tags/{item_id}"]
    api = Api(catalog(tmp_path, [*CRUD, *more[1:]]), "http://127.0.0.1:9/v1", tmp_path, allow=ALL)
    journal, mine = api.executor().journal, run_name(1)
    put, post = (api.catalog[key(line)] for line in more[1:])
    for path in (f"/items/{mine}", f"/groups/{run_name(2)}"):
        journal.record(put.tool, path, "c")
    for group, is_own in ((run_name(2), True), ("theirs", False)):
        assert journal.owns(put, {"path:group": group, "path:item_id": mine}) is is_own
    assert not journal.owns(post, {"path:item": "8", "path:group": "theirs", "path:item_id": mine})
