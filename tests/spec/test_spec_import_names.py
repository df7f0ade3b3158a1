"""Names within 64 characters: unique, steady, and never without their front."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrev.spec.formats.names import LEGAL, function_name, legal, slug, unique

WORD = st.text("abcXYZ019_- é", min_size=1, max_size=14)
PHRASE = st.lists(WORD, min_size=1, max_size=12).map(" ".join)


def named(*pairs: tuple[str, str]) -> dict[tuple[str, str], str]:
    return unique({pair: function_name(*pair) for pair in pairs}, {pair: pair for pair in pairs})


def test_name_is_api_for_tool_in_words() -> None:
    assert function_name("Get User's Orders", "Shop API (v2)") == "get_user_s_orders_for_shop_api_v2"


def test_long_name_loses_the_tools_last_words_first() -> None:
    api = "product search for cheap items"
    pair = (api, "a shop with a very long name that nobody would ever read to its end")
    [name] = named(pair).values()
    assert name.startswith("product_search_for_cheap_items_for_a_shop_with_")
    assert len(name) <= 64
    kept, _, digest = name.rpartition("_")
    assert len(digest) == 6
    assert all(word in slug(" ".join(pair)).split("_") or word == "for" for word in kept.split("_"))


def test_very_long_api_keeps_its_front() -> None:
    [name] = named(("one two three four five six seven eight nine ten eleven twelve thirteen", "shop")).values()
    assert name.startswith("one_two_three_four_five_six_seven_eight_")
    assert LEGAL.fullmatch(name)


def test_same_plain_name_gets_digests_on_all_who_share_it_only() -> None:
    names = named(("Get item", "shop"), ("get-item", "shop"), ("other", "shop"))
    assert names["other", "shop"] == "other_for_shop"
    assert len(set(names.values())) == 3
    assert all(name.startswith("get_item_for_shop_") for pair, name in names.items() if pair[0] != "other")


def test_names_stay_when_others_come() -> None:
    long = ("a name of many words that are all needed to say what it does", "tool of tools")
    few = named(long, ("b", "c"))
    many = named(("x", "y"), long, ("b", "c"), ("another name of many words that are all needed to say it", "tool"))
    assert {pair: many[pair] for pair in few} == few


@pytest.mark.parametrize(("text", "expected"), [("math.factorial", "math_factorial"), ("a-b_C", "a-b_C"), ("数", "")])
def test_legal_changes_only_what_must_be(text: str, expected: str) -> None:
    assert legal(text) == expected


@given(st.lists(st.tuples(PHRASE, PHRASE), min_size=1, max_size=12, unique=True))
def test_names_are_always_legal_unique_and_independent_of_order(pairs: list[tuple[str, str]]) -> None:
    names = named(*pairs)
    assert len(set(names.values())) == len(pairs)
    assert all(LEGAL.fullmatch(name) for name in names.values())
    assert named(*reversed(pairs)) == names
    for (api, _), name in names.items():
        front = slug(api).split("_")[0]
        assert not front or name.startswith(front[:40])
