"""`kill -9` in the middle of an exploration that writes, and the same command again: as if it had not been."""

from __future__ import annotations

from pathlib import Path

import pytest
from kills import MOMENTS, Kill, Moment, bundled, clean_after, differences, drawn_kills, explore

SIDE_BY_SIDE = 8
BESIDE = SIDE_BY_SIDE + 4
"""Requests that may come more: what was on the wire, and the looks when the run goes on."""
OPTIONS = ("--concurrency", str(SIDE_BY_SIDE), "--max-calls")


@pytest.mark.long
def test_killed_between_two_changes_it_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    with bundled("airfield") as service:
        whole = explore(service, tmp_path / "whole", *OPTIONS, "150")
    kill = Kill(request=whole.unsafe // 2, moment="arrived", unsafe=True)
    with bundled("airfield") as service:
        resumed = explore(service, tmp_path / "resumed", *OPTIONS, "150", kills=[kill])
    assert (whole.killed, resumed.killed) == (0, 1)
    assert whole.unsafe > 10
    assert differences(whole, resumed, more=BESIDE) == []


@pytest.mark.parametrize("moment", MOMENTS)
def test_cleaned_up_straight_after_a_kill_it_leaves_nothing_without_a_word(tmp_path: Path, moment: Moment) -> None:
    kill = Kill(request=12, moment=moment, delay=0.0, unsafe=True)
    with bundled("airfield") as service:
        between, wrong = clean_after(service, tmp_path, *OPTIONS, "150", kill=kill)
    assert between > 0
    assert wrong == []


@pytest.mark.long
def test_ten_kills_at_random_moments_change_nothing(tmp_path: Path) -> None:
    options = (*OPTIONS, "700")
    with bundled() as services:
        whole = explore(services, tmp_path / "whole", *options)
    found = {}
    for number, kill in enumerate(drawn_kills(whole, 10, seed=13)):
        with bundled() as services:
            resumed = explore(services, tmp_path / str(number), *options, kills=[kill])
        assert resumed.killed == 1
        found[kill] = differences(whole, resumed, more=BESIDE)
    assert len(found) == 10
    assert {kill: told for kill, told in found.items() if told} == {}


@pytest.mark.long
def test_killed_three_times_it_still_ends_the_same(tmp_path: Path) -> None:
    options = (*OPTIONS, "400")
    with bundled() as services:
        whole = explore(services, tmp_path / "whole", *options)
    kills = [Kill(100, "performed"), Kill(60, "arrived"), Kill(30, "answered", 0.005)]
    with bundled() as services:
        resumed = explore(services, tmp_path / "resumed", *options, kills=kills)
    assert resumed.killed == 3
    assert differences(whole, resumed, more=3 * BESIDE) == []
