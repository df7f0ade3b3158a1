"""Things that may lie in others of their kind: nothing is put into somebody's, and `null` is the top."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from servers import Answer, Received, Server, reply
from shop import Shop

import docrev

WHOLE = {"type": "integer", "nullable": True}
BOX = {"type": "object", "properties": {"label": {"type": "string"}, "parent": WHOLE}}
BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": BOX}}}}
OK = {"responses": {"200": {"description": "ok"}}}
ONE = [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}]
PATHS = {
    "/boxes": {"get": OK, "post": BODY | OK},
    "/boxes/{id}": {"parameters": ONE, "get": OK, "put": BODY | OK, "delete": OK},
}


class Attic(Shop):
    """Boxes in boxes: who creates or changes one says in which, be it none."""

    def __call__(self, request: Received) -> Answer:
        if request.method in ("POST", "PUT"):
            sent: Any = request.json if request.body else {}
            if missing := [name for name in ("label", "parent") if name not in sent]:
                return reply({missing[0]: ["This field is required."]}, 400)
            parent = sent["parent"]
            if parent is not None and f"/boxes/{parent}" not in self.things:
                return reply({"parent": [f'Invalid pk "{parent}" - object does not exist.']}, 400)
            self.put_into.append(parent)
        return super().__call__(request)

    put_into: list[Any]


def test_nothing_is_put_into_somebodys_thing_of_the_same_kind(tmp_path: Path) -> None:
    attic = Attic({f"/boxes/{number}": {"label": f"old {number}", "parent": None} for number in (71, 72)})
    attic.put_into = []
    file = tmp_path / "attic.json"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "attic", "version": "1"}, "paths": PATHS}))
    with Server(attic.routes) as server:
        found = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "out", allow=("POST,PUT,DELETE",), max_calls=200
        )
    assert None in attic.put_into
    assert not {71, 72} & {*attic.put_into}
    assert found.summary["operations_2xx"] == len([*PATHS["/boxes"], *PATHS["/boxes/{id}"]]) - 1
    assert attic.things.keys() == {"/boxes/71", "/boxes/72"}
