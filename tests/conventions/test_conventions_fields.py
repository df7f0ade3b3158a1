"""Which fields change by themselves."""

from __future__ import annotations

import pytest

from docrev.conventions.fields import is_volatile_field


@pytest.mark.parametrize(
    ("name", "value", "changes"),
    [
        ("last_seen", 3, True),
        ("seen", "2026-01-01T00:00:00Z", True),
        ("seen", 1_700_000_000, True),
        ("views", 3, True),
        ("seen", True, False),
        ("seen", 1, False),
        ("title", "a", False),
    ],
)
def test_a_mark_of_what_was_read_does_not_change_by_itself(name: str, value: object, changes: bool) -> None:
    assert is_volatile_field(name, value) == changes
