"""How long a training still takes, in words."""

from __future__ import annotations

import pytest

from docrev.train.pace import time_left


@pytest.mark.parametrize(
    ("share", "seconds", "text"),
    [
        (0.0, 5, ""),
        (1.0, 500, ""),
        (0.5, 40, ", about 40 s left"),
        (0.99, 10, ", about 1 s left"),
        (0.25, 100, ", about 5 min left"),
        (0.1, 1200, ", about 3.0 h left"),
    ],
)
def test_what_is_left_is_in_proportion_to_what_was_done(share: float, seconds: float, text: str) -> None:
    assert time_left(share, seconds) == text
