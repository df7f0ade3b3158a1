"""What counts as created by this run."""

from __future__ import annotations

from pathlib import Path

import pytest
from callkit import ALL, Api, catalog, key
from journalkit import LOANS, MARKED, THERE, create, make, paths, shop_journal, tell

from docrev.calls.journal import Journal
from docrev.conventions.run_names import run_name
from docrev.records import Json


@pytest.fixture
def journal(tmp_path: Path) -> tuple[Journal, Api]:
    return shop_journal(tmp_path)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"id": 7}, "/items/7"),
        ({"uuid": "a-b"}, "/items/a-b"),
        ({"data": {"id": "x"}}, "/items/x"),
        ({"id": 7, "data": {"text": "t"}}, "/items/7"),
        ({"id": 7, "data": {"id": "x"}}, "/items/x"),
        ({"item": {"_id": 3, "name": "n"}}, "/items/3"),
        ({"widget": {"id": "a/b"}}, "/items/a%2Fb"),
        ({"item_id": 4, "size": 1}, "/items/4"),
        ({"id": True}, "/items/?"),
        ({"code": 200, "name": "n", "user_id": 3}, "/items/?"),
        ({"message": "queued"}, "/items/?"),
        (None, "/items/?"),
        ([1, 2], "/items/?"),
    ],
)
def test_what_only_an_answer_names_is_in_doubt(journal: tuple[Journal, Api], body: Json, path: str) -> None:
    """It is accounted for and never changed, though it carries what was sent: an upsert would make it so."""
    assert create(journal, "POST /items", MARKED, body=body, shown={path: THERE}) == [f"?{path}"]
    catalog_ = journal[1].catalog
    assert not journal[0].owns(catalog_[key("DELETE /items/{id}")], {"path:id": path.rpartition("/")[2]})


@pytest.mark.parametrize("shown", [{}, {"/items/7": {"name": "theirs"}}])
def test_what_it_names_and_does_not_carry_what_was_sent_is_something_else(
    journal: tuple[Journal, Api], shown: dict[str, Json]
) -> None:
    """What was made, if anything, nobody knows; it is not made again."""
    assert create(journal, "POST /items", MARKED, body={"id": 7}, shown=shown) == ["?/items/?"]
    assert journal[0].accepted(journal[1].catalog[key("POST /items")])


def test_what_is_not_certain_says_what_the_response_named(journal: tuple[Journal, Api]) -> None:
    """It may help the owner to find it."""
    assert create(journal, "POST /items", body={"id": 7}, shown={"/items/7": {"id": 7}}) == ["?/items/?"]
    [item] = journal[0].left()
    assert item.reason == "it is not certain what this run made; the response named /items/7"


def test_what_nothing_named_says_what_the_request_called_it(journal: tuple[Journal, Api]) -> None:
    assert create(journal, "POST /items", MARKED, body={}) == ["?/items/?"]
    [item] = journal[0].left()
    assert item.reason == f"it is not certain what this run made; the request called it {MARKED['body:']['name']}"


@pytest.mark.parametrize(
    ("second", "shown", "own"),
    [
        ({"id": 8}, {"/items/7": THERE, "/items/8": {"name": run_name(2)}}, ["/items/7", "/items/8"]),
        ({"id": 7}, {"/items/7": {"name": run_name(2)}}, []),
        ({"id": 8}, {"/items/7": {"name": "x"}, "/items/8": {"name": run_name(2)}}, ["?/items/8"]),
        ({"id": 8}, {"/items/8": {"name": run_name(2)}}, ["?/items/8"]),
    ],
)
def test_two_creations_that_nothing_lists_are_told_apart(
    journal: tuple[Journal, Api], second: Json, shown: dict[str, Json], own: list[str]
) -> None:
    """Two that came to two items, each of which carries what was sent for it, did not change one that was there."""
    post = journal[1].catalog[key("POST /items")]
    assert create(journal, "POST /items", MARKED, body={"id": 7}, shown={"/items/7": THERE}) == ["?/items/7"]
    assert not journal[0].accepted(post), "it may be made once more"
    again = create(journal, "POST /items", {"body:": {"name": run_name(2)}}, body=second, shown=shown)
    assert again == own
    assert journal[0].creations.pending(post) is (own != ["/items/7", "/items/8"])


@pytest.mark.parametrize(
    "location",
    ["/v1/items/9", "/v1/items/9/", "http://127.0.0.1:9/v1/items/9", "/items/9", "http://other/v1/items/9?x=1"],
)
@pytest.mark.parametrize("status", [201, 302, 303])
def test_so_is_what_only_a_location_names(journal: tuple[Journal, Api], location: str, status: int) -> None:
    """A redirect is not followed: what it leads to was not looked at."""
    path = "/items/9" if status == 201 else "/items/?"
    headers, shown = {"location": location}, {"/items/9": THERE}
    assert create(journal, "POST /items", MARKED, status=status, headers=headers, shown=shown) == [f"?{path}"]


@pytest.mark.parametrize("status", [301, 307, 308])
def test_a_request_that_is_sent_elsewhere_made_nothing_here(journal: tuple[Journal, Api], status: int) -> None:
    assert create(journal, "POST /items", status=status, headers={"location": "/v1/items/"}) == []


def test_a_location_that_the_catalog_does_not_know(journal: tuple[Journal, Api]) -> None:
    assert create(journal, "POST /items", headers={"location": "/elsewhere/9"}) == ["?/items/?"]


@pytest.mark.parametrize(
    ("body", "made"),
    [
        ({"ID": "9", "Path": "/v1/items/9", "Status": "Success"}, ["?/items/9"]),
        ({"item": {"href": "http://127.0.0.1:9/v1/items/9"}}, ["?/items/9"]),
        # What it went to, what was there before, what refers to something else, and what is no item.
        ({"url": "/v1/items/1"}, []),
        ({"url": "/v1/items/2"}, []),
        ({"next_url": "/v1/items/9", "owner": {"url": "/v1/items/8"}}, []),
        ({"url": "/v1/elsewhere/9"}, []),
    ],
)
def test_what_an_action_says_that_it_made_is_in_the_account(tmp_path: Path, body: Json, made: list[str]) -> None:
    """Nobody knows whose it is: it is told, and not touched."""
    api = Api(catalog(tmp_path, (*LOANS, "POST /items/{id}/anonymize")), "http://127.0.0.1:9/v1", tmp_path, allow=ALL)
    pair = api.executor().journal, api
    tell(pair, "GET /items", status=200, body={"items": [{"id": 2}]})
    make(pair, "POST /items", 1)
    assert tell(pair, "POST /items/{id}/anonymize", {"path:id": "1"}, status=200, body=body) == made


def test_what_is_created_under_another_path_is_found(journal: tuple[Journal, Api]) -> None:
    loan: dict[str, Json] = {"path:user_id": 1}
    marked, shown = loan | MARKED, {"/loans/5": THERE, "/loans/6": THERE}
    assert create(journal, "POST /users/{user_id}/loans", marked, body={"loan_id": 5}, shown=shown) == ["?/loans/5"]
    before, after = (200, [{"id": 7}]), (200, [{"id": 7}, {"id": 8}])
    assert create(journal, "POST /users/{user_id}/loans", loan, before=before, after=after) == ["/loans/8"]
    # What that list showed before is somebody's, wherever it is addressed.
    assert journal[0].things.saw("shop", "/loans/7")


def test_an_answer_about_the_parent_is_not_about_what_was_created(journal: tuple[Journal, Api]) -> None:
    loan: dict[str, Json] = {"path:user_id": "1"}
    assert create(journal, "POST /users/{user_id}/loans", loan, body={"id": 1, "name": "ann"}) == ["?/loans/?"]


@pytest.mark.parametrize("status", [400, 404, 409])
def test_what_was_refused_created_nothing(journal: tuple[Journal, Api], status: int) -> None:
    assert create(journal, "POST /items", status=status, body={"id": 7}) == []


@pytest.mark.parametrize("status", [201, 200, 303, 500, None])
def test_what_a_list_shows_to_be_new_is_ours_whatever_the_answer(
    journal: tuple[Journal, Api], status: int | None
) -> None:
    before, after = (200, [{"id": 7}]), (200, [{"id": 7}, {"id": 8}])
    # An answer may name something else: that proves nothing either way.
    assert create(journal, "POST /items", status=status, body={"id": 7}, before=before, after=after) == ["/items/8"]


def test_what_failed_and_is_not_listed_created_nothing(journal: tuple[Journal, Api]) -> None:
    same: tuple[int, Json] = (200, [{"id": 7}])
    assert create(journal, "POST /items", status=500, before=same, after=same) == []
    assert create(journal, "POST /items", status=None, before=same, after=same) == []


def test_what_nobody_answered_and_no_look_shows_may_have_created_something(journal: tuple[Journal, Api]) -> None:
    assert create(journal, "POST /items", status=None) == ["?/items/?"]


def test_what_an_answer_showed_before_is_not_ours(journal: tuple[Journal, Api]) -> None:
    tell(journal, "GET /items", status=200, body={"items": [{"id": 7}, {"id": 8}]})
    tell(journal, "GET /items/{id}", {"path:id": "9"}, status=200, body={"id": 9})
    assert create(journal, "POST /items", body={"id": 7}) == ["?/items/?"]
    assert create(journal, "POST /items", body={"id": 9}) == [], "it is in the account already"
    assert create(journal, "POST /items", MARKED, body={"id": 10}, shown={"/items/10": THERE}) == ["?/items/10"]


def test_a_post_that_finds_what_it_names_created_nothing(journal: tuple[Journal, Api]) -> None:
    there: tuple[int, Json] = (200, [{"id": "mine"}])
    named = {"body:": {"data": {"id": "mine"}}}
    body = {"data": {"id": "mine"}}
    assert create(journal, "POST /items", named, status=200, body=body, before=there, after=there) == []
    assert create(journal, "POST /items", named, status=201, body=body, before=there, after=there) == ["?/items/?"]
    assert create(journal, "POST /items", named, status=200, body=body, before=(200, []), after=there) == [
        "/items/mine"
    ]
    # What it finds is the run's own by now.
    assert create(journal, "POST /items", named, status=201, body=[{"id": "mine"}], before=there, after=there) == []


def test_a_search_by_post_created_nothing(journal: tuple[Journal, Api]) -> None:
    search = journal[1].catalog[key("POST /search")]
    assert journal[0].creation(search, {}) is None
    assert tell(journal, "POST /search", status=200, body={"results": [{"id": 1}]}) == []


@pytest.mark.parametrize(
    ("before", "status", "after", "made"),
    [
        (404, 201, 200, ["/items/mine"]),
        (404, 200, 200, ["/items/mine"]),
        (410, 204, 200, ["/items/mine"]),
        (404, 500, 200, ["/items/mine"]),
        (404, 201, 404, []),
        (404, 400, 404, ["-/items/mine"]),
        (200, 200, 200, []),
        (500, 201, 200, []),
    ],
)
def test_a_put_to_a_chosen_id(
    journal: tuple[Journal, Api], before: int, status: int, after: int, made: list[str]
) -> None:
    """What it may have made is in the account from before it is sent, and ours if it was absent and is present."""
    operation = journal[1].catalog[key("PUT /items/{id}")]
    arguments: dict[str, Json] = {"path:id": "mine"}
    assert journal[0].intend(operation, arguments, "c") == []
    journal[0].choose(operation, arguments)
    assert paths(journal[0].intend(operation, arguments, "c")) == ["?/items/mine"]
    assert create(journal, "PUT /items/{id}", arguments, status=status, before=(before, {}), after=(after, {})) == made
    assert paths(journal[0].left()) == ([] if status == 400 else made or ["?/items/mine"])


def test_a_made_up_id_is_chosen_until_an_answer_shows_it(journal: tuple[Journal, Api]) -> None:
    operation, name = journal[1].catalog[key("PUT /items/{id}")], run_name(1)
    assert journal[0].chosen(operation, {"path:id": name})
    tell(journal, "GET /items/{id}", {"path:id": name}, status=200, body={})
    assert not journal[0].chosen(operation, {"path:id": name})


def test_the_same_item_whatever_its_parameter_is_called(journal: tuple[Journal, Api]) -> None:
    make(journal, "POST /items", 7)
    catalog_ = journal[1].catalog
    assert journal[0].owns(catalog_[key("DELETE /items/{id}")], {"path:id": "7"})
    assert journal[0].owns(catalog_[key("DELETE /items/{item_id}/notes")], {"path:item_id": 7})
    assert not journal[0].owns(catalog_[key("DELETE /items/{id}")], {"path:id": "70"})


def test_what_lies_in_an_own_item_is_owned_if_it_is_nobody_else_s(journal: tuple[Journal, Api]) -> None:
    """It has a made-up name, or answers showed it there and nothing of its kind and id anywhere else."""
    make(journal, "POST /items", 7)
    note = journal[1].catalog[key("DELETE /items/{item_id}/notes/{note_id}")]

    def owned(id: Json) -> bool:
        return journal[0].owns(note, {"path:item_id": 7, "path:note_id": id})

    assert not owned(1)
    assert owned(run_name(3))
    tell(journal, "GET /items/{item_id}/notes", {"path:item_id": 7}, status=200, body=[{"id": 1}, {"id": 2}])
    assert owned(1)
    tell(journal, "GET /items/{item_id}/notes", {"path:item_id": 8}, status=200, body=[{"id": 2}])
    assert owned(1)
    assert not owned(2)
