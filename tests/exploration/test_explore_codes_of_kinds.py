"""Codes of kinds: a currency is known by its code, and not by what it is called; a country may be taken already."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from callkit import document
from servers import Answer, Received, Server, reply

import docrev

TEXT = {"type": "string"}
LINES = (
    "GET /currencies",
    "POST /currencies/{code}",
    "GET /regions",
    "POST /regions",
    "GET /regions/{id}",
    "DELETE /regions/{id}",
)
PROPERTIES = {
    "name": TEXT,
    "currency_code": TEXT,
    "carriers": {"type": "array", "items": TEXT},
    "countries": {"type": "array", "items": TEXT, "example": ["US"]},
}


class Regions:
    """Regions, one of them somebody's: each has a known currency, a known carrier, and countries that no other has."""

    def __init__(self) -> None:
        carriers = [{"id": "by-hand", "is_installed": True}]
        countries = [{"id": 7, "iso": "us"}, {"id": 8, "iso": "fr"}]
        self.there: dict[str, dict[str, Any]] = {
            "1": {"id": "1", "name": "West", "currency_code": "usd", "carriers": carriers, "countries": countries}
        }
        self.next = 2

    def answer(self, request: Received) -> Answer:
        id = request.path.rpartition("/")[2]
        if request.path == "/currencies":
            return reply([{"code": "usd", "name": "US Dollar"}, {"code": "aud", "name": "Australian Dollar"}])
        if request.method == "POST" and request.path == "/regions":
            return self.made(request.json)
        if request.path == "/regions":
            return reply({"regions": list(self.there.values())})
        if id not in self.there:
            return reply({"message": "not found"}, 404)
        return reply(self.there[id] if request.method == "GET" else self.there.pop(id))

    def made(self, body: dict[str, Any]) -> Answer:
        taken = {country["iso"] for region in self.there.values() for country in region["countries"]}
        if body.get("currency_code") not in ("usd", "aud"):
            return reply({"message": "Invalid currency code"}, 400)
        if body.get("carriers") != ["by-hand"]:
            return reply({"message": "Carrier not found"}, 400)
        countries = [{"id": len(code), "iso": code.lower()} for code in body["countries"]]
        if any(len(country["iso"]) != 2 for country in countries):
            return reply({"message": "Invalid country code"}, 400)
        if any(country["iso"] in taken for country in countries):
            return reply({"message": "The United States already exists in region 1"}, 422)
        id, self.next = str(self.next), self.next + 1
        self.there[id] = {**body, "id": id, "carriers": [{"id": "by-hand"}], "countries": countries}
        return reply(self.there[id], 201)


def test_what_is_known_by_a_code_is_sent_by_it_and_another_is_tried_where_it_is_taken(tmp_path: Path) -> None:
    file, regions = tmp_path / "atlas.json", Regions()
    theirs = json.dumps(regions.there)
    schema = {"type": "object", "required": list(PROPERTIES), "properties": PROPERTIES}
    body = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    file.write_text(json.dumps(document(LINES, **{"POST /regions": body})))
    with Server({f"{method} /*": regions.answer for method in ("GET", "POST", "DELETE")}) as server:
        summary = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=120, allow=["POST,DELETE"]
        ).summary
    assert "POST /regions" not in {missed["operation"] for missed in summary["missed"]}
    assert json.dumps(regions.there) == theirs
    assert summary["left"] == []
