"""The singular and the plural of nouns that name things in paths."""

from __future__ import annotations

import pytest

from docrev.language.words import plural, singular

PAIRS = """
house houses, warehouse warehouses, clause clauses, use uses, bus buses, status statuses, response responses,
database databases, size sizes, prize prizes, quiz quizzes, axis axes, box boxes, alias aliases, address addresses,
class classes, menu menus, api apis, wiki wikis, sku skus, canvas canvases, lens lenses, country countries,
batch batches, person people, user users
"""


@pytest.mark.parametrize("pair", [pair.split() for pair in PAIRS.split(",")], ids=" ".join)
def test_a_noun_is_known_in_both_numbers(pair: list[str]) -> None:
    one, many = pair
    assert (singular(many), singular(one), plural(one), plural(many)) == (one, one, many, many)
