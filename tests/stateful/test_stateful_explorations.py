"""docrev on generated services that hold somebody's data: nothing of theirs changes, and all that stays is listed."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings

from stateful.description import Service
from stateful.drawing import services
from stateful.exploring import explored
from stateful.rpc_drawing import FIRST
from stateful.tempting import tempting


@pytest.mark.parametrize("seed", [*range(12), 7105, 97278])
def test_a_service_is_not_harmed(seed: int) -> None:
    outcome = asyncio.run(explored(seed, calls=150))
    assert outcome.requests
    assert outcome.lines() == []


@pytest.mark.parametrize("seed", [3, 19, 36, 44, 51, 86, 88, 99, 300, 317])
def test_a_service_of_rpc_style_is_not_harmed(seed: int) -> None:
    outcome = asyncio.run(explored(FIRST + seed, calls=200))
    assert outcome.requests
    assert outcome.lines() == []


@pytest.mark.parametrize("seed", range(100, 104))
def test_reading_alone_changes_nothing(seed: int) -> None:
    outcome = asyncio.run(explored(seed, calls=150, allow=()))
    assert outcome.requests
    assert outcome.created == 0
    assert outcome.lines() == []


@pytest.mark.parametrize("seed", [1, 8, 10])
def test_a_model_that_names_what_is_somebody_else_s_does_no_harm(seed: int) -> None:
    outcome = asyncio.run(explored(seed, calls=150, adviser=tempting))
    assert outcome.suggestions
    assert outcome.lines() == []


@pytest.mark.long
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(services())
def test_no_service_is_harmed(service: Service) -> None:
    outcome = asyncio.run(explored(service.seed, calls=300))
    assert outcome.lines() == []
