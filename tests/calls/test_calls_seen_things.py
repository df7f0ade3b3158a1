"""What answers showed to be there, and what in a body means one of these things."""

from __future__ import annotations

import pytest

from docrev.calls.seen_things import Alike, SeenThings
from docrev.conventions.run_names import run_name
from docrev.records import Json

LONG = "0b5f3c1e-8f2a-4d51-9a51-6f0d7c1f2f3b"
KINDS = {"team_id": "teams", "webhook_id": "webhooks", "team": "teams"}


@pytest.fixture
def things() -> SeenThings:
    """Users 19 and 20, tags 21 to 23, a zone `a.b`, a file with a long id.

    User 20 and tag 22 are the run's own; tag 23 was, until the run deleted it.
    """
    own = ("/users/20", "/tags/22")
    found = SeenThings(
        lambda tool, path: path in (*own, "/tags/23"),
        lambda tool, path: path in own,
        lambda tool, name: KINDS.get(name, ""),
    )
    for collection, value in (
        ("/users", 19),
        ("/users", 20),
        ("/tags", 21),
        ("/tags", 22),
        ("/tags", 23),
        ("/zones", "a.b"),
    ):
        found.see("shop", collection, value)
    found.see("shop", "/orgs/1/files/", LONG)
    return found


def meant(things: SeenThings, body: Json) -> list[tuple[str, str, bool]]:
    """(member, path, whether it stands in a list) of what a body refers to."""
    return [(found.name, found.place[1], found.listed) for found in things.references("shop", body)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # By the name of the member: called after the kind of thing, or an id and nothing more.
        ({"user": 19}, [("user", "/users/19", False)]),
        ({"user_id": "19"}, [("user_id", "/users/19", False)]),
        ({"ownerUserId": 19}, [("ownerUserId", "/users/19", False)]),
        ({"users": [19]}, [("users", "/users/19", True)]),
        ({"id": 19}, [("id", "/users/19", False)]),
        ({"ids": [19, 21]}, [("ids", "/users/19", True), ("ids", "/tags/21", True)]),
        ({"zone": "a.b"}, [("zone", "/zones/a.b", False)]),
        ({"to": {"user": {"id": 19}}}, [("id", "/users/19", False)]),
        ({"list": [{"tag_id": 21}]}, [("tag_id", "/tags/21", True)]),
        # By the value alone, if nobody else would have it.
        ({"whatever": LONG}, [("whatever", f"/orgs/1/files/{LONG}", False)]),
        ([LONG], [("", f"/orgs/1/files/{LONG}", True)]),
        # Numbers and words that merely look like an id.
        ({"size": 19}, []),
        ({"age": "19", "limit": 21}, []),
        ({"name": "a.b"}, []),
        ({"tag": 19}, []),
        ({"user_id": 18}, []),
        ({"user": True, "id": None}, []),
        ({"id": ""}, []),
        ("19", []),
        # The run's own, by what it made and by what it made up.
        ({"user_id": 20, "tag_id": 22}, []),
        ({"user_id": run_name(3)}, []),
        # What no answer showed, in a member that is called after a kind of thing.
        ({"team_id": 7}, [("team_id", "/teams/7", False)]),
        ({"webhook_id": run_name(1)}, []),
        # The same with a value that can only be an id.
        ({"team": 7}, [("team", "/teams/7", False)]),
        ({"team": "c" + LONG}, [("team", f"/teams/c{LONG}", False)]),
        ({"team": "red", "teams": True}, []),
        # By a link to a thing, or to what lies in one.
        ({"owner": "http://host/api/v3/users/19/"}, [("owner", "/users/19", False)]),
        ({"at": ["/api/users/19/keys/3"]}, [("at", "/users/19", True)]),
        ({"owner": "http://host/api/v3/users/20/"}, []),
        ({"at": "/api/users/20/keys/3"}, []),
        ({"owner": "http://host/users/"}, []),
    ],
)
def test_what_a_body_refers_to(things: SeenThings, body: Json, expected: list[tuple[str, str, bool]]) -> None:
    assert meant(things, body) == expected


def test_the_number_of_what_the_run_deleted_may_be_somebody_elses_by_now(things: SeenThings) -> None:
    assert meant(things, {"tag_id": 22}) == []
    assert meant(things, {"tag_id": 23}) == [("tag_id", "/tags/23", False)]


def test_an_action_may_name_another_thing_of_the_kind_of_its_target(things: SeenThings) -> None:
    body = {"into": 19, "size": 19, "other": 21}
    assert [found.name for found in things.references("shop", body, Alike.beside("user"))] == ["into"]
    assert meant(things, body) == []


def test_what_is_created_names_what_it_lies_in_if_that_is_of_its_kind(things: SeenThings) -> None:
    body = {"parent": 19, "parent_id": 19, "size": 19, "into": 19}
    found = things.references("shop", body, Alike.above("user"))
    assert [reference.name for reference in found] == ["parent", "parent_id"]
    assert list(things.references("shop", body, Alike.above("tag"))) == []


def test_a_number_is_no_reference_to_what_no_number_identifies() -> None:
    kinds = {"concurrency_limit": "limit", "limit_id": "limit", "flow": "flow"}
    found = SeenThings(lambda tool, path: False, lambda tool, path: False, lambda tool, name: kinds.get(name, ""))
    assert meant(found, {"concurrency_limit": 5}) == [("concurrency_limit", "/limit/5", False)]
    found.see("shop", "/limits", LONG, {"id": LONG, "name": "disk"})
    assert meant(found, {"concurrency_limit": 5}) == []
    assert meant(found, {"limit_id": 5, "concurrency_limit": LONG}) == [
        ("limit_id", "/limit/5", False),
        ("concurrency_limit", f"/limits/{LONG}", False),
    ]
    found.see("shop", "/flows", "nightly", {"name": "nightly", "id": 7})
    assert meant(found, {"flow": 5}) == [("flow", "/flow/5", False)]


def test_a_reference_says_what_it_means(things: SeenThings) -> None:
    [found] = things.references("shop", {"user_id": 19})
    assert (found.noun, found.value, found.place) == ("user", "19", ("shop", "/users/19"))
    assert list(things.references("other", {"user_id": 19})) == []


def test_what_was_seen_is_somebody_else_s_unless_the_run_made_it(things: SeenThings) -> None:
    assert things.saw("shop", "/users/19")
    assert not things.saw("shop", "/users/20")
    assert not things.saw("shop", "/users/21")
    assert not things.saw("other", "/users/19")
    things.see("shop", "/files", "a b")
    assert things.saw("shop", "/files/a%20b")
    for nothing in (None, {}, []):
        things.see("shop", "/files", nothing)
    assert not things.saw("shop", "/files/")


def test_what_was_seen_in_one_parent_alone_lies_in_it(things: SeenThings) -> None:
    for item in (1, 2):
        things.see("shop", f"/items/{item}/notes", "a")
    things.see("shop", "/items/1/notes", "b")
    things.see("shop", "/items/2/files", "b")
    assert things.only_within("shop", "/items/1/notes/b", "/items/1")
    assert not things.only_within("shop", "/items/1/notes/a", "/items/1")
    assert not things.only_within("shop", "/items/1/notes/c", "/items/1")
    assert not things.only_within("shop", "/items/1/notes/b", "/items/2")


def test_what_was_returned_by_its_id_alone_may_lie_anywhere(things: SeenThings) -> None:
    things.see("shop", "/items/1/notes", "d", listed=False)
    assert not things.only_within("shop", "/items/1/notes/d", "/items/1")
    things.see("shop", "/items/1/notes", "d")
    assert things.only_within("shop", "/items/1/notes/d", "/items/1")


def test_a_long_id_is_that_of_one_thing_under_all_its_paths() -> None:
    found = SeenThings(*[lambda tool, path: path == f"/projects/{LONG}"] * 2, lambda tool, name: "")
    found.see("shop", "/workspaces", LONG)
    assert meant(found, {"project": LONG}) == [("project", f"/workspaces/{LONG}", False)]
    found.see("shop", "/projects", LONG)
    assert meant(found, {"project": LONG}) == []


def test_a_number_of_the_runs_own_is_no_reference_though_a_list_showed_it_as_an_id() -> None:
    """But the same number in another collection is somebody's."""
    mine = f"/projects/{run_name(1)}"
    things = SeenThings(
        lambda tool, path: path == mine,
        lambda tool, path: path == mine,
        lambda tool, name: "project" if name.startswith("project") else "",
    )
    things.see("shop", "/projects", run_name(1), {"id": 2, "slug": run_name(1)})
    things.see("shop", "/projects", 2, {"id": 2})
    things.see("shop", "/projects", 3, {"id": 3})
    assert meant(things, {"project_id": 2}) == []
    assert meant(things, {"project_id": 3}) == [("project_id", "/projects/3", False)]
    things.see("shop", "/archive/projects", 2, {"id": 2})
    assert meant(things, {"project_id": 2}) == [("project_id", "/archive/projects/2", False)]
