"""docrev's overlays applied by two programs of others: the same document as docrev makes of them itself."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from counterparts import node_program

import docrev
from docrev.spec import Document
from docrev.spec.overlays import overlay_of
from docrev.spec.tree_differences import differences

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data"
BUNDLED = [ROOT / "specs" / "atlas.yaml", ROOT / "specs" / "airfield.json", ROOT / "docrev/sandbox/depot/depot.yaml"]
OTHERS = [*sorted(SHARED.glob("openapi/*.json")), *sorted(SHARED.glob("restbench/*_oas.json"))]


def openapi_format(spec: Path, overlay: Path) -> Any:
    program = node_program("openapi-format", "1.33.6", "openapi-format")
    out = spec.with_name("formatted.json")
    command = [program, spec, "--overlayFile", overlay, "--no-sort", "--json", "-o", out]
    subprocess.run(command, check=True, capture_output=True)
    return json.loads(out.read_text())


def overlayjs(spec: Path, overlay: Path) -> Any:
    program = node_program("openapi-overlays-js", "0.2.0", "overlayjs")
    done = subprocess.run([program, "--openapi", spec, "--overlay", overlay], check=True, capture_output=True)
    return Document.parse(done.stdout, "overlayjs").tree


def without_difficulties(tree: Any) -> Any:
    """The spec as plain JSON: how a reader takes aliases, large integers and files elsewhere is not what is asked."""

    def local(members: dict[str, Any]) -> dict[str, Any]:
        there = str(members.get("$ref", "#")).startswith("#")
        return members if there else {"description": f"see {members['$ref']}"}

    return json.loads(json.dumps(tree), object_hook=local, parse_int=lambda digits: min(int(digits), 2**53 - 1))


def revised(document: Document) -> Document:
    """The spec with changes of every form: texts (EasyTool's, from the documents alone), members, lists, removals."""
    revision = docrev.revise(document.name, evidence=None, method="easytool")
    tree = json.loads(json.dumps(revision.documents[document.name].tree))
    for path in list(tree["paths"].values())[:20]:
        for operation in (part for part in path.values() if isinstance(part, dict) and "responses" in part):
            operation.setdefault("parameters", []).append({"name": "x'y", "in": "query", "schema": {"enum": ["a"]}})
            operation["tags"] = ["a", "b"]
            operation.pop("summary", None)
            operation["responses"]["418"] = {"description": 'It\'s a "teapot".\n\nShort and stout.'}
    return Document.parse(json.dumps(tree), document.name)


@pytest.mark.long
@pytest.mark.parametrize("apply", [openapi_format, overlayjs])
@pytest.mark.parametrize("path", [*BUNDLED, *OTHERS], ids=lambda path: path.stem)
def test_others_make_the_same_of_an_overlay(path: Path, apply: Callable[[Path, Path], Any], tmp_path: Path) -> None:
    plain = without_difficulties(Document.read(path).tree)
    spec, overlay = tmp_path / f"{path.stem}.json", tmp_path / "overlay.yaml"
    spec.write_text(json.dumps(plain))
    before = Document.read(spec)
    after = revised(before)
    written = overlay_of(before, after, ())
    assert written is not None
    assert len(written.actions) >= 5
    overlay.write_text(written.to_text())
    assert list(differences(docrev.apply(overlay, spec).document.tree, after.tree)) == []
    theirs = json.loads(json.dumps(apply(spec, overlay)))
    assert list(differences(json.loads(json.dumps(after.tree)), theirs))[:3] == []
