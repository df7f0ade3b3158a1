"""Settings that a team shares: `docrev.toml`, one table for each command. Options on the command line replace it.

It is read from the working directory or the root of its repository, or from where `--config` says, and from nowhere
else: a file that came with somebody's specs must not decide which server gets a key, or which writes are allowed.

    [explore]
    base-url = "http://127.0.0.1:8000"
    header = ["Authorization: env:ATLAS_TOKEN"]
    max-calls = 500

    [revise]
    edit = "docs"
    examples = "masked"

    [models]
    model = "openai:gpt-x"
    max-cost = 5
    prices = {"openai:gpt-x" = {in = 2.5, out = 10}}

Keys are the long options without dashes in front; [models] holds those of language models for all commands, and what
a million tokens cost. Credentials are named (`env:`, `file:`), never written down here.
"""

from __future__ import annotations

import math
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from docrev.errors import InputError

FILE_NAME = "docrev.toml"
MAX_SPEC_SIZE = 20 * 2**20
"""Bytes of a spec file that are read without being asked to."""
_NAMED_VALUE = re.compile(r"(?:[A-Za-z]+ +)?(?:env|file):.+")
_LISTS = ("base-url", "header", "allow", "deny", "model-for")
_TEXTS = (
    *("out", "model", "model-url", "strategy", "evidence", "edit", "method", "profile", "examples", "format"),
    *("templates", "record"),
)
_NUMBERS = (
    *("max-calls", "concurrency", "rate", "timeout", "seed", "max-spec-size", "max-model-calls", "max-tokens"),
    *("max-cost", "model-concurrency", "model-timeout", "answer-tokens", "temperature"),
)
_FLAGS = ("compare", "single-tool", "links", "no-model-cache")
PRICES = "prices"
_MODELS = (
    *("model", "model-url", "model-for", "templates", "record", "no-model-cache", "max-model-calls", "max-tokens"),
    *("max-cost", "model-concurrency", "model-timeout", "answer-tokens", "temperature"),
)
_TABLES: dict[str, tuple[str, ...]] = {
    "explore": (
        *("base-url", "header", "allow", "deny", "out", "strategy", "max-calls"),
        *("concurrency", "rate", "timeout", "seed", "max-spec-size", "compare", "single-tool"),
        *_MODELS,
    ),
    "revise": ("evidence", "edit", "links", "method", "profile", "examples", "max-spec-size", *_MODELS),
    "lint": ("max-spec-size",),
    "models": (*_MODELS, PRICES),
}
_ASKING = ("explore", "revise")
"""The commands that ask models: [models] holds for them, too."""


def find_settings() -> Path | None:
    """The settings file of the working directory, or else of the root of its repository (the folder with `.git`).

    None where there is none, or another user wrote it: what may be called, and with which keys, is the user's to say.
    """
    return next((path for path in _own_places() if _is_own(path)), None)


def unread_settings(specs: Sequence[str | Path], used: Path | None) -> list[str]:
    """A line for each settings file that a user might expect to count, and that does not: those beside the specs."""
    folders = dict.fromkeys(path if path.is_dir() else path.parent for path in map(Path, specs))
    beside = [folder / FILE_NAME for folder in folders if (folder / FILE_NAME).is_file()]
    where = "settings come from the working directory or its repository's root; --config takes another file"
    lines = [f"{path} is not read: {where}" for path in beside if used is None or not path.samefile(used)]
    foreign = [path for path in _own_places() if used is None and path.is_file() and not _is_own(path)]
    return lines + [f"{path} is not read: it belongs to another user; --config takes it" for path in foreign]


def _own_places() -> list[Path]:
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    return [folder / FILE_NAME for folder in dict.fromkeys((here, root))]


def _is_own(path: Path) -> bool:
    with suppress(OSError):
        return path.is_file() and (os.name == "nt" or path.stat().st_uid in (os.getuid(), 0))
    return False


def read_settings(path: Path, command: str) -> dict[str, Any]:
    """The settings of `command` in a settings file, by option name.

    Raises InputError where the file cannot be read, or has an unknown key, a value of the wrong type, or a literal
    credential.
    """
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
    models = document.get("models", {}) if command in _ASKING else {}
    return {**models, **document.get(command, {})}


def _known(path: Path, what: str, given: dict[str, Any], known: tuple[str, ...]) -> None:
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            fix = f"write {near[0]}" if near else f"one of {', '.join(sorted(known))}"
            raise InputError(f"unknown {what} {name}", where=str(path), fix=fix)


def _checked(path: Path, key: str, value: Any) -> Any:
    if key == PRICES:
        return _prices(path, value)
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


def _prices(path: Path, value: Any) -> dict[str, dict[str, float]]:
    fix = 'write "openai:NAME" = {in = 2.5, out = 10}'
    for model, price in value.items() if isinstance(value, dict) else [("", None)]:
        numbers = list(price.values()) if isinstance(price, dict) and set(price) == {"in", "out"} else [None]
        for number in numbers:
            if not isinstance(number, int | float) or isinstance(number, bool) or not 0 <= number < math.inf:
                what = f"not the price of a million tokens: {model or value}"
                raise InputError(what, where=str(path), fix=fix)
    return dict(value)


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which models to ask, and what that may cost: the options that `explore` and `revise` share.

    `model_for` are `ROLE=MODEL`; `templates` is a folder of prompts to take instead of docrev's; `record` the file
    that answers are kept in, `no_model_cache` keeps them nowhere else; `max_cost` is in the currency of `prices`,
    which gives what a million tokens cost, `{"openai:gpt-x": {"in": 2.5, "out": 10}}`;
    `model_timeout` is in seconds; `answer_tokens` bound one answer, `max_tokens` all of them.
    """

    model: str = "offline"
    model_url: str | None = None
    model_for: tuple[str, ...] = ()
    templates: str | None = None
    record: str | None = None
    no_model_cache: bool = False
    max_model_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    prices: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    model_concurrency: int = 8
    model_timeout: float = 120.0
    answer_tokens: int = 2048
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Settings(ModelOptions):
    """How to explore: the options of `docrev explore` under the same names.

    `base_urls` are `URL` or `TOOL=URL`; `headers` are `Name: VALUE`, `Name: env:VARIABLE` or `Name: file:PATH`; `allow`
    are methods or `METHOD /path`; `deny` are globs; `max_calls` None means 40 a operation; `rate` is in requests per
    second, 0 for no limit; `timeout` in seconds for one request; `probe_order` is `poorest` (first what tells most
    for a call, which is where documentation is poorest) or `random`, to measure the first against.
    """

    base_urls: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    out: str = ".docrev"
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
