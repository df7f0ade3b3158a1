"""Consent in words: what `--within` and `--allow 'METHOD /path'` permit, and what a dry run says of operations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from callkit import ALL, catalog

from docrev.calls.consent import check_within, consented_depth, names_of, parse_within
from docrev.calls.permissions import Permission, permissions
from docrev.calls.policy import Policy
from docrev.calls.routes import Routes, template
from docrev.errors import UsageError

ZONES = (
    *("GET /zones", "POST /zones", "GET /zones/{zone_id}", "PATCH /zones/{zone_id}", "DELETE /zones/{zone_id}"),
    *("POST /zones/{zone_id}/keys", "DELETE /zones/{zone_id}/keys/{id}", "PUT /zones/{zone_id}/rectify"),
)
SERVERS = ("GET /servers/{server}", "GET /servers/{server}/kernels", "POST /servers/{server}/restart")


# --within


def test_within_reads_names_and_values() -> None:
    assert parse_within(["tenant=main", " zone = a=b "]) == {("tenant", "main"), ("zone", "a=b")}


@pytest.mark.parametrize("text", ["tenant", "=main", "tenant=", "", "{}=x"])
def test_what_is_no_name_and_value_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match=r"--within: .* is not NAME=VALUE; name a path parameter"):
        parse_within([text])


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("tenant", "/t/{tenant}/x"),
        ("tenant", "/t/{tenant_id}/x"),
        ("tenant", "/t/{tenantName}/x"),
        ("tenant_id", "/t/{tenant_id}/x"),
        ("zone", "/zones/{id}/x"),
        ("zones", "/zones/{id}/x"),
        ("access_key", "/access-keys/{id}/x"),
        ("id", "/zones/{id}/x"),
    ],
)
def test_a_thing_may_be_called_as_its_parameter_by_its_noun_or_by_its_collection(name: str, path: str) -> None:
    [parameter] = template(path).names
    within = parse_within([f"{name}=7"])
    assert consented_depth(within, template(path), {f"path:{parameter}": 7}) == 1
    assert consented_depth(within, template(path), {f"path:{parameter}": "70"}) == 0


@pytest.mark.parametrize("path", ["/users/{id}/x", "/t/{subtenant}/x", "/zone/x"])
def test_other_things_are_not_called_so(path: str) -> None:
    within = parse_within(["tenant=7", "zone=7"])
    arguments = {f"path:{name}": "7" for name in template(path).names}
    assert consented_depth(within, template(path), arguments) == 0


def test_what_a_thing_may_be_called_begins_with_its_noun() -> None:
    assert names_of(template("/zones/{id}"), 1) == ("zone", "id")
    assert names_of(template("/t/{tenant_name}/databases/{database}"), 1)[0] == "tenant"
    assert names_of(template("/t/{tenant_name}/databases/{database}"), 2)[0] == "database"


def test_a_name_that_no_path_parameter_has_is_an_error() -> None:
    with pytest.raises(UsageError, match="no path parameter is called tenat; docrev explore --dry-run"):
        check_within(parse_within(["tenat=1"]), [template("/tenants/{tenant}")])


def test_a_bare_id_must_be_of_one_kind() -> None:
    zones, users = template("/zones/{id}/x"), template("/users/{id}/x")
    check_within(parse_within(["id=1"]), [zones, template("/zones/{id}/y")])
    with pytest.raises(UsageError, match="id may be of things of several kinds; write user=… or zone=…"):
        check_within(parse_within(["id=1"]), [zones, users])


# What an operation may be called on


def verdicts(
    folder: Path, operations: Sequence[str], allow: Sequence[str] = ALL, within: Sequence[str] = (), deny: str = ""
) -> dict[str, Permission]:
    found = catalog(folder, operations)
    policy = Policy.parse(allow, [deny] if deny else [], within=within)
    policy.check(found.operations)
    rows = permissions(found.operations, policy, Routes(found.operations))
    assert [row.key for row in rows] == [operation.key for operation in found.operations]
    return {row.key.operation: row for row in rows}


def test_what_reads_and_what_adds_to_a_collection_may_be_called(tmp_path: Path) -> None:
    rows = verdicts(tmp_path, ZONES)
    assert {rows[line].verdict for line in ("GET /zones", "GET /zones/{zone_id}", "POST /zones")} == {"allowed"}


def test_what_changes_is_called_on_things_of_the_run_s_own(tmp_path: Path) -> None:
    rows = verdicts(tmp_path, ZONES)
    on, inside = "on a zone of its own", "in a zone of its own"
    for line in ("PATCH /zones/{zone_id}", "DELETE /zones/{zone_id}", "PUT /zones/{zone_id}/rectify"):
        assert (rows[line].verdict, rows[line].where) == ("own", on)
    assert (rows["POST /zones/{zone_id}/keys"].verdict, rows["POST /zones/{zone_id}/keys"].where) == ("own", inside)
    assert rows["DELETE /zones/{zone_id}/keys/{id}"].where == "on a key of its own"


def test_what_no_operation_makes_needs_consent_and_the_options_are_ready_to_copy(tmp_path: Path) -> None:
    row = verdicts(tmp_path, SERVERS)["POST /servers/{server}/restart"]
    assert (row.verdict, row.reason) == ("consent", "the run cannot create a server")
    assert row.options == ("--within 'server=…'", "--allow 'POST /servers/{server}/restart'")


def test_what_carries_requests_or_reads_by_post_needs_no_target(tmp_path: Path) -> None:
    rows = verdicts(tmp_path, (*ZONES, "POST /batch", "POST /search"))
    assert (rows["POST /batch"].verdict, rows["POST /search"].verdict) == ("own", "own")
    assert rows["POST /batch"].where == "with requests that may be sent by themselves"


def test_a_maker_that_may_not_be_called_makes_nothing(tmp_path: Path) -> None:
    rows = verdicts(tmp_path, ZONES, deny="POST /zones")
    assert rows["POST /zones"].verdict == "denied"
    assert rows["PATCH /zones/{zone_id}"].verdict == "consent"
    assert rows["POST /zones/{zone_id}/keys"].reason == "the run cannot create a zone"


def test_consent_permits_what_it_names(tmp_path: Path) -> None:
    line = "POST /servers/{server}/restart"
    assert verdicts(tmp_path, SERVERS, [*ALL, line])[line].where == "on anything"
    named = verdicts(tmp_path, ZONES, [*ALL, "PATCH /zones/{zone_id}"])["PATCH /zones/{zone_id}"]
    assert (named.verdict, named.where) == ("allowed", "on anything, on a zone of its own first")
    rows = verdicts(tmp_path, SERVERS, within=["server=s1"])
    assert (rows[line].verdict, rows[line].where) == ("within", "in server=s1")
    rows = verdicts(tmp_path, ZONES, within=["zone=z"])
    assert rows["POST /zones/{zone_id}/keys"].where == "in zone=z or in a zone of its own"


def test_neither_the_thing_itself_is_changed_within_it_nor_anything_removed(tmp_path: Path) -> None:
    rows = verdicts(tmp_path, ZONES, within=["zone=z"])
    for line in ("PATCH /zones/{zone_id}", "DELETE /zones/{zone_id}", "DELETE /zones/{zone_id}/keys/{id}"):
        assert rows[line].verdict == "own"


@pytest.mark.parametrize("line", ["PATCH /settings", "POST /sync-all", "POST /tokens"])
def test_what_has_no_target_of_its_own_must_be_named(tmp_path: Path, line: str) -> None:
    row = verdicts(tmp_path, [line])[line]
    assert (row.verdict, row.options) == ("consent", (f"--allow '{line}'",))
    assert verdicts(tmp_path, [line], [line])[line].verdict == "allowed"


def test_a_get_that_says_that_it_acts_needs_consent_too(tmp_path: Path) -> None:
    line = "GET /items/{id}/delete"
    assert verdicts(tmp_path, [line], allow=[])[line].options == ("--within 'item=…'", f"--allow '{line}'")
    assert verdicts(tmp_path, [line], allow=[line])[line].verdict == "allowed"


def test_what_is_denied_says_why(tmp_path: Path) -> None:
    rows = verdicts(tmp_path, ZONES, allow=["DELETE"], deny="GET /zones")
    assert (rows["POST /zones"].verdict, rows["POST /zones"].reason) == (
        "denied",
        "POST is not allowed; give --allow POST",
    )
    assert (rows["GET /zones"].verdict, rows["GET /zones"].reason) == ("denied", "--deny names it")


def test_what_cannot_be_removed_is_created_once(tmp_path: Path) -> None:
    row = verdicts(tmp_path, ["GET /boards", "POST /boards", "GET /boards/{id}"])["POST /boards"]
    assert (row.verdict, row.where) == ("allowed", "once: nothing removes what it creates")


def test_consent_is_part_of_what_identifies_a_run() -> None:
    named = Policy.parse(ALL, within=["b=2", "a=1"]).settings()
    assert named["within"] == ["a=1", "b=2"]
    assert Policy.parse(ALL, within=["a=1", "b=2"]).settings() == named
    assert "within" not in Policy.parse(ALL).settings()


@pytest.mark.parametrize("slash", ["", "/"])
def test_an_operation_may_be_named_without_the_slash_at_its_end(tmp_path: Path, slash: str) -> None:
    policy = Policy.parse([f"POST /zones{slash}"])
    for line in ("POST /zones", "POST /zones/"):
        found = catalog(tmp_path, [line, "GET /zones/{zone_pk}/"]).operations
        policy.check(found)
        assert [policy.names(operation) for operation in found] == [True, False]
    assert names_of(template("/zones/{zone_pk}/"), 1)[0] == "zone"
