"""The first step on an API: one call by the settings that were given, and a settings file for all later ones."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from docrev.errors import DocrevError, UsageError
from docrev.events import Handler, ignore
from docrev.evidence import Evidence
from docrev.records import Call
from docrev.sessions import exploration
from docrev.sessions.exploration import Specs, load_operations
from docrev.settings.file import FILE_NAME, check_credentials
from docrev.settings.groups import ExploreSettings, InitSettings
from docrev.settings.schema import SCHEMA_URL
from docrev.spec.security import security_schemes
from docrev.storage.atomic import write_files


@dataclass(frozen=True, slots=True)
class Start:
    """The settings file that was written, and the call that was tried, or the `trouble` that there was with it."""

    path: Path
    text: str
    call: Call | None
    trouble: str
    schemes: tuple[str, ...]

    @property
    def advice(self) -> str:
        """What to do about the answer of the call; "" if all is well."""
        status = self.call.status if self.call is not None else None
        if status in (401, 403) or "credentials" in self.trouble:
            names = f" (the specs declare {', '.join(self.schemes)})" if self.schemes else ""
            return f"The API wants credentials{names}: give --auth SCHEME=env:VARIABLE or -H 'Name: env:VARIABLE'."
        if status == 404:
            return "Nothing is there: --base-url must be the whole prefix of the paths in the specs."
        if self.call is None or not self.call.ok:
            return self.trouble or "The API answered, but not with 2xx; docrev explore tries what else there is."
        return ""


async def start(specs: Specs, settings: InitSettings, folder: Path, *, on_event: Handler = ignore) -> Start:
    """Try one call, and write `docrev.toml` into a folder. Raises UsageError if there is one, and DocrevError's kinds.

    The file is written whatever came of the call: one who knows what was wrong mends it there.
    """
    path = folder / FILE_NAME
    if path.exists():
        raise UsageError("there is a settings file already", where=str(path), fix="edit it, or move it away")
    catalog = load_operations(specs, settings)
    given = {"base-url": settings.base_urls, "header": settings.headers, "auth": settings.auth}
    check_credentials(path, {"headers": settings.headers})
    text = _settings_text({name: values for name, values in given.items() if values})
    call, trouble = await _try_one(specs, settings, on_event)
    write_files([(path, text.encode())])
    return Start(path, text, call, trouble, tuple(scheme.name for scheme in security_schemes(catalog)))


async def _try_one(specs: Specs, settings: InitSettings, emit: Handler) -> tuple[Call | None, str]:
    """The call that an exploration would begin with, and what kept it from one."""
    shared = {name: getattr(settings, name) for name in InitSettings.model_fields}
    with tempfile.TemporaryDirectory(prefix="docrev-init-") as out:
        try:
            await exploration.explore(specs, ExploreSettings(**shared | {"out": out, "max_calls": 1}), on_event=emit)
        except UsageError:
            raise
        except DocrevError as error:
            return None, str(error)
        with Evidence.open(out, write=False) as evidence:
            sent = (call for call in evidence.iter_calls() if call.error not in ("denied", "budget"))
            call = next(sent, None)
            return call, "" if call is not None else "No call was tried: no GET needs nothing that must be found first."


def _settings_text(explore: Mapping[str, Sequence[str]]) -> str:
    """The settings file; the quotes of JSON are those of TOML."""
    lines = [f"{name} = {json.dumps(list(values), ensure_ascii=False)}" for name, values in explore.items()]
    return "\n".join([f"#:schema {SCHEMA_URL}", "", "[explore]", *lines, ""])
