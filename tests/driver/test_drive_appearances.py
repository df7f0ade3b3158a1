"""What came during a run without being asked for: it is told at the end, by what lists show and answers named."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, Api, NoModel, catalog, invoke
from servers import Answer, Received, Server, reply

from docrev.driver import Budget, Driver
from docrev.evidence.queries import left_items
from docrev.prompts.steps import Steps
from docrev.records import Call
from docrev.sessions.leftovers import remove_created

OPERATIONS = (
    *("GET /keys", "POST /keys", "GET /keys/{id}", "DELETE /keys/{id}"),
    *("GET /users", "GET /users/{id}", "DELETE /users/{id}", "GET /log", "GET /status"),
)
MADE = invoke("POST /keys", {"body:": {"name": "docrev-00000000-1"}})
USER, THEIRS = "u-5b1f0c2e9d7a4b6c8e10", "u-00aa11bb22cc33dd44ee"


@dataclass
class Accounts:
    """Each key gets a user; what was there before is `theirs`."""

    users: list[str] = field(default_factory=lambda: [THEIRS])
    keys: list[dict[str, Any]] = field(default_factory=list)
    log: list[dict[str, Any]] = field(default_factory=lambda: [{"id": 1, "what": "began"}])
    made: Callable[[Accounts], None] = lambda accounts: accounts.users.append(USER)
    """What a creation makes beside the key."""

    def __call__(self, request: Received) -> Answer:
        kind = request.path.split("/")[1]
        if request.method == "POST":
            self.made(self)
            self.keys.append({**request.json, "id": f"k{len(self.keys)}", "user": self.users[-1]})
            return reply(self.keys[-1], 201)
        if request.method == "DELETE":
            self.keys = []
            return Answer(204)
        lists = {"users": [{"id": user} for user in self.users], "keys": self.keys, "log": self.log}
        if request.path.count("/") == 1:
            return reply({"items": lists.get(kind, []), "total": len(lists.get(kind, []))})
        found = [thing for thing in lists[kind] if request.path.endswith(f"/{thing['id']}")]
        return reply(found[0]) if found else reply({"error": "not found"}, 404)


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path, OPERATIONS), "http://127.0.0.1:9", tmp_path, allow=ALL)


def left(api: Api, accounts: Accounts, *steps: Any) -> list[tuple[str, str, str]]:
    """Make calls and clean up: (path, reason, the call that removes it) of what is told to be left."""

    async def run(there: Api) -> list[tuple[str, str, str]]:
        with there.open() as evidence:
            executor = there.executor()

            def all_steps() -> Steps[None]:
                for step in steps:
                    call: Call = yield step
                    assert call.key == step.key
                yield from remove_created(executor, evidence, lambda event: None)

            await Driver(executor, NoModel(), evidence, budget=Budget(99)).run(all_steps())
            await executor.close()
            return [(i.path, i.reason, (i.removal or "").replace(there.url, "")) for i in left_items(evidence)]

    with Server({f"{method} *": accounts for method in ("GET", "POST", "DELETE")}) as server:
        return asyncio.run(run(replace(api, url=server.url)))


def test_what_a_list_did_not_show_before_is_told_with_what_named_it_and_what_removes_it(api: Api) -> None:
    accounts = Accounts()
    told = left(api, accounts, invoke("GET /users"), MADE)
    reason = "it came during the run, and POST /keys may have made it"
    assert told == [(f"/users/{USER}", reason, f"DELETE /users/{USER}")]
    assert (accounts.users, accounts.keys) == ([THEIRS, USER], [])


def test_what_removes_it_takes_the_id_that_its_path_names(api: Api) -> None:
    class Named(Accounts):
        def __call__(self, request: Received) -> Answer:
            if request.path == "/users":
                return reply([{"id": user, "login": f"ines-{n}"} for n, user in enumerate(self.users)])
            return super().__call__(request)

    operations = [line.replace("/users/{id}", "/users/{login}") for line in OPERATIONS]
    by_login = replace(api, catalog=catalog(api.folder, operations))
    told = left(by_login, Named(), invoke("GET /users"), MADE)
    assert [(path, removal) for path, _, removal in told] == [("/users/ines-1", "DELETE /users/ines-1")]


def test_what_an_answer_named_first_is_told_though_nobody_read_its_list_before(api: Api) -> None:
    reason = "POST /keys returned its ID before anything else did, and may have made it"
    assert left(api, Accounts(), MADE) == [(f"/users/{USER}", reason, f"DELETE /users/{USER}")]


def test_what_was_named_before_is_not_told(api: Api) -> None:
    accounts = Accounts(made=lambda accounts: None)
    assert left(api, accounts, MADE, invoke("GET /users")) != []
    seen = invoke("GET /users/{id}", {"path:id": THEIRS})
    assert left(replace(api, folder=api.folder / "b"), accounts, seen, MADE) == []


def test_what_came_before_anything_was_made_is_not_the_run_s(api: Api) -> None:
    class Busy(Accounts):
        def __call__(self, request: Received) -> Answer:
            if request.path == "/status":
                self.users.append(USER)
            return super().__call__(request)

    steps: Sequence[Any] = [invoke("GET /users"), MADE, invoke("GET /status")]
    accounts = Busy(made=lambda accounts: None)
    assert [path for path, *_ in left(api, accounts, *steps)] == [f"/users/{USER}"]
    late = replace(api, folder=api.folder / "b")
    assert left(late, Busy(made=lambda accounts: None), invoke("GET /status"), invoke("GET /users"), MADE) == []


def test_what_nobody_knew_of_is_dropped_if_a_list_that_shows_such_things_shows_nothing(api: Api) -> None:
    class Repeating(Accounts):
        """A key of the same name is returned, and not made again."""

        def __call__(self, request: Received) -> Answer:
            if request.method == "POST" and self.keys:
                return reply({"made": True}, 201)
            return super().__call__(request)

    accounts = Repeating(made=lambda accounts: None)
    again = [invoke(MADE.key.operation, {"body:": {"name": f"docrev-00000000-{n}"}}) for n in (1, 2)]
    assert left(api, accounts, invoke("GET /users"), *again) == []


def test_what_names_what_came_is_told_too(api: Api) -> None:
    class Naming(Accounts):
        def __call__(self, request: Received) -> Answer:
            if request.path == "/log":
                return reply([{"id": 1, "who": THEIRS}, {"id": 2, "who": USER}])
            return super().__call__(request)

    told = left(api, Naming(), invoke("GET /users"), MADE)
    assert [path for path, *_ in told] == [f"/users/{USER}", "/log/?"]
    # Here both were named before anything was made.
    assert left(replace(api, folder=api.folder / "b"), Naming(), invoke("GET /log"), MADE) == []


def test_entries_of_a_log_are_counted(api: Api) -> None:
    def note(accounts: Accounts) -> None:
        accounts.log += [{"id": 2, "what": "made"}, {"id": 3, "what": "told"}]

    assert left(api, Accounts(made=note), invoke("GET /log"), invoke("GET /users"), MADE) == [
        ("/log/?", "2 things in this list came during the run", "")
    ]


def test_a_list_that_was_narrowed_says_nothing_of_what_was_there(api: Api) -> None:
    query = {"parameters": [{"name": name, "in": "query", "schema": {"type": "string"}} for name in ("team", "limit")]}
    filtering = replace(api, catalog=catalog(api.folder, OPERATIONS, **{"GET /users": query}))

    class Filtering(Accounts):
        def __call__(self, request: Received) -> Answer:
            return reply([]) if "team" in request.query else super().__call__(request)

    accounts = Filtering(made=lambda accounts: None, users=["1", "2"])
    assert left(filtering, accounts, invoke("GET /users", {"query:team": "x"}), MADE) == []
    accounts = Filtering(made=lambda accounts: accounts.users.append("3"), users=["1", "2"])
    sized = replace(filtering, folder=api.folder / "b")
    assert [path for path, *_ in left(sized, accounts, invoke("GET /users", {"query:limit": "50"}), MADE)] == [
        "/users/3"
    ]
