"""What looks personal is masked; what does not is left alone."""

from __future__ import annotations

import pytest

from docrev.facts import mask
from docrev.records import Json


@pytest.mark.parametrize(
    ("value", "field", "parents", "masked"),
    [
        ("ann@example.org", "contact", "", "user@example.com"),
        ("write to ann@corp.dk, please", "note", "", "write to user@example.com, please"),
        ("+45 12 34 56 78", "x", "", "+1-555-0100"),
        ("(555) 123-4567", "x", "", "+1-555-0100"),
        ("Ann Lee", "name", "users", "[name]"),
        ("Ann Lee", "200:/users/0/name", "", "[name]"),
        ("Ann Lee", "name", "/users/{id}", "[name]"),
        ("Ann", "firstName", "", "[first_name]"),
        ("ann_1990", "user-name", "", "[user_name]"),
        ("Main Street 1", "address", "blog_authors", "[address]"),
        (5551234, "phone", "", 0),
        ("10.1.2.3", "remote", "", "192.0.2.1"),
        ("sk9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c", "x", "", "[token]"),
        ({"user": {"name": "Ann", "role": "admin"}}, "", "", {"user": {"name": "[name]", "role": "admin"}}),
        ([{"email": "a@b.co"}], "members", "", [{"email": "user@example.com"}]),
    ],
)
def test_personal_values_are_masked(value: Json, field: str, parents: str, masked: Json) -> None:
    assert mask(value, field, parents=parents) == masked
    assert mask(masked, field, parents=parents) == masked, "masking twice changes nothing more"


@pytest.mark.parametrize(
    ("value", "field", "parents"),
    [
        ("Casablanca", "name", "movies"),
        ("Copenhagen", "city", "airports"),
        ("CPH", "iata", "airports"),
        ("2020-01-31", "created", ""),
        ("2020-01-31T10:00:00Z", "updated_at", "users"),
        ("123e4567-e89b-12d3-a456-426614174000", "id", "users"),
        ("1.2.3", "version", ""),
        ("the-long-and-winding-slug-of-an-article-of-1970", "slug", ""),
        ("https://example.com/films/some-very-long-path-without-any-secret/12", "url", ""),
        ("", "email", ""),
        (None, "email", ""),
        (True, "phone", ""),
        (1990, "year", "users"),
        (55.618, "latitude", ""),
    ],
)
def test_everything_else_stays(value: Json, field: str, parents: str) -> None:
    assert mask(value, field, parents=parents) == value


@pytest.mark.parametrize("text", ["x" * 1_000_000, "a1" * 500_000 + "!", "a@" * 500_000, "a1/" * 300_000 + " "])
def test_long_texts_are_read_in_one_pass(text: str) -> None:
    assert mask(text, "note") == text
