"""The observer of response shapes, and what is volatile between two identical calls."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docrev.facts import format_of, shape, volatile
from docrev.facts.shape import Field
from docrev.json_values.leaves import values_at
from docrev.records import Call, Json, OperationKey, Purpose

KEY = OperationKey("shop", "GET /items")


def call(id: str, body: Json, *, status: int = 200, purpose: Purpose = "survey", **arguments: Json) -> Call:
    return Call(id, KEY, arguments, "u", status, {}, body, "application/json", purpose)


def test_presence_nulls_types_lengths_and_the_calls_that_show_them() -> None:
    found = shape(
        [
            call("a", {"items": [{"id": 1, "price": 2}, {"id": 2, "price": 2.5, "note": None}], "total": 2}),
            call("b", {"items": [], "total": 0}),
            call("c", {"items": [{"id": "x", "price": None}], "total": 1}),
        ]
    )
    assert list(found) == ["", "/items", "/items/0", "/items/0/id", "/items/0/price", "/items/0/note", "/total"]
    assert (found["/items"].shortest, found["/items"].longest, found["/items"].type) == (0, 2, "array")
    id, price, note = (found[f"/items/0/{name}"] for name in ("id", "price", "note"))
    assert (id.always, id.type, id.calls) == (True, None, ["a", "c"])
    assert (price.always, price.type, price.nulls, price.samples) == (True, "number", 1, 2)
    assert (note.always, note.type, note.samples, note.calls) == (False, None, 0, ["a"])
    assert (found["/total"].values, found["/total"].calls) == ([2, 0, 1], ["a", "b", "c"])


def test_a_field_that_comes_late_was_not_always_there() -> None:
    found = shape([call("a", {}), call("b", {"late": 1}), call("c", {"late": 2})])
    assert (found["/late"].present, found["/late"].parents, found["/late"].always) == (2, 3, False)


def test_true_one_and_one_point_zero_are_three_values() -> None:
    assert shape([call("a", [True, 1, 1.0, "1", 1])])["/0"].values == [True, 1, 1.0, "1"]
    assert shape([call("a", [True, 1, 1.0, 1])])["/0"].counts[int, 1] == 2


def test_maps_by_id_are_not_taken_apart() -> None:
    ids = {str(number): {"name": "x"} for number in range(5)}
    many = {f"name{number}": 1 for number in range(100)}
    found = shape([call("a", {"by_id": ids, "many": many, "empty": {}})])
    assert list(found) == ["", "/by_id", "/many", "/empty"]
    assert found["/by_id"].is_map
    assert shape([call("a", {"types": {"-1": "Unknown", "0": "Custom", "1": "Book"}})])["/types"].is_map
    dotted = shape([call("a", {"by_name": {"disk.sda.full": {"name": "x"}}, "plain": {"name": "x"}})])
    assert (dotted["/by_name"].is_map, dotted["/plain"].is_map) == (True, False)


def test_what_the_run_called_something_is_no_name_of_a_property() -> None:
    found = shape(
        [call("a", {"levels": {"root": "info", "docrev-00000000-3": "debug"}, "own": {"docrev-00000000-1": 1}})]
    )
    assert list(found) == ["", "/levels", "/levels/root", "/own"]
    assert found["/own"].is_map


def test_maps_of_things_of_one_form_by_a_name_of_no_form_are_not_taken_apart() -> None:
    theme = {"cloud": "a.svg", "router": "b.svg"}
    assert [*shape([call("a", {"Classic": theme, "square-blue": theme, "square-red": theme})])] == [""]
    assert "/square-blue" in shape([call("a", {"Classic": theme, "square-blue": theme, "square-red": {"cloud": "c"}})])
    assert "/square" in shape([call("a", {"classic": theme, "square": theme, "round": theme})])


def test_a_json_schema_describes_what_is_somebodys_own() -> None:
    schema = {"type": "object", "title": "State", "properties": {"topic": {"type": "string"}}}
    listed = {"type": "array", "items": {"$ref": "#/$defs/Note"}}
    found = shape([call("a", {"graph": "main", "input": schema, "notes": listed, "field": {"type": "string"}})])
    assert list(found) == ["", "/graph", "/input", "/notes", "/field", "/field/type"]
    point = {"type": "Feature", "properties": {"name": "Rome"}, "geometry": {"type": "Point"}}
    assert "/properties/name" in shape([call("a", point)])


def test_the_first_message_of_a_stream_says_nothing_on_the_others() -> None:
    first = replace(call("a", {"action": "ping"}), detail="cut after its first part, as it did not end")
    assert shape([first]) == {"": Field()}


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (["2020-01-31", "1999-12-01"], "date"),
        (["2020-01-31T10:00:00Z", "2020-01-31 10:00:00.123+02:00"], "date-time"),
        (["https://example.com/a", "ftp://x/y"], "uri"),
        (["a@example.com"], "email"),
        (["6@/etc/health.d/entropy.conf"], ""),
        (["123e4567-e89b-12d3-a456-426614174000"], "uuid"),
        (["2020-01-31", "yesterday"], ""),
        (["2020-01-31", 5], ""),
        ([], ""),
    ],
)
def test_formats_hold_for_every_value_or_not_at_all(values: list[Json], name: str) -> None:
    assert format_of(values) == name


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab~/", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("ab~/", min_size=1, max_size=2), inner, max_size=4)
    ),
    max_leaves=20,
)


# No clock decides: other tests may run beside this one.
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(json_values, min_size=1, max_size=4))
def test_every_place_counts_what_stands_there(bodies: list[Json]) -> None:
    """`values_at` and `shape` agree on what a pointer means, whatever the names look like."""
    for pointer, place in shape(call(str(number), body) for number, body in enumerate(bodies)).items():
        values = [value for body in bodies for value in values_at(body, pointer)]
        if not any("0" in name for name in pointer.split("/") if name != "0"):
            assert len(values) == place.present
            assert sum(value is None for value in values) == place.nulls


def test_work_is_bounded_however_large_the_bodies_are() -> None:
    wide = {"items": [{f"f{n}": [n] * 1000 for n in range(50)} for _ in range(500)]}
    calls = [call(str(number), wide) for number in range(100)]
    found = shape(calls)
    assert len(found["/items/0"].calls) == 20
    assert len(found) <= 400


def test_what_changes_between_identical_calls_is_volatile() -> None:
    before = {"served": "10:00", "count": 3, "items": [{"id": 1, "age": 5, "a/b": 1}, {"id": 2, "age": 6, "a/b": 1}]}
    after = {
        "served": "10:01",
        "count": 3,
        "items": [{"id": 2, "age": 7, "a/b": 1}, {"id": 1, "age": 5, "a/b": 2}, {"id": 3}],
    }
    assert volatile(call("a", before), call("b", after)) == {"/served", "/items/0/age", "/items/0/a~1b"}


def test_another_order_or_another_item_is_no_change() -> None:
    one, two = (
        [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}],
        [{"id": 2, "n": "b"}, {"id": 1, "n": "a"}, {"id": 9, "n": "z"}],
    )
    assert volatile(call("a", one), call("b", two)) == set()
    assert volatile(call("a", [1, 2]), call("b", [1, 2, 3])) == set()
    assert volatile(call("a", [1, 2]), call("b", [1, 3])) == {"/0"}


def test_another_status_says_nothing_on_values() -> None:
    assert volatile(call("a", {"x": 1}), call("b", {"x": 2}, status=404)) == set()
