"""Runs that were explored apart, merged into one."""

from __future__ import annotations

from pathlib import Path

from services import bundled_services

import docrev
from docrev.evidence import Evidence
from docrev.evidence.merging import merge
from docrev.evidence.queries import left_items, statuses

__all__ = ["bundled_services"]
SPEC = Path(__file__).resolve().parents[2] / "specs" / "atlas.yaml"


def test_all_of_a_run_is_in_the_merged_one(bundled_services: dict[str, str], tmp_path: Path) -> None:
    urls = [f"atlas={bundled_services['atlas']}"]
    docrev.explore(SPEC, base_urls=urls, out=tmp_path / "part", max_calls=400, allow="POST,DELETE")
    with Evidence.open(tmp_path / "whole", write=True) as whole, Evidence.open(tmp_path / "part", write=False) as part:
        whole.begin({})
        for _ in range(2):
            # The second time nothing changes.
            merge(whole, part, "3.")
            assert [one.id for one in whole.scenarios()] == [f"3.{one.id}" for one in part.scenarios()]
            assert [one.id for one in whole.nodes()] == [f"3.{one.id}" for one in part.nodes()]
            solutions = [[node.id for node in one.nodes] for one in part.solutions()]
            assert [[node.id for node in one.nodes] for one in whole.solutions()] == [
                [f"3.{id}" for id in ids] for ids in solutions
            ]
            assert len(solutions) > 3
            assert [one.id for one in whole.calls.select()] == [one.id for one in part.calls.select()]
            scenarios = {one.id: one.scenario for one in part.calls.select()}
            moved = {f"3.{one.id}" for one in part.scenarios()}
            assert {one.scenario for one in whole.calls.select() if one.scenario in moved}
            assert all(
                one.scenario in (scenarios[one.id], f"3.{scenarios[one.id]}") for one in list(whole.calls.select())
            )
            for told in (Evidence.facts, Evidence.dropped, Evidence.experiences, Evidence.missed, Evidence.counters):
                assert told(whole) == told(part)
            assert part.facts()
            assert (statuses(whole), left_items(whole)) == (statuses(part), left_items(part))
            assert [*whole.intents.unanswered(), *whole.journal.kept_items()] == [
                *part.intents.unanswered(),
                *part.journal.kept_items(),
            ]
