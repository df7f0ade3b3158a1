"""How import and export end: their warnings, and one line or one object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

_MOST = 20


def warn(lines: Sequence[str]) -> None:
    """The first warnings on stderr, and how many more there are."""
    for line in lines[:_MOST]:
        click.echo(line, err=True)
    if len(lines) > _MOST:
        click.echo(f"{len(lines) - _MOST:,} more warnings (--json lists all)", err=True)


def tell(told: dict[str, Any], line: str, *, as_json: bool) -> None:
    """The result on stdout."""
    click.echo(json.dumps(told, indent=2, ensure_ascii=False) if as_json else line)
