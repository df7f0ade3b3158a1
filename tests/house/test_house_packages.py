"""What is on the disk is what is packaged, and importing stays light."""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import docrev

ROOT = Path(__file__).resolve().parents[2]
HOMES = {
    "docrev": "docrev",
    "runners": "docrev.runners",
    "eval": "docrev.eval",
    "templates": "docrev.templates",
    "specs": "docrev.specs",
}
HEAVY = {"torch", "transformers", "sentence_transformers", "networkx", "jinja2", "openai", "starlette", "rich"}


def on_disk() -> set[str]:
    found = set()
    for folder, package in HOMES.items():
        for marker in (ROOT / folder).rglob("__init__.py"):
            inner = marker.parent.relative_to(ROOT / folder).parts
            found.add(".".join((package, *inner)))
    return found


def test_the_list_of_packages_is_what_lies_on_the_disk() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    assert set(listed) == on_disk()
    assert listed == sorted(listed)


@pytest.mark.long
def test_the_wheel_holds_every_module_template_and_spec(tmp_path: Path) -> None:
    # A copy: what lies in build/ from earlier would go into the wheel too.
    copy, left_out = tmp_path / "source", shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, copy, ignore=left_out)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(copy)]
    subprocess.run(command, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = set()
    for folder, package in HOMES.items():
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".j2", ".yaml", ".json", ".md"} or path.name == "py.typed":
                inner = path.relative_to(ROOT / folder)
                expected.add(str(Path(*package.split(".")) / inner))
    assert held == expected


def loaded(statement: str) -> set[str]:
    code = f"{statement}\nimport sys, json; print(json.dumps(sorted(m.split('.')[0] for m in sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(json.loads(result.stdout.splitlines()[-1]))


def test_importing_docrev_loads_nothing_heavy() -> None:
    assert loaded("import docrev") & (HEAVY | {"httpx2", "yaml", "openapi_spec_validator", "sqlite3"}) == set()


def test_help_loads_nothing_heavy() -> None:
    assert loaded("from docrev.cli import run; run(['--help'])") & (HEAVY | {"httpx2", "yaml"}) == set()


def test_loading_a_spec_needs_no_graph_no_template_and_no_network() -> None:
    spec = ROOT / "specs" / "atlas.yaml"
    assert loaded(f"import docrev; docrev.load([{str(spec)!r}])") & (HEAVY | {"httpx2", "sqlite3"}) == set()


def test_revising_loads_no_graph_no_agent_and_no_client() -> None:
    unneeded = {"networkx", "snowballstemmer", "jsonpath", "h11"}
    assert loaded("import docrev.cli.revise, docrev.cli.summaries, docrev.sessions.revision") & unneeded == set()


@pytest.mark.parametrize("name", sorted(on_disk()))
def test_public_faces_are_sorted_and_real(name: str) -> None:
    module = importlib.import_module(name)
    face = getattr(module, "__all__", [])
    assert list(face) == sorted(face, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    for public in face:
        assert hasattr(module, public)


def test_the_top_offers_the_verbs_and_their_async_twins() -> None:
    verbs = {"load", "explore", "revise", "diff", "lint"}
    assert verbs | {f"a{verb}" for verb in ("explore", "revise")} <= set(docrev.__all__)


def test_type_checkers_see_all_that_the_top_offers() -> None:
    tree = ast.parse((ROOT / "docrev" / "__init__.py").read_text(encoding="utf-8"))
    seen = (alias.asname for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names)
    assert sorted(filter(None, seen)) == docrev.__all__


def test_the_verbs_can_be_called_whatever_was_imported_before() -> None:
    before = "import docrev.exploration.run, docrev.revision.output_files, docrev"
    code = f"{before}; print(callable(docrev.explore), callable(docrev.revise))"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert result.stdout.split() == ["True", "True"]


def test_every_module_can_be_imported() -> None:
    for package in ("docrev", "docrev.runners", "docrev.eval"):
        for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)
