"""What came of a creation, by the looks before and after it; and what they forbid before it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import CRUD, catalog, key

from docrev.calls.absences import shown_to_be_free
from docrev.calls.created_items import CreatedItems, addresses, created_items, is_one_more
from docrev.calls.creation_looks import looks_at
from docrev.calls.creations import Creation
from docrev.calls.journal import Journal
from docrev.calls.looks import Look, is_absent
from docrev.calls.routes import Routes
from docrev.calls.seen_things import SeenThings
from docrev.conventions.run_names import run_name
from docrev.records import Call, Json

MINE, OTHER = run_name(1), run_name(2)
OPERATIONS = (*CRUD, "GET /users/{user_id}/loans", "POST /users/{user_id}/loans", "DELETE /loans/{loan_id}")
NAMED: dict[str, Json] = {"body:": {"name": MINE}}
FULL = [{"id": n} for n in range(20)]
"""A page of a size that pages customarily have."""


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(Routes(catalog(tmp_path, OPERATIONS).operations))


def creation(journal: Journal, arguments: dict[str, Json], line: str = "POST /items") -> Creation:
    operation = next(one for one in journal.routes.operations if one.key == key(line))
    found = journal.creation(operation, arguments)
    assert found is not None
    return found


def showing(body: Json, status: int = 200, line: str = "GET /items", **headers: str) -> Call:
    """A look that shows a body."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Call("look", key(line), {}, "", status, named, body, "application/json", "survey")


def look(journal: Journal, made: Creation) -> Look:
    found = looks_at(made, journal.routes, [])
    assert found is not None
    return found


def came(journal: Journal, arguments: dict[str, Json], before: Call, after: Call, **more: Any) -> CreatedItems:
    made = creation(journal, arguments)
    return created_items(made, [(look(journal, made), before, after)], **more)


def items(*values: Json, **around: Json) -> Call:
    return showing({"data": list(values), **around})


def own(*ids: str) -> CreatedItems:
    return CreatedItems(tuple(f"/items/{id}" for id in ids))


def doubtful(*ids: str) -> CreatedItems:
    return CreatedItems((), tuple(f"/items/{id}" for id in ids), False)


UNROUTED = showing({"message": "Cannot GET /items"}, 404)
"""No route leads to the list: what may be in it is not shown."""
NOTHING = CreatedItems()
"""The lists show that nothing was created."""
UNSEEN = CreatedItems(shown=False)
"""The lists show nothing at all."""


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        # One new item is the run's own, whatever it carries; with several, those that carry what was sent.
        (items(), items({"id": 1}), own("1")),
        (items({"id": 1}), items({"id": 1}, {"id": 2, "name": MINE}), own("2")),
        (items({"id": 1}), items({"id": 1}, {"id": 2}), own("2")),
        (items(), items({"id": 1, "name": MINE}, {"id": 2}), CreatedItems(("/items/1",), ("/items/2",))),
        (items(), items({"id": 1, "at": {"by": [MINE]}}, {"id": 2}), CreatedItems(("/items/1",), ("/items/2",))),
        (items(), items({"id": 1}, {"id": 2}), doubtful("1", "2")),
        (items(), items({"id": 1, "name": OTHER}, {"id": 2, "name": "x"}), doubtful("1", "2")),
        # What merely changed was not created, though it carries what was sent.
        (items({"id": 1, "name": "theirs"}), items({"id": 1, "name": MINE}), NOTHING),
        (items({"id": 1}), items({"id": 1}), NOTHING),
        (items({"id": 1}, {"id": 2}), items({"id": 2}), NOTHING),
        # An item that came for one that went: by their number, nothing was created.
        (items({"id": 1}), items({"id": 2}), NOTHING),
        # A collection that is not there yet, or is hidden, or fails.
        (showing({}, 404), items({"id": 1}), own("1")),
        (showing({}, 410), items({"id": 1}), own("1")),
        (showing({}, 404), showing({}, 404), NOTHING),
        (UNROUTED, items({"id": 1}), UNSEEN),
        (UNROUTED, UNROUTED, UNSEEN),
        (showing({}, 403), items({"id": 1}), UNSEEN),
        (showing({}, 500), items({"id": 1}), UNSEEN),
        (items(), showing({}, 404), UNSEEN),
        (items(), showing("busy", 503), UNSEEN),
        # Ids under other names, in maps, and as texts.
        (items(), items({"uuid": "a-b"}), own("a-b")),
        (items(), items({"_id": 7}), own("7")),
        (items(), items({"item_id": 7, "owner_id": 1}), own("7")),
        (items({"name": "a"}), items({"name": "a"}, {"name": MINE}), own(MINE)),
        (items("a"), items("a", "b"), own("b")),
        (items(4), items(4, 5), own("5")),
        (
            showing({"11": {"n": 1}, "12": {"n": 1}}),
            showing({"11": {"n": 1}, "12": {"n": 1}, "13": {"n": 2}}),
            own("13"),
        ),
        (items(), items({"id": "a/b ü"}), own("a%2Fb%20%C3%BC")),
        (showing([]), showing([{"id": 1}]), own("1")),
        (showing(None), showing([{"id": 1}]), own("1")),
        # A thing without any id cannot be addressed.
        (items(), items({"size": 3}), doubtful()),
        # Pages: an item that is new on them may have moved up, unless the total grew and it carries what was sent.
        (items(*FULL), items({"id": 99}, *FULL[:-1]), UNSEEN),
        (items(*FULL), items({"id": 99, "name": MINE}, *FULL[:-1]), UNSEEN),
        (items(*FULL, total=30), items({"id": 99, "name": MINE}, *FULL[:-1], total=31), own("99")),
        (items(*FULL, total=30), items({"id": 99}, *FULL[:-1], total=31), UNSEEN),
        (items(*FULL, total=30), items(*FULL, total=31), UNSEEN),
        (items({"id": 1}, next="x"), items({"id": 1}, next="x"), UNSEEN),
        (items({"id": 1}, next="x"), items({"id": 1}, {"id": 2, "name": MINE}, next="x"), own("2")),
        # Deleted softly: what stays in the list was there before.
        (items({"id": 1, "deleted": True}), items({"id": 1, "deleted": True}, {"id": 2}), own("2")),
        (items({"id": 1, "deleted": True}), items({"id": 1, "deleted": False, "name": MINE}), NOTHING),
        # No list at all.
        (showing("text"), showing("text"), UNSEEN),
        (showing({"id": 5, "name": "a page"}), showing({"id": 5, "name": "a page"}), UNSEEN),
    ],
)
def test_what_two_lists_show(journal: Journal, before: Call, after: Call, expected: CreatedItems) -> None:
    assert came(journal, NAMED, before, after) == expected


def test_an_id_that_the_service_chose_itself_makes_its_thing_nobody_elses(journal: Journal) -> None:
    sent: dict[str, Json] = {"body:": {"id": MINE}}
    assert came(journal, sent, items(), items({"id": "af1c", "name": ""})) == own("af1c")
    named: dict[str, Json] = {"body:": {"id": MINE, "name": MINE}}
    assert came(journal, named, items(), items({"id": "af1c", "name": "theirs"})) == doubtful("af1c")


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        ({"id": "theirs"}, CreatedItems(shown=False)),
        ({"id": "theirs", "note": MINE}, own("theirs")),
        ({"id": "theirs", "of": "mine"}, own("theirs")),
        ({"note": ""}, None),
    ],
)
def test_what_has_another_id_than_the_response_shows_is_somebody_elses(
    journal: Journal, thing: Json, expected: CreatedItems | None
) -> None:
    """What was made may be listed late, after what somebody else made meanwhile."""
    sent: dict[str, Json] = {"body:": {"note": MINE}}
    found = came(journal, sent, items(), items(thing), answered={"id": "mine", "note": MINE})
    assert found == (expected or came(journal, sent, items(), items(thing)))
    assert came(journal, sent, items(), items({"id": "theirs"})) == own("theirs"), "nothing shows another one"


def test_without_a_name_in_the_request_any_of_the_run_marks_an_item(journal: Journal) -> None:
    """A service may take the name from elsewhere; two that are new and marked are both the run's own."""
    after = items({"id": 1, "name": OTHER}, {"id": 2})
    assert came(journal, {"body:": {}}, items(), after) == CreatedItems(("/items/1",), ("/items/2",))
    assert came(journal, NAMED, items(), after) == doubtful("1", "2")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (404, 200, CreatedItems(("/items/x",))),
        (410, 200, CreatedItems(("/items/x",))),
        (403, 200, UNSEEN),
        (200, 200, UNSEEN),
        (404, 404, UNSEEN),
        (404, 403, UNSEEN),
        (500, 200, UNSEEN),
    ],
)
def test_what_two_looks_at_an_item_show(journal: Journal, before: int, after: int, expected: CreatedItems) -> None:
    made = creation(journal, {"path:id": "x"}, "PUT /items/{id}")
    line = "GET /items/{id}"
    pair = look(journal, made), showing({}, before, line), showing({}, after, line)
    assert created_items(made, [pair]) == expected


def test_a_hidden_place_is_free_only_under_a_made_up_name(journal: Journal) -> None:
    for id, expected in (("x", UNSEEN), (MINE, CreatedItems((f"/items/{MINE}",)))):
        made = creation(journal, {"path:id": id}, "PUT /items/{id}")
        pair = look(journal, made), showing({}, 403, "GET /items/{id}"), showing({}, 200, "GET /items/{id}")
        assert created_items(made, [pair]) == expected


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ([("/items/99", showing({"name": MINE}))], own("99")),
        ([("/items/99", showing({"name": "theirs"}))], UNSEEN),
        ([("/items/99", showing({"name": MINE}, 404))], UNSEEN),
        ([("/items/98", showing({"name": "theirs"})), ("/items/99", showing({"name": MINE}))], own("99")),
        ([], UNSEEN),
    ],
)
def test_where_a_page_hides_it_what_the_answer_names_must_carry_what_was_sent(
    journal: Journal, named: Sequence[tuple[str, Call]], expected: CreatedItems
) -> None:
    """And the list must say that it has one more."""
    before, after = items(*FULL, total=30), items(*FULL, total=31)
    assert came(journal, NAMED, before, after, named=named) == expected
    assert came(journal, NAMED, before, before, named=named) == UNSEEN


@pytest.mark.parametrize(
    ("before", "after", "more"),
    [
        (items({"id": 1}, total=1), items({"id": 1}, total=2), True),
        (items({"id": 1}, total=1), items({"id": 1}, total=1), False),
        (items({"id": 1}, total=1), items({"id": 1}, total=3), False),
        (items({"id": 1}), items({"id": 1}, {"id": 2}), False),
        (showing([{"id": 1}], x_total_count="7"), showing([{"id": 1}], x_total_count="8"), True),
        (showing({}, 404), items({"id": 1}, total=1), True),
    ],
)
def test_one_more_is_what_a_list_says_of_its_length(journal: Journal, before: Call, after: Call, more: bool) -> None:
    made = creation(journal, NAMED)
    assert is_one_more([(look(journal, made), before, after)]) is more


def test_an_item_with_an_id_and_a_name_may_be_addressed_by_either(journal: Journal) -> None:
    made = creation(journal, NAMED)
    both = [
        (look(journal, made), items({"id": 1, "name": "a"}), items({"id": 1, "name": "a"}, {"id": 2, "name": MINE}))
    ]
    assert addresses(made, both) == {"": "/items/2", "name": f"/items/{MINE}"}
    assert created_items(made, both, (), "name") == own(MINE)
    alone = [(look(journal, made), items(), items({"name": MINE}))]
    assert addresses(made, alone) == {}, "there is but one way"


def test_a_member_called_as_the_parameter_may_be_a_name_beside_the_id(tmp_path: Path) -> None:
    journal = Journal(Routes(catalog(tmp_path, ("GET /models", "POST /models", "GET /models/{model_id}")).operations))
    made = creation(journal, {"body:": {"model_id": MINE}}, "POST /models")
    both = [(look(journal, made), items(), items({"id": "7f", "model_id": MINE}))]
    assert addresses(made, both) == {"": f"/models/{MINE}", "id": "/models/7f"}
    assert created_items(made, both, (), "id") == CreatedItems(("/models/7f",))


def test_no_name_addresses_what_is_addressed_by_a_uuid(tmp_path: Path) -> None:
    uuid = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": {"format": "uuid"}}]}
    journal = Journal(Routes(catalog(tmp_path, **{"GET /items/{id}": uuid}).operations))
    made, id = creation(journal, NAMED), "0b5a3c1e-6c1c-4f7e-9a68-3b1f5a3f2d10"
    both = [(look(journal, made), items(), items({"id": id, "name": MINE}))]
    assert addresses(made, both) == {}


# Before it is sent


def free(journal: Journal, body: Json, before: Call, *mine: str) -> str | None:
    made = creation(journal, {"body:": body})
    return shown_to_be_free(made, [(look(journal, made), before)], lambda tool, path: path in mine)


TAKEN = "something with the {} that was chosen is there already"
HIDDEN = "nothing shows that what it names is new"


@pytest.mark.parametrize(
    ("body", "before", "reason"),
    [
        ({"name": MINE}, items({"id": 1, "name": "a"}), None),
        ({"name": "a"}, items({"id": 1, "name": "a"}), TAKEN.format("name")),
        ({"slug": "a"}, items("a", "b"), TAKEN.format("slug")),
        ({"id": "7"}, items({"id": 7}), TAKEN.format("id")),
        ({"email": "a@b.example"}, items({"id": 1, "email": "a@b.example"}), TAKEN.format("email")),
        ({"name": "b"}, items({"id": 1, "name": "a"}), None),
        ({"size": "a"}, items({"id": 1, "size": "a"}), None),
        # Where the list goes on, or cannot be seen, only a made-up name is new by itself.
        ({"name": "b"}, items({"id": 1}, next="x"), HIDDEN),
        ({"name": "b"}, showing({}, 500), HIDDEN),
        ({"name": "b"}, showing({}, 403), HIDDEN),
        ({"name": "b"}, showing({}, 404), None),
        ({"name": "b"}, UNROUTED, HIDDEN),
        ({"name": MINE}, items({"id": 1}, next="x"), None),
        ({"name": MINE}, showing({}, 500), None),
        ({}, items({"id": 1}, next="x"), None),
        (None, showing({}, 500), None),
    ],
)
def test_what_is_there_is_not_named_again(journal: Journal, body: Json, before: Call, reason: str | None) -> None:
    """A creation that names what exists may replace it."""
    assert free(journal, body, before) == reason


def test_what_the_run_called_alike_does_not_hide_whose_name_it_was(journal: Journal) -> None:
    alike = items({"id": 1, "name": "a"}, {"id": 2, "name": "a"})
    assert free(journal, {"name": "a"}, alike) is None
    assert free(journal, {"name": "a"}, alike, "/items/2") == TAKEN.format("name")


def test_what_the_run_made_may_be_named_again(journal: Journal) -> None:
    there = items({"id": 1, "name": "a"})
    assert free(journal, {"name": "a"}, there) == TAKEN.format("name")
    assert free(journal, {"name": "a"}, there, "/items/1") is None


@pytest.mark.parametrize(("status", "sent"), [(404, True), (410, True), (200, False), (403, False), (500, False)])
def test_an_item_is_put_only_where_nothing_is(journal: Journal, status: int, sent: bool) -> None:
    made = creation(journal, {"path:id": "x"}, "PUT /items/{id}")
    before = [(look(journal, made), showing({}, status, "GET /items/{id}"))]
    reason = shown_to_be_free(made, before, lambda tool, path: False)
    assert reason == (None if sent else "there may already be something at the id that was chosen")


# The looks


def test_a_list_is_looked_at_where_it_is(journal: Journal) -> None:
    loan = creation(journal, {"path:user_id": 4}, "POST /users/{user_id}/loans")
    assert look(journal, loan).invoke.key == key("GET /users/{user_id}/loans")
    assert look(journal, loan).invoke.arguments == {"path:user_id": "4"}
    assert loan.place(7) == "/loans/7"
    note = creation(journal, {"path:item_id": 4}, "POST /items/{item_id}/notes")
    assert look(journal, note) == Look(look(journal, note).invoke)
    assert (note.place("a b"), note.noun, note.parameter) == ("/items/4/notes/a%20b", "note", "note_id")


def test_with_the_largest_page_and_what_it_requires(tmp_path: Path) -> None:
    parameters = [
        {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 500}},
        {"name": "tenant", "in": "query", "required": True, "schema": {"type": "string"}},
        {"name": "tag", "in": "query", "schema": {"type": "string"}},
    ]
    found = catalog(tmp_path, CRUD, **{"GET /items": {"parameters": parameters}})
    journal = Journal(Routes(found.operations))
    made = creation(journal, {"query:tenant": "t", "query:tag": "x", "body:": {}})
    assert look(journal, made).invoke.arguments == {"query:limit": 500, "query:tenant": "t"}


def test_a_list_that_answers_nothing_is_asked_for_by_what_was_sent(tmp_path: Path) -> None:
    """`GET /tasks` may need a project, whatever the spec says: that to which the task was added."""
    parameters = [{"name": name, "in": "query", "schema": {}} for name in ("project", "page", "title", "colour")]
    found = catalog(tmp_path, CRUD, **{"GET /items": {"parameters": parameters}})
    journal = Journal(Routes(found.operations))
    made = creation(journal, {"body:": {"project": 3, "page": 1, "colour": None, "title": "t", "tag": "x"}})
    refused = showing({}, 400)
    last = looks_at(made, journal.routes, [refused])
    assert last is not None
    assert last.invoke.arguments == {"query:project": 3, "query:title": "t"}
    assert looks_at(made, journal.routes, [refused, refused]) is None
    assert looks_at(made, journal.routes, [showing([{"id": 1}])]) is None
    # A list may show what belongs to the project of who asks, and no other.
    assert looks_at(made, journal.routes, [showing([])]) == last
    unscoped = creation(journal, {"body:": {"title": run_name(1)}})
    assert looks_at(unscoped, journal.routes, [showing([])]) is None


def test_a_page_with_404_says_that_nothing_is_there_unless_no_route_leads_there() -> None:
    page = replace(showing("<html>", 404, "GET /items/{id}"), error="not-json")
    assert is_absent("/items/7", page)
    assert not is_absent("/items/7", replace(page, status=200))
    assert not is_absent("/items/7", replace(page, error="network"))
    assert not is_absent("/items/7", UNROUTED)
    assert is_absent(f"/items/{MINE}", UNROUTED)


@pytest.mark.parametrize(
    ("body", "is_nothing"),
    [
        ({"data": None}, True),
        ({"result": None, "success": True, "errors": []}, True),
        ({"data": None, "name": "x"}, False),
        ({"data": {"id": 1}}, False),
        ({"value": None}, False),
        ({}, True),
    ],
)
def test_null_in_an_envelope_shows_nothing(body: Json, is_nothing: bool) -> None:
    assert is_absent(f"/items/{MINE}", showing(body, 200, "GET /items/{id}")) == is_nothing
    assert not is_absent("/items/7", showing(body, 200, "GET /items/{id}"))


def test_where_nothing_lists_them_a_made_up_name_may_be_its_address(tmp_path: Path) -> None:
    blind = Journal(Routes(catalog(tmp_path, [line for line in CRUD if line != "GET /items"]).operations))
    assert look(blind, creation(blind, NAMED)).path == f"/items/{MINE}"
    assert looks_at(creation(blind, {"body:": {"name": "theirs"}}), blind.routes, []) is None
    assert looks_at(creation(blind, {"body:": {}}), blind.routes, []) is None


def test_where_ids_are_uuids_no_name_is_an_address(tmp_path: Path) -> None:
    id = {
        "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}]
    }
    lines = [line for line in CRUD if line != "GET /items"]
    blind = Journal(Routes(catalog(tmp_path, lines, **{line: id for line in lines if "{id}" in line}).operations))
    assert looks_at(creation(blind, NAMED), blind.routes, []) is None


def test_one_look_is_enough_if_it_shows_that_nothing_is_there(journal: Journal) -> None:
    made = creation(journal, {"path:id": "x"}, "PUT /items/{id}")
    for status in (404, 200):
        assert looks_at(made, journal.routes, [showing({}, status, "GET /items/{id}")]) is None


def test_a_name_out_of_a_vocabulary_is_nobodys_own() -> None:
    things = SeenThings(
        lambda tool, path: False, lambda tool, path: False, lambda tool, name: "kernel" if name == "kernels" else ""
    )
    things.see("shop", "/kernels", "k1", {"id": "k1", "name": "python3"})
    assert things.is_name("shop", "/kernels", "python3")
    things.see_words("shop", {"kernels": {"python3": {"name": "python3"}}})
    assert things.is_name("shop", "/kernels", "python3")
    things.see_words("shop", {"default": "python3", "languages": {"python3": {"name": "python3"}}})
    assert not things.is_name("shop", "/kernels", "python3")
