"""The survey: path arguments that belong together, values from errors and answers, bodies; on a real server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from servers import Answer, Received, Server, reply

from docrev.calls.executor import Executor
from docrev.calls.policy import Policy
from docrev.conventions.examples import fit_type
from docrev.driver import Budget, Driver
from docrev.evidence import Evidence
from docrev.exploration.path_shapes import fill
from docrev.exploration.second_looks import SecondLooks
from docrev.exploration.survey import Survey, Surveyor
from docrev.graph.tool_graph import ToolGraph
from docrev.language.path_templates import heads_of, parameters_of, shape_of
from docrev.offline import OfflineModel
from docrev.prompts.steps import Steps
from docrev.records import OperationKey
from docrev.spec import load


def test_paths_are_taken_apart() -> None:
    path = "/buckets/{bucket_id}/collections/{id}/records"
    assert parameters_of(path) == ["bucket_id", "id"]
    assert shape_of(path) == "/buckets/{}/collections/{}/records"
    assert list(heads_of(path)) == ["/buckets/{bucket_id}", "/buckets/{bucket_id}/collections/{id}"]
    assert fill("/buckets/{}/collections/{}", "/buckets/a%20b/collections/c") == ("a b", "c")
    assert fill("/buckets/{}", "/groups/a") is None


@pytest.mark.parametrize(
    ("value", "kind", "fitted"),
    [
        ("7", "integer", 7),
        ("x", "integer", None),
        (7, "string", "7"),
        (True, "string", None),
        (True, "integer", None),
        ("1.5", "number", 1.5),
        ("1.5", "integer", None),
        ("x", None, "x"),
    ],
)
def test_values_are_sent_only_as_what_is_wanted(value: object, kind: str | None, fitted: object) -> None:
    assert fit_type(value, kind) == fitted


def test_a_whole_number_is_sent_without_a_point() -> None:
    assert str(fit_type("2", "number")) == "2"


OPERATIONS = (
    "GET /shelves",
    "POST /shelves",
    "DELETE /shelves/{shelf}",
    "GET /shelves/{shelf}/books",
    "POST /shelves/{shelf}/books",
    "GET /shelves/{shelf}/books/{id}",
    "PATCH /shelves/{shelf}/books/{id}",
    "DELETE /shelves/{shelf}/books/{id}",
    "PUT /labels/{id}",
    "GET /labels/{id}",
    "GET /search",
    "GET /charts/{span}/{kind}",
    "GET /notes/{note_code}",
    "GET /shelves/{shelf}/notes",
    "GET /route",
    "GET /broken",
)


class Library:
    """Shelves with books: ids that only fit together, errors that say what is missing, one operation that fails."""

    def __init__(self) -> None:
        self.shelves: dict[str, dict[str, dict[str, Any]]] = {"old": {"b1": {"id": "b1", "title": "Ivanhoe"}}}
        self.labels: dict[str, Any] = {}
        self.touched: list[str] = []

    def __call__(self, request: Received) -> Answer:
        parts = request.path.strip("/").split("/")
        if request.method != "GET":
            self.touched.append(f"{request.method} {request.path}")
        return getattr(self, parts[0])(request, parts[1:])

    def shelves_(self, request: Received) -> Answer:
        if request.method == "GET":
            return reply([{"shelf": name} for name in self.shelves])
        if "name" not in (request.json or {}):
            return reply({"errors": {"name": ["can't be blank"]}}, 422)
        name = f"shelf-{len(self.shelves)}"
        self.shelves[name] = {}
        return reply({"id": name, "name": request.json["name"]}, 201)

    def route(self, request: Received, _: list[str]) -> Answer:
        known = [name for name in ("start", "end") if request.query.get(name, [""])[0] in self.shelves]
        missing = {n: ["is required"] for n in ("start", "end") if n not in request.query}
        wrong = {n: ["no such place"] for n in ("start", "end") if n in request.query and n not in known}
        return reply(missing or wrong, 400) if missing or wrong else reply({"length": 3})

    def search(self, request: Received, _: list[str]) -> Answer:
        term = request.query.get("mode", [""])[0]
        if term not in ("exact", "fuzzy"):
            text = "mode must be one of 'exact', 'fuzzy'" if term else "missing required parameter 'mode'"
            return reply({"message": text}, 400)
        return reply({"found": 1})

    def charts(self, request: Received, rest: list[str]) -> Answer:
        known = {"span": ("day", "week"), "kind": ("books", "films")}
        wrong = [name for name, sent in zip(known, rest, strict=True) if sent not in known[name]]
        texts = (f"path parameter '{name}' must be one of {', '.join(known[name])}" for name in wrong)
        return reply({"status_message": "; ".join(texts)}, 400) if wrong else reply({"chart": []})

    def notes(self, request: Received, rest: list[str]) -> Answer:
        """Notes are known by what the notes of a shelf show: long after the first attempts."""
        return reply({"note_code": rest[0]}) if rest[0].startswith("n-") else reply({"message": "no"}, 404)

    def broken(self, request: Received, _: list[str]) -> Answer:
        return reply({"message": "boom"}, 500)

    def labels_(self, request: Received, id: str) -> Answer:
        if request.method == "PUT":
            self.labels[id] = request.json
            return reply({"id": id}, 201)
        return reply({"id": id}) if id in self.labels else reply({"message": "no"}, 404)

    def books(self, request: Received, shelf: str, rest: list[str]) -> Answer:
        books = self.shelves.get(shelf)
        if books is None:
            return reply({"message": "no such shelf"}, 404)
        if not rest:
            if request.method == "GET":
                return reply({"items": list(books.values())})
            id = f"b{len(books) + 10}"
            books[id] = {"id": id, **(request.json or {})}
            return reply(books[id], 201)
        if rest[0] not in books:
            return reply({"message": "no such book"}, 404)
        if request.method == "DELETE":
            del books[rest[0]]
            return Answer(204)
        return reply(books[rest[0]])


def serve(library: Library) -> Server:
    def answer(request: Received) -> Answer:
        parts = request.path.strip("/").split("/")
        if request.method != "GET":
            library.touched.append(f"{request.method} {request.path}")
        if parts[0] == "labels":
            return library.labels_(request, parts[1])
        if parts[0] != "shelves":
            found = getattr(library, parts[0])(request, parts[1:])
            assert isinstance(found, Answer)
            return found
        if len(parts) == 1:
            return library.shelves_(request)
        if len(parts) == 2:
            return Answer(204) if library.shelves.pop(parts[1], None) is not None else reply({"message": "no"}, 404)
        if parts[2] == "notes":
            known = parts[1] in library.shelves
            return reply({"items": [{"note_code": "n-7"}]}) if known else reply({"message": "no"}, 404)
        return library.books(request, parts[1], parts[3:])

    return Server({"*": answer} | {f"{method} /*": answer for method in ("GET", "POST", "PUT", "PATCH", "DELETE")})


def survey(folder: Path, server: Server, *, allow: str = "", budget: int = 400) -> tuple[Survey, Driver]:
    file = folder / "shop.json"
    file.write_text(json.dumps(document(OPERATIONS)))
    catalog = load([file])
    policy = Policy.parse([allow] if allow else [])

    async def run(evidence: Evidence) -> tuple[Survey, Driver]:
        executor = Executor(catalog, {"shop": server.url}, policy=policy)
        graph = ToolGraph(catalog)
        model = OfflineModel(catalog, graph)
        driver = Driver(executor, model, evidence, budget=Budget(budget), concurrency=4)
        looks = SecondLooks(catalog, executor.journal, lambda text, calls: None)
        surveyor = Surveyor(catalog, graph, executor.journal, policy, looks)
        try:
            return await driver.run(_whole(surveyor)), driver
        finally:
            await executor.close()

    with Evidence.open(folder / "evidence", write=True) as evidence:
        evidence.begin({})
        return asyncio.run(run(evidence))


def _whole(surveyor: Surveyor) -> Steps[Survey]:
    yield from surveyor.reach()
    return (yield from surveyor.vary())


def reached(found: Survey) -> set[str]:
    return {key.operation for key in found.reached}


def test_reading_reaches_what_lists_and_errors_lead_to(tmp_path: Path) -> None:
    library = Library()
    with serve(library) as server:
        found, _ = survey(tmp_path, server)
    assert reached(found) == {
        "GET /shelves",
        "GET /shelves/{shelf}/books",
        "GET /shelves/{shelf}/books/{id}",
        "GET /search",
        "GET /charts/{span}/{kind}",
        "GET /notes/{note_code}",
        "GET /shelves/{shelf}/notes",
        "GET /route",
    }
    assert library.touched == []
    book = found.reached[OperationKey("shop", "GET /shelves/{shelf}/books/{id}")]
    assert book == {"path:shelf": "old", "path:id": "b1"}
    assert found.reached[OperationKey("shop", "GET /search")] == {"query:mode": "exact"}
    chart = found.reached[OperationKey("shop", "GET /charts/{span}/{kind}")]
    assert chart == {"path:span": "day", "path:kind": "books"}
    assert found.reached[OperationKey("shop", "GET /notes/{note_code}")] == {"path:note_code": "n-7"}
    missed = {key.operation: reason.why for key, reason in found.missed.items()}
    assert missed["POST /shelves"].startswith("POST is not allowed")
    assert missed["GET /broken"] == "answered 500: boom"
    assert missed["GET /labels/{id}"].startswith("answered 404")


def test_writing_reaches_the_rest_and_touches_only_what_it_made(tmp_path: Path) -> None:
    library = Library()
    with serve(library) as server:
        found, _ = survey(tmp_path, server, allow="POST,PUT,PATCH,DELETE")
    assert reached(found) == set(OPERATIONS) - {"GET /broken"}
    assert not [line for line in library.touched if "/shelves/old/books/b1" in line]
    assert library.shelves["old"]["b1"] == {"id": "b1", "title": "Ivanhoe"}
    assert all(id.startswith("docrev-") for id in library.labels)


def test_a_spent_budget_ends_the_survey_with_what_is_known(tmp_path: Path) -> None:
    with serve(Library()) as server:
        found, driver = survey(tmp_path, server, budget=4)
    assert driver.budget.spent == 4
    assert "GET /shelves" in reached(found)
    assert len(found.reached) + len(found.missed) == len(OPERATIONS)
