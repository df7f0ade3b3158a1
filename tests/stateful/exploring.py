"""Lets docrev explore generated services, and has the referee judge it."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import docrev
from stateful.app import App
from stateful.documents import write_document
from stateful.drawing import draw, traps_of
from stateful.network import serving
from stateful.referee import Verdict, judge
from stateful.rpc_drawing import is_rpc
from stateful.state import World

ALLOW = "POST,PUT,PATCH,DELETE"
CALLS = 200


Adviser = Callable[[World], AbstractContextManager[dict[str, Any]]]
"""Starts a model that may know the world; in the block it has the settings by which it is asked."""


def nobody(world: World) -> AbstractContextManager[dict[str, Any]]:
    return nullcontext({})


@dataclass(frozen=True)
class Outcome:
    """What an exploration of one service came to.

    `calls` are requests by the trap of their operation; `parents` is how many things that can hold others, and cannot
    be removed, are left of one kind: a run needs one at most. `suggestions` are those that a model was asked for.
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
    suggestions: int = 0

    def lines(self) -> list[str]:
        return [f"service {self.seed}: {line}" for line in self.verdict.lines()]


async def explored(
    seed: int,
    *,
    calls: int = CALLS,
    allow: str | Sequence[str] = ALLOW,
    folder: Path | None = None,
    adviser: Adviser = nobody,
) -> Outcome:
    """Explore the service of a seed, with a clean-up at the end, and judge it.

    `folder` keeps the evidence; `adviser` starts a model that says what to send where docrev has no idea left.
    """
    if folder is None:
        with tempfile.TemporaryDirectory() as name:
            return await explored(seed, calls=calls, allow=allow, folder=Path(name), adviser=adviser)
    service = draw(seed)
    app = App(service)
    async with serving(app) as url:
        with adviser(app.world) as models:
            exploration = await docrev.aexplore(
                write_document(service, folder),
                base_urls=url,
                allow=allow,
                out=folder / "evidence",
                max_calls=calls,
                **models,
            )
    names = {kind.singular: kind.plural for kind in service.kinds} if is_rpc(service) else None
    verdict = judge(app.world, exploration.summary["left"], names, unlisted=service.unlisted)
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
        suggestions=_suggestions(exploration.summary["model"]),
    )


def _suggestions(model: dict[str, Any] | None) -> int:
    return int(model["by_prompt"].get("SuggestCall", {}).get("calls", 0)) if model else 0


def _parents_left(app: App) -> int:
    """The most things of one kind of parents that the client created, cannot remove, and left in the same place."""
    service = app.service
    holding = {kind.parent for kind in service.kinds if kind.creation}
    stuck = {kind.plural for kind in service.kinds if kind.plural in holding and not service.removable(kind)}
    left = Counter(t.path.rpartition("/")[0] for t in app.world.things.values() if not t.others and t.kind in stuck)
    return max(left.values(), default=0)
