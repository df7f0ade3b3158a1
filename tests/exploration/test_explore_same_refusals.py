"""What several operations lack is not asked for again and again in what each of them is sent."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop
from test_explore_reach import explored, of_body, texts

NONE = "No relays registered!"
LETTER = {
    "type": "object",
    "required": ["subject"],
    "properties": {
        "subject": {"type": "string"},
        "priority": {"type": "string", "enum": ["low", "middle", "high"]},
        "weight": {"type": "integer"},
        "sealed": {"type": "boolean"},
        "lines": {"type": "array", "items": {"type": "string"}},
        "sender": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    },
}
PLACES = ("messages", "calls", "faxes", "letters")
SENDERS = [f"POST /{name}" for name in PLACES]
LINES = [
    line
    for name in PLACES
    for line in (f"GET /{name}", f"POST /{name}", f"GET /{name}/{{id}}", f"DELETE /{name}/{{id}}")
]
BODIES = {line: of_body(LETTER) for line in SENDERS}


class Relayed(Shop):
    """Nothing is sent before there is a relay; `said` is what is answered instead."""

    said = NONE

    def __call__(self, request: Received) -> Answer:
        relayed = any(path.startswith("/relays/") for path in self.things)
        if request.method == "POST" and request.path != "/relays" and not relayed:
            return reply({"detail": self.said}, 400)
        return super().__call__(request)


def sent_to(server: Server) -> list[int]:
    """How often each of the senders was called."""
    counts = Counter(f"{request.method} {request.path}" for request in server.requests)
    return [counts[line] for line in SENDERS]


def test_what_is_refused_in_the_same_words_is_given_up_soon(tmp_path: Path) -> None:
    reached, server = explored(tmp_path, Relayed(), LINES, **BODIES)
    assert reached == {f"GET /{name}" for name in PLACES}
    assert max(sent_to(server)) <= 4


def test_what_says_nothing_is_no_reason_to_give_up(tmp_path: Path) -> None:
    shop = Relayed()
    shop.said = "The request is not valid"
    _, server = explored(tmp_path, shop, LINES, **BODIES)
    assert min(sent_to(server)) > 4


@pytest.mark.parametrize("first", [True, False])
def test_it_is_tried_again_once_something_else_was_made(tmp_path: Path, first: bool) -> None:
    relays = ["GET /relays", "POST /relays", "GET /relays/{id}", "DELETE /relays/{id}"]
    bodies = BODIES | {"POST /relays": texts(*"abcde")}
    reached, _ = explored(tmp_path, Relayed(), relays + LINES if first else LINES + relays, **bodies)
    assert reached == {*relays, *LINES}
