from __future__ import annotations

from docrev.json_values.canonical import unique


def test_equal_values_are_kept_once_and_1_and_true_differ() -> None:
    kept = unique([1, {"b": 1, "a": 2}, True, 1, {"a": 2, "b": 1}, 1.0])
    assert list(map(repr, kept)) == ["1", "{'a': 2, 'b': 1}", "True", "1.0"]
