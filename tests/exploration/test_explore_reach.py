"""What a whole exploration reaches: things of another form, things that there is only one of, values said twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

import pytest
from callkit import document
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.calls.effects import Effects
from docrev.calls.routes import Routes
from docrev.conventions.error_claims import Hint
from docrev.conventions.ids import own_id
from docrev.conventions.run_names import renumbered, run_name
from docrev.exploration.bodies import marked
from docrev.exploration.candidates import Candidates
from docrev.exploration.contexts import Contexts
from docrev.exploration.given_values import GivenValues
from docrev.exploration.repeated_creations import other_forms
from docrev.exploration.subjects import Subject
from docrev.graph.tool_graph import ToolGraph
from docrev.records import Call, Json
from docrev.spec import Operation, load

ZONE = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "kind": {"type": "string", "enum": ["Native", "Slave"]},
        "masters": {"type": "array", "items": {"type": "string"}},
    },
}


def of_body(schema: Json) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


def texts(*required: str) -> dict[str, Any]:
    return of_body({"type": "object", "required": [*required], "properties": {n: {"type": "string"} for n in required}})


def explored(folder: Path, shop: Shop, operations: list[str], **extras: dict[str, Any]) -> tuple[set[str], Server]:
    """The operations that an exploration of 200 requests reached, and the server that it used."""
    file = folder / "shop.json"
    file.write_text(json.dumps(document(operations, **extras)))
    with Server(shop.routes) as server:
        evidence = docrev.explore(file, base_urls=server.url, allow="POST,PUT,PATCH,DELETE", max_calls=200, out=folder)
    missed = {row["operation"] for row in evidence.summary["missed"]}
    return set(operations) - missed, server


def test_what_the_clean_up_alone_reached_is_not_missed(tmp_path: Path) -> None:
    lines = ["GET /items", "POST /items", "GET /items/{id}", "DELETE /items/{id}"]
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(document(lines, **{"POST /items": texts("name")})))
    for most in range(8, 16):
        with Server(Shop().routes) as server:
            found = docrev.explore(
                file, base_urls=server.url, allow="POST,DELETE", max_calls=most, out=tmp_path / f"{most}"
            )
        assert found.summary["operations_2xx"] + len(found.summary["missed"]) == len(lines)


class Zones(Shop):
    """A zone can be transferred if it is a slave and has a master; its notes have one of three kinds."""

    def __init__(self) -> None:
        super().__init__(
            {"/zones/ours": {"name": "ours"}, "/zones/ours/notes/ALLOW-TRANSFER": {"kind": "ALLOW-TRANSFER"}}
        )

    def __call__(self, request: Received) -> Answer:
        path = request.path.rstrip("/")
        if path.endswith("/transfer"):
            zone = self.things.get(path.removesuffix("/transfer"), {})
            fit = zone.get("kind") == "Slave" and zone.get("masters")
            return reply({}) if fit else reply({"error": "it is not a slave zone (or has no master defined)"}, 422)
        if path.endswith("/notes") and request.method == "POST" and path.removesuffix("/notes") in self.things:
            kind = (request.json or {}).get("kind")
            if kind not in ("ALLOW-TRANSFER",):
                return reply({"error": f"Unsupported kind '{kind}'" if kind else "kind is required"}, 422)
            self.things[f"{path}/{kind}"] = {"kind": kind}
            return reply({"kind": kind}, 201)
        return super().__call__(request)


ZONES = ["GET /zones", "POST /zones", "GET /zones/{zone}", "DELETE /zones/{zone}", "PUT /zones/{zone}/transfer"]
NOTES = ["GET /zones/{zone}/notes", "POST /zones/{zone}/notes", "DELETE /zones/{zone}/notes/{note_kind}"]


def test_an_operation_is_called_on_another_form_of_a_thing_if_it_refuses_the_thing(tmp_path: Path) -> None:
    reached, _ = explored(tmp_path, Zones(), ZONES, **{"POST /zones": of_body(ZONE)})
    assert reached == set(ZONES)


def test_a_word_that_names_a_thing_in_what_is_somebodys_names_another_one_in_what_is_the_runs_own(
    tmp_path: Path,
) -> None:
    shop = Zones()
    reached, server = explored(
        tmp_path, shop, ZONES[:4] + NOTES, **{"POST /zones": of_body(ZONE), "POST /zones/{zone}/notes": texts("kind")}
    )
    assert reached == {*ZONES[:4], *NOTES}
    assert not [line for line in server.changes if "/zones/ours" in line]
    assert "/zones/ours/notes/ALLOW-TRANSFER" in shop.things


class Questions(Shop):
    """Only a question with choices has options; of others the API says that they are not there."""

    def __init__(self) -> None:
        super().__init__({"/questions/1": {"id": 1, "variant": "choices"}})

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST" and request.path == "/options":
            asked = (request.json or {}).get("question")
            question = self.things.get(f"/questions/{asked}", {})
            if question.get("variant") != "choices":
                return reply({"question": [f'Invalid pk "{asked}" - object does not exist.']}, 400)
        return super().__call__(request)


def test_a_reference_is_made_to_another_form_of_a_thing_if_the_thing_is_refused_as_not_there(tmp_path: Path) -> None:
    operations = [f"{method} /questions" for method in ("GET", "POST")]
    operations += ["GET /questions/{question}", "DELETE /questions/{question}"]
    operations += ["GET /options", "POST /options", "GET /options/{option}", "DELETE /options/{option}"]
    variants = ["number", "text", "date", "url", "choices", "file"]
    question = {"label": {"type": "string"}, "variant": {"type": "string", "enum": variants}}
    option = {"question": {"type": "integer"}, "label": {"type": "string"}}
    shop = Questions()
    reached, server = explored(
        tmp_path,
        shop,
        operations,
        **{
            "POST /questions": of_body({"type": "object", "required": ["label"], "properties": question}),
            "POST /options": of_body({"type": "object", "required": ["question"], "properties": option}),
        },
    )
    assert reached == {*operations}
    # Nothing was added to somebody's question.
    bodies = [one.json for one in server.requests if one.method == "POST" and one.path == "/options" and one.body]
    assert 1 not in [body.get("question") for body in bodies]


class Drafts(Shop):
    """A draft has one checkpoint at most, and a part must say in the body of which draft it is."""

    def __call__(self, request: Received) -> Answer:
        path = request.path.rstrip("/")
        draft = path.rpartition("/")[0]
        if request.method == "POST" and path.endswith("/checkpoints") and draft in self.things:
            self.things[f"{path}/last"] = {}
            return reply({"id": "last"}, 201)
        if request.method == "POST" and path.endswith("/parts") and draft in self.things:
            sent = request.json or {}
            if "draft_id" not in sent:
                return reply({"error": "draft_id is required"}, 422)
            if str(sent["draft_id"]) != draft.rpartition("/")[2]:
                return reply({"error": "draft_id: no such draft"}, 422)
        return super().__call__(request)


DRAFTS = ["GET /drafts", "POST /drafts", "GET /drafts/{draft_id}", "DELETE /drafts/{draft_id}"]
CHECKPOINTS = [
    "GET /drafts/{draft_id}/checkpoints",
    "POST /drafts/{draft_id}/checkpoints",
    "DELETE /drafts/{draft_id}/checkpoints/{checkpoint_id}",
]
PARTS = ["GET /drafts/{draft_id}/parts", "POST /drafts/{draft_id}/parts", "DELETE /drafts/{draft_id}/parts/{part_id}"]


def test_what_there_can_be_only_one_of_is_deleted_itself(tmp_path: Path) -> None:
    reached, _ = explored(tmp_path, Drafts(), DRAFTS + CHECKPOINTS, **{"POST /drafts": texts("name")})
    assert reached == {*DRAFTS, *CHECKPOINTS}


def test_what_is_required_in_the_body_too_is_as_in_the_path(tmp_path: Path) -> None:
    reached, _ = explored(tmp_path, Drafts(), DRAFTS + PARTS, **{"POST /drafts": texts("name")})
    assert reached == {*DRAFTS, *PARTS}


class Uploads(Shop):
    """Uploads take a form alone, and reports a body though no document says so."""

    def __call__(self, request: Received) -> Answer:
        path = request.path.rstrip("/")
        if request.method == "POST" and path == "/uploads":
            kind = request.headers.get("content-type", "")
            if not kind.startswith("application/x-www-form-urlencoded"):
                return Answer(
                    415, b'{"error": "unsupported media type"}', {"Accept": "application/x-www-form-urlencoded"}
                )
            self.things["/uploads/u1"] = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
            return reply(self.shown("/uploads/u1"), 201)
        if path.endswith("/report"):
            return reply({}) if request.body else reply({"error": "Request body is required"}, 400)
        return super().__call__(request)


UPLOADS = ["GET /uploads", "POST /uploads", "GET /uploads/{id}", "DELETE /uploads/{id}", "POST /uploads/{id}/report"]


def test_a_media_type_that_an_answer_names_is_sent_and_so_is_a_body_that_it_wants(tmp_path: Path) -> None:
    extras = {"POST /uploads": texts("name"), "POST /uploads/{id}/report": {"requestBody": {"content": {}}}}
    reached, _ = explored(tmp_path, Uploads(), UPLOADS, **extras)
    assert reached == set(UPLOADS)


class Cards(Shop):
    """A card is put under a name, never posted; what is in it must be said."""

    def __call__(self, request: Received) -> Answer:
        path = request.path.rstrip("/")
        if path.count("/") == 2 and request.method == "POST":
            return Answer(405, b"{}", {"Allow": "GET, PUT, DELETE"})
        return super().__call__(request)


CARDS = ["GET /cards", "GET /cards/{id}", "PUT /cards/{id}", "DELETE /cards/{id}"]


def test_a_path_without_the_method_is_asked_no_more(tmp_path: Path) -> None:
    reached, server = explored(tmp_path, Cards(), [*CARDS, "POST /cards/{id}"])
    assert reached == set(CARDS)
    assert len([line for line in server.seen if line.startswith("POST ")]) <= 4


TREE: dict[str, Any] = {"": ["notes", "a.txt"], "notes": ["deep"], "notes/deep": ["b.txt"]}


def files(request: Received) -> Answer:
    """A tree of files: what it has is listed from its top on, and each file has lines of its own."""
    parts = unquote(request.path).removeprefix("/files").strip("/").removesuffix("/lines").strip("/")
    if request.path.endswith("/lines"):
        return reply({"lines": 1}) if parts.endswith(".txt") else reply({"error": "not found"}, 404)
    if parts in TREE:
        inside = [{"name": name, "path": f"{parts}/{name}".strip("/")} for name in TREE[parts]]
        return reply({"name": parts, "type": "folder", "content": inside, "size": None})
    return reply({"name": parts}) if parts in ("a.txt", "notes/deep/b.txt") else reply({"error": "not found"}, 404)


def test_a_tree_is_read_from_its_top_on(tmp_path: Path) -> None:
    class Files(Shop):
        def __call__(self, request: Received) -> Answer:
            return files(request) if request.method == "GET" else reply({}, 405)

    reached, server = explored(tmp_path, Files(), ["GET /files/{path}", "GET /files/{path}/lines"])
    assert reached == {"GET /files/{path}", "GET /files/{path}/lines"}
    assert "GET /files/" in server.seen
    assert "GET /files/notes%2Fdeep" in server.seen


def test_links_in_answers_are_paths_of_operations(tmp_path: Path) -> None:
    class Linked(Shop):
        def __call__(self, request: Received) -> Answer:
            if request.path == "/home":
                return reply({"_links": {"desk": {"href": "/desks/d-77/drawers/left?key=k-5"}}, "version": "1"})
            if request.path == "/desks/d-77":
                return reply({"size": 3})
            known = request.path == "/desks/d-77/drawers/left" and request.query.get("key") == ["k-5"]
            return reply({"pens": 2}) if known else reply({"error": "not found"}, 404)

    key = {"parameters": [{"name": "key", "in": "query", "required": True, "schema": {"type": "string"}}]}
    operations = ["GET /home", "GET /desks/{desk}", "GET /desks/{desk}/drawers/{side}"]
    reached, _ = explored(tmp_path, Linked(), operations, **{operations[2]: key})
    assert reached == set(operations)


def _operation(folder: Path) -> Operation:
    file = folder / "shop.json"
    file.write_text(json.dumps(document(["POST /zones"], **{"POST /zones": of_body(ZONE)})))
    return load([file]).operations[0]


def test_the_form_that_an_error_mentions_comes_first(tmp_path: Path) -> None:
    error = "Domain 'x' is not a slave domain (or has no master defined)"
    forms = list(
        other_forms(_operation(tmp_path), {"name": "n", "kind": "Native"}, error, lambda name: [[f"a {name}"]])
    )
    assert forms[0] == {"name": "n", "kind": "Slave", "masters": ["a masters"]}
    assert {"name": "n", "kind": "Slave"} in forms[1:]
    assert {"name": "n", "kind": "Native"} not in forms


def test_the_smallest_body_of_a_creation_carries_a_name_of_the_run() -> None:
    full = {"size": 1, "title": run_name(3)}
    assert marked({}, full) == {"title": run_name(3)}
    assert marked({"key": run_name(2)}, full) == {"key": run_name(2)}
    # An id of something else is given up for one that is there.
    assert marked({"graph_id": run_name(2)}, full) == {"graph_id": run_name(2), "title": run_name(3)}
    assert marked({}, {"size": 1}) == {}
    # A schedule will be another text as soon as it is refused: then nothing says whose the thing is.
    planned = {"schedule": run_name(2)}
    kept = {"timezone": run_name(3), "metadata": {"title": run_name(3)}, "webhook": run_name(3)}
    assert marked(planned, {**planned, **kept}) == {**planned, "metadata": {"title": run_name(3)}}


def test_what_a_body_refers_to_keeps_its_name() -> None:
    body = {"name": run_name(1), "file_id": run_name(2)}
    assert renumbered(body, 9, fixed={run_name(2)}) == {"name": run_name(9), "file_id": run_name(2)}
    assert renumbered(body, 9) == {"name": run_name(1), "file_id": run_name(9)}


@pytest.mark.parametrize(
    ("parameter", "noun", "id"),
    [
        ("note_kind", "note", "draft"),
        ("poolName", "pools", "p"),
        ("note_id", "note", 7),
        ("kind", "pool", "draft"),
        ("kind__iexact", "pool", "draft"),
        ("kind__gte", "pool", 7),
    ],
)
def test_a_path_parameter_tells_which_field_is_the_id(parameter: str, noun: str, id: str | int) -> None:
    assert own_id({"id": 7, "name": "p", "kind": "draft"}, parameter, noun) == id


def test_each_alternative_of_a_body_is_tried_also_inside(tmp_path: Path) -> None:
    """The document says `oneOf` with a discriminator; only the second form is taken, and it has one inside."""

    class Shapes(Shop):
        def __call__(self, request: Received) -> Answer:
            if request.method == "POST" and request.path == "/shapes":
                sent = request.json or {}
                fits = sent.get("kind") == "sq" and "side" in sent and "width" in (sent.get("pen") or {})
                return super().__call__(request) if fits else reply({"error": "no such shape"}, 400)
            return super().__call__(request)

    text, number = {"type": "string"}, {"type": "number"}
    forms = {
        "Round": {"type": "object", "required": ["kind", "radius"], "properties": {"kind": text, "radius": number}},
        "Square": {
            "type": "object",
            "required": ["kind", "side", "pen"],
            "properties": {
                "kind": text,
                "side": number,
                "pen": {
                    "oneOf": [
                        {"type": "object", "required": ["ink"], "properties": {"ink": text}},
                        {"type": "object", "required": ["width"], "properties": {"width": number}},
                    ]
                },
            },
        },
    }
    refs = {name: f"#/components/schemas/{name}" for name in forms}
    mapping = {"round": refs["Round"], "sq": refs["Square"]}
    schema = {
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "kind", "mapping": mapping},
    }
    operations = ["GET /shapes", "POST /shapes", "GET /shapes/{id}", "DELETE /shapes/{id}"]
    file = tmp_path / "shop.json"
    spec = document(operations, **{"POST /shapes": of_body(schema)})
    file.write_text(json.dumps({**spec, "components": {"schemas": forms}}))
    with Server(Shapes().routes) as server:
        evidence = docrev.explore(
            file, base_urls=server.url, allow="POST,PUT,PATCH,DELETE", max_calls=200, out=tmp_path
        )
    assert evidence.summary["missed"] == []


def test_what_came_together_is_sent_together(tmp_path: Path) -> None:
    class Trips(Shop):
        def __call__(self, request: Received) -> Answer:
            places = [{"town": f"t{n}", "land": f"l{n}", "open": n == 3} for n in range(5)]
            if request.path == "/places":
                return reply(places)
            sent = {name: values[0] for name, values in request.query.items()}
            known = sent.get("town") == "t3" and sent.get("land") == "l3"
            return reply({"km": 7}) if known else reply({"error": "no such trip"}, 404)

    wanted = [
        {"name": name, "in": "query", "required": True, "schema": {"type": "string"}} for name in ("town", "land")
    ]
    operations = ["GET /places", "GET /trip"]
    reached, _ = explored(tmp_path, Trips(), operations, **{"GET /trip": {"parameters": wanted}})
    assert reached == set(operations)


def test_of_a_full_body_that_is_refused_the_half_that_fits_is_sent(tmp_path: Path) -> None:
    class Halves(Shop):
        def __call__(self, request: Received) -> Answer:
            if request.method == "POST":
                sent = set(request.json or {})
                fits = {"alpha", "beta"} <= sent and not sent & {"gamma", "delta"}
                return super().__call__(request) if fits else reply({"error": "this cannot be done"}, 400)
            return super().__call__(request)

    body = {"type": "object", "properties": {n: {"type": "string"} for n in ("alpha", "beta", "gamma", "delta")}}
    operations = ["GET /things", "POST /things", "DELETE /things/{id}"]
    reached, _ = explored(tmp_path, Halves(), operations, **{"POST /things": of_body(body)})
    assert reached == set(operations)


def test_what_an_error_said_of_a_parameter_holds_for_all_that_is_tried_for_it(tmp_path: Path) -> None:
    block = {"name": "block", "in": "query", "required": True, "schema": {"type": "string"}}
    file = tmp_path / "rooms.json"
    file.write_text(json.dumps(document(["GET /rooms"], **{"GET /rooms": {"parameters": [block]}})))
    catalog = load([file])
    operation, graph = catalog.operations[0], ToolGraph(catalog)
    candidates = Candidates(graph, Contexts(catalog, graph), GivenValues(()), Effects(Routes(catalog.operations)))
    subject = Subject(operation)
    assert not candidates.options(subject, "query:block")[0].isdigit()
    candidates.lessons.note(operation.tool, "query:block", [Hint("pattern", "query", "/block", ("^[0-9]+$",), "")])
    assert candidates.options(subject, "query:block")[0].isdigit()


def test_nothing_is_created_under_a_name_that_another_thing_has(tmp_path: Path) -> None:
    class Named(Shop):
        def __call__(self, request: Received) -> Answer:
            if request.method == "POST" and b'"name"' not in request.body:
                return reply({"error": "name is required"}, 422)
            return super().__call__(request)

    shop = Named({"/shops/1": {"id": 1, "name": "Corner"}, "/shops/1/books/7": {"id": 7, "name": "Atlas"}})
    operations = ["GET /shops", "POST /shops", "GET /shops/{id}", "DELETE /shops/{id}"]
    books = ["GET /shops/{id}/books", "POST /shops/{id}/books", "DELETE /shops/{id}/books/{book_id}"]
    bodies = {name: of_body({"type": "object"}) for name in ("POST /shops", "POST /shops/{id}/books")}
    reached, server = explored(tmp_path, shop, operations + books, **bodies)
    assert "POST /shops" in reached
    bodies_sent = [json.loads(request.body) for request in server.requests if request.method == "POST" and request.body]
    names = [body["name"] for body in bodies_sent if "name" in body]
    assert names
    assert not [name for name in names if "docrev" not in str(name)]


def test_what_is_created_is_not_given_the_id_of_another_and_changed_under_its_own(tmp_path: Path) -> None:
    class Links(Shop):
        """A link is created under the ID that the body has; its times are unique; a change repeats its ID."""

        def __call__(self, request: Received) -> Answer:
            body, path = (request.json or {}) if request.body else {}, request.path
            if request.method == "POST":
                if not all(isinstance(body.get(name), str) for name in ("link_id", "at")):
                    return reply({"error": "link_id and at are texts"}, 422)
                if f"/links/{body['link_id']}" in self.things or body["at"] in [v["at"] for v in self.things.values()]:
                    return reply({"error": "Unique constraint violation"}, 409)
                self.things[f"/links/{body['link_id']}"] = body
                return reply(body, 201)
            if request.method == "PATCH" and body.get("link_id") != path.rpartition("/")[2]:
                return reply({"error": "link_id of the request body does not match the URL"}, 400)
            return super().__call__(request)

        def shown(self, path: str) -> dict[str, Any]:
            return self.things[path]

    schema = texts("link_id", "at")
    schema["requestBody"]["content"]["application/json"]["schema"]["properties"]["at"]["format"] = "date-time"
    operations = [
        "GET /links",
        "POST /links",
        *(f"{method} /links/{{link_id}}" for method in ("GET", "PATCH", "DELETE")),
    ]
    extras = {"POST /links": schema, "PATCH /links/{link_id}": texts("link_id", "at")}
    shop = Links({"/links/warehouse": {"link_id": "warehouse", "at": "2024-06-01T12:00:00Z"}})
    reached, _ = explored(tmp_path, shop, operations, **extras)
    assert reached == set(operations)
    assert set(shop.things) == {"/links/warehouse"}


def test_ids_that_are_known_under_another_beginning_of_the_path_are_tried(tmp_path: Path) -> None:
    operations = ["GET /rooms/{id}", "GET /paged/rooms/{id}/keys", "GET /other/{id}"]
    file = tmp_path / "rooms.json"
    file.write_text(json.dumps(document(operations)))
    catalog = load([file])
    contexts = Contexts(catalog, ToolGraph(catalog))
    arguments: dict[str, Json] = {"path:id": "blue"}
    contexts.observe(Call("c", catalog.operations[0].key, arguments, "", 200, {}, {"id": "blue"}, "", "survey"))
    tool = catalog.operations[0].tool
    assert contexts.tuples(tool, "/paged/rooms/{id}") == [("blue",)]
    assert contexts.tuples(tool, "/other/{id}") == []
    # What only reads may go there; nothing shows that it is the run's own.
    assert contexts.tuples(tool, "/paged/rooms/{id}", owned=1) == []


class Tagged(Shop):
    """The tags of a note are put as a list of their IDs."""

    def __call__(self, request: Received) -> Answer:
        if request.method != "PUT" or not request.path.endswith("/tags"):
            return super().__call__(request)
        wanted = [f"/tags/{one.get('id')}" for one in request.json if isinstance(one, dict)]
        if not wanted or not all(tag in self.things for tag in wanted):
            return reply({"message": "Some tags not found"}, 404)
        return reply([self.shown(tag) for tag in wanted])


def test_an_id_in_the_list_of_what_a_thing_has_is_that_of_such_a_thing(tmp_path: Path) -> None:
    ids = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
    lines = [f"{method} /{kind}" for kind in ("notes", "tags") for method in ("GET", "POST")]
    lines += [f"{method} /{kind}/{{id}}" for kind in ("notes", "tags") for method in ("GET", "DELETE")]
    lines += ["PUT /notes/{id}/tags"]
    bodies = {"POST /notes": texts("name"), "POST /tags": texts("name")}
    shop = Tagged({"/notes/70": {"name": "theirs"}, "/tags/80": {"name": "theirs"}})
    there = dict(shop.things)
    found, _ = explored(tmp_path, shop, lines, **bodies, **{lines[-1]: of_body({"type": "array", "items": ids})})
    assert found == set(lines)
    assert shop.things == there
