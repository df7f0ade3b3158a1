"""What paths of the same names tell of each other, and what is said of an API in which they answer alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from callkit import catalog
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, texts

from docrev.conventions.error_hints import read_hints
from docrev.conventions.fields import is_volatile_field
from docrev.conventions.hint_locations import located
from docrev.exploration.doubts import Distrust
from docrev.exploration.second_looks import differences
from docrev.exploration.unsaid_hints import hinted
from docrev.records import Call, Json, OperationKey

NAMED = "docrev-00000000-3"
TEXT = {"type": "string"}


def in_path(name: str, **more: Any) -> dict[str, Any]:
    return {"parameters": [{"name": name, "in": "path", "required": True, "schema": TEXT}], **more}


class Hub(Shop):
    """Users with servers under names of the caller's choice, and shares of servers, addressed by owner and server."""

    def __init__(self) -> None:
        super().__init__({"/users/anna": {"name": "anna"}, "/users/anna/servers/lab": {"name": "lab"}})
        self.shared: set[str] = {"anna/lab"}

    def __call__(self, request: Received) -> Answer:
        kind, *rest = request.path.strip("/").split("/")
        if kind == "shares":
            return self._share(request, "/".join(rest))
        if request.method == "POST":
            if len(rest) == 3 and f"/users/{rest[0]}" not in self.things:
                return reply({"message": "No such user"}, 404)
            self.things[request.path] = {"name": rest[-1]}
            return reply(self.shown(request.path), 201)
        return super().__call__(request)

    def _share(self, request: Received, server: str) -> Answer:
        owner, _, name = server.partition("/")
        if f"/users/{owner}/servers/{name}" not in self.things:
            return reply({"message": f"No such server: {server}"}, 404)
        if request.method != "GET":
            (self.shared.discard if request.method == "DELETE" else self.shared.add)(server)
        return reply({"server": name, "owner": owner, "open": server in self.shared})


def test_a_pair_that_one_path_takes_is_taken_by_another_and_is_the_runs_own_there_too(tmp_path: Path) -> None:
    servers, shares = "/users/{name}/servers/{server_name}", "/shares/{owner}/{server_name}"
    lines = ["GET /users", "POST /users/{name}", "GET /users/{name}", "DELETE /users/{name}", f"POST {servers}"]
    lines += [f"GET {servers}", f"DELETE {servers}", f"GET {shares}", f"PUT {shares}", f"DELETE {shares}"]
    shop = Hub()
    reached, server = explored(tmp_path, shop, lines)
    assert reached == set(lines)
    assert shop.shared == {"anna/lab"}
    assert not [line for line in server.changes if "/anna" in line]


class Charts(Shop):
    """What the things of several collections have in a column that refers to other things."""

    def __call__(self, request: Received) -> Answer:
        collection, _, column = request.path.strip("/").partition("/related/")
        if column:
            there = column == ("owners" if collection == "charts" else "changed_by")
            return reply({"result": [{"text": "Anna", "value": 1}]}) if there else reply({"message": "Not found"}, 404)
        return super().__call__(request)


def test_the_name_of_a_member_is_sent_for_a_column_and_so_is_what_the_documentation_quotes(tmp_path: Path) -> None:
    person = {"id": 1, "first_name": "Anna"}
    shop = Charts(
        {f"/{kind}/7": {"title": "x", "rows": 3, "changed_by": person} for kind in ("charts", "pages", "layers")}
    )
    lines = [f"GET /{kind}{below}" for kind in ("charts", "pages", "layers") for below in ("", "/related/{column}")]
    extras = {line: in_path("column") for line in lines if line.endswith("}")}
    extras["GET /charts/related/{column}"]["description"] = "What is related. Use `owners` as the `column` parameter."
    reached, _ = explored(tmp_path, shop, lines, **extras)
    assert reached == set(lines)


def test_an_object_in_the_query_is_sent_if_what_it_contains_is_missing(tmp_path: Path) -> None:
    class Tables(Shop):
        def __call__(self, request: Received) -> Answer:
            sent = request.query.get("q", ["{}"])[0]
            text = "Not a valid schema: 'kind' is a required property"
            return reply([{"name": "sales"}]) if '"kind"' in sent else reply({"message": text}, 400)

    part = {"type": "object", "required": ["kind"], "properties": {"kind": TEXT}}
    query = {"name": "q", "in": "query", "content": {"application/json": {"schema": part}}}
    reached, _ = explored(tmp_path, Tables(), ["GET /tables"], **{"GET /tables": {"parameters": [query]}})
    assert reached == {"GET /tables"}


def test_a_body_of_which_nothing_is_documented_is_an_object(tmp_path: Path) -> None:
    class Colours(Shop):
        def __call__(self, request: Received) -> Answer:
            if request.path.endswith("/colours") and not isinstance(request.json, dict):
                return Answer(500)
            return super().__call__(request) if not request.path.endswith("/colours") else reply({"done": True})

    lines = ["GET /pages", "POST /pages", "GET /pages/{id}", "DELETE /pages/{id}", "PUT /pages/{id}/colours"]
    body = {"required": True, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Gone"}}}}
    extras = {"POST /pages": texts("title"), "PUT /pages/{id}/colours": {"requestBody": body}}
    reached, _ = explored(tmp_path, Colours(), lines, **extras)
    assert reached == set(lines)


SENT: Json = {"table_name": NAMED, "to": [{"config": {"target": NAMED}}]}


@pytest.mark.parametrize(
    ("error", "location"),
    [
        ({"table": [f"Table [{NAMED}] could not be found"]}, "body:/table_name"),
        ({"to": {"0": {"target": [f"Invalid email address(es): {NAMED}"]}}}, "body:/to/0/config/target"),
    ],
)
def test_an_error_that_names_what_nothing_is_called_is_on_what_was_sent(
    tmp_path: Path, error: Json, location: str
) -> None:
    properties = {"table_name": TEXT, "to": {"type": "array", "items": {"type": "object"}}}
    schema = {"type": "object", "properties": properties}
    lines = ["POST /datasets"]
    body = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    [operation] = catalog(tmp_path, lines, **{lines[0]: body}).operations
    assert set(located(operation, {"body:": SENT}, read_hints(422, {}, {"message": error}))) == {location}


def test_what_is_no_json_in_a_body_of_json_is_a_text_in_it(tmp_path: Path) -> None:
    [operation] = catalog(tmp_path, ["POST /forms"], **{"POST /forms": texts("name", "layout")}).operations
    [hint] = hinted(operation, {"body:": {"name": NAMED, "layout": NAMED}}, "JSON not valid")
    assert (hint.kind, hint.pointer, hint.values) == ("format", "/layout", ("json",))


@pytest.mark.parametrize("text", ["now", "2 minutes ago", "a day ago", "about 3 hours ago", "in 5 days"])
def test_an_age_in_words_changes_by_itself(text: str) -> None:
    assert is_volatile_field("changed_humanized", text)
    assert not is_volatile_field("interval", text.removesuffix(" ago").removeprefix("in ").replace("now", "2 min"))


def test_collections_that_answer_alike_are_not_one_page(tmp_path: Path) -> None:
    lines = [f"GET /{kind}/related/owners" for kind in ("charts", "pages", "layers", "sheets")] + ["GET /charts"]
    loaded = catalog(tmp_path, lines)
    doubts = Distrust(loaded)
    bodies = [[{"id": 1, "text": "Anna"}]] * 4 + [[{"id": 7}]]
    calls = [
        Call(f"c{n}", op.key, {}, "", 200, {}, body, "application/json", "probe")
        for n, (op, body) in enumerate(zip(loaded.operations, bodies, strict=True))
    ]
    doubts.twice([(call, call) for call in calls])
    assert not doubts.operations


def test_an_age_that_grew_is_no_change_of_what_was_read() -> None:
    looks = [
        Call("c", OperationKey("shop", "GET /maps"), {}, "", 200, {}, [{"id": 1, "age": age}], "", "survey")
        for age in ("a minute ago", "2 minutes ago")
    ]
    assert not differences(*looks)
