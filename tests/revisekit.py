"""A small library API for the tests of revision: its spec, calls as they came back, and evidence of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from docrev.evidence import Evidence
from docrev.facts import infer
from docrev.prompts.documenting import DocumentOperation
from docrev.records import Call, Experience, Fact, Given, Goal, OperationKey, Scenario
from docrev.spec import Catalog, load

SPEC = """\
# Kept by hand.
openapi: "3.0.3"
info: {title: Library, version: "1"}
paths:
  /authors:
    get:
      operationId: listAuthors
      summary: Get authors.
      parameters:
        - $ref: '#/components/parameters/Limit'
        - {name: country, in: query, schema: {type: string}}
      responses:
        200:
          description: OK
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/AuthorList'
  /authors/{author_id}:
    get:
      operationId: getAuthor
      parameters:
        - {name: author_id, in: path, required: true, schema: {type: integer}}   # a number
      responses:
        200:
          description: OK
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Author'}
  /books:
    get:
      operationId: listBooks
      description: Lists the books that are in print this year.
      parameters:
        - $ref: '#/components/parameters/Limit'
      responses:
        200: {description: OK}
  /broken:
    get:
      operationId: broken
      parameters:
        - {name: again, in: query, schema: {type: integer}}
      responses:
        200: {description: OK}
components:
  parameters:
    Limit:
      name: limit
      in: query
      description: Limit.
      schema: {type: integer}
  schemas:
    AuthorList:
      type: object
      properties:
        items: {type: array, items: {$ref: '#/components/schemas/Author'}}
        total: {type: integer}
    Author:
      type: object
      properties:
        id: {type: integer}
        name: {type: string}
        email: {type: string}
        country:
          type: string
          description: The country that the author was born in, by its code.
"""

NAMES = ["Achebe", "Borges", "Calvino", "Duras", "Eco", "Faulkner", "Grass", "Heaney", "Ibsen", "Joyce", "Kafka", "Lem"]
AUTHORS = [
    {
        "id": 100 + at,
        "name": name,
        "email": f"{name.lower()}@books.test",
        "country": "IT" if name in "Calvino Eco" else "X",
    }
    for at, name in enumerate(NAMES)
]


def key(operation: str, tool: str = "library") -> OperationKey:
    return OperationKey(tool, operation)


def call(operation: str, body: Any, *, status: int = 200, tool: str = "library", **arguments: Any) -> Call:
    """A finished call; arguments as `query_limit=2`, `path_author_id=100`, `body={…}`; its id says what it was."""
    named = {"body:" if at == "body" else at.replace("_", ":", 1): value for at, value in arguments.items()}
    id = " ".join([operation, str(status), *(f"{at}={value}" for at, value in sorted(named.items()))])
    return Call(id, key(operation, tool), named, "http://127.0.0.1/", status, {}, body, "application/json", "survey")


def page(authors: Sequence[Any], total: int = 40) -> dict[str, Any]:
    return {"items": list(authors), "total": total}


def library_calls() -> list[Call]:
    italians = [author for author in AUTHORS if author["country"] == "IT"]
    return [
        call("GET /authors", page(AUTHORS)),
        call("GET /authors", page(AUTHORS[:3]), query_limit=3),
        call("GET /authors", page(italians, 2), query_country="IT"),
        call("GET /authors/{author_id}", AUTHORS[0], path_author_id=100),
        call("GET /authors/{author_id}", AUTHORS[4], path_author_id=104),
        call("GET /books", [{"isbn": "978-0"}, {"isbn": "978-1"}], query_limit=2),
        call("GET /broken", {"detail": "boom"}, status=500),
        call("GET /broken", {"detail": "boom"}, status=500, query_again=1),
    ]


def origin() -> Fact:
    """The ids of authors come from their list."""
    value = {"operation": "library GET /authors", "field": "200:/items/0/id"}
    calls = ("GET /authors 200", "GET /authors/{author_id} 200 path:author_id=100")
    return Fact(key("GET /authors/{author_id}"), "comes-from", "path:author_id", value, calls)


def fact(operation: str, kind: str, location: str, value: Any) -> Fact:
    """A fact as probing leaves it, shown by the operation's first call."""
    return Fact(key(operation), kind, location, value, (f"{operation} 200",))


def effects() -> list[Fact]:
    """What probing shows of the list of authors."""
    return [
        fact("GET /authors", "limits", "query:limit", "200:/items"),
        fact("GET /authors", "default", "query:limit", 12),
        fact("GET /authors", "pages", "query:page", {"by": "page", "list": "200:/items"}),
        fact("GET /authors", "filters", "query:country", "200:/items/0/country"),
    ]


def experience() -> tuple[Scenario, Experience]:
    """`GET /books` was taken for a way to find an author's email."""
    text = 'Find out the email of the author "Eco".'
    goal = Goal((Given("name", "Eco", "author"),), "email", "author")
    scenario = Scenario("s1", text, (key("GET /authors/{author_id}"), key("GET /authors")), goal)
    learned = Experience(
        key=key("GET /authors"),
        scenario=text,
        known="The author found, with its id.",
        right=key("GET /authors/{author_id}"),
        right_plan="Get the author. Use GET /authors/{author_id}.",
        wrong=key("GET /books"),
        wrong_plan="Get the book. Use GET /books.",
        why="GET /books does not return the email",
        calls=("GET /authors 200", "GET /books 200 query:limit=2"),
        helped=("GET /authors 200",),
    )
    return scenario, learned


def write_spec(folder: Path, text: str = SPEC, name: str = "library.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def keep(
    folder: Path,
    catalog: Catalog,
    calls: Iterable[Call] | None = None,
    *,
    facts: Iterable[Fact] | None = None,
    lessons: Iterable[tuple[Scenario, Experience]] = (),
    settings: dict[str, Any] | None = None,
) -> Path:
    """Evidence of these calls in `folder`, with the facts that they show (and those given)."""
    made = library_calls() if calls is None else list(calls)
    with Evidence.open(folder, write=True) as evidence:
        evidence.begin(settings or {"specs": catalog.digest})
        for one in made:
            evidence.calls.put(one)
        for fact in [*infer(catalog, evidence), *(facts or ())]:
            evidence.put_facts([fact], [])
        for scenario, learned in lessons:
            evidence.put_scenario(scenario)
            evidence.put_experience(learned)
        evidence.finish({})
    return folder


def explored(tmp_path: Path, spec: str = SPEC, **options: Any) -> tuple[Path, Path]:
    """(spec file, evidence folder) of the library as it was explored."""
    path = write_spec(tmp_path / "specs", spec)
    return path, keep(tmp_path / "evidence", load([path]), **options)


def labels_of(prompt: DocumentOperation) -> tuple[str, ...]:
    """The labels of all evidence that a question shows."""
    return (*(one.label for one in prompt.calls), *(one.label for one in prompt.tried))
