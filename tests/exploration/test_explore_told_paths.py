"""What answers tell of paths: sections, plain names, pairs of one kind, other fields, kinds that an error names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from callkit import Api, catalog, invoke
from servers import Answer, Received, Server, reply
from shop import Shop
from test_explore_reach import explored, of_body

from docrev.exploration.contexts import Contexts
from docrev.graph.tool_graph import ToolGraph

HANDLE = {"type": "string", "minLength": 1}
NUMBER = {"type": "integer", "minimum": 0}


def in_path(**schemas: dict[str, Any]) -> dict[str, Any]:
    return {"parameters": [{"name": n, "in": "path", "required": True, "schema": s} for n, s in schemas.items()]}


class Family(Shop):
    """People and events by their handles; marks by section, and feasts by land and day."""

    def __init__(self) -> None:
        self.people = [{"handle": f"105466{n}ab", "gender": n % 2} for n in range(3)]
        self.events = [{"handle": f"205466{n}cd", "year": 0} for n in range(2)]
        super().__init__()

    def __call__(self, request: Received) -> Answer:
        kind, *rest = request.path.strip("/").split("/")
        lists: dict[str, Any] = {"people": self.people, "events": self.events, "feasts": ["", "Peru", "Chad"]}
        lists["marks"] = {"folk": [self.people[0]["handle"]], "days": [], "places": []}
        if not rest:
            return reply(lists[kind])
        if kind == "marks":
            found = lists["marks"].get(rest[0])
            return reply({"code": 404}, 404) if found is None else reply(found)
        if kind == "feasts":
            given = rest[0] in lists["feasts"] and all(map(int, rest[1:]))
            return reply([]) if given else reply({"code": 404}, 404)
        if kind == "relations":
            known = {one["handle"] for one in self.people}
            missing = next((handle for handle in rest if handle not in known), None)
            return reply({"degree": 1}) if missing is None else reply({"message": f"Person {missing} not found"}, 404)
        known = {one["handle"] for one in lists[kind]}
        return reply({"days": 3}) if {rest[0], rest[-1]} <= known else reply({"code": 404}, 404)


def test_paths_go_on_with_what_the_answers_above_them_tell(tmp_path: Path) -> None:
    reading = ["GET /people", "GET /events", "GET /marks", "GET /marks/{section}", "GET /feasts"]
    pairs = {
        "GET /events/{handle1}/span/{handle2}": in_path(handle1=HANDLE, handle2=HANDLE),
        "GET /people/{old_handle}/path/{new_handle}": in_path(old_handle=HANDLE, new_handle=HANDLE),
        "GET /relations/{handle1}/{handle2}": in_path(handle1=HANDLE, handle2=HANDLE),
        "GET /feasts/{land}/{year}/{month}/{day}": in_path(land=HANDLE, year=NUMBER, month=NUMBER, day=NUMBER),
    }
    reached, server = explored(tmp_path, Family(), [*reading, *pairs], **pairs)
    assert reached == {*reading, *pairs}
    # Nobody is looked for among the feasts.
    assert not [one.path for one in server.requests if one.path.startswith("/feasts/2")]


class Tries(Shop):
    """Tasks, each of which was tried once, under the number 0."""

    def __call__(self, request: Received) -> Answer:
        if request.path == "/tasks":
            return reply([{"name": name, "id": name} for name in ("sow", "reap", "mill")])
        if request.path.endswith("/tries/0"):
            return reply({"seconds": 3})
        number = request.path.rpartition("/")[2]
        return reply({"message": "Task not found"}, 404) if number.isdigit() else reply({"message": "no number"}, 422)


def test_ids_of_what_was_not_found_are_sent_only_where_their_type_fits(tmp_path: Path) -> None:
    tries = "GET /tasks/{task}/tries/{number}"
    reached, server = explored(
        tmp_path, Tries({}), ["GET /tasks", tries], **{tries: in_path(task=HANDLE, number=NUMBER)}
    )
    assert reached == {"GET /tasks", tries}
    numbers = [one.path.rpartition("/")[2] for one in server.requests if "/tries/" in one.path]
    assert not {"sow", "reap", "mill"}.intersection(numbers)


class Posts(Shop):
    """Posts by their number, and previews of them by their key."""

    def __call__(self, request: Received) -> Answer:
        if request.path.endswith("/preview"):
            slugs = [f"/posts/{thing['key']}/preview" for thing in self.things.values()]
            return reply({"html": "<p>"}) if request.path in slugs else reply({"error": "not found"}, 404)
        return super().__call__(request)


def test_a_field_that_a_path_is_called_after_is_not_mistaken_for_the_id(tmp_path: Path) -> None:
    lines = ["GET /posts", "GET /posts/{id}", "GET /posts/{key}/preview"]
    shop = Posts({f"/posts/{n}": {"key": f"on-{n}"} for n in (70, 71)})
    reached, server = explored(tmp_path, shop, lines)
    assert reached == set(lines)
    previews = [one.path.split("/")[2] for one in server.requests if one.path.endswith("/preview")]
    assert not {"70", "71"}.intersection(previews[: previews.index("on-71")])


def test_the_path_of_another_operation_is_no_item(tmp_path: Path) -> None:
    loaded = catalog(tmp_path, ["GET /posts/{id}", "GET /posts/latest/pages/{page}"])
    contexts, tool = Contexts(loaded, ToolGraph(loaded)), loaded.operations[0].tool
    contexts.learn_link(tool, "/posts/latest/pages/3")
    contexts.learn_link(tool, "/posts/70")
    assert contexts.tuples(tool, "/posts/{id}") == [("70",)]
    assert contexts.tuples(tool, "/posts/latest/pages/{page}") == [("3",)]


def test_a_word_of_another_path_is_a_value_where_that_path_goes_on(tmp_path: Path) -> None:
    loaded = catalog(tmp_path, ["GET /kinds", "GET /kinds/posts", "GET /kinds/posts/{id}", "GET /kinds/{kind}/owner"])
    contexts, tool = Contexts(loaded, ToolGraph(loaded)), loaded.operations[0].tool
    with Server({"GET /kinds": reply({"posts": {"label": "Posts"}, "pages": {"label": "Pages"}})}) as server:
        for call in Api(loaded, server.url, tmp_path).call(invoke("GET /kinds")):
            contexts.observe(call)
    assert contexts.tuples(tool, "/kinds/{kind}") == [("posts",), ("pages",)]


def test_an_id_that_led_to_nothing_comes_before_what_else_its_thing_is_called(tmp_path: Path) -> None:
    lines = ["GET /flows", "GET /flows/{id}", "GET /flows/{id}/runs", "GET /flows/{id}/menu"]
    thing = {"id": 7, "latest_uuid": "d19e914e-c110-4ad4-94c9-4c94ad7a5c05", "name": "nightly"}
    shop = Shop({"/flows/7": thing, "/flows/8": {**thing, "id": 8, "name": "weekly"}})
    loaded = catalog(tmp_path, lines)
    contexts, tool = Contexts(loaded, ToolGraph(loaded)), loaded.operations[0].tool
    with Server({**shop.routes, "GET /flows/7/runs": reply([])}) as server:
        api = Api(loaded, server.url, tmp_path)
        for call in api.call(invoke("GET /flows"), invoke("GET /flows/{id}/runs", {"path:id": 7})):
            contexts.observe(call)
    assert contexts.tuples(tool, "/flows/{id}")[:2] == [(8,), (7,)]
    assert {("nightly",), ("weekly",)} <= set(contexts.tuples(tool, "/flows/{id}")[2:])


def test_no_name_of_one_kind_is_looked_for_in_another(tmp_path: Path) -> None:
    loaded = catalog(tmp_path, ["GET /hosts/name/{name}", "GET /v1/hosts/name/{name}", "GET /rules/name/{name}"])
    contexts, tool = Contexts(loaded, ToolGraph(loaded)), loaded.operations[0].tool
    contexts.suppose(tool, "/hosts/name/{name}", "mill")
    assert contexts.tuples(tool, "/v1/hosts/name/{name}") == [("mill",)]
    assert contexts.tuples(tool, "/rules/name/{name}") == []


class Objects(Shop):
    """Things of a class, which a PUT takes as a GET shows them; a PUT of less is refused, and does not say why."""

    def __call__(self, request: Received) -> Answer:
        sent = request.json if request.body else {}
        if request.method in ("POST", "PUT") and sent.get("_class", "Family") != "Family":
            return reply({"error": "Wrong class of object"}, 400)
        if request.method == "PUT" and not {"name", "change"} <= set(sent):
            return reply({"error": "Error while updating object"}, 400)
        answer = super().__call__(request)
        for thing in self.things.values():
            thing.setdefault("change", 5)
        return answer


def test_what_a_member_must_be_in_words_is_sent_and_a_whole_thing_is_put_as_it_was_shown(tmp_path: Path) -> None:
    links = {"type": "array", "items": {"type": "object", "properties": {"path": HANDLE, "kind": HANDLE}}}
    family = {
        "type": "object",
        "required": ["_class"],
        "properties": {
            "_class": {"type": "string", "description": "Name of the class; must be 'Family'."},
            **{"name": {"type": "string"}, "change": {"type": "number"}, "urls": links},
        },
    }
    lines = [f"{method} /families" for method in ("GET", "POST")]
    lines += [f"{method} /families/{{id}}" for method in ("GET", "PUT", "DELETE")]
    bodies = {line: of_body(family) for line in ("POST /families", "PUT /families/{id}")}
    shop = Objects({"/families/70": {"name": "theirs", "change": 1}})
    reached, server = explored(tmp_path, shop, lines, **bodies)
    assert reached == set(lines)
    assert shop.things == {"/families/70": {"name": "theirs", "change": 1}}
    # What has links is no list of requests.
    assert not [one for one in server.requests if one.method == "POST" and one.body and [*one.json] == ["urls"]]


class States(Shop):
    """States of runs, which are listed by run alone, and may be empty."""

    def __call__(self, request: Received) -> Answer:
        if request.path == "/states":
            run = request.query.get("run_id", [""])[0]
            return reply([{"id": 501, "run_id": 70}] if run == "70" else [])
        if request.path.startswith("/states/"):
            return reply({"id": 501}) if request.path == "/states/501" else reply({"error": "not found"}, 404)
        return super().__call__(request)


def test_a_list_that_was_empty_is_asked_for_with_another_value(tmp_path: Path) -> None:
    lines = ["GET /states", "GET /states/{id}", "GET /runs", "GET /runs/{id}"]
    wanted = {"parameters": [{"name": "run_id", "in": "query", "required": True, "schema": {"type": "integer"}}]}
    reached, _ = explored(tmp_path, States({"/runs/70": {"name": "nightly"}}), lines, **{"GET /states": wanted})
    assert reached == set(lines)


class Words(Shop):
    """Translates what is sent as a list in JSON; makes no trees here."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST":
            return reply({"error": "Not allowed in this setup"}, 405)
        if request.path == "/trees":
            return reply([])
        if not request.query.get("strings", [""])[0].startswith('["'):
            return reply({"message": "Error parsing strings"}, 400)
        return reply(["un"])


def test_what_could_not_be_parsed_is_sent_as_json_and_what_is_never_allowed_is_not_tried_on(tmp_path: Path) -> None:
    lines = ["GET /words", "GET /trees", "POST /trees", "DELETE /trees/{id}"]
    strings = {"parameters": [{"name": "strings", "in": "query", "required": True, "schema": {"type": "string"}}]}
    tree = {"type": "object", "properties": dict.fromkeys(("name", "kind", "owner", "place"), HANDLE)}
    extras = {"GET /words": strings, "POST /trees": of_body(tree)}
    reached, server = explored(tmp_path, Words(), lines, **extras)
    assert "GET /words" in reached
    assert sum(one.method == "POST" for one in server.requests) <= 2
