"""What is made and spoils the list that everybody reads: it is removed as soon as that is seen."""

from __future__ import annotations

import uuid
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, of_body

PLANS = {
    "/plans/5f0c9a52-6d0b-4b1e-9a7e-0d5f6c3b2a10": {"name": "Spring", "starts": "2024-03-01T08:00:00"},
    "/plans/9b1d7c34-2e5a-4f68-8c1b-7a6e5d4c3b2f": {"name": "Autumn", "starts": "2024-09-01T08:00:00"},
}
PLAN = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "id": {"type": "string", "format": "uuid"},
        "name": {"type": "string"},
        "starts": {"type": "string", "format": "date-time"},
    },
}


class Plans(Shop):
    """The list is sorted by `starts`, and fails on a time with a zone beside those without.

    `chosen`: the ID may be chosen, and is all that is answered; otherwise it is drawn, and a plan can be read.
    """

    def __init__(self, *, chosen: bool) -> None:
        super().__init__(PLANS)
        self.chosen = chosen
        self.failures = 0
        self.broken = False
        self.made_while_broken: list[str] = []

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST" and request.path == "/plans":
            return self._made(dict(request.json))
        if request.method == "GET" and request.path == "/plans":
            found = sorted(self.listed("/plans"), key=lambda plan: str(plan["id"]))
            self.broken = len({datetime.fromisoformat(plan["starts"]).tzinfo for plan in found}) > 1
            self.failures += self.broken
            return reply(found) if not self.broken else reply({"error": "Internal Server Error"}, 500)
        if request.method == "DELETE":
            self.broken = False
        if request.method == "GET" and self.chosen:
            return reply({"error": "method not allowed"}, 405)
        return super().__call__(request)

    def _made(self, plan: dict[str, Any]) -> Answer:
        if not isinstance(plan.get("name"), str):
            return reply({"error": "name is required"}, 422)
        if not _is_time(plan.setdefault("starts", "2024-06-01T08:00:00")):
            return reply({"error": "starts must be a time"}, 422)
        if self.broken:
            self.made_while_broken.append(plan["name"])
        given = plan.pop("id", None)
        if given is not None and len(given) != 36:
            return reply({"error": "id must be a UUID"}, 422)
        id = given if self.chosen and given else str(uuid.uuid5(uuid.NAMESPACE_URL, str(next(self._numbers))))
        self.things[f"/plans/{id}"] = plan
        return reply(id if self.chosen else self.shown(f"/plans/{id}"), 201)


def _is_time(text: Any) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except (TypeError, ValueError):
        return False


def used(folder: Path, *, chosen: bool) -> Plans:
    lines = ["GET /plans", "POST /plans", *([] if chosen else ["GET /plans/{plan_id}"]), "DELETE /plans/{plan_id}"]
    plans = Plans(chosen=chosen)
    reached, _ = explored(folder, plans, lines, **{"POST /plans": of_body(PLAN)})
    assert reached == set(lines)
    return plans


@pytest.mark.parametrize("chosen", [True, False])
def test_what_a_list_fails_after_is_removed_at_once(tmp_path: Path, chosen: bool) -> None:
    plans = used(tmp_path, chosen=chosen)
    assert plans.failures
    assert plans.things == PLANS
    assert not plans.made_while_broken
