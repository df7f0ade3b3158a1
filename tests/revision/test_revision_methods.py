"""EasyTool's and DRAFT's methods on a real exploration: one new description each, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from services import running

import docrev
from docrev.errors import UsageError
from docrev.spec import load
from docrev.spec.diff import compare

SPECS = Path(__file__).resolve().parents[2] / "specs" / "airfield.json"


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("evidence")
    with running("airfield") as bases:
        docrev.explore(SPECS, base_urls=(bases["airfield"],), out=str(out), max_calls=250)
    return out


def test_draft_rewrites_descriptions_of_operations_only(explored: Path) -> None:
    revision = docrev.revise(SPECS, evidence=explored, method="draft")
    assert len(revision.changes) >= 10
    assert {change.pointer.rpartition("/")[2] for change in revision.changes} == {"description"}
    assert all(change.calls for change in revision.changes)
    nearby = next(change for change in revision.changes if change.key and change.key.path.endswith("/nearby"))
    assert "Returns" in nearby.after
    assert "`distance_km`" in nearby.after


def test_draft_is_the_same_for_the_same_evidence(explored: Path) -> None:
    first, second = (docrev.revise(SPECS, evidence=explored, method="draft") for _ in range(2))
    assert first.changes == second.changes


def test_easytool_needs_no_evidence_and_shortens(tmp_path: Path) -> None:
    spec = tmp_path / "shop.yaml"
    spec.write_text(
        "openapi: 3.0.3\ninfo: {title: Shop, version: '1'}\npaths:\n  /items/{id}:\n    get:\n"
        "      description: >-\n        Returns one item of the shop. It was rewritten in 2019 by another team,"
        " and nobody knows why.\n"
        "      parameters:\n"
        "        - {name: id, in: path, required: true, schema: {type: string}, description: 'Id, for example i_7.'}\n"
        "      responses: {'200': {description: The item.}}\n"
    )
    revision = docrev.revise(spec, evidence=None, method="easytool", write_to=tmp_path / "out")
    [change] = revision.changes
    assert change.after == "Returns one item of the shop. Example: id=i_7."
    assert len(compare(load([spec]), load([tmp_path / "out"])).entries) == 1


def test_draft_without_evidence_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the method draft needs evidence"):
        docrev.revise(SPECS, evidence=None, method="draft")
