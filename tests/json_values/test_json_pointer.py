"""JSON pointers: the grammar of RFC 6901, and changes that leave the original alone."""

from __future__ import annotations

import pytest

from docrev.errors import UsageError
from docrev.json_values import pointer


def test_the_examples_of_the_rfc_point_to_their_values() -> None:
    document = {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "m~n": 8, " ": 7}
    expected = {"": document, "/foo": ["bar", "baz"], "/foo/0": "bar", "/": 0, "/a~1b": 1, "/c%d": 2, "/m~0n": 8}
    assert {at: pointer.find(document, at)[1] for at in expected} == expected
    assert pointer.find(document, "/foo/2") == (False, None)
    assert pointer.find(document, "/foo/01") == (False, None)


def test_a_pointer_is_put_together_and_taken_apart() -> None:
    assert pointer.join("paths", "/a~b", 0) == "/paths/~1a~0b/0"
    assert pointer.split("/paths/~1a~0b/0") == ["paths", "/a~b", "0"]
    assert pointer.unescape("~01") == "~1"
    assert (pointer.parent("/a/b~1c"), pointer.last("/a/b~1c")) == ("/a", "b/c")
    assert (pointer.parent(""), pointer.last("")) == ("", "")


@pytest.mark.parametrize("text", ["a/b", "/a~2", "/a~"])
def test_what_is_no_pointer_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not a JSON pointer"):
        pointer.split(text)


def test_changes_make_copies() -> None:
    value = {"a": [{"b": 1, "c": 2}], "d": 3}
    assert pointer.replaced(value, "/a/0/b", 9) == {"a": [{"b": 9, "c": 2}], "d": 3}
    assert pointer.replaced(value, "/new", None) == {**value, "new": None}
    assert pointer.replaced(value, "", 5) == 5
    assert pointer.removed(value, "/a/0/b") == {"a": [{"c": 2}], "d": 3}
    assert value == {"a": [{"b": 1, "c": 2}], "d": 3}


def test_a_member_or_an_item_is_replaced_or_removed_and_the_original_stays() -> None:
    value = {"a": [1, {"b": 2}, 3], "c": 4}
    assert pointer.replaced(value, "/a/1", 9) == {"a": [1, 9, 3], "c": 4}
    assert pointer.replaced(value, "/a/1/b", 9) == {"a": [1, {"b": 9}, 3], "c": 4}
    assert list(pointer.replaced(value, "/a", 9)) == ["a", "c"]
    assert pointer.removed(value, "/a/0") == {"a": [{"b": 2}, 3], "c": 4}
    assert pointer.removed(value, "/c") == {"a": [1, {"b": 2}, 3]}
    assert value == {"a": [1, {"b": 2}, 3], "c": 4}
