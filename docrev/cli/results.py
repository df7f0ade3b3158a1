"""How commands print: warnings on standard error, and the result as text or as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from docrev.cli.printing import echo, hint

_MOST = 20


def print_warnings(lines: Sequence[str]) -> None:
    """The first warnings on stderr, and how many more there are."""
    for line in lines[:_MOST]:
        hint(line)
    if len(lines) > _MOST:
        hint(f"{len(lines) - _MOST:,} more warnings (--json lists all)")


def print_result(result: Mapping[str, object], text: str, *, as_json: bool) -> None:
    """The result on standard output."""
    echo(json.dumps(result, indent=2, ensure_ascii=False) if as_json else text)
