"""The first step on an API: one call by the settings that were given, and a settings file for all later ones."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from docrev.calls.authentication import parse_auth
from docrev.calls.bases import choose_bases
from docrev.calls.challenges import credential_header
from docrev.calls.credentials import parse_header
from docrev.driver import Budget, Driver
from docrev.errors import DocrevError, UsageError
from docrev.events import Handler, ignore
from docrev.evidence import Evidence
from docrev.exploration.wanted_credentials import declared_header
from docrev.graph.tool_graph import ToolGraph
from docrev.offline import OfflineModel
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call
from docrev.sessions.opening import Specs, load_operations, open_executor
from docrev.settings.file import FILE_NAME, check_credentials
from docrev.settings.groups import InitSettings
from docrev.settings.schema import SCHEMA_URL
from docrev.spec import Catalog, Operation
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
    header: str = ""
    """The header that credentials go in, if a parameter of an operation is called so."""

    @property
    def advice(self) -> str:
        """What to do about the answer of the call; "" if all is well."""
        status = self.call.status if self.call is not None else None
        if status in (401, 403) or "credentials" in self.trouble:
            return f"The API wants credentials: write {self._credentials()} below [explore] in {FILE_NAME}."
        if status == 404:
            return f"Nothing is there: base-url in {FILE_NAME} must be the whole prefix of the paths in the specs."
        if self.call is not None and status is None:
            what = f"No answer ({self.call.error}: {self.call.detail})"
            return f"{what}; check base-url in {FILE_NAME}, and that the API runs."
        if self.call is None or not self.call.ok:
            return self.trouble or "The API answered, but not with 2xx; docrev explore tries what else there is."
        return ""

    def _credentials(self) -> str:
        """How they are written in the settings file, each scheme of the specs by its name."""
        schemes = (f'auth = ["{name}=env:VARIABLE"]' for name in self.schemes)
        asked = credential_header(self.call.headers) if self.call is not None else ""
        header = asked or f"{self.header or 'Name'}:"
        return " or ".join(schemes) or f'header = ["{header} env:VARIABLE"]'


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
    call, trouble = await _try_one(catalog, settings, on_event)
    write_files([(path, text.encode())])
    schemes = tuple(dict.fromkeys(scheme.name for scheme in security_schemes(catalog)))
    return Start(path, text, call, trouble, schemes, declared_header(catalog.operations))


def with_credential(catalog: Catalog, settings: InitSettings, text: str) -> InitSettings:
    """The settings with what a person answered: `Name: env:VARIABLE`, or a place for the first security scheme.

    `-` stands for none. Raises UsageError if it is neither, names no place, or holds the secret itself.
    """
    if text == "-":
        return settings
    schemes = security_schemes(catalog)
    if not schemes or _HEADER.match(text):
        check_credentials(Path(FILE_NAME), {"headers": (text,)})
        parse_header(text)
        return settings.model_copy(update={"headers": (text,)})
    auth = f"{schemes[0].name}={text}"
    parse_auth([auth], schemes, choose_bases(catalog.tools, settings.base_urls, catalog.servers)[0])
    return settings.model_copy(update={"auth": (auth,)})


_HEADER = re.compile(r"[\w-]+:\s")


async def _try_one(catalog: Catalog, settings: InitSettings, emit: Handler) -> tuple[Call | None, str]:
    """The call of a GET that needs nothing to be found first, and what kept it from being made."""
    operation = _simplest(catalog)
    if operation is None:
        return None, "No call was tried: every GET needs a value that must be found first."
    executor, _ = open_executor(catalog, settings, timeout=settings.timeout)
    try:
        with tempfile.TemporaryDirectory(prefix="docrev-init-") as out, Evidence.open(out, write=True) as evidence:
            evidence.begin({"init": True})
            model = OfflineModel(catalog, ToolGraph(catalog), 0)
            driver = Driver(executor, model, evidence, budget=Budget(1), concurrency=1, emit=emit)
            return await driver.run(_call(operation)), ""
    except UsageError:
        raise
    except DocrevError as error:
        return None, str(error)
    finally:
        await executor.close()


def _simplest(catalog: Catalog) -> Operation | None:
    """A GET without required parameters that answers with 2xx, where there is one: one that wants credentials."""
    found = [
        operation
        for operation in catalog.operations
        if operation.method == "GET"
        and "{" not in operation.path
        and not any(parameter.required for parameter in operation.parameters)
        and any(status[:1] == "2" for status in operation.responses)
    ]
    return min(found, key=lambda operation: not operation.security, default=None)


def _call(operation: Operation) -> Steps[Call]:
    call: Call = yield Invoke(operation.key, {}, "survey")
    return call


def _settings_text(explore: Mapping[str, Sequence[str]]) -> str:
    """The settings file; the quotes of JSON are those of TOML."""
    lines = [f"{name} = {json.dumps(list(values), ensure_ascii=False)}" for name, values in explore.items()]
    return "\n".join([f"#:schema {SCHEMA_URL}", "", "[explore]", *lines, ""])
