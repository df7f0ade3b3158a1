"""APIBench asked: a model selects an API among those that it is given, and writes the code that calls it.

As ToolLLM did it (details for experiments on APIBench): the APIs stand in the prompt, and one function represents
selecting one of them, with the code and what it returns. There is no setting without APIs in the prompt: nobody knows
hubs that it has not seen.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path

from docrev.errors import ModelError
from docrev.events import Handler
from docrev.models import Model
from docrev.prompts.agents import Action, Argument, NextAction, Sheet
from docrev.records import Json, OperationKey
from docrev.storage.atomic import write_text

from ..agents.models import AGENT, acting
from ..settings import BenchSettings
from ..suites.apibench_files import PartFiles, instruction
from ..suites.reading import read_lines

SELECT = Sheet(
    name="select_api",
    key=OperationKey("apibench", "POST /select_api"),
    description="Selects the API that serves the task.",
    parameters=(
        Argument(
            name="api_call",
            location="body:/api_call",
            required=True,
            description="The code that calls it, as its documentation writes it.",
        ),
        Argument(
            name="explanation", location="body:/explanation", description="What the code returns, in plain words."
        ),
    ),
)
LONGEST = 2000
"""Characters of an API's documentation in a prompt."""


def is_asked(settings: BenchSettings) -> bool:
    """Whether the questions are to be asked: of a model, or of a retriever alone."""
    return settings.asks(AGENT) or settings.retrieve is not None


async def ask_parts(parts: Sequence[PartFiles], settings: BenchSettings, emit: Handler) -> list[Path]:
    """Ask the questions of each part; returns the files of answers, in the form of the published ones.

    The prompt has the right API (oracle) or, with --retrieve, those that BM25 finds; without a model the first of these
    is the answer. What was answered before is not asked again.
    """
    async with acting(settings, settings.out, settings.seed, emit) as model:
        return [await _ask_part(files, settings, model) for files in parts]


async def _ask_part(files: PartFiles, settings: BenchSettings, model: Model) -> Path:
    asked = settings.asks(AGENT)
    setting = f"bm25-{settings.retrieve}" if settings.retrieve is not None else "oracle"
    name = re.sub(r"[^\w.-]+", "-", model.name) if asked else "first"
    file = settings.out / f"response_{files.name}_{name}_{setting}.jsonl"
    rows = read_lines(files.evaluation)[: settings.limit]
    offered = offers(rows, read_lines(files.apis), settings.retrieve)
    kept = {} if settings.fresh or not file.is_file() else {row["question_id"]: row for row in read_lines(file)}
    slots = asyncio.Semaphore(settings.concurrency)

    async def answer(number: int) -> Json:
        if number in kept:
            return kept[number]
        apis = offered[number - 1]
        async with slots:
            code = await _selected(model, instruction(rows[number - 1]), apis) if asked else first_call(apis)
        return {"question_id": number, "text": f"'api_call': {code}, 'api_provider': ''" if code else ""}

    answers = await asyncio.gather(*(answer(number) for number in range(1, len(rows) + 1)))
    write_text(file, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in answers))
    return file


def offers(rows: Sequence[Json], apis: Sequence[Json], count: int | None) -> list[list[Json]]:
    """The APIs that each question is asked with: the right one, or `count` that BM25 finds, the best first."""
    if count is None:
        return [[row.get("api_data", {})] for row in rows]
    from docrev.retrieval.lexical import Bm25

    index = Bm25([json.dumps(api, ensure_ascii=False) for api in apis])
    offered = []
    for row in rows:
        scores = index.scores(instruction(row)).tolist()
        best = sorted(range(len(apis)), key=lambda at: (-scores[at], at))
        offered.append([apis[at] for at in best[:count]])
    return offered


def first_call(apis: Sequence[Json]) -> str:
    """What who knows only the retriever answers: the documented call of the first API."""
    return str(apis[0].get("api_call", "")) if apis else ""


async def _selected(model: Model, task: str, apis: Sequence[object]) -> str:
    """The code that a model selects an API with; "" if it selects none."""
    listed = "\n".join(json.dumps(api, ensure_ascii=False)[:LONGEST] for api in apis)
    prompt = NextAction(task=f"{task}\nThe APIs that may be selected:\n{listed}", operations=(SELECT,))
    try:
        action: Action = await model.ask(prompt)
    except ModelError:
        return ""
    return str(action.arguments.get("api_call") or "") if action.action == SELECT.name else ""
