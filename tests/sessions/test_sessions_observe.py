"""`docrev observe`: traffic of others as evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from clikit import document
from servers import Server, reply

import docrev as api
from docrev.errors import InputError
from docrev.evidence import Evidence
from docrev.records import Fact
from docrev.spec.security import security_schemes

URL = "https://shop.example/api"
SECRET = "tok-51f0c2aa9e7d4b"


def har_entry(target: str, body: Any, status: int = 200, method: str = "GET", **request: Any) -> dict[str, Any]:
    """One entry as browsers write them."""
    content = {"size": 1, "mimeType": "application/json; charset=utf-8", "text": json.dumps(body)}
    headers = [{"name": "Authorization", "value": f"Bearer {SECRET}"}]
    sent = {"method": method, "url": URL + target, "headers": headers, "queryString": [], **request}
    return {
        "startedDateTime": "2024-01-01T00:00:00Z",
        "request": sent,
        "response": {"status": status, "headers": [{"name": "X-Echo", "value": SECRET}], "content": content},
    }


def har_of(*entries: Mapping[str, Any]) -> str:
    return json.dumps({"log": {"version": "1.2", "pages": [], "entries": entries}})


def product(number: int) -> dict[str, Any]:
    return {"id": f"p-{number:03}", "kind": "tool" if number % 3 else "part", "price": number * 1.5, "token": SECRET}


ENTRIES = [
    har_entry("/products", {"items": [product(n) for n in range(20)], "next": "c-20"}),
    har_entry("/products?cursor=c-20", {"items": [product(n) for n in range(20, 40)], "next": None}),
    *(har_entry(f"/products/p-{n:03}", product(n)) for n in (1, 3, 21)),
    *(har_entry(f"/products/p-{n:03}", product(n)) for n in (1, 3)),
    har_entry("/products/none", {"detail": "no such product"}, 404),
    har_entry("/products/nowhere", {"detail": "no such product"}, 404),
    har_entry(
        "/orders", {"id": "o-1"}, 201, "POST", postData={"mimeType": "application/json", "text": '{"password":"x1"}'}
    ),
    {"request": {"method": "GET", "url": "https://ads.example/t?x=1"}, "response": {"status": 204, "content": {}}},
    {"request": {"method": "GET", "url": f"{URL}/products"}, "response": {"status": 0, "content": {}}},
]
OPERATIONS = ("GET /products", "GET /products/{id}", "POST /orders")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    spec = tmp_path / "shop.json"
    spec.write_text(json.dumps(document(OPERATIONS)))
    return spec


def facts(out: Path) -> dict[tuple[str, str, str], Fact]:
    with Evidence.open(out, write=False) as evidence:
        return {(fact.key.operation, fact.kind, fact.location): fact for fact in evidence.facts()}


def test_what_watching_shows_is_kept_and_nothing_secret(shop: Path, tmp_path: Path) -> None:
    traffic, out = tmp_path / "traffic.har", tmp_path / "out"
    traffic.write_text(har_of(*ENTRIES))
    told = api.observe(shop, traffic, base_urls=URL, out=out).to_json()
    assert (told["read"], told["kept"], told["seen_before"]) == (11, 8, 2)
    assert told["unmatched"] == [{"what": "GET ads.example", "exchanges": 1}]
    assert {"tool": "shop", "operation": "GET /products", "location": "200:/items/0/kind"}.items() <= max(
        told["values"], key=lambda row: row["location"] == "200:/items/0/kind"
    ).items()
    found = facts(out)
    assert ("GET /products", "field", "200:/items/0/price") in found
    assert found["GET /products", "pages", "query:cursor"].value["next"] == "200:/next"
    assert found["GET /products/{id}", "comes-from", "path:id"].value["field"] == "200:/items/0/id"
    # One call is no repetition, and what is required, ignored or allowed takes a trial.
    assert not any(operation == "POST /orders" for operation, *_ in found)
    assert {kind for _, kind, _ in found}.isdisjoint({"required", "ignored", "allowed-values", "default", "empty"})
    stored = b"".join(path.read_bytes() for path in out.iterdir())
    with Evidence.open(out, write=False) as evidence:
        calls = list(evidence.calls.select())
    text = repr(calls)
    assert SECRET not in text
    assert "x1" not in text
    assert SECRET.encode() not in stored
    again = api.observe(shop, traffic, base_urls=URL, out=out)
    assert (again.kept, again.seen_before) == (0, 10)


def test_json_lines_and_examples_of_postman_are_traffic_too(shop: Path, tmp_path: Path) -> None:
    lines = tmp_path / "traffic.jsonl"
    rows = [json.dumps(entry) for entry in ENTRIES[:5]]
    rows += [
        json.dumps({"method": "GET", "url": f"{URL}/products/p-00{n}", "status": 200, "body": product(n)})
        for n in (5, 6)
    ]
    lines.write_text("\n".join(rows))
    assert api.observe(shop, lines, base_urls=URL, out=tmp_path / "a").kept == 7
    example = {
        "name": "One product",
        "originalRequest": {
            "method": "GET",
            "header": [],
            "url": {"raw": "{{base}}/products/:id", "variable": [{"key": "id", "value": "p-001"}]},
        },
        "code": 200,
        "header": [{"key": "Content-Type", "value": "application/json"}],
        "body": json.dumps(product(1)),
    }
    request = {"method": "GET", "url": {"raw": "{{base}}/products/:id"}}
    collection = {
        "info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
        "variable": [{"key": "base", "value": URL}],
        "item": [{"name": "Products", "item": [{"name": "One", "request": request, "response": [example]}]}],
    }
    saved = tmp_path / "shop.postman_collection.json"
    saved.write_text(json.dumps(collection))
    assert api.observe(shop, saved, base_urls=URL, out=tmp_path / "b").kept == 1
    api.import_specs("postman", saved, tmp_path / "specs")
    [imported] = (tmp_path / "specs").iterdir()
    [operation] = api.load(imported).operations
    assert operation.key.operation == "GET /api/products/{id}"
    assert SECRET not in imported.read_text()
    # The spec of a collection is one that its examples are evidence for.
    assert api.observe(imported, saved, out=tmp_path / "c").kept == 1


def test_how_a_collection_says_who_asks_becomes_security_schemes_without_secrets(tmp_path: Path) -> None:
    def entry(name: str, **request: object) -> dict[str, object]:
        return {"name": name, "request": {"method": "GET", "url": f"{URL}/{name}"} | request}

    key = {"type": "apikey", "apikey": [{"key": "value", "value": SECRET}, {"key": "key", "value": "{{head}}"}]}
    signed = {"type": "awsv4", "awsv4": [{"key": "secretKey", "value": SECRET}]}
    old = {"type": "apikey", "apikey": {"key": "token", "value": SECRET, "in": "query"}}
    grant = {
        "grant_type": "client_credentials",
        "accessTokenUrl": f"{URL}/token",
        "scope": "read",
        "clientSecret": SECRET,
    }
    oauth = {
        "type": "oauth2",
        "oauth2": [{"key": name, "value": value} for name, value in grant.items()],
    }
    collection = {
        "info": {"name": "Shop"},
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": SECRET}]},
        "variable": [{"key": "head", "value": "X-Shop-Key"}],
        "item": [
            {"name": "Folder", "auth": key, "item": [entry("keyed"), entry("open", auth={"type": "noauth"})]},
            *(entry("inherits"), entry("signed", auth=signed), entry("old", auth=old), entry("oauth", auth=oauth)),
        ],
    }
    saved = tmp_path / "shop.json"
    saved.write_text(json.dumps(collection))
    imported = api.import_specs("postman", saved, tmp_path / "specs")
    [file] = (tmp_path / "specs").iterdir()
    assert SECRET not in file.read_text()
    catalog = api.load(file)
    used = {operation.path.rpartition("/")[2]: operation.security for operation in catalog.operations}
    assert used == {
        "keyed": ("apiKey",),
        "open": (),
        "inherits": ("bearer",),
        "signed": (),
        "old": ("apiKey_2",),
        "oauth": ("oauth2",),
    }
    schemes = {scheme.name: scheme for scheme in security_schemes(catalog)}
    assert (schemes["apiKey"].location, schemes["apiKey"].parameter) == ("header", "X-Shop-Key")
    assert (schemes["apiKey_2"].location, schemes["apiKey_2"].parameter) == ("query", "token")
    assert schemes["oauth2"].token_url == f"{URL}/token"
    assert imported.warnings == [f"{saved}: OpenAPI has no scheme for auth awsv4"]
    # A header among the others says it, too.
    header = entry("x", header=[{"key": "Authorization", "value": f"Bearer {SECRET}"}])
    saved.write_text(json.dumps(collection | {"auth": None, "item": [header]}))
    api.import_specs("postman", saved, tmp_path / "other")
    [file] = (tmp_path / "other").iterdir()
    assert [scheme.kind for scheme in security_schemes(api.load(file))] == ["bearer"]
    assert SECRET not in file.read_text()


def test_exploring_starts_from_what_was_watched(shop: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    rows = [product(n) for n in range(40)]
    routes = {f"GET /api/products/{row['id']}": reply(row) for row in rows}
    with Server({**routes, "GET /api/products": reply({"detail": "down"}, 503)}) as server:
        base = f"{server.url}/api"
        traffic = tmp_path / "traffic.har"
        traffic.write_text(har_of(*ENTRIES).replace(URL, base))
        api.observe(shop, traffic, base_urls=base, out=out)
        watched = facts(out)
        explored = api.explore(shop, base_urls=base, out=out, max_calls=60)
        # The list is down: its ids are known from the traffic alone.
        assert any("/products/p-0" in path for path in server.seen)
        assert explored.summary["requests"] <= 60
        found = facts(out)
        again = api.explore(shop, base_urls=base, out=out, max_calls=60)
        assert again.kept
    assert ("GET /products", "field", "200:/items/0/price") in watched
    assert ("GET /products", "field", "200:/items/0/price") in found
    assert found["GET /products/{id}", "field", "200:/price"].replays


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("\x00\x01", "no record of a request"),
        ('{"log": {"version": "1.2"}}', "no HAR"),
        ('{"log": {"entries": [' + "[" * 200_000, "no HAR"),
        ('{"log": {"entries": [{"request"', "no HAR"),
        ('{"log": {"entries": []}}', "no request with a response"),
        (har_of(har_entry("/elsewhere", {})), "none of 1 requests"),
        ("[1, 2]", "no record of a request"),
        ('{"info": {}, "item": []}', "no request with a response"),
    ],
)
def test_what_is_no_traffic_gives_one_line(shop: Path, tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "t.har"
    file.write_text(text)
    with pytest.raises(InputError) as failed:
        api.observe(shop, file, base_urls=URL, out=tmp_path / "out")
    assert says in str(failed.value)
    assert "\n" not in str(failed.value)


def test_a_record_that_breaks_off_is_used_up_to_there(shop: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.har"
    file.write_text(har_of(*ENTRIES[:4])[:-300])
    notices: list[str] = []
    found = api.observe(shop, file, base_urls=URL, out=tmp_path / "out", on_event=lambda e: notices.append(str(e)))
    assert found.read == 3
    assert "left out" in notices[0]
