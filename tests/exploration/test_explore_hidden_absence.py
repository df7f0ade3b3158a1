"""What a 403 says does not exist is as absent as what a 404 says is not there: no other credentials would show it."""

from __future__ import annotations

import json
from pathlib import Path

from callkit import document
from servers import Answer, Received, Server, reply
from shop import Shop
from test_explore_reach import texts

import docrev


class Hiding(Shop):
    """Answers `status` and words where nothing is there; nothing is ever found under /vaults."""

    status = 404

    def __call__(self, request: Received) -> Answer:
        if request.path.startswith("/vaults/"):
            return reply({"error": "The vault does not exist."}, self.status)
        return super().__call__(request)


LINES = [
    *("GET /vaults", "POST /notes", "GET /notes", "GET /notes/{id}", "DELETE /notes/{id}"),
    *("GET /vaults/{vault}", "GET /vaults/{vault}/keys", "PUT /vaults/{vault}", "POST /vaults/{vault}/keys"),
]


def test_a_403_that_says_so_is_read_as_absence(tmp_path: Path) -> None:
    body = texts("name")
    file = tmp_path / "vaults.json"
    file.write_text(json.dumps(document(LINES, **{"POST /notes": body, "PUT /vaults/{vault}": body})))
    missed = {}
    for status in (404, 403):
        shop = Hiding({"/vaults/a": {"name": "a"}, "/vaults/b": {"name": "b"}})
        shop.status = status
        with Server(shop.routes) as server:
            found = docrev.explore(
                file, base_urls=server.url, allow="POST,PUT,DELETE", max_calls=150, out=tmp_path / f"{status}"
            )
        missed[status] = {row["operation"]: row["kind"] for row in found.summary["missed"]}
    assert missed[403] == missed[404]
    assert "credentials" not in missed[403].values()
