"""What is read from a call is worked out once."""

from __future__ import annotations

from dataclasses import replace

from docrev.conventions.lists import list_of, lists_of
from docrev.records import Call, OperationKey


def call(body: object) -> Call:
    key = OperationKey("shop", "GET /items")
    return Call("1", key, {}, "http://shop/items", 200, {}, body, "application/json", "survey")


def test_readings_are_made_once_for_each_reader_and_its_details() -> None:
    asked: list[tuple[str, int]] = []

    def times(of: Call, name: str, factor: int = 1) -> int:
        asked.append((name, factor))
        return int(of.body[name]) * factor

    one = call({"a": 1, "b": 2})
    answers = [one.read(times, "a"), one.read(times, "a"), one.read(times, "b", 3), one.read(times, "b", 3)]
    assert (answers, asked) == ([1, 1, 6, 6], [("a", 1), ("b", 3)])
    assert call({"a": 5}).read(times, "a") == 5
    assert replace(one, body={"a": 7}).read(times, "a") == 7
    assert one == call({"a": 1, "b": 2}), "what was read does not make a call another one"


def test_the_list_of_a_call_is_looked_for_once() -> None:
    one = call({"items": [{"id": 1}], "total": 1})
    assert lists_of(one) is lists_of(one)
    found = list_of(one)
    assert found is not None
    assert found.pointer == "/items"
    assert list_of(call([[1], [2]])) is not None
    assert list_of(call({"id": 1, "name": "x"})) is None
