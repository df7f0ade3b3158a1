"""A new kind of fact takes four additions: its module, its name in the registry, a wording and a rule for scoring.

They are made in a copy of the package, which other processes import: there the kind is inferred, replayed, put into
words and scored; and if one of the additions is missing, the test of the registry fails.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULE = '''"""`reverses`: `desc` puts the items of a list in the opposite order."""

from __future__ import annotations

from docrev.facts.kind import PARAMETER, Facts, Kind, Location
from docrev.facts.parameter_trials import ParameterTrials


def _from_trials(trials: ParameterTrials) -> Facts:
    for one in trials.lists:
        if one.key == "desc" and one.changed and one.items == one.before[::-1]:
            yield KIND.fact(trials.key, trials.location, Location(one.location), (one.id, one.trial.base.id))


KIND = Kind("reverses", Location, PARAMETER, "sort", from_trials=_from_trials)
'''
ADDITIONS = {
    "module": ("docrev/facts/kinds/reverses.py", "", MODULE),
    "registry": ("docrev/facts/registry.py", '" sorts ', '" sorts reverses '),
    "wording": (
        "docrev/revision/effect_wording.py",
        r"(?m)^(EFFECTS\b.*\{\n)",
        r'\1    "reverses": "Reversed order of the {things}",\n',
    ),
    "rule": (
        "docrev/eval/judging.py",
        r"(?m)^(RULES\b.*\{\n)",
        r'\1    "reverses": JudgingRule(same, _effect),\n',
    ),
}
USE = """
import json, sys, tempfile
from pathlib import Path
from docrev import explore, revise
from docrev.eval.judging import judge
from docrev.eval.statements import statements_of
from docrev.eval.truth import truth_of
from docrev.evidence import Evidence
from docrev.spec import load
from servers import Server, reply

ITEMS = [{"id": n, "name": name} for n, name in [(3, "fjord"), (1, "amber"), (7, "delta"), (2, "birch")]]
parameter = {"name": "order", "in": "query", "schema": {"type": "string"}}
ok = {"200": {"description": "ok"}}
spec = {"openapi": "3.0.3", "info": {"title": "shop", "version": "1"}, "paths": {"/items": {"get": {
    "parameters": [parameter], "responses": ok}}}}
folder = Path(tempfile.mkdtemp(dir=sys.argv[1]))
(folder / "shop.json").write_text(json.dumps(spec))

def answer(request):
    return reply(ITEMS[::-1] if request.query.get("order") == ["desc"] else ITEMS)

with Server({"GET /items": answer}) as server:
    explore(folder / "shop.json", base_urls=server.url, out=folder / "out", max_calls=200)
with Evidence.open(folder / "out", write=False) as evidence:
    facts = [fact for fact in evidence.facts() if fact.kind == "reverses"]
assert [(fact.location, fact.value, len(fact.replays)) for fact in facts] == [("query:order", "200:", 2)], facts
revise(folder / "shop.json", evidence=folder / "out", write_to=folder / "revised")
assert "Reversed order of the items" in (folder / "revised" / "shop.json").read_text()
truth = truth_of(load(folder / "shop.json"))
truth.add(facts[0].key, "reverses", "query:order", "200:")
assert [judge(statement, truth) for statement in statements_of(facts)] == ["right"]
"""


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages as they are installed, in a folder of their own."""
    folder = tmp_path_factory.mktemp("copy")
    # With what is compiled: of files that are as they were it is good in another folder too.
    shutil.copytree(ROOT / "docrev", folder / "docrev")
    for name in ("eval", "runners", "specs", "templates"):
        shutil.copytree(ROOT / name, folder / "docrev" / name)
    return folder


def add(folder: Path, *, but: str = "") -> None:
    """Make the additions in the copy, one of them left out."""
    for name, (path, old, new) in ADDITIONS.items():
        original = ROOT / path.replace("docrev/eval/", "eval/")
        text = original.read_text(encoding="utf-8") if original.exists() else ""
        assert not old or len(re.findall(old, text)) == 1, f"{path} has no place for an addition"
        if name == "module":
            (folder / path).unlink(missing_ok=True)
        if name != but:
            (folder / path).write_text(re.sub(old, new, text) if old else new, encoding="utf-8")
        elif old:
            (folder / path).write_text(text, encoding="utf-8")


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(folder), str(ROOT / "tests")))
    env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *command], env=env, cwd=folder, capture_output=True, text=True, check=False)


def test_four_additions_make_a_kind_that_is_inferred_replayed_worded_and_scored(copied: Path) -> None:
    add(copied)
    done = run(copied, "-c", USE, str(copied))
    assert done.returncode == 0, done.stderr


@pytest.mark.long
@pytest.mark.parametrize("missing", ADDITIONS)
def test_the_registry_is_found_incomplete_if_one_addition_is_missing(copied: Path, missing: str) -> None:
    add(copied, but=missing)
    test = str(ROOT / "tests" / "facts" / "test_facts_registry.py")
    done = run(copied, "-m", "pytest", "-q", "--noconftest", "-p", "no:cacheprovider", "--rootdir", str(copied), test)
    assert done.returncode in (1, 2), done.stdout
    assert "reverses" in done.stdout
