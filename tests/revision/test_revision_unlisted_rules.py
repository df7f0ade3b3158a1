"""What refusals show without a rule that says it: texts that are checked, and what only some requests need."""

from __future__ import annotations

import json
from ipaddress import ip_address
from typing import Any

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop
from test_revision_texts import revised

import docrev

TEXT = {"type": "string"}
_CIPHERS = ("aes-gcm", "chacha20")


def body(**properties: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"type": "object", "properties": properties}}}}


def returns(**properties: Any) -> dict[str, Any]:
    return {"description": "OK", **body(**properties)}


def at(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": TEXT}


TEXTS = {"type": "array", "items": TEXT}
KEY: dict[str, Any] = {
    "type": "object",
    "properties": {"id": TEXT, "title": TEXT, "cipher": TEXT, "engine": TEXT, "peers": TEXTS},
}
SPEC = {
    "openapi": "3.0.3",
    "info": {"title": "cabinet", "version": "1"},
    "paths": {
        "/keys": {
            "get": {"responses": {"200": returns(data={"type": "array", "items": KEY})}},
            "post": {
                "requestBody": body(
                    title=TEXT, cipher={**TEXT, "example": "aes-gcm"}, engine={**TEXT, "example": "soft"}, peers=TEXTS
                ),
                "responses": {"201": returns(**KEY["properties"])},
            },
        },
        "/keys/{id}": {
            "get": {"parameters": [at("id")], "responses": {"200": returns(id=TEXT, title=TEXT)}},
            "delete": {"parameters": [at("id")], "responses": {"204": {"description": "Deleted"}}},
        },
        "/papers/{slug}": {
            "get": {"parameters": [at("slug")], "responses": {"200": returns(id=TEXT, sort=TEXT, text=TEXT)}},
            "put": {
                "parameters": [at("slug")],
                "requestBody": body(title=TEXT, sort=TEXT, text=TEXT),
                "responses": {"201": {"description": "Created"}, "200": {"description": "Saved"}},
            },
            "delete": {"parameters": [at("slug")], "responses": {"204": {"description": "Deleted"}}},
        },
    },
}


def _is_address(text: str) -> bool:
    try:
        return bool(ip_address(text))
    except ValueError:
        return False


class Cabinet(Shop):
    """Keys of certain ciphers, on engines of which others than its own make it fail; papers that need a sort and a text
    once they are there."""

    def __call__(self, request: Received) -> Answer:
        sent = request.json if request.body else {}
        if not isinstance(sent, dict):
            return reply({"error": "no body"}, 400)
        if request.method == "POST":
            if "cipher" not in sent:
                return reply({"error": "cipher is required"}, 422)
            if sent["cipher"] not in _CIPHERS:
                return reply({"error": f"Unsupported cipher '{sent['cipher']}'"}, 422)
            for peer in sent.get("peers", []):
                if not _is_address(peer):
                    return reply({"error": f"Peer ({peer}) is not an IP address"}, 422)
            if sent.get("engine", "soft") != "soft":
                return reply({"error": "Unhandled error"}, 500)
        if request.method == "PUT" and request.path in self.things:
            for name in ("sort", "text"):
                if name not in sent:
                    return reply({"error": f"No paper {name} provided"}, 422)
        return super().__call__(request)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("cabinet")
    path = folder / "cabinet.json"
    path.write_text(json.dumps(SPEC))
    seeded = {f"/keys/{n}": {"title": f"old {n}", "cipher": "aes-gcm", "engine": "soft"} for n in range(2)}
    with Server(Cabinet(seeded).routes) as server:
        docrev.explore(path, base_urls=server.url, out=folder / "evidence", max_calls=400, allow=["POST,PUT,DELETE"])
    [found] = revised(path, folder / "evidence").documents.values()
    return found.tree


def described(document: Any, name: str) -> str:
    schema = document["paths"]["/keys"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return str(schema["properties"][name].get("description", ""))


def test_a_text_that_is_checked_against_what_nothing_lists_is_told_with_one_that_is_accepted(document: Any) -> None:
    assert "Accepts `aes-gcm`, among others." in described(document, "cipher")
    assert "Accepts" not in described(document, "title")


def test_what_each_item_of_a_list_must_be_is_told_at_the_list(document: Any) -> None:
    assert described(document, "peers") == "Each must be an IP address."


def test_that_an_unknown_name_makes_the_api_fail_is_no_part_of_its_documentation(document: Any) -> None:
    assert "500" not in described(document, "engine")
    assert "500" not in described(document, "title")


def test_what_is_needed_to_replace_a_thing_and_not_to_create_it_is_told(document: Any) -> None:
    text = document["paths"]["/papers/{slug}"]["put"]["description"]
    assert "If the `slug` exists already, requests without `sort` may return 422." in text
