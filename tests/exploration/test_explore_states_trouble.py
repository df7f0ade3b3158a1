"""Services that give little reason to believe them: no false fact is learned there, and it is said why."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml
from servers import Answer, Received, Server, reply

import docrev
from docrev.conventions.run_names import run_uuid
from docrev.errors import UnreachableError
from docrev.evidence import Evidence
from docrev.exploration.doubts import Distrust
from docrev.records import Call, Fact, JournalItem, OperationKey, Purpose
from docrev.spec import load

SPEC = """
openapi: 3.0.3
info: {title: things, version: "1"}
paths:
  /things:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
        - {name: colour, in: query, schema: {type: string}}
      responses: {"200": {description: ok, content: {application/json: {schema: {}}}}}
  /things/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {}}}}}
  /things/{id}/parts:
    get:
      parameters: [{name: id, in: path, required: true, schema: {}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {}}}}}
  /weather:
    get:
      parameters: [{name: day, in: query, schema: {type: string}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {}}}}}
"""
THINGS = [{"id": n, "colour": ("red", "blue")[n % 2], "name": f"thing {n}"} for n in range(1, 13)]
Route = Callable[[Received], Answer]
Told = tuple[dict[str, Any], list[Fact]]


def explored(route: Route, folder: Path, spec: str = SPEC) -> Told:
    path = folder / "things.yaml"
    path.write_text(spec)
    with Server({"GET /*": route, "HEAD /*": route}) as server:
        told = docrev.explore(path, base_urls=(server.url,), out=str(folder / "evidence")).summary
    return told, facts_in(folder)


def facts_in(folder: Path) -> list[Fact]:
    with Evidence.open(folder / "evidence", write=False) as evidence:
        return evidence.facts()


def steady(request: Received) -> Answer:
    """The service as it would be if nothing were wrong with it."""
    if request.path == "/things":
        items = [t for t in THINGS if t["colour"] == request.query.get("colour", [t["colour"]])[0]]
        limit = request.query.get("limit", ["99"])[0]
        return reply(
            {"data": items[: int(limit)]} if limit.isdigit() else {"error": "limit"}, 200 if limit.isdigit() else 400
        )
    if request.path == "/weather":
        return reply({"sky": "clear", "wind": 3})
    found = next((t for t in THINGS if str(t["id"]) == request.path.split("/")[2]), None)
    if found is None:
        return reply({"error": "no such thing"}, 404)
    return reply({"parts": [{"name": f"part {n}"} for n in range(3)]} if request.path.endswith("/parts") else found)


def test_a_service_without_trouble_has_no_finding(tmp_path: Path) -> None:
    told, facts = explored(steady, tmp_path)
    assert told["findings"] == []
    known = {(fact.key.operation, fact.kind, fact.location) for fact in facts}
    assert ("GET /things/{id}", "comes-from", "path:id") in known
    assert ("GET /things", "empty", "200:/data") in known
    assert ("GET /things/{id}", "field", "404:/error") in known


def test_what_answers_differently_each_time_is_not_known(tmp_path: Path) -> None:
    count = iter(range(10_000))

    def moody(request: Received) -> Answer:
        dice = random.Random(next(count))
        if request.path == "/things":
            items = [{"id": dice.randrange(1000), dice.choice("abc"): 1} for _ in range(dice.randrange(5))]
            return reply({"data": items, **({"total": 1} if dice.random() < 0.5 else {})})
        if dice.random() < 0.2:
            return reply({"error": "oops"}, dice.choice([500, 400, 404]))
        return reply({name: dice.choice([1, "a", None, [1]]) for name in dice.sample(["a", "b", "c", "d"], 3)})

    told, facts = explored(moody, tmp_path)
    assert facts == []
    assert told["facts_dropped"] > 0
    assert "do not answer the same to the same request" in " ".join(told["findings"])


def test_what_was_on_its_way_is_known_once_it_is_done(tmp_path: Path) -> None:
    read = iter(range(10_000))

    def working(request: Received) -> Answer:
        """The parts are worked on until they have been read so often; then the result is shown."""
        answer = steady(request)
        if answer.status != 200 or not request.path.endswith("/parts"):
            return answer
        number = next(read)
        return reply({**json.loads(answer.body), **({"done": number} if number < 7 else {"result": {"size": 3}})})

    told, facts = explored(working, tmp_path)
    assert "do not answer the same" not in " ".join(told["findings"])
    assert "200:/parts" in {fact.location for fact in facts if fact.key.path == "/things/{id}/parts"}


@pytest.mark.parametrize("status", [403, 500])
def test_a_service_that_refuses_after_twenty_calls(tmp_path: Path, status: int) -> None:
    count = iter(range(10_000))
    told, facts = explored(lambda r: steady(r) if next(count) < 20 else reply({"error": "too many"}, status), tmp_path)
    assert facts == []
    assert f"and {status} to the same again" in told["findings"][0] or "stopped answering" in told["findings"][0]


def test_a_service_that_says_429_after_twenty_calls(tmp_path: Path) -> None:
    count = iter(range(10_000))
    with pytest.raises(UnreachableError, match=r"429 to call after call.*--rate"):
        explored(lambda r: steady(r) if next(count) < 20 else reply({}, 429, retry_after="0"), tmp_path)
    assert facts_in(tmp_path) == []


def test_a_limit_of_one_operation_is_met_a_few_times(tmp_path: Path) -> None:
    """It may be called once an hour: the others are explored all the same, and it is not asked again and again."""
    asked = Counter[str]()

    def limited(request: Received) -> Answer:
        asked[request.path] += 1
        return reply({"error": "slow down"}, 429, retry_after="0") if request.path == "/weather" else steady(request)

    days = ", ".join(f"day {n}" for n in range(20))
    free, listed = "{name: day, in: query, schema: {type: string}}", f"schema: {{type: string, enum: [{days}]}}"
    told, facts = explored(limited, tmp_path, SPEC.replace(free, f"{{name: day, in: query, required: true, {listed}}}"))
    assert told["operations_2xx"] == 3
    assert facts
    assert 4 <= asked["/weather"] <= 20


def test_what_changed_meanwhile_is_not_said_as_it_was(tmp_path: Path) -> None:
    count = iter(range(10_000))

    def changing(request: Received) -> Answer:
        """After twenty calls `name` is called `title`; the wind never rests."""
        number, answer = next(count), steady(request)
        text = answer.body.decode()
        if answer.status == 200 and request.path == "/weather":
            return reply({"sky": "clear", "wind": number})
        return reply(json.loads(text.replace('"name"', '"title"') if number >= 20 else text), answer.status)

    told, facts = explored(changing, tmp_path)
    places = {(fact.key.operation, fact.location) for fact in facts if fact.kind in ("field", "type")}
    assert ("GET /things/{id}", "200:/id") in places
    assert not [place for place in places if place[1].endswith("/name")]
    assert not [fact for fact in facts if fact.kind == "observed-values" and fact.location == "200:/wind"]
    assert "changed while they were explored: things GET /things/{id}" in " ".join(told["findings"])


def test_error_messages_that_lie_are_not_quoted(tmp_path: Path) -> None:
    def lying(request: Received) -> Answer:
        limit, colour = (request.query.get(name, [None])[0] for name in ("limit", "colour"))
        if request.path == "/things" and limit is not None and not limit.isdigit():
            return reply({"detail": [{"loc": ["query", "colour"], "msg": "Field required"}]}, 422)
        if request.path == "/things" and colour not in (None, "red", "blue"):
            return reply({"detail": [{"loc": ["query", "colour"], "msg": "Input should be 'green' or 'black'"}]}, 422)
        return steady(request)

    told, facts = explored(lying, tmp_path)
    assert "operations whose error messages are not believed: things GET /things" in told["findings"][0]
    listing = [fact for fact in facts if fact.key.operation == "GET /things"]
    assert not [fact for fact in listing if fact.kind == "required" and fact.location.startswith("query:")]
    assert not [fact for fact in listing if "green" in json.dumps(fact.value) or "required" in json.dumps(fact.value)]
    refusals = {
        fact.value.get("parameter") for fact in listing if fact.kind == "status" and fact.value["status"] == 422
    }
    assert refusals <= {"query:limit", "query:colour"}
    assert "200:/data/0/colour" in {fact.location for fact in listing if fact.kind == "field"}


def test_ids_that_are_huge_signed_unicode_or_have_slashes(tmp_path: Path) -> None:
    ids: list[Any] = [2**63 + 1, -5, "é/ü", "a/b", "Ω mega", 10**25, "x?y#z"]

    def strange(request: Received) -> Answer:
        """It decodes a path before it takes it apart, as many do: what has a slash is never found."""
        parts = unquote(request.path).split("/")
        if request.path == "/things":
            return reply({"data": [{"id": id, "name": "n"} for id in ids]})
        if request.path == "/weather":
            return reply({"sky": "clear"})
        found = next((id for id in ids if str(id) == parts[2]), None)
        if found is None or len(parts) > 4 or (len(parts) == 4 and parts[3] != "parts"):
            return reply({"error": "not found"}, 404)
        return reply({"parts": []} if len(parts) == 4 else {"id": found, "name": "n"})

    told, facts = explored(strange, tmp_path)
    assert "refuse IDs that the service itself gives: things GET /things/{id} (it does not know" in told["findings"][0]
    assert not [fact for fact in facts if fact.kind == "type" and fact.location in ("200:/data/0/id", "200:/id")]
    assert not [fact for fact in facts if fact.kind == "type" and fact.location == "path:id" and fact.value != "string"]
    values = [v for f in facts if f.kind == "observed-values" and f.location == "path:id" for v in f.value]
    assert values
    assert all(value in ids and "/" not in str(value) for value in values)


def test_the_same_page_for_everything_says_nothing(tmp_path: Path) -> None:
    page = {"ok": True, "id": 17, "data": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]}
    told, facts = explored(lambda _: reply(page), tmp_path)
    assert facts == []
    assert told["findings"][0].startswith("4 of 4 operations of things answer the same page: check --base-url")


def test_of_an_api_that_answers_with_nothing_no_page_is_told(tmp_path: Path) -> None:
    told, facts = explored(lambda _: reply(None), tmp_path)
    assert facts == []
    assert told["findings"][0] == "4 of 4 operations of things answer with nothing; nothing is said of them"


def test_that_head_answers_without_content_is_no_reason_to_doubt(tmp_path: Path) -> None:
    heads = {"head": {"responses": {"200": {"description": "ok"}}}}
    spec = yaml.safe_load(SPEC)
    spec["paths"] = {
        path: {**item, **heads, "parameters": [p for p in item["get"]["parameters"] if p["in"] == "path"]}
        for path, item in spec["paths"].items()
    }
    told, facts = explored(steady, tmp_path, yaml.safe_dump(spec))
    assert told["findings"] == []
    assert [fact for fact in facts if fact.key.method == "GET"]


def test_the_same_web_page_for_everything_is_told_at_once(tmp_path: Path) -> None:
    page = Answer(200, b"<html><body>Welcome</body></html>", {"Content-Type": "text/html"})
    with pytest.raises(UnreachableError, match=r"pages, not JSON.*--base-url"):
        explored(lambda _: page, tmp_path)
    assert facts_in(tmp_path) == []


@pytest.mark.parametrize("is_own", [True, False])
def test_an_id_that_the_run_chose_for_its_own_thing_is_not_just_any(tmp_path: Path, is_own: bool) -> None:
    (tmp_path / "things.yaml").write_text(SPEC)
    catalog, graph, chosen = load(tmp_path / "things.yaml"), {"nodes": ["start", "end"]}, run_uuid(7)
    key = OperationKey("things", "GET /things/{id}/parts")
    ids: list[tuple[Purpose, str]] = [("survey", "5b0c3a9e-4d7f-4c0b-8a1e-2f3d4c5b6a71"), ("probe", chosen)]
    with Evidence.open(tmp_path / "evidence", write=True) as evidence:
        evidence.begin({"specs": catalog.digest})
        for purpose, id in ids:
            call = Call(id, key, {"path:id": id}, "u", 200, {}, graph, "application/json", purpose)
            evidence.calls.put(call)
        if is_own:
            evidence.journal.put(JournalItem("1", "things", f"/things/{chosen}", {"path:id": chosen}, chosen))
        doubts = Distrust(catalog)
        doubts.look(evidence)
    assert doubts.places.get(key, set()) == (set() if is_own else {"path:id"})
