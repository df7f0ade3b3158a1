"""Walks through JSON values: what they yield, in which order, and where they end."""

from __future__ import annotations

from docrev.json_values.canonical import canonical, compact, digest
from docrev.json_values.leaves import leaves, members, scalar_members, scalars, values_at


def test_leaves_are_scalars_in_order_with_one_pointer_for_all_items() -> None:
    value = {"data": [{"id": 1, "tags": []}, {"id": 2, "tags": ["x"]}], "a/b": None}
    assert list(leaves(value)) == [("/data/0/id", 1), ("/data/0/id", 2), ("/data/0/tags/0", "x"), ("/a~1b", None)]
    assert list(leaves({"n": 1}, "body:")) == [("body:/n", 1)]
    assert list(leaves("text")) == [("", "text")]
    assert list(scalars(value)) == [part for _, part in leaves(value)]


def test_leaves_are_bounded() -> None:
    assert len(list(leaves([[0] * 60] * 60))) == 2000
    assert len(list(leaves([0] * 60))) == 50
    assert len(list(leaves([0] * 60, most=7, items=60))) == len(list(scalars([0] * 60, most=7, items=60))) == 7
    deep: object = 1
    for _ in range(5000):
        deep = [deep]
    assert [value for _, value in leaves(deep)] == [1]


def test_members_come_before_what_is_in_them_and_lists_stay_whole() -> None:
    value = {"a": {"b": {"c": {"d": 1}}}, "e": [1, 2]}
    assert [pointer for pointer, _ in members(value)] == ["/a", "/a/b", "/a/b/c", "/e"]
    assert [pointer for pointer, _ in members(value, "body:", depth=1)] == ["body:/a", "body:/e"]
    assert list(scalar_members({"a": {"b": 1, "c": []}, "d": None}, depth=2)) == [("/a/b", 1), ("/d", None)]
    assert list(members([1])) == []


def test_values_at_a_pointer_are_those_of_all_items() -> None:
    body = {"data": [{"id": 1}, {}, {"id": None}], "0": "zero"}
    assert values_at(body, "/data/0/id") == [1, None]
    assert values_at(body, "/0") == ["zero"]
    assert values_at(body, "") == [body]
    assert values_at(body, "/data/1") == []
    assert len(values_at([[0] * 60] * 60, "/0/0")) == 50 * 50
    assert len(values_at([[[0] * 60]], "/0/0/0")) == 10


def test_equal_values_have_one_canonical_text() -> None:
    assert canonical({"b": [1, 1.0, True], "a": "é"}) == '{"a":"\\u00e9","b":[1,1.0,true]}'
    assert compact({"b": 1, "a": 2}) == '{"b":1,"a":2}'
    assert digest({"b": 1, "a": 2}) == digest({"a": 2, "b": 1}) != digest({"a": 2, "b": True})
    assert len(digest(None, 10)) == 10
