"""Days and times that an error asks for by its words alone, or by names that nothing declares."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored

LINES = ["GET /boats", "GET /tides", "GET /credits"]
PERIOD = [{"name": name, "in": "query", "required": True, "schema": {"type": "string"}} for name in ("start", "end")]


class Tides(Shop):
    """Both operations want a period in ISO 8601; one says so of no name, the other wants what its document lacks."""

    def __call__(self, request: Received) -> Answer:
        if request.path == "/boats":
            return reply({"data": [{"id": "7cf5493e-a2cf-4dcf-9982-b826d0ee266d", "name": "theirs"}]})
        for name in ("start", "end"):
            try:
                datetime.fromisoformat(request.query.get(name, [""])[0])
            except ValueError:
                if request.path == "/tides":
                    return reply({"detail": "Invalid date format. Use ISO 8601 (e.g. 2026-04-01T00:00:00)"}, 400)
                return reply({"errors": [{"detail": f"Invalid format for `{name}`", "attr": name}]}, 400)
        return reply({"data": [{"height": 3}]})


def test_a_period_is_sent_where_an_error_speaks_of_dates_or_names_its_ends(tmp_path: Path) -> None:
    reached, _ = explored(tmp_path, Tides(), LINES, **{"GET /tides": {"parameters": PERIOD}})
    assert reached == {*LINES}
