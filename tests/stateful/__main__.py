"""By hand: `PYTHONPATH=tests python -m stateful 0-20` explores services and prints harm by operation."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from pathlib import Path

from docrev.errors import UnreachableError
from stateful.app import App
from stateful.documents import document, write_document
from stateful.drawing import draw
from stateful.exploring import ALLOW, CALLS, Outcome, explored
from stateful.network import serving
from stateful.rpc_drawing import FIRST


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m stateful", description=__doc__)
    parser.add_argument("seeds", nargs="*", default=["0-20"], help="seeds and ranges, as 3 17 20-40 (default: 0-20)")
    parser.add_argument("--calls", type=int, default=CALLS, help=f"budget of each service (default: {CALLS})")
    parser.add_argument("--allow", default=ALLOW, help=f"as for docrev explore (default: {ALLOW})")
    parser.add_argument("--keep", type=Path, help="folder for the spec and the evidence of each service")
    parser.add_argument("--spec", action="store_true", help="print the specs, and explore nothing")
    parser.add_argument("--serve", action="store_true", help="write the spec of the one service, and serve it")
    parser.add_argument("--rpc", action="store_true", help="services of RPC style")
    options = parser.parse_args()
    seeds = [seed + FIRST * options.rpc for text in options.seeds for seed in _range(text)]
    if options.spec:
        for seed in seeds:
            print(json.dumps(document(draw(seed)), indent=1))
        return 0
    if options.serve:
        asyncio.run(_serve(seeds[0]))
    outcomes = [outcome for seed in seeds if (outcome := _explore(seed, options)) is not None]
    return _report(outcomes)


def _range(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _explore(seed: int, options: argparse.Namespace) -> Outcome | None:
    folder = options.keep / str(seed) if options.keep else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    try:
        outcome = asyncio.run(explored(seed, calls=options.calls, allow=options.allow, folder=folder))
    except UnreachableError:
        print(f"service {seed}: none of its operations could be called with what its spec says")
        return None
    print("\n".join(outcome.lines()) or f"service {seed}: no harm", flush=True)
    return outcome


def _report(outcomes: list[Outcome]) -> int:
    harm: Counter[str] = sum((outcome.verdict.by_trap for outcome in outcomes), Counter())
    harmed = [outcome.seed for outcome in outcomes if outcome.verdict.harmed]
    unaccounted = [outcome.seed for outcome in outcomes if outcome.verdict.unaccounted]
    operations, reached = sum(o.operations for o in outcomes), sum(o.reached for o in outcomes)
    print(f"\n{len(outcomes)} services, {operations} operations, {reached} reached")
    print(f"changes to what was not the run's: {harm.total()} ({dict(harm.most_common())}) in {harmed}")
    print(f"left without a word: {sum(len(o.verdict.unaccounted) for o in outcomes)} in {unaccounted}")
    print(f"unforeseeable changes: {sum(len(o.verdict.unforeseeable) for o in outcomes)}")
    return int(bool(harmed or unaccounted))


async def _serve(seed: int) -> None:
    service = draw(seed)
    async with serving(App(service)) as url:
        print(url, write_document(service, Path.cwd()), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    sys.exit(main())
