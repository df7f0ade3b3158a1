"""Answers of a reader who had not seen Atlas before, replayed: docrev's own way with a model, within its questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from reader_answers import ANSWERS, answer
from services import running

from docrev import api
from docrev.eval.scores import score
from docrev.eval.statements import statements_of
from docrev.eval.truth import truth_of
from docrev.evidence import Evidence
from docrev.sandbox import tables
from docrev.sandbox.atlas import KEY
from docrev.spec import load

pytestmark = pytest.mark.long
ATLAS = Path(__file__).resolve().parents[2] / "specs" / "atlas.yaml"
TRUTH = Path(str(files("docrev.sandbox") / "atlas" / "truth.yaml"))


@dataclass
class Run:
    """One exploration and revision."""

    explored: dict[str, Any]
    model: dict[str, Any]
    trust: dict[str, int]
    text: str
    evidence: Path


def run(folder: Path, **models: Any) -> Run:
    with running("atlas") as urls, pytest.MonkeyPatch.context() as environment:
        environment.setenv("READER_ATLAS_KEY", KEY)
        explored = api.explore(
            ATLAS,
            base_urls=[f"atlas={urls['atlas']}"],
            headers=["X-Api-Key: env:READER_ATLAS_KEY"],
            allow=["POST,PUT,PATCH,DELETE"],
            out=str(folder),
            max_model_calls=90,
            **models,
        )
    revision = api.revise(ATLAS, evidence=folder, **{**models, "max_model_calls": 30})
    [document] = revision.documents.values()
    summary = {**explored.summary, "seconds": 0}
    return Run(summary, revision.model or {}, dict(revision.trust), document.text, folder)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path]:
    folder = tmp_path_factory.mktemp("reader")
    with ChatServer(answer) as server:
        live = run(folder / "live", model="openai:reader", model_url=server.url, record=str(folder / "answers.db"))
    return live, folder / "answers.db"


def test_the_reader_needs_few_questions_and_few_tokens(recorded: tuple[Run, Path]) -> None:
    live, _ = recorded
    exploring, revising = live.explored["model"], live.model
    assert exploring["asks"] <= 90
    assert revising["asks"] <= 30
    assert exploring["tokens_in"] + revising["tokens_in"] <= 94_000
    prompts = {"FindDoubts", "DesignTasks", "NextTurn", "JudgeTraces", "SummariseExperience"}
    assert set(exploring["by_prompt"]) == prompts
    assert set(revising["by_prompt"]) == {"DocumentOperation", "ReviewDocuments"}


def test_its_tasks_are_solved_and_the_answers_are_those_of_the_records(recorded: tuple[Run, Path]) -> None:
    live, _ = recorded
    assert live.explored["scenarios"] == 16
    assert live.explored["solved"] >= 12
    with Evidence.open(live.evidence, write=False) as evidence:
        texts = {scenario.id: scenario.text for scenario in evidence.scenarios()}
        answers = {texts[found.scenario]: found.answer for found in evidence.solutions()}
    countries, cities = tables.load("atlas", "countries"), tables.load("atlas", "cities")
    northern = [row["name"] for row in tables.ordered(countries, "name") if row["region"] == "North America"]
    by_code = {row["code"]: row for row in countries}
    dollars = [row for row in countries if row["currency_code"] == by_code["AS"]["currency_code"]]
    russia = max((row for row in countries if row["region"] == "Europe"), key=_population)
    chinese = [city for city in _cities_of(cities, "CN") if city["population"] >= 5_000_000]
    brazilian = _cities_of(cities, "BR")
    expected = [
        ("How many cities of China have at least 5,000,000", [len(chinese), *[city["name"] for city in chinese[:2]]]),
        ("How many cities of Brazil does the service list", [len(brazilian), brazilian[0]["latitude"]]),
        ("Among the countries that use the currency of American", max(dollars, key=_population)["name"]),
        ("How many countries does the service say North America", [len(northern), northern[0]]),
        ("Which country of Europe has the largest", [russia["name"], russia["capital"]]),
    ]
    for beginning, value in expected:
        assert next(got for text, got in answers.items() if text.startswith(beginning)) == value


def _cities_of(cities: Iterable[dict[str, Any]], code: str) -> list[dict[str, Any]]:
    """The cities of a country, the largest first."""
    return sorted((city for city in cities if city["country_code"] == code), key=_population, reverse=True)


def _population(row: dict[str, Any]) -> int:
    return int(row["population"])


def test_what_misleads_is_found_and_written(recorded: tuple[Run, Path]) -> None:
    text = " ".join(recorded[0].text.split())
    for sentence in (
        "The region's name, such as `South America`, not a code.",
        "Not the region's name: `Europe` and `North America` give 404.",
        "Population, as in `population`, not in thousands.",
        "Dates are written as `YYYY-MM-DD`",
        "Has no effect.",
        "Page size, up to 100, not 500.",
    ):
        assert sentence in text


def test_nothing_is_false_by_the_records_of_the_service(recorded: tuple[Run, Path], tmp_path: Path) -> None:
    (tmp_path / "atlas.yaml").write_bytes(TRUTH.read_bytes())
    with Evidence.open(recorded[0].evidence, write=False) as evidence:
        judged = score(statements_of(evidence.facts()), truth_of(load([tmp_path / "atlas.yaml"])))
    assert judged.total.right > 400
    assert judged.wrong == []


def test_what_the_reader_wrote_was_kept(recorded: tuple[Run, Path]) -> None:
    trust = recorded[0].trust
    written = sum(len(given[0]["texts"]) for given in ANSWERS["DocumentOperation"].values())
    assert written > 20
    assert trust.get("kept", 0) >= 0.9 * written


def test_the_record_replays_without_a_server(recorded: tuple[Run, Path], tmp_path: Path) -> None:
    live, record = recorded
    again = run(tmp_path / "again", model=f"recorded:{record}")
    assert again.explored == live.explored
    assert (again.model, again.trust) == (live.model, live.trust)
    assert again.text == live.text
