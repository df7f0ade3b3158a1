"""Intervals: known values, their ends, and that they cover what they should."""

from __future__ import annotations

from random import Random

import pytest

from docrev.eval.intervals import Interval, bootstrap, mean, paired_bootstrap, wilson


def test_wilson_has_the_known_values() -> None:
    # Newcombe 1998, table I: 81 of 263 and 15 of 148.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=1e-4)


def test_wilson_at_its_ends() -> None:
    assert wilson(0, 20).low == 0.0
    assert wilson(0, 20).high == pytest.approx(0.1611, abs=1e-4)
    assert wilson(29, 29).high == 1.0
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(2.5, 5) == wilson(2.5, 5)
    with pytest.raises(ValueError, match="6 hits of 5"):
        wilson(6, 5)


def test_the_bootstrap_is_seeded_and_holds_the_mean() -> None:
    values = [float(one % 7) for one in range(60)]
    found = bootstrap(values, seed=3)
    assert found == bootstrap(values, seed=3)
    assert found != bootstrap(values, seed=4)
    assert mean(values) in found
    assert bootstrap([1.0] * 9) == (1.0, 1.0)


def test_pairs_are_kept_together() -> None:
    before = [0.0, 1.0] * 40
    after = [one + 0.25 for one in before]
    assert paired_bootstrap(before, after) == (0.25, 0.25)
    with pytest.raises(ValueError, match="zip"):
        paired_bootstrap([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="nothing"):
        paired_bootstrap([], [])


def test_intervals_cover_about_as_often_as_they_say() -> None:
    random, rate, covered = Random(1), 0.3, 0
    for _ in range(400):
        hits = sum(random.random() < rate for _ in range(40))
        covered += rate in wilson(hits, 40)
    assert 0.91 <= covered / 400 <= 0.985


def test_membership() -> None:
    assert 0.5 in Interval(0.5, 1.0)
    assert 0.49 not in Interval(0.5, 1.0)
    assert "x" not in Interval(0.5, 1.0)
