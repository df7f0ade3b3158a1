"""From a fresh repository to a repaired one: the pull request, the overlay, the next version, the drift."""

from __future__ import annotations

import subprocess
from pathlib import Path

import life as story
import pytest
from counterparts import python_programs


@pytest.mark.long
def test_a_repository_lives_with_docrev(tmp_path: Path) -> None:
    life = story.begin(tmp_path)
    assert story.a_pull_request_with_errors(life) == [1, 0]
    assert len(life.github.comments) == 2
    assert "List the items" in life.github.comments[1]["body"]
    assert story.an_overlay(life) == [0, 0, 0]
    assert [code for code, _ in story.continuous_integration(life, "as it is")] == [0, 0, 0]
    later = story.the_next_version(life)
    assert [code for code, _ in later] == [0, 0, 0]
    assert "no longer fit" in later[1][1]
    assert "20" in (life.work / "published" / "shop.json").read_text()
    *_, (drifted, why), (reviewed, annotations) = story.a_drifted_service(life)
    assert (drifted, reviewed) == (1, 1)
    assert "curl" in why
    assert "no-longer-true" in annotations
    assert [code for code, _ in story.the_repair(life)] == [0, 0, 0]


@pytest.mark.long
def test_the_published_schema_accepts_the_workflows_of_the_how_tos(tmp_path: Path) -> None:
    program = python_programs("ci-schemas", "check-jsonschema==0.39.0") / "check-jsonschema"
    texts = [text for path in (story.HOW_TO, story.HOW_TO.with_name("ci.md")) for text in story.workflows(path)]
    assert len(texts) == 3
    files = [tmp_path / f"{number}.yml" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    command = [program, "--builtin-schema", "vendor.github-workflows", *files]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
