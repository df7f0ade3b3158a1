"""`docrev generate`: what it writes, and what it prints with --json."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from docrev.cluster.parts import count_parts, shared_out
from docrev.cluster.pool import Cluster
from docrev.cluster.units import check_headers
from docrev.errors import UsageError
from docrev.events import Handler, Notice
from docrev.records import Json
from docrev.sessions.opening import load_operations
from docrev.storage.atomic import write_json, write_json_lines
from docrev.train.data import collecting, splitting
from docrev.train.data.annotating import annotate
from docrev.train.data.generating import generate
from docrev.train.data.granularity import grades
from docrev.train.data.instructions import counted, read_instructions, write_instructions
from docrev.train.data.optional_model import optional_model
from docrev.train.data.tool_listing import ToolListing
from docrev.train.settings import (
    AnnotationSettings,
    CollectSettings,
    GranularitySettings,
    InstructionSettings,
    SplitSettings,
)


def instructions(specs: Sequence[str], settings: InstructionSettings, on_event: Handler) -> dict[str, Json]:
    """Generate instructions into a file; returns what the command prints with --json."""
    out = Path(settings.out)
    catalog = load_operations(specs, settings)
    with _evidence(specs, settings, on_event) as folder:
        wanted = settings.model_copy(update={"evidence": folder})
        generated = asyncio.run(generate(catalog, wanted, out.parent, on_event))
    write_instructions(out, generated.instructions, ToolListing(catalog))
    _warn(generated.dropped, on_event)
    covered = {key for one in generated.instructions for key in one.relevant}
    if len(generated.instructions) < wanted.count:
        on_event(Notice(f"{len(generated.instructions)} of {wanted.count} instructions: the specs give no more"))
    return {
        "file": str(out),
        "instructions": len(generated.instructions),
        "operations": len(covered),
        "tools": len({key.tool for key in covered}),
        "dropped": dict(sorted((reason, count) for reason, count in generated.dropped.items() if count)),
    }


@contextmanager
def _evidence(specs: Sequence[str], settings: InstructionSettings, on_event: Handler) -> Iterator[Path | None]:
    """The evidence to work from: a folder that is there, or a collection of simulated worlds, made for this once."""
    if not settings.simulate:
        yield settings.evidence
        return
    if settings.evidence is not None:
        raise UsageError("--evidence is given as well", where="--simulate", fix="give --evidence, or --simulate")
    with tempfile.TemporaryDirectory(prefix="docrev-") as name:
        asked = CollectSettings(out=name, simulate=True, seed=settings.seed, max_spec_size=settings.max_spec_size)
        asyncio.run(collecting.collect(specs, asked, on_event))
        yield Path(name)


def granularities(
    file: Path, specs: Sequence[str], settings: GranularitySettings, on_event: Handler
) -> dict[str, Json]:
    """Write the five granularities of instructions as JSON lines; returns what the command prints with --json."""
    listing = ToolListing(load_operations(specs, settings))
    read = read_instructions([file], listing)
    _warn(read.dropped, on_event)
    seeds = [one for one in read.instructions if one.relevant]
    if len(seeds) < len(read.instructions):
        missing = len(read.instructions) - len(seeds)
        on_event(Notice(f"{counted(missing, 'instructions have no relevant operation')}: left out"))

    async def rows() -> list[Json]:
        async with optional_model(
            settings, Path(settings.out).parent, settings.seed, on_event, roles=("scenario",)
        ) as model:
            graded = [await grades(one, listing, seed=settings.seed, model=model) for one in seeds]
        return [grade.to_json(listing) for some in graded for grade in some]

    lines = asyncio.run(rows())
    write_json_lines(Path(settings.out), lines)
    return {"file": settings.out, "instructions": len(seeds), "rows": len(lines)}


def split(files: Sequence[Path], settings: SplitSettings) -> dict[str, Json]:
    """Write the sets of a split; returns what the command prints with --json."""
    sets = splitting.split(
        splitting.read_rows(files), count=settings.count, categories=settings.categories, seed=settings.seed
    )
    for name, count in sets.counts().items():
        file = settings.out / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        write_json(file, [row.data for row in sets.sets[name][:count]])
    return {
        "sets": sets.counts(),
        "dropped": sets.dropped,
        "categories": list(sets.categories),
        "tools": list(sets.tools),
    }


def _warn(dropped: Mapping[str, int], on_event: Handler) -> None:
    for reason, count in sorted(dropped.items()):
        if count:
            on_event(Notice(counted(count, reason)))


def solutions(
    files: Sequence[Path],
    specs: Sequence[str],
    settings: AnnotationSettings,
    on_event: Handler,
    cluster: str | None = None,
) -> dict[str, Json]:
    """Solve instructions and write what is kept; returns what the command prints with --json."""
    parts: Iterable[Path] = ()
    if cluster is not None:
        check_headers(settings.headers)
        request: dict[str, Json] = {"instructions": [*map(str, files)], "specs": [*specs]}
        request["settings"] = settings.model_dump(mode="json")
        parts = shared_out(
            Cluster.parse(cluster),
            "docrev.train.data.annotating:solve_part",
            request,
            settings.out,
            on_event,
            parts=count_parts(settings.base_urls),
        )
    return asyncio.run(annotate(files, specs, settings, on_event, [*parts])).to_json()
