"""POSTs that say that they read: tried on the run's own things first, and no further if they changed something."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from servers import Answer, Received, Server, reply

import docrev
from docrev.conventions.graphql import EMPTY, only_queries

OPERATIONS = ("GET /notes", "POST /notes", "GET /notes/{id}", "DELETE /notes/{id}")
TEXT = {"type": "object", "properties": {"name": {"type": "string"}}}
UUID = {"type": "string", "format": "uuid"}
LONG = "5b0c3a9e-4d7f-4c0b-8a1e-2f3d4c5b6a7"
"""What each long id begins with."""


class Notes:
    """Notes, one of them somebody's. `search` answers what is no operation of a collection, by the notes."""

    def __init__(self, search: Callable[[Notes, Received], Answer]) -> None:
        self.search = search
        self.items: dict[int, dict[str, Any]] = {1: {"id": 1, "name": "theirs"}}
        self.next = 2

    def answer(self, request: Received) -> Answer:
        tail = request.path.removeprefix("/notes").strip("/")
        if tail and not tail.isdecimal():
            return self.search(self, request)
        if not tail:
            return self.collection(request)
        if int(tail) not in self.items:
            return reply({"message": "no such note"}, 404)
        if request.method == "DELETE":
            del self.items[int(tail)]
            return Answer(204)
        return reply(self.items[int(tail)])

    def collection(self, request: Received) -> Answer:
        if request.method == "GET":
            return reply(list(self.items.values()))
        made = {"id": self.next, "name": str(request.json.get("name", ""))}
        self.items[self.next] = made
        self.next += 1
        return reply(made, 201)

    def server(self) -> Server:
        routes = {f"{method} /*": self.answer for method in ("GET", "POST", "DELETE")}
        return Server({**routes, "POST /graphql": lambda request: self.search(self, request)})


def with_body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


def explored(
    folder: Path, server: Server, *operations: str, values: Sequence[str] = (), **extras: dict[str, Any]
) -> dict[str, Any]:
    file = folder / "shop.json"
    posts = [line for line in (*OPERATIONS, *operations) if line.startswith("POST")]
    bodies = {**dict.fromkeys(posts, with_body(TEXT)), **extras}
    file.write_text(json.dumps(document([*OPERATIONS, *operations], **bodies)))
    found = docrev.explore(
        file,
        base_urls=server.url,
        out=folder / "evidence",
        max_calls=300,
        allow=["POST,PUT,PATCH,DELETE"],
        values=values,
    )
    return found.summary


def sent(server: Server, path: str) -> list[Received]:
    return [request for request in server.requests if request.method == "POST" and request.path.endswith(path)]


def found_by_name(notes: Notes, request: Received) -> Answer:
    return reply([item for item in notes.items.values() if item["name"] == request.json.get("name")])


def test_a_search_that_reads_is_tried_with_a_name_of_the_run_s_own(tmp_path: Path) -> None:
    notes = Notes(found_by_name)
    with notes.server() as server:
        summary = explored(tmp_path, server, "POST /notes/search")
    searches = sent(server, "/search")
    assert searches[0].json["name"].startswith("docrev")
    assert not any("it counts as unsafe" in text for text in summary["findings"])
    assert notes.items[1]["name"] == "theirs"


def test_a_search_over_all_of_a_tree_is_tried_with_the_one_value_that_its_path_takes(tmp_path: Path) -> None:
    notes = Notes(found_by_name)
    line = "POST /notes/{id}/parts/search"
    every = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string", "const": "~"}}]
    with notes.server() as server:
        summary = explored(tmp_path, server, line, **{line: {"parameters": every, **with_body(TEXT)}})
    searches = sent(server, "/search")
    assert {request.path for request in searches} == {"/notes/~/parts/search"}
    assert searches[0].json["name"].startswith("docrev")
    assert summary["missed"] == []


def test_a_query_that_is_run_only_reads_also_with_a_slash_at_its_end(tmp_path: Path) -> None:
    notes = Notes(found_by_name)
    with notes.server() as server:
        query = {"summary": "Run a structured query", **with_body(TEXT)}
        summary = explored(tmp_path, server, "POST /notes/query/", **{"POST /notes/query/": query})
    assert sent(server, "/query/")[0].json["name"].startswith("docrev")
    assert summary["missed"] == []


def test_a_query_of_an_item_is_tried_on_an_own_item(tmp_path: Path) -> None:
    notes = Notes(lambda notes, request: reply({"matches": []}))
    with notes.server() as server:
        summary = explored(tmp_path, server, "POST /notes/{id}/query")
    queries = sent(server, "/query")
    assert queries
    assert queries[0].path != "/notes/1/query"
    assert not any("it counts as unsafe" in text for text in summary["findings"])


def test_a_query_that_changes_its_item_never_goes_to_others(tmp_path: Path) -> None:
    def rename(notes: Notes, request: Received) -> Answer:
        notes.items[int(request.path.split("/")[2])]["name"] += "!"
        return reply({"matches": []})

    notes = Notes(rename)
    with notes.server() as server:
        summary = explored(tmp_path, server, "POST /notes/{id}/query")
    assert sent(server, "/query")
    assert notes.items[1] == {"id": 1, "name": "theirs"}
    assert any("had changed after" in text and "POST /notes/{id}/query when" in text for text in summary["findings"])


def test_a_search_that_deletes_is_found_out_on_the_own_thing(tmp_path: Path) -> None:
    def delete(notes: Notes, request: Received) -> Answer:
        wanted = request.json.get("name")
        gone = [id for id, item in notes.items.items() if wanted in (None, item["name"])]
        for id in gone:
            del notes.items[id]
        return reply({"deleted": len(gone)})

    notes = Notes(delete)
    with notes.server() as server:
        summary = explored(tmp_path, server, "POST /notes/search")
    assert len(sent(server, "/search")) == 1
    assert notes.items[1]["name"] == "theirs"
    assert any("had changed after" in text and "POST /notes/search when" in text for text in summary["findings"])


def test_a_search_without_a_place_for_a_name_is_not_sent(tmp_path: Path) -> None:
    notes = Notes(lambda notes, request: reply([]))
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(document([*OPERATIONS, "POST /notes/search"])))
    with notes.server() as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "evidence", max_calls=100, allow=["POST,DELETE"])
    assert sent(server, "/search") == []


def test_what_only_a_post_lists_is_looked_for_there_and_told(tmp_path: Path) -> None:
    class Filtered(Notes):
        """No GET lists notes, and from the third on, each creation also makes an echo of itself, which stays."""

        def answer(self, request: Received) -> Answer:
            id = request.path.rpartition("/")[2]
            if request.method == "GET" and not id.isdecimal():
                return Answer(404)
            is_echo = request.method == "DELETE" and "text" in self.items.get(int(id), {})
            return Answer(405) if is_echo else super().answer(request)

        def collection(self, request: Received) -> Answer:
            name = request.json.get("name") if request.body else None
            if not isinstance(name, str) or not name:
                return reply({"message": "name must be a string"}, 400)
            answer = super().collection(request)
            if self.next > 4:
                self.items[self.next] = {"id": self.next, "text": name}
                self.next += 1
            return answer

    def filtered(notes: Notes, request: Received) -> Answer:
        names = request.json.get("notes", {}).get("name", {}).get("any_")
        found = [item for item in notes.items.values() if names is None or item.get("name") in names]
        return reply(found[: request.json.get("limit", 2)])

    names = {"type": "object", "properties": {"any_": {"type": "array", "items": {"type": "string"}}}}
    notes_filter = {"type": "object", "properties": {"name": names}}
    body = {"type": "object", "properties": {"notes": notes_filter, "limit": {"type": "integer", "maximum": 50}}}
    schemas = {"POST /notes": {**TEXT, "required": ["name"]}, "POST /notes/filter": body}
    bodies = {at: {"requestBody": {"content": {"application/json": {"schema": s}}}} for at, s in schemas.items()}
    file, notes = tmp_path / "shop.json", Filtered(filtered)
    file.write_text(json.dumps(document([*OPERATIONS[1:], "POST /notes/filter"], **bodies)))
    with notes.server() as server:
        found = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=300, allow=["POST,DELETE"]
        )
    assert sent(server, "/filter")[0].json["notes"]["name"]["any_"][0].startswith("docrev")
    there = {f"/notes/{number}" for number in notes.items if number != 1}
    assert there
    assert not any("name" in notes.items[number] for number in notes.items if number != 1)
    assert there == {item["path"] for item in found.summary["left"]} - {"/notes/?"}


class LongIds(Notes):
    """Notes with long ids of the service's choice, of which the first is somebody's."""

    def answer(self, request: Received) -> Answer:
        answer = super().answer(replace(request, target=request.target.replace(LONG, "")))
        return replace(answer, body=re.sub(rb'"id": (\d+)', rb'"id": "%s\1"' % LONG.encode(), answer.body))


def test_a_search_by_ids_is_tried_with_the_id_of_something_of_the_run_s_own(tmp_path: Path) -> None:
    ids = {"type": "object", "required": ["note_ids"], "properties": {"note_ids": {"type": "array", "items": UUID}}}
    notes = LongIds(lambda notes, request: reply(dict.fromkeys(request.json["note_ids"], 0)))
    with notes.server() as server:
        explored(tmp_path, server, "POST /notes/count", **{"POST /notes/count": with_body(ids)})
    assert sent(server, "/count")[0].json["note_ids"][0] in (f"{LONG}2", f"{LONG}3")


def test_things_without_names_are_searched_for_by_their_ids(tmp_path: Path) -> None:
    def search(notes: Notes, request: Received) -> Answer:
        """The notes with these IDs, or all of them; the labels are refused that nobody has."""
        body = request.json if request.body else {}
        wanted, labels = body.get("ids"), body.get("labels")
        if labels:
            return reply({"message": "labels must start with one of: red, blue"}, 422)
        found = [{"id": f"{LONG}{id}", "size": item["id"]} for id, item in notes.items.items()]
        return reply([note for note in found if wanted is None or note["id"] in wanted])

    filters = {
        "type": "object",
        "properties": {
            "ids": {"type": "array", "items": UUID},
            "labels": {"type": "object"},
            "limit": {"type": "integer"},
        },
    }
    notes = LongIds(search)
    with notes.server() as server:
        explored(tmp_path, server, "POST /notes/search", **{"POST /notes/search": with_body(filters)})
    searches = [request.json if request.body else {} for request in sent(server, "/search")]
    assert searches[0] == {"ids": [f"{LONG}2"]} or searches[0] == {"ids": [f"{LONG}3"]}
    # As it has found the run's own note and changed nothing, it is asked for all of them, too.
    assert any("ids" not in body for body in searches)


def test_what_lies_elsewhere_is_tried_with_the_ids_of_the_kind_that_its_body_names(tmp_path: Path) -> None:
    ids = {"type": "object", "required": ["note_ids"], "properties": {"note_ids": {"type": "array", "items": UUID}}}
    notes = LongIds(lambda notes, request: reply({}))
    lines = [*OPERATIONS, "GET /tags", "POST /tags", "DELETE /tags/{id}", "POST /views/notes/count"]
    bodies = {
        **dict.fromkeys(("POST /notes", "POST /tags"), with_body(TEXT)),
        "POST /views/notes/count": with_body(ids),
    }
    (tmp_path / "shop.json").write_text(json.dumps(document(lines, **bodies)))
    tags = Notes(lambda notes, request: Answer(404))
    own_path = {f"{method} /notes*": notes.answer for method in ("GET", "POST", "DELETE")}
    moved = {f"{method} /tags*": lambda r: tags.answer(moved_to(r, "/notes")) for method in ("GET", "POST", "DELETE")}
    counting = {"POST /views/notes/count": lambda request: reply(dict.fromkeys(request.json["note_ids"], 0))}
    with Server({**own_path, **moved, **counting}) as server:
        docrev.explore(
            tmp_path / "shop.json",
            base_urls=server.url,
            out=tmp_path / "evidence",
            max_calls=200,
            allow=["POST,DELETE"],
        )
    assert sent(server, "/count")[0].json["note_ids"][0] in (f"{LONG}2", f"{LONG}3")


def moved_to(request: Received, place: str) -> Received:
    return replace(request, target=re.sub("^/[^/]*", place, request.target))


PAGE = {"type": "object", "properties": {"limit": {"type": "integer"}, "offset": {"type": "integer"}}}


@pytest.mark.parametrize("others_read", [True, False])
def test_what_only_takes_a_page_reads_if_what_is_called_alike_was_shown_to(tmp_path: Path, others_read: bool) -> None:
    kinds = ("notes", "tags", "books")
    things = {kind: Notes(found_by_name if others_read else found_and_renamed) for kind in kinds}
    things["books"].search = lambda books, request: reply([*books.items.values()])
    lines = [line.replace("/notes", f"/{kind}") for kind in kinds for line in (*OPERATIONS, "POST /notes/filter")]
    bodies = {line: with_body(TEXT) for line in lines if line.startswith("POST")}
    bodies["POST /books/filter"] = with_body(PAGE)
    (tmp_path / "shop.json").write_text(json.dumps(document(lines, **bodies)))
    routes = {
        f"{method} /{kind}*": lambda request, kind=kind: things[kind].answer(moved_to(request, "/notes"))
        for kind in kinds
        for method in ("GET", "POST", "DELETE")
    }
    with Server(routes) as server:
        docrev.explore(
            tmp_path / "shop.json",
            base_urls=server.url,
            out=tmp_path / "evidence",
            max_calls=300,
            allow=["POST,DELETE"],
        )
    assert bool(sent(server, "/books/filter")) == others_read
    assert all(thing.items[1]["name"] == "theirs" for thing in things.values())


def found_and_renamed(notes: Notes, request: Received) -> Answer:
    answer = found_by_name(notes, request)
    for item in notes.items.values():
        item["name"] += "!" if item["name"] == request.json.get("name") else ""
    return answer


def test_a_text_that_is_checked_is_a_name(tmp_path: Path) -> None:
    notes = Notes(lambda notes, request: Answer(204))
    with notes.server() as server:
        explored(tmp_path, server, "POST /notes/validate", **{"POST /notes/validate": with_body({"type": "string"})})
    assert {request.json[:6] for request in sent(server, "/validate")} == {"docrev"}


def test_graphql_is_asked_by_queries_alone(tmp_path: Path) -> None:
    notes = Notes(lambda notes, request: reply({"data": {"__typename": "Query"}}))
    with notes.server() as server:
        explored(tmp_path, server, "POST /graphql")
    documents = [request.json["query"] for request in sent(server, "/graphql")]
    assert documents[0] == EMPTY
    assert all(map(only_queries, documents))


@pytest.mark.parametrize(
    "document",
    [
        "{ me { id } }",
        "query { me }",
        "query Q($id: ID = 1) @live { a(x: {b: 1}) { ...F } } fragment F on A { id }",
        '# mutation\n{ a(text: "mutation { b }") }',
    ],
)
def test_documents_of_queries_only_read(document: str) -> None:
    assert only_queries(document)


@pytest.mark.parametrize(
    "document",
    ["mutation { a }", "{ a } mutation M { b }", "subscription { a }", "", "x", "{ a", None, {"query": "{ a }"}],
)
def test_other_documents_do_not(document: object) -> None:
    assert not only_queries(document)


def test_a_trial_has_what_a_person_gave_beside_the_name_of_the_run_s_own(tmp_path: Path) -> None:
    def find(notes: Notes, request: Received) -> Answer:
        is_right = request.json.get("level") == "Note"
        return found_by_name(notes, request) if is_right else reply({"message": "Bad request"}, 400)

    schema = {"type": "object", "properties": {"name": {"type": "string"}, "level": {"type": "string"}}}
    notes = Notes(find)
    with notes.server() as server:
        posts = {"POST /notes/find": with_body({**schema, "required": ["name", "level"]})}
        given = ["POST /notes/find:level=Note"]
        summary = explored(tmp_path, server, "POST /notes/find", values=given, **posts)
    assert summary["missed"] == []
    assert all(request.json["name"].startswith("docrev") for request in sent(server, "/find")[:2])


FILTER = {"type": "object"}
LEVEL = {"type": "string", "description": "What is looked for (`Note` or `Folder`)"}


@pytest.mark.parametrize("fault", [400, 500])
def test_what_the_user_named_is_called_without_what_was_made_up_for_it(tmp_path: Path, fault: int) -> None:
    """Nobody says which members an object without a schema may have: none is better than one that is refused."""

    def find(notes: Notes, request: Received) -> Answer:
        sent = request.json if isinstance(request.json, dict) else {}
        if sent.get("level") not in ("Note", "Folder") or sent.get("where") != {}:
            return reply({"message": "Bad request"}, fault)
        return reply([*notes.items.values()])

    schema = {"type": "object", "properties": {"where": FILTER, "level": LEVEL}, "required": ["where", "level"]}
    document_ = document([*OPERATIONS, "POST /tools/find"], **{"POST /tools/find": with_body(schema)})
    (tmp_path / "shop.json").write_text(json.dumps(document_))
    notes = Notes(find)
    routes = {f"{method} /notes*": notes.answer for method in ("GET", "POST", "DELETE")}
    with Server({**routes, "POST /tools/find": lambda request: find(notes, request)}) as server:
        summary = docrev.explore(
            tmp_path / "shop.json",
            base_urls=server.url,
            out=tmp_path / "evidence",
            max_calls=200,
            allow=["POST,DELETE", "POST /tools/find"],
        ).summary
    assert [missed["operation"] for missed in summary["missed"]] == []
    assert notes.items == {1: {"id": 1, "name": "theirs"}}
