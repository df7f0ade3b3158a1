"""Members by which other things may change."""

from __future__ import annotations

import pytest

from docrev.conventions.ranks import distinguishes, ranking_members, ranks_among_others, takes_from_others, unranked
from docrev.records import Json


@pytest.mark.parametrize(
    ("name", "value", "ranks"),
    [
        ("position", 1, True),
        ("sortOrder", 2, True),
        ("priority", 0.5, True),
        ("is_default", True, True),
        ("makePrimary", True, True),
        ("priority", "high", False),
        ("order", {"id": 1}, False),
        ("position", True, False),
        ("order_count", 3, False),
        ("is_default", False, False),
        ("use_default_colors", True, False),
        ("use_default", True, False),
        ("size", 1, False),
    ],
)
def test_what_places_a_thing_among_others(name: str, value: Json, ranks: bool) -> None:
    assert ranks_among_others(name, value) is ranks


@pytest.mark.parametrize(
    ("path", "makes_it_the_one"),
    [
        ("/themes/{id}/set_system_default", True),
        ("/themes/{id}/setSystemDark", True),
        ("/emails/{id}/primary", True),
        ("/cards/{id}/mark-as-default/", True),
        ("/cards/{id}/use_default", True),
        ("/default", False),
        ("/databases/{id}/defaults/{name}", False),
        ("/items/{id}/system", False),
        ("/items/{id}/set_price", False),
        ("/items/{id}", False),
    ],
)
def test_which_actions_make_their_thing_the_one_among_many(path: str, makes_it_the_one: bool) -> None:
    assert distinguishes(path) is makes_it_the_one


def test_what_is_required_stays() -> None:
    body: Json = {"rank": 1, "position": 2, "size": 3}
    assert list(ranking_members([body, 5], {"rank"})) == ["position"]
    assert unranked(body, {"rank"}) == {"rank": 1, "size": 3}


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("Mark this plan as your active one. All other plans will then be marked as inactive", True),
        ("Makes it the default; other addresses are no longer the default.", True),
        ("Whether it is active (deactivates any other profile).", True),
        ("Replaces the current default.", True),
        ("Only one theme can be active at a time.", True),
        ("Whether it is active.", False),
        ("Whether others may see it.", False),
        ("Whether voters may choose only one answer.", False),
        ("Clear the cache first.", False),
        ("Whether other users can comment. Comments may be disabled.", False),
    ],
)
def test_which_flags_are_taken_from_others(text: str, takes: bool) -> None:
    assert takes_from_others(text) is takes
