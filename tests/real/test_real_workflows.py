"""Arazzo workflows run, and HAR read, by programs of others."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import jsonschema
import pytest
from counterparts import node_program, python_programs
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT6
from services import running

import docrev
from docrev.eval.scores import score
from docrev.eval.statements import statements_of
from docrev.eval.truth import truth_of
from docrev.evidence import Evidence
from docrev.spec import load

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = {"atlas": ("atlas.yaml", "http://127.0.0.1:8101"), "airfield": ("airfield.json", "http://127.0.0.1:8102")}
READ = "import sys, haralyzer; print(len(haralyzer.HarParser.from_file(sys.argv[1]).har_data['entries']))"


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The services, explored, with the revised specs beside the evidence; fresh ones then take their places."""
    folder = tmp_path_factory.mktemp("explored")
    (folder / "published").mkdir()
    with running(*PUBLISHED) as urls:
        for service, (file, url) in PUBLISHED.items():
            text = (ROOT / "specs" / file).read_text()
            (folder / "published" / file).write_text(text.replace(url, urls[service]))
        bases = [f"{service}={url}" for service, url in urls.items()]
        methods = ("POST,PUT,PATCH,DELETE",)
        docrev.explore(folder / "published", base_urls=bases, allow=methods, out=folder / "evidence")
        docrev.revise(
            folder / "published", evidence=folder / "evidence", edit="contract", words=0, write_to=folder / "revised"
        )
        yield folder


@pytest.mark.long
def test_a_runner_of_arazzo_executes_every_workflow(explored: Path) -> None:
    program = node_program("@redocly/cli", "2.37.0", "redocly")
    out, result = explored / "workflows.arazzo.yaml", explored / "result.json"
    count = docrev.export_arazzo(explored / "revised", out, evidence=explored / "evidence")
    assert count >= 20
    linted = subprocess.run([program, "lint", out], capture_output=True, text=True)
    assert linted.returncode == 0, linted.stdout + linted.stderr
    # A response that operations share by an alias is not edited: it lacks what only some of them return.
    command = [program, "respect", out, "--json-output", result, "--severity", "SCHEMA_CHECK=warn"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:]
    assert f"Workflows: {count} passed, {count} total" in done.stdout + done.stderr
    [server] = json.loads((explored / "published" / "airfield.json").read_text())["servers"]
    with urlopen(f"{server['url']}/watchlists") as answer:
        assert json.load(answer) == {"results": [], "count": 0}


@pytest.mark.long
def test_the_published_schema_and_a_reader_of_har_take_evidence(explored: Path) -> None:
    program = node_program("ajv-cli", "5.0.0", "ajv", "har-schema@2.0.0")
    out = explored / "calls.har"
    count = docrev.export_har(explored / "evidence", out)
    schemas = [json.loads(file.read_text()) for file in (program.parents[1] / "har-schema" / "lib").glob("*.json")]
    registry: Any = Registry().with_resources(
        [(schema["$id"], Resource(contents=schema, specification=DRAFT6)) for schema in schemas]
    )
    [whole] = [schema for schema in schemas if schema["$id"] == "har.json#"]
    jsonschema.Draft6Validator(whole, registry=registry).validate(json.loads(out.read_text()))
    reader = python_programs("haralyzer", "haralyzer==2.4.0") / "python"
    done = subprocess.run([reader, "-c", READ, out], capture_output=True, text=True, check=True)
    assert int(done.stdout) == count > 100


@pytest.mark.long
def test_nothing_that_watching_the_traffic_shows_is_false(explored: Path) -> None:
    traffic, out = explored / "traffic.har", explored / "watched"
    docrev.export_har(explored / "evidence", traffic)
    docrev.observe(explored / "published", traffic, out=out)
    truths = explored / "truths"
    truths.mkdir()
    for service in PUBLISHED:
        text = (ROOT / "docrev" / "sandbox" / service / "truth.yaml").read_text()
        (truths / f"{service}.yaml").write_text(text)
    truth = truth_of(load(truths), closed=True)
    with Evidence.open(out, write=False) as evidence:
        watched = [fact for fact in evidence.facts() if fact.key in truth.catalog]
    found = score(statements_of(watched), truth)
    assert found.wrong == []
    assert {"type", "field", "observed-values", "status", "comes-from", "pages"} <= {fact.kind for fact in watched}
