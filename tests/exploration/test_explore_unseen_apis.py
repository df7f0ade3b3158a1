"""What APIs of another make need: lists by POST, UUIDs, errors under their own names, ids that no list shows."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

from callkit import catalog, document
from servers import Answer, Received, Server, reply
from shop import Shop
from test_explore_reach import explored, of_body, texts

import docrev
from docrev.conventions.error_hints import read_hints
from docrev.conventions.hint_locations import located
from docrev.exploration.doubts import Distrust
from docrev.exploration.near_values import near_values
from docrev.graph.values import Values
from docrev.records import Call, OperationKey
from docrev.spec import Catalog

NAMED = {"name": {"type": "string"}}
FLOW_ID = {"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}]}
RUN = {"type": "object", "required": ["flow_id"], "properties": {"flow_id": FLOW_ID, **NAMED}}
FLOW = {"type": "object", "required": ["name"], "properties": NAMED}
FILTER = {"type": "object", "properties": {"name": {"type": "string"}}}


class Flows(Shop):
    """Flows and their runs by UUID; nothing lists them but `POST …/filter`, and a flow is also found by its name."""

    def __init__(self) -> None:
        super().__init__({f"/flows/{uuid.UUID(int=7)}": {"name": "nightly"}})
        self._count = 100

    def __call__(self, request: Received) -> Answer:
        path, sent = request.path.rstrip("/"), request.json if request.body else {}
        if path.endswith("/filter"):
            names = {"name": [sent["name"]]} if sent.get("name") else {}
            return reply(self.listed(path.removesuffix("/filter"), **names))
        if path.startswith("/flows/name/"):
            found = self.listed("/flows", name=[path.rpartition("/")[2]])
            return reply(found[0]) if found else reply({"detail": "Flow not found"}, 404)
        if request.method == "POST" and path in ("/flows", "/runs"):
            wrong = _refused(path, sent, self.things)
            return wrong or self._created(path, sent)
        return super().__call__(request) if request.method in ("GET", "DELETE") else Answer(405)

    def _created(self, path: str, sent: dict[str, Any]) -> Answer:
        self._count += 1
        place = f"{path}/{uuid.UUID(int=self._count)}"
        self.things[place] = dict(sent)
        return reply(self.shown(place), 201)


def _refused(path: str, sent: dict[str, Any], things: dict[str, Any]) -> Answer | None:
    """The answer to a body that is refused, in the words of a handler of its own."""
    name = "name" if path == "/flows" else "flow_id"
    if not isinstance(sent.get(name), str):
        return _invalid(sent, "missing", name, "Field required")
    if name == "flow_id":
        try:
            known = f"/flows/{uuid.UUID(sent[name])}" in things
        except ValueError:
            return _invalid(sent, "uuid_parsing", name, "Input should be a valid UUID")
        if not known:
            return reply({"detail": "Data integrity conflict."}, 409)
    return None


def _invalid(sent: Any, type: str, name: str, text: str) -> Answer:
    inner = [{"type": type, "loc": ["body", name], "msg": text}]
    return reply(
        {"exception_message": "Invalid request received.", "exception_detail": inner, "request_body": sent}, 422
    )


FLOWS = [
    *(
        "POST /runs",
        "GET /runs/{id}",
        "DELETE /runs/{id}",
        "POST /flows",
        "GET /flows/{id}",
        "DELETE /flows/{id}",
        "GET /runs/{id}/graph",
    ),
    *("GET /flows/name/{name}", "POST /flows/filter", "POST /runs/filter"),
]


class Graphs(Flows):
    """The graph of a run is there if the run is."""

    def __call__(self, request: Received) -> Answer:
        run, _, part = request.path.rpartition("/")
        if part == "graph":
            return reply({"nodes": []}) if run in self.things else reply({"detail": "Run not found"}, 404)
        return super().__call__(request)


def test_what_only_a_post_lists_is_made_found_and_removed(tmp_path: Path) -> None:
    bodies = {"POST /runs": of_body(RUN), "POST /flows": of_body(FLOW)}
    bodies |= {line: of_body(FILTER) for line in ("POST /flows/filter", "POST /runs/filter")}
    reached, server = explored(tmp_path, Graphs(), FLOWS, **bodies)
    assert reached == set(FLOWS)
    assert not [line for line in server.changes if str(uuid.UUID(int=7)) in line]


class Library(Shop):
    """Authors and books that are known by their links alone, also where a book has its author."""

    def __init__(self) -> None:
        super().__init__(
            {"/authors/ruth": {"name": "Ruth"}, "/books/emma": {"title": "Emma", "author": "/authors/ruth/"}}
        )

    def shown(self, path: str) -> dict[str, Any]:
        return {"url": f"http://{self.host}{path}/", **self.things[path]}

    def __call__(self, request: Received) -> Answer:
        self.host = request.headers["host"]
        author = (request.json if request.body else {}).get("author", "")
        if (
            request.method == "POST"
            and request.path == "/books"
            and author.partition(self.host)[2][:-1] not in self.things
        ):
            return reply({"author": ["Invalid hyperlink - No URL match."]}, 400)
        return super().__call__(request)


def test_what_is_known_by_its_link_alone_is_the_run_s_own_and_is_referred_to_by_it(tmp_path: Path) -> None:
    lines = [f"{method} /{kind}" for kind in ("authors", "books") for method in ("GET", "POST")]
    lines += [f"{method} /{kind}/{{slug}}" for kind in ("authors", "books") for method in ("GET", "PATCH", "DELETE")]
    book = {"title": {"type": "string"}, "author": {"type": "string", "format": "uri"}}
    bodies = {"POST /books": of_body({"type": "object", "required": [*book], "properties": book})}
    bodies |= {"POST /authors": texts("name"), "PATCH /authors/{slug}": texts("name")}
    bodies["PATCH /books/{slug}"] = texts("title")
    library = Library()
    reached, server = explored(tmp_path, library, lines, **bodies)
    assert reached == set(lines)
    assert not [line for line in server.changes if "ruth" in line or "emma" in line]
    assert list(library.things) == ["/authors/ruth", "/books/emma"]


def test_errors_are_read_under_any_name_and_what_they_repeat_is_not() -> None:
    sent = {"flow_id": "x", "state": "it is missing"}
    inner = [{"type": "uuid_parsing", "loc": ["body", "flow_id"], "msg": "Input should be a valid UUID"}]
    body = {"exception_message": "Invalid request received.", "exception_detail": inner, "request_body": sent}
    hints = read_hints(422, {}, body)
    assert [(hint.kind, hint.pointer, hint.values) for hint in hints] == [("format", "/flow_id", ("uuid",))]


def test_one_alternative_of_a_union_is_met_and_its_name_is_no_member(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"schedule": {}, "limit": {}}}
    operation = catalog(tmp_path, ["POST /jobs"], **{"POST /jobs": of_body(schema)}).operations[0]
    errors = [
        {
            "type": "missing",
            "loc": ["body", "schedule", "function-after[check(), Interval]", "interval"],
            "msg": "Field required",
        },
        {"type": "missing", "loc": ["body", "schedule", "Cron", "cron"], "msg": "Field required"},
        {"type": "int_parsing", "loc": ["body", "limit", "int"], "msg": "Input should be a valid integer"},
    ]
    hints = read_hints(422, {}, {"detail": errors})
    found = located(operation, {"body:": {"schedule": {}, "limit": "x"}}, hints)
    assert {location: [hint.kind for hint in on_it] for location, on_it in found.items()} == {
        "body:/schedule/interval": ["required"],
        "body:/limit": ["type"],
    }


def test_the_value_that_chooses_an_alternative_is_no_member_and_a_refusal_is_on_the_member_that_it_mentions(
    tmp_path: Path,
) -> None:
    operation = catalog(tmp_path, ["POST /jobs"]).operations[0]
    sent = {"version": {"template": {"type": "chat"}, "template_type": "STR"}}
    errors = [
        {"type": "missing", "loc": ["body", "version", "template", "chat", "messages"], "msg": "Field required"},
        {
            "type": "value_error",
            "loc": ["body", "version"],
            "msg": "Value error, Template type does not match template",
        },
    ]
    found = located(operation, {"body:": sent}, read_hints(422, {}, {"detail": errors}))
    assert {location: [hint.kind for hint in on_it] for location, on_it in found.items()} == {
        "body:/version/template/messages": ["required"],
        "body:/version/template_type": ["invalid"],
    }


def test_the_tag_of_a_whole_body_is_no_member_and_listed_values_are_for_what_is_repeated(
    tmp_path: Path,
) -> None:
    operation = catalog(tmp_path, ["POST /jobs"]).operations[0]
    errors = [{"type": "missing", "loc": ["body", "cron", "name"], "msg": "Field required"}]
    found = located(operation, {"body:": {"type": "cron"}}, read_hints(422, {}, {"detail": errors}))
    assert list(found) == ["body:/name"]
    error = {"detail": "the configuration is bad: no 'x1' authentication method. Supported methods are: ['password']"}
    found = located(operation, {"body:": {"name": "x1", "auth_method": "x1"}}, read_hints(400, {}, error))
    assert [(at, hints[0].values) for at, hints in found.items()] == [("body:/auth_method", ("password",))]


def test_one_of_several_names_of_a_discriminator_is_missing() -> None:
    error = {
        "type": "union_tag_not_found",
        "loc": ["body", "model"],
        "msg": "Unable to extract tag using discriminator",
    }
    hints = read_hints(422, {}, {"detail": [{**error, "ctx": {"discriminator": "'provider_type' | 'providerType'"}}]})
    assert [(hint.kind, hint.pointer) for hint in hints] == [("required", "/model/provider_type")]


class Projects(Shop):
    """Configs of a project are configs that there are already, put below it; a change must change something."""

    def __call__(self, request: Received) -> Answer:
        path = request.path.rstrip("/")
        if request.method == "PUT" and "/configs/" in path:
            project, _, config = path.partition("/configs/")
            if project not in self.things or f"/annotation_configs/{config}" not in self.things:
                return reply({"error": "annotation config not found"}, 404)
        if request.method == "PATCH" and not request.json:
            return reply({"error": "No fields to update"}, 422)
        return super().__call__(request)


JOINED = [
    *("GET /projects", "POST /projects", "DELETE /projects/{project_id}", "PATCH /projects/{project_id}"),
    *("GET /annotation_configs", "POST /annotation_configs", "DELETE /annotation_configs/{id}"),
    *("GET /projects/{project_id}/configs", "PUT /projects/{project_id}/configs/{config_identifier}"),
    "DELETE /projects/{project_id}/configs/{config_identifier}",
]


def test_a_thing_of_the_run_is_put_below_another_one_and_an_empty_change_gets_something_to_change(
    tmp_path: Path,
) -> None:
    bodies = {line: of_body(FLOW) for line in JOINED if line.startswith("POST")}
    bodies["PATCH /projects/{project_id}"] = of_body({"type": "object", "properties": NAMED})
    shop = Projects()
    reached, _ = explored(tmp_path, shop, JOINED, **bodies)
    assert reached == set(JOINED)
    assert not shop.things


class Tasks(Shop):
    """Tasks are listed for a project alone, and without one nothing is found."""

    def __call__(self, request: Received) -> Answer:
        if request.path == "/tasks" and request.method == "GET" and "project" not in request.query:
            return reply({"detail": "No Project matches the given query."}, 404)
        if request.path == "/tasks" and request.method == "POST":
            project = (request.json or {}).get("project")
            if f"/projects/{project}" not in self.things:
                return reply({"errors": {"project": ["This field is required."]}}, 400)
        return super().__call__(request)


TASKS = [
    *("GET /projects", "POST /projects", "DELETE /projects/{id}"),
    *("GET /tasks", "POST /tasks", "GET /tasks/{id}", "DELETE /tasks/{id}"),
]


def test_what_is_listed_only_with_what_was_sent_is_the_runs_own(tmp_path: Path) -> None:
    task = {"type": "object", "properties": {**NAMED, "project": {"type": "integer"}}}
    query = {"parameters": [{"name": "project", "in": "query", "schema": {"type": "integer"}}]}
    bodies = {"POST /projects": of_body(FLOW), "POST /tasks": of_body(task), "GET /tasks": query}
    shop = Tasks({"/projects/70": {"name": "theirs"}})
    reached, _ = explored(tmp_path, shop, TASKS, **bodies)
    assert reached == set(TASKS)
    assert set(shop.things) == {"/projects/70"}


def test_a_path_by_another_field_takes_what_answers_nearby_show_of_it(tmp_path: Path) -> None:
    lines = [
        "GET /users",
        "GET /users/by-email/{email}",
        "GET /teams",
        "GET /teams/{team_name}/runs",
        "GET /run_states/{id}",
        "GET /films/{film}/credits",
        "GET /credit/{credit_id}",
    ]
    loaded = catalog(tmp_path, [*lines, "GET /runs"])
    values = Values()
    for line, body in (
        ("GET /teams", [{"name": "core", "email": "core@example.org"}]),
        ("GET /users", [{"name": "ann", "email": "ann@example.org"}]),
        ("GET /runs", [{"id": 5, "state_id": 77}]),
        ("GET /films/{film}/credits", {"cast": [{"credit_id": "c9", "id": 3}]}),
    ):
        values.observe(_answer(loaded, line, body))
    by_line = {operation.key.operation: operation for operation in loaded.operations}
    assert near_values(by_line["GET /users/by-email/{email}"], "email", values)[0] == "ann@example.org"
    assert near_values(by_line["GET /teams/{team_name}/runs"], "team_name", values) == ["core"]
    assert 77 in near_values(by_line["GET /run_states/{id}"], "id", values)
    # The name alone says of what it is.
    assert near_values(by_line["GET /credit/{credit_id}"], "credit_id", values)[0] == "c9"


def test_an_id_in_an_object_of_the_wanted_kind_comes_before_those_within_it(tmp_path: Path) -> None:
    loaded = catalog(tmp_path, ["GET /me/tracks", "GET /tracks/{id}"])
    album = {"id": "album", "artists": [{"id": "artist"}], "copyright": {"id": "right"}}
    values = Values()
    values.observe(_answer(loaded, "GET /me/tracks", {"items": [{"track": {"album": album, "id": "track"}}]}))
    [wanted] = [one for one in loaded.operations if one.path == "/tracks/{id}"]
    assert near_values(wanted, "id", values)[0] == "track"


def test_a_path_argument_is_guessed_by_what_stands_before_it(tmp_path: Path) -> None:
    def status(request: Received) -> Answer:
        return reply({}, 200 if request.path == "/status/200" else 400)

    file = tmp_path / "echo.json"
    file.write_text(json.dumps(document(["GET /status/{codes}", "DELETE /everything"])))
    with Server({"GET *": status}) as server:
        told = docrev.explore(file, base_urls=server.url, allow="DELETE", max_calls=40, out=tmp_path).summary
    # An operation that goes to everything is said to want consent, and no value.
    assert [(row["operation"], row["kind"]) for row in told["missed"]] == [("DELETE /everything", "consent")]


def test_empty_lists_are_not_taken_for_the_same_page(tmp_path: Path) -> None:
    lines = ["GET /a", "GET /b", "GET /c", "GET /d"]
    loaded = catalog(tmp_path, lines)
    for body, count in (({"data": [], "next": None}, 0), ({"data": [1], "ok": True}, 1)):
        doubts = Distrust(loaded)
        doubts.twice([(call, call) for call in (_answer(loaded, line, body) for line in lines)])
        assert len(doubts.notes) == count


def _answer(loaded: Catalog, line: str, body: Any) -> Call:
    key = OperationKey("shop", line)
    assert loaded[key].key == key
    return Call(line, key, {}, "http://x", 200, {}, body, "application/json", "survey")


class Groups(Shop):
    """Groups are made by a POST to their names, exports by a list of numbers that is optional by the documentation."""

    def __init__(self) -> None:
        super().__init__({"/groups/staff": {"name": "staff"}})

    def __call__(self, request: Received) -> Answer:
        path = request.path.rstrip("/")
        if path == "/exports":
            wanted = json.loads(request.query.get("q", ["{}"])[0])
            return reply({}) if isinstance(wanted, list) else reply({"message": "{} is not of type 'array'"}, 400)
        if path.endswith("/settings"):
            text = (request.json or {}).get("text")
            return reply({}) if str(text)[:1] == "{" else reply({"message": {"text": ["JSON not valid"]}}, 400)
        if request.method != "POST":
            return super().__call__(request)
        if path in self.things:
            return reply({"message": "it exists already"}, 409)
        self.things[path] = {"name": path.rpartition("/")[2]}
        return reply(self.things[path], 201)


def test_what_a_post_to_its_name_makes_and_what_takes_json_as_a_text(tmp_path: Path) -> None:
    items = [f"{method} /groups/{{name}}" for method in ("GET", "POST", "DELETE")]
    operations = ["GET /groups", *items, "POST /groups/{name}/settings", "GET /exports"]
    listed = {"application/json": {"schema": {"type": "array", "items": {"type": "integer"}}}}
    extras = {"GET /exports": {"parameters": [{"name": "q", "in": "query", "content": listed}]}}
    extras["POST /groups/{name}/settings"] = texts("text")
    reached, server = explored(tmp_path, Groups(), operations, **extras)
    assert reached == set(operations)
    assert server.changes
    assert not [line for line in server.changes if "/staff" in line]


class Boxes(Shop):
    """Boxes of a rack: read and removed by their name, and changed or filled by their UUID."""

    def __init__(self) -> None:
        super().__init__({"/racks/9": {"name": "attic"}})
        self._count = 100

    def __call__(self, request: Received) -> Answer:
        rack, boxes, rest = request.path.rstrip("/").partition("/boxes")
        name = rest.strip("/").partition("/")[0]
        if not boxes:
            return super().__call__(request)
        if not rest:
            return self._made(rack, request.json) if request.method == "POST" else reply({"data": self.in_rack(rack)})
        field = "name" if request.method in ("GET", "DELETE") else "id"
        found = [path for path, thing in self.things.items() if "/boxes/" in path and thing[field] == name]
        if not found:
            return reply({"error": f"box {name} not found"}, 404)
        if request.method == "DELETE":
            del self.things[found[0]]
        return reply(self.things.get(found[0], {}))

    def in_rack(self, rack: str) -> list[dict[str, Any]]:
        return [thing for path, thing in self.things.items() if path.startswith(f"{rack}/boxes/")]

    def _made(self, rack: str, sent: dict[str, Any]) -> Answer:
        if rack not in self.things or "name" not in sent:
            return reply({"error": "not found"}, 404)
        self._count += 1
        thing = {"id": str(uuid.UUID(int=self._count)), "name": sent["name"]}
        self.things[f"{rack}/boxes/{thing['id']}"] = thing
        return reply(thing, 201)


BOXES = [
    *("GET /racks", "POST /racks", "DELETE /racks/{rack}", "GET /racks/{rack}/boxes", "POST /racks/{rack}/boxes"),
    *("GET /racks/{rack}/boxes/{box_id}", "DELETE /racks/{rack}/boxes/{box_id}"),
    *("PUT /racks/{rack}/boxes/{box_id}", "POST /racks/{rack}/boxes/{box_id}/fill"),
]


def test_what_was_made_is_known_by_its_id_as_soon_as_an_answer_shows_it(tmp_path: Path) -> None:
    bodies = {line: of_body(FLOW) for line in ("POST /racks", "POST /racks/{rack}/boxes")}
    shop = Boxes()
    reached, _ = explored(tmp_path, shop, BOXES, **bodies)
    assert reached == set(BOXES)
    assert list(shop.things) == ["/racks/9"]


class Variables(Shop):
    """Variables by their number, and by their name at `/variables/name/{name}`."""

    def __call__(self, request: Received) -> Answer:
        above, _, name = request.path.rstrip("/").rpartition("/")
        if above != "/variables/name":
            return super().__call__(request)
        place = next((path for path, thing in self.things.items() if thing.get("name") == name), "/variables/0")
        return super().__call__(replace(request, target=place))


BY_NAME = [
    *("GET /variables", "POST /variables", "GET /variables/{id}", "DELETE /variables/{id}"),
    *(f"{method} /variables/name/{{name}}" for method in ("GET", "PATCH", "DELETE")),
    *("GET /flows", "POST /flows", "DELETE /flows/{id}", "GET /flows/{id}"),
]


def test_what_is_the_runs_own_is_changed_and_removed_under_its_name_too(tmp_path: Path) -> None:
    theirs = {"/variables/70": {"name": "colour"}, "/flows/71": {"name": "nightly"}}
    shop = Variables(theirs)
    bodies = {line: of_body(FLOW) for line in BY_NAME if line.startswith(("POST", "PATCH"))}
    reached, server = explored(tmp_path, shop, BY_NAME, **bodies)
    assert reached == set(BY_NAME)
    assert shop.things == theirs
    # No name of a flow is looked for among the variables, and what is gone is not removed again.
    removed = [one.path for one in server.requests if one.method == "DELETE" and "/name/" in one.path]
    assert len(removed) == len(set(removed)) > 0


class Gauges(Shop):
    """Gauges by their names, which are all that a list shows; a plot wants some, and a space a name without hyphens."""

    def __call__(self, request: Received) -> Answer:
        path, name = request.path, request.path.rpartition("/")[2]
        if path == "/gauges":
            return reply(["mill.flow", "mill.level"])
        if path == "/plot":
            known = request.query.get("gauges", [""])[0].startswith("mill.")
            return reply({"points": []}) if known else reply({"message": "At least one gauge is required"}, 422)
        if path.startswith("/gauges/"):
            return reply({"unit": "m"}) if name.startswith("mill.") else reply({"message": "no such gauge"}, 404)
        if request.method == "POST" and not name.isidentifier():
            return reply({"message": f"{name} is not a valid space"}, 422)
        if request.method == "POST":
            self.things[path] = {"name": name}
            return reply({"message": "created"}, 201)
        return super().__call__(request)


GAUGES = [
    *("GET /gauges", "GET /gauges/{name}", "GET /plot"),
    *("POST /spaces/{space}", "GET /spaces/{space}", "DELETE /spaces/{space}"),
]


def test_what_a_list_of_plain_names_tells_is_used_in_paths_and_queries(tmp_path: Path) -> None:
    listed = {"schema": {"type": "array", "items": {"type": "string"}}}
    plot = {"parameters": [{"name": "gauges", "in": "query", **listed}]}
    reached, server = explored(tmp_path, Gauges({}), GAUGES, **{"GET /plot": plot})
    assert reached == set(GAUGES)
    assert {one.path.rpartition("/")[2].isidentifier() for one in server.requests if one.method == "DELETE"} == {True}


class Verbs(Shop):
    """Notes that are made, changed and removed under verbs in their paths."""

    def __call__(self, request: Received) -> Answer:
        *above, last = request.path.strip("/").split("/")
        method = {"create": "POST", "memo": "POST", "update": "PATCH", "delete": "DELETE"}.get(last)
        if (method or last == "all") and request.method not in ("POST" if method == "POST" else request.method,):
            return reply({"error": "method not allowed"}, 405)
        target = "/" + "/".join(above) if method or last == "all" else request.target
        return super().__call__(replace(request, target=target, method=method or request.method))


VERBS = [
    *("GET /notes/all", "GET /notes/{id}", "POST /notes/create", "PUT /notes/{id}/update", "POST /notes/{id}/delete"),
    "POST /notes/memo",
]


def test_verbs_in_paths_do_what_methods_do_elsewhere(tmp_path: Path) -> None:
    theirs = {"/notes/70": {"name": "theirs"}}
    shop, memo = Verbs(theirs), {"summary": "Create a short note", **of_body(FLOW)}
    bodies = {line: of_body(FLOW) for line in ("POST /notes/create", "PUT /notes/{id}/update")}
    reached, _ = explored(tmp_path, shop, VERBS, **bodies, **{"POST /notes/memo": memo})
    assert reached == set(VERBS)
    assert shop.things == theirs
