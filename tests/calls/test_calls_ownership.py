"""What may be changed: only what the run created, under names that take the place of nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, CRUD, Api, catalog, invoke, sent, with_operations
from servers import Answer, Received, Server, reply
from shop import CopyingShop, Shop

from docrev.conventions.run_names import run_name
from docrev.prompts.steps import Steps
from docrev.records import Call, Json


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path, allow=ALL)


# PUT, PATCH and item DELETE go only to what this run created


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_what_this_run_did_not_create_is_not_changed(api: Api, method: str) -> None:
    assert sent(api, f"{method} /items/{{id}}", {"path:id": "1"})[0] == "this run did not create it"


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_nor_is_what_has_no_id(api: Api, method: str) -> None:
    settings = with_operations(api, [f"{method} /settings"])
    reason, seen = sent(settings, f"{method} /settings")
    assert reason.startswith("there is only one of what it changes")
    assert seen == []


def test_nor_is_all_that_a_collection_has(api: Api) -> None:
    reason, seen = sent(with_operations(api, ["PATCH /items", "GET /items/{id}"]), "PATCH /items")
    assert reason.startswith("it changes all of a collection, or what its arguments select")
    assert seen == []


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_what_it_created_is(api: Api, method: str) -> None:
    shop = Shop({"/items/8": {}})
    with Server(shop.routes) as server:
        calls = replace(api, url=server.url).make(
            invoke("POST /items", {"body:": {}}),
            invoke(f"{method} /items/{{id}}", {"path:id": 1}),
            invoke(f"{method} /items/{{id}}", {"path:id": 8}),
        )
    assert [call.error for call in calls] == [None, None, "denied"]
    assert server.changes == ["POST /items", f"{method} /items/1"]


def test_what_an_answer_alone_calls_its_own_is_not_changed(api: Api) -> None:
    """A POST may answer with what was there already, or name something else in its `Location`."""
    answers = [reply({"id": 8}, 201), reply({}, 201, Location="/items/8"), reply({"id": 8}, 202), reply({"id": 8})]
    for answer in answers:
        folder = api.folder / str(answers.index(answer))
        folder.mkdir()
        shop = Shop({"/items/8": {}})
        with Server({**shop.routes, "POST /items": answer}) as server:
            live = replace(api, url=server.url, folder=folder)
            calls = live.make(invoke("POST /items"), invoke("DELETE /items/{id}", {"path:id": 8}))
        assert [call.error for call in calls] == [None, "denied"]
        assert server.changes == ["POST /items"]


def test_what_it_deleted_is_not_deleted_again(api: Api) -> None:
    shop = Shop()
    blind = {**shop.routes, "GET /items/*": reply({}, 405)}
    with Server(blind) as server:
        delete = invoke("DELETE /items/{id}", {"path:id": 1})
        calls = replace(api, url=server.url).make(invoke("POST /items"), delete, delete)
    assert [call.error for call in calls] == [None, None, "denied"]


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("status", [404, 403, 200])
def test_what_it_deleted_is_touched_only_where_it_is_seen_to_be_gone(api: Api, method: str, status: int) -> None:
    """An id may be given again: 200 says that somebody has it now, and 403 does not say that nobody has."""
    line = f"{method} /items/{{id}}"
    answers = {f"{m} /items/1": Answer(404) for m in ("PUT", "PATCH")} | {"GET /items/1": Answer(status)}
    with Server({**Shop().routes, **answers}) as server:
        calls = replace(api, url=server.url).make(
            invoke("POST /items"),
            invoke("DELETE /items/{id}", {"path:id": 1}),
            invoke(line, {"path:id": 1}, repeat=1),
        )
    assert calls[1].ok
    assert (calls[2].error == "denied") == (status != 404)
    expected = ["POST /items", "DELETE /items/1", "GET /items/1"]
    seen = [one for one in server.seen if one != "GET /items"]
    # A PUT that creates is looked at again after it; one that was refused has created nothing.
    assert seen == (expected if status != 404 else [*expected, f"{method} /items/1"])


def test_below_what_it_deleted_nothing_is_touched_where_that_id_is_somebody_else_s_by_now(api: Api) -> None:
    """An action there may change what its target lies in, though the target is gone."""
    acting = with_operations(
        api, [*CRUD, "GET /items/{item_id}/notes/{note_id}", "POST /items/{item_id}/notes/{note_id}/apply"]
    )
    shop = Shop()

    def given_again(request: Received) -> Answer:
        answer = shop(request)
        shop.things["/items/1"] = {"name": "theirs"}
        return answer

    below: dict[str, Json] = {"path:item_id": 1, "path:note_id": 2}
    with Server({**shop.routes, "DELETE /items/1": given_again}) as server:
        calls = replace(acting, url=server.url).make(
            invoke("POST /items"),
            invoke("POST /items/{item_id}/notes", {"path:item_id": 1}),
            invoke("DELETE /items/{id}", {"path:id": 1}),
            invoke("POST /items/{item_id}/notes/{note_id}/apply", below),
        )
    assert [call.error for call in calls] == [None, None, None, "denied"]
    assert server.changes == ["POST /items", "POST /items/1/notes", "DELETE /items/1"]


def test_what_was_deleted_and_is_there_again_is_known_to_be(api: Api) -> None:
    """A PATCH may bring back what was deleted: then it is this run's again, to be removed at the end."""
    shop = Shop()

    def revived(request: Received) -> Answer:
        shop.things.setdefault("/items/1", {})
        return shop(request)

    def steps() -> Steps[list[Call]]:
        yield invoke("POST /items")
        yield invoke("DELETE /items/{id}", {"path:id": 1})
        calls: list[Call] = yield [invoke("PATCH /items/{id}", {"path:id": 1}, repeat=n) for n in (1, 2)]
        return calls

    with Server({**shop.routes, "PATCH /items/1": revived}) as server:
        calls = replace(api, url=server.url).drive(steps())
    assert [call.status for call in calls] == [200, 200]
    assert server.seen.count("GET /items/1") == 1, "the second PATCH goes to what is this run's again"
    with api.open() as evidence:
        assert [(item.path, item.deleted) for item in evidence.journal.items()] == [("/items/1", False)]


# A collection DELETE: only under a parent of this run (the proof by its GET twin is the driver's: test_drive_safety)


def test_a_collection_is_deleted_only_under_what_this_run_created(api: Api) -> None:
    shop = Shop({"/items/8": {}, "/items/8/notes/1": {}})
    with Server(shop.routes) as server:
        calls = replace(api, url=server.url).make(
            invoke("DELETE /items"),
            invoke("POST /items"),
            invoke("DELETE /items"),
            invoke("DELETE /items/{item_id}/notes", {"path:item_id": 8}),
            invoke("DELETE /items/{item_id}/notes", {"path:item_id": 1}),
        )
    assert [call.error for call in calls] == ["denied", None, "denied", "denied", None]
    assert server.changes == ["POST /items", "DELETE /items/1/notes"]


# What this run could not remove again

KEPT = ("GET /labels", "GET /labels/{id}", "GET /boxes/{box}/labels", "GET /boxes/{box}/labels/{id}")


@pytest.mark.parametrize(("line", "ids"), [("POST /labels", ({}, {})), ("PUT /labels/{id}", ("a", "b"))])
def test_what_could_not_be_removed_is_made_once(api: Api, line: str, ids: tuple[Any, Any]) -> None:
    kept = with_operations(api, [*KEPT, line])
    given = [{"body:": {}} | ({"path:id": f"{run_name(1)}{id}"} if id else {}) for id in ids]
    with Server(Shop().routes) as server:
        calls = replace(kept, url=server.url).make(*[invoke(line, arguments) for arguments in given])
    assert [call.error for call in calls] == [None, "denied"]
    assert calls[1].detail == "it has made something that this run cannot remove: once is enough"
    assert len(server.changes) == 1


@pytest.mark.parametrize("line", ["POST /boxes/{box}/labels", "PUT /boxes/{box}/labels/{id}"])
def test_it_is_not_made_in_what_exists(api: Api, line: str) -> None:
    """But in what the run made, with which it goes."""
    shop = Shop({"/boxes/theirs": {}})
    boxes = with_operations(api, [*KEPT, line, "GET /boxes", "POST /boxes", "DELETE /boxes/{box}"])
    there = with_operations(api, [*KEPT, line])
    arguments: dict[str, Json] = {"path:box": "theirs", "path:id": run_name(2), "body:": {}}
    with Server(shop.routes) as server:
        refusal = replace(there, url=server.url).call(invoke(line, arguments))[0].detail
        assert refusal == "what it would add to something that exists could not be removed again"
        made, refused, added = replace(boxes, url=server.url).make(
            invoke("POST /boxes"), invoke(line, arguments), invoke(line, arguments | {"path:box": 1})
        )
    assert (made.error, refused.error, added.error) == (None, "denied", None)
    assert set(shop.things) > {"/boxes/theirs", "/boxes/1"}


# Names: what has one may be replaced by what gets it, and what has none may be out of reach


def test_nothing_gets_the_name_of_something_else(api: Api) -> None:
    """A file that gets the name of another takes its place; so does what is created under it anywhere."""
    shop = Shop(
        {"/items/8": {"name": "theirs", "size": 1}, "/items/9": {"name": "alike"}, "/items/10": {"name": "alike"}}
    )
    bodies: list[Json] = [{"name": "theirs"}, {"name": "alike"}, {"name": run_name(3)}, {"size": "theirs"}, {}]
    with Server(shop.routes) as server:
        calls = replace(api, url=server.url).make(
            invoke("POST /items", {"body:": {"name": run_name(1)}}),
            *(invoke("PATCH /items/{id}", {"path:id": 1, "body:": body}) for body in bodies),
            invoke("PUT /items/{id}", {"path:id": 1, "body:": {"name": "theirs"}}),
            invoke("POST /items", {"body:": {"name": "theirs"}}),
        )
    taken = "something else has the name that was chosen"
    assert [call.detail for call in calls] == ["", taken, "", "", "", "", taken, taken]
    assert shop.things["/items/8"] == {"name": "theirs", "size": 1}


def test_a_change_gives_no_name_that_nothing_shows_to_be_free(tmp_path: Path) -> None:
    """What nothing lists may have it: only a name of the run's own, its item's own, or one of few is sent."""
    choice = {"schema": {"type": "object", "properties": {"code": {"enum": ["a", "b"]}}}}
    patch = {"PATCH /items/{id}": {"requestBody": {"content": {"application/json": choice}}}}
    api = Api(catalog(tmp_path, **patch), "", tmp_path, allow=ALL)
    bodies: list[Json] = [{"name": "theirs"}, {"name": run_name(2)}, {"code": "b"}, {"size": "theirs"}, {"id": 1}]
    with Server(Shop().routes) as server:
        calls = replace(api, url=server.url).make(
            invoke("POST /items", {"body:": {"name": run_name(1)}}),
            *(invoke("PATCH /items/{id}", {"path:id": 1, "body:": body}) for body in bodies),
            invoke("POST /items/{item_id}/notes", {"path:item_id": 1, "body:": {"name": "theirs"}}),
        )
    assert [call.detail for call in calls] == ["", "nothing shows that the name that was chosen is free", *[""] * 5]


def test_nothing_is_placed_among_the_things_of_others(tmp_path: Path) -> None:
    """What stands at a place may have to move, and what is the default no longer is; among its own a run may do it."""
    needed = {"schema": {"type": "object", "required": ["rank"], "properties": {"rank": {"type": "integer"}}}}
    posted = {"POST /items": {"requestBody": {"content": {"application/json": needed}}}}
    api = Api(catalog(tmp_path, (*CRUD, "POST /items/{id}"), **posted), "", tmp_path, allow=ALL)
    placed: list[Json] = [{"rank": 1}, {"rank": 1, "position": 2}, [{"is_default": True}]]
    with Server(Shop().routes) as server:
        calls = replace(api, url=server.url).make(
            *(invoke("POST /items", {"body:": body}) for body in placed),
            invoke("PATCH /items/{id}", {"path:id": 1, "body:": {"priority": 3}}),
            invoke("POST /items/{id}", {"path:id": 1, "body:": {"order": 3}}),
            invoke("POST /items/{item_id}/notes", {"path:item_id": 1, "body:": {"priority": 3}}),
        )
    details = [f"its {name} may change what others have" for name in ("position", "is_default", "priority", "order")]
    assert [call.detail for call in calls] == ["", *details, ""]


def test_nothing_is_created_without_a_name_where_the_id_is_made_of_it(api: Api) -> None:
    class Naming(Shop):
        def _collection(self, request: Received, path: str) -> Answer:
            if request.method == "POST":
                self.things[f"{path}/{request.json['name']}"] = dict(request.json)
                return reply({}, 201)
            return super()._collection(request, path)

    def run(shop: Shop, folder: str) -> list[str]:
        named = [run_name(1), "", " ", "."]
        with Server(shop.routes) as server:
            steps = [invoke("POST /items", {"body:": {"name": name}}) for name in named]
            here = replace(api, url=server.url, folder=api.folder / folder)
            return [call.detail for call in here.make(*steps)]

    empty = "its name is empty, and the id would be made of it: nothing could address that"
    assert run(Naming(), "a") == ["", empty, empty, empty]
    assert run(Shop(), "b") == ["", "", "", ""]


def test_what_could_not_be_removed_is_given_no_other_name_that_its_id_may_be_made_of(api: Api) -> None:
    """A change of the name may make a copy. What a look has shown to be no ID may be changed."""
    item, mine = "/items/{id}", {"path:id": run_name(1)}
    steps = [
        invoke("POST /items", {"body:": {"name": run_name(1), "title": run_name(9)}}),
        *(invoke(f"{method} {item}", {**mine, "body:": {"name": run_name(2)}}) for method in ("PATCH", "PUT")),
        invoke(f"PATCH {item}", {**mine, "body:": {"name": run_name(1), "size": 2}}),
        invoke(f"PATCH {item}", {**mine, "body:": {"title": run_name(3)}}),
        invoke(f"GET {item}", mine),
        invoke(f"PATCH {item}", {**mine, "body:": {"title": run_name(3)}}),
        invoke(f"PATCH {item}", {**mine, "body:": {"name": run_name(2)}}),
    ]

    def run(folder: str, *more: str) -> tuple[list[str], list[str]]:
        shop, operations = CopyingShop(), [*(f"{m} /items" for m in ("GET", "POST")), *more]
        here = with_operations(api, [*operations, *(f"{method} {item}" for method in ("GET", "PUT", "PATCH"))])
        with Server(shop.routes) as server:
            calls = replace(here, url=server.url, folder=api.folder / folder).make(*steps)
        return [call.detail for call in calls], sorted(shop.things)

    denied = "another {} may make a second thing of it, under another id, and nothing could remove that"
    name, title = denied.format("name"), denied.format("title")
    assert run("a") == (["", name, name, "", title, "", "", name], [f"/items/{run_name(1)}"])
    details, things = run("b", f"DELETE {item}")
    assert not any(details)
    assert len(things) == 2


SHARED = ["PUT /users/{name}", "GET /users/{name}", "PUT /users/{name}/servers/{server_name}", "GET /users"]
SHARED += ["GET /users/{name}/servers/{server_name}", "PATCH /shares/{owner}/{server_name}"]
SHARED += ["DELETE /users/{name}", "DELETE /users/{name}/servers/{server_name}"]


def test_what_is_addressed_by_all_the_ids_of_an_own_thing_is_changed_and_by_some_of_them_is_not(api: Api) -> None:
    users, servers, shop = [run_name(1), run_name(2)], [run_name(3), run_name(4)], Shop({"/users/anna": {}})
    made = [invoke("PUT /users/{name}", {"path:name": user, "body:": {}}) for user in users]
    for user, server_name in zip(users, servers, strict=True):
        path = {"path:name": user, "path:server_name": server_name}
        made.append(invoke("PUT /users/{name}/servers/{server_name}", {**path, "body:": {}}))
    pairs = [(users[0], servers[0]), (users[0], servers[1]), ("anna", servers[0]), (servers[0], users[0])]
    shares = [
        invoke("PATCH /shares/{owner}/{server_name}", {"path:owner": owner, "path:server_name": name, "body:": {}})
        for owner, name in pairs
    ]
    with Server({**shop.routes, "PATCH /shares/*": reply({})}) as server:
        calls = replace(with_operations(api, SHARED), url=server.url).make(*made, *shares)
    assert [call.error for call in calls] == [None] * 5 + ["denied"] * 3
