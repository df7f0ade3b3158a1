"""The settings of exploring, revising and linting."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from docrev.settings.base import Flag, PathText, Settings, Texts
from docrev.settings.choices import MAX_SPEC_SIZE, Edit, Examples, Method, ProbeOrder, Profile, Strategy
from docrev.settings.models import ModelSettings

_Megabytes = Flag(metavar="MB", unit=2**20)


class SpecSettings(Settings):
    """How specs are read."""

    max_spec_size: Annotated[
        int, Field(gt=0, le=10**9 * 2**20, description="Maximum size of a spec file."), _Megabytes
    ] = MAX_SPEC_SIZE


class ApiSettings(Settings):
    """Where the API is, who calls it, and what may be called."""

    base_urls: Annotated[
        Texts,
        Field(description="URL to put before the paths of a spec; may be repeated, with the name of each tool."),
        Flag("base-url", metavar="[TOOL=]URL"),
    ] = ()
    headers: Annotated[
        Texts,
        Field(
            description="Header to send, as 'Name: VALUE', 'Name: env:VARIABLE' or 'Name: file:PATH'; may be repeated. "
            "A credential is sent to one host only; name its tool if there are several hosts."
        ),
        Flag("header", "H", metavar="[TOOL=]HEADER"),
    ] = ()
    allow: Annotated[
        Texts,
        Field(description="Methods to allow beside GET, as POST,DELETE, or one 'METHOD /path'; may be repeated."),
        Flag(metavar="METHODS"),
    ] = ()


class ExploreSettings(ApiSettings, ModelSettings, SpecSettings):
    """How to explore an API."""

    deny: Annotated[
        Texts,
        Field(description="Never call operations, paths or operationIds that match this pattern; may be repeated."),
        Flag(metavar="GLOB"),
    ] = ()
    out: Annotated[PathText, Field(description="Folder to keep the evidence in."), Flag(metavar="DIR")] = ".docrev"
    strategy: Annotated[Strategy, Field(description="Search strategy for scenarios.")] = "bfs"
    compare: Annotated[bool, Field(description="Search every scenario with all strategies and compare them.")] = False
    single_tool: Annotated[bool, Field(description="Make scenarios of one operation each (the paper's ablation).")] = (
        False
    )
    max_calls: Annotated[
        int | None,
        Field(ge=1, description="Maximum number of requests; by default 40 for each operation."),
        Flag(metavar="N"),
    ] = None
    concurrency: Annotated[
        int, Field(ge=1, le=256, description="Maximum number of concurrent requests."), Flag(metavar="N")
    ] = 8
    rate: Annotated[
        float, Field(ge=0, description="Maximum number of requests per second; 0 for no limit."), Flag(metavar="R")
    ] = 0.0
    timeout: Annotated[float, Field(ge=0.1, description="Timeout of one request, in seconds."), Flag(metavar="S")] = (
        15.0
    )
    seed: Annotated[int, Field(description="Seed of everything that is drawn at random."), Flag(metavar="N")] = 0
    probe_order: Annotated[
        ProbeOrder,
        Field(description="What to probe first: what is documented worst for the calls that it takes, or at random."),
        Flag(on_command_line=False, in_file=False),
    ] = "poorest"
    fresh: Annotated[
        bool, Field(description="Start a new run, and keep the evidence of the old one."), Flag(in_file=False)
    ] = False


class ReviseSettings(ModelSettings, SpecSettings):
    """How to revise documentation."""

    evidence: Annotated[
        PathText | None, Field(description="Folder that docrev explore wrote its evidence to."), Flag(metavar="DIR")
    ] = ".docrev"
    edit: Annotated[
        Edit, Field(description="What to change: texts alone, or also schemas and other parts of the contract.")
    ] = "docs"
    links: Annotated[bool, Field(description="Also write OpenAPI links for values that other operations take.")] = False
    method: Annotated[
        Method, Field(description="Method of revising: docrev's own, or that of an earlier paper to compare with.")
    ] = "docrev"
    profile: Annotated[
        Profile, Field(description="Keep texts within the limits of this consumer of the documentation.")
    ] = "none"
    examples: Annotated[
        Examples, Field(description="Observed values in texts: with personal ones masked, all as observed, or none.")
    ] = "masked"


class AgentSettings(Settings):
    """How agents do tasks, and who judges them."""

    judge: Annotated[
        str, Field(description="What judges the results: rules, or a model as for --model."), Flag(metavar="MODEL")
    ] = "rules"
    limit: Annotated[
        int | None, Field(ge=1, description="Do only the first N tasks; by default all."), Flag(metavar="N")
    ] = None
    steps: Annotated[int, Field(ge=1, description="Maximum number of steps on one path."), Flag(metavar="N")] = 12
    max_calls: Annotated[int, Field(ge=1, description="Maximum number of calls for one task."), Flag(metavar="N")] = 40
    concurrency: Annotated[
        int, Field(ge=1, le=64, description="Maximum number of concurrent tasks."), Flag(metavar="N")
    ] = 8
    seed: Annotated[int, Field(description="Seed of everything that is drawn at random."), Flag(metavar="N")] = 0
    fresh: Annotated[bool, Field(description="Repeat tasks that were done before.")] = False
