"""What paths are about, as nouns."""

from __future__ import annotations

import pytest

from docrev.language.path_subjects import subject


@pytest.mark.parametrize(
    ("path", "noun"),
    [
        ("/storages/export/s3/{id}", "s3"),
        ("/countries/{code}/ipv4", "ipv4"),
        ("/api/storages/s3/", "s3 of storages"),
        ("/rooms/hall-2", "hall 2 of rooms"),
    ],
)
def test_a_number_belongs_to_the_letters_that_it_follows_at_once(path: str, noun: str) -> None:
    assert subject(path).noun == noun
