"""Questions of each kind and what they cost: docrev's own way with a model, and ToolBFS+ as published, on Atlas.

The server is a script on loopback, so the numbers are of docrev and not of a model. For docrev's own way it gives a
reader's answers of `tests/recorded_answers`; for ToolBFS+ it gives the answers of `tests/chat_answers.py`, which solve
each scenario in one call. Tokens are characters divided by four, without tool definitions.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chat_answers
import reader_answers
from chat_server import ChatServer
from table import Row, render
from vote_requests import vote_rows

from docrev import api
from docrev.records import Json
from docrev.sandbox import serve

KEY = "X-Api-Key: env:DOCREV_DEMO_KEY"
SPEC = "specs/atlas.yaml"
MOST_EXPLORING, MOST_REVISING, MOST_TOKENS = 90, 30, 94_000
"""Questions, and tokens in: half of what a reader was sent before there was this way (188,000)."""
SOLVED = 12


def main() -> str:
    from docrev.sandbox.atlas import KEY as key

    os.environ["DOCREV_DEMO_KEY"] = key
    return "\n".join(
        [
            render("With a model, docrev's own way (Atlas, a reader's answers)", _docrev()),
            _toolbfs(),
            render("Votes of a judge", vote_rows()),
        ]
    )


def _docrev() -> list[Row]:
    explored, exploring, revising = _run("docrev", reader_answers.answer)
    tokens = exploring["tokens_in"] + revising["tokens_in"]
    solved, tasks = explored["solved"], explored["scenarios"]
    return [
        *_kinds(exploring),
        *_kinds(revising),
        _most("questions to explore", exploring["asks"], MOST_EXPLORING),
        _most("questions to revise", revising["asks"], MOST_REVISING),
        _most("tokens in", tokens, MOST_TOKENS),
        Row("tasks solved", f"{solved} of {tasks}", f">= {SOLVED}", solved >= SOLVED),
    ]


def _toolbfs() -> str:
    explored, exploring, revising = _run("toolbfs", chat_answers.answer)
    solved = Row("scenarios solved", f"{explored['solved']} of {explored['scenarios']}")
    rows = [*_kinds(exploring), *_kinds(revising), solved]
    return render("With a model, ToolBFS+ as published (Atlas, scripted answers)", rows)


def _run(method: Any, script: Any) -> tuple[Mapping[str, Json], dict[str, Any], dict[str, Any]]:
    """The summary of an exploration, and what its models and those of the revision were asked."""
    with serve(["atlas"]) as urls, ChatServer(script) as server, tempfile.TemporaryDirectory() as out:
        models: dict[str, Any] = {"model": "openai:scripted", "model_url": server.url, "method": method}
        explored = api.explore(
            SPEC,
            base_urls=[f"atlas={urls['atlas']}"],
            headers=[KEY],
            allow=["POST,PUT,PATCH,DELETE"],
            out=out,
            **models,
        )
        revision = api.revise(SPEC, evidence=Path(out), **models)
    return explored.summary, explored.summary["model"], revision.model or {}


def _kinds(model: Mapping[str, Any]) -> list[Row]:
    """One row for each kind of question."""
    return [
        Row(name, f"{row['asks']} questions, {row['tokens_in']:,} tokens in, {row['tokens_out']:,} out")
        for name, row in model["by_prompt"].items()
    ]


def _most(what: str, count: int, most: int) -> Row:
    return Row(what, f"{count:,}", f"<= {most:,}", count <= most)


if __name__ == "__main__":
    print(main())
