"""A journal of a small shop, and what it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from callkit import ALL, CRUD, Api, catalog, key

from docrev.calls.creation_answers import answer_in
from docrev.calls.creation_looks import looks_at
from docrev.calls.journal import Journal
from docrev.conventions.run_names import run_name
from docrev.records import Call, JournalItem, Json, OperationKey

LOANS = (
    *CRUD,
    "GET /users/{user_id}/loans",
    "POST /users/{user_id}/loans",
    "GET /loans/{loan_id}",
    "DELETE /loans/{loan_id}",
    "POST /search",
)

MARKED: dict[str, Json] = {"body:": {"name": run_name(1)}}
THERE: Json = {"name": run_name(1)}


def shop_journal(folder: Path) -> tuple[Journal, Api]:
    """A journal of the shop that runs nowhere, and its API."""
    api = Api(catalog(folder, LOANS), "http://127.0.0.1:9/v1", folder, allow=ALL)
    return api.executor().journal, api


def tell(
    pair: tuple[Journal, Api],
    line: str,
    arguments: dict[str, Json] | None = None,
    *,
    status: int = 201,
    body: Json = None,
    headers: dict[str, str] | None = None,
) -> list[str]:
    """Show a call that is no creation to the journal; the paths of what changed."""
    operation = pair[1].catalog[key(line)]
    call = Call("c", key(line), arguments or {}, "", status, headers or {}, body, "", "survey")
    return paths(pair[0].observe(operation, call))


def create(
    pair: tuple[Journal, Api],
    line: str,
    arguments: dict[str, Json] | None = None,
    *,
    status: int | None = 201,
    body: Json = None,
    headers: dict[str, str] | None = None,
    before: tuple[int, Json] | None = None,
    after: tuple[int, Json] | None = None,
    shown: dict[str, Json] | None = None,
) -> list[str]:
    """Show a creation to the journal, with status and body of the looks before and after it if there are any.

    `shown` is what the paths that an answer names show.
    """
    journal, api = pair
    operation = api.catalog[key(line)]
    creation = journal.creation(operation, arguments or {})
    assert creation is not None
    looks = []
    if before is not None and after is not None:
        look = looks_at(creation, journal.routes, [])
        assert look is not None
        old, now = (
            Call(name, look.invoke.key, dict(look.invoke.arguments), "", found[0], {}, found[1], "", "survey")
            for name, found in (("before", before), ("after", after))
        )
        journal.observe(api.catalog[look.invoke.key], old)
        looks = [(look, old, now)]
    call = Call("c", key(line), arguments or {}, "", status, headers or {}, body, "", "survey")
    answer = answer_in(call, operation, arguments or {})
    named = []
    for path in journal.creations.open_paths(creation, looks, answer) if call.ok else ():
        found = routes_to(journal, path)
        here = (404, {}) if shown is None or path not in shown else (200, shown[path])
        named.append((path, Call("named", found, {}, "", here[0], {}, here[1], "", "survey")))
    return paths(journal.creations.settle(creation, looks, answer, named))


def routes_to(journal: Journal, path: str) -> OperationKey:
    found = journal.routes.resolve("shop", "GET", path)
    assert found is not None
    return found[0].key


def paths(items: Sequence[JournalItem]) -> list[str]:
    """The paths of items: "-" before one that is deleted, "?" before one of which it is not certain whose it is."""
    return [("-" if item.deleted else "" if item.confirmed else "?") + item.path for item in items]


def make(pair: tuple[Journal, Api], line: str, id: Json, **arguments: Json) -> None:
    """Show the creation of an item to the journal: the list had nothing before, and has the item after it."""
    given = {f"path:{name}": value for name, value in arguments.items()}
    assert create(pair, line, given, before=(200, []), after=(200, [{"id": id}])) != []
