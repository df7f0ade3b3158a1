"""Stems: the forms of a word share one, and different words do not."""

from __future__ import annotations

import pytest

from docrev.language.characters import fold, visible
from docrev.language.stems import content_stems, stem, stems


@pytest.mark.parametrize("forms", ["tracks tracked tracking", "cities city", "people person", "ids id", "Movies movie"])
def test_the_forms_of_a_word_share_a_stem(forms: str) -> None:
    assert len({stem(word) for word in forms.split()}) == 1


def test_different_words_have_different_stems() -> None:
    assert len({stem(word) for word in ["city", "country", "state", "status", "station"]}) == 5


def test_stems_are_those_of_a_text_or_an_identifier() -> None:
    assert stems("cityNames") == stems("the-cities named"[4:]) == ("citi", "name")
    assert content_stems("the names of cities", {"the", "of"}) == ["name", "citi"]


def test_characters_are_folded_or_left_out() -> None:
    assert fold("São ÅNGSTRÖM") == "sao angstrom"
    assert visible("a\u200bb\n c\u202e") == "ab c"
