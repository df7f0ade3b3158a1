"""Without `train/` and `eval/` the rest still imports, and its commands say in one line what they lack."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The copy must not find the packages that it lacks in the tree it was copied from.
ALONE = "import sys; sys.meta_path[:] = [one for one in sys.meta_path if 'editable' not in str(one)]; "
IMPORT_ALL = (
    "import importlib, json, pkgutil, docrev\n"
    "names = [found.name for found in pkgutil.walk_packages(docrev.__path__, 'docrev.')]\n"
    "names = [name for name in names if not name.endswith('__main__')]\n"
    "lacking = {}\n"
    "for name in names:\n"
    "    try: importlib.import_module(name)\n"
    "    except ModuleNotFoundError as error: lacking[name] = '.'.join(error.name.split('.')[:2])\n"
    "print(json.dumps([docrev.__file__, names, lacking]))"
)
COMMANDS = {
    "docrev.cli.bench": "docrev.eval",
    "docrev.cli.bench_granularities": "docrev.train",
    "docrev.cli.bench_tooleval": "docrev.eval",
    "docrev.cli.collect": "docrev.train",
    "docrev.cli.generate": "docrev.train",
    "docrev.cli.train": "docrev.train",
    "docrev.cli.train_retriever": "docrev.train",
    "docrev.cli.train_toolplanner": "docrev.train",
}
"""The only modules that may need what is left out: the commands that are nothing but its options."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages as they are installed, without `docrev.train` and `docrev.eval`."""
    place = tmp_path_factory.mktemp("separable")
    shutil.copytree(ROOT / "docrev", place / "docrev", ignore=shutil.ignore_patterns("train", "__pycache__"))
    for folder in ("runners", "templates", "specs"):
        shutil.copytree(ROOT / folder, place / "docrev" / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return place


def run(place: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-c", ALONE + code, *arguments]
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_every_other_module_imports_without_train_and_eval(copy: Path) -> None:
    result = run(copy, IMPORT_ALL)
    assert result.returncode == 0, result.stderr
    where, names, lacking = json.loads(result.stdout)
    assert Path(where).is_relative_to(copy)
    assert len(names) > 200
    assert not [name for name in names if name.startswith(("docrev.train", "docrev.eval"))]
    assert lacking == COMMANDS


@pytest.mark.parametrize(
    ("arguments", "package"),
    [
        (("bench",), "docrev.eval"),
        (("bench", "bundled"), "docrev.eval"),
        (("bench", "recovery", "x.yaml", "--simulate"), "docrev.eval"),
        (("generate", "instructions", "x.yaml", "--out", "x"), "docrev.train"),
        (("train", "retriever", "x.yaml", "--out", "x"), "docrev.train"),
    ],
)
def test_a_command_whose_package_is_missing_says_so_in_one_line(
    copy: Path, arguments: tuple[str, ...], package: str
) -> None:
    result = run(copy, "from docrev.cli import main; main()", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"docrev: this installation has no {package}; install docrev with all of its packages\n"
