"""`docrev apply`: an overlay on a spec, or on the next version of the spec that it was made for."""

from __future__ import annotations

import json
from pathlib import Path

import click

from docrev.cli.options import PathName, as_json, check_target, out_folder, settings_options
from docrev.cli.printing import echo
from docrev.cli.results import print_result
from docrev.records import Json
from docrev.settings.groups import SpecSettings
from docrev.spec.overlays import Application, AppliedAction

_LONGEST = 60


@click.command("apply")
@click.argument("overlay", type=PathName())
@click.argument("spec", required=False, type=PathName())
@out_folder("result")
@click.option("--in-place", is_flag=True, help="Write over SPEC.")
@settings_options(SpecSettings, from_file=False)
@as_json
def command(
    overlay: str, spec: str | None, settings: SpecSettings, *, out: Path | None, in_place: bool, as_json: bool
) -> int:
    """Put OVERLAY (OpenAPI Overlay 1.0 or 1.1) on SPEC; by default on the file that the overlay names.

    Comments, key order and quotes of SPEC stay as they are. Without -o and --in-place, prints the diff.

    An overlay of docrev revise fits the next version of a spec too: it finds parameters by their names, and an
    operation that moved by its operationId, or by its path with other names in it. It reports what the spec already
    says by itself, and does not write over what has changed since.

    \b
      docrev revise specs/shop.yaml --overlay shop.overlay.yaml
      docrev apply shop.overlay.yaml build/shop.yaml -o published

    With --json, one object: {applied, present, unfit: [{target, place, fate ("gone" or "changed"), found}]}.

    Exit code 1 if something no longer fits; the rest is applied.
    """
    from docrev.api_files import apply

    check_target(out, in_place=in_place)
    application = apply(overlay, spec, write_to=out, in_place=in_place, max_spec_size=settings.max_spec_size)
    if not (in_place or out or as_json):
        _print_diff(application)
    for outcome in application.unfit:
        echo(_line(outcome), err=True)
    print_result(_result(application), _summary(application), as_json=as_json)
    return 1 if application.unfit else 0


def _print_diff(application: Application) -> None:
    from docrev.spec import Catalog
    from docrev.spec.diff import compare
    from docrev.spec.diff.formats import show

    if application.original.text != application.document.text:
        echo(show(compare(Catalog.of([application.original]), Catalog.of([application.document]))))


def _result(application: Application) -> dict[str, Json]:
    unfit = [
        {"target": outcome.action.target, "place": outcome.action.extension.get("place", ""), "fate": outcome.fate}
        | {"found": outcome.found}
        for outcome in application.unfit
    ]
    return {"applied": application.count("applied"), "present": application.count("present"), "unfit": unfit}


def _summary(application: Application) -> str:
    counts = f"{application.count('applied'):,} applied, {application.count('present'):,} in the spec already"
    return f"{counts}, {len(application.unfit):,} no longer fit."


def _line(outcome: AppliedAction) -> str:
    where = f"{outcome.action.where}: {outcome.action.extension.get('place') or outcome.action.target}"
    if outcome.fate == "gone":
        return f"{where}: the spec has no such place; not applied"
    found = json.dumps(outcome.found, ensure_ascii=False)
    shown = found if len(found) <= _LONGEST else f"{found[: _LONGEST - 1]}…"
    return f"{where}: this has changed since, to {shown}; left as it is"
