"""`docrev init`: the settings file of a repository, asked for on a terminal."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docrev.cli.options import settings_options, some_specs
from docrev.cli.printing import ask, echo
from docrev.cli.progress import waiting
from docrev.errors import UsageError
from docrev.settings.groups import InitSettings

if TYPE_CHECKING:
    from docrev.sessions.starting import Start
    from docrev.spec.security import SecurityScheme


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
    chosen = specs or (_asked("Specs (a file or a folder)", _usual_specs(), "SPECS"),)
    settings = _completed(chosen, settings)
    with waiting("trying one call"):
        start = asyncio.run(starting.start(chosen, settings, Path.cwd()))
    _show(start, chosen)


def _usual_specs() -> str:
    """Where the specs of a project usually are: the first of such files and folders that is there, or else `specs`."""
    names = ("specs", *(f"{name}.{end}" for name in ("openapi", "swagger") for end in ("json", "yaml", "yml")))
    return next((name for name in names if Path(name).exists()), "specs")


def _asked(what: str, default: str, missing: str) -> str:
    """The answer of a person. Raises UsageError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise UsageError(f"{missing} is missing, and nobody can be asked here", fix=f"give {missing}")
    return ask(what, default, str)


def _completed(specs: tuple[str, ...], settings: InitSettings) -> InitSettings:
    """The settings with what a person adds."""
    from docrev.sessions.starting import with_credential
    from docrev.spec import load
    from docrev.spec.security import security_schemes

    catalog = load(specs, max_size=settings.max_spec_size)
    if not settings.base_urls:
        servers = [url for urls in catalog.servers.values() for url in urls]
        whole = [url for url in servers if "://" in url] or [f"http://127.0.0.1:8000{url}" for url in (*servers, "")]
        url = _asked("Base URL", whole[0], "--base-url")
        settings = settings.model_copy(update={"base_urls": (url,)})
    if settings.headers or settings.auth or not sys.stdin.isatty():
        return settings
    what = _credential_question(security_schemes(catalog))
    return ask(what, "-", lambda text: with_credential(catalog, settings, text))


def _credential_question(schemes: Sequence[SecurityScheme]) -> str:
    if not schemes:
        return "Credential, as a header 'Name: env:VARIABLE' (- for none)"
    held = " of USER:PASSWORD" if schemes[0].kind == "basic" else ""
    where = f"Credential for {schemes[0].name}: env:VARIABLE or file:PATH{held}"
    return f"{where}, or a header 'Name: env:VARIABLE' (- for none)"


def _show(start: Start, specs: tuple[str, ...]) -> None:
    if start.call is not None:
        echo(f"{start.call.key.operation}: {start.call.status or start.call.error}")
    echo(f"wrote {start.path}")
    if start.advice:
        echo(start.advice)
    echo(f"\nNext: docrev explore {shlex.join(specs)}")
