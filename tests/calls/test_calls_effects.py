"""What an operation would do, by its method, its path, and the operations beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from callkit import catalog, key

from docrev.calls.effects import Effect, Effects, item_operation, says_removal
from docrev.calls.routes import Routes

ZONES = (
    "GET /zones",
    "POST /zones",
    "DELETE /zones",
    "GET /zones/{zone}",
    "PUT /zones/{zone}",
    "PATCH /zones/{zone}",
    "DELETE /zones/{zone}",
    "PUT /zones/{zone}/notify",
    "POST /zones/{zone}/rectify",
    "PUT /zones/{zone}/settings",
    "DELETE /zones/{zone}/settings",
    "GET /zones/{zone}/keys",
    "POST /zones/{zone}/keys",
    "DELETE /zones/{zone}/keys",
    "GET /zones/{zone}/keys/{key}",
    "PUT /zones/{zone}/keys/{key}",
    "DELETE /zones/{zone}/keys/{key}",
    "POST /zones/{zone}/keys/{key}/activate",
    "POST /zones/{zone}/keys/{key}/marks",
    "GET /zones/{zone}/keys/{key}/marks",
    "GET /zones/{zone}/keys/{key}/marks/{mark}",
    "POST /zones/batch",
    "POST /zones/search",
    "POST /zones/bulk_delete",
    "GET /zones/{zone}/export",
    "GET /zones/{zone}/unsubscribe",
    "PATCH /settings",
    "PUT /settings",
    "POST /login",
)
SERVERS = tuple(f"{line.replace('/zones', '/servers/{server}/zones')}" for line in ZONES if "/zones" in line)
"""The same below a thing that no operation makes."""
POLICIES = tuple(line for line in ZONES if line not in ("DELETE /zones/{zone}", "DELETE /zones"))
"""The same, but a zone cannot be removed."""
LABELS = ("PUT /labels/{name}", "GET /labels/{name}", "DELETE /labels/{name}", "POST /labels/{name}/notes")
NOTES = (*LABELS, "GET /labels/{name}/notes", "DELETE /labels/{name}/notes/{id}")
GROUPS = (
    "GET /groups",
    "GET /groups/{name}",
    "POST /groups/{name}",
    "DELETE /groups/{name}",
    "POST /groups/{name}/users",
)
LOANS = ("POST /users/{user}/loans", "GET /users/{user}/loans", "GET /loans/{id}", "DELETE /loans/{id}")
RENEWALS = (*LOANS, "POST /loans/{id}/renewals", "DELETE /loans/{id}/renewals/{number}")
MINE = ("GET /me", "PUT /me", "GET /me/lists", "POST /me/lists", "DELETE /me/lists/{id}", "POST /me/close")
BY_QUERY = ("GET /rules", "POST /rules", "DELETE /rules")


def effect(folder: Path, operations: Sequence[str], line: str, **extras: dict[str, Any]) -> Effect:
    """The effect of one of some operations."""
    found = catalog(folder, operations, **extras)
    return Effects(Routes(found.operations)).of(found[key(line)])


@pytest.mark.parametrize(
    ("operations", "line", "expected"),
    [
        # A collection whose items can be made and removed.
        (ZONES, "GET /zones", Effect("read", 0)),
        (ZONES, "GET /zones/{zone}", Effect("read", 1)),
        (ZONES, "POST /zones", Effect("creation", 0)),
        (ZONES, "DELETE /zones", Effect("collection")),
        (ZONES, "PUT /zones/{zone}", Effect("item", 0)),
        (ZONES, "PATCH /zones/{zone}", Effect("item", 1)),
        (ZONES, "DELETE /zones/{zone}", Effect("item", 1)),
        # What changes a part of an item, or acts on it, needs one of the run's own.
        (ZONES, "PUT /zones/{zone}/notify", Effect("part", 1)),
        (ZONES, "PUT /zones/{zone}/settings", Effect("part", 1)),
        (ZONES, "DELETE /zones/{zone}/settings", Effect("part", 1)),
        (ZONES, "POST /zones/{zone}/rectify", Effect("action", 1)),
        # So does adding to it, and what that adds.
        (ZONES, "POST /zones/{zone}/keys", Effect("creation", 1)),
        (ZONES, "DELETE /zones/{zone}/keys", Effect("part", 1)),
        (ZONES, "PUT /zones/{zone}/keys/{key}", Effect("item", 1)),
        (ZONES, "DELETE /zones/{zone}/keys/{key}", Effect("item", 2)),
        (ZONES, "POST /zones/{zone}/keys/{key}/activate", Effect("action", 2)),
        # What cannot be removed itself goes with the nearest thing above it that can.
        (ZONES, "POST /zones/{zone}/keys/{key}/marks", Effect("creation", 2, removable=False)),
        # Beside the items, and not about one of them.
        (ZONES, "POST /zones/batch", Effect("batch", 0)),
        (ZONES, "POST /zones/search", Effect("query", 0)),
        (ZONES, "POST /zones/bulk_delete", Effect("action", 0)),
        (ZONES, "GET /zones/{zone}/export", Effect("read", 1)),
        (ZONES, "GET /zones/{zone}/unsubscribe", Effect("acting-read", 1)),
        (ZONES, "PATCH /settings", Effect("singleton")),
        (ZONES, "PUT /settings", Effect("singleton")),
        (ZONES, "POST /login", Effect("action", 0)),
        # What something is to be called is no ID: the thing is the one that the caller has.
        (("PUT /wallet/{new_name}", "DELETE /wallet/{id}"), "PUT /wallet/{new_name}", Effect("singleton", 0)),
        ((*ZONES, "PUT /zones/{zone}/name/{newName}"), "PUT /zones/{zone}/name/{newName}", Effect("part", 1)),
        (("PUT /keys/{new_key}", "GET /keys/{new_key}"), "PUT /keys/{new_key}", Effect("item", 0, False)),
        (("PUT /server/restart/{device}",), "PUT /server/restart/{device}", Effect("part", 1)),
        (("PUT /queue/{id}", "GET /queue/{id}"), "PUT /queue/{id}", Effect("item", 0, False)),
        (("PUT /plugins/{name}",), "PUT /plugins/{name}", Effect("item", 0, False)),
        # A container: no operation makes servers, so an existing one is worked in.
        (SERVERS, "POST /servers/{server}/zones", Effect("creation", 0)),
        (SERVERS, "PUT /servers/{server}/zones/{zone}", Effect("item", 0)),
        (SERVERS, "PATCH /servers/{server}/zones/{zone}", Effect("item", 2)),
        (SERVERS, "DELETE /servers/{server}/zones/{zone}", Effect("item", 2)),
        (SERVERS, "DELETE /servers/{server}/zones", Effect("part", 1)),
        (SERVERS, "POST /servers/{server}/zones/{zone}/keys", Effect("creation", 2)),
        (SERVERS, "PUT /servers/{server}/zones/{zone}/keys/{key}", Effect("item", 2)),
        (SERVERS, "POST /servers/{server}/zones/{zone}/rectify", Effect("action", 2)),
        # Nor does it make what it cannot remove: such a parent is a container too.
        (POLICIES, "POST /zones", Effect("creation", 0, removable=False)),
        (POLICIES, "PUT /zones/{zone}", Effect("item", 0, removable=False)),
        (POLICIES, "PATCH /zones/{zone}", Effect("item", 1, removable=False)),
        (POLICIES, "POST /zones/{zone}/keys", Effect("creation", 0)),
        (POLICIES, "DELETE /zones/{zone}/keys/{key}", Effect("item", 2)),
        (POLICIES, "POST /zones/{zone}/keys/{key}/marks", Effect("creation", 2, removable=False)),
        # Items that only a PUT makes, and what lies in them.
        (LABELS, "PUT /labels/{name}", Effect("item", 0)),
        (LABELS, "POST /labels/{name}/notes", Effect("action", 1)),
        (NOTES, "POST /labels/{name}/notes", Effect("creation", 1)),
        # Items that a POST makes under the name in its path; beside a PUT, that does it.
        (GROUPS, "POST /groups/{name}", Effect("item", 0)),
        (GROUPS, "POST /groups/{name}/users", Effect("action", 1)),
        ((*GROUPS, "PUT /groups/{name}"), "POST /groups/{name}", Effect("action", 1)),
        # A list under one path, its items under another.
        (LOANS, "POST /users/{user}/loans", Effect("creation", 0)),
        (LOANS, "DELETE /loans/{id}", Effect("item", 1)),
        # What is made in something else can be the run's own, too.
        (RENEWALS, "POST /loans/{id}/renewals", Effect("creation", 1)),
        (RENEWALS[1:], "POST /loans/{id}/renewals", Effect("creation", 0)),
        (("POST /users/{user}/loans", *LOANS[2:]), "POST /users/{user}/loans", Effect("action", 1)),
        # The caller's account; what lies in it is a matter of the policy.
        (MINE, "PUT /me", Effect("singleton")),
        (MINE, "POST /me/lists", Effect("creation", 0)),
        (MINE, "POST /me/close", Effect("action", 0)),
        # A POST to what is listed makes an item only if one can be removed; to what is not listed, it acts.
        (("GET /jobs", "POST /jobs"), "POST /jobs", Effect("action", 0)),
        (("POST /jobs", "DELETE /jobs/{id}"), "POST /jobs", Effect("creation", 0)),
        (("POST /jobs", "GET /jobs/{id}"), "POST /jobs", Effect("creation", 0, removable=False)),
        (("POST /jobs/{id}", "DELETE /jobs/{id}"), "POST /jobs/{id}", Effect("action", 1)),
        (("POST /", "GET /", "DELETE /{id}"), "POST /", Effect("creation", 0)),
        (BY_QUERY, "POST /rules", Effect("action", 0)),
        (BY_QUERY, "DELETE /rules", Effect("collection")),
    ],
)
def test_effects(tmp_path: Path, operations: Sequence[str], line: str, expected: Effect) -> None:
    assert effect(tmp_path, operations, line) == expected


@pytest.mark.parametrize(
    ("post", "put", "kind"),
    [
        ("Create a new group", "Update group attributes", "item"),
        ("Creates a group", "Changes a group", "item"),
        ("Create a new file in the folder", "Save or upload a file", "action"),
        ("Synchronise a group", "Update a group", "action"),
    ],
)
def test_a_post_beside_a_put_makes_an_item_if_both_say_so(tmp_path: Path, post: str, put: str, kind: str) -> None:
    texts = {"POST /groups/{name}": {"summary": post}, "PUT /groups/{name}": {"summary": put}}
    assert effect(tmp_path, (*GROUPS, "PUT /groups/{name}"), "POST /groups/{name}", **texts).kind == kind


@pytest.mark.parametrize(("name", "kind"), [("id", "creation"), ("uuid", "creation"), ("all", "action")])
def test_what_is_removed_by_an_id_in_the_query_is_an_item_and_stays(tmp_path: Path, name: str, kind: str) -> None:
    parameter = {"parameters": [{"name": name, "in": "query", "schema": {"type": "string"}}]}
    found = effect(tmp_path, BY_QUERY, "POST /rules", **{"DELETE /rules": parameter})
    # A run does not remove it so: where the id is ignored, everything would go.
    assert (found.kind, found.removable) == (kind, kind == "action")


def test_a_path_parameter_is_no_procedure(tmp_path: Path) -> None:
    beside = ["GET /tags/{tag_id}", "GET /tags/remove"]
    assert effect(tmp_path, beside, "GET /tags/{tag_id}").kind == "read"
    assert effect(tmp_path, beside, "GET /tags/remove").kind == "acting-read"


@pytest.mark.parametrize(
    ("line", "more", "kind"),
    [
        ("GET /jobs/{id}/state", {"operationId": "cancelJob"}, "acting-read"),
        ("GET /jobs/{id}/state", {"summary": "Delete the state of a job"}, "acting-read"),
        ("GET /jobs/{id}/runs", {"operationId": "getRuns"}, "read"),
        ("POST /jobs/{id}/lookup", {}, "query"),
        ("POST /jobs/validate", {}, "query"),
        ("POST /jobs/{id}/validate", {}, "action"),
        ("POST /jobs/{id}/lookup", {"operationId": "deleteByLookup"}, "action"),
        ("POST /carry", {"operationId": "carryBatch"}, "batch"),
        ("POST /jobs/list", {"operationId": "get_jobs_batch"}, "query"),
        ("POST /jobs/batch", {"operationId": "list_jobs"}, "batch"),
    ],
)
def test_words_tell_what_acts_from_what_reads(tmp_path: Path, line: str, more: dict[str, Any], kind: str) -> None:
    assert effect(tmp_path, [line], line, **{line: more}).kind == kind


@pytest.mark.parametrize(
    ("path", "removes"),
    [
        ("/pads/{id}/deletePad", True),
        ("/pads/{id}/remove", True),
        ("/pads/{id}/removeUser", False),
        ("/pads/{id}/users/delete", False),
        ("/pads/deletePad", False),
        ("/pads/{id}/setText", False),
        ("/pads/{id}", False),
    ],
)
def test_an_action_removes_its_thing_if_it_is_called_so(path: str, removes: bool) -> None:
    assert says_removal(path) == removes


def test_what_an_operation_makes_is_called_as_its_collection(tmp_path: Path) -> None:
    effects = Effects(Routes(catalog(tmp_path, (*ZONES, *LABELS)).operations))
    assert [effects.makes("shop", noun) for noun in ("zone", "key", "mark", "label")] == [True] * 4
    assert [effects.makes("shop", noun) for noun in ("server", "note", "login", "batch", "")] == [False] * 5
    assert not effects.makes("other", "zone")


def test_the_operation_of_an_item(tmp_path: Path) -> None:
    found = catalog(tmp_path, (*ZONES, *LOANS))
    routes = Routes(found.operations)

    def item(line: str) -> str | None:
        operation = item_operation(found[key(line)], routes)
        return operation and operation.path

    assert item("POST /zones") == "/zones/{zone}"
    assert item("POST /zones/{zone}/keys") == "/zones/{zone}/keys/{key}"
    assert item("POST /users/{user}/loans") == "/loans/{id}"
    assert item("POST /login") is None


@pytest.mark.parametrize("lines", [ZONES, SERVERS, POLICIES, NOTES, LOANS, MINE])
def test_a_slash_at_the_end_of_a_path_says_nothing(tmp_path: Path, lines: Sequence[str]) -> None:
    """Some frameworks end each path with one, some those of collections."""

    def effects(*ended: str) -> list[Effect]:
        written = [f"{line}/" if line.endswith(ended) else line for line in lines]
        found = catalog(tmp_path, written)
        known = Effects(Routes(found.operations))
        return [known.of(found[key(line)]) for line in written]

    assert effects("") == effects("s") == effects("never") != []


def test_a_kind_may_be_known_by_paths_that_go_through_it_alone(tmp_path: Path) -> None:
    effects = Effects(Routes(catalog(tmp_path, ["POST /zones/{zone}/keys/{key}/marks"]).operations))
    assert [effects.kind_called("shop", f"{name}_id") for name in ("zone", "key", "mark")] == ["zone", "key", ""]


def test_a_kind_may_be_called_after_the_parameter_of_its_path(tmp_path: Path) -> None:
    effects = Effects(Routes(catalog(tmp_path, ["POST /wf", "GET /wf/{workflow_id}", "GET /n/{id}"]).operations))
    called = {name: effects.kind_called("shop", name) for name in ("workflow_id", "workflowId", "id", "flow_id")}
    assert called == {"workflow_id": "wf", "workflowId": "wf", "id": "", "flow_id": ""}
    assert effects.makes("shop", effects.kind_called("shop", "workflow_id"))


@pytest.mark.parametrize(
    ("properties", "kind"),
    [
        ({"member_ids": {"type": "array", "items": {"type": "string"}}}, "action"),
        ({"members": {"type": "array", "items": {"type": "string"}}}, "action"),
        ({"them": {"type": "array", "items": {"type": "object", "properties": {"id": {}}}}}, "action"),
        ({"requests": {"type": "array", "items": {"type": "string"}}}, "batch"),
        ({"requests": {"type": "array", "items": {"type": "object", "properties": {"id": {}, "path": {}}}}}, "batch"),
        ({"requests": {"type": "array", "items": {"type": "object"}}}, "batch"),
        ({}, "batch"),
    ],
)
def test_a_batch_of_ids_carries_no_requests(tmp_path: Path, properties: dict[str, Any], kind: str) -> None:
    line = "POST /groups/{id}/members/batch"
    schema = {"type": "object", "properties": properties}
    body = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    lines = ("GET /groups", "POST /groups", "GET /groups/{id}", "DELETE /groups/{id}", line)
    found = catalog(tmp_path, lines, **{line: body})
    assert Effects(Routes(found.operations)).of(found[key(line)]).kind == kind
