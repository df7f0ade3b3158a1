"""The functions that `import docrev` offers; those on files alone are in `docrev.api_files`.

Their parameters are the fields of the settings, as a test checks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from docrev.events import Handler, Notice, ignore
from docrev.evidence import Evidence
from docrev.records import Change, ChangeClass
from docrev.revision import Revision
from docrev.sessions import checking as checking_session
from docrev.sessions import exploration as exploration_session
from docrev.sessions import observation as observation_session
from docrev.sessions import revision as revision_session
from docrev.sessions.checking import Check
from docrev.sessions.exploration import Exploration
from docrev.sessions.observation import Observation, Records
from docrev.sessions.opening import Specs
from docrev.sessions.report import report_page
from docrev.sessions.starting import Start, start
from docrev.sessions.twins import synchronous
from docrev.settings.base import SettingsT
from docrev.settings.choices import (
    DEFAULT_WORDS,
    MAX_SPEC_SIZE,
    Edit,
    Examples,
    ExplorationMethod,
    Listing,
    MarksPlace,
    Method,
    ProbeOrder,
    Profile,
    Strategy,
    Transport,
)
from docrev.settings.file import read_settings
from docrev.settings.groups import CheckSettings, ExploreSettings, InitSettings, ReviseSettings
from docrev.settings.models import Prices
from docrev.settings.serving import McpSettings, ObserveSettings
from docrev.spec import load
from docrev.storage.atomic import write_files


async def aexplore(
    specs: Specs,
    *,
    base_urls: str | Sequence[str] = (),
    headers: str | Sequence[str] = (),
    auth: str | Sequence[str] = (),
    allow: str | Sequence[str] = (),
    within: str | Sequence[str] = (),
    deny: str | Sequence[str] = (),
    out: str | Path = ".docrev",
    values: str | Sequence[str] = (),
    method: ExplorationMethod = "docrev",
    strategy: Strategy = "bfs",
    width: int | None = None,
    depth: int = 8,
    search_calls: int | None = None,
    compare: bool = False,
    single_tool: bool = False,
    max_calls: int | None = None,
    concurrency: int = 8,
    rate: float = 0.0,
    timeout: float = 15.0,
    seed: int = 0,
    probe_order: ProbeOrder = "poorest",
    fresh: bool = False,
    max_spec_size: int = MAX_SPEC_SIZE,
    model: str = "offline",
    model_url: str | None = None,
    model_for: str | Sequence[str] = (),
    templates: str | Path | None = None,
    temperature: float = 0.0,
    record: str | Path | None = None,
    no_model_cache: bool = False,
    max_model_calls: int | None = None,
    max_tokens: int | None = None,
    max_cost: float | None = None,
    prices: Prices | None = None,
    model_concurrency: int = 8,
    answer_tokens: int = 2048,
    model_timeout: float = 120.0,
    config: str | Path | None = None,
    on_event: Handler = ignore,
) -> Exploration:
    """Use an API and keep evidence of what it really does, in the folder `out`.

    `specs` are files or folders. The other parameters are the options of `docrev explore`, whose help describes them;
    `max_spec_size` is in bytes, times are in seconds, `rate` is in requests per second (0: no limit), and `max_calls`
    defaults to 50 for each operation. `config` names a settings file: what it says replaces parameters that have their
    default value; no file is read unless named. `on_event` receives the events of the run.

    Raises DocrevError and its kinds: UsageError for bad input, UnreachableError if the API cannot be reached.
    """
    settings = _settings(ExploreSettings, "explore", locals(), on_event)
    return await exploration_session.explore(specs, settings, on_event=on_event)


explore = synchronous(aexplore)


async def arevise(
    specs: Specs,
    *,
    evidence: str | Path | None = ".docrev",
    write_to: str | Path | None = None,
    in_place: bool = False,
    overlay: str | Path | None = None,
    edit: Edit = "docs",
    links: bool = False,
    method: Method = "docrev",
    profile: Profile = "none",
    words: int = DEFAULT_WORDS,
    examples: Examples = "masked",
    only: ChangeClass | Sequence[ChangeClass] = (),
    skip: ChangeClass | Sequence[ChangeClass] = (),
    pretty: bool = False,
    marks: MarksPlace = "lock",
    max_spec_size: int = MAX_SPEC_SIZE,
    model: str = "offline",
    model_url: str | None = None,
    model_for: str | Sequence[str] = (),
    templates: str | Path | None = None,
    temperature: float = 0.0,
    record: str | Path | None = None,
    no_model_cache: bool = False,
    max_model_calls: int | None = None,
    max_tokens: int | None = None,
    max_cost: float | None = None,
    prices: Prices | None = None,
    model_concurrency: int = 8,
    answer_tokens: int = 2048,
    model_timeout: float = 120.0,
    config: str | Path | None = None,
    on_event: Handler = ignore,
) -> Revision:
    """Write what was learned into the specs, as small changes; the documents on disk change only if asked for.

    `specs` are files or folders, `evidence` is the folder that `explore` wrote to. `write_to` is a folder for revised
    copies, `in_place` writes over the specs, and `overlay` is a file or folder for the changes as OpenAPI overlays.
    The other parameters are the options of `docrev revise`, whose help describes them; `config` and `on_event` are as
    for `explore`. Never calls the API.

    Raises DocrevError and its kinds.
    """
    settings = _settings(ReviseSettings, "revise", locals(), on_event)
    return await _revise(specs, settings, write_to, in_place=in_place, overlay=overlay, on_event=on_event)


revise = synchronous(arevise)


async def acheck(
    specs: Specs,
    *,
    base_urls: str | Sequence[str] = (),
    headers: str | Sequence[str] = (),
    auth: str | Sequence[str] = (),
    allow: str | Sequence[str] = (),
    within: str | Sequence[str] = (),
    deny: str | Sequence[str] = (),
    evidence: str | Path | None = ".docrev",
    operations: str | Sequence[str] = (),
    since: str = "",
    max_calls: int | None = None,
    concurrency: int = 8,
    rate: float = 0.0,
    timeout: float = 15.0,
    seed: int = 0,
    max_spec_size: int = MAX_SPEC_SIZE,
    config: str | Path | None = None,
    on_event: Handler = ignore,
) -> Check:
    """Ask an API whether what specs say of it is still true, in few calls, and by GET unless `allow` permits more.

    The parameters are the options of `docrev check`, whose help describes them; `config` and `on_event` are as for
    `explore`. Raises DocrevError and its kinds.
    """
    settings = _settings(CheckSettings, "check", locals(), on_event)
    return await checking_session.check(specs, settings, on_event=on_event)


check = synchronous(acheck)


async def amcp_server(
    specs: Specs,
    *,
    base_urls: str | Sequence[str] = (),
    headers: str | Sequence[str] = (),
    auth: str | Sequence[str] = (),
    allow: str | Sequence[str] = (),
    within: str | Sequence[str] = (),
    deny: str | Sequence[str] = (),
    transport: Transport = "stdio",
    port: int = 0,
    listing: Listing = "auto",
    out: str | Path | None = None,
    answer: int = 8000,
    max_calls: int | None = None,
    concurrency: int = 8,
    rate: float = 0.0,
    timeout: float = 15.0,
    max_spec_size: int = MAX_SPEC_SIZE,
    config: str | Path | None = None,
    on_event: Handler = ignore,
) -> None:
    """Serve the operations of specs to agents by the Model Context Protocol, until the client, or a signal, ends it.

    The parameters are the options of `docrev mcp`, whose help describes them; `config` and `on_event` are as for
    `explore`. A Notice has the URL of `transport` "http". Raises DocrevError and its kinds.
    """
    settings = _settings(McpSettings, "mcp", locals(), on_event)
    from docrev.sessions import mcp_server as mcp_session

    await mcp_session.serve(specs, settings, on_event=on_event)


mcp_server = synchronous(amcp_server)


async def aobserve(
    specs: Specs,
    records: Records,
    *,
    base_urls: str | Sequence[str] = (),
    out: str | Path = ".docrev",
    max_spec_size: int = MAX_SPEC_SIZE,
    config: str | Path | None = None,
    on_event: Handler = ignore,
) -> Observation:
    """Keep what records of traffic (HAR, JSON lines, Postman collections) have of an API as evidence; calls nothing.

    The parameters are the options of `docrev observe`, whose help describes them; `config` and `on_event` are as for
    `explore`. Raises DocrevError and its kinds.
    """
    settings = _settings(ObserveSettings, "observe", locals(), on_event)
    return await observation_session.observe(specs, records, settings, on_event=on_event)


observe = synchronous(aobserve)


async def ainit(
    specs: Specs,
    *,
    base_urls: str | Sequence[str] = (),
    headers: str | Sequence[str] = (),
    auth: str | Sequence[str] = (),
    folder: str | Path = ".",
    timeout: float = 15.0,
    max_spec_size: int = MAX_SPEC_SIZE,
    on_event: Handler = ignore,
) -> Start:
    """Try one call, and write `docrev.toml` into a folder. The parameters are the options of `docrev init`.

    Raises UsageError if there is one already, and DocrevError's kinds.
    """
    given = {"base_urls": base_urls, "headers": headers, "auth": auth, "timeout": timeout}
    settings = InitSettings.build(given | {"max_spec_size": max_spec_size})
    return await start(specs, settings, Path(folder), on_event=on_event)


init = synchronous(ainit)


async def areport(
    evidence: str | Path = ".docrev",
    *,
    specs: Specs = (),
    examples: Literal["masked", "observed"] = "masked",
    write_to: str | Path | None = None,
    max_spec_size: int = MAX_SPEC_SIZE,
) -> str:
    """What the newest run of `evidence` (a folder) came to, as one HTML page that needs nothing else.

    With `specs` it has each text before and after the revision. `write_to` is a file to write it to. Raises DocrevError
    and its kinds.
    """
    given = [specs] if isinstance(specs, str | Path) else list(specs)
    catalog = load(given, max_size=max_spec_size) if given else None
    changes: Sequence[Change] = ()
    if catalog is not None:
        settings = ReviseSettings(evidence=str(evidence), examples=examples)
        changes = (await revision_session.revise(catalog, settings)).changes
    with Evidence.open(evidence, write=False) as store:
        page = await asyncio.to_thread(report_page, store, catalog, changes, masked=examples == "masked")
    if write_to is not None:
        write_files([(Path(write_to), page.encode())])
    return page


report = synchronous(areport)


async def _revise(
    specs: Specs,
    settings: ReviseSettings,
    write_to: str | Path | None,
    *,
    in_place: bool,
    overlay: str | Path | None,
    on_event: Handler,
) -> Revision:
    given = [specs] if isinstance(specs, str | Path) else list(specs)
    catalog = load(given, max_size=settings.max_spec_size)
    revision = await revision_session.revise(catalog, settings, on_event=on_event)
    if in_place or write_to is not None:
        revision_session.write_revision(catalog, revision, given, write_to)
    if overlay is not None:
        revision_session.write_overlays(catalog, revision, Path(overlay))
    return revision


def _settings(group: type[SettingsT], table: str, parameters: Mapping[str, object], on_event: Handler) -> SettingsT:
    """The settings of a function's `parameters`, and of the `table` of the file that `config` names if there is one."""
    values, config = {name: parameters[name] for name in group.model_fields}, parameters["config"]
    if config is None:
        return group.build(values)
    filed = read_settings(Path(str(config)), group, table)
    given = {name: value for name, value in values.items() if value != group.model_fields[name].default}
    names = sorted(flag.name for name, flag in group.flags().items() if name in filed and name not in given)
    on_event(Notice(f"settings from {config}: {', '.join(names)}"))
    return group.build({**filed, **given})
