"""Lets docrev explore generated services, and has the referee judge it."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import docrev
from stateful.app import App
from stateful.documents import write_document
from stateful.drawing import draw, traps_of
from stateful.network import serving
from stateful.referee import Verdict, judge

ALLOW = "POST,PUT,PATCH,DELETE"
CALLS = 200


@dataclass(frozen=True)
class Outcome:
    """What an exploration of one service came to.

    `calls` are requests by the trap of their operation; `parents` is how many things that can hold others, and cannot
    be removed, are left of one kind: a run needs one at most.
    """

    seed: int
    operations: int
    reached: int
    requests: int
    created: int
    parents: int
    verdict: Verdict
    traps: frozenset[str] = frozenset()
    calls: Counter[str] = field(default_factory=Counter)

    def lines(self) -> list[str]:
        return [f"service {self.seed}: {line}" for line in self.verdict.lines()]


async def explored(
    seed: int, *, calls: int = CALLS, allow: str | Sequence[str] = ALLOW, folder: Path | None = None
) -> Outcome:
    """Explore the service of a seed, with a clean-up at the end, and judge it. `folder` keeps the evidence."""
    if folder is None:
        with tempfile.TemporaryDirectory() as name:
            return await explored(seed, calls=calls, allow=allow, folder=Path(name))
    service = draw(seed)
    app = App(service)
    async with serving(app) as url:
        exploration = await docrev.aexplore(
            write_document(service, folder), base_urls=url, allow=allow, out=folder / "evidence", max_calls=calls
        )
    verdict = judge(app.world, exploration.summary["left"])
    return Outcome(
        seed=seed,
        operations=len(service.operations),
        reached=len(app.reached),
        requests=app.requests,
        created=app.world.created,
        parents=_parents_left(app),
        verdict=verdict,
        traps=traps_of(service),
        calls=app.calls,
    )


def _parents_left(app: App) -> int:
    """The most things of one kind of parents that the client created, cannot remove, and left in the same place."""
    service = app.service
    holding = {kind.parent for kind in service.kinds if kind.creation}
    stuck = {kind.plural for kind in service.kinds if kind.plural in holding and not service.removable(kind)}
    left = Counter(t.path.rpartition("/")[0] for t in app.world.things.values() if not t.others and t.kind in stuck)
    return max(left.values(), default=0)
