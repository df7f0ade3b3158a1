"""What error responses of the common frameworks say must change in the next call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from docrev.conventions.error_hints import read_hints

TABLE: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("error_hints.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", TABLE, ids=[case["from"] for case in TABLE])
def test_an_error_response_is_read_as_hints(case: dict[str, Any]) -> None:
    found = read_hints(case["status"], case.get("headers", {}), case["body"])
    assert sorted([hint.kind, hint.place, hint.pointer, *hint.values] for hint in found) == sorted(case["hints"])


def test_of_a_long_list_of_names_the_first_are_read() -> None:
    body = {"missing_fields": [f"field_{n}" for n in range(5000)]}
    assert [hint.name for hint in read_hints(422, {}, body)] == [f"field_{n}" for n in range(40)]
