"""Relations that refusals state: told by the names that the document has, if it has names for what they are about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from callkit import catalog, key

from docrev.facts.observations import Observations
from docrev.facts.stated import stated_relations
from docrev.records import Call

LINE = "POST /rules"
TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("properties", "names"),
    [
        ({"boats": TEXT, "crews": TEXT}, [("boats", "crews")]),
        # The error calls by other words what the document has.
        ({"boats": TEXT, "crew_groups": TEXT}, []),
        # The document has none of them.
        ({}, [("boats", "crews")]),
    ],
)
def test_a_relation_is_told_by_declared_names(
    tmp_path: Path, properties: dict[str, Any], names: list[tuple[str, ...]]
) -> None:
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": properties}}}}
    operation = catalog(tmp_path, [LINE], **{LINE: {"requestBody": body}})[key(LINE)]
    seen = Observations(key(LINE))
    error = {"message": "Exactly one of `boats` and `crews` is required"}
    for id, sent, status, answer in (("c1", {}, 400, error), ("c2", {"boats": "a"}, 201, {"id": 1})):
        seen.add(Call(id, key(LINE), {"body:": sent}, "", status, {}, answer, "", "survey"))
    assert [relation.names for relation in stated_relations(seen, operation)] == names
