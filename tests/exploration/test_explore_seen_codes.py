"""Codes that stand in somebody's things: what acts on whatever has the code is only sent those of the run's own."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, texts

from docrev.calls.seen_codes import SeenCodes, codes_of, is_code

CODES = ["lnbc150n1p3xk0dqpp5s7f9zq0v8l2m4", "SUMMER-8F3K-22QX-91ZP", "SN-4471-AB-20931-X", "7Qe2mZr81kVdPx0LbY"]
PLAIN = ["standard-large-16", "2024-03-01T12:30:00Z", "application/vnd.x+json;v=2.10.3", "two words 8F3K 22QX 91ZP"]


class Desk(Shop):
    """Bills, each with a slip by which it is paid; payments, which pay the bill of a slip; seats, taken by a pass.

    Badges are in no other list: nothing makes them, and a seat takes the badge whose pass it is sent.
    """

    def __init__(self) -> None:
        theirs: dict[str, dict[str, Any]] = {f"/bills/{n}": {"sum": n, "slip": f"{CODES[0]}{n}"} for n in (901, 902)}
        badges: dict[str, dict[str, Any]] = {
            f"/badges/{n}": {"pass": f"{n}-{CODES[1]}", "seat": None} for n in (903, 904)
        }
        super().__init__(theirs | badges)
        self._slips = count(1)
        self.untouched = {path: dict(thing) for path, thing in self.things.items()}
        self.paid: list[str] = []

    def __call__(self, request: Received) -> Answer:
        sent = request.json if request.method == "POST" and request.body else {}
        if (request.method, request.path) == ("POST", "/bills"):
            answer = super().__call__(request)
            newest = [*self.things][-1]
            self.things[newest]["slip"] = f"{CODES[0]}{next(self._slips):04d}"
            return reply(self.shown(newest), 201) if answer.status == 201 else answer
        if (request.method, request.path) == ("POST", "/payments"):
            return self._taking(request, "/bills", "slip", sent.get("slip"))
        if (request.method, request.path) == ("POST", "/seats"):
            return self._taking(request, "/badges", "pass", sent.get("pass"))
        return super().__call__(request)

    def _taking(self, request: Received, collection: str, member: str, code: object) -> Answer:
        """Take the thing in a collection that has a code."""
        place = next((at for at, one in self.things.items() if at.startswith(collection) and one[member] == code), None)
        if place is None:
            return reply({"error": f"no such {member}"}, 422)
        self.things[place]["seat"] = "taken"
        self.paid.append(place)
        return super().__call__(request)


LINES = [f"{method} {path}" for path in ("/bills", "/payments", "/seats") for method in ("GET", "POST")]
LINES += [f"{method} {path}/{{id}}" for path in ("/bills", "/payments", "/seats") for method in ("GET", "DELETE")]


def test_codes_of_somebodys_things_are_not_sent_and_those_of_the_runs_own_are(tmp_path: Path) -> None:
    desk, bodies = Desk(), {"POST /bills": texts("sum"), "POST /payments": texts("slip"), "POST /seats": texts("pass")}
    reached, _ = explored(tmp_path, desk, [*LINES, "GET /badges"], **bodies)
    assert {path: thing for path, thing in desk.things.items() if path in desk.untouched} == desk.untouched
    assert "POST /payments" in reached
    assert desk.paid


@pytest.mark.parametrize("text", CODES)
def test_what_is_drawn_or_numbered_is_a_code(text: str) -> None:
    assert is_code(text)


@pytest.mark.parametrize("text", [*PLAIN, "8F3K22", "", '{"a1":"b2","c3":4}'])
def test_words_dates_versions_and_what_is_short_are_none(text: str) -> None:
    assert not is_code(text)


def test_what_several_things_of_a_list_have_in_common_belongs_to_none() -> None:
    codes = SeenCodes(lambda tool, path: path == "/bills/own")
    bills = [{"slip": CODES[0], "kind": CODES[2]}, {"slip": CODES[1], "kind": CODES[2]}]
    codes.see("desk", "/bills", [(id, bill, codes_of(bill)) for id, bill in enumerate(bills, 1)])
    assert codes.holder("desk", CODES[0]) == "/bills/1"
    assert codes.holder("desk", CODES[2]) is None
    own = {"slip": CODES[1]}
    codes.see("desk", "/bills", [("own", own, codes_of(own))])
    assert codes.holder("desk", CODES[1]) is None
    assert codes.holder("other", CODES[0]) is None
