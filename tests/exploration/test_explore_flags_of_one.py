"""A flag that one thing has at a time is not taken from somebody's: not by sending it, nor by leaving it out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received
from shop import Shop
from test_explore_reach import explored, of_body

LINES = [f"{method} /items/{{id}}" for method in ("GET", "PUT", "PATCH", "DELETE")] + ["GET /items", "POST /items"]
THEIRS = {"name": "theirs", "active": True, "loop": False}
FLAG = {"type": "boolean", "description": "Whether it is your active one. All other items will then be inactive"}
BOOLEAN = {"type": "boolean"}
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


class OneHas(Shop):
    """What gets a value of a member takes it from the thing that has it, though no text says so."""

    def __init__(self, member: str, value: Any, rest: Any) -> None:
        things = {f"/items/{900 + n}": {"name": f"item {n}", member: value if n == 2 else rest} for n in range(1, 5)}
        super().__init__(things)
        self.member, self.value, self.rest = member, value, rest

    def __call__(self, request: Received) -> Answer:
        before = {path for path, thing in self.things.items() if thing.get(self.member) == self.value}
        answer = super().__call__(request)
        new = [
            path for path, thing in self.things.items() if thing.get(self.member) == self.value and path not in before
        ]
        for path in before if new else ():
            if path in self.things:
                self.things[path] = {**self.things[path], self.member: self.rest}
        return answer


@pytest.mark.parametrize(
    ("member", "value", "rest", "schema"),
    [
        ("pinned", True, False, {"type": "boolean"}),
        ("stage", "current", "past", {"type": "string", "enum": ["current", "past", "future"]}),
    ],
)
def test_what_one_thing_alone_is_shown_to_have_is_not_taken_from_it(
    tmp_path: Path, member: str, value: Any, rest: Any, schema: dict[str, Any]
) -> None:
    shop = OneHas(member, value, rest)
    before = dict(shop.things)
    properties = {"name": {"type": "string"}, member: schema}
    item = {"type": "object", "required": ["name", member], "properties": properties}
    bodies = {line: of_body(item) for line in LINES if line.startswith(("POST", "PUT", "PATCH"))}
    reached, server = explored(tmp_path, shop, LINES, **bodies)
    assert shop.things == before
    assert reached == {*LINES}
    sent = [request.json[member] for request in server.requests if request.body and member in request.json]
    assert sent
    assert value not in sent


def test_what_several_things_have_is_sent(tmp_path: Path) -> None:
    shop = Shop({f"/items/{900 + n}": {"name": f"item {n}", "loop": n < 3} for n in range(1, 5)})
    item = {"type": "object", "required": ["name", "loop"], "properties": {"name": {"type": "string"}, "loop": BOOLEAN}}
    bodies = {line: of_body(item) for line in LINES if line.startswith(("POST", "PUT", "PATCH"))}
    _, server = explored(tmp_path, shop, LINES, **bodies)
    assert any(request.json.get("loop") is True for request in server.requests if request.method == "POST")
