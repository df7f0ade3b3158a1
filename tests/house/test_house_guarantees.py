"""Each test that SECURITY.md names for a guarantee is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROWS = re.findall(r"^\| ([^|`]+) \| ([^|]+) \|$", (ROOT / "SECURITY.md").read_text(), re.M)[1:]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_there_are_guarantees() -> None:
    assert len(ROWS) > 15


@pytest.mark.parametrize(("guarantee", "shown"), ROWS, ids=[guarantee[:40] for guarantee, _ in ROWS])
def test_a_guarantee_has_its_tests(guarantee: str, shown: str) -> None:
    named = NAMED.findall(shown)
    assert named
    assert NAMED.sub("", shown).strip() == ""
    for file, test in named:
        tree = ast.parse((ROOT / file).read_text())
        assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, f"{file}::{test}"
