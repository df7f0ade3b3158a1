"""Clean-up on the wire: what is removed, what is looked for afterwards, and what is left with which reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, Api, catalog, invoke
from servers import Answer, Received, Server, reply

from docrev.calls.executor import Executor
from docrev.driver.cleaning import CleanUp, clean_up
from docrev.evidence.queries import consented_changes, left_items
from docrev.prompts.steps import Steps
from docrev.records import Call, JournalItem, Json

OPERATIONS = (
    *("GET /items", "POST /items", "GET /items/{id}", "PATCH /items/{id}", "DELETE /items/{id}"),
    *("GET /items/{id}/notes", "POST /items/{id}/notes", "GET /items/{id}/notes/{note}"),
    *("DELETE /items/{id}/notes/{note}", "POST /items/{id}/archive", "GET /labels"),
)


@dataclass
class Shop:
    """A service with things by path; `delete` decides what a DELETE does."""

    things: dict[str, dict[str, Any]] = field(default_factory=lambda: {"/items/1": {"id": "1", "name": "theirs"}})
    delete: Callable[[Shop, str], Answer] | None = None
    removed: list[str] = field(default_factory=list)
    marked: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What a GET of one thing shows otherwise than the list."""

    def __call__(self, request: Received) -> Answer:
        path = request.path
        if request.method == "POST":
            return self._create(path, request)
        if request.method == "DELETE":
            self.removed.append(path)
            return self.delete(self, path) if self.delete else self.drop(path)
        if path.count("/") % 2:
            listed = [thing for name, thing in self.things.items() if name.rpartition("/")[0] == path]
            return reply({"data": listed})
        shown = self.things | self.marked
        return reply(shown[path]) if path in shown else reply({"error": "gone"}, 404)

    def _create(self, path: str, request: Received) -> Answer:
        if path.endswith("/archive"):
            return reply({"archived": True})
        thing = {**request.json, "id": str(len(self.things) + 1)}
        self.things[f"{path}/{thing['id']}"] = thing
        return reply(thing, 201)

    def drop(self, path: str) -> Answer:
        self.things = {name: thing for name, thing in self.things.items() if not f"{name}/".startswith(f"{path}/")}
        return Answer(204)

    @property
    def routes(self) -> dict[str, Any]:
        return {f"{method} /*": self for method in ("GET", "POST", "PUT", "PATCH", "DELETE")}


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path, OPERATIONS), "http://127.0.0.1:9", tmp_path, allow=ALL)


def made(number: int) -> Any:
    return {"body:": {"name": f"docrev-00000000-{number}"}}


def cleaned(api: Api, shop: Shop, steps: Sequence[Any] | None = None) -> tuple[CleanUp, list[tuple[str, str]]]:
    """Make calls (by default: two items, a note below the first), clean up; what is left, with the reasons."""
    calls = steps or [
        invoke("POST /items", made(1)),
        invoke("POST /items/{id}/notes", {"path:id": "2", **made(2)}),
        invoke("POST /items", made(3)),
    ]
    found: list[Executor] = []

    def run() -> Steps[CleanUp]:
        for step in calls:
            call: Call = yield step
            assert call.key == step.key
        [executor] = found
        return (yield from clean_up(executor, keep=kept.append))

    kept: list[JournalItem] = []
    with Server(shop.routes) as server:
        there = replace(api, url=server.url)
        executor = there.executor()
        there.executor = lambda: executor  # type: ignore[method-assign]
        found.append(executor)
        outcome = there.drive(run())
        with there.open() as evidence:
            told = {item.id for item in kept}
            for item in executor.journal.items:
                if item.id in told:
                    evidence.journal.put(item)
            left = left_items(evidence)
        base = server.url
    return outcome, [(f"{item.path} {(item.removal or '').replace(base, '')}".strip(), item.reason) for item in left]


def test_a_default_in_place_of_what_is_gone_is_not_the_item(api: Api) -> None:
    class Defaults(Shop):
        """A GET of whatever is not there shows a default, which is also listed, without an id."""

        def __call__(self, request: Received) -> Answer:
            if request.method == "GET" and request.path == "/items":
                return reply([*self.things.values(), {"action": "read"}])
            gone = request.method == "GET" and request.path not in self.things
            return reply({"action": "read"}) if gone else super().__call__(request)

    outcome, left = cleaned(api, Defaults(), [invoke("POST /items", made(1)), invoke("POST /items", made(3))])
    assert outcome.created == 2
    assert left == []


@pytest.mark.parametrize("nothing", [{}, {"parts": [], "total": 0}])
@pytest.mark.parametrize(("is_listed", "count"), [(True, 0), (False, 2)])
def test_an_empty_object_in_place_of_what_no_list_shows_is_not_the_item(
    api: Api, is_listed: bool, count: int, nothing: Json
) -> None:
    class Emptying(Shop):
        """A GET of whatever is not there shows an empty object or list; its list may be closed by then."""

        def __call__(self, request: Received) -> Answer:
            gone = request.method == "GET" and request.path.count("/") == 2 and request.path not in self.things
            closed = not is_listed and request.path == "/items" and request.method == "GET" and self.removed
            return reply({"error": "no"}, 500) if closed else reply(nothing) if gone else super().__call__(request)

    steps = [invoke("POST /items", made(1)), invoke("POST /items", made(3))]
    assert len(cleaned(api, Emptying(), steps)[1]) == count


def driven(api: Api, steps: Sequence[Any]) -> tuple[list[Call], tuple[JournalItem, ...]]:
    """Make calls and clean up: the calls, and the journal."""
    executor = api.executor()
    api.executor = lambda: executor  # type: ignore[method-assign]

    def run() -> Steps[list[Call]]:
        calls = []
        for step in steps:
            call: Call = yield step
            calls.append(call)
        yield from clean_up(executor)
        return calls

    return api.drive(run()), executor.journal.items


def test_children_go_first_and_then_nothing_is_left(api: Api) -> None:
    shop = Shop()
    outcome, left = cleaned(api, shop)
    assert shop.removed == ["/items/2/notes/3", "/items/4", "/items/2"]
    assert left == []
    assert outcome == CleanUp(created=3, unseen=0)
    assert list(shop.things) == ["/items/1"]


def test_what_was_made_beside_what_was_asked_for_is_told(api: Api) -> None:
    class Labelling(Shop):
        def _create(self, path: str, request: Received) -> Answer:
            self.things["/labels/9"] = {"id": "9", "title": request.json["name"]}
            return super()._create(path, request)

    shop = Labelling()
    _, left = cleaned(api, shop, [invoke("POST /items", made(1))])
    assert left == [("/labels/9", "it carries a name of the run, which did not make it by itself")]
    assert "/labels/9" in shop.things


def test_many_entries_of_a_log_that_carry_names_of_the_run_are_counted(api: Api) -> None:
    class Logging(Shop):
        def _create(self, path: str, request: Received) -> Answer:
            entries = {f"/labels/{100 + n}": {"id": str(100 + n), "title": request.json["name"]} for n in range(30)}
            self.things |= entries
            return super()._create(path, request)

    _, left = cleaned(api, Logging(), [invoke("POST /items", made(1))])
    reason = "30 things in this list carry a name of the run, which did not make them by itself"
    assert left == [("/labels/?", reason)]


def test_what_a_removal_left_there_is_told(api: Api) -> None:
    outcome, left = cleaned(api, Shop(delete=lambda shop, path: Answer(204)))
    reason = "its removal was answered 204, but it is there"
    assert left == [
        ("/items/2 DELETE /items/2", reason),
        ("/items/2/notes/3 DELETE /items/2/notes/3", reason),
        ("/items/4 DELETE /items/4", reason),
    ]
    assert outcome.created == 3


MARKED = "it is only marked as deleted"


@pytest.mark.parametrize(
    ("mark", "told"),
    [
        ({"deleted_at": "2026-01-01"}, MARKED),
        ({"status": "ARCHIVED"}, MARKED),
        ({"status": {"state": "expired"}}, "it is still shown, as `expired`"),
        ({"status": {"state": "active"}}, "it is there"),
    ],
)
@pytest.mark.parametrize("in_list", [True, False])
def test_what_is_only_marked_as_deleted_is_told(api: Api, mark: dict[str, Json], told: str, in_list: bool) -> None:
    def delete(shop: Shop, path: str) -> Answer:
        shop.marked = {path: {**shop.things[path], **mark}}
        if in_list:
            shop.things[path].update(mark)
        return Answer(204)

    _, left = cleaned(api, Shop(delete=delete), [invoke("POST /items", made(1))])
    assert left == [("/items/2 DELETE /items/2", f"its removal was answered 204, but {told}")]


def test_a_refused_removal_is_told_and_tried_again_while_others_succeed(api: Api) -> None:
    def last_first(shop: Shop, path: str) -> Answer:
        blocked = path == "/items/4" and "/items/2" in shop.things
        return reply({"error": "in use"}, 409) if blocked else shop.drop(path)

    shop = Shop(delete=last_first)
    assert cleaned(api, shop)[1] == []
    assert shop.removed == ["/items/2/notes/3", "/items/4", "/items/2", "/items/4"]
    never = Shop(delete=lambda shop, path: reply({"error": "no"}, 403))
    _, left = cleaned(replace(api, folder=api.folder / "b"), never, [invoke("POST /items", made(1))])
    assert left == [("/items/2 DELETE /items/2", "its removal was answered 403")]
    assert never.removed == ["/items/2"]


def test_what_outlives_what_it_lay_in_is_removed_and_what_may_be_another_s_is_told(api: Api) -> None:
    def only_itself(shop: Shop, path: str) -> Answer:
        shop.things.pop(path, None)
        return Answer(204)

    def renaming(shop: Shop, path: str) -> Answer:
        shop.things["/items/2/notes/3"]["name"] = "any"
        return only_itself(shop, path)

    calls = [
        invoke("POST /items", made(1)),
        invoke("POST /items/{id}/notes", {"path:id": "2", **made(2)}),
        invoke("DELETE /items/{id}", {"path:id": "2"}),
    ]
    shop = Shop(delete=only_itself)
    assert cleaned(api, shop, calls)[1] == []
    assert shop.removed == ["/items/2", "/items/2/notes/3"]
    assert list(shop.things) == ["/items/1"]

    told = Shop(delete=renaming)
    _, left = cleaned(replace(api, folder=api.folder / "b"), told, calls)
    reason = "it lay in what was removed, but it is there: it may be somebody else's by now"
    assert left == [("/items/2/notes/3", reason)]
    assert told.removed == ["/items/2"]

    class Watching(Shop):
        def __call__(self, request: Received) -> Answer:
            if request.method == "GET" and request.path.startswith("/items/2/notes/") and self.removed:
                looks.append(request.path)
            return super().__call__(request)

    # Where the first of a kind went with what it lay in, the others are not looked at.
    looks: list[str] = []
    more = [*calls[:2], invoke("POST /items/{id}/notes", {"path:id": "2", **made(4)}), calls[2]]
    assert cleaned(replace(api, folder=api.folder / "c"), Watching(), more)[1] == []
    assert looks == ["/items/2/notes/3"]


def test_an_id_that_comes_back_is_told(api: Api) -> None:
    again = [invoke("POST /items", made(1)), invoke("DELETE /items/{id}", {"path:id": "2"})]
    reborn = invoke("GET /items/{id}", {"path:id": "1"})

    class Returning(Shop):
        def __call__(self, request: Received) -> Answer:
            if request.path == "/items/1":
                self.things["/items/2"] = {"id": "2", "name": "somebody's"}
            return super().__call__(request)

    shop = Returning()
    _, left = cleaned(api, shop, [*again, reborn])
    assert left == [("/items/2", "it was removed, but it is there: it may be somebody else's by now")]
    assert shop.removed == ["/items/2"]
    with api.open() as evidence:
        # A later clean-up does not touch it.
        assert [item.confirmed for item in evidence.journal.items() if item.path == "/items/2"] == [False]


def test_an_id_that_is_drawn_never_comes_back_for_something_else(api: Api) -> None:
    id = "0190a1b2-7c3d-7e4f-8a5b-6c7d8e9fa0b1"

    class Keeping(Shop):
        def _create(self, path: str, request: Received) -> Answer:
            self.things[f"{path}/{id}"] = {"id": id, "state": "open"}
            return reply({"id": id, "name": request.json["name"]}, 201)

    def close(shop: Shop, path: str) -> Answer:
        shop.things[path]["state"] = "closed"
        return Answer(204)

    _, left = cleaned(api, Keeping(delete=close), [invoke("POST /items", made(1))])
    assert left == [
        (f"/items/{id} DELETE /items/{id}", "its removal was answered 204, but it is still shown, as `closed`")
    ]


@pytest.mark.parametrize(
    ("allow", "operations", "left"),
    [
        (("POST",), OPERATIONS, ("/items/2 DELETE /items/2", "DELETE is not allowed")),
        (ALL, OPERATIONS[:4], ("/items/2", "the API has no operation that removes it")),
    ],
)
def test_what_may_not_or_cannot_be_removed_is_told(
    api: Api, allow: Sequence[str], operations: Sequence[str], left: tuple[str, str]
) -> None:
    shop = Shop()
    short = replace(api, catalog=catalog(api.folder, operations), allow=allow)
    assert cleaned(short, shop, [invoke("POST /items", made(1))])[1] == [left]
    assert shop.removed == []


def test_without_budget_it_is_left(api: Api) -> None:
    shop = Shop()
    tight = replace(api, budget=4, allow=["POST", "DELETE /items/{id}"])
    _, left = cleaned(tight, shop, [invoke("POST /items", made(1)), invoke("GET /items/{id}", {"path:id": "1"})])
    assert left == [("/items/2 DELETE /items/2", "the budget is spent")]
    assert shop.removed == []


def test_what_may_be_somebody_else_s_is_never_touched(api: Api) -> None:
    class Vague(Shop):
        def _create(self, path: str, request: Received) -> Answer:
            self.things["/items/7"] = {"id": "7"}
            self.things["/items/8"] = {"id": "8"}
            return reply({"id": "7"}, 201)

    shop = Vague()
    _, left = cleaned(api, shop, [invoke("POST /items", made(1))])
    assert shop.removed == []
    assert left
    assert {reason for _, reason in left} == {"it is not certain that this run made it"}


def test_where_nothing_shows_an_item_that_is_said(api: Api) -> None:
    blind = replace(api, catalog=catalog(api.folder, ["GET /items", "POST /items", "DELETE /items/{id}"]))

    class Paged(Shop):
        def __call__(self, request: Received) -> Answer:
            if self.removed and request.method == "GET":
                return reply({"error": "down"}, 500)
            return super().__call__(request)

    outcome, left = cleaned(blind, Paged(), [invoke("POST /items", made(1))])
    assert (outcome, left) == (CleanUp(created=1, unseen=1), [])


def test_where_no_route_leads_to_an_item_its_absence_is_not_shown(api: Api) -> None:
    class Unrouted(Shop):
        def __call__(self, request: Received) -> Answer:
            if request.method == "GET" and request.path != "/items":
                return reply({"message": f"Cannot GET {request.path}"}, 404)
            if request.method == "GET" and self.removed:
                return reply({"error": "down"}, 500)
            return super().__call__(request)

    outcome, left = cleaned(api, Unrouted(), [invoke("POST /items", made(1))])
    assert (outcome, left) == (CleanUp(created=1, unseen=1), [])


def test_what_a_list_shows_is_there_whatever_a_get_of_it_says(api: Api) -> None:
    class Unaddressable(Shop):
        def __call__(self, request: Received) -> Answer:
            if request.path.count("/") == 2 and request.method in ("GET", "DELETE"):
                return reply({"error": "not found"}, 404)
            return super().__call__(request)

    _, left = cleaned(api, Unaddressable(), [invoke("POST /items", made(1))])
    assert left == [("/items/2 DELETE /items/2", "its removal was answered 404, but it is there")]


@pytest.mark.parametrize("form", ["map", "uuid"])
def test_an_item_is_found_in_a_list_by_its_key_and_by_its_name(api: Api, form: str) -> None:
    """Addressed by its name, and listed by something else."""
    blind = replace(api, catalog=catalog(api.folder, ["GET /items", "PUT /items/{id}", "DELETE /items/{id}"]))

    class Named(Shop):
        def __call__(self, request: Received) -> Answer:
            name = request.path.rpartition("/")[2]
            if request.method == "PUT":
                self.things[request.path] = {"name": name, "id": f"0-{len(self.things)}"}
                return reply({}, 201)
            if request.method == "DELETE":
                return Answer(204)
            things = list(self.things.values())
            return reply({thing["name"]: {"size": 1} for thing in things} if form == "map" else things)

    there = {f"/items/{name}": {"name": name, "id": f"0-{name}"} for name in ("t1", "t2", "t3", "t4")}
    shop = Named(there)
    steps = [invoke("PUT /items/{id}", {"path:id": "docrev-00000000-1", "body:": {}})]
    with Server({"PUT *": shop, "GET *": shop, "DELETE *": shop}) as server:
        calls, items = driven(replace(blind, url=server.url), steps)
    assert [call.status for call in calls] == [201]
    [(path, reason)] = [(item.path, item.reason) for item in items if not item.deleted]
    assert (path, reason) == ("/items/docrev-00000000-1", "its removal was answered 204, but it is there")


class Paged(Shop):
    """Shows two things a page unless it is asked for more, and does not say so."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "GET" and request.path.count("/") == 1:
            size = int(request.query.get("limit", ["2"])[0])
            listed = [thing for name, thing in self.things.items() if name.rpartition("/")[0] == request.path]
            return reply(listed[:size])
        return super().__call__(request)


def paged(api: Api, operations: Sequence[str], by: str = "limit") -> Api:
    limit = {"parameters": [{"name": by, "in": "query", "schema": {"type": "integer"}}]}
    return replace(api, catalog=catalog(api.folder, operations, **{"GET /items": limit}))


def test_a_whole_page_is_asked_for_when_it_is_looked_whether_an_item_is_gone(api: Api) -> None:
    there = {f"/items/{n}": {"id": str(n), "name": "theirs"} for n in range(1, 2)}
    blind = paged(api, ["GET /items", "POST /items", "DELETE /items/{id}"])
    steps = [invoke("POST /items", made(1)), invoke("DELETE /items/{id}", {"path:id": "2"})]

    def lie(shop: Shop, path: str) -> Answer:
        # Somebody adds a thing before it, which takes its place on the first page.
        shop.things = {"/items/0": {"id": "0", "name": "theirs"}} | shop.things
        return Answer(204)

    _, left = cleaned(blind, Paged(there, delete=lie), steps)
    assert left == [("/items/2 DELETE /items/2", "it was removed, but it is there")]


def test_what_was_made_by_a_request_that_failed_is_seen_on_a_large_page(api: Api) -> None:
    class Failing(Paged):
        def _create(self, path: str, request: Received) -> Answer:
            super()._create(path, request)
            return reply({"error": "internal"}, 500)

    shop = Failing({f"/items/{n}": {"id": str(n), "name": "theirs"} for n in range(1, 4)})
    steps = [invoke("POST /items", made(n)) for n in (1, 2)]
    assert cleaned(paged(api, OPERATIONS), shop, steps)[1] == []
    assert shop.removed == ["/items/5", "/items/4"]


def test_what_a_page_shows_at_last_of_requests_that_failed_is_told(api: Api) -> None:
    class Failing(Paged):
        def _create(self, path: str, request: Received) -> Answer:
            super()._create(path, request)
            if len(self.things) == 5:
                self.things = {name: self.things[name] for name in ("/items/4", "/items/5")}
            return reply({"error": "internal"}, 500)

    shop = Failing({f"/items/{n}": {"id": str(n), "name": "theirs"} for n in range(1, 4)})
    steps = [invoke("POST /items", made(n)) for n in (1, 2)]
    _, left = cleaned(paged(api, OPERATIONS, by="cursor"), shop, steps)
    assert left == [
        ("/items/?", "its creation failed, and no list shows whether it was performed all the same"),
        *((f"/items/{n} DELETE /items/{n}", "its creation failed, but it is there") for n in (4, 5)),
    ]
    assert shop.removed == []


def test_what_no_page_shows_of_a_request_that_failed_is_told_as_unknown(api: Api) -> None:
    class Failing(Paged):
        def __call__(self, request: Received) -> Answer:
            if "limit" in request.query:
                return reply({"error": "no such parameter"}, 422)
            return super().__call__(request)

        def _create(self, path: str, request: Received) -> Answer:
            return reply({"error": "internal"}, 500)

    there = {f"/items/{n}": {"id": str(n), "name": "theirs"} for n in range(1, 4)}
    steps = [invoke("POST /items", made(n)) for n in (1, 2)]
    _, left = cleaned(paged(api, OPERATIONS), Failing(there), steps)
    assert left == [("/items/?", "its creation failed, and no list shows whether it was performed all the same")]


def test_what_is_changed_by_consent_is_counted_and_what_was_refused_is_not(api: Api) -> None:
    named = replace(api, allow=[*ALL, "POST /items/{id}/archive", "PATCH /items/{id}"])
    archive = [invoke("POST /items/{id}/archive", {"path:id": "1", "body:": {"n": n}}) for n in (1, 2)]
    own = [invoke("POST /items", made(1)), invoke("POST /items/{id}/archive", {"path:id": "2", "body:": {}})]
    refused = invoke("PATCH /items/{id}", {"path:id": "1", "body:": {}})

    def run() -> Steps[None]:
        for step in [*archive, *own, refused]:
            call: Call = yield step
            assert call.key == step.key

    shop = Shop()
    with Server(shop.routes | {"PATCH /items/1": reply({}, 422)}) as server:
        there = replace(named, url=server.url)
        for _ in range(2):
            there.drive(run())
            with there.open() as evidence:
                [change] = consented_changes(evidence)
            assert (change.tool, change.operation) == ("shop", "POST /items/{id}/archive")
            assert (change.path, change.calls) == ("/items/1/archive", 2)


@dataclass
class SlowShop(Shop):
    """A service that answers creations with an error, and lists things by their names, the new ones `late` lists on."""

    late: int = 4
    status: int = 500
    waiting: list[str] = field(default_factory=list)
    """The names of things that no list shows yet."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST":
            self.waiting.append(request.json["name"])
            return reply({"error": "internal error"}, self.status)
        if request.method == "GET" and request.path == "/items":
            self.late -= bool(self.waiting)
            self.things |= {f"/items/{self.waiting.pop()}": {} for _ in self.waiting[:] if self.late < 0}
            return reply([name.rpartition("/")[2] for name in self.things])
        return super().__call__(request)


@pytest.mark.parametrize(("status", "late"), [(500, 0), (500, 1), (405, 0)])
def test_what_a_failed_creation_made_is_removed_where_a_list_shows_it_late(api: Api, status: int, late: int) -> None:
    shop = SlowShop(late=late, status=status)
    _, left = cleaned(api, shop, [invoke("POST /items", made(1)), invoke("GET /items")])
    assert (list(shop.things), left) == (["/items/1"], [])
    assert shop.removed, "a list showed it in the end"


def test_what_a_failed_creation_may_have_made_is_told_where_a_list_shows_its_name_late(api: Api) -> None:
    shop = SlowShop(late=1)
    _, left = cleaned(api, shop, [invoke("POST /items", {"body:": {"name": "quarterly"}})])
    # What may be somebody else's is told without the call that would remove it.
    assert left == [("/items/quarterly", "it is not certain that this run made it")]
    assert "/items/quarterly" in shop.things


def test_an_account_that_an_action_may_have_made_for_an_invented_address_is_told_and_made_once(api: Api) -> None:
    shop, body = Shop(), {"role": "reader", "people": [{"email": "docrev-00000000-9@example.org"}]}
    steps = [
        invoke("POST /items", made(1)),
        *(invoke("POST /items/{id}/archive", {"path:id": "2", "body:": {**body, "n": n}}) for n in (1, 2)),
    ]
    _, left = cleaned(api, shop, steps)
    [(path, reason)] = left
    assert path == "/items/{id}/archive/?"
    assert re.search(r"; an account may have been made, or an invitation sent, for docrev-\d{8}-9@example.org$", reason)
    assert list(shop.things) == ["/items/1"]


class Ignoring(Shop):
    """Says by itself which status a thing has, and refuses a name that is in use; `rename` says what it calls one."""

    rename: Callable[[str], str] = str

    def __call__(self, request: Received) -> Answer:
        if request.method == "PUT":
            self.things[request.path] = {"name": request.path.rpartition("/")[2]}
            return reply(self.things[request.path], 201)
        if request.path == "/me/items":
            return reply({"items": [thing for path, thing in self.things.items() if path.startswith("/items/")]})
        return super().__call__(request)

    def _create(self, path: str, request: Received) -> Answer:
        sent = request.json
        if any(thing["name"] == sent["name"] for thing in self.things.values()):
            return reply({"error": "in use"}, 409)
        thing = {**sent, "name": self.rename(sent["name"]), "status": "draft", "id": str(len(self.things) + 1)}
        self.things[f"{path}/{thing['id']}"] = thing
        return reply(thing, 201)


@pytest.mark.parametrize(
    ("rename", "left"),
    [(str, []), (lambda name: name.replace("0-3", "0-x"), ["it is not certain that this run made it"])],
)
def test_what_no_list_of_its_own_shows_is_known_by_the_name_that_was_made_up_for_it(
    api: Api, rename: Callable[[str], str], left: list[str]
) -> None:
    """A property beside the name may be ignored; the name of the shelf that it lies on is no name of it."""
    shelves = ("PUT /shelves/{name}", "GET /shelves/{name}", "DELETE /shelves/{name}")
    operations = [*shelves, "POST /items", "GET /items/{id}", "DELETE /items/{id}", "GET /me/items"]
    shop = Ignoring()
    shop.rename = rename  # type: ignore[method-assign]
    on = {"shelf": "docrev-00000000-s"}
    bodies = [{**made(n)["body:"], **on, **more} for n, more in ((1, {}), (2, {}), (2, {}), (3, {"status": "ready"}))]
    shelf = invoke("PUT /shelves/{name}", {"path:name": on["shelf"], "body:": {}})
    steps = [shelf, *(invoke("POST /items", {"body:": body}) for body in bodies), invoke("GET /me/items")]
    _, found = cleaned(replace(api, catalog=catalog(api.folder, operations)), shop, steps)
    assert [reason for path, reason in found if path.startswith("/items/")] == left
