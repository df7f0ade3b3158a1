"""The published specs name the operations that there are, and have the faults that they are published for."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
import yaml

METHODS = ("get", "post", "put", "patch", "delete")
FILES = {"atlas": "atlas.yaml", "airfield": "airfield.json"}


def published(service: str) -> Any:
    return yaml.safe_load(files("docrev.specs").joinpath(FILES[service]).read_text("utf-8"))


def truth(service: str) -> Any:
    return yaml.safe_load(files(f"docrev.sandbox.{service}").joinpath("truth.yaml").read_text("utf-8"))


def operations(spec: Any) -> dict[tuple[str, str], Any]:
    return {(m, path): item[m] for path, item in spec["paths"].items() for m in METHODS if m in item}


@pytest.mark.parametrize("service", FILES)
def test_published_and_true_operations_are_the_same(service: str) -> None:
    found = operations(published(service))
    assert found.keys() == operations(truth(service)).keys()
    assert 12 <= len(found) <= 18


@pytest.mark.parametrize("service", FILES)
def test_published_parameters_exist(service: str) -> None:
    spec, true = published(service), operations(truth(service))
    assert operations(spec)
    for key, operation in operations(spec).items():
        shared = spec["paths"][key[1]].get("parameters", [])
        for param in [*shared, *operation.get("parameters", [])]:
            node = spec["components"]["parameters"][param["$ref"].rpartition("/")[2]] if "$ref" in param else param
            assert node["name"] in {one["name"] for one in true[key]["parameters"]}


@pytest.mark.parametrize("service", FILES)
def test_no_published_spec_gives_the_truth_away(service: str) -> None:
    spec = published(service)
    text = json.dumps(spec)
    assert '"enum"' not in text
    assert '"example"' not in text
    assert '"default"' not in text
    wordy = [op for op in operations(spec).values() if len(op.get("description", "").split()) > 6]
    assert len(wordy) <= 1


def test_each_kind_of_fault_is_published() -> None:
    atlas, airfield = published("atlas"), published("airfield")
    assert 200 in operations(atlas)["get", "/countries"]["responses"]
    assert "parameters" in atlas["components"]
    text = files("docrev.specs").joinpath("atlas.yaml").read_text("utf-8")
    assert "&text" in text
    assert "*text" in text
    assert "*list_response" in text
    nearby = operations(airfield)["get", "/airports/{iata}/nearby"]
    assert "iata" not in {param.get("name") for param in nearby["parameters"]}
    assert "operationId" not in operations(atlas)["get", "/languages/{code}"]
