"""`docrev explore` against APIs that misbehave: one line, the right code, bounded, and the evidence is kept."""

from __future__ import annotations

import gzip
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clikit import LIST_AND_ITEM, Done, calls, docrev, interrupted, spec
from servers import Answer, Received, Route, Server, closed_port, reply, silent_port

from docrev.cli.interrupts import LINE

ITEMS = [{"id": number, "name": f"name {number}"} for number in range(1, 9)]
PAGE = Answer(200, b"<!doctype html><html><body>Sign in</body></html>", {"Content-Type": "text/html"})
MANY = tuple(f"GET /things{number}" for number in range(8))


def one(request: Received) -> Answer:
    found = [item for item in ITEMS if str(item["id"]) == request.path.split("/")[2]]
    return reply(found[0]) if found else reply({"error": "no such item"}, 404)


def shop(request: Received) -> Answer:
    return reply({"items": ITEMS}) if request.path == "/items" else one(request)


SHOP: dict[str, Route] = {"GET /items": reply({"items": ITEMS}), "GET /items/*": one}


def explore(folder: Path, url: str, *more: str, operations: tuple[str, ...] = LIST_AND_ITEM) -> Done:
    file = spec(folder, operations)
    return docrev("explore", file, "--base-url", url, "--out", folder / "evidence", *more)


# Nobody answers


@pytest.mark.parametrize("operations", [("GET /items",), MANY], ids=["one", "many"])
def test_refused(tmp_path: Path, operations: tuple[str, ...]) -> None:
    with closed_port() as url:
        explore(tmp_path, url, operations=operations).failed(3, f"{url}: no answer", "refused", "check --base-url")
    # No finding, but readable: the same command asks again.
    assert calls(tmp_path / "evidence") == []


def test_a_timeout(tmp_path: Path) -> None:
    with silent_port() as url:
        done = explore(tmp_path, url, "--timeout", "0.3")
    done.failed(3, f"{url}: no answer", "no answer in 0.3 s", "check --base-url")


def test_tls_that_fails_and_a_host_that_is_not_there(tmp_path: Path) -> None:
    with Server(SHOP) as server:
        secure = explore(tmp_path / "tls", server.url.replace("http:", "https:"))
    secure.failed(3, "no answer (tls", "check --base-url")
    nowhere = explore(tmp_path / "host", "http://no-such-host.invalid")
    assert nowhere.code == 3
    assert nowhere.err.splitlines()[0] == "calls go to no-such-host.invalid"
    assert "the host name is not known" in nowhere.err.splitlines()[-1]
    assert len(nowhere.err.splitlines()) == 2


def test_a_server_that_goes_away_in_the_middle_and_comes_back(tmp_path: Path) -> None:
    count = 0

    def dying(request: Received) -> Answer:
        nonlocal count
        count += 1
        return Answer(raw=b"") if 5 < count < 100 else one(request)

    operations = (*LIST_AND_ITEM, *(f"GET /items/{{id}}/{part}" for part in ("a", "b", "c", "d")))
    routes = {**SHOP, "GET /items/*": dying}
    with Server(routes) as server:
        gone = explore(tmp_path, server.url, operations=operations)
        assert gone.code == 3
        assert "the same command goes on" in gone.err.splitlines()[-1]
        before = {call["id"] for call in calls(tmp_path / "evidence") if call["status"] == 200}
        assert before
        count = 1000
        back = explore(tmp_path, server.url, "--json", operations=operations)
    assert back.code == 0
    assert before <= {call["id"] for call in calls(tmp_path / "evidence") if call["status"] == 200}
    assert back.json["operations_2xx"] == 6


# Something else answers


def test_pages_instead_of_json(tmp_path: Path) -> None:
    with Server({"GET /*": PAGE}) as server:
        explore(tmp_path, server.url, operations=MANY).failed(3, f"{server.url}: answers pages, not JSON", "--base-url")
        assert len(server.requests) <= 40


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (reply({"error": "bad host"}, 400), "400 to every call: bad host; check --base-url"),
        (reply({"detail": "Not Found"}, 404), "404 to every call: Not Found; check --base-url"),
    ],
)
def test_the_same_refusal_of_every_call_ends_the_run_in_one_line(tmp_path: Path, answer: Answer, said: str) -> None:
    operations = tuple(f"GET /kinds{number}" for number in range(60))
    with Server({"GET /*": answer}) as server:
        explore(tmp_path, server.url, operations=operations).failed(
            3, f"{server.url}: returned nothing but errors: {said}"
        )
        assert len(server.requests) <= 40


def test_refusals_in_the_same_words_are_no_end_if_they_say_what_is_wanted(tmp_path: Path) -> None:
    operations = tuple(f"GET /kinds{number}" for number in range(30))

    def of_a_tenant(request: Received) -> Answer:
        said = {"error": "query parameter 'tenant' is required"}
        return reply({"items": ITEMS}) if "tenant" in request.query else reply(said, 400)

    with Server({"GET /*": of_a_tenant}) as server:
        done = explore(tmp_path, server.url, "--json", operations=operations)
    assert done.code == 0


def test_a_redirect_off_the_host_is_told_and_never_followed(tmp_path: Path) -> None:
    with Server(SHOP) as other:
        away = Answer(302, headers={"Location": f"{other.url}/items"})
        with Server({"GET /*": away}) as server:
            done = explore(tmp_path, server.url, "-H", "Authorization: Bearer abc-def-123")
        assert other.requests == []
    fix = f"check --base-url: it redirects to {other.url}/items; docrev evidence"
    done.failed(3, f"{server.url}: returned nothing but errors: 302 to", fix)
    assert any(f"to {other.url}, off the base URL" in call["detail"] for call in calls(tmp_path / "evidence"))


# It wants us to wait


def test_429_with_retry_after_is_waited_for(tmp_path: Path) -> None:
    asked: list[float] = []

    def busy(request: Received) -> Answer:
        asked.append(time.monotonic())
        return reply({}, 429, Retry_After="1") if len(asked) == 1 else reply({"items": ITEMS})

    with Server({"GET /items": busy}) as server:
        done = explore(tmp_path, server.url, "--json", operations=("GET /items",))
    assert done.code == 0
    assert done.json["operations_2xx"] == 1
    assert asked[1] - asked[0] >= 0.95


def test_429_without_end_stops_the_run(tmp_path: Path) -> None:
    with Server({"GET /*": reply({}, 429, Retry_After="3600")}) as server:
        done = explore(tmp_path, server.url, operations=tuple(f"GET /things{number}" for number in range(16)))
        done.failed(3, "429 to call after call", "--rate")


# Credentials


def test_wrong_credentials_from_the_start(tmp_path: Path) -> None:
    with Server({"GET /*": reply({"error": "who are you?"}, 401)}) as server:
        done = explore(tmp_path, server.url, "-H", "Authorization: Bearer very-secret-77", operations=MANY)
        line = done.failed(3, f"{server.url}: the credentials are refused", "401", "check -H")
        assert len(server.requests) <= 16
    assert "very-secret-77" not in line


def test_without_credentials_it_says_that_they_are_wanted(tmp_path: Path) -> None:
    with Server({"GET /*": reply({"error": "who are you?"}, 401)}) as server:
        explore(tmp_path, server.url, operations=MANY).failed(3, "it wants credentials", "give them with -H")


@pytest.mark.parametrize("statuses", [(403,), (401, 403)])
def test_nothing_but_refusals_ends_the_run_after_ten_answers(tmp_path: Path, statuses: tuple[int, ...]) -> None:
    turns = itertools.count()

    def shut(request: Received) -> Answer:
        return reply({"error": "no"}, statuses[next(turns) % len(statuses)])

    operations = tuple(f"GET /things{number}" for number in range(40))
    with Server({"GET /*": shut}) as server:
        done = explore(tmp_path, server.url, operations=operations)
        done.failed(3, "it wants credentials", "to every call", "give them with -H")
        assert len(server.requests) < len(operations)
        refused = len(server.requests)
        assert calls(tmp_path / "evidence") == []
        server.routes["GET /*"] = reply({"items": []})
        again = explore(tmp_path, server.url, "--json", "-H", "X-Api-Key: first-key-123", operations=operations)
        assert again.json["operations_2xx"] == 40
        assert len(server.requests) > refused


def test_one_good_answer_among_the_first_shows_that_the_tool_is_of_use(tmp_path: Path) -> None:
    operations = ("GET /open", *(f"GET /things{number}" for number in range(24)))
    with Server({"GET /*": reply({"error": "no"}, 403), "GET /open": reply({"ok": 1})}) as server:
        # One at a time: which of several answers comes first is the machine's to say.
        done = explore(tmp_path, server.url, "--json", "--concurrency", "1", operations=operations)
    assert done.code == 0, done.err
    assert done.json["operations_2xx"] == 1


def test_credentials_that_end_in_the_middle_lose_nothing(tmp_path: Path) -> None:
    valid = ["first-key-123"]

    def guarded(request: Received) -> Answer:
        if request.headers.get("x-api-key") not in valid:
            return reply({"error": "expired"}, 401)
        if len(server.requests) > 12:
            valid.clear()
        return shop(request)

    operations = (*LIST_AND_ITEM, *(f"GET /items/{{id}}/{part}" for part in "abcd"))
    with Server({"GET /items*": guarded}) as server:
        done = explore(tmp_path, server.url, "-H", "X-Api-Key: first-key-123", operations=operations)
        assert done.code == 3
        assert "the credentials are refused, 401 to call after call" in done.err.splitlines()[-1]
        before = {call["id"] for call in calls(tmp_path / "evidence") if call["status"] == 200}
        assert before
        valid.append("second-key-456")
        server.routes["GET /items*"] = shop
        again = explore(tmp_path, server.url, "-H", "X-Api-Key: second-key-456", "--json", operations=operations)
    assert again.code == 0
    assert before <= {call["id"] for call in calls(tmp_path / "evidence")}
    assert again.json["operations_2xx"] == 6


# Responses that are too much


def _endless() -> Iterator[bytes]:
    while True:
        yield b"[" + b" " * 65536


def _dripping() -> Iterator[bytes]:
    while True:
        time.sleep(0.05)
        yield b" "


def _json(body: bytes, **headers: str) -> Answer:
    return Answer(200, body, {"Content-Type": "application/json", **headers})


MONSTERS: dict[str, tuple[Any, str]] = {
    "large": (lambda: _json(b'"' + b"x" * (100 * 2**20) + b'"'), "too-large"),
    "endless": (lambda: Answer(200, headers={"Content-Type": "application/json"}, chunks=_endless()), "too-large"),
    "dripping": (lambda: Answer(200, headers={"Content-Type": "application/json"}, chunks=_dripping()), "too-slow"),
    "bomb": (lambda: _json(gzip.compress(b"0" * (300 * 2**20), 6), **{"Content-Encoding": "gzip"}), "too-large"),
    "bytes": (lambda: _json(b'{"a": "\xff\xfe"}'), "bad-encoding"),
    "deep": (lambda: _json(b"[" * 10_000 + b"]" * 10_000), "too-deep"),
    "deeper": (lambda: _json(b'{"a":' * 100_000 + b"1" + b"}" * 100_000), "too-deep"),
    "cut": (lambda: _json(b'{"items": [1, 2'), "not-json"),
}


def test_monstrous_responses_are_values_and_cost_little(tmp_path: Path) -> None:
    large = MONSTERS["large"][0]()
    bomb = MONSTERS["bomb"][0]()
    routes: dict[str, Route] = {f"GET /{name}": (lambda _, make=make: make()) for name, (make, _) in MONSTERS.items()}
    routes |= {"GET /large": large, "GET /bomb": bomb, **SHOP}
    operations = (*LIST_AND_ITEM, *(f"GET /{name}" for name in MONSTERS))
    with Server(routes) as server:
        done = explore(tmp_path, server.url, "--json", "--timeout", "2", operations=operations)
    assert done.code == 0, done.err
    assert "Traceback" not in done.err
    assert done.json["operations_2xx"] == 2
    errors = {call["operation"][5:]: call["error"] for call in calls(tmp_path / "evidence")}
    assert {name: errors[name] for name in MONSTERS} == {name: error for name, (_, error) in MONSTERS.items()}
    assert done.peak < 300
    assert (tmp_path / "evidence/evidence.db").stat().st_size < 2**20


@pytest.mark.long
def test_a_campaign_of_large_responses_stays_below_512_mb(tmp_path: Path) -> None:
    item = {"id": 1, "name": "a name", "tags": ["a", "b"], "owner": {"id": 2, "mail": "a@b.example"}, "price": 0.5}
    large: dict[str, Any] = {
        "objects": [{**item, "id": number} for number in range(36_000)],
        "numbers": list(range(500_000)),
        "members": {f"k{number}": {"v": number} for number in range(150_000)},
        "nested": [[[number] * 20] * 20 for number in range(1_500)],
        "text": {"t": "x" * 4_500_000},
    }
    routes: dict[str, Route] = {f"GET /{name}": reply(value) for name, value in large.items()}
    query = {"parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}]}
    operations = [f"GET /{name}" for name in large]
    file = spec(tmp_path, operations, **dict.fromkeys(operations, query))
    with Server(routes) as server:
        done = docrev("explore", file, "--base-url", server.url, "--out", tmp_path / "kept", "--json")
    assert done.code == 0, done.err
    assert done.json["operations_2xx"] == len(large)
    assert done.peak < 512
    revised = docrev("revise", file, "--evidence", tmp_path / "kept", "--edit", "contract")
    assert (revised.code, revised.peak < 512) == (0, True)


# Interrupts


def test_interrupted_on_the_network(tmp_path: Path) -> None:
    with silent_port() as url:
        words = ["explore", spec(tmp_path), "--base-url", url, "--out", tmp_path / "evidence"]
        database = tmp_path / "evidence" / "evidence.db"
        done = interrupted(words, lambda _: database.exists(), cwd=tmp_path)
    done.failed(130, LINE)
    assert calls(tmp_path / "evidence") == []


def test_interrupted_again_and_again_in_the_middle_and_gone_on_with(tmp_path: Path) -> None:
    operations = (*LIST_AND_ITEM, *(f"GET /items/{{id}}/{part}" for part in "abcdefgh"))
    with Server(SHOP) as server:
        file = spec(tmp_path, operations)
        words = ["explore", file, "--base-url", server.url, "--out", tmp_path / "evidence", "--rate", "100"]
        done = interrupted(words, lambda _: len(server.requests) > 20, cwd=tmp_path, times=3)
        assert done.code == 130
        assert done.err.splitlines()[-1] == f"docrev: {LINE}"
        assert "Traceback" not in done.err
        before = {call["id"] for call in calls(tmp_path / "evidence")}
        assert len(before) >= 15
        count = len(server.requests)
        again = docrev(*words[:-2], "--json")
    assert again.code == 0
    assert before <= {call["id"] for call in calls(tmp_path / "evidence")}
    assert len(server.requests) - count < again.json["requests"]
