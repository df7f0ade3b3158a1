"""`docrev bench tooleval`: ToolEval's pass rate and win rate of predictions that are stored."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import click

from docrev.cli.options import PathName, as_json, settings_options
from docrev.cli.printing import echo
from docrev.cli.progress import Progress
from docrev.eval.settings import ToolEvalSettings


@click.command("tooleval")
@click.argument("predictions", type=PathName(path_type=Path), metavar="PREDICTIONS")
@settings_options(ToolEvalSettings)
@as_json
def command(predictions: Path, settings: ToolEvalSettings, *, as_json: bool) -> None:
    """Score PREDICTIONS of a model in ToolEval's form: the pass rate, and with --reference the win rate.

    PREDICTIONS is a folder model_predictions_converted/MODEL, or one SET.json in it. Votes that lie beside it, in
    pass_rate_results and preference_results, are counted as they are; what has none is judged by --judge. With --json
    one object: model, judge, reference, sets (requests, judged_before, pass, spread, wins, votes).
    """
    from docrev.eval.agents.models import judging
    from docrev.eval.tooleval import scoring
    from docrev.eval.tooleval.predictions import read_predictions

    mine = read_predictions(predictions)
    others = read_predictions(settings.reference) if settings.reference is not None else []

    async def scored() -> list[scoring.SetScore]:
        with Progress() as progress:
            async with judging(settings.judge, settings, settings.out, settings.seed, progress) as judge:
                return await scoring.score(mine, judge, others, settings.votes)

    scores, reference = asyncio.run(scored()), others[0].model if others else ""
    data = {
        "model": mine[0].model,
        "judge": settings.judge,
        "reference": reference or None,
        "sets": [one.to_json() for one in scores],
    }
    echo(json.dumps(data) if as_json else scoring.to_text(mine[0].model, settings.judge, scores, reference))
