"""ToolBench's data as OpenAPI: tool files, response sketches, and the `api_list` of instruction files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from docrev.records import Json
from docrev.spec.formats.imported import Imported
from docrev.spec.formats.names import slug
from docrev.spec.formats.sources import SourceFile, trouble, usable
from docrev.spec.formats.toolbench.api_names import api_names, name_of, relevant
from docrev.spec.formats.toolbench.documents import ToolBenchTool, documents
from docrev.spec.meaning import string

_NOTHING: tuple[Json, ...] = ("", " ", None, [], {})
_RENAMED = {"api_name": "name", "api_description": "description"}
_WHOSE = ("category_name", "tool_name")


def read(found: Iterable[SourceFile], result: Imported) -> Imported:
    """The documents of all tools in the sources, each distinct API once. Raises InputError if there is none."""
    gathering = _Gathering(result)
    for source in found:
        gathering.add(source)
    gathering.attach()
    return documents(list(gathering.tools.values()), result).settled("API")


@dataclass
class _Gathering:
    """Reads source after source; what the first one says stays, later ones add what is missing."""

    result: Imported
    tools: dict[tuple[str, str], ToolBenchTool] = field(default_factory=dict)
    _sketches: list[tuple[SourceFile, dict[str, Json]]] = field(default_factory=list)

    def add(self, source: SourceFile) -> None:
        """Take in one file, by what it holds."""
        tree = source.tree
        if isinstance(tree, dict) and "api_list" in tree and "query" not in tree:
            self._add_tool(source, tree, ())
        elif isinstance(tree, dict) and "query" in tree:
            self._add_queries(source, [tree])
        elif isinstance(tree, list):
            self._add_list(source, tree)
        else:
            self.result.leave_out(source.name, "neither a tool with its api_list nor a list of queries")

    def _add_list(self, source: SourceFile, tree: list[Json]) -> None:
        if not tree:
            self.result.warnings.append(f"{source.name}: an empty list")
        if any(isinstance(item, dict) and "query" in item for item in tree):
            self._add_queries(source, tree)
            return
        for index, item in enumerate(tree):
            if isinstance(item, dict) and "api_list" in item:
                self._add_tool(source, item, (index,))
            elif isinstance(item, dict) and "api_name" in item:
                self._add_api(source, item, (index,))
            else:
                self.result.leave_out(source.at(index), "neither a tool, a query nor an API")

    def _add_queries(self, source: SourceFile, tree: list[Json]) -> None:
        without = 0
        for index, query in enumerate(tree):
            listed = query.get("api_list") if isinstance(query, dict) else None
            if not isinstance(listed, list):
                without += 1
                continue
            for place, item in enumerate(listed):
                self._add_api(source, item, (index, "api_list", place))
            unknown = [name for name in relevant(query) if name not in set(api_names(query))]
            for name in unknown:
                where = source.at(index, "relevant APIs")
                self.result.warnings.append(f"{where}: {name.tool} {name.api} is not in the query's api_list")
        if without:
            self.result.warnings.append(f"{source.name}: {without} of {len(tree)} queries have no api_list")

    def _add_api(self, source: SourceFile, item: Json, at: tuple[str | int, ...]) -> None:
        """Take in one entry of an instruction's `api_list`."""
        name, why = name_of(item), trouble(item)
        if name is None or why:
            self.result.leave_out(source.at(*at), why or "no tool_name and api_name")
            return
        record: dict[str, Json] = {
            _RENAMED.get(str(key), str(key)): value for key, value in item.items() if key not in _WHOSE
        }
        self._merge(self._tool(name.category, name.tool), name.api, record)

    def _add_tool(self, source: SourceFile, tree: dict[str, Json], at: tuple[str | int, ...]) -> None:
        """Take in one tool file; one that names no tool only sketches the responses of a tool from elsewhere."""
        names = (string(tree.get(key)) for key in ("tool_name", "title", "standardized_name"))
        name = next((name for name in names if name.strip()), None)
        if name is None:
            self._sketches.append((source, tree))
            return
        listed = tree["api_list"]
        record = {key: value for key, value in tree.items() if key not in ("api_list", "category_name")}
        why = trouble(record) or _trouble_of_list(listed)
        if why:
            self.result.leave_out(source.at(*at), why)
            return
        category = tree.get("category_name")
        tool = self._tool(category if isinstance(category, str) else source.folder, name)
        _fill(tool.record, record | {"tool_name": name})
        if not listed:
            self.result.warnings.append(f"{source.at(*at)}: the tool has no API")
        for api, item in self._records(source, listed, at):
            self._merge(tool, api, item)

    def _records(
        self, source: SourceFile, listed: list[Json], at: tuple[str | int, ...] = ()
    ) -> Iterator[tuple[str, dict[str, Json]]]:
        """The records of an `api_list` with their names; what cannot be used is left out."""
        for where, item in usable(source, listed, (*at, "api_list"), self.result, "no name"):
            name = string(item.get("name"))
            if name.strip():
                yield name, dict(item)
            else:
                self.result.leave_out(where, "no name")

    def attach(self) -> None:
        """Add the sketches to the tools of their name; a sketch of a tool that has no other source is a tool too."""
        by_slug = {(slug(tool.category), slug(tool.name)): tool for tool in self.tools.values()}
        for source, tree in self._sketches:
            if why := _trouble_of_list(tree["api_list"]):
                self.result.leave_out(source.name, why)
                continue
            tool = by_slug.get((slug(source.folder), slug(source.path.stem)))
            spelled = {slug(name): name for name in tool.apis} if tool else {}
            for name, item in self._records(source, tree["api_list"]):
                tool = tool or self._tool(source.folder, source.path.stem)
                self._merge(tool, spelled.get(slug(name), name), item)

    def _tool(self, category: str, name: str) -> ToolBenchTool:
        key = (slug(category) or category, name)
        found = self.tools.get(key)
        if found is None:
            found = self.tools[key] = ToolBenchTool(category, name)
        return found

    def _merge(self, tool: ToolBenchTool, api: str, record: dict[str, Json]) -> None:
        there = tool.apis.get(api)
        if there is None:
            tool.apis[api] = record | {"name": api}
            return
        self.result.duplicates += 1
        _fill(there, record | {"name": api})


def _trouble_of_list(listed: object) -> str:
    return "" if isinstance(listed, list) else "its api_list is no list"


def _fill(there: dict[str, object], more: dict[str, object]) -> None:
    """Take from `more` what `there` lacks; values that differ from those in `there` are kept as variants."""
    differing: dict[str, Json] = {}
    for key, value in more.items():
        if key not in there or (there[key] in _NOTHING and value not in _NOTHING):
            there[key] = value
        elif there[key] != value and value not in _NOTHING:
            differing[key] = value
    variants = there.get("variants", [])
    if differing and isinstance(variants, list) and differing not in variants:
        there["variants"] = [*variants, differing]
