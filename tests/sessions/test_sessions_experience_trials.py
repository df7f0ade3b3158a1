"""An experience is kept only if the built-in agent does a fresh task of the same kind better with it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from services import bundled_services

from docrev.calls.executor import Executor
from docrev.driver import Budget, Driver
from docrev.evidence import Evidence
from docrev.graph.tool_graph import ToolGraph
from docrev.offline import OfflineModel
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Experience, Given, Goal, OperationKey, Scenario
from docrev.sessions.experience_trials import ExperienceTrials
from docrev.spec import load

__all__ = ["bundled_services"]
SPECS = Path(__file__).resolve().parents[2] / "specs" / "atlas.yaml"


def key(operation: str) -> OperationKey:
    return OperationKey("atlas", operation)


COUNTRY, SEARCH = key("GET /countries/{code}"), key("GET /countries/search")
LISTED, REGIONS = key("GET /countries"), key("GET /regions/{region}/countries")
CITIES = key("GET /cities")
ISO = Scenario(
    "iso",
    'Tell me the ISO 3 code of the country "Algeria".',
    (SEARCH, COUNTRY),
    Goal((Given("name", "Algeria", "country"),), "iso3", "country"),
)
REGION = Scenario(
    "region",
    'Find out the region of the country with the code "MN".',
    (COUNTRY,),
    Goal((Given("code", "MN", "country"),), "region", "country"),
)
HELPS = Experience(SEARCH, ISO.text, "", COUNTRY, "", REGIONS, "", "GET /regions/{region}/countries returned 404")
HURTS = Experience(SEARCH, REGION.text, "", COUNTRY, "", SEARCH, "", "GET /countries/search returned no country")


PAID = Scenario(
    "currency",
    'What is the currency code of the country of the city "Kabul"?',
    (CITIES, COUNTRY),
    Goal((Given("name", "Kabul", "city"),), "currency_code", "country"),
)
SOURCE = Experience(CITIES, PAID.text, "", CITIES, "", COUNTRY, "", "", location="path:code", field="country_code")


def _seen() -> Steps[None]:
    yield Invoke(LISTED, {"query:per_page": 100}, "survey")
    yield Invoke(LISTED, {"query:per_page": 100, "query:page": 2}, "survey")
    yield Invoke(SEARCH, {"query:q": "Algeria"}, "survey")
    yield Invoke(COUNTRY, {"path:code": "DZ"}, "survey")
    yield Invoke(CITIES, {"query:country": "AF"}, "survey")
    yield Invoke(REGIONS, {"path:region": "africa"}, "survey")


def tried(folder: Path, url: str, *experiences: Experience) -> list[Experience]:
    async def work() -> list[Experience]:
        catalog = load(SPECS)
        executor = Executor(catalog, {"atlas": url})
        try:
            with Evidence.open(folder, write=True) as evidence:
                evidence.begin({"test": "trials"})
                for scenario in (ISO, REGION, PAID):
                    evidence.put_scenario(scenario)
                driver = Driver(executor, OfflineModel(catalog, ToolGraph(catalog)), evidence, budget=Budget(100))
                await driver.run(_seen())
                found: list[Experience] = await driver.run(ExperienceTrials(catalog, evidence).helpful(experiences))
                calls = {call.id for call in evidence.calls.select(purpose="scenario")}
                assert all(set(one.helped) <= calls for one in found)
                return found
        finally:
            await executor.close()

    return asyncio.run(work())


def test_what_turns_a_wrong_answer_into_a_right_one_is_kept(tmp_path: Path, bundled_services: dict[str, str]) -> None:
    [found] = tried(tmp_path, bundled_services["atlas"], HELPS)
    assert replace(found, helped=()) == HELPS
    assert len(found.helped) == 2


def test_what_only_leads_astray_is_not_kept(tmp_path: Path, bundled_services: dict[str, str]) -> None:
    assert tried(tmp_path, bundled_services["atlas"], HURTS) == []


def test_what_recommends_the_operation_that_fails_is_not_kept(tmp_path: Path, bundled_services: dict[str, str]) -> None:
    opposite = replace(HELPS, right=REGIONS, wrong=COUNTRY)
    assert tried(tmp_path, bundled_services["atlas"], opposite) == []


def test_a_task_that_is_not_done_with_an_experience_is_not_tried_without_it(
    tmp_path: Path, bundled_services: dict[str, str]
) -> None:
    tried(tmp_path, bundled_services["atlas"], replace(HELPS, right=LISTED))
    with Evidence.open(tmp_path, write=False) as evidence:
        names = {call.scenario for call in evidence.calls.select(purpose="scenario")}
    assert names == {"iso-fresh-taught"}


def test_a_task_that_cannot_be_made_fresh_shows_nothing(tmp_path: Path, bundled_services: dict[str, str]) -> None:
    same = replace(HELPS, scenario="Tell me the ISO 3 code of the first country by name.")
    assert tried(tmp_path, bundled_services["atlas"], same) == []


def test_where_an_argument_comes_from_is_kept_once_if_it_helps(
    tmp_path: Path, bundled_services: dict[str, str]
) -> None:
    again = replace(SOURCE, right=LISTED, field="code")
    [found] = tried(tmp_path, bundled_services["atlas"], SOURCE, again)
    assert replace(found, helped=()) == SOURCE
