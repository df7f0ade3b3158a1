"""The functions that `import docrev` offers on files alone: specs, overlays, evidence. None of them calls an API."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from docrev.errors import InputError
from docrev.evidence import Evidence
from docrev.revision import targets, write
from docrev.sessions.opening import Specs
from docrev.sessions.twins import asynchronous
from docrev.settings.choices import (
    MAX_SPEC_SIZE,
)
from docrev.spec import Catalog, Document, Finding, load
from docrev.spec.diff import Diff, Source, compare
from docrev.spec.finding_formats import FindingFormat
from docrev.spec.finding_formats import show_findings as show_all
from docrev.spec.formats import Imported, read
from docrev.spec.formats.arazzo.cleaning import Cleaning
from docrev.spec.formats.arazzo.writer import workflows
from docrev.spec.formats.imported import yaml_text
from docrev.spec.lint import lint as find_faults
from docrev.spec.overlays import Application, apply_overlay, overlaid_spec, read_overlay
from docrev.storage.atomic import write_files
from docrev.traffic.har_writing import har


def lint(specs: Specs, *, validator: bool = True, max_spec_size: int = MAX_SPEC_SIZE) -> list[Finding]:
    """What is wrong or undocumented in specs; `validator` also asks openapi-spec-validator. Raises InputError."""
    return find_faults(load(specs, max_size=max_spec_size), validator=validator)


alint = asynchronous(lint)


def show_findings(findings: Sequence[Finding], catalog: Catalog, format: FindingFormat) -> str:
    """Findings of `lint` or of a `Check`, on the specs of a catalog, as "sarif", "github", "junit" or "markdown"."""
    return show_all(findings, catalog.documents, format)


ashow_findings = asynchronous(show_findings)


def diff(old: Source, new: Source, *, max_spec_size: int = MAX_SPEC_SIZE) -> Diff:
    """What differs between two specs: files, folders, `REF:path` of git, or catalogs. Formatting never does."""
    return compare(old, new, max_size=max_spec_size)


adiff = asynchronous(diff)


def export_arazzo(
    specs: Specs,
    write_to: str | Path,
    *,
    evidence: str | Path = ".docrev",
    leaving: bool = False,
    max_spec_size: int = MAX_SPEC_SIZE,
) -> int:
    """Write the scenarios that an exploration solved as Arazzo 1.0.1 workflows, into a file beside or near the specs.

    A workflow deletes at its end what it created. `leaving` writes those too that would leave something behind, and no
    deletion. Returns how many workflows there are. Raises InputError if nothing was solved, and DocrevError.
    """
    catalog, out = load(specs, max_size=max_spec_size), Path(write_to)
    sources = {tool: Path(os.path.relpath(file, out.parent)).as_posix() for tool, file in catalog.files.items()}
    with Evidence.open(evidence, write=False) as kept:
        deletions = {call.key: call.status for call in kept.calls.select(ok=True) if call.key.method == "DELETE"}
        known = {key: status for key, status in deletions.items() if status is not None}
        cleaning = None if leaving else Cleaning(kept.journal.items(), known)
        tree = workflows(catalog, sources, kept.scenarios(), kept.solutions(), cleaning)
    if not tree["workflows"]:
        what = "no scenario of these specs was solved" + ("" if leaving else " that leaves nothing behind")
        raise InputError(what, where=str(evidence), fix="run docrev explore first")
    write_files([(out, yaml_text(tree).encode("utf-8", "replace"))])
    return len(tree["workflows"])


aexport_arazzo = asynchronous(export_arazzo)


def import_specs(format: str, sources: str | Path | Sequence[str | Path], write_to: str | Path) -> Imported:
    """Write what files, or folders of them, document in another format as OpenAPI into a folder, a file a tool.

    Returns what was read, with `warnings` on what was left out. Raises DocrevError and its kinds.
    """
    imported = read(format, [sources] if isinstance(sources, str | Path) else sources)
    imported.write(Path(write_to))
    return imported


aimport_specs = asynchronous(import_specs)


def export_har(evidence: str | Path, write_to: str | Path) -> int:
    """Write the calls of the newest run in a folder of evidence as HAR 1.2; returns how many. Raises DocrevError."""
    with Evidence.open(evidence, write=False) as kept:
        log = har(kept.calls.select())
    write_files([(Path(write_to), json.dumps(log, ensure_ascii=False, indent=1).encode("utf-8", "replace"))])
    return len(log["log"]["entries"])


aexport_har = asynchronous(export_har)


def apply(
    overlay: str | Path,
    spec: str | Path | None = None,
    *,
    write_to: str | Path | None = None,
    in_place: bool = False,
    max_spec_size: int = MAX_SPEC_SIZE,
) -> Application:
    """Apply an OpenAPI overlay (a file) to a spec, by default to that which it names; says what no longer fits.

    `write_to` is a folder for the result, `in_place` writes over the spec. Raises DocrevError and its kinds.
    """
    document = Document.read(overlaid_spec(overlay) if spec is None else spec, max_size=max_spec_size)
    application = apply_overlay(document, read_overlay(overlay))
    if in_place or write_to is not None:
        paths = targets({document.name: document}, [document.name], write_to)
        write([(application.document, paths[document.name])])
    return application


aapply = asynchronous(apply)
