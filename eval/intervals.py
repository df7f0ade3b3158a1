"""Confidence intervals: Wilson's for rates, the bootstrap for means and for paired differences. Seeded, no numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from statistics import NormalDist
from typing import NamedTuple

SAMPLES = 2000
CONFIDENCE = 0.95


class Interval(NamedTuple):
    """From `low` to `high`, both ends included."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high


def wilson(hits: float, total: int) -> Interval:
    """The score interval of a rate (Wilson 1927); all of [0, 1] of nothing. Hits may be fractions: unsure is a half."""
    if not 0 <= hits <= total:
        raise ValueError(f"{hits} hits of {total}")
    if total == 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    rate, scale = hits / total, 1 + z * z / total
    middle = (rate + z * z / (2 * total)) / scale
    half = z * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total)) / scale
    # The ends are exact at 0 and 1, as rounding would leave 1e-17 or pass 1.
    return Interval(0.0 if hits == 0 else max(0.0, middle - half), 1.0 if hits == total else min(1.0, middle + half))


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; ValueError of nothing."""
    if not values:
        raise ValueError("the mean of nothing")
    return math.fsum(values) / len(values)


def bootstrap(values: Sequence[float], *, seed: int = 0, samples: int = SAMPLES) -> Interval:
    """The percentile interval of the mean (Efron 1979) over `samples` resamples of `values`."""
    if not values:
        raise ValueError("an interval of nothing")
    random, count = Random(seed), len(values)
    means = sorted(math.fsum(random.choices(values, k=count)) / count for _ in range(samples))
    tail = (1 - CONFIDENCE) / 2
    return Interval(_quantile(means, tail), _quantile(means, 1 - tail))


def paired_bootstrap(before: Sequence[float], after: Sequence[float], *, seed: int = 0) -> Interval:
    """The interval of the mean difference `after` − `before`, if both are of the same tasks in the same order.

    ValueError if they are not of the same length, or empty.
    """
    differences = [new - old for old, new in zip(before, after, strict=True)]
    return bootstrap(differences, seed=seed)


def _quantile(ordered: Sequence[float], at: float) -> float:
    """Between the two nearest values, as most programs have it (type 7 of Hyndman and Fan 1996)."""
    place = at * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
