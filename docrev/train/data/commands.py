"""From the options of `docrev generate` to what it writes and prints."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from docrev.answering import tuples
from docrev.errors import UsageError
from docrev.events import Handler, Notice
from docrev.records import Json
from docrev.runners import Limits
from docrev.settings.models import ModelSettings
from docrev.spec import Catalog, load
from docrev.storage.atomic import write_json_lines
from docrev.train.data import collecting
from docrev.train.data.annotating import Request, annotate
from docrev.train.data.asking import asking
from docrev.train.data.generating import Wanted, generate
from docrev.train.data.granularity import grades
from docrev.train.data.instructions import counted, read_instructions, write_instructions
from docrev.train.data.listing import Listing


def instructions(specs: Sequence[str], options: Mapping[str, Any], on_event: Handler) -> dict[str, Json]:
    """Generate instructions into a file; returns what the command prints with --json."""
    out = Path(options["out"])
    catalog = catalog_of(specs, options)
    with _evidence(specs, options, on_event) as folder:
        wanted = Wanted(options["count"], options["kind"], options["seed"], folder, model_options(options))
        made = asyncio.run(generate(catalog, wanted, out.parent, on_event))
    write_instructions(out, made.instructions, Listing(catalog))
    _warn(made.dropped, on_event)
    covered = {key for one in made.instructions for key in one.relevant}
    if len(made.instructions) < wanted.count:
        on_event(Notice(f"{len(made.instructions)} of {wanted.count} instructions: nothing else was to be said"))
    return {
        "file": str(out),
        "instructions": len(made.instructions),
        "operations": len(covered),
        "tools": len({key.tool for key in covered}),
        "dropped": dict(sorted((reason, count) for reason, count in made.dropped.items() if count)),
    }


@contextmanager
def _evidence(specs: Sequence[str], options: Mapping[str, Any], on_event: Handler) -> Iterator[Path | None]:
    """The evidence to work from: a folder that is there, or a collection of simulated worlds, made for this once."""
    if not options["simulate"]:
        yield options["evidence"]
        return
    if options["evidence"] is not None:
        raise UsageError("--evidence is given as well", where="--simulate", fix="give --evidence, or --simulate")
    with tempfile.TemporaryDirectory(prefix="docrev-") as name:
        asked = collecting.Request(
            out=name, simulate=True, seed=options["seed"], max_spec_size=options["max_spec_size"]
        )
        asyncio.run(collecting.collect(specs, asked, on_event))
        yield Path(name)


def granularities(file: Path, specs: Sequence[str], options: Mapping[str, Any], on_event: Handler) -> dict[str, Json]:
    """Write the five granularities of instructions as JSON lines; returns what the command prints with --json."""
    listing = Listing(catalog_of(specs, options))
    read = read_instructions([file], listing)
    _warn(read.dropped, on_event)
    seeds = [one for one in read.instructions if one.relevant]
    if len(seeds) < len(read.instructions):
        missing = len(read.instructions) - len(seeds)
        on_event(Notice(f"{counted(missing, 'instructions have no relevant operation')}: left out"))

    async def rows() -> list[Json]:
        async with asking(
            model_options(options), Path(options["out"]).parent, options["seed"], on_event, roles=("scenario",)
        ) as model:
            found = [await grades(one, listing, seed=options["seed"], model=model) for one in seeds]
        return [grade.to_json(listing) for some in found for grade in some]

    made = asyncio.run(rows())
    write_json_lines(Path(options["out"]), made)
    return {"file": options["out"], "instructions": len(seeds), "rows": len(made)}


def catalog_of(specs: Sequence[str], options: Mapping[str, Any]) -> Catalog:
    """The operations of specs; UsageError where there are none."""
    catalog = load(list(specs), max_size=options["max_spec_size"])
    if not catalog.operations:
        raise UsageError("the specs describe no operation", where=", ".join(catalog.documents), fix="run docrev lint")
    return catalog


def model_options(options: Mapping[str, Any]) -> ModelSettings:
    """Which models are asked."""
    return ModelSettings(
        **tuples({one.name: options[one.name] for one in fields(ModelSettings) if one.name in options})
    )


def _warn(dropped: Mapping[str, int], on_event: Handler) -> None:
    for reason, count in sorted(dropped.items()):
        if count:
            on_event(Notice(counted(count, reason)))


def solutions(
    files: Sequence[Path], specs: Sequence[str], options: Mapping[str, Any], on_event: Handler
) -> dict[str, Json]:
    """Solve instructions and write what is kept; returns what the command prints with --json."""
    return asyncio.run(annotate(requested(files, specs, options), on_event)).to_json()


def requested(files: Sequence[Path], specs: Sequence[str], options: Mapping[str, Any]) -> Request:
    """How instructions are to be solved."""
    known = {one.name for one in fields(Request)} - {"instructions", "specs", "models", "limits"}
    return Request(
        tuple(files),
        tuple(specs),
        **tuples({name: value for name, value in options.items() if name in known}),
        limits=Limits(steps=options["steps"], calls=options["max_calls"]),
        models=model_options(options),
    )
