"""Settings that a team shares: `docrev.toml` beside the specs, one table a command. Flags win over it.

    [explore]
    base-url = "http://127.0.0.1:8000"
    header = ["Authorization: env:ATLAS_TOKEN"]
    max-calls = 500

    [revise]
    edit = "docs"
    examples = "masked"

Keys are the long options without dashes in front. Credentials are named (`env:`, `file:`), never written down here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from docrev.errors import InputError

FILE_NAME = "docrev.toml"
MAX_SPEC_SIZE = 20 * 2**20
"""Bytes of a spec file that are read without being asked to."""
_NAMED_VALUE = re.compile(r"(?:[A-Za-z]+ +)?(?:env|file):.+")
_LISTS = ("base-url", "header", "allow", "deny")
_TEXTS = ("out", "model", "model-url", "strategy", "evidence", "edit", "method", "profile", "examples", "format")
_NUMBERS = ("max-calls", "concurrency", "rate", "timeout", "seed", "max-spec-size")
_FLAGS = ("compare", "single-tool", "links")
_TABLES: dict[str, tuple[str, ...]] = {
    "explore": (
        *("base-url", "header", "allow", "deny", "out", "model", "model-url", "strategy", "max-calls"),
        *("concurrency", "rate", "timeout", "seed", "max-spec-size", "compare", "single-tool"),
    ),
    "revise": ("evidence", "edit", "links", "method", "model", "profile", "examples", "max-spec-size"),
    "lint": ("max-spec-size",),
}


def shared(specs: Sequence[str | Path], command: str) -> dict[str, Any]:
    """The settings of `command` from the `docrev.toml` beside the specs, by option name; {} where there is none.

    Raises InputError where the file cannot be read, or holds an unknown key, a value of the wrong type, or a literal
    credential.
    """
    for spec in specs:
        folder = Path(spec)
        path = (folder if folder.is_dir() else folder.parent) / FILE_NAME
        if path.is_file():
            return _table(path, command)
    return {}


def _table(path: Path, command: str) -> dict[str, Any]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"not readable as TOML: {error}", where=str(path), fix="mend the file or remove it") from error
    _known(path, "table", document, tuple(_TABLES))
    for name, table in document.items():
        if not isinstance(table, dict):
            raise InputError(f"{name} is no table", where=str(path), fix=f"write [{name}]")
        _known(path, "setting", table, _TABLES[name])
        for key, value in table.items():
            table[key] = _checked(path, key, value)
    found = document.get(command, {})
    return dict(found)


def _known(path: Path, what: str, given: dict[str, Any], known: tuple[str, ...]) -> None:
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            fix = f"write {near[0]}" if near else f"one of {', '.join(sorted(known))}"
            raise InputError(f"unknown {what} {name}", where=str(path), fix=fix)


def _checked(path: Path, key: str, value: Any) -> Any:
    kinds: dict[str, tuple[type, ...]] = {
        **dict.fromkeys(_LISTS, (str, list)),
        **dict.fromkeys(_TEXTS, (str,)),
        **dict.fromkeys(_NUMBERS, (int, float)),
        **dict.fromkeys(_FLAGS, (bool,)),
    }
    wanted = kinds[key]
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        names = " or ".join(kind.__name__ for kind in wanted)
        raise InputError(f"{key} is {type(value).__name__}", where=str(path), fix=f"give a {names}")
    if key in _LISTS:
        value = [value] if isinstance(value, str) else value
        if not all(isinstance(part, str) for part in value):
            raise InputError(f"{key} holds something that is no text", where=str(path), fix="give a list of texts")
    if key == "header":
        for header in value:
            if not _NAMED_VALUE.fullmatch(header.partition(":")[2].strip()):
                name = header.partition(":")[0]
                raise InputError(
                    f"header {name} holds a literal value", where=str(path), fix=f'write "{name}: env:VARIABLE"'
                )
    return value


@dataclass(frozen=True, slots=True)
class Settings:
    """How to explore: the options of `docrev explore` under the same names.

    `base_urls` are `URL` or `TOOL=URL`; `headers` are `Name: VALUE`, `Name: env:VARIABLE` or `Name: file:PATH`; `allow`
    are methods or `METHOD /path`; `deny` are globs; `max_calls` None means 40 a operation; `rate` is in requests per
    second, 0 for no limit; `timeout` in seconds for one request; `probe_order` is `poorest` (what is documented worst
    is probed first) or `random`, to measure the first against.
    """

    base_urls: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    out: str = ".docrev"
    model: str = "offline"
    model_url: str | None = None
    strategy: str = "bfs"
    compare: bool = False
    single_tool: bool = False
    max_calls: int | None = None
    concurrency: int = 8
    rate: float = 0.0
    timeout: float = 15.0
    seed: int = 0
    probe_order: str = "poorest"
    fresh: bool = False
    max_spec_size: int = MAX_SPEC_SIZE
