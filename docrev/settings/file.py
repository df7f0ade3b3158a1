"""Settings that a team shares: `docrev.toml`, one table for each command. Options on the command line replace it.

    [explore]
    base-url = "http://127.0.0.1:8000"
    header = ["Authorization: env:ATLAS_TOKEN"]
    max-calls = 500

    [check]
    max-calls = 200

    [revise]
    edit = "docs"
    examples = "masked"

    [values]
    tenant = "main"
    "GET /zones/{id}:id" = 42

    [models]
    model = "openai:gpt-x"
    max-cost = 5
    prices = {"openai:gpt-x" = {in = 2.5, out = 10}}

Keys are the long options without dashes in front; base-url, header and auth of [explore] hold for [check] and [mcp]
too. [models] is for every command that asks language models, and [values] has what --value gives. Credentials
are named (`env:`, `file:`), never written down here. Paths are relative to the working directory.

The file is read from the working directory or the root of its repository, or from where `--config` says, and from
nowhere else: a file that came with somebody's specs must not decide which server gets a key or what may be written.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from pydantic import ValidationError

from docrev.errors import InputError, UsageError
from docrev.settings.base import Settings, first_problem
from docrev.settings.groups import CheckSettings, ExploreSettings, ReviseSettings, SpecSettings
from docrev.settings.models import ModelSettings
from docrev.settings.serving import McpSettings, ObserveSettings

FILE_NAME = "docrev.toml"
TABLES: dict[str, type[Settings]] = {
    "explore": ExploreSettings,
    "check": CheckSettings,
    "mcp": McpSettings,
    "observe": ObserveSettings,
    "revise": ReviseSettings,
    "lint": SpecSettings,
    "models": ModelSettings,
}
_FROM_EXPLORE = ("base_urls", "headers", "auth")
"""Where the API is, and the credentials for it: what [explore] says of these holds for `_SHARING` too."""
_SHARING = ("check", "mcp")
VALUES = "values"
_NAMED_VALUE = re.compile(r"(?:[A-Za-z]+ +)?(?:env|file):.+")


def find_settings() -> Path | None:
    """The settings file of the working directory, or else of the root of its repository (the folder with `.git`).

    None if there is none, or another user wrote it: what may be called, and with which keys, is the user's to say.
    """
    return next((path for path in _own_places() if _is_own(path)), None)


def unread_settings(specs: Sequence[str | Path], used: Path | None) -> list[str]:
    """A line for each settings file that a user might expect to count, and that does not: those beside the specs."""
    where = "settings come from the working directory or its repository's root; --config takes another file"
    lines = [f"{path} is not read: {where}" for path in _beside(specs) if used is None or not path.samefile(used)]
    if used is None:
        foreign = (path for path in _own_places() if path.is_file() and not _is_own(path))
        lines += [f"{path} is not read: it belongs to another user; --config takes it" for path in foreign]
    return lines


def _beside(specs: Sequence[str | Path]) -> list[Path]:
    folders = dict.fromkeys(path if path.is_dir() else path.parent for path in map(Path, specs))
    return [folder / FILE_NAME for folder in folders if (folder / FILE_NAME).is_file()]


def read_settings(path: Path, group: type[Settings], table: str = "") -> dict[str, object]:
    """The settings of `group` in a file, by field: those of its `table`, of [models] if it asks models, and [values].

    Raises InputError if the file cannot be read, or has an unknown key, a value of the wrong type, or a literal
    credential.
    """
    document = _read(path)
    given = [f"{name}={text}" for name, value in document.pop(VALUES, {}).items() for text in _texts(value)]
    values = {name: _checked(path, name, content) for name, content in document.items()}
    if given and "values" in group.model_fields:
        values.setdefault(table, {})["values"] = tuple(given)
    models = values.get("models", {}) if issubclass(group, ModelSettings) else {}
    shared = {name: value for name, value in values.get("explore", {}).items() if name in _FROM_EXPLORE}
    return {**models, **(shared if table in _SHARING else {}), **values.get(table, {})}


def _own_places() -> list[Path]:
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    return [folder / FILE_NAME for folder in dict.fromkeys((here, root))]


def _is_own(path: Path) -> bool:
    with suppress(OSError):
        return path.is_file() and (os.name == "nt" or path.stat().st_uid in (os.getuid(), 0))
    return False


def _read(path: Path) -> dict[str, Mapping[str, object]]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("no such file", where=str(path), fix="check --config") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), fix="check --config") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"not readable as TOML: {error}", where=str(path), fix="mend the file or remove it") from error
    for name, content in document.items():
        _check_name(path, "table", name, (*TABLES, VALUES))
        if not isinstance(content, dict):
            raise InputError(f"{name} is no table", where=str(path), fix=f"write [{name}]")
    return document


def _texts(value: object) -> list[str]:
    """Values of TOML as --value takes them: texts and dates as they are, all else as JSON; a list is several values."""
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    return [value if isinstance(value, str) else json.dumps(value, default=str).strip('"')]


def _check_name(path: Path, what: str, name: str, names: Iterable[str]) -> None:
    if name not in names:
        near = get_close_matches(name, names := sorted(names), 1)
        fix = f"write {near[0]}" if near else f"one of {', '.join(names)}"
        raise InputError(f"unknown {what} {name}", where=str(path), fix=fix)


def _checked(path: Path, table: str, content: Mapping[str, object]) -> dict[str, object]:
    """The values of a table by field, after validation."""
    group = TABLES[table]
    fields = {flag.name: name for name, flag in group.flags().items() if flag.in_file}
    given: dict[str, object] = {}
    for key, value in content.items():
        _check_name(path, "setting", key, fields)
        flag = group.flags()[fields[key]]
        given[fields[key]] = flag.in_base_units(value)
    try:
        settings = group.model_validate(given)
    except ValidationError as error:
        name, what = first_problem(error)
        raise InputError(
            f"{group.flags()[name].name} {what}", where=str(path), fix="docrev init --schema says what it takes"
        ) from None
    except UsageError as error:
        raise InputError(error.what, where=str(path), fix=error.fix) from None
    found = {name: getattr(settings, name) for name in given}
    check_credentials(path, found)
    return found


def check_credentials(path: Path, found: Mapping[str, object]) -> None:
    """Raises InputError if a header of these settings has a literal value: a file that is shared names credentials."""
    headers = found.get("headers", ())
    assert isinstance(headers, tuple)
    for header in headers:
        name, _, value = header.partition(":")
        if not _NAMED_VALUE.fullmatch(value.strip()):
            fix = f'write "{name}: env:VARIABLE"'
            raise InputError(f"header {name} has a literal value", where=str(path), fix=fix)
