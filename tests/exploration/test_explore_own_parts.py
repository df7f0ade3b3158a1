"""What is done to the run's own thing by the names of its parts: the columns of a table have no paths."""

from __future__ import annotations

from pathlib import Path

from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, of_body

LINES = [
    *("GET /tables", "POST /tables", "GET /tables/{id}", "DELETE /tables/{id}"),
    "PATCH /tables/{id}/rows",
]
TEXT = {"type": "string"}
COLUMNS = {
    "type": "array",
    "minItems": 1,
    "items": {"type": "object", "required": ["name"], "properties": {"name": TEXT}},
}
FREE = {"type": "object", "additionalProperties": True}


class Tables(Shop):
    """Rows are changed where a column has a value; a name that no column of the table has is refused without it."""

    def __init__(self) -> None:
        super().__init__({"/tables/9": {"name": "theirs", "columns": [{"name": "city"}]}})
        self.changed: list[dict[str, object]] = []

    def __call__(self, request: Received) -> Answer:
        above, _, last = request.path.rstrip("/").rpartition("/")
        if last != "rows":
            return super().__call__(request)
        if above not in self.things:
            return reply({"error": "not found"}, 404)
        if not (given := request.json.get("data")):
            return reply({"message": "data must not be empty"}, 400)
        known = {column["name"] for column in self.things[above]["columns"]}
        if not known.issuperset({request.json.get("columnName"), *given}):
            return reply({"message": "bad request"}, 400)
        self.changed.append(given)
        return reply({"changed": 0})


def test_what_is_done_by_the_names_of_parts_is_reached_with_those_that_the_run_gave(tmp_path: Path) -> None:
    tables = Tables()
    bodies = {
        "POST /tables": of_body(
            {"type": "object", "required": ["name", "columns"], "properties": {"name": TEXT, "columns": COLUMNS}}
        ),
        "PATCH /tables/{id}/rows": of_body(
            {
                "type": "object",
                "required": ["columnName", "data"],
                "properties": {"columnName": TEXT, "data": {**FREE, "description": "Column values to set."}},
            }
        ),
    }
    reached, _ = explored(tmp_path, tables, LINES, **bodies)
    assert reached == set(LINES)
    assert tables.things == Tables().things
    assert all("city" not in given for given in tables.changed)
