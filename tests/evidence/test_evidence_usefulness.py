"""Which tools taught nothing, by how their calls ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from docrev.errors import CredentialsError, UnreachableError
from docrev.evidence import Evidence
from docrev.evidence.usefulness import check_usefulness, forget_shut, note_shut, useless_tools
from docrev.records import Call, OperationKey, Purpose

URLS = {"shop": "http://127.0.0.1:9"}


def call(
    number: int, status: int | None, operation: str, error: str | None = None, *, purpose: Purpose = "survey"
) -> Call:
    key = OperationKey("shop", operation)
    return Call(f"{number:010x}", key, {}, URLS["shop"], status, {}, None, "", purpose, error=error)


def keep(folder: Path, *calls: Call) -> Evidence:
    evidence = Evidence.open(folder, write=True)
    evidence.begin({"specs": "x"})
    for one in calls:
        evidence.calls.put(one)
    return evidence


@pytest.mark.parametrize(
    ("endings", "trouble"),
    [
        ([(404, None)] * 3, "returned nothing but errors: 404 to 3 of 3 calls"),
        ([(500, None), (404, None), (404, None)], "returned nothing but errors: 404 to 2, 500 to 1 of 3 calls"),
        ([(200, "not-json"), (None, "timeout")], "200 without JSON to 1, timeout to 1 of 2 calls"),
        ([(200, None)] + [(403, None)] * 9, "refused nearly all calls for want of credentials: 9 of 10"),
        ([(200, None)] + [(403, None)] * 8, ""),
        ([(200, None)] + [(404, None)] * 20, ""),
        ([], ""),
    ],
)
def test_the_trouble_of_a_tool(tmp_path: Path, endings: list[tuple[int | None, str | None]], trouble: str) -> None:
    calls = [call(number, status, "GET /a", error) for number, (status, error) in enumerate(endings)]
    with keep(tmp_path, *calls) as evidence:
        found = useless_tools(evidence).get("shop", "")
    assert found.endswith(trouble) if trouble else found == ""


def test_a_page_of_health_called_often_does_not_outweigh_operations_that_are_shut(tmp_path: Path) -> None:
    open_calls = [call(number, 200, "GET /health") for number in range(20)]
    shut = [call(100 + number, 403, f"GET /things{number}") for number in range(9)]
    with keep(tmp_path, *open_calls, *shut) as evidence:
        assert "9 of 29" in useless_tools(evidence)["shop"]


def test_probes_send_nonsense_on_purpose(tmp_path: Path) -> None:
    with keep(tmp_path, call(1, 400, "GET /a", purpose="probe")) as evidence:
        assert useless_tools(evidence) == {}


def test_refusals_that_ended_a_run_count_until_it_goes_on(tmp_path: Path) -> None:
    shut = [call(number, 401, f"GET /things{number}") for number in range(9)]
    with keep(tmp_path, call(100, 200, "GET /health")) as evidence:
        note_shut(evidence, shut)
        note_shut(evidence, shut)
        assert "9 of 10" in useless_tools(evidence)["shop"]
        forget_shut(evidence)
        assert useless_tools(evidence) == {}


@pytest.mark.parametrize(
    ("status", "kind", "fix"),
    [
        (503, UnreachableError, "check that the service is well"),
        (404, UnreachableError, "check --base-url, or give values that exist: --value id=…"),
        (302, UnreachableError, "check --base-url;"),
        (403, CredentialsError, "check the credentials: -H or --auth"),
    ],
)
def test_a_run_without_any_good_answer_fails(
    tmp_path: Path, status: int, kind: type[UnreachableError], fix: str
) -> None:
    with keep(tmp_path, call(1, status, "GET /a/{id}")) as evidence:
        with pytest.raises(kind, match="nothing but errors") as raised:
            check_usefulness(evidence, URLS, ["--value id=…"])
        assert fix in str(raised.value)
        evidence.calls.put(call(2, 200, "GET /b"))
        check_usefulness(evidence, URLS)
