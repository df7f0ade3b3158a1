"""What is drawn: the same from the same seed, with every trap in it somewhere, and described by valid documents."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from hypothesis import given, settings

import docrev
from stateful.app import App
from stateful.description import LIES, Field, Kind, Operation, Service
from stateful.documents import document, write_document
from stateful.drawing import draw, services, traps_of
from stateful.network import serving
from stateful.rpc_drawing import FIRST
from stateful.trap_effects import EFFECTS

DRAWN = [draw(seed) for seed in range(300)]


def test_every_trap_is_drawn_in_a_fair_part_of_services() -> None:
    counts = Counter(trap for service in DRAWN for trap in traps_of(service))
    wanted = {
        "action", "action by GET", "batch", "bulk", "innocent GET", "login", "merge", "_method", "query parameter",
        "misnamed read", "singleton", *LIES, "upsert", "unremovable", "container", "inside somebody's thing",
        "reference", "soft deletion", "lying deletion", "id reused", "id taken", "loose parents", "overwriting",
        "company", "failed", "id in the body", "membership",
    }  # fmt: skip
    assert {trap for trap in wanted if counts[trap] < 5} == set()


def test_a_seed_draws_the_same_service() -> None:
    assert [draw(seed) for seed in range(20)] == DRAWN[:20]
    assert document(DRAWN[7]) == document(draw(7))


def test_services_of_rpc_style_have_traps_of_every_kind_and_valid_documents(tmp_path: Path) -> None:
    drawn = [draw(FIRST + seed) for seed in range(60)]
    counts = Counter(trap for service in drawn for trap in {operation.trap for operation in service.operations})
    wanted = {"action", "bulk", "flag", "lying verb", "marking read", "membership", "merge", "singleton", "taking read"}
    assert {trap for trap in wanted if counts[trap] < 4} == set()
    for service in drawn[:5]:
        findings = {finding.id for finding in docrev.lint(write_document(service, tmp_path))}
        known = {"restated-name", "missing-operation-id", "undocumented-operation", "unfit-operation-id"}
        assert findings <= known
        for operation in service.operations:
            assert operation.effect in EFFECTS


@settings(max_examples=50, deadline=None)
@given(services())
def test_every_operation_is_reached_by_its_own_path(service: Service) -> None:
    app = App(service)
    assert service.operations
    for operation in service.operations:
        segments = [step.strip("{}") for step in operation.path.strip("/").split("/")]
        assert app._find(operation.method, segments) is operation
        assert operation.effect in EFFECTS


def test_no_client_is_harmful_by_looking(tmp_path: Path) -> None:
    service = next(s for s in DRAWN if len(s.kinds) == 4 and any(kind.parent for kind in s.kinds))

    async def look() -> App:
        app = App(service)
        async with serving(app) as url, httpx2.AsyncClient(base_url=url) as client:
            for path in [*app.world.things, "/nothing/here", "/"]:
                await client.get(url + path)
        return app

    app = asyncio.run(look())
    assert app.requests > 10
    assert app.world.changes == []


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5, 8, 13, 21, 34, 55])
def test_documents_are_valid(seed: int, tmp_path: Path) -> None:
    findings = docrev.lint(write_document(DRAWN[seed], tmp_path))
    assert findings
    assert {finding.id for finding in findings} <= {"restated-name", "missing-operation-id", "undocumented-operation"}


def says_that_it_acts(operation: Operation, described: dict[str, str]) -> bool:
    verb = operation.verb
    words = (
        re.findall(r"[a-z]+", described.get("operationId", ""))[:1] + described.get("summary", "").lower().split()[:1]
    )
    return verb in words or operation.path.rpartition("/")[2] == verb


def test_a_location_has_the_prefix_and_the_host_that_the_service_writes() -> None:
    kind = Kind("boxes", "box", fields=(Field("name"),), answer="location")
    create = Operation("POST", "/boxes", "create", "boxes")
    app = App(Service(0, (kind,), (create,), prefix="/api", absolute=True))
    reply = app.respond("POST", "/api/boxes", b'{"name": "x"}', {"host": "h:1"})
    assert reply.headers == {"Location": "http://h:1/api/boxes/4"}


def test_a_get_that_acts_says_so() -> None:
    acting = [(s, o) for s in DRAWN for o in s.operations if o.trap == "action by GET"]
    assert len(acting) > 20
    for service, operation in acting:
        described = document(replace(service, slashes=""))
        assert says_that_it_acts(operation, described["paths"][operation.path]["get"])
