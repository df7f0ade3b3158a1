"""Values at the edge of what is one: one line and the right exit code, or the rest of the run goes on."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from clikit import LIST_AND_ITEM, calls, docrev, here, spec
from servers import Answer, Received, Server, reply

from docrev.spec import load, validate

URL = ("--base-url", "http://127.0.0.1:9")
NINES = "9" * 4200
WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "timeout": (("explore", "shop.json", *URL, "--timeout", "nan"), "timeout"),
    "endless": (("explore", "shop.json", *URL, "--timeout", "inf"), "should be a finite number"),
    "rate": (("explore", "shop.json", *URL, "--rate", "nan"), "rate"),
    "size": (("explore", "shop.json", *URL, "--max-spec-size", "nan"), "should be a valid integer"),
    "out": (("explore", "shop.json", *URL, "--out", ""), "out: must not be empty"),
    "evidence": (("revise", "shop.json", "--evidence", ""), "evidence: must not be empty"),
    "folder": (("evidence", ""), "an empty text names no file"),
    "specs": (("lint", ""), "an empty text names no file"),
    "target": (("export", "functions", "shop.json", "-o", ""), "an empty text names no file"),
    "source": (("import", "functions", "", "-o", "x"), "an empty text names no file"),
    "model": (("retrieve", "x", "shop.json", "--model", ""), "model: must not be empty"),
    "count": (
        ("retrieve", "x", "shop.json", "--count", NINES[:400]),
        "count: should be 9,223,372,036,854,775,807 or less",
    ),
    "seed": (
        ("explore", "shop.json", *URL, "--seed", NINES[:400]),
        "seed: should be 9,223,372,036,854,775,807 or less",
    ),
    "pipe": (("lint", "pipe.json"), "pipe.json: this is a pipe, not a file"),
    "digits": (("lint", "digits.json"), "digits.json: this is not JSON: Exceeds the limit"),
}
FILED = {
    "max-calls = 1e400": "max-calls should be a valid integer",
    "timeout = inf": "timeout should be a finite number",
    "rate = nan": "rate should be",
    'out = ""': "out must not be empty",
}
REFERENCES = {
    "NUL": "x\0y.json",
    "long": "x" * 5000 + ".json",
    "encoded": "%00.json",
    "half": "\ud800.json",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("borders")
    spec(made)
    text = json.dumps(document(LIST_AND_ITEM))
    (made / "digits.json").write_text(text.replace('"1"', "9" * 5000))
    os.mkfifo(made / "pipe.json")
    return made


@pytest.mark.parametrize("case", WRONG)
def test_a_value_that_is_none_is_one_line(folder: Path, case: str) -> None:
    words, says = WRONG[case]
    done = docrev(*words, cwd=folder)
    done.failed(2, says)
    assert not (folder / "evidence.db").exists()


@pytest.mark.parametrize("line", FILED)
def test_a_setting_that_is_none_is_one_line(folder: Path, line: str, tmp_path: Path) -> None:
    (tmp_path / "odd.toml").write_text(f"[explore]\n{line}\n")
    here("explore", folder / "shop.json", *URL, "--config", tmp_path / "odd.toml").failed(2, FILED[line])


@pytest.mark.parametrize("reference", REFERENCES.values(), ids=REFERENCES)
def test_a_reference_that_no_file_can_have_leads_nowhere(tmp_path: Path, reference: str) -> None:
    file = spec(tmp_path, **{"GET /items": {"parameters": [{"$ref": reference}]}})
    done = here("lint", file, "--json")
    assert done.code == 1
    assert {found["id"] for found in done.json["findings"]} >= {"unresolved-ref"}


def test_a_folder_with_pipes_and_links_to_everything_is_read(tmp_path: Path) -> None:
    spec(tmp_path)
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "root").symlink_to("/")
    (tmp_path / "self").symlink_to(tmp_path)
    done = docrev("export", "functions", tmp_path, "-o", tmp_path / "out")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("2 operations")


def answers(request: Received) -> Answer:
    kind = request.path.rpartition("/")[2]
    bodies = {
        "integers": f'[{{"id": 1, "n": {NINES}}}, {{"id": {NINES}, "n": 2}}]',
        "floats": '[{"id": 1, "n": 1e400}, {"id": 2, "n": -1e999}]',
        "texts": f'[{{"id": 1, "n": "{"9" * 5000}"}}, {{"id": 2, "n": "{"9" * 400}"}}]',
    }
    if kind in ("punycode", "idna", "unicode_escape", "undefined", "utf-16", "no such"):
        return Answer(200, b'{"id": 1, "name-\xc3\xbc": "x"}', {"Content-Type": f"application/json; charset={kind}"})
    return Answer(
        200, bodies.get(kind, '{"id": 1}').encode(), {"Content-Type": "application/json", "X-Total": "9" * 999}
    )


def test_a_run_goes_on_past_every_odd_answer_and_path(tmp_path: Path) -> None:
    kinds = ("integers", "floats", "texts", "punycode", "idna", "unicode_escape", "undefined", "utf-16")
    paths = (*(f"GET /{kind}" for kind in kinds), "GET /{}", "GET /a/{}/b", "GET /{", "GET /integers/{id}")
    odd = {"parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": int(NINES)}}]}
    extras: dict[str, dict[str, Any]] = {"GET /texts": odd, "GET /integers": odd}
    file = spec(tmp_path, paths, **extras)
    with Server({"GET *": answers}) as server:
        done = docrev("explore", file, "--base-url", server.url, "--out", tmp_path / "kept", "--json")
    assert done.code == 0, done.err
    assert done.json["operations"] == len(paths)
    assert done.json["operations_2xx"] >= len(paths) - 1
    kept = calls(tmp_path / "kept")
    assert {call["operation"] for call in kept} == set(paths)
    assert {call["error"] for call in kept} <= {None, "bad-encoding"}
    for words in (["facts", "kept"], ["revise", file, "--evidence", "kept", "--edit", "contract", "-o", "out"]):
        assert docrev(*words, cwd=tmp_path).code == 0


def test_bytes_behind_a_response_are_not_the_next_response(tmp_path: Path) -> None:
    body = b'{"id": 1}'
    whole = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n" + body
    forged = whole.replace(body, b'{"id": 6}')
    raw = Answer(raw=whole + forged)
    with Server({"GET /items": raw, "GET /items/*": reply({"id": 2})}) as server:
        docrev("explore", spec(tmp_path), "--base-url", server.url, "--out", tmp_path / "kept", "--concurrency", "1")
    kept = calls(tmp_path / "kept")
    assert {call["operation"] for call in kept if call["status"] == 200} == set(LIST_AND_ITEM)
    assert {"id": 6} not in [call["body"] for call in kept]


def test_schemas_that_are_made_of_each_other_are_validated(tmp_path: Path) -> None:
    # The validator's own search for properties doubles with each.
    schemas = {
        f"S{at}": {
            "type": "object",
            "allOf": [{"$ref": f"#/components/schemas/S{min(at + step, 39)}"} for step in (1, 2)],
        }
        for at in range(39)
    }
    schemas["S39"] = {"type": "object", "properties": {"x": {"type": "integer", "default": "none"}}}
    file = spec(tmp_path)
    file.write_text(json.dumps({**json.loads(file.read_text()), "components": {"schemas": schemas}}))
    findings = here("lint", file, "--json").json["findings"]
    assert [found["pointer"] for found in findings if found["id"] == "invalid"]
    assert not [found for found in findings if found["id"] in ("not-validated", "validator-stopped")]


def test_a_validator_that_takes_too_many_steps_is_left_out_and_named(tmp_path: Path) -> None:
    [(name, document)] = load([spec(tmp_path)]).documents.items()
    [finding] = validate(document, max_steps=3)
    assert (finding.id, finding.file) == ("not-validated", name)
    assert "left out after 3 steps" in finding.message
    assert [found.id for found in validate(document)] == ["invalid"]
