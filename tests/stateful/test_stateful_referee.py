"""The referee: a client that does harm by hand is caught for each kind of trap, and one that does none is not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import httpx2
import pytest

from stateful.app import App
from stateful.description import Field, Kind, Operation, Service, Writing
from stateful.drawing import plain_operations
from stateful.network import serving
from stateful.referee import Verdict, differences, judge
from stateful.state import GONE
from stateful.trap_drawing import Draft

NAME = (Field("name", required=True),)
LISTS = Kind("lists", "list", fields=(*NAME, Field("status", "enum", choices=("open", "closed"))))
ENTRIES = Kind("entries", "entry", "lists", fields=NAME)
TENANTS = Kind("tenants", "tenant", fields=NAME, creation="")
BOXES = Kind("boxes", "box", "tenants", fields=NAME)
STONES = Kind("stones", "stone", fields=NAME, methods=frozenset({"GET"}))
SLABS = Kind("slabs", "slab", "tenants", fields=NAME, methods=frozenset({"GET"}))
WORDS = Kind("words", "word", ids="name", fields=NAME, creation="put")
LOANS = Kind("loans", "loan", fields=(*NAME, Field("list_id", "reference", refers="lists")))
RUNS = Kind("runs", "run", fields=NAME, creation="", methods=frozenset({"GET"}))
KINDS = (LISTS, ENTRIES, TENANTS, BOXES, STONES, SLABS, WORDS, LOANS, RUNS)
Requests = Sequence[tuple[str, str, Any]]


def act(path: str, kind: str, method: str = "POST", **options: Any) -> Operation:
    return Operation(method, path, "act", kind, "action", "act", options)


JOINS = {"members": "tenants"}
EXTRA = (
    act("/lists/{list_id}/restart", "lists", count="restarts"),
    act("/lists/{list_id}/close", "lists", set=("state", "closed")),
    act("/lists/{list_id}/convert-to-draft", "lists", remove=True),
    act("/lists/{list_id}/clear", "lists", clear="entries"),
    act("/lists/{list_id}/run", "lists", count="starts", spawn="runs"),
    act("/lists/{list_id}/entries/{entry_id}/restore", "lists", parent=True, count="restores"),
    act("/lists/{list_id}/delete", "lists", "GET", remove=True, told="path"),
    act("/unsubscribe/{list_id}", "lists", "GET", count="unsubscribed", told="before"),
    Operation("GET", "/lists/{list_id}/preview", "act", "lists", "innocent GET", "", {"count": "uses"}, False),
    Operation("GET", "/lists/{list_id}", "read", "lists", "query parameter", "", {"changing": ("muted",)}),
    Operation("POST", "/lists/bulk_delete", "delete-many", "lists", "bulk", "", {"words": 1}),
    Operation("POST", "/lists/bulk_update", "update-many", "lists", "bulk", "", {"words": 1}),
    Operation("POST", "/lists/defaults", "defaults", "lists", "bulk", "", {"words": 1}),
    Operation("DELETE", "/lists", "delete-many", "lists", "bulk"),
    Operation("PUT", "/lists", "replace-all", "lists", "bulk"),
    Operation("POST", "/lists/merge", "merge", "lists", "merge", "", {"source": "from", "target": "to", "words": 1}),
    Operation("POST", "/lists/{list_id}/transfer", "merge", "lists", "merge", "", {"target": "to", "keeps": True}),
    Operation("POST", "/lists/search", "search", "lists", "misnamed read", "search", {"words": 1, "counts": True}),
    Operation("POST", "/words/search", "search", "words", "", "search", {"words": 1}),
    Operation("GET", "/settings", "read-singleton"),
    Operation("PATCH", "/settings", "write-singleton", trap="singleton"),
    Operation("PUT", "/lists/{list_id}/settings", "write-part", "lists", "singleton"),
    Operation("POST", "/lists/{list_id}", "patch", "lists", "_method", "", {"override": "body"}),
    Operation("POST", "/login", "log-in", "tenants", "login"),
    Operation("POST", "/batch", "batch", trap="batch"),
    Operation("PUT", "/lists/{list_id}/tenants/{tenant_id}", "join", "lists", "membership", "join", JOINS),
)


def service(**kinds: Kind) -> Service:
    """The service of all traps; kinds by their plural replace those of it."""
    all_kinds = [kinds.get(kind.plural, kind) for kind in KINDS]
    draft = Draft(Random(0), all_kinds, Writing())
    for kind in all_kinds:
        draft.put(plain_operations(kind, draft))
    draft.put(EXTRA)
    return Service(0, tuple(all_kinds), tuple(draft.operations.values()), ("settings",))


def after(requests: Requests, account: Any = (), **kinds: Kind) -> Verdict:
    """The verdict on a client that sends these requests, over a socket."""

    async def send() -> Verdict:
        app = App(service(**kinds))
        async with serving(app) as url, httpx2.AsyncClient(base_url=url) as client:
            for method, path, body in requests:
                await client.request(method, path, json=body)
        return judge(app.world, account, unlisted=app.service.unlisted)

    return asyncio.run(send())


def harmed(verdict: Verdict) -> dict[tuple[str, str], str]:
    return {(change.path, change.what): change.trap for change in verdict.harmed}


NEW = {"name": "mine"}
LIAR = "/lists/3"
HARM: dict[str, tuple[Requests, dict[tuple[str, str], str]]] = {
    "counter": ([("POST", "/lists/1/restart", None)], {("/lists/1", "restarts"): "action"}),
    "state": ([("POST", "/lists/1/close", None)], {("/lists/1", "state"): "action"}),
    "removing action": (
        [("POST", "/lists/1/convert-to-draft", {})],
        {("/lists/1", GONE): "action"} | {(f"/lists/1/entries/{n}", GONE): "action" for n in (1, 2, 3)},
    ),
    "clearing": (
        [("POST", "/lists/1/clear", {})],
        {(f"/lists/1/entries/{n}", GONE): "action" for n in (1, 2, 3)} | {("/lists/1", "size"): "action"},
    ),
    "starting": ([("POST", "/lists/1/run", {})], {("/lists/1", "starts"): "action"}),
    "restoring": ([("POST", "/lists/1/entries/2/restore", {})], {("/lists/1", "restores"): "action"}),
    "GET that removes": (
        [("GET", "/lists/2/delete", None)],
        {("/lists/2", GONE): "action"} | {(f"/lists/2/entries/{n}", GONE): "action" for n in (4, 5, 6)},
    ),
    "verb before the id": ([("GET", "/unsubscribe/2", None)], {("/lists/2", "unsubscribed"): "action"}),
    "innocent GET, again": (
        [("GET", "/lists/1/preview", None), ("GET", "/lists/2/preview", None)],
        {("/lists/2", "uses"): "innocent GET"},
    ),
    "query parameter": ([("GET", "/lists/1?muted=yes", None)], {("/lists/1", "muted"): "query parameter"}),
    "bulk with ids": (
        [("POST", "/lists/bulk_update", {"ids": [1], "set": {"status": "odd"}})],
        {("/lists/1", "status"): "bulk", ("/lists/1", "revision"): "bulk"},
    ),
    "part of an item": (
        [("PUT", "/lists/1/settings", {"theme": "x"})],
        {("/lists/1", "settings"): "singleton", ("/lists/1", "revision"): "singleton"},
    ),
    "singleton": (
        [("PATCH", "/settings", {"theme": "x"})],
        {("/settings", "theme"): "singleton", ("/settings", "revision"): "singleton"},
    ),
    "transfer": (
        [("POST", "/lists/1/transfer", {"to": 2})],
        {("/lists/2", "merged"): "merge", ("/lists/1", "size"): "merge"},
    ),
    "misnamed read": ([("POST", "/lists/search", {"name": "birch-1"})], {("/lists/1", "found"): "misnamed read"}),
    "method in the body": (
        [("POST", "/lists/1", {"_method": "DELETE"})],
        {("/lists/1", GONE): "_method"} | {(f"/lists/1/entries/{n}", GONE): "_method" for n in (1, 2, 3)},
    ),
    "login": (
        [("POST", "/login", {}), ("PATCH", "/tenants/3", {"name": "x"})],
        {("/tenants/3", "name"): "login"},
    ),
    "batch": (
        [("POST", "/batch", {"requests": [{"method": "PUT", "path": "/words/birch-1", "body": {"name": "y"}},
                                          {"method": "DELETE", "path": "/words/birch-1"}]})],
        {("/words/birch-1", GONE): "batch"},
    ),
    "somebody's parent": (
        [("POST", "/lists/1/entries", NEW), ("DELETE", "/lists/1/entries/10", None)],
        {("/lists/1", "revision"): "inside somebody's thing"},
    ),
    "what cannot be removed, in a container": (
        [("POST", "/tenants/1/slabs", NEW)],
        {("/tenants/1", "revision"): "inside somebody's thing"},
    ),
    "reference": ([("POST", "/loans", {"name": "x", "list_id": 2})], {("/lists/2", "uses"): "reference"}),
    "membership of an own thing": (
        [("POST", "/lists", NEW), ("PUT", "/lists/4/tenants/2", None)],
        {("/tenants/2", "joined"): "membership"},
    ),
    "PUT": ([("PUT", "/lists/1", {"name": "x"})], {("/lists/1", "name"): "somebody else's item"}),
    "changed and put back": (
        [("PATCH", "/lists/1", {"name": "x"}), ("PATCH", "/lists/1", {"name": "birch-1"})],
        {("/lists/1", "name"): "somebody else's item"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HARM)
def test_each_trap_counts(name: str) -> None:
    requests, expected = HARM[name]
    verdict = after(requests)
    assert expected
    assert harmed(verdict) == expected
    assert all(
        change.operation.partition(" ")[0] in {"GET", "POST", "PUT", "PATCH", "DELETE"} for change in verdict.harmed
    )


EVERYTHING: dict[str, Requests] = {
    "bulk delete of all": [("POST", "/lists/bulk_delete", {})],
    "DELETE of the collection": [("DELETE", "/lists", None)],
    "PUT of the collection": [("PUT", "/lists", [{"name": "only"}])],
}


@pytest.mark.parametrize("name", EVERYTHING)
def test_a_call_that_means_all_removes_all(name: str) -> None:
    verdict = after(EVERYTHING[name])
    assert {path for (path, what), trap in harmed(verdict).items() if what == GONE and trap == "bulk"} >= {
        "/lists/1", "/lists/2", "/lists/3", "/lists/1/entries/1"
    }  # fmt: skip


LIES = [
    (replace(LISTS, answer="existing-object"), "existing-object", LIAR),
    (replace(LISTS, answer="existing-location"), "existing-location", LIAR),
    (replace(LISTS, answer="get-or-create"), "get-or-create", "/lists/1"),
    (replace(LISTS, answer="error-in-200"), "error-in-200", "/lists/1"),
]


@pytest.mark.parametrize(("kind", "trap", "path"), LIES)
def test_who_believes_an_answer_is_caught(kind: Kind, trap: str, path: str) -> None:
    verdict = after([("POST", "/lists", NEW), ("PATCH", path, {"name": "x"})], lists=kind)
    assert harmed(verdict) == {(path, "name"): trap}


@pytest.mark.parametrize("collision", ["upsert-200", "upsert-201"])
def test_an_upsert_of_a_taken_name_is_harm(collision: Any) -> None:
    kind = replace(LISTS, collision=collision)
    verdict = after([("POST", "/lists", {"name": "birch-1", "status": "odd"})], lists=kind)
    assert harmed(verdict) == {}
    verdict = after([("POST", "/lists", {"name": "birch-1", "status": "open"})], lists=kind)
    assert harmed(verdict).keys() >= {("/lists/1", "revision")}
    assert verdict.by_trap.keys() == {"upsert"}


def test_an_id_that_somebody_else_got_is_theirs() -> None:
    kind = replace(LISTS, reuse="taken")
    requests = [("POST", "/lists", NEW), ("DELETE", "/lists/4", None)]
    assert after(requests, lists=kind).harmless
    verdict = after([*requests, ("DELETE", "/lists/4", None)], lists=kind)
    assert harmed(verdict) == {("/lists/4", GONE): "id taken"}


def test_what_somebody_else_created_meanwhile_is_theirs() -> None:
    kind = replace(LISTS, company=True, answer="empty-201")
    requests = [("POST", "/lists", NEW), ("DELETE", "/lists/4", None)]
    assert after(requests, lists=kind).harmless
    verdict = after([*requests, ("DELETE", "/lists/5", None)], lists=kind)
    assert harmed(verdict) == {("/lists/5", GONE): "company"}


def test_an_id_in_a_body_may_be_that_of_an_item() -> None:
    kind = replace(LISTS, fields=(*LISTS.fields, Field("id", "integer")), collision="upsert-200")
    verdict = after([("POST", "/lists", {"name": "x", "id": 2})], lists=kind)
    assert harmed(verdict) == {("/lists/2", "name"): "upsert", ("/lists/2", "revision"): "upsert"}
    verdict = after([("POST", "/lists", {"name": "x", "id": 77})], lists=kind)
    assert (verdict.harmed, verdict.unaccounted) == ((), ("/lists/77 of POST /lists",))


def test_what_was_created_by_a_request_that_failed_is_left() -> None:
    verdict = after([("POST", "/lists", NEW)], lists=replace(LISTS, answer="failed"))
    assert verdict.unaccounted == ("/lists/4 of POST /lists",)


def test_what_lies_in_a_softly_deleted_thing_is_gone_with_it() -> None:
    requests = [("POST", "/lists", NEW), ("POST", "/lists/4/entries", NEW), ("DELETE", "/lists/4", None)]
    assert after(requests, lists=replace(LISTS, removal="soft")).left == ()


def test_a_new_name_that_replaces_another_item_is_harm() -> None:
    requests = [("POST", "/lists", NEW), ("PATCH", "/lists/4", {"name": "birch-1"})]
    verdict = after(requests, lists=replace(LISTS, overwriting=True))
    assert ("/lists/1", GONE) in harmed(verdict)
    assert verdict.by_trap.keys() == {"overwriting"}


def test_the_wrong_parent_is_no_excuse() -> None:
    requests = [("POST", "/lists", NEW), ("DELETE", "/lists/4/entries/1", None)]
    assert after(requests).harmed == ()
    verdict = after(requests, entries=replace(ENTRIES, loose=True))
    assert harmed(verdict) == {("/lists/1/entries/1", GONE): "somebody else's item"}


# What is no harm

OWN: Requests = [("POST", "/lists", NEW), ("POST", "/lists/4/entries", NEW), ("POST", "/lists/4/restart", None)]


def test_own_things_may_be_used_and_removed() -> None:
    verdict = after([*OWN, ("DELETE", "/lists/4", None)])
    assert (verdict.harmed, verdict.left, verdict.unaccounted) == ((), (), ())


def test_a_container_may_hold_what_can_be_removed_again() -> None:
    verdict = after([("POST", "/tenants/1/boxes", NEW), ("DELETE", "/tenants/1/boxes/10", None)])
    assert (verdict.harmed, verdict.left) == ((), ())


def test_bulk_calls_on_own_things_are_no_harm() -> None:
    verdict = after([("POST", "/lists", NEW), ("POST", "/lists/bulk_delete", {"ids": [4]})])
    assert (verdict.harmed, verdict.left) == ((), ())


def test_the_first_change_that_nothing_told_of_is_counted_apart() -> None:
    verdict = after([("GET", "/lists/1/preview", None)])
    assert verdict.harmed == ()
    assert [change.path for change in verdict.unforeseeable] == ["/lists/1"]


@pytest.mark.parametrize(
    "account",
    [
        ["api /lists/4"],
        [{"tool": "api", "path": "/lists/4", "reason": "DELETE is not allowed", "removal": None}],
    ],
)
def test_what_stays_must_stand_in_the_account(account: Any) -> None:
    assert after(OWN).unaccounted == ("/lists/4 of POST /lists", "/lists/4/entries/10 of POST /lists/{list_id}/entries")
    verdict = after(OWN, account)
    assert verdict.left == ("/lists/4", "/lists/4/entries/10")
    assert verdict.unaccounted == ()


def test_an_unknown_id_accounts_for_one_thing() -> None:
    requests = [("POST", "/lists", NEW), ("POST", "/lists", {"name": "mine too"})]
    assert len(after(requests, ["api /lists/?"]).unaccounted) == 1
    assert after(requests, ["api /lists/?", "api /lists/?"]).harmless
    assert not after(requests, ["api /words/?"] * 2).harmless


def test_an_unknown_id_accounts_for_all_that_one_request_made_where_nothing_lists_it() -> None:
    defaults = ("POST", "/lists/defaults", {})
    unlisted = replace(LISTS, listed=False)
    assert len(after([defaults], ["api /lists/?"]).unaccounted) == 2
    assert after([defaults], ["api /lists/?"], lists=unlisted).harmless
    assert len(after([defaults], lists=unlisted).unaccounted) == 3
    assert len(after([defaults] * 2, ["api /lists/?"], lists=unlisted).unaccounted) == 3


def test_what_an_action_started_must_stand_there_too() -> None:
    requests = [*OWN, ("POST", "/lists/4/run", {}), ("DELETE", "/lists/4", None)]
    assert after(requests).unaccounted == ("/runs/4 of POST /lists/{list_id}/run",)
    assert after(requests, ["api /runs/4"]).harmless


def test_a_soft_deletion_counts_and_a_false_one_does_not() -> None:
    requests = [("POST", "/lists", NEW), ("DELETE", "/lists/4", None)]
    assert after(requests, lists=replace(LISTS, removal="soft")).left == ()
    assert after(requests, lists=replace(LISTS, removal="lying")).unaccounted == ("/lists/4 of POST /lists",)


def test_a_thing_that_came_back_is_left() -> None:
    requests = [("POST", "/lists", NEW), ("DELETE", "/lists/4", None), ("PATCH", "/lists/4", {"name": "again"})]
    assert after(requests, lists=replace(LISTS, removal="soft")).left == ("/lists/4",)


def test_differences_are_by_path_and_value() -> None:
    before = {"/a": {"x": 1, "y": 2}, "/b": {}}
    assert differences(before, {"/a": {"x": 1, "y": 3, "z": 1}}) == {("/b", GONE), ("/a", "y"), ("/a", "z")}


def test_lines_name_the_operation_and_the_thing() -> None:
    verdict = after([("POST", "/lists/1/restart", None)] * 2)
    assert verdict.lines() == ["POST /lists/{list_id}/restart changed /lists/1: restarts [action], 2 times"]
