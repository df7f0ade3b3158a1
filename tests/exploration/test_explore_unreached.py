"""Why an operation was not reached: by a kind that says who could help, in words that a stranger understands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from callkit import catalog, key
from clikit import docrev, here, spec
from servers import Answer, Server, reply

from docrev.exploration.subjects import Subject
from docrev.exploration.unreached import MEANINGS, Obstacles, UnreachedKind, unreached
from docrev.records import Call, Json

CRATES = ("GET /crates", "POST /crates", "GET /crates/{id}", "DELETE /crates/{id}", "POST /crates/{id}/ship")
KINDS: dict[str, UnreachedKind] = {
    "GET /secret": "credentials",
    "GET /beta": "feature",
    "GET /gone": "feature",
    "POST /lamps/{id}/restart": "consent",
    "DELETE /lamps/{id}/bulb": "consent",
    "GET /tenants/{tenant}": "value",
    "POST /crates": "unexplained",
    "POST /crates/{id}/ship": "parent",
    "GET /crash": "fault",
    "GET /moved": "unusable",
    "GET /plain": "unexplained",
    "GET /busy": "unmet",
}
WHERE_ELSE = Answer(302, headers={"Location": "http://127.0.0.9/elsewhere"})
ROUTES = {
    "GET /lamps": reply([{"id": "l1"}]),
    "GET /lamps/l1": reply({"id": "l1"}),
    "GET /secret": reply({"error": "not for you"}, 403),
    "GET /beta": reply({"error": "off"}, 501),
    "GET /crates": reply([]),
    "POST /crates": reply({"error": "no"}, 400),
    "GET /crash": reply({"error": "boom"}, 500),
    "GET /moved": WHERE_ELSE,
    "GET /plain": reply({"error": "no"}, 400),
    "GET /busy": reply({"error": "the index must be stopped first"}, 409),
}


def test_every_kind_is_told_of_a_whole_run(tmp_path: Path) -> None:
    file = spec(tmp_path, ("GET /lamps", "GET /lamps/{id}", *CRATES, *KINDS))
    words = ("--base-url", "", "--out", tmp_path / "e", "--allow", "POST,DELETE")
    with Server(ROUTES) as server:
        done = here("explore", file, words[0], server.url, *words[2:], "--json")
        text = here("explore", file, words[0], server.url, *words[2:]).out
    assert done.code == 0, done.err
    rows = {row["operation"]: row for row in done.json["missed"]}
    assert {name: rows[name]["kind"] for name in KINDS} == KINDS
    assert all(row["why"] for row in rows.values())
    assert "  needs other credentials (-H or --auth): 1 (GET /secret)\n" in text
    assert "  needs a feature that is off, or not in this version: 2 (GET /beta, GET /gone)\n" in text
    lines = text.partition("Not reached")[2].partition("\n\n")[0].splitlines()[1:]
    assert len(lines) == len({row["kind"] for row in rows.values()})
    told = here("evidence", tmp_path / "e").out
    assert rows
    assert all(row["why"] in told for row in rows.values())


def test_of_many_three_are_named(tmp_path: Path) -> None:
    operations = tuple(f"GET /crash{number}" for number in range(5))
    with Server({"GET /open": reply([1]), "GET /*": reply({"error": "boom"}, 500)}) as server:
        text = here("explore", spec(tmp_path, ("GET /open", *operations)), "--base-url", server.url, "--out", tmp_path)
    assert "server error: 5 (GET /crash0, GET /crash1, GET /crash2, …)\n" in text.out


def test_what_the_budget_did_not_allow_is_told_as_that(tmp_path: Path) -> None:
    operations = tuple(f"GET /things{number}" for number in range(30))
    with Server({"GET /*": reply([1])}) as server:
        words = ("--base-url", server.url, "--out", tmp_path / "e", "--max-calls", "10", "--json")
        done = here("explore", spec(tmp_path, operations), *words)
    kinds = [row["kind"] for row in done.json["missed"]]
    assert kinds
    assert set(kinds) == {"budget"}


def test_what_others_are_among_needs_consent_and_no_budget(tmp_path: Path) -> None:
    operations = ("GET /lamps", "GET /lamps/{id}", "DELETE /lamps", "POST /lamps", "DELETE /lamps/{id}")
    routes = {"GET /lamps": reply([{"id": "l1"}]), "GET /lamps/*": reply({"id": "l1"})}
    with Server(routes) as server:
        words = ("--base-url", server.url, "--out", tmp_path / "e", "--allow", "DELETE", "--max-calls", "3", "--json")
        done = here("explore", spec(tmp_path, operations), *words)
    rows = {row["operation"]: (row["kind"], row["why"]) for row in done.json["missed"]}
    assert rows["DELETE /lamps"] == ("consent", "the collection holds what this run did not create")


def call(status: int | None, body: Json = None, error: str | None = None) -> Call:
    return Call("c", key("POST /things"), {}, "", status, {}, body, "application/json", "survey", error=error)


@pytest.mark.parametrize("stopped", ["redirected", "credentials", "unsupported", "anything"])
def test_whatever_stopped_it_has_a_kind(tmp_path: Path, stopped: str) -> None:
    subject = Subject(catalog(tmp_path, ("POST /things",))[key("POST /things")], stopped=stopped)
    subject.calls.append(call(303))
    assert unreached(subject, Obstacles()).kind == {"credentials": "credentials", "unsupported": "feature"}.get(
        stopped, "unusable"
    )


@pytest.mark.parametrize(
    ("calls", "kind"),
    [
        ([call(500), call(500), call(400, {"error": "no"})], "fault"),
        ([call(400, {"error": "no"}), call(500)], "fault"),
        ([call(500), call(400, {"error": "no"})], "unexplained"),
        ([call(400, {"error": "name is required"})], "unmet"),
        ([call(None, error="timeout")], "unusable"),
        ([call(200, error="not-json")], "unusable"),
        ([call(405), call(404)], "unmet"),
        ([call(401)], "credentials"),
        ([call(404), call(404), call(404), call(500)], "fault"),
        ([call(500, {"error": "method scout is not implemented"}), call(404)], "feature"),
        ([call(404, {"error": "Function not found"})], "unmet"),
        ([call(403, {"error": "User does not exist"})], "unmet"),
        ([call(403, {"error": "User does not exist"})] * 2 + [call(500)], "fault"),
        ([], "value"),
    ],
)
def test_answers_have_a_kind(tmp_path: Path, calls: list[Call], kind: str) -> None:
    subject = Subject(catalog(tmp_path, ("POST /things/{id}",))[key("POST /things/{id}")])
    subject.calls.extend(calls)
    found = unreached(subject, Obstacles())
    assert found.kind == kind
    assert found.why


def test_the_most_telling_answer_is_told_and_not_the_last_guess(tmp_path: Path) -> None:
    subject = Subject(catalog(tmp_path, ("POST /things/{id}",))[key("POST /things/{id}")], sent=3)
    subject.calls.extend([call(400, {"error": "name is required"}), call(404), call(404, {"error": "no thing x"})])
    told = unreached(subject, Obstacles()).why
    assert told == "answered 400: name is required (one of 3 attempts)"
    subject.calls.append(call(400, {"error": "name is required"}))
    assert unreached(subject, Obstacles()).why == "answered 400: name is required (the last of 3 attempts)"


def test_obstacles_come_before_answers(tmp_path: Path) -> None:
    subject = Subject(catalog(tmp_path, ("POST /things",))[key("POST /things")])
    assert unreached(subject, Obstacles(spent=True)).kind == "budget"
    assert unreached(subject, Obstacles(parent="zone", makeable=True)).kind == "parent"
    assert unreached(subject, Obstacles(parent="zone")).kind == "consent"
    assert unreached(subject, Obstacles(parent="zone", spent=True)).kind == "consent"
    assert unreached(subject, Obstacles(parent="zone", makeable=True, spent=True)).kind == "budget"
    made = unreached(subject, Obstacles(parent="/roles/{body:role}", makeable=True))
    assert made.why == "the run could not create /roles/{role} to call it on"
    assert unreached(subject, Obstacles(parent="/roles/{id}")).why.endswith("--dry-run says what would permit more")
    subject.calls.append(call(500))
    assert unreached(subject, Obstacles(denial="POST is not allowed")).why == "POST is not allowed"
    assert unreached(subject, Obstacles(denial="POST is not allowed")).kind == "consent"


def test_every_kind_has_words() -> None:
    assert set(MEANINGS) == set(get_args(UnreachedKind))


@pytest.mark.parametrize(
    ("change", "challenge", "option"),
    [
        ({}, "", "-H 'NAME: env:VARIABLE' (neither the spec nor a response names the header"),
        ({}, 'Digest realm="a", nonce="n0nce", Bearer realm="a"', "-H 'Authorization: Bearer env:VARIABLE'"),
        ({"parameters": [{"in": "header", "name": "X-Api-Key", "schema": {}}]}, "", "-H 'X-Api-Key: env:VARIABLE'"),
        ({"security": [{"key": []}]}, "Bearer", "--auth key=env:VARIABLE"),
    ],
)
def test_where_only_some_want_credentials_the_option_is_named(
    tmp_path: Path, change: dict[str, Json], challenge: str, option: str
) -> None:
    file = spec(tmp_path, ("GET /plants", "POST /plants"))
    tree = json.loads(file.read_text())
    tree["paths"]["/plants"]["post"] |= change
    if "security" in change:
        tree["components"] = {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}
    file.write_text(json.dumps(tree))
    headers = {"WWW-Authenticate": challenge} if challenge else {}
    refusal = reply({"detail": "Not authenticated"}, 401, **headers)
    with Server({"GET /plants": reply([]), "POST /plants": refusal}) as server:
        words = ("explore", str(file), "--base-url", server.url, "--allow", "POST /plants")
        done = docrev(*words, cwd=tmp_path)
        given = docrev(*words, "-H", "X-Other: secret", "--fresh", cwd=tmp_path)
    assert f"credentials would open 1 operation: {option}" in done.out
    assert "would open" not in given.out
