"""The files for GitHub, GitLab and pre-commit, judged by programs of others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml
from counterparts import node_program, python_programs

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "vendor.github-actions": "action.yml",
    "vendor.github-workflows": ".github/workflows/ci.yml",
    "vendor.gitlab-ci": "integrations/gitlab/docrev.gitlab-ci.yml",
}


@pytest.mark.long
@pytest.mark.parametrize("schema", FILES)
def test_the_published_schema_accepts_it(schema: str) -> None:
    program = python_programs("ci-schemas", "check-jsonschema==0.39.0") / "check-jsonschema"
    done = subprocess.run([program, "--builtin-schema", schema, ROOT / FILES[schema]], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", ["action.yml", ".github/workflows/ci.yml"])
def test_a_validator_of_workflows_accepts_it(name: str) -> None:
    program = node_program("@action-validator/cli", "0.6.0", "action-validator", "@action-validator/core@0.6.0")
    done = subprocess.run([program, ROOT / name], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_pre_commit_accepts_the_hooks() -> None:
    program = python_programs("pre-commit", "pre-commit==4.5.0") / "pre-commit"
    done = subprocess.run(
        [program, "validate-manifest", ROOT / ".pre-commit-hooks.yaml"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_action_hands_each_input_to_its_scripts() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    handed = str(action["runs"]["steps"])
    assert len(action["inputs"]) > 8
    for name, described in action["inputs"].items():
        assert f"inputs.{name} " in handed, name
        assert described["description"].strip().endswith("."), name
        assert f"| `{name}` |" in (ROOT / "docs" / "how-to" / "ci.md").read_text()
    scripts = [path.stem for path in (ROOT / "integrations" / "github").glob("*.sh")]
    assert sorted(scripts) == ["api", "refresh", "review"]
