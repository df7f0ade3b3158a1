"""What an API is called with, opened as the settings say: the catalog of its operations, and what sends the calls."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from docrev.calls.authentication import parse_auth
from docrev.calls.bases import choose_bases
from docrev.calls.credentials import Header, parse_header
from docrev.calls.executor import Executor
from docrev.calls.limits import Limits
from docrev.calls.policy import Policy
from docrev.events import Handler, Notice
from docrev.settings.groups import CallSettings, SpecSettings
from docrev.spec import Catalog, load
from docrev.spec.operation import Parameter
from docrev.spec.security import security_schemes

_BROKEN = ("unresolved-ref", "circular-ref", "remote-ref")

Specs = Sequence[str | Path] | str | Path
"""Files, or folders of files."""


def load_operations(specs: Specs, settings: SpecSettings) -> Catalog:
    """The catalog of specs. Raises UsageError if it has no operation, and as `spec.load`."""
    return load(specs, max_size=settings.max_spec_size).with_operations()


def open_executor(catalog: Catalog, settings: CallSettings, *, timeout: float) -> tuple[Executor, frozenset[str]]:
    """What sends, and the tools whose base URL the specs name; `timeout` is in seconds.

    Raises UsageError for settings that do not fit the catalog.
    """
    bases, from_specs = choose_bases(catalog.tools, settings.base_urls, catalog.servers)
    given = parse_auth(settings.auth, security_schemes(catalog), bases)
    headers = [*(parse_header(text) for text in settings.headers), *given.headers]
    executor = Executor(
        _without_given(catalog, headers),
        bases,
        headers=headers,
        clients=given.clients,
        policy=policy_for(catalog, settings, from_specs),
        limits=Limits(timeout=timeout),
        rate=settings.rate or None,
        concurrency=settings.concurrency,
    )
    return executor, from_specs


def _without_given(catalog: Catalog, headers: Sequence[Header]) -> Catalog:
    """The catalog without the parameters that a header, or a credential, was given for: many documents list the key as
    a parameter too, and what is made up for it would be sent in its place."""
    given = {(header.tool, header.place, header.name.lower()) for header in headers}

    def is_given(tool: str, parameter: Parameter) -> bool:
        return any((name, parameter.location, parameter.name.lower()) in given for name in ("", tool))

    return catalog.without_parameters(is_given)


def policy_for(catalog: Catalog, settings: CallSettings, from_specs: Collection[str]) -> Policy:
    """What may be called. Raises UsageError for what the settings name and the catalog does not have."""
    policy = Policy.parse(settings.allow, settings.deny, from_specs, within=settings.within)
    policy.check(catalog.operations)
    return policy


def introduce(executor: Executor, from_specs: Iterable[str], emit: Handler) -> None:
    """Tell what is left out of the specs, where calls go, and, from then on, for which pauses the API asks."""
    executor.rate.on_pause = lambda seconds: emit(Notice(f"the API asks for a pause: {seconds:.0f} s"))
    catalog, bases = executor.catalog, executor.bases
    for finding in catalog.left_out:
        emit(Notice(str(finding)))
    for glob in executor.policy.pointless(catalog.operations):
        emit(Notice(f"--deny: no operation is like {glob}"))
    if faults := sum(finding.id in _BROKEN for finding in catalog.findings):
        are = "reference leads" if faults == 1 else "references lead"
        emit(Notice(f"{faults} {are} nowhere in the specs: docrev lint shows where"))
    if urls := ", ".join(f"{tool}={bases[tool].url}" for tool in sorted(from_specs)):
        emit(Notice(f"no --base-url: using the servers that the specs name, for GET only: {urls}"))
    if executor.foreign_hosts:
        emit(Notice(f"calls go to {', '.join(executor.foreign_hosts)}"))
