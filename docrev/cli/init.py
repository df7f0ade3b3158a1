"""`docrev init`: the settings file of a repository, asked for on a terminal."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docrev.cli.options import settings_options, some_specs
from docrev.cli.printing import echo
from docrev.cli.progress import waiting
from docrev.errors import UsageError
from docrev.settings.groups import InitSettings

if TYPE_CHECKING:
    from docrev.sessions.starting import Start


@click.command("init")
@some_specs
@click.option("--schema", is_flag=True, help="Print the JSON Schema of docrev.toml, and do nothing else.")
@settings_options(InitSettings, from_file=False)
def command(specs: tuple[str, ...], settings: InitSettings, *, schema: bool) -> None:
    """Write docrev.toml for the API that SPECS describe, after one call that shows whether it answers.

    What is not given as an option is asked for on a terminal: the specs, the base URL, and where the credentials are.
    The file names credentials and never contains them.

    \b
      docrev init
      docrev init specs --base-url https://api.example.org -H "Authorization: env:API_TOKEN"
    """
    from docrev.sessions import starting
    from docrev.settings.schema import settings_schema

    if schema:
        echo(json.dumps(settings_schema(), indent=2))
        return
    chosen = specs or (_asked("Specs (a file or a folder)", "specs", "SPECS"),)
    settings = _completed(chosen, settings)
    with waiting("trying one call"):
        start = asyncio.run(starting.start(chosen, settings, Path.cwd()))
    _show(start, chosen)


def _asked(what: str, default: str, missing: str) -> str:
    """The answer of a person. Raises UsageError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise UsageError(f"{missing} is missing, and nobody can be asked here", fix=f"give {missing}")
    return str(click.prompt(what, default=default, err=True))


def _completed(specs: tuple[str, ...], settings: InitSettings) -> InitSettings:
    """The settings with what a person adds."""
    from docrev.spec import load
    from docrev.spec.security import security_schemes

    catalog = load(specs, max_size=settings.max_spec_size)
    if not settings.base_urls:
        servers = [url for urls in catalog.servers.values() for url in urls if "://" in url]
        url = _asked("Base URL", servers[0] if servers else "http://127.0.0.1:8000", "--base-url")
        settings = settings.model_copy(update={"base_urls": (url,)})
    if settings.headers or settings.auth or not sys.stdin.isatty():
        return settings
    schemes = security_schemes(catalog)
    if not schemes:
        header = _asked("Header with a credential, as 'Authorization: env:API_TOKEN' (- for none)", "-", "--header")
        return settings if header == "-" else settings.model_copy(update={"headers": (header,)})
    what = f"Where is the credential for {schemes[0].name}, as env:VARIABLE or file:PATH (- for none)"
    source = _asked(what, "-", "--auth")
    return settings if source == "-" else settings.model_copy(update={"auth": (f"{schemes[0].name}={source}",)})


def _show(start: Start, specs: tuple[str, ...]) -> None:
    if start.call is not None:
        echo(f"{start.call.key.operation}: {start.call.status or start.call.error}")
    echo(f"wrote {start.path}")
    if start.advice:
        echo(start.advice)
    echo(f"\nNext: docrev explore {shlex.join(specs)}")
