"""The one way in which commands print."""

from __future__ import annotations

from collections.abc import Callable

import click

from docrev.language.characters import escaped


def echo(text: str = "", *, err: bool = False, nl: bool = True, style: Callable[[str], str] = str) -> None:
    """Print a text on standard output or error, escaped; `style` adds colours or moves of our own to what is safe."""
    click.echo(style(escaped(text)), err=err, nl=nl)
