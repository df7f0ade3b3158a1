"""The settings of `docrev bench` and `docrev bench recovery`. Loads nothing that runs agents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from docrev.settings.base import Flag, Texts
from docrev.settings.groups import AgentSettings, ApiSettings
from docrev.settings.models import ModelSettings


class BenchSettings(AgentSettings, ModelSettings):
    """How to let agents do the tasks of a suite."""

    docs: Annotated[
        Texts,
        Field(description="Documents to compare; may be repeated, and the first is the baseline. "
                          "By default original and revised."),
        Flag(metavar="NAME[=SPECS]"),
    ] = ()
    runners: Annotated[
        str, Field(description="Agents, separated by commas."), Flag("runner", metavar="NAMES")
    ] = "react"
    data: Annotated[
        Path | None, Field(strict=False, description="Folder of the suite's data."), Flag(metavar="DIR")
    ] = None
    fetch: Annotated[bool, Field(description="First download the suite's public data into your cache, once.")] = False
    as_published: Annotated[bool, Field(description="Do not correct the known errors in the suite's data.")] = False
    retrieve: Annotated[
        int | None,
        Field(ge=1, description="Give agents the K operations that a retriever finds; by default all."),
        Flag(metavar="K"),
    ] = None
    retriever: Annotated[
        str | None,
        Field(description="Embedding model of that retriever, beside BM25; by default BM25 alone."),
        Flag(metavar="PATH"),
    ] = None
    compression: Annotated[
        Path | None, Field(strict=False, description="Rules of docrev collect for long responses."), Flag(metavar="FILE")
    ] = None
    out: Annotated[
        Path, Field(strict=False, description="Folder to write to."), Flag(metavar="DIR")
    ] = Path(".docrev-bench")


class RecoverySettings(ApiSettings):
    """How to hide documentation of good specs, and to find it again."""

    simulate: Annotated[bool, Field(description="Call simulated services that are made of the good specs.")] = False
    kinds: Annotated[
        str, Field(description="Kinds of documentation to hide, separated by commas."), Flag("hide", metavar="KINDS")
    ] = "all"
    share: Annotated[float, Field(ge=0, le=1, description="Share of the places to hide."), Flag(metavar="X")] = 1.0
    calls: Annotated[int, Field(ge=1, description="Maximum number of requests for each operation."), Flag(metavar="N")] = 40
    closed: Annotated[
        bool, Field(description="Count what the good specs do not state as wrong: they are complete.")
    ] = False
    curve: Annotated[
        bool, Field(description="Also measure with 5, 10, 20 and 40 calls, and with probes in random order.")
    ] = False
    seed: Annotated[int, Field(description="Seed of everything that is drawn at random."), Flag(metavar="N")] = 0
    out: Annotated[
        Path | None,
        Field(strict=False, description="Folder for recovery.json and recovery.svg; by default none is written."),
        Flag(metavar="DIR"),
    ] = None
