"""Clean-up on the wire: what is removed, and what is left with which reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from callkit import ALL, Api, catalog, invoke
from cleaning_shop import OPERATIONS, Shop, cleaned, made, shop_api
from servers import Answer, Received, Server, reply

from docrev.driver.cleaning import CleanUp
from docrev.evidence.queries import consented_changes
from docrev.prompts.steps import Steps
from docrev.records import Call, Json


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return shop_api(tmp_path)


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
