"""The functions that `import docrev` offers. Their parameters are the fields of the settings, as a test checks."""

from __future__ import annotations

import asyncio
import functools
import json
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

from docrev.errors import InputError, UsageError
from docrev.events import Handler, Notice, ignore
from docrev.evidence import Evidence
from docrev.records import Change, ChangeClass
from docrev.revision import Revision, targets, write
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

P = ParamSpec("P")
T = TypeVar("T")


def _synchronous(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """The twin of an async function that waits for its end: the same parameters and documentation."""

    @functools.wraps(function)
    def wait(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(function(*args, **kwargs))
        raise UsageError("called inside a running event loop", fix=f"await docrev.{function.__name__}")

    wait.__name__ = function.__name__.removeprefix("a")
    return wait


def _asynchronous(function: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """The twin of a function for programs that run an event loop: it works in a thread of its own."""

    @functools.wraps(function)
    async def work(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(function, *args, **kwargs)

    work.__name__ = f"a{function.__name__}"
    return work


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
    settings = _settings(ExploreSettings, "explore", locals())
    return await exploration_session.explore(specs, settings, on_event=on_event)


explore = _synchronous(aexplore)


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
    settings = _settings(ReviseSettings, "revise", locals())
    return await _revise(specs, settings, write_to, in_place=in_place, overlay=overlay, on_event=on_event)


revise = _synchronous(arevise)


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
    settings = _settings(CheckSettings, "check", locals())
    return await checking_session.check(specs, settings, on_event=on_event)


check = _synchronous(acheck)


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
    settings = _settings(McpSettings, "mcp", locals())
    from docrev.sessions import mcp_server as mcp_session

    await mcp_session.serve(specs, settings, on_event=on_event)


mcp_server = _synchronous(amcp_server)


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
    settings = _settings(ObserveSettings, "observe", locals())
    return await observation_session.observe(specs, records, settings, on_event=on_event)


observe = _synchronous(aobserve)


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


init = _synchronous(ainit)


def lint(specs: Specs, *, validator: bool = True, max_spec_size: int = MAX_SPEC_SIZE) -> list[Finding]:
    """What is wrong or undocumented in specs; `validator` also asks openapi-spec-validator. Raises InputError."""
    return find_faults(load(specs, max_size=max_spec_size), validator=validator)


alint = _asynchronous(lint)


def show_findings(findings: Sequence[Finding], catalog: Catalog, format: FindingFormat) -> str:
    """Findings of `lint` or of a `Check`, on the specs of a catalog, as "sarif", "github", "junit" or "markdown"."""
    return show_all(findings, catalog.documents, format)


ashow_findings = _asynchronous(show_findings)


def diff(old: Source, new: Source, *, max_spec_size: int = MAX_SPEC_SIZE) -> Diff:
    """What differs between two specs: files, folders, `REF:path` of git, or catalogs. Formatting never does."""
    return compare(old, new, max_size=max_spec_size)


adiff = _asynchronous(diff)


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
        deletions = {call.key: call.status for call in kept.iter_calls(ok=True) if call.key.method == "DELETE"}
        known = {key: status for key, status in deletions.items() if status is not None}
        cleaning = None if leaving else Cleaning(kept.journal(), known)
        tree = workflows(catalog, sources, kept.scenarios(), kept.solutions(), cleaning)
    if not tree["workflows"]:
        what = "no scenario of these specs was solved" + ("" if leaving else " that leaves nothing behind")
        raise InputError(what, where=str(evidence), fix="run docrev explore first")
    write_files([(out, yaml_text(tree).encode("utf-8", "replace"))])
    return len(tree["workflows"])


aexport_arazzo = _asynchronous(export_arazzo)


def import_specs(format: str, sources: str | Path | Sequence[str | Path], write_to: str | Path) -> Imported:
    """Write what files, or folders of them, document in another format as OpenAPI into a folder, a file a tool.

    Returns what was read, with `warnings` on what was left out. Raises DocrevError and its kinds.
    """
    imported = read(format, [sources] if isinstance(sources, str | Path) else sources)
    imported.write(Path(write_to))
    return imported


aimport_specs = _asynchronous(import_specs)


def export_har(evidence: str | Path, write_to: str | Path) -> int:
    """Write the calls of the newest run in a folder of evidence as HAR 1.2; returns how many. Raises DocrevError."""
    with Evidence.open(evidence, write=False) as kept:
        log = har(kept.iter_calls())
    write_files([(Path(write_to), json.dumps(log, ensure_ascii=False, indent=1).encode("utf-8", "replace"))])
    return len(log["log"]["entries"])


aexport_har = _asynchronous(export_har)


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


aapply = _asynchronous(apply)


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


report = _synchronous(areport)


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


def _settings(group: type[SettingsT], table: str, parameters: Mapping[str, object]) -> SettingsT:
    """The settings of a function's parameters, and of the file that `config` names if there is one."""
    values = {name: parameters[name] for name in group.model_fields}
    config, on_event = parameters["config"], parameters["on_event"]
    if config is None:
        return group.build(values)
    filed = read_settings(Path(str(config)), group, table)
    given = {name: value for name, value in values.items() if value != group.model_fields[name].default}
    names = sorted(flag.name for name, flag in group.flags().items() if name in filed and name not in given)
    assert callable(on_event)
    on_event(Notice(f"settings from {config}: {', '.join(names)}"))
    return group.build({**filed, **given})
