"""The pages of the reference that are written from the code: settings, kinds of facts, formats of JSON.

A Sphinx extension. The examples of facts stand in `kinds.yaml`, and the build fails if a kind lacks one; those of JSON
are what commands print for a bundled service while the site is built.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir
from dataclasses import fields
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

import yaml
from click.testing import CliRunner

from docrev.cli import cli
from docrev.facts.kind import AnyKind, Record
from docrev.facts.registry import KINDS
from docrev.sandbox.serve import serve
from docrev.settings.base import Settings
from docrev.settings.file import TABLES

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
PAGES = HERE / "reference"
MOST_ITEMS, MOST_TEXT = 2, 160
"""How much of a list, and of a text, an example of JSON shows."""

FORMATS = {
    "Summary of an exploration": (
        "explore specs/atlas.yaml --base-url URL --out evidence --json",
        "What an exploration did, and what is left. `missed` says by operation why it was not reached,"
        " `wanted_values` which value would open how many operations, `left` what the run created and did not remove,"
        " `changed` what it changed by consent.",
    ),
    "Calls": (
        "evidence evidence --json",
        "JSON lines, one call each. `id` is what facts and changes name; `status` is null without a response, and"
        " `error` then says why there was none.",
    ),
    "Facts": (
        "facts evidence --json",
        "JSON lines, one fact each. `location` is a parameter (`query:page`), a property of the body (`body:/name`), a"
        " part of a response (`200:/data/0/id`), or empty for the operation; `calls` show it, `replays`"
        " showed it again.",
    ),
    "Revision": (
        "revise specs/atlas.yaml --evidence evidence --json",
        "The changes, each at a JSON pointer of a file, with the classes of its statements and the calls behind it.",
    ),
    "Difference": (
        "diff specs/atlas.yaml revised/atlas.yaml --format json",
        "What differs between two specs, by operation.",
    ),
    "Findings": ("lint specs/atlas.yaml --json", "What is wrong or undocumented in specs, with file, line and column."),
    "Check": (
        "check revised/atlas.yaml --base-url URL --evidence evidence --format json",
        "What is still true, what is no longer true (with what was seen instead, and the call as curl), and what could"
        " not be shown.",
    ),
}  # fmt: skip
"""By title: the command that prints it, and what it contains."""


def settings_page() -> str:
    """Every table of `docrev.toml` with its keys: type, default, and what the setting does."""
    lines = ["# Settings", "", _SETTINGS, ""]
    for table, group in TABLES.items():
        lines += [f"## [{table}]", "", "| key | value | default | what it does |", "|---|---|---|---|"]
        lines += [_setting_row(group, name) for name, flag in group.flags().items() if flag.in_file]
        lines.append("")
    return "\n".join(lines)


_SETTINGS = (
    "Settings that a team shares live in `docrev.toml`; options replace them. Keys are the long options without the"
    " dashes, and `[values]` contains what `--value` gives. The file is read from the working directory, from the root"
    " of its repository, or from where `--config` says, and from nowhere else."
)


def _setting_row(group: type[Settings], name: str) -> str:
    field, flag = group.model_fields[name], group.flags()[name]
    default = field.get_default(call_default_factory=True)
    default = default / flag.unit if flag.unit > 1 and default is not None else default
    shown = "" if default in (None, (), "") else f"`{json.dumps(default, default=str)}`"
    return f"| `{flag.name}` | {_kind(field.annotation)} | {shown} | {_cell(field.description or '')} |"


_KINDS = {str: "text", int: "whole number", float: "number", bool: "true or false", tuple: "texts"}


def _kind(annotation: object) -> str:
    """A type as a reader of `docrev.toml` calls it; the values themselves where only some are allowed."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _kind(parts[0])
    if origin is Literal:
        return ", ".join(f"`{part}`" for part in parts)
    if origin in (Union, UnionType):
        return ", ".join(_kind(part) for part in parts if part is not type(None))
    return _KINDS.get(origin or annotation, "table")  # type: ignore[call-overload, no-any-return]


def facts_page() -> str:
    """Every kind of fact: what it states, what it may be about, the form of its value, an example."""
    examples = yaml.safe_load((HERE / "kinds.yaml").read_text(encoding="utf-8"))
    if set(examples) != set(KINDS):
        raise ValueError(f"kinds.yaml and the registry of kinds differ in {sorted(set(examples) ^ set(KINDS))}")
    lines = ["# Kinds of facts", "", _FACTS, ""]
    for name, kind in KINDS.items():
        lines += _fact_section(name, kind, examples[name])
    return "\n".join(lines)


_FACTS = (
    "A fact is a typed statement on a parameter, a property of the request body, a part of a response, or an operation."
    " It is inferred from calls, and counts only after fresh calls showed it again. `docrev facts` lists the facts of a"
    " run, `--json` gives each as one line of JSON with the calls behind it."
)


def _fact_section(name: str, kind: AnyKind, example: Mapping[str, Any]) -> Iterator[str]:
    module = sys.modules[f"docrev.facts.kinds.{name.replace('-', '_')}"]
    statement = (module.__doc__ or "").strip().partition(": ")[2]
    kind.value.from_json(example["value"])  # an example that is none ends the build
    members = [field.name for field in fields(kind.value)] if issubclass(kind.value, Record) else []
    yield from (f"## {name}", "", statement[:1].upper() + statement[1:], "")
    value = f" Value: {', '.join(f'`{member}`' for member in members)}." if members else ""
    yield f"About: {', '.join(sorted(kind.about))}.{value}"
    fact = {"kind": name, "location": example["at"], "value": example["value"]}
    yield from ("", "```json", json.dumps(fact, ensure_ascii=False), "```", "")


def formats_page() -> str:
    """What commands print as JSON for the bundled Atlas service, shortened."""
    lines = ["# Formats of JSON", "", _FORMATS, ""]
    with serve(["atlas"]) as urls, TemporaryDirectory() as folder, chdir(folder):
        specs = resources.files("docrev.specs")
        Path("specs").mkdir()
        Path("specs/atlas.yaml").write_text(specs.joinpath("atlas.yaml").read_text(encoding="utf-8"), encoding="utf-8")
        for title, (command, text) in FORMATS.items():
            lines += [f"## {title}", "", f"`docrev {command}`", "", text, "", "```json"]
            lines += [_example(command.replace("URL", urls["atlas"]), urls["atlas"]), "```", ""]
            if title == "Revision":
                _printed("revise specs/atlas.yaml --evidence evidence -o revised")
    return "\n".join(lines)


_FORMATS = (
    "Each example is what the command prints for the bundled Atlas service. Lists are cut to two entries, and long"
    " texts are cut, which `…` marks."
)


def _example(command: str, url: str) -> str:
    printed = _printed(command).replace(url, "http://127.0.0.1:8101")
    try:
        document = json.loads(printed)
    except json.JSONDecodeError:  # one object a line
        document = json.loads(printed.splitlines()[0])
    return json.dumps(_shortened(document), indent=2, ensure_ascii=False)


def _printed(command: str) -> str:
    result = CliRunner().invoke(cli, command.split())
    if result.exit_code not in (0, 1):
        raise ValueError(f"docrev {command} ended with {result.exit_code}: {result.stderr}")
    return result.stdout


def _shortened(value: Any, depth: int = 0) -> Any:
    if isinstance(value, dict):
        return {name: _shortened(part, depth + 1) for name, part in list(value.items())[: 40 if depth < 2 else 12]}
    if isinstance(value, list):
        return [_shortened(part, depth + 1) for part in value[:MOST_ITEMS]] + (["…"] if len(value) > MOST_ITEMS else [])
    if isinstance(value, str) and len(value) > MOST_TEXT:
        return value[:MOST_TEXT] + "…"
    return value


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def write_pages(app: Sphinx) -> None:
    """Writes the pages, those alone whose text changed, so that Sphinx reads no others again."""
    for name, text in {"settings": settings_page(), "facts": facts_page(), "formats": formats_page()}.items():
        path = PAGES / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Sphinx's door to this extension."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
