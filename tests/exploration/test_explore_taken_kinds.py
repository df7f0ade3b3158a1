"""Where there is one thing for each of some values, and most are there: the others are tried one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, of_body

TYPES = ["email", "chat", "phone", "page", "fax", "siren", "lamp"]
CHANNEL = {
    "type": "object",
    "required": ["type"],
    "properties": {"type": {"type": "string", "enum": TYPES}, "label": {"type": "string"}},
}
LINES = ["GET /channels", "POST /channels", "GET /channels/{id}", "DELETE /channels/{id}"]


class Channels(Shop):
    """Has one channel of each type at most, and says so in `words`, or shows it in its list."""

    words = ""

    def shown(self, path: str) -> dict[str, Any]:
        return {name: value for name, value in super().shown(path).items() if name != "type" or not self.words}

    def __call__(self, request: Received) -> Answer:
        given = (request.json or {}).get("type") if request.method == "POST" else None
        if any(thing["type"] == given for thing in self.things.values()):
            return reply({"error": self.words.format(given)}, 409)
        return super().__call__(request)


@pytest.mark.parametrize("words", ["", "A channel of this type already exists", "Channel '{}' is already in use"])
def test_the_value_that_nothing_has_yet_is_found(tmp_path: Path, words: str) -> None:
    theirs = {f"/channels/{900 + number}": {"type": kind, "label": kind} for number, kind in enumerate(TYPES[:-1])}
    shop = Channels(theirs)
    shop.words = words
    reached, _ = explored(tmp_path, shop, LINES, **{"POST /channels": of_body(CHANNEL)})
    assert reached == set(LINES)
    assert shop.things == theirs
