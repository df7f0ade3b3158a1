"""Clean-up on the wire: what requests made that failed, or whose response does not name it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from callkit import Api, catalog, invoke
from cleaning_shop import OPERATIONS, Paged, Shop, cleaned, made, paged, shop_api
from servers import Answer, Received, reply


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return shop_api(tmp_path)


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
