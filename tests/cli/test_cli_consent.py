"""Consent and its account from outside: `--within`, `--allow 'METHOD /path'`, `--dry-run`, `--clean`, what is left."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from clikit import Done, here, spec
from servers import Answer, Received, Server, reply

from docrev.conventions.run_names import is_invented

ALL = ("--allow", "POST,PUT,PATCH,DELETE")
OPERATIONS = (
    *("GET /tenants", "GET /tenants/{tenant}", "GET /tenants/{tenant}/boxes", "POST /tenants/{tenant}/boxes"),
    *("GET /tenants/{tenant}/boxes/{box}", "POST /tenants/{tenant}/sweep", "PATCH /settings"),
)
REMOVABLE = (*OPERATIONS, "DELETE /tenants/{tenant}/boxes/{box}")


@dataclass
class Boxes:
    """Two tenants with a box each. Nobody can make tenants; sweeping is an action."""

    boxes: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {t: {"1": {"id": "1", "name": f"{t}'s"}} for t in ("ann", "ben")}
    )
    swept: list[str] = field(default_factory=list)

    def __call__(self, request: Received) -> Answer:
        parts = request.path.strip("/").split("/")
        if parts[0] != "tenants" or (len(parts) > 1 and parts[1] not in self.boxes):
            return reply({"error": "no such thing"}, 404)
        if len(parts) == 1:
            return reply({"items": [{"id": name} for name in self.boxes]})
        if len(parts) == 2:
            return reply({"id": parts[1]})
        if parts[2] == "sweep":
            self.swept.append(parts[1])
            return reply({"swept": True})
        return self._boxes(request, self.boxes[parts[1]], parts[3:])

    def _boxes(self, request: Received, boxes: dict[str, Any], rest: list[str]) -> Answer:
        if not rest and request.method == "POST":
            id = str(len(boxes) + 1)
            boxes[id] = {**request.json, "id": id}
            return reply(boxes[id], 201)
        if not rest:
            return reply({"items": list(boxes.values())})
        if rest[0] not in boxes:
            return reply({"error": "no such box"}, 404)
        return reply(boxes.pop(rest[0]) if request.method == "DELETE" else boxes[rest[0]])


@dataclass
class Place:
    folder: Path
    server: Server
    service: Boxes

    def explore(self, *words: str, operations: tuple[str, ...] = OPERATIONS) -> Done:
        name = {"required": ["name"], "type": "object", "properties": {"name": {"type": "string"}}}
        body = {"requestBody": {"required": True, "content": {"application/json": {"schema": name}}}}
        spec(self.folder / "specs", operations, **{"POST /tenants/{tenant}/boxes": body})
        return here("explore", "specs", "--base-url", self.server.url, *words)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.chdir(tmp_path)
    service = Boxes()
    with Server({f"{method} /*": service for method in ("GET", "POST", "PUT", "PATCH", "DELETE")}) as server:
        yield Place(tmp_path, server, service)


def unsafe(place: Place) -> set[str]:
    return {line for line in place.server.seen if not line.startswith("GET ")}


def test_without_consent_nothing_that_exists_is_acted_on(place: Place) -> None:
    told = place.explore(*ALL, "--json").json
    assert unsafe(place) == set()
    assert (told["left"], told["changed"]) == ([], [])
    why = {row["operation"]: row["why"] for row in told["missed"]}
    assert why["POST /tenants/{tenant}/sweep"].startswith(
        "the run created no /tenants/{tenant} to call it on; --dry-run"
    )


def test_within_a_named_thing_and_nowhere_else_the_run_may_act(place: Place) -> None:
    told = place.explore(*ALL, "--within", "tenant=ann", "--json", operations=REMOVABLE).json
    # How a box is refused where there is no tenant is tried too, under made-up ids.
    assert {name for line in unsafe(place) if not is_invented(name := line.split("/")[2])} == {"ann"}
    assert set(place.service.swept) == {"ann"}
    assert place.service.boxes == Boxes().boxes
    sweep = {"tool": "shop", "operation": "POST /tenants/{tenant}/sweep", "path": "/tenants/ann/sweep"}
    assert [{name: row[name] for name in sweep} for row in told["changed"]] == [sweep]
    assert told["changed"][0]["calls"] == len(place.service.swept)


def test_nothing_is_said_to_be_left_only_after_looking(place: Place) -> None:
    words = (*ALL, "--within", "tenant=ann", "--deny", "*sweep")
    done = place.explore(*words, operations=REMOVABLE)
    assert done.out.endswith("\n\nNothing is left.\n")
    deletes = [n for n, line in enumerate(place.server.seen) if line.startswith("DELETE /tenants/ann/boxes/")]
    assert any(line.startswith("GET /tenants/ann/boxes") for line in place.server.seen[deletes[-1] :])


def test_a_named_operation_may_go_to_anything_and_the_summary_ends_with_what_it_changed(place: Place) -> None:
    done = place.explore("--allow", "POST /tenants/{tenant}/sweep")
    assert done.code == 0
    assert unsafe(place)
    assert all(line.endswith("/sweep") for line in unsafe(place))
    lines = done.out.rstrip().splitlines()
    assert lines.index("Changed with your consent:") > next(i for i, line in enumerate(lines) if "Next:" in line)
    assert "/tenants/ann/sweep" in lines[lines.index("Changed with your consent:") + 1]


def test_what_cannot_be_removed_is_listed_last_with_the_reason(place: Place) -> None:
    done = place.explore(*ALL, "--within", "tenant=ann")
    boxes = place.service.boxes["ann"]
    assert done.code == 0
    assert len(boxes) > 1
    tail = done.out.rstrip().partition("Created and still there:\n")[2].splitlines()
    reason = "the API has no operation that removes it"
    assert tail == [f"  shop /tenants/ann/boxes/{id}: {reason}" for id in boxes if id != "1"]
    listed = here("evidence")
    assert listed.out.rstrip().endswith("\n".join(tail))


def test_what_may_not_be_removed_is_told_with_the_call_that_does_and_clean_does_it(place: Place) -> None:
    words = ("--within", "tenant=ann", "--json")
    told = place.explore("--allow", "POST", *words, operations=REMOVABLE).json
    made = [id for id in place.service.boxes["ann"] if id != "1"]
    assert made
    assert told["left"] == [
        {
            "tool": "shop",
            "path": f"/tenants/ann/boxes/{id}",
            "reason": "DELETE is not allowed",
            "removal": f"DELETE {place.server.url}/tenants/ann/boxes/{id}",
        }
        for id in made
    ]
    before = len(place.server.seen)
    cleaned = place.explore("--allow", "POST,DELETE", "--within", "tenant=ann", "--clean", operations=REMOVABLE)
    assert cleaned.out == "Nothing is left.\n"
    seen = place.server.seen[before:]
    looks = [place for place, line in enumerate(seen) if line.startswith("GET /tenants/ann/boxes")]
    assert looks
    assert max(looks) > max(place for place, line in enumerate(seen) if line.startswith("DELETE"))
    # The run that had left it says so from now on.
    again = place.explore("--allow", "POST", *words, operations=REMOVABLE).json
    assert again["left"] == []
    assert again["requests"] == told["requests"]


def test_clean_says_what_is_left_if_the_server_refuses(place: Place) -> None:
    place.explore("--allow", "POST", "--within", "tenant=ann", operations=REMOVABLE)
    place.server.routes["DELETE /*"] = reply({"error": "no"}, 403)
    for _ in range(2):
        done = place.explore("--allow", "DELETE", "--clean", "--json", operations=REMOVABLE)
        assert done.code == 0
        assert {row["reason"] for row in done.json["left"]} == {"its removal was answered 403"}


def test_a_dry_run_says_what_may_be_called_on_what_and_which_option_permits_more(place: Place) -> None:
    done = place.explore(*ALL, "--dry-run")
    assert place.server.seen == []
    rows = dict(line.split("  ", 1) for line in done.out.splitlines())
    assert rows["shop GET /tenants"].strip() == "may be called"
    assert rows["shop POST /tenants/{tenant}/sweep"].strip() == (
        "needs consent (the run cannot create a tenant): --within 'tenant=…' or --allow 'POST /tenants/{tenant}/sweep'"
    )
    assert rows["shop PATCH /settings"].strip().endswith("--allow 'PATCH /settings'")
    rows = {row["operation"]: row for row in json.loads(place.explore(*ALL, "--dry-run", "--json").out)}
    assert rows["PATCH /settings"]["verdict"] == "consent"
    assert rows["PATCH /settings"]["options"] == ["--allow 'PATCH /settings'"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tenant", "--within: 'tenant' is not NAME=VALUE"),
        ("tenat=ann", "--within: no path parameter is called tenat"),
    ],
)
def test_a_bad_within_is_one_line(place: Place, text: str, words: str) -> None:
    place.explore("--within", text).failed(2, words)
    assert place.server.seen == []


def test_consent_in_the_user_s_file_counts_and_a_stranger_s_does_not(place: Place) -> None:
    consent = '[explore]\nallow = "POST"\nwithin = "tenant=ann"\n'
    stranger = place.folder / "specs" / "docrev.toml"
    stranger.parent.mkdir()
    stranger.write_text(consent)
    assert place.explore("--allow", "POST").code == 0
    assert unsafe(place) == set()
    stranger.rename(place.folder / "docrev.toml")
    assert place.explore().code == 0
    assert unsafe(place) != set()
