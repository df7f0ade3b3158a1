"""Safe by default: what may be called, sentence by sentence, judged and watched on the wire."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, CRUD, Api, catalog, invoke, key
from servers import Answer, Received, Server, reply
from shop import Shop

from docrev.calls.credentials import parse_header
from docrev.calls.policy import Policy, denied_word
from docrev.conventions.run_names import run_name
from docrev.errors import UsageError
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, Json


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path, allow=ALL)


def sent(api: Api, line: str, arguments: dict[str, Json] | None = None) -> tuple[str, list[str]]:
    """The reason of the denial ("" if none) of a call, and what arrived."""
    with Server({f"{method} *": reply({}) for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD")}) as server:
        call = replace(api, url=server.url).call(invoke(line, arguments))[0]
    assert (call.error == "denied") == (not server.seen)
    return call.detail if call.error == "denied" else "", server.seen


def sent_to(api: Api, server: Server, line: str, arguments: dict[str, Json]) -> str:
    """The reason of the denial of a call to a server ("" if none), of a run of its own."""
    call = replace(api, url=server.url).call(invoke(line, arguments))[0]
    return call.detail if call.error == "denied" else ""


def with_operations(api: Api, operations: Sequence[str], **extras: dict[str, Any]) -> Api:
    return replace(api, catalog=catalog(api.folder, operations, **extras))


# GET, HEAD and OPTIONS only, unless allowed


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reading_needs_no_permission(api: Api, method: str) -> None:
    reading = replace(with_operations(api, [f"{method} /items"]), allow=())
    with Server({f"{method} *": reply({})}) as server:
        assert replace(reading, url=server.url).call(invoke(f"{method} /items"))[0].ok


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_everything_else_does(api: Api, method: str) -> None:
    line = f"{method} /items" if method == "POST" else f"{method} /items/{{id}}"
    reason, seen = sent(replace(api, allow=()), line, {"path:id": "1"})
    assert reason == f"{method} is not allowed; see --allow"
    assert seen == []


def test_trace_is_never_sent(api: Api) -> None:
    operation = with_operations(api, ["TRACE /items"])
    if key("TRACE /items") in operation.catalog:
        assert sent(operation, "TRACE /items")[0] == "TRACE is never sent"


def test_allowing_one_operation_allows_no_other(api: Api) -> None:
    one = replace(api, allow=["POST  /items"])
    assert sent(one, "POST /items") == ("", ["POST /items"])
    assert sent(one, "POST /items/{item_id}/notes", {"path:item_id": "1"})[0].startswith("POST is not allowed")


def test_allow_takes_methods_in_any_form() -> None:
    assert Policy.parse(["post, put", "DELETE"]).allow == {"POST", "PUT", "DELETE"}
    with pytest.raises(UsageError, match="--allow: FETCH is no method"):
        Policy.parse(["POST,FETCH"])


@pytest.mark.parametrize("glob", ["/items", "POST *", "shop POST /items", "*items"])
def test_deny_wins_over_everything(api: Api, glob: str) -> None:
    assert sent(replace(api, allow=[*ALL, "POST /items"], deny=[glob]), "POST /items")[0] == "--deny names it"


def test_deny_takes_operation_ids(api: Api) -> None:
    named = with_operations(api, ["GET /x"], **{"GET /x": {"operationId": "listSecrets"}})
    assert sent(replace(named, deny=["*Secrets"]), "GET /x")[0] == "--deny names it"


def test_an_operation_that_nobody_knows_is_not_called(api: Api) -> None:
    assert sent(api, "GET /nowhere")[0] == "the catalog has no such operation"


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
        assert [(item.path, item.deleted) for item in evidence.journal()] == [("/items/1", False)]


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
        assert (
            sent_to(there, server, line, arguments)
            == "what it would add to something that exists could not be removed again"
        )
        made, refused, added = replace(boxes, url=server.url).make(
            invoke("POST /boxes"), invoke(line, arguments), invoke(line, arguments | {"path:box": 1})
        )
    assert (made.error, refused.error, added.error) == (None, "denied", None)
    assert set(shop.things) > {"/boxes/theirs", "/boxes/1"}


# An operation that carries other requests is judged by what it carries

BATCH = (*CRUD, "POST /batch", "POST /tokens", "GET /token/reset")


@pytest.fixture
def batching(api: Api) -> Api:
    return with_operations(api, BATCH)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"requests": [{"path": "/items", "method": "GET"}]}, ""),
        ({"requests": [{"path": "/items?x=1"}]}, ""),
        ({"requests": [{"path": "/prefix/items"}]}, ""),
        ({"requests": []}, "it carries nothing by which it could be judged"),
        ({"defaults": {"method": "POST", "path": "/items"}, "requests": [{"body": {}}, {"path": "/items"}]}, ""),
        (
            {"requests": [{"path": "/items/1", "method": "DELETE"}]},
            "carried DELETE /items/1: this run did not",
        ),
        (
            {"requests": [{"path": "/items/1", "method": "delete"}]},
            "carried DELETE /items/1: this run did not",
        ),
        ({"defaults": {"method": "DELETE"}, "requests": [{"path": "/items/1"}]}, "carried DELETE /items/1: this run"),
        ({"requests": [{"path": "/items", "method": "DELETE"}]}, "carried DELETE /items: the collection may hold"),
        ({"requests": [{"path": "/items/9", "method": "PUT"}]}, "carried PUT /items/9: this run did not create it"),
        ({"requests": [{"path": "/secret/1", "method": "GET"}]}, "carried GET /secret/1: not in the catalog"),
        ({"requests": [{"path": "/items"}, {"path": "/token/reset"}]}, "carried GET /token/reset: 'token' is on"),
        ({"requests": [{"path": "/items/..%2f..", "method": "GET"}]}, "carried GET /items/..%2f..: a path argument"),
        ({"requests": [{"path": "http://evil.invalid/items"}]}, "carried GET http://evil.invalid/items: not in"),
        ({"requests": [{"path": "//evil.invalid/items"}]}, "carried GET //evil.invalid/items: not in"),
        ({"requests": [{"path": "/items", "headers": {"Authorization": "x"}}]}, "carried GET /items: the header Auth"),
        ({"requests": [{"path": "/batch", "method": "POST", "body": {}}]}, "carried POST /batch: a batch in a batch"),
        ({"requests": [{"what": "DELETE /items/1"}]}, "it carries requests that cannot be read"),
        ("DELETE /items/1", "it carries requests that cannot be read"),
        ([{"relative_url": "/items/1", "method": "DELETE"}], "carried DELETE /items/1: this run did not"),
    ],
)
def test_a_batch_is_judged_by_what_it_carries(batching: Api, body: Json, reason: str) -> None:
    with Server({"POST /prefix/batch": reply({"responses": []})}) as server:
        call = replace(batching, url=f"{server.url}/prefix").call(invoke("POST /batch", {"body:": body}))[0]
    assert call.detail.startswith(reason) if reason else call.error is None
    assert len(server.seen) == (0 if reason else 1)


def test_so_is_any_body_with_method_and_path(api: Api) -> None:
    forward = {"forward": {"to": [{"method": "DELETE", "url": "/items/1"}]}}
    assert sent(api, "POST /items", {"body:": forward})[0].startswith("carried DELETE /items/1")


def test_a_body_with_links_carries_nothing(api: Api) -> None:
    assert sent(api, "POST /items", {"body:": {"links": [{"url": "http://a.example/x"}], "path": "/home"}})[0] == ""


def test_a_batch_may_change_what_this_run_created(batching: Api) -> None:
    shop = Shop({"/items/8": {}})

    def batch(request: Received) -> Answer:
        responses = []
        for inner in request.json["requests"]:
            answer = shop(replace(request, method=inner["method"], target=inner["path"], body=b"{}"))
            responses.append({"status": answer.status, "path": inner["path"], "body": json.loads(answer.body)})
        return reply({"responses": responses})

    def carrying(method: str, path: str) -> Invoke:
        return invoke("POST /batch", {"body:": {"requests": [{"path": path, "method": method, "body": {}}]}})

    with Server({**shop.routes, "POST /batch": batch}) as server:
        calls = replace(batching, url=server.url).make(
            carrying("PATCH", "/items/1"),
            carrying("POST", "/items"),
            carrying("PATCH", "/items/1"),
            carrying("PATCH", "/items/8"),
            invoke("DELETE /items/{id}", {"path:id": 1}),
        )
    assert [call.error for call in calls] == ["denied", None, None, "denied", None]
    assert server.changes == ["POST /batch", "POST /batch", "DELETE /items/1"]


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


# Never an operation whose id came from the caller's own account

ACCOUNT = (*CRUD, "GET /me", "PUT /me", "PATCH /users/self", "GET /", "POST /users/{user_id}/lists", "POST /me/close")
ACCOUNT_MORE = (
    *ACCOUNT,
    "GET /me/lists",
    "POST /me/lists",
    "DELETE /me/lists/{list_id}",
    "GET /me/follows",
    "POST /me/follows",
    "GET /me/follows/{id}",
    "GET /users/{user_id}",
    "GET /users/{user_id}/lists",
    "DELETE /users/{user_id}/lists/{list_id}",
)


@pytest.mark.parametrize(
    ("path", "body"),
    [("/me", {"id": 42, "name": "ann"}), ("/", {"version": "1", "user": {"id": 42, "principals": ["a", "b"]}})],
)
def test_an_id_from_the_own_account_is_never_used_to_write(api: Api, path: str, body: Json) -> None:
    account = with_operations(api, ACCOUNT_MORE)
    routes = {f"GET {path}": reply(body), "POST *": reply({"ok": True}), "GET /users/*": reply({})}
    with Server(routes) as server:
        calls = replace(account, url=server.url).call(
            invoke("POST /users/{user_id}/lists", {"path:user_id": 42}),
            invoke(f"GET {path}"),
            invoke("POST /users/{user_id}/lists", {"path:user_id": 42}),
            invoke("POST /users/{user_id}/lists", {"path:user_id": "42"}),
            invoke("POST /users/{user_id}/lists", {"path:user_id": 43}),
            invoke("GET /users/{user_id}", {"path:user_id": 42}),
        )
    assert [call.error for call in calls] == [None, None, "denied", "denied", None, None]
    assert calls[2].detail == "an id comes from the caller's own account"


@pytest.mark.parametrize("line", ["PUT /me", "PATCH /users/self"])
def test_the_own_account_is_never_changed(api: Api, line: str) -> None:
    account = replace(with_operations(api, ACCOUNT_MORE), allow=[*ALL, line])
    assert sent(account, line)[0] == "it would change the caller's own account"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("POST /me/close", "it acts on nothing that a run could create"),
        ("POST /me/follows", "it would change the caller's own account"),
    ],
)
def test_what_lies_in_it_is_changed_only_by_name(api: Api, line: str, reason: str) -> None:
    account = with_operations(api, ACCOUNT_MORE)
    assert sent(account, line)[0].startswith(reason)
    assert sent(replace(account, allow=[line]), line) == ("", [line])


def test_what_can_be_removed_again_may_be_created_under_it(api: Api) -> None:
    assert sent(with_operations(api, ACCOUNT_MORE), "POST /me/lists") == ("", ["POST /me/lists"])


# The deny list: whole words in path segments and operationIds, never in parameters, lifted only by naming


@pytest.mark.parametrize(
    ("line", "operation_id", "word"),
    [
        ("GET /users/reset", "", "reset"),
        ("GET /keys/{id}/revoke", "", "revoke"),
        ("GET /key-rotate", "", "rotate"),
        ("GET /x", "userLogout", "logout"),
        ("GET /log-out", "", "logout"),
        ("GET /x", "shut_down_server", "shutdown"),
        ("GET /cache:flush", "", "flush"),
        ("GET /x/{id}.purge", "", "purge"),
        ("GET /x", "terminateInstances", "terminate"),
        ("GET /forgotPassword", "", "password"),
        ("GET /tokens", "listTokens", None),
        ("GET /api-tokens/{id}", "getToken", None),
        ("GET /tokens/revoke", "", "revoke"),
        ("POST /tokens", "", "token"),
        ("GET /token/{id}", "", "token"),
        ("GET /x", "resetAPIKey", "reset"),
        ("GET /token", "", "token"),
        ("GET /presets", "listPresets", None),
        ("GET /flushing", "tokenize", None),
        ("GET /x/{token}", "getByCode", None),
        ("GET /reset{x}".replace("reset", "re-set"), "", "reset"),
    ],
)
def test_whole_words_of_the_deny_list(tmp_path: Path, line: str, operation_id: str, word: str | None) -> None:
    extras = {line: {"operationId": operation_id}} if operation_id else {}
    operation = catalog(tmp_path, [line], **extras)[key(line)]
    assert denied_word(operation) == word


@pytest.mark.parametrize("name", ["_token", "cursor", "next_page_token", "token", "password"])
def test_parameters_are_not_on_it(api: Api, name: str) -> None:
    assert sent(api, "GET /items", {f"query:{name}": "x"}) == ("", [f"GET /items?{name}=x"])


def test_only_naming_the_operation_lifts_it(api: Api) -> None:
    tokens = with_operations(api, ["POST /tokens"])
    assert sent(tokens, "POST /tokens")[0] == "'token' is on the deny list; name it: --allow 'POST /tokens'"
    assert sent(replace(tokens, allow=["POST /tokens"]), "POST /tokens") == ("", ["POST /tokens"])
    assert sent(replace(tokens, allow=["shop POST /tokens"]), "POST /tokens") == ("", ["POST /tokens"])


def test_nothing_is_made_the_one_among_many_without_being_named(api: Api) -> None:
    line = "PUT /items/{id}/set_default"
    ours = with_operations(api, [line])
    said = sent(ours, line, {"path:id": "1"})[0]
    assert said == f"it makes its thing the default or the like, which another may be by now; name it: --allow '{line}'"


# Nothing leaves the operation's own path


@pytest.mark.parametrize("value", ["..", ".", "../users", "a/../../users", "..\\users", "%2e%2e", "..%2fusers", " .. "])
def test_dot_segments_are_never_sent(api: Api, value: str) -> None:
    assert "dot segments" in sent(api, "GET /items/{id}", {"path:id": value})[0]


@pytest.mark.parametrize("arguments", [{}, {"path:id": ""}, {"path:id": None}, {"path:id": []}])
def test_an_empty_id_would_be_the_collection(api: Api, arguments: dict[str, Json]) -> None:
    assert sent(api, "GET /items/{id}", arguments)[0] == "no value for path parameter id"


@pytest.mark.parametrize(
    ("value", "target"),
    [
        ("a/b", "a%2Fb"),
        ("ü ß", "%C3%BC%20%C3%9F"),
        ("a?b#c", "a%3Fb%23c"),
        ("a;b=1,c", "a%3Bb%3D1%2Cc"),
        (True, "true"),
        ("x\r\nEvil: 1", "x%0D%0AEvil%3A%201"),
        ("v1.2", "v1.2"),
        ("50%", "50%25"),
        (3.5, "3.5"),
        ([1, 2], "1%2C2"),
    ],
)
def test_path_arguments_stay_in_their_segment(api: Api, value: Json, target: str) -> None:
    assert sent(api, "GET /items/{id}", {"path:id": value}) == ("", [f"GET /items/{target}"])


def test_an_id_with_a_slash_is_not_written_to(api: Api) -> None:
    reason = sent(api, "POST /items/{item_id}/notes", {"path:item_id": "1/users"})[0]
    assert reason == "an id with a slash may reach another operation"


@pytest.mark.parametrize("path", ["/a/../b", "/a/%2e%2e/b", "/../b"])
def test_a_spec_cannot_leave_the_base_url(api: Api, path: str) -> None:
    assert sent(with_operations(api, [f"GET {path}"]), f"GET {path}")[0] == "its path has dot segments"


def test_a_spec_cannot_move_the_host(api: Api) -> None:
    # Python's server shows two slashes as one.
    for path, shown in (("/@evil.invalid/x", "/@evil.invalid/x"), ("//evil.invalid/x", "/evil.invalid/x")):
        assert sent(with_operations(api, [f"GET {path}"]), f"GET {path}") == ("", [f"GET {shown}"])


@pytest.mark.parametrize(
    "location",
    ["header:Authorization", "header:host", "header:X-HTTP-Method-Override", "header:Cookie", "header:X-Forwarded-For"],
)
def test_some_headers_are_not_arguments(api: Api, location: str) -> None:
    assert "is not an argument" in sent(api, "GET /items", {location: "DELETE"})[0]


def test_a_header_that_says_who_calls_may_be_left_out_of_what_reads(api: Api) -> None:
    headers = (parse_header("Authorization: Bearer s3cr3t-token"),)
    with Server({"GET *": reply({}), "POST *": reply({})}) as server:
        here = replace(api, url=server.url, headers=headers)
        calls = here.call(
            invoke("GET /items"),
            invoke("GET /items", {"header:authorization": None}),
            invoke("POST /items", {"header:authorization": None}),
        )
    assert [call.error for call in calls] == [None, None, "denied"]
    assert [call.anonymous for call in calls[:2]] == [False, True]
    assert ["authorization" in request.headers for request in server.requests] == [True, False]


def test_no_parameter_turns_a_method_into_another(api: Api) -> None:
    assert sent(api, "GET /items", {"query:_method": "DELETE"})[0] == "_method would turn it into another method"
