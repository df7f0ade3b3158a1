"""Values that a person gives: read, placed, tried before all others; and which ones a run would have wanted."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from callkit import catalog, key
from clikit import Done, docrev, here, spec
from servers import Answer, Received, Server, reply

from docrev.errors import UsageError
from docrev.exploration.given_values import GivenValues, parse_values
from docrev.records import Json
from docrev.spec import Catalog

OPERATIONS = (
    "GET /tenants/{tenant}",
    "GET /tenants/{tenant}/databases",
    "GET /tenants/{tenant_id}/databases/{database}",
    "POST /searches",
    "GET /reports",
    "GET /zones/{id}",
    "GET /pools/{id}",
)
MEMBERS = {
    "limit": {"type": "integer"},
    "tags": {"type": "array", "items": {"type": "string"}},
    "filter": {"type": "object", "properties": {"tenant": {"type": "string"}}},
}
EXTRAS: dict[str, Any] = {
    "POST /searches": {
        "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": MEMBERS}}}}
    },
    "GET /reports": {"parameters": [{"name": "tenant", "in": "query", "schema": {"type": "string"}}]},
}


@pytest.fixture
def tenants(tmp_path: Path) -> Catalog:
    return catalog(tmp_path, OPERATIONS, **EXTRAS)


def given(tenants: Catalog, *texts: str) -> GivenValues:
    return GivenValues(parse_values(texts, tenants.operations))


@pytest.mark.parametrize(
    ("text", "operation", "places"),
    [
        ("tenant=a", "GET /tenants/{tenant}", {"path:tenant": ["a"]}),
        ("tenant=a", "GET /tenants/{tenant_id}/databases/{database}", {"path:tenant_id": ["a"]}),
        ("tenant=a", "POST /searches", {"body:/filter/tenant": ["a"]}),
        ("tenant=a", "GET /reports", {"query:tenant": ["a"]}),
        ("query:tenant=a", "GET /tenants/{tenant}", {}),
        ("query:tenant=a", "GET /reports", {"query:tenant": ["a"]}),
        ("limit=3", "POST /searches", {"body:/limit": [3]}),
        ("tags=red", "POST /searches", {"body:/tags": [["red"]]}),
        ('tags=["a","b"]', "POST /searches", {"body:/tags": [["a", "b"]]}),
        ("zone=7", "GET /zones/{id}", {"path:id": ["7"]}),
        ("zone=7", "GET /pools/{id}", {}),
        ("GET /zones/{id}:id=7", "GET /zones/{id}", {"path:id": ["7"]}),
        ("GET /zones/{id}:id=7", "GET /pools/{id}", {}),
        ("POST /searches:depth=2", "POST /searches", {"body:/depth": ["2"]}),
        ("GET /zones/{id}:query:expand=all", "GET /zones/{id}", {"query:expand": ["all"]}),
        ("database=a=b", "GET /tenants/{tenant_id}/databases/{database}", {"path:database": ["a=b"]}),
    ],
)
def test_a_value_goes_to_what_is_called_so(
    tenants: Catalog, text: str, operation: str, places: dict[str, list[Json]]
) -> None:
    assert given(tenants, text).places(tenants[key(operation)]) == places


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tenant", "'tenant' gives no value; write NAME=VALUE"),
        ("tenent=a", "no parameter is called tenent; write tenant"),
        ("limit=many", "limit cannot be 'many'"),
        ("GET /nowhere:id=1", "names no operation of the specs"),
        ("GET /zones/{id}:name=1", "no parameter is called name"),
        ("id=1", "id may be of things of several kinds; write pool=… or zone=…"),
    ],
)
def test_a_value_that_fits_nothing_is_one_line(tenants: Catalog, text: str, words: str) -> None:
    with pytest.raises(UsageError, match="--value") as caught:
        given(tenants, text)
    assert words in str(caught.value)


def test_what_belongs_to_a_given_value_comes_before_what_was_found_beside_others(tenants: Catalog) -> None:
    operation = tenants[key("GET /tenants/{tenant_id}/databases/{database}")]
    found: list[dict[str, Json]] = [
        {"path:tenant_id": "x", "path:database": "one"},
        {"path:tenant_id": "north", "path:database": "two"},
    ]
    paths = [tuple(path.values()) for path in given(tenants, "tenant=north").paths(operation, found)]
    assert paths == [("north", "two"), ("north", "one"), ("x", "one"), ("north", "two")]
    own = [tuple(path.values()) for path in given(tenants, "tenant=north").paths(operation, found, parents=1)]
    assert own == [("x", "one"), ("north", "two")]


def test_members_are_filled_where_they_are_and_added_only_where_the_operation_is_named(tenants: Catalog) -> None:
    operation = tenants[key("POST /searches")]
    start: list[dict[str, Json]] = [{"body:": {"filter": {"tenant": "docrev"}, "notes": [{"tenant": "x"}]}}]
    [first, second] = given(tenants, "tenant=north", "limit=3").sets(operation, iter(start))
    assert first == {"body:": {"filter": {"tenant": "north"}, "notes": [{"tenant": "x"}]}}
    assert second == start[0]
    [first, _] = given(tenants, "POST /searches:limit=3").sets(operation, iter(start))
    assert first["body:"]["limit"] == 3
    several = given(tenants, "tenant=a", "tenant=b").sets(operation, iter(start))
    assert [arguments["body:"]["filter"]["tenant"] for arguments in several] == ["a", "b", "docrev"]


class Clinic:
    """Everything lies under a tenant that nothing lists, and reports want a code."""

    def __call__(self, request: Received) -> Answer:
        parts = request.path.strip("/").split("/")
        if parts[0] == "reports":
            good = request.query.get("code") == ["R-77"]
            return reply({"n": 1}) if good else reply({"errors": {"code": ["is not a known code"]}}, 422)
        if parts[1] != "north":
            return reply({"error": "no such tenant"}, 404)
        return reply({"rows": [{"id": 1}], "of": parts[1]})


CLINIC = (
    "GET /tenants/{tenant}",
    "GET /tenants/{tenant}/wards",
    "GET /tenants/{tenant}/staff",
    "DELETE /tenants/{tenant}",
    "GET /reports",
)
CODE = {"GET /reports": {"parameters": [{"name": "code", "in": "query", "required": True}]}}


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    spec(tmp_path / "specs", CLINIC, **CODE)
    monkeypatch.chdir(tmp_path)
    with Server({"GET /*": Clinic(), "DELETE /*": Clinic()}) as server:
        yield server


def explore(server: Server, *words: str) -> Done:
    return here("explore", "specs", "--base-url", server.url, *words)


def test_the_values_that_would_unlock_most_are_named_and_do_so(clinic: Server) -> None:
    nothing = explore(clinic).failed(3, "give values that exist: --value tenant=… --value 'GET /reports:code=…';")
    assert "nothing but errors: 404 to" in nothing
    clinic.routes["GET /status"] = reply({"up": True})
    done = here("explore", "specs", spec(Path("more"), ("GET /status",)), "--base-url", clinic.url)
    assert "  a value for {tenant} of GET /tenants/{tenant} would open 3 operations: --value tenant=…\n" in done.out
    assert "\n    string; answered 404: no such tenant (" in done.out
    before = json.loads(here("explore", "specs", "more", "--base-url", clinic.url, "--json").out)
    assert [(row["location"], row["operations"], row["option"]) for row in before["wanted_values"]] == [
        ("path:tenant", 3, "--value tenant=…"),
        ("query:code", 1, "--value 'GET /reports:code=…'"),
    ]
    first, second = (shlex.split(row["option"]) for row in before["wanted_values"])
    words = [*first[:-1], first[-1].replace("…", "north"), *second[:-1], second[-1].replace("…", "R-77")]
    after = explore(clinic, "--json", *words).json
    assert after["operations_2xx"] == 4
    assert after["wanted_values"] == []


def test_values_of_two_kinds_of_things_are_asked_for_apart(tmp_path: Path) -> None:
    file = spec(
        tmp_path,
        ("GET /status", *(f"GET /{kind}-backups/{{backupId}}{end}" for kind in ("a", "b") for end in ("", "/log"))),
    )
    with Server({"GET /status": reply({"up": True}), "GET /*": reply({"error": "not found"}, 404)}) as server:
        done = here("explore", file, "--base-url", server.url, "--out", tmp_path / "e")
    for kind in ("a", "b"):
        place = f"{{backupId}} of GET /{kind}-backups/{{backupId}}"
        assert f"  a value for {place} would open 2 operations: --value {kind}_backup=…\n" in done.out


@pytest.mark.parametrize("option", ["--value", "--within"])
def test_what_was_given_is_not_asked_for(clinic: Server, option: str) -> None:
    clinic.routes["GET /status"] = reply({"up": True})
    done = here(
        "explore", "specs", spec(Path("more"), ("GET /status",)), "--base-url", clinic.url, "--json", option, "tenant=x"
    )
    assert [row["location"] for row in json.loads(done.out)["wanted_values"]] == ["query:code"]


def test_a_value_is_sent_before_any_other_and_is_part_of_what_the_command_is(clinic: Server) -> None:
    done = explore(clinic, "--json", "--value", "tenant=north")
    assert done.json["operations_2xx"] == 3
    asked = [request.path for request in clinic.requests if request.path.startswith("/tenants/")]
    assert sorted(asked[:3]) == ["/tenants/north", "/tenants/north/staff", "/tenants/north/wards"]
    sent = len(clinic.requests)
    again = explore(clinic, "--json", "--value", "tenant=north")
    assert (again.json, len(clinic.requests)) == (done.json, sent)
    explore(clinic, "--json", "--value", "tenant=other").failed(3, "nothing but errors")
    assert len(clinic.requests) > sent


def test_a_value_is_no_consent(clinic: Server) -> None:
    done = explore(clinic, "--json", "--value", "tenant=north", "--allow", "POST,PUT,PATCH,DELETE")
    assert done.code == 0
    assert clinic.changes == []


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ('[values]\ntenant = "north"\n', 3),
        ('[values]\ntenant = ["nobody", "north"]\n', 3),
        ('[values]\n"GET /tenants/{tenant}:tenant" = "north"\n"GET /reports:code" = "R-77"\n', 2),
    ],
)
def test_values_of_the_settings_file_count(clinic: Server, text: str, reached: int) -> None:
    Path("docrev.toml").write_text(text)
    done = explore(clinic, "--json")
    assert done.json["operations_2xx"] >= reached
    assert done.err.splitlines()[0].endswith("docrev.toml: value")


def test_a_stranger_s_values_are_not_read(clinic: Server) -> None:
    Path("specs/docrev.toml").write_text('[values]\ntenant = "north"\n')
    done = explore(clinic, "--json")
    assert done.code == 3
    assert "nothing but errors: 404" in done.err


def test_a_wrong_value_is_one_line_before_anything_is_sent_or_written(clinic: Server) -> None:
    explore(clinic, "--value", "tenent=main").failed(2, "no parameter is called tenent; write tenant")
    assert clinic.requests == []
    assert not Path(".docrev").exists()
    assert json.loads(docrev("explore", "specs", "--base-url", clinic.url, "--dry-run", "--json").out)


@pytest.mark.parametrize(("member", "wanted"), [("rank", []), ("colour", ["body:/colour"])])
def test_no_value_is_asked_for_that_would_place_a_thing_among_others(
    tmp_path: Path, member: str, wanted: list[str]
) -> None:
    def thing(request: Received) -> Answer:
        if request.method == "GET":
            return reply([])
        fault = "is required" if member not in request.json else "is not included in the list"
        return reply({"errors": {member: [fault]}}, 422)

    properties = {"name": {"type": "string"}, member: {"type": "integer"}}
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": properties}}}}
    lines = ("GET /things", "POST /things", "DELETE /things/{id}")
    spec(tmp_path / "specs", lines, **{"POST /things": {"requestBody": body}})
    with Server({"GET /*": thing, "POST /*": thing}) as server:
        where = ("--base-url", server.url, "--out", str(tmp_path / "out"))
        told = here("explore", str(tmp_path / "specs"), *where, "--allow", "POST,DELETE", "--json").json
    assert [row["location"] for row in told["wanted_values"]] == wanted
