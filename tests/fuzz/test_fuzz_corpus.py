"""What `make fuzz` found stays mended, and it would find it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from docrev.cli import cli
from fuzz.cases import Case, problems
from fuzz.targets import TARGETS

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.json"))


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
def test_a_case_that_was_found_is_one_line(file: Path) -> None:
    case = Case.from_json(file.read_text())
    assert case.commands or case.prompt
    assert problems(case) == []


def test_a_kept_case_is_the_case() -> None:
    case = Case({"a.json": "base64:/w=="}, [["lint", "a.json"]], ["HTTP/1.1 200 OK"], store=True)
    assert Case.from_json(case.to_json()) == case


@pytest.mark.parametrize("trouble", [RuntimeError("a fault"), MemoryError(), RecursionError(), SystemExit(7)])
def test_trouble_is_found(trouble: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise trouble

    monkeypatch.setattr(cli, "invoke", broken)
    assert len(problems(Case(commands=[["lint", "a.json"]]))) == 1


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::docrev.errors.DamageWarning")
@pytest.mark.parametrize("name", sorted(TARGETS))
def test_some_cases_of_each_target_hold(name: str) -> None:
    drawn = list[Case]()

    @seed(0)
    @settings(
        max_examples=15, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(st.composite(lambda draw: TARGETS[name](draw))())
    def batch(case: Case) -> None:
        drawn.append(case)
        assert problems(case) == []

    batch()
    assert len(drawn) == 15
