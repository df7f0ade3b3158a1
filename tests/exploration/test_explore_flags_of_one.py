"""A flag that one thing has at a time is not taken from somebody's: not by sending it, nor by leaving it out."""

from __future__ import annotations

from pathlib import Path

from servers import Answer, Received
from shop import Shop
from test_explore_reach import explored, of_body

LINES = [f"{method} /items/{{id}}" for method in ("GET", "PUT", "PATCH", "DELETE")] + ["GET /items", "POST /items"]
THEIRS = {"name": "theirs", "active": True, "loop": False}
FLAG = {"type": "boolean", "description": "Whether it is your active one. All other items will then be inactive"}
ITEM = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "active": FLAG, "loop": {"type": "boolean"}},
}
BODIES = {line: of_body(ITEM) for line in LINES if line.startswith(("POST", "PUT", "PATCH"))}


class OneActive(Shop):
    """What is made, or changed, is the active one, unless the body says that it is not."""

    def __call__(self, request: Received) -> Answer:
        before = {path: thing.get("active") for path, thing in self.things.items()}
        answer = super().__call__(request)
        for path, thing in self.things.items():
            if path not in before or (request.method != "GET" and request.path == path):
                thing.setdefault("active", request.method != "PATCH")
        for path, thing in self.things.items():
            if thing["active"] and not before.get(path):
                for other in (other for at, other in self.things.items() if at != path):
                    other["active"] = False
        return answer


def test_no_thing_of_somebody_loses_what_one_has_at_a_time(tmp_path: Path) -> None:
    shop = OneActive({"/items/90": dict(THEIRS)})
    reached, server = explored(tmp_path, shop, LINES, **BODIES)
    assert shop.things == {"/items/90": THEIRS}
    assert reached == {*LINES}
    assert {request.json.get("active") for request in server.requests if request.method == "POST"} == {False}
