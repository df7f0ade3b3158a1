"""What is kept of a large value: the first items of its arrays, and never more than the bound."""

from __future__ import annotations

import random
from typing import Any

import pytest

from docrev.json_values.sampling import MAX_TEXT, MAX_WEIGHT, cut_texts, sampled, weight


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value, value] if levels < 30 else [value]
    return value


LARGE: dict[str, Any] = {
    "flat": [{"id": number, "name": f"item {number}"} for number in range(60_000)],
    "empty objects": [{}] * 500_000,
    "numbers": list(range(100_000)),
    "nested": [{"lines": [{"sku": line} for line in range(300)]} for _ in range(300)],
    "map": {f"k{number}": {"id": number} for number in range(50_000)},
    "texts": ["x" * 10_000] * 900,
    "names": {f"{number}" + "n" * 2000: 1 for number in range(5000)},
    "enveloped": {"total": 60_000, "data": {"items": [{"id": number} for number in range(60_000)]}},
}


@pytest.mark.parametrize("value", LARGE.values(), ids=LARGE)
def test_a_large_value_is_kept_in_part(value: Any) -> None:
    part, is_part = sampled(value)
    assert is_part
    assert part
    assert weight(value) > MAX_WEIGHT >= weight(part)


def test_what_is_kept_are_the_first_items_whole() -> None:
    part, _ = sampled(LARGE["enveloped"])
    assert isinstance(part, dict)
    items = part["data"]["items"]  # type: ignore[index,call-overload]
    assert part["total"] == 60_000
    assert items == [{"id": number} for number in range(len(items))]
    assert len(items) >= 1000


@pytest.mark.parametrize("value", [[{"id": n, "tags": ["a", "b"]} for n in range(3000)], None, "x" * 10**6, deep(20_0)])
def test_what_is_light_is_kept_whole(value: Any) -> None:
    assert sampled(value) == (value, False)


def test_what_is_too_heavy_in_every_way_is_nothing() -> None:
    wide: Any = {f"n{number}": None for number in range(60)}
    for _ in range(5):
        wide = dict.fromkeys(wide, wide)
    assert sampled(wide) == (None, True)


def test_random_values_are_never_heavier_than_the_bound() -> None:
    draw = random.Random(5)

    def value(depth: int) -> Any:
        kind = draw.choice(["list", "dict", "text"]) if depth else "text"
        if kind == "list":
            return [value(depth - 1)] * draw.choice([0, 3, 40, 700])
        if kind == "dict":
            return {f"{number}": value(depth - 1) for number in range(draw.choice([1, 5, 70]))}
        return "t" * draw.choice([1, 100, 30_000])

    parts = [sampled(value(4)) for _ in range(60)]
    assert any(is_part for _, is_part in parts)
    assert all(weight(part) <= MAX_WEIGHT for part, _ in parts)


def test_texts_are_cut() -> None:
    assert cut_texts({"a": ["x" * 10**6, 1, None]}) == {"a": ["x" * MAX_TEXT, 1, None]}
