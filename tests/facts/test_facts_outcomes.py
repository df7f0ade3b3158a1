"""What writes come to: for what is there already, for what is not, for what is left out. Calls are canned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_facts_states import BOOKS, ITEM, LIST, MAKE, PUT, Calls

from docrev.evidence import Evidence
from docrev.facts import shows
from docrev.facts.status_causes import message
from docrev.records import Call, Json, OperationKey
from docrev.spec import load

NAME = "docrev-00000000-{}".format
DELETE = OperationKey("shelf", "DELETE /boxes/{id}")
SPEC = "    delete: {responses: {'204': {description: ok}}}\n"


@pytest.fixture
def calls(tmp_path: Path) -> Iterator[Calls]:
    with Evidence.open(tmp_path / "out", write=True) as store:
        store.begin({})
        yield Calls(store, tmp_path, item=SPEC)


def made(calls: Calls, id: str, status: int = 201, **sent: Json) -> Call:
    """A creation that is answered with what was sent, and with an id."""
    call = calls(MAKE, status, {"id": id, **sent}, sent=sent)
    return calls.made(call, f"/boxes/{id}", path__id=id)


def test_a_refusal_of_a_name_that_is_there_is_blamed_on_the_name(calls: Calls) -> None:
    made(calls, "a", name=NAME(1), kind="wood")
    made(calls, "b", name=NAME(2), kind="wood")
    assert calls.told("exists") == set()
    first = calls(MAKE, 409, {"error": "Conflict"}, sent={"name": NAME(1), "kind": "wood"})
    [fact] = calls.facts("exists")
    # Both together may be what tells boxes apart.
    assert (fact.value, fact.calls) == ({"status": 409}, (first.id,))
    refused = calls(MAKE, 409, {"error": "Conflict"}, sent={"name": NAME(1), "kind": "stone"})
    [fact] = calls.facts("exists")
    assert (fact.key, fact.value, fact.calls) == (MAKE, {"status": 409, "by": "/name"}, (first.id, refused.id))
    assert shows(fact, refused)


def test_a_name_may_be_taken_within_what_a_drawn_id_refers_to_alone(calls: Calls) -> None:
    one, other = "0b5f3c1e-8f2a-4d51-9a51-6f0d7c1f2f3b", "9a51d9b4-16b5-4c0a-a5e1-0b5f3c1e8f2a"
    made(calls, "a", name=NAME(1), room=one)
    calls(MAKE, 409, {"error": "Conflict"}, sent={"name": NAME(1), "room": one})
    # Boxes may be told apart by their rooms.
    assert [fact.value for fact in calls.facts("exists")] == [{"status": 409}]
    made(calls, "b", name=NAME(2), room=one)
    assert [fact.value for fact in calls.facts("exists")] == [{"status": 409, "by": "/name", "within": "/room"}]
    calls(MAKE, 409, {"error": "Conflict"}, sent={"name": NAME(1), "room": other})
    assert [fact.value for fact in calls.facts("exists")] == [{"status": 409, "by": "/name"}]


def test_what_returns_the_thing_in_place_of_a_refusal_is_told_with_it(calls: Calls) -> None:
    made(calls, "a", name=NAME(1))
    calls(MAKE, 409, {"error": "Conflict"}, sent={"name": NAME(1)})
    calls(MAKE, 200, {"id": "a", "name": NAME(1)}, sent={"name": NAME(1), "reuse": True})
    assert calls.told("exists") == {(MAKE.operation, "", "{'status': 409, 'by': '/name', 'unless': 'reuse'}")}


def test_a_thing_that_is_returned_was_found_by_its_name_though_it_is_of_the_same_kind(calls: Calls) -> None:
    made(calls, "a", name=NAME(1), kind="wood", note=NAME(5))
    for number in (6, 7):
        sent = {"name": NAME(1), "kind": "wood", "note": NAME(number)}
        calls(MAKE, 200, {"id": "a", "name": NAME(1), "kind": "wood", "note": NAME(5)}, sent=sent)
    assert calls.told("exists") == {(MAKE.operation, "", "{'status': 200, 'by': '/name', 'unchanged': True}")}


def test_a_refusal_is_blamed_on_what_its_message_names_and_on_nothing_else(calls: Calls) -> None:
    made(calls, "a", name=NAME(1), note=NAME(1))
    made(calls, "b", name=NAME(2), note=NAME(2))
    for note in (NAME(1), NAME(4)):
        calls(MAKE, 409, {"error": "The name is already taken"}, sent={"name": NAME(1), "note": note})
    assert calls.told("exists") == {(MAKE.operation, "", "{'status': 409, 'by': '/name'}")}
    made(calls, "c", name=NAME(2), note=NAME(3))
    calls(MAKE, 409, {"error": "The name is already taken"}, sent={"name": NAME(2), "note": NAME(2)})
    assert calls.told("exists") == {(MAKE.operation, "", "{'status': 409}")}


def test_a_message_that_says_one_word_of_other_properties_blames_no_name(calls: Calls) -> None:
    sent = {"name": NAME(1), "prefix_key": "ctrl", "suffix_key": "s"}
    made(calls, "a", **sent)
    calls(MAKE, 400, {"errors": ["Duplicate shortcut key."]}, sent=sent)
    assert calls.told("exists") == {(MAKE.operation, "", "{'status': 400}")}


@pytest.mark.parametrize("suffix", ["", " (2)"])
def test_a_second_thing_that_is_called_otherwise_is_told_as_that(calls: Calls, suffix: str) -> None:
    first = calls(MAKE, 201, {"id": "a", "name": NAME(1)}, sent={"name": NAME(1)})
    second = calls(MAKE, 201, {"id": "b", "name": NAME(1) + suffix}, sent={"name": NAME(1)})
    for call, id in ((first, "a"), (second, "b")):
        calls.made(call, f"/boxes/{id}", path__id=id)
    renamed = ", 'renamed': True" if suffix else ""
    value = f"{{'status': 201, 'by': '/name', 'second': True{renamed}}}"
    assert calls.told("exists") == {(MAKE.operation, "", value)}


def test_a_refusal_after_the_thing_was_deleted_says_nothing_of_existing_things(calls: Calls) -> None:
    made(calls, "a", name=NAME(1))
    calls(DELETE, 204, path__id="a")
    calls(MAKE, 409, {"error": "Conflict"}, sent={"name": NAME(1)})
    assert calls.told("exists") == set()


def test_a_refused_value_is_no_conflict_unless_its_message_says_so(calls: Calls) -> None:
    made(calls, "a", name=NAME(1))
    calls(MAKE, 422, {"error": "name is too long"}, sent={"name": NAME(1)})
    assert calls.told("exists") == set()
    calls(MAKE, 422, {"error": "name is already taken"}, sent={"name": NAME(1)})
    assert calls.told("exists") == {(MAKE.operation, "", "{'status': 422, 'by': '/name'}")}


def test_a_message_under_the_name_of_a_property_is_read_and_blames_that_one(calls: Calls) -> None:
    made(calls, "a", name=NAME(1))
    calls(MAKE, 400, {"name": ["Box with this name already exists."]}, sent={"name": NAME(1)})
    assert calls.told("exists") == {(MAKE.operation, "", "{'status': 400, 'by': '/name'}")}
    made(calls, "b", name=NAME(2), note=NAME(3), colour={})
    for _ in range(2):
        calls(PUT, 400, {"colour": ["This colour already exists."]}, sent={"note": NAME(3), "colour": {}}, path__id="a")
    assert len(calls.told("exists")) == 1


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"tag": ["Tag already exists."]}, "Tag already exists."),
        ({"errors": {"slug": ["is already in use"]}}, "slug: is already in use"),
        ({"non_field_errors": ["No more than three."]}, "No more than three."),
        ({"tags": ["red", "green"]}, ""),
    ],
)
def test_the_first_message_of_an_error_that_has_them_by_property(body: Json, text: str) -> None:
    assert message(body) == text


def test_the_existing_thing_that_is_returned_unchanged_is_told_by_what_it_kept(calls: Calls) -> None:
    made(calls, "a", name=NAME(1), path=NAME(9))
    made(calls, "b", name=NAME(2), path=NAME(8))
    for number in (3, 4):
        assert calls.told("exists") == set()
        calls(MAKE, 201, {"id": "a", "name": NAME(1), "path": NAME(9)}, sent={"name": NAME(number), "path": NAME(9)})
    assert calls.told("exists") == {(MAKE.operation, "", "{'status': 201, 'by': '/path', 'unchanged': True}")}


def test_what_was_changed_since_may_be_given_to_another_thing(calls: Calls) -> None:
    """That two things were made with one name shows nothing if the first was called otherwise by then."""
    made(calls, "a", name=NAME(1), path=NAME(9))
    for number in (3, 4):
        calls(MAKE, 201, {"id": "a", "name": NAME(1), "path": NAME(9)}, sent={"name": NAME(number), "path": NAME(9)})
    calls(PUT, 200, {"id": "a", "name": NAME(1), "path": NAME(8)}, path__id="a", sent={"path": NAME(8)})
    made(calls, "b", name=NAME(2), path=NAME(9))
    assert calls.told("exists") == {(MAKE.operation, "", "{'status': 201, 'by': '/path', 'unchanged': True}")}


def test_a_list_that_is_empty_below_an_id_that_nothing_has_is_told_if_others_are_full(calls: Calls) -> None:
    calls(BOOKS, 200, [], path__box=NAME("b1"))
    assert calls.told("missing") == set()
    calls(BOOKS, 200, [{"id": 1}], path__box="a")
    assert calls.told("missing") == {
        (BOOKS.operation, "", "{'parameter': 'path:box', 'status': 200, 'returns': 'array'}")
    }


def test_a_thing_with_an_empty_list_is_no_empty_response(calls: Calls) -> None:
    calls(ITEM, 200, {"id": "a", "tags": ["x"]}, path__id="a")
    calls(ITEM, 200, {"id": "b", "tags": []}, path__id=NAME(7))
    assert calls.told("missing") == set()


def test_nothing_is_missing_where_others_are_not_found(calls: Calls) -> None:
    calls(ITEM, 200, {"tags": ["x"]}, path__id="a")
    calls(ITEM, 200, {"tags": []}, path__id=NAME(8))
    returned = "{'parameter': 'path:id', 'status': 200, 'returns': 'page'}"
    assert calls.told("missing") == {(ITEM.operation, "", returned)}
    calls(ITEM, 404, {}, path__id=NAME(9))
    assert calls.told("missing") == set()


def test_an_empty_list_below_what_the_run_created_is_none_of_a_missing_thing(calls: Calls) -> None:
    calls(BOOKS, 200, [{"id": 1}], path__box="a")
    calls.made(calls(PUT, 201, {"id": NAME("b1")}, path__id=NAME("b1")), f"/boxes/{NAME('b1')}", path__id=NAME("b1"))
    calls(BOOKS, 200, [], path__box=NAME("b1"))
    assert calls.told("missing") == set()


def test_deletions_of_what_is_gone_are_told_after_two_of_them(calls: Calls) -> None:
    made(calls, "a", name=NAME(1))
    calls(DELETE, 204, path__id="a")
    calls(DELETE, 204, path__id="a")
    assert calls.told("missing") == set()
    calls(DELETE, 204, path__id="a")
    assert calls.told("missing") == {(DELETE.operation, "", "{'parameter': 'path:id', 'status': 204}")}


@pytest.mark.parametrize(("rest", "told"), [({}, "removed"), ({"name": NAME(1)}, "kept")])
def test_what_a_put_leaves_out_is_removed_or_kept(calls: Calls, rest: dict[str, Json], told: str) -> None:
    for number in (5, 6):
        full = {"name": NAME(1), "note": NAME(number)}
        calls(PUT, 200, {"id": "a", "made": 7, **full}, sent=full, path__id="a")
        calls(PUT, 200, {"id": "a", "made": 7, **rest, "note": "x"}, sent={"note": "x"}, path__id="a")
    assert calls.told("left-out") == {(PUT.operation, "body:", told)}


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_response_that_repeats_what_was_sent_does_not_show_what_is_gone(calls: Calls, wrapped: bool) -> None:
    for number in (5, 6):
        for sent in ({"name": NAME(1), "note": NAME(number)}, {"note": "x"}):
            returned: dict[str, Json] = {"id": "a", "result": sent} if wrapped else {"id": "a", **sent}
            calls(PUT, 200, returned, sent=sent, path__id="a")
    assert calls.told("left-out") == set()


def test_what_a_get_shows_elsewhere_in_its_response_is_not_gone(calls: Calls) -> None:
    full: dict[str, Json] = {"name": NAME(1), "note": NAME(2)}
    labels: dict[str, Json] = {"name": "Name", "note": "Note"}
    for note in (NAME(2), NAME(3)):
        calls(PUT, 200, {"id": "a", "result": full}, sent=full, path__id="a")
        calls(PUT, 200, {"id": "a", "result": {"note": note}}, sent={"note": note}, path__id="a")
        thing = {"id": "a", "label_columns": labels, "show": {**full, "note": note}}
        calls(ITEM, 200, thing, path__id="a")
    assert calls.told("left-out") == set()


def test_a_get_after_a_put_without_a_body_shows_what_is_left(calls: Calls) -> None:
    for number in (5, 6):
        calls(PUT, 204, None, sent={"name": NAME(1), "note": NAME(number)}, path__id="a")
        calls(ITEM, 200, {"id": "a", "name": NAME(1), "note": NAME(number)}, path__id="a")
        calls(PUT, 204, None, sent={"note": "x"}, path__id="a")
        # Once may be chance.
        assert calls.told("left-out") == set()
        calls(ITEM, 200, {"id": "a", "note": "x"}, path__id="a")
    assert calls.told("left-out") == {(PUT.operation, "body:", "removed")}


def test_a_property_whose_value_the_url_gives_has_no_effect(calls: Calls) -> None:
    for number in (5, 6):
        sent = {"name": NAME(1), "note": NAME(number)}
        calls(PUT, 200, {"name": f"box {number}", "note": NAME(number)}, sent=sent, path__id=f"box {number}")
    assert calls.told("no-effect") == {(PUT.operation, "body:/name", "path")}


def test_what_the_url_gives_is_told_of_all_that_repeats_it_or_of_none(calls: Calls) -> None:
    path = calls.folder / "shelf.yaml"
    put = "put: {requestBody: {content: {application/json: {schema: {"
    path.write_text(path.read_text().replace(f"{put}}}", f"{put}properties: {{id: {{}}, name: {{}}}}}}"))
    calls.catalog = load(path)
    for number in (1, 2):
        sent = {"name": NAME(number), "note": NAME(number + 4)}
        calls(PUT, 200, {"name": f"n{number}", "note": NAME(number + 4)}, sent=sent, path__id=f"n{number}")
    assert calls.told("no-effect") == set()
    for number in (1, 2):
        sent = {"id": NAME(number), "note": NAME(number + 4)}
        calls(PUT, 200, {"id": f"n{number}", "note": NAME(number + 4)}, sent=sent, path__id=f"n{number}")
    assert {at for _, at, _ in calls.told("no-effect")} == {"body:/id", "body:/name"}


def test_null_keeps_a_value_only_where_other_values_come_through(calls: Calls) -> None:
    change = changing(calls, "name: {}, note: {}")
    made(calls, "a", name=NAME(1), note=NAME(3))
    calls(change, 200, {"id": "a", "name": NAME(1), "note": NAME(3)}, sent={"note": None}, path__id="a")
    assert calls.told("nulls") == set()
    for sent in (NAME(5), None):
        calls(change, 200, {"id": "a", "name": NAME(1), "note": NAME(5)}, sent={"note": sent}, path__id="a")
    assert calls.told("nulls") == {(change.operation, "body:", "kept")}


@pytest.mark.parametrize("declared", [True, False])
def test_a_creation_is_not_named_as_what_sets_a_property_that_another_change_may_set(
    calls: Calls, declared: bool
) -> None:
    change = changing(calls, "kind: {enum: [wood, steel, glass]}", put="kind: {}" if declared else "name: {}")
    for id, kind in (("a", "wood"), ("b", "steel")):
        made(calls, id, name=NAME(1), kind=kind)
        for other in ("glass", "steel" if kind == "wood" else "wood"):
            calls(change, 204, None, sent={"kind": other}, path__id=id)
            calls(ITEM, 200, {"id": id, "name": NAME(1), "kind": kind}, path__id=id)
    told = "unchanged" if declared else f"shelf {MAKE.operation}"
    assert calls.told("no-effect") == {(change.operation, "body:/kind", told)}


def changing(calls: Calls, properties: str, put: str = "") -> OperationKey:
    """Let the document have a PATCH of a box that declares these properties, and its PUT others."""
    file = calls.folder / "shelf.yaml"
    body = "requestBody: {{content: {{application/json: {{schema: {{properties: {{{}}}}}}}}}}}"
    patch = f"    patch: {{{body.format(properties)}, responses: {{'200': {{description: ok}}}}}}\n"
    text = file.read_text().replace(SPEC, f"{SPEC}{patch}")
    file.write_text(
        text.replace("put: {requestBody: {content: {application/json: {schema: {}}}}", f"put: {{{body.format(put)}")
    )
    calls.catalog = load(file)
    return OperationKey("shelf", "PATCH /boxes/{id}")


def test_a_name_that_is_written_in_another_form_has_an_effect(calls: Calls) -> None:
    for number in (5, 6):
        sent = {"name": NAME(number), "note": NAME(number)}
        calls(PUT, 200, {"name": f"{NAME(number)}.", "note": NAME(number)}, sent=sent, path__id=NAME(number))
    assert calls.told("no-effect") == set()


def test_a_property_that_no_schema_declares_is_stored_and_the_declared_one_is_not(calls: Calls) -> None:
    """`material` is what the API knows of what the document calls `kind`."""
    file, declared = calls.folder / "shelf.yaml", "schema: {properties: {name: {}, kind: {}}}}"
    file.write_text(
        file.read_text().replace('schema: {}}}}, responses: {"201"', f'{declared}}}}}, responses: {{"201"', 1)
    )
    calls.catalog = load(file)

    def created(number: int, known: str, **sent: Json) -> None:
        call = calls(MAKE, 201, {"id": f"{number}"}, sent={"name": NAME(number), **sent})
        calls.made(call, f"/boxes/{number}", path__id=f"{number}")
        calls(ITEM, 200, {"id": f"{number}", "name": NAME(number), "material": known}, path__id=f"{number}")

    created(1, "wood", kind="steel")
    created(2, "steel", material="steel")
    created(3, "glass", material="glass")
    assert calls.told("no-effect") == set()
    assert calls.told("stored") == {(MAKE.operation, "body:/material", "['glass', 'steel']")}
    created(8, "wood", material=NAME(8), label=NAME(8))
    created(9, "wood", label=NAME(8))
    assert calls.told("no-effect") == set()
    # The same value again says no more, and one other that was lost does: that nobody has stored it may be chance.
    created(4, "wood", kind="steel")
    assert calls.told("no-effect") == set()
    created(5, "wood", kind="paper")
    assert calls.told("no-effect") == {(MAKE.operation, "body:/kind", "/material")}


def test_a_property_that_is_as_it_was_anyway_is_not_stored(calls: Calls) -> None:
    """`state` changes by itself, and what is sent for it is passed over."""
    file = calls.folder / "shelf.yaml"
    declared = "schema: {properties: {name: {}}}}"
    file.write_text(
        file.read_text().replace('schema: {}}}}, responses: {"201"', f'{declared}}}}}, responses: {{"201"', 1)
    )
    calls.catalog = load(file)
    for number, state, sent in ((1, "idle", {}), (2, "idle", {"state": "idle"}), (3, "busy", {"state": "busy"})):
        call = calls(MAKE, 201, {"id": f"{number}"}, sent={"name": NAME(number), **sent})
        calls.made(call, f"/boxes/{number}", path__id=f"{number}")
        calls(ITEM, 200, {"id": f"{number}", "name": NAME(number), "state": state}, path__id=f"{number}")
    assert calls.told("stored") == {(MAKE.operation, "body:/state", "['busy', 'idle']")}
    call = calls(MAKE, 201, {"id": "4"}, sent={"name": NAME(4), "state": "gone"})
    calls.made(call, "/boxes/4", path__id="4")
    calls(ITEM, 200, {"id": "4", "name": NAME(4), "state": "idle"}, path__id="4")
    assert calls.told("stored") == set()


def test_an_unknown_value_that_becomes_another_is_told_if_known_ones_are_kept(calls: Calls) -> None:
    made(calls, "a", name=NAME(1), kind="Native")
    for number in (2, 3):
        assert calls.told("substitutes") == set()
        call = calls(MAKE, 201, {"id": str(number), "kind": "Native"}, sent={"kind": NAME(number)})
        calls.made(call, f"/boxes/{number}", path__id=str(number))
    assert calls.told("substitutes") == set()
    made(calls, "d", name=NAME(4), kind="Slave")
    assert calls.told("substitutes") == {(MAKE.operation, "body:/kind", "Native")}


def test_the_type_of_a_field_is_told_by_the_field_beside_it(calls: Calls) -> None:
    calls(ITEM, 200, {"kind": "folder", "content": []}, path__id="a")
    calls(ITEM, 200, {"kind": "text", "content": "x"}, path__id="b")
    assert calls.told("type-by") == set()
    calls(ITEM, 200, {"kind": "text", "content": "y"}, path__id="c")
    [fact] = calls.facts("type-by")
    assert (fact.location, fact.value) == (
        "200:/content",
        {"by": "kind", "types": {"folder": "array", "text": "string"}},
    )
    calls(ITEM, 200, {"kind": "text", "content": {}}, path__id="d")
    assert calls.told("type-by") == set()


def test_what_callers_give_as_they_like_has_the_type_that_they_chose(tmp_path: Path) -> None:
    free = "{type: object, properties: {content: {default: {}}, shape: {type: object}, kind: {type: string}}}"
    patch = f"    patch: {{requestBody: {{content: {{application/json: {{schema: {free}}}}}}}, responses: {{}}}}\n"
    with Evidence.open(tmp_path / "out", write=True) as store:
        store.begin({})
        calls = Calls(store, tmp_path, item=patch)
        for id, (kind, any_, shape) in enumerate([("ok", "x", []), ("failed", {}, {}), ("failed", {"a": 1}, {})]):
            calls(ITEM, 200, {"kind": kind, "content": any_, "shape": shape}, path__id=str(id))
        assert [fact.location for fact in calls.facts("type-by")] == ["200:/shape"]


def test_a_field_that_has_another_value_for_each_thing_is_no_kind_of_it(calls: Calls) -> None:
    for lang in ("de", "en"):
        calls(ITEM, 200, {"code": "tt1", "vote": 5}, path__id="a", query__lang=lang)
        calls(ITEM, 200, {"code": "tt2", "vote": 5.5}, path__id="b", query__lang=lang)
    assert calls.told("type-by") == set()


@pytest.mark.parametrize(("other", "told"), [("kind", "kind"), ("form", "")])
def test_of_two_fields_that_may_tell_a_type_one_that_is_called_so_does(calls: Calls, other: str, told: str) -> None:
    """A directory is JSON and a text is not: which of both tells the type of its content is chance."""
    for id, (form, kind, content) in enumerate(
        [("json", "folder", []), ("plain", "text", "x"), ("plain", "text", "y")]
    ):
        calls(ITEM, 200, {"a_form": form, other: kind, "content": content}, path__id=str(id))
    assert [fact.value["by"] for fact in calls.facts("type-by")] == [told] * bool(told)


def test_nothing_is_told_of_lists(calls: Calls) -> None:
    calls(LIST, 200, [{"kind": "folder", "content": []}, {"kind": "text", "content": "x"}])
    assert calls.told("type-by") == set()


def test_a_field_that_is_null_unless_a_list_names_it_is_on_request(calls: Calls) -> None:
    calls(BOOKS, 200, {"id": "a", "title": "Dune", "pages": None}, path__box="a", query__include=["title"])
    assert calls.told("on-request") == set()
    without = calls(BOOKS, 200, {"id": "a", "title": "Dune", "pages": None}, path__box="a")
    assert calls.told("on-request") == set()
    calls(BOOKS, 200, {"id": "b", "title": None, "pages": 300}, path__box="b", query__include=["pages"])
    assert calls.told("on-request") == set()
    named = calls(BOOKS, 200, {"id": "a", "title": None, "pages": 300}, path__box="a", query__include=["pages"])
    [fact] = calls.facts("on-request")
    assert (fact.location, fact.value, fact.calls) == ("query:include", "pages", (without.id, named.id))
    assert shows(fact, named)
    assert not shows(fact, without)


@pytest.mark.parametrize(("other", "told"), [("paper", True), ("wood", False)])
def test_what_is_filled_in_for_one_kind_of_thing_is_not_the_default(calls: Calls, other: str, told: bool) -> None:
    path = calls.folder / "shelf.yaml"
    schema = "{properties: {kind: {enum: [wood, paper]}, colour: {type: string}}}"
    path.write_text(path.read_text().replace("schema: {}", f"schema: {schema}", 2))
    calls.catalog = load(path)
    for number, kind in enumerate(("wood", other)):
        one = calls(MAKE, 201, {"id": f"a{number}", "kind": kind, "colour": "red"}, sent={"kind": kind})
        calls.made(one, f"/boxes/a{number}", path__id=f"a{number}")
    made(calls, "b", kind="wood", colour="blue")
    assert bool(calls.facts("default")) is told


@pytest.mark.parametrize(("part", "told"), [({}, True), ({"id": 7}, False)])
def test_what_is_filled_in_is_seen_in_the_part_of_a_thing_that_shows_it(
    calls: Calls, part: dict[str, Json], told: bool
) -> None:
    """A part with an ID of its own is another thing, with a colour of its own."""
    for number in (1, 2):
        one = calls(MAKE, 201, {"id": f"a{number}", "more": {"colour": "red", **part}}, sent={"name": NAME(number)})
        calls.made(one, f"/boxes/a{number}", path__id=f"a{number}")
    other = calls(MAKE, 201, {"id": "b", "more": {"colour": "blue", **part}}, sent={"name": NAME(3), "colour": "blue"})
    calls.made(other, "/boxes/b", path__id="b")
    assert calls.told("default") == ({(MAKE.operation, "body:/colour", "red")} if told else set())


def test_the_sentence_of_an_error_is_told_and_not_its_name() -> None:
    said = "Found a box with the same name"
    assert message({"detail": ["EntityExistsError", said]}) == said
    assert message({"detail": ["EntityExistsError"]}) == "EntityExistsError"


def test_a_thing_that_its_path_names_is_there_already_if_the_same_is_refused(evidence_of_shelves: Calls) -> None:
    calls = evidence_of_shelves
    first = calls(NAMED, 201, {"name": NAME(1)}, path__id=NAME(1))
    calls.made(first, f"/boxes/{NAME(1)}", path__id=NAME(1))
    calls(NAMED, 409, {"message": "Box exists"}, path__id=NAME(1))
    assert calls.told("exists") == set()
    calls(NAMED, 409, {"message": "Box exists"}, path__id=NAME(1))
    assert calls.told("exists") == {(NAMED.operation, "", "{'status': 409}")}


def test_a_name_in_a_list_is_there_already_if_the_same_is_refused(calls: Calls) -> None:
    first = calls(MAKE, 201, [{"id": "a", "name": NAME(1)}], sent={"names": [NAME(1)]})
    calls.made(first, "/boxes/a", path__id="a")
    calls(MAKE, 409, {"message": "All 1 boxes exist"}, sent={"names": [NAME(1)]})
    assert calls.told("exists") == {(MAKE.operation, "", "{'status': 409}")}


def test_a_put_that_changes_nothing_that_is_there_is_not_refused_for_what_it_gives(calls: Calls) -> None:
    for number, title in ((1, "API"), (2, "Other")):
        first = calls(PUT, 201, {"id": NAME(number), "title": title}, path__id=NAME(number), sent={"title": title})
        calls.made(first, f"/boxes/{NAME(number)}", path__id=NAME(number))
    for _ in range(2):
        calls(PUT, 409, {"message": "Box exists"}, path__id=NAME(1), sent={"title": "Other"})
    assert calls.told("exists") == {(PUT.operation, "", "{'status': 409}")}


NAMED = OperationKey("shelf", "POST /boxes/{id}")


@pytest.fixture
def evidence_of_shelves(tmp_path: Path) -> Iterator[Calls]:
    with Evidence.open(tmp_path / "named", write=True) as store:
        store.begin({})
        yield Calls(store, tmp_path, item="    post: {responses: {'201': {description: ok}}}\n")


def test_a_name_that_is_changed_is_told_beside_an_id_that_must_be_unique(calls: Calls) -> None:
    first = calls(MAKE, 201, {"id": "a", "name": NAME(1)}, sent={"id": "a", "name": NAME(1)})
    calls.made(first, "/boxes/a", path__id="a")
    second = calls(MAKE, 201, {"id": "b", "name": f"{NAME(1)} (1)"}, sent={"id": "b", "name": NAME(1)})
    calls.made(second, "/boxes/b", path__id="b")
    calls(MAKE, 400, {"error": "The id must be unique"}, sent={"id": "a", "name": NAME(2)})
    by_id, by_name = "{'status': 400, 'by': '/id'}", "{'status': 201, 'by': '/name', 'second': True, 'renamed': True}"
    assert calls.told("exists") == {(MAKE.operation, "", by_id), (MAKE.operation, "", by_name)}


def test_a_refusal_that_names_an_object_of_the_body_is_blamed_on_it(calls: Calls) -> None:
    made(calls, "a", name=NAME(1))
    refused = {"detail": [{"loc": ["body", "data"], "msg": "Value error, a box must have sides"}]}
    calls(MAKE, 422, refused, sent={"name": NAME(2), "data": {"title": NAME(3)}})
    [cause] = [fact.value for fact in calls.facts("status") if fact.value["status"] == 422]
    assert (cause["cause"], cause["parameter"]) == ("data not valid", "body:/data")


def test_a_state_that_a_creation_returns_as_a_list_is_no_way_from_one_to_another(calls: Calls) -> None:
    for number, state in ((1, "queued"), (2, ["queued"])):
        made(calls, f"a{number}", name=NAME(number), state=state)
    assert calls.told("becomes") == set()
