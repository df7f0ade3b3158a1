"""Safe by default: what may be called, sentence by sentence, judged and watched on the wire."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from callkit import ALL, CRUD, Api, catalog, invoke, key, sent, with_operations
from servers import Answer, Received, Server, reply

from docrev.calls.paths import denied_word
from docrev.calls.policy import Policy
from docrev.errors import UsageError
from docrev.records import Json


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path, allow=ALL)


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
    assert reason == f"{method} is not allowed; give --allow {method}"
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


@pytest.mark.parametrize("path", ["/userprofile", "/v1/user-settings", "/my_preferences"])
def test_what_the_caller_has_one_of_is_no_list_to_add_to(api: Api, path: str) -> None:
    line, beside = f"POST {path}", [f"GET {path}", f"GET {path}/{{id}}", f"DELETE {path}/{{id}}"]
    profile = with_operations(api, [line, *beside])
    assert sent(profile, line)[0] == f"it would change the caller's own account; name it: --allow '{line}'"
    assert sent(replace(profile, allow=[line]), line) == ("", [line])
    others = with_operations(api, [text.replace(path, "/profiles") for text in (line, *beside)])
    assert sent(others, "POST /profiles") == ("", ["POST /profiles"])


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
        ("GET /whoami", "getTokenOwner", None),
        ("GET /x", "users_token_retrieve", "token"),
        ("POST /x", "getTokenOwner", "token"),
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


@pytest.mark.parametrize("line", ["POST /v3/cluster/members", "DELETE /_cluster/members/{id}", "PUT /raft/peers/{id}"])
def test_what_the_service_runs_on_is_changed_only_by_name(api: Api, line: str) -> None:
    ours = with_operations(api, [line, line.replace("{id}", "").replace("DELETE", "GET")])
    said = sent(ours, line, {"path:id": "1"})[0]
    assert said == f"it changes the cluster that the service itself runs on; name it: --allow '{line}'"


@pytest.mark.parametrize(
    "line",
    [
        "POST /backups/{id}/restore", "PUT /db-snapshots/{id}/roll-back", "POST /tenants/{name}/exports/{id}/import",
        "POST /backups/{id}:revert", "POST /restores", "POST /restore-jobs",
    ],
)  # fmt: skip
def test_no_copy_replaces_what_there_is_by_now_without_being_named(api: Api, line: str) -> None:
    made = line.removeprefix("POST ").partition("/{id}")[0]
    beside = [f"GET {made}", f"POST {made}", f"GET {made}/{{id}}", f"DELETE {made}/{{id}}"]
    ours = with_operations(api, list(dict.fromkeys([line, *beside])))
    said = sent(ours, line, {"path:id": "1", "path:name": "a"} if "{" in line else None)[0]
    assert said == f"it puts what a copy holds in the place of what there is by now; name it: --allow '{line}'"


@pytest.mark.parametrize("line", ["POST /items/{id}/backups/{number}/restore", "POST /items/{id}/restore"])
def test_a_copy_of_a_thing_of_the_runs_own_may_be_brought_back(api: Api, line: str) -> None:
    ours = with_operations(api, ["POST /items", "DELETE /items/{id}", line])
    assert "in the place of" not in sent(ours, line, {"path:id": "1", "path:number": "1"})[0]


@pytest.mark.parametrize("line", ["POST /backups", "POST /backups/{id}/verify", "DELETE /backups/{id}"])
def test_backups_may_be_made_looked_through_and_removed(api: Api, line: str) -> None:
    ours = with_operations(api, ["POST /backups", "GET /backups/{id}", "DELETE /backups/{id}", line])
    assert "in the place of" not in sent(ours, line, {"path:id": "1"} if "{" in line else None)[0]


@pytest.mark.parametrize("line", ["POST /fields/all-projects", "PATCH /all/fields/{id}", "PUT /fields/all/{id}"])
def test_nothing_is_put_into_all_that_there_are_without_being_named(api: Api, line: str) -> None:
    beside = [
        "POST /fields",
        "DELETE /fields/{id}",
        "GET /fields/all-projects/{id}",
        "DELETE /fields/all-projects/{id}",
    ]
    said = sent(with_operations(api, [line, *beside]), line, {"path:id": "1"} if "{" in line else None)[0]
    assert said == f"it says that it is about all that there are; name it: --allow '{line}'"


def test_all_that_is_in_a_thing_of_the_runs_own_is_its_own(api: Api) -> None:
    line = "PUT /items/{id}/parts/all/colour"
    said = sent(with_operations(api, [line]), line, {"path:id": "1"})[0]
    assert "all that there are" not in said


def test_clusters_that_a_service_keeps_are_things_like_others(api: Api) -> None:
    lines = ["POST /cluster", "GET /cluster/{id}", "DELETE /cluster/{id}", "POST /items/{id}/cluster"]
    ours = with_operations(api, lines)
    assert sent(ours, "POST /cluster") == ("", ["POST /cluster"])
    assert "the service itself" not in sent(ours, "POST /items/{id}/cluster", {"path:id": "1"})[0]


def test_nothing_is_put_into_somebodys_thing_of_the_same_kind(api: Api) -> None:
    def answer(request: Received) -> Answer:
        return reply({"data": [{"id": 7}, {"id": 8}]} if request.method == "GET" else {"id": 9})

    with Server({"GET *": answer, "POST *": answer}) as server:
        ours = replace(api, url=server.url)
        looked = invoke("GET /items")
        calls = ours.call(looked, *(invoke("POST /items", {"body:": {"parent": value}}) for value in (7, None)))
    assert calls[1].detail == "it names an item that this run did not create, in parent"
    assert calls[2].ok


def test_what_a_query_names_beside_a_body_is_judged_as_what_the_body_names(api: Api) -> None:
    answer = reply({"data": [{"id": 7}, {"id": 8}]})
    with Server({"GET *": answer, "POST *": reply({"id": 9})}) as server:
        beside = invoke("POST /items", {"body:": {}, "query:parent": 7})
        calls = replace(api, url=server.url).call(invoke("GET /items"), beside)
    assert calls[1].detail == "it names an item that this run did not create, in parent"
