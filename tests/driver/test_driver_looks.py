"""Looks before and after what may create or change something: when they are made, and what they forbid."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from callkit import ALL, Api, catalog, invoke
from servers import Answer, Received, Server, reply
from shop import Shop

from docrev.conventions.run_names import run_name
from docrev.evidence.queries import consented_changes
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, Json

LOOK, POST, PATCH = "GET /items", "POST /items", "PATCH /items/1"
ONCE = "it has made something that this run cannot remove: once is enough"
SERVERS = (
    "GET /servers/{server}",
    "GET /servers/{server}/zones",
    "POST /servers/{server}/zones",
    "DELETE /servers/{server}/zones/{zone}",
    "POST /servers/{server}/zones/{zone}/rectify",
)
KERNELS = ("GET /specs", "GET /specs/{spec}", "GET /kernels", "POST /kernels", "DELETE /kernels/{id}")


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "", tmp_path, allow=ALL)


def post(number: int = 0) -> Invoke:
    """A creation, with a made-up text in it if it has a number."""
    return invoke("POST /items", {"body:": {"note": run_name(number)} if number else {"size": 1}})


def patch() -> Invoke:
    return invoke("PATCH /items/{id}", {"path:id": 1, "body:": {"size": 2}})


def one_by_one(*invokes: Invoke) -> Steps[list[Call]]:
    calls = []
    for step in invokes:
        calls.append((yield step))
    return calls


def made(api: Api, shop: Shop, *invokes: Invoke, **routes: Answer) -> tuple[list[Call], list[str]]:
    """What came of calls, and what arrived; each request was counted."""
    with Server({**shop.routes, **{name.replace("_", " ", 1): route for name, route in routes.items()}}) as server:
        calls, driver = replace(api, url=server.url).drive_with(one_by_one(*invokes))
    assert driver.budget.spent == len(server.seen)
    with api.open() as evidence:
        assert len(list(evidence.calls.select())) == len(server.seen)
    return calls, server.seen


def test_a_creation_is_looked_at_once_before_and_once_after(api: Api) -> None:
    assert made(api, Shop(), post(1))[1] == [LOOK, POST, LOOK]


def test_what_was_seen_after_one_is_what_was_before_the_next(api: Api) -> None:
    """What carries a made-up text is told from all else by it, whoever came in between."""
    assert made(api, Shop(), post(1), post(2))[1] == [LOOK, POST, LOOK, POST, LOOK]


def test_without_a_made_up_text_it_is_looked_at_anew(api: Api) -> None:
    """Then the only new item is the run's own, and somebody's may have come in between."""
    assert made(api, Shop(), post(), post())[1] == [LOOK, POST, LOOK, LOOK, POST, LOOK]


def test_a_look_holds_until_something_changed(api: Api) -> None:
    assert made(api, Shop(), post(1), patch(), post(2))[1] == [LOOK, POST, LOOK, PATCH, LOOK, POST, LOOK]


def test_what_was_refused_changed_nothing(api: Api) -> None:
    refused = {"PATCH_/items/1": reply({}, 422)}
    assert made(api, Shop(), post(1), patch(), post(2), **refused)[1] == [LOOK, POST, LOOK, PATCH, POST, LOOK]


def test_what_was_refused_is_not_looked_at(api: Api) -> None:
    [call], seen = made(api, Shop(), post(1), **{"POST_/items": reply({}, 422)})
    assert (call.status, seen) == (422, [LOOK, POST])


def test_a_creation_that_no_look_shows_is_told_and_not_repeated(api: Api) -> None:
    calls, seen = made(api, Shop(), post(), post(), **{"GET_/items": reply({"data": []})})
    assert [call.detail for call in calls] == ["", ONCE]
    assert seen.count(POST) == 1
    with api.open() as evidence:
        assert [(item.path, item.confirmed) for item in evidence.journal.items()] == [("/items/?", False)]


def test_two_names_show_what_a_list_of_other_things_does_not(api: Api) -> None:
    """A list may show what is active alone, or what belongs to another project."""
    made(api, Shop(), post(1), post(2), **{"GET_/items": reply({"data": []})})
    with api.open() as evidence:
        assert [(item.path, item.confirmed) for item in evidence.journal.items()] == [
            ("/items/1", True),
            ("/items/2", True),
        ]


def test_what_an_answer_names_while_its_list_shows_what_was_sent_on_another_thing_is_in_doubt(api: Api) -> None:
    """A creation that took a thing of others: what the answer names is another address of it."""
    shop = Shop({"/items/7": {}, "/items/a": {}})

    def upsert(request: Received) -> Answer:
        shop.things["/items/7"] = shop.things["/items/a"] = dict(request.json)
        return reply({"id": "a"}, 201)

    def listed(request: Received) -> Answer:
        return reply({"data": [shop.shown("/items/7")]})

    removal = invoke("DELETE /items/{id}", {"path:id": "a"})
    calls, _ = made(api, shop, post(1), post(2), removal, **{"POST_/items": upsert, "GET_/items": listed})
    assert [call.error for call in calls] == [None, "denied", "denied"]
    with api.open() as evidence:
        assert not any(item.confirmed for item in evidence.journal.items())


def test_two_names_show_what_comes_onto_a_page_that_was_full(api: Api) -> None:
    """One thing came and one went to the next page: the first may have been there, on another page, under that ID."""
    shop = Shop({f"/items/{number}": {} for number in (7, 8, 9)})

    def listed(request: Received) -> Answer:
        return reply({"data": sorted(shop.listed("/items"), key=lambda thing: thing["id"])[:2], "has_more": True})

    limit = {"parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}]}
    paged = replace(api, catalog=catalog(api.folder, **{"GET /items": limit}))
    made(paged, shop, post(1), post(2), **{"GET_/items": listed})
    with api.open() as evidence:
        assert [(item.path, item.confirmed) for item in evidence.journal.items()] == [
            ("/items/1", True),
            ("/items/2", True),
        ]


def test_an_answer_that_repeats_what_was_sent_says_where_to_look(api: Api) -> None:
    """No list and no GET shows it, so it is in doubt; but a person needs its id, and the call that would remove it."""
    with Server({**Shop().routes, "GET /items": reply({"data": []})}) as server:
        blind = catalog(api.folder, ("GET /items", "POST /items", "DELETE /items/{id}"))
        replace(api, url=server.url, catalog=blind).make(post(1), post(2))
        assert server.changes == [POST]
    with api.open() as evidence:
        assert [(item.path, item.confirmed) for item in evidence.journal.items()] == [("/items/1", False)]


@pytest.mark.parametrize("after", [{"size": 2}, {"size": 1, "place": 2}, None])
def test_a_creation_that_changed_what_others_have_is_told_and_not_repeated(api: Api, after: Json) -> None:
    """The first shows what it does: it takes a thing of others, moves it, or pushes it out."""
    shop = Shop({"/items/7": {"size": 1, "updated_at": 1}})

    def create(request: Received) -> Answer:
        answer = shop(request)
        shop.things["/items/7"] = after and {**after, "updated_at": 2}
        if after is None:
            del shop.things["/items/7"]
        return answer

    calls, seen = made(api, shop, post(1), post(2), **{"POST_/items": create})
    # What came in the place of something may be that thing, renamed: it is in doubt, which forbids another one too.
    assert [call.detail for call in calls] == ["", "it changed something when it was called" if after else ONCE]
    assert seen.count(POST) == 1
    with api.open() as evidence:
        assert [(item.path, item.confirmed) for item in evidence.journal.items()] == [("/items/1", after is not None)]
        assert [(row.operation, row.unforeseen) for row in consented_changes(evidence)] == [("POST /items", True)]


def test_how_an_item_is_addressed_is_found_out_once(api: Api) -> None:
    """By its id or by its name: both are looked at, the first time that there are both."""
    named = [invoke("POST /items", {"body:": {"name": run_name(number)}}) for number in (1, 2)]
    ways = ["GET /items/1", f"GET /items/{run_name(1)}"]
    assert made(api, Shop(), *named)[1] == [LOOK, POST, LOOK, *ways, POST, LOOK]


def test_two_that_came_with_it_are_told_and_not_touched(api: Api) -> None:
    """Nobody knows which of them is the run's own."""
    shop = Shop()

    def crowded(request: Received) -> Answer:
        shop.things["/items/8"] = {}
        return shop(request)

    with Server({**shop.routes, "POST /items": crowded}) as server:
        live = replace(api, url=server.url)
        calls = live.make(post(), *[invoke("DELETE /items/{id}", {"path:id": id}) for id in (1, 8)], post())
    assert [call.error for call in calls] == [None, "denied", "denied", "denied"]
    assert server.changes == [POST]
    with api.open() as evidence:
        assert {(item.path, item.confirmed) for item in evidence.journal.items()} == {
            ("/items/1", False),
            ("/items/8", False),
        }


@pytest.mark.parametrize("moves", [False, True])
def test_a_change_that_answers_another_path_is_looked_at(api: Api, moves: bool) -> None:
    """Only if the item is gone from the old path and is at the new one has it moved."""
    shop, new = Shop(), f"/items/{run_name(2)}"

    def change(request: Received) -> Answer:
        if moves:
            shop.things[new] = shop.things.pop("/items/1")
        return reply({"id": run_name(2)})

    steps = [post(1), patch(), *(invoke("DELETE /items/{id}", {"path:id": id}) for id in (run_name(2), 1))]
    with Server({**shop.routes, "PATCH /items/1": change}) as server:
        calls = replace(api, url=server.url).make(*steps)
        seen = list(server.seen)
        assert [call.status for call in replace(api, url=server.url).make(*steps)] == [call.status for call in calls]
        assert server.seen == seen
    assert seen[3:6] == [PATCH, "GET /items/1", f"GET {new}"]
    assert [call.error for call in calls] == [None, None, *((None, None) if moves else ("denied", None))]
    assert not shop.things


@pytest.mark.parametrize("moves", [False, True])
def test_an_action_that_changed_what_is_above_its_target_is_not_repeated(api: Api, moves: bool) -> None:
    """The zone is the run's own, the server is not."""
    shop = Shop({"/servers/s": {"restarts": 0}})

    def rectify(request: Received) -> Answer:
        shop.things["/servers/s"]["restarts"] += moves
        return reply({})

    with Server({**shop.routes, "POST /servers/s/zones/1/rectify": rectify}) as server:
        live = replace(api, url=server.url, catalog=catalog(api.folder, SERVERS))
        act = invoke(SERVERS[-1], {"path:server": "s", "path:zone": 1})
        calls = live.make(invoke(SERVERS[2], {"path:server": "s"}), act, act)
    assert [call.error for call in calls] == [None, None, "denied" if moves else None]
    assert server.seen.count("GET /servers/s") == (2 if moves else 4)


@pytest.mark.parametrize("moves", [False, True])
def test_what_changed_when_it_was_named_is_never_named_again(api: Api, moves: bool) -> None:
    """A kernel names its spec, which no operation makes."""
    shop = Shop({"/specs/python3": {"uses": 0}, "/specs/r": {"uses": 0}})

    def start(request: Received) -> Answer:
        shop.things[f"/specs/{request.json['spec']}"]["uses"] += moves
        return shop(request)

    def kernel(number: int, spec: str) -> Invoke:
        return invoke("POST /kernels", {"body:": {"name": run_name(number), "spec": spec}})

    with Server({**shop.routes, "POST /kernels": start}) as server:
        live = replace(api, url=server.url, catalog=catalog(api.folder, KERNELS))
        calls = live.make(invoke("GET /specs"), kernel(1, "python3"), kernel(2, "python3"), kernel(3, "r"))
    assert [call.error for call in calls] == [None, None, "denied" if moves else None, None]
    assert server.changes.count("POST /kernels") == (2 if moves else 3)
    if moves:
        assert calls[2].detail == "it names a spec that this run did not create, in spec"


@pytest.mark.parametrize("moves", [False, True])
def test_a_change_may_name_again_what_its_thing_was_made_with(api: Api, moves: bool) -> None:
    shop = Shop({"/specs/python3": {"uses": 0}, "/specs/r": {"uses": 0}})

    def change(request: Received) -> Answer:
        shop.things["/specs/python3"]["uses"] += moves
        return reply({})

    def patched(spec: str) -> Invoke:
        return invoke("PATCH /kernels/{id}", {"path:id": 1, "body:": {"spec": spec, "size": 2}})

    start = invoke("POST /kernels", {"body:": {"name": run_name(1), "spec": "python3"}})
    with Server({**shop.routes, "PATCH /kernels/1": change}) as server:
        live = replace(api, url=server.url, catalog=catalog(api.folder, (*KERNELS, "PATCH /kernels/{id}")))
        calls = live.make(invoke("GET /specs"), start, patched("r"), patched("python3"), patched("python3"))
    assert [call.error for call in calls] == [None, None, "denied", None, "denied" if moves else None]


def test_looks_are_kept_and_not_made_again_when_a_run_goes_on(api: Api) -> None:
    with Server(Shop().routes) as server:
        live = replace(api, url=server.url)
        steps = [post(1), patch(), post(2)]
        first = [call.id for call in live.make(*steps)]
        sent = list(server.seen)
        assert [call.id for call in live.make(*steps)] == first
        assert server.seen == sent
