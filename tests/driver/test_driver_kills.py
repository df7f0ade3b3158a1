"""`kill -9` in the middle of an exploration that writes, and the same command again: as if it had not been."""

from __future__ import annotations

from pathlib import Path

from kills import Kill, bundled, differences, explore

SIDE_BY_SIDE = 8
BESIDE = SIDE_BY_SIDE + 4
"""Requests that may come more: what was on the wire, and the looks when the run goes on."""
OPTIONS = ("--concurrency", str(SIDE_BY_SIDE), "--max-calls")


def test_killed_between_two_changes_it_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    with bundled("airfield") as service:
        whole = explore(service, tmp_path / "whole", *OPTIONS, "150")
    kill = Kill(request=whole.unsafe // 2, moment="arrived", unsafe=True)
    with bundled("airfield") as service:
        resumed = explore(service, tmp_path / "resumed", *OPTIONS, "150", kills=[kill])
    assert (whole.killed, resumed.killed) == (0, 1)
    assert whole.unsafe > 10
    assert differences(whole, resumed, more=BESIDE) == []
