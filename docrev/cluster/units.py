"""Units of an exploration: which tools belong together, and what a worker must be sent to explore them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import networkx as nx

from docrev.calls.authentication import parse_auth
from docrev.calls.bases import parse_base
from docrev.calls.credentials import Header, assign_headers, parse_header
from docrev.calls.policy import Policy
from docrev.errors import UsageError
from docrev.exploration.given_values import parse_values
from docrev.graph.tool_graph import ToolGraph
from docrev.grouping import grouped
from docrev.json_values.canonical import digest
from docrev.records import Json
from docrev.sessions.leftovers import CALLS_PER_OPERATION
from docrev.settings.groups import CallSettings
from docrev.spec import Catalog, Operation
from docrev.spec.files import stem_of
from docrev.spec.security import security_schemes

_SOURCE = re.compile(r"\b(?:env|file):")
_SHARED = ("max_model_calls", "max_tokens", "max_cost")
"""Limits of the whole run, of which each unit has a part."""


class _AnySecret(dict[str, str]):
    """An environment in which every variable is set: what stands for secrets where only their form is looked at."""

    def get(self, name: str, default: object = None) -> str:
        return "x:x"


_ANY = _AnySecret()


@dataclass(frozen=True, slots=True)
class Unit:
    """Tools that are explored together; `operations` are those of all of them."""

    tools: tuple[str, ...]
    operations: tuple[Operation, ...]

    @property
    def name(self) -> str:
        """A name for its folder, the same wherever its tools are explored."""
        return digest(list(self.tools), 16)


def units_of(catalog: Catalog, bases: Mapping[str, str]) -> list[Unit]:
    """The units of a catalog, sorted by tool: tools that the graph connects, or that have the same host.

    Since a host is of one unit, and a unit with one worker at a time, limits on requests hold for each host.
    """
    groups: nx.Graph[str] = nx.Graph()
    groups.add_nodes_from(catalog.tools)
    groups.add_edges_from((edge.source.tool, edge.target.tool) for edge in ToolGraph(catalog).edges())
    first: dict[str, str] = {}
    for tool, url in bases.items():
        groups.add_edge(tool, first.setdefault(parse_base(url).origin.partition("://")[2], tool))
    components = sorted(tuple(sorted(tools)) for tools in nx.connected_components(groups))
    by_tool = grouped((operation.tool, operation) for operation in catalog.operations)
    units = (Unit(tools, tuple(op for tool in tools for op in by_tool.get(tool, ()))) for tools in components)
    return [unit for unit in units if unit.operations]


def shares(limit: int | None, units: Sequence[Unit], for_each: int = CALLS_PER_OPERATION) -> list[int]:
    """How many requests each unit may make: as many for each operation as any other.

    They add up to `limit`, or are so many `for_each` operation without one.
    """
    counts = [len(unit.operations) for unit in units]
    if limit is None:
        return [for_each * count for count in counts]
    ends = [limit * sum(counts[:place]) // sum(counts) for place in range(len(counts) + 1)]
    parts = [end - start for start, end in pairwise(ends)]
    if not all(parts):
        fix = f"give {sum(counts):,} or more"
        raise UsageError(f"too few for {len(units):,} units", where="--max-calls", fix=fix)
    return parts


def unit_task(
    unit: Unit, catalog: Catalog, bases: Mapping[str, str], settings: CallSettings, calls: int
) -> dict[str, Json]:
    """What a worker is given to explore a unit in so many calls: its documents, and its settings."""
    values = _settings(unit, catalog, bases, settings, calls)
    return {"documents": _documents(unit, catalog), "settings": values}


def _settings(
    unit: Unit, catalog: Catalog, bases: Mapping[str, str], settings: CallSettings, calls: int
) -> dict[str, Json]:
    """The settings by which a unit is explored, as JSON: what names other tools or operations is left out."""
    part, operations = len(unit.operations) / len(catalog.operations), unit.operations
    schemes = [scheme for scheme in security_schemes(catalog) if scheme.tool in unit.tools]
    of_unit = {tool: bases[tool] for tool in unit.tools if tool in bases}
    names_unit = partial(_names_unit, unit=unit)
    values: dict[str, Json] = settings.model_dump(mode="json")
    values |= {
        "fresh": False,
        "max_calls": calls,
        "base_urls": [*filter(names_unit, settings.base_urls)],
        "headers": [*filter(names_unit, settings.headers)],
        "auth": _fitting(settings.auth, lambda text: parse_auth([_formal(text)], schemes, of_unit, _ANY)),
        "allow": _fitting(settings.allow, lambda text: Policy.parse([text]).check(operations)),
        "within": _fitting(settings.within, lambda text: Policy.parse(within=[text]).check(operations)),
    }
    if "values" in values:
        values["values"] = _fitting(values["values"], lambda text: parse_values([text], operations))
    # What models may cost is a limit of the whole run.
    return values | {name: type(values[name])(values[name] * part) for name in _SHARED if values[name] is not None}


def check_secrets(
    settings: CallSettings, bases: Mapping[str, str], from_specs: Iterable[str], catalog: Catalog
) -> None:
    """Raise UsageError for credentials that are written out, which would be sent to workers, and for such as no
    exploration takes. Nothing is read: they are where the workers are.
    """
    headers = check_headers(settings.headers)
    headers += parse_auth([*map(_formal, settings.auth)], security_schemes(catalog), bases, _ANY).headers
    assign_headers(headers, {tool: parse_base(url).host for tool, url in bases.items()}, set(from_specs))


def check_headers(texts: Iterable[str]) -> list[Header]:
    """The headers without what they hold. Raises UsageError for a credential that is written out."""
    headers: list[Header] = []
    for text in texts:
        header = parse_header(_formal(text), _ANY)
        if header.secret and not _SOURCE.search(text):
            fix = "give env:VARIABLE or file:PATH, which workers read where they are"
            raise UsageError("a credential is not sent to workers", where=f"-H {header.name}", fix=fix)
        headers.append(header)
    return headers


def _documents(unit: Unit, catalog: Catalog) -> dict[str, str]:
    """The documents that a unit needs, as texts by their place in one folder: its specs, and what is no spec itself.

    A file whose stem is not the name of its tool, as another has the same, gets that name.
    """
    tools = {catalog.files[tool]: tool for tool in unit.tools}
    names = [name for name in catalog.documents if name in tools or name not in catalog.files.values()]
    paths = {name: Path(os.path.abspath(name)) for name in names}
    root = os.path.commonpath([path.parent for path in paths.values()])
    documents: dict[str, str] = {}
    for name, path in paths.items():
        place = path.relative_to(root)
        if name in tools and stem_of(name) != tools[name]:
            place = place.with_name(f"{tools[name]}{path.suffix}")
        documents[str(place)] = catalog.documents[name].to_bytes().decode("utf-8", "surrogateescape")
    return documents


def _formal(text: str) -> str:
    """A credential by its form alone, which no file need be read for."""
    return _SOURCE.sub("env:", text)


def _fitting(texts: Iterable[str], read: Callable[[str], object]) -> list[str]:
    """The settings that can be read for a unit: they name nothing that it does not have."""
    fitting = []
    for text in texts:
        with suppress(UsageError):
            read(text)
            fitting.append(text)
    return fitting


def _names_unit(text: str, unit: Unit) -> bool:
    """Whether `[TOOL=]…` names no tool, or one of the unit."""
    tool, equals, _ = text.partition("=")
    is_named = bool(equals) and re.search(r"[:/]", tool) is None
    return not is_named or tool.strip() in unit.tools
