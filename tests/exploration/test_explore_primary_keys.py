"""Things that are known by a `pk`, as Django's are, and bodies that name them in an object: `{"domain": {"pk": 3}}`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, of_body, texts

LINES = [
    *("GET /domains", "POST /domains", "GET /domains/{id}", "PATCH /domains/{id}"),
    *("GET /boxes", "POST /boxes", "GET /boxes/{id}", "PATCH /boxes/{id}", "DELETE /boxes/{id}"),
]
REMOVAL = "POST /domains/{id}/delete"


class Mail(Shop):
    """Domains, removed by a POST, and boxes in them; `id` is what things are known by, beside their name."""

    def __init__(self, id: str) -> None:
        super().__init__({"/domains/1": {"name": "ann.example"}, "/boxes/1": {"name": "ann", "domain": 1}})
        self.id = id

    def shown(self, path: str) -> dict[str, Any]:
        thing = super().shown(path)
        return {self.id: thing.pop("id"), **thing}

    def __call__(self, request: Received) -> Answer:
        path, sent = request.path.rstrip("/"), request.json if request.body else {}
        if request.method == "POST" and path.endswith("/delete"):
            above = path.removesuffix("/delete")
            if above not in self.things:
                return reply({"detail": "Not found."}, 404)
            self._remove(above)
            return Answer(204)
        if request.method == "POST" and not isinstance(sent.get("name"), str):
            return reply({"name": ["This field is required."]}, 400)
        if request.method == "POST" and path == "/boxes":
            domain = sent.get("domain")
            number = domain.get(self.id) if isinstance(domain, dict) else None
            if f"/domains/{number}" not in self.things:
                return reply({"domain": {self.id: ["This field is required."]}}, 400)
        return super().__call__(request)


@pytest.mark.parametrize("id", ["pk", "id"])
def test_a_body_names_a_thing_of_the_run_by_the_id_in_an_object(tmp_path: Path, id: str) -> None:
    domain = {"type": "object", "required": [id], "properties": {id: {"type": "integer"}, "name": {"type": "string"}}}
    box = {
        "type": "object",
        "required": ["name", "domain"],
        "properties": {"name": {"type": "string"}, "domain": domain},
    }
    removed = {"type": "object", "properties": {"keep_folder": {"type": "boolean"}}}
    mail, lines = Mail(id), [*LINES, REMOVAL]
    bodies = {"POST /domains": texts("name"), "POST /boxes": of_body(box), REMOVAL: of_body(removed)}
    reached, _ = explored(tmp_path, mail, lines, **bodies)
    assert reached == set(lines)
    assert mail.things == Mail(id).things


def test_an_object_that_refers_to_a_thing_by_its_id_has_nothing_made_up_beside_it(tmp_path: Path) -> None:
    """A schema that is shared by all references requires none of its properties."""

    class Strict(Mail):
        def __call__(self, request: Received) -> Answer:
            sent = request.json if request.body else {}
            domain = sent.get("domain") if request.path.rstrip("/") == "/boxes" else None
            if domain is not None and domain.keys() != {"id"}:
                return reply({"domain": ["This is no reference."]}, 400)
            return super().__call__(request)

    reference = {"id": {"type": "integer"}, "kind": {"type": "string"}, "link": {"type": "string", "format": "uri"}}
    box = {
        "type": "object",
        "required": ["name", "domain"],
        "properties": {"name": {"type": "string"}, "domain": {"type": "object", "properties": reference}},
    }
    mail, bodies = Strict("id"), {"POST /domains": texts("name"), "POST /boxes": of_body(box)}
    reached, server = explored(tmp_path, mail, [*LINES, REMOVAL], **bodies)
    assert "POST /boxes" in reached
    posted = [one for one in server.requests if one.method == "POST" and one.path.rstrip("/") == "/boxes" and one.body]
    sent = [request.json["domain"] for request in posted if "domain" in request.json]
    assert not any("link" in domain for domain in sent if isinstance(domain, dict))
    assert mail.things == Mail("id").things
