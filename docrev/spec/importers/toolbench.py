"""ToolBench's data as OpenAPI: tool files, response sketches, and the `api_list` of instruction files.

How others find an operation again:

    apis(catalog: Catalog) -> Apis              # a catalog that `docrev import toolbench` wrote, or Imported.catalog()
    Apis.operation_key(category, tool, api) -> OperationKey | None  # names as in the data; category "" for any
    Apis.names: dict[ApiName, OperationKey]                         # all of them, in the catalog's order

`docrev.spec.importers.read("toolbench", paths) -> Imported` imports in memory; `api_names(query) -> list[ApiName]` and
`relevant(query) -> list[ApiName]` read one entry of an instruction file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from docrev.records import Json, OperationKey
from docrev.spec.catalog import Catalog
from docrev.spec.importers.imported import Imported
from docrev.spec.importers.names import function_name, slug, unique
from docrev.spec.importers.sources import Source, trouble
from docrev.spec.importers.toolbench_operations import ApiName, Spot, made_paths, operation_of, spots
from docrev.spec.importers.toolbench_parameters import EXTRA, kept

CATEGORY = "x-category"
_NOTHING: tuple[Json, ...] = ("", " ", None, [], {})
_RENAMED = {"api_name": "name", "api_description": "description"}
_WHOSE = ("category_name", "tool_name")


@dataclass
class Tool:
    """One tool, as all sources together tell it: `record` is what is said of it itself, `apis` its APIs by name."""

    category: str
    name: str
    record: dict[str, Json] = field(default_factory=dict)
    apis: dict[str, dict[str, Json]] = field(default_factory=dict)

    def names(self) -> list[ApiName]:
        """The names of its APIs."""
        return [ApiName(self.category, self.name, api) for api in self.apis]

    def named(self) -> dict[ApiName, dict[str, Json]]:
        """Its APIs' records, by name."""
        return dict(zip(self.names(), self.apis.values(), strict=True))


@dataclass(frozen=True)
class Apis:
    """The operations of a catalog by the names that ToolBench has for them."""

    names: dict[ApiName, OperationKey]

    def operation_key(self, category: str, tool: str, api: str) -> OperationKey | None:
        """The operation that instruction files call so; `category` "" takes the first tool of this name that has it."""
        found = self.names.get(ApiName(category, tool, api))
        if found is not None or category:
            return found
        return next((key for name, key in self.names.items() if name[1:] == (tool, api)), None)


def apis(catalog: Catalog) -> Apis:
    """The operations of an imported catalog, by name. Operations that were not imported have none."""
    names: dict[ApiName, OperationKey] = {}
    for operation in catalog.operations:
        document = catalog.documents[operation.place.file]
        tool = document.get(f"/{EXTRA}/tool_name", None)
        api = document.get(f"{operation.place.pointer}/{EXTRA}/api_name", None)
        if isinstance(tool, str) and isinstance(api, str):
            category = document.get(f"/{CATEGORY}", "")
            names[ApiName(category if isinstance(category, str) else "", tool, api)] = operation.key
    return Apis(names)


def api_names(query: Json) -> list[ApiName]:
    """The APIs that one entry of an instruction file offers, in its order; what names none is left out."""
    listed = query.get("api_list") if isinstance(query, dict) else None
    return [name for item in (listed if isinstance(listed, list) else []) if (name := _named(item)) is not None]


def relevant(query: Json) -> list[ApiName]:
    """The APIs that one entry holds to be right, with the category from its own list ("" where that lacks them)."""
    told = query.get("relevant APIs") if isinstance(query, dict) else None
    offered = {(name.tool, name.api): name for name in reversed(api_names(query))}
    pairs = [pair for pair in (told if isinstance(told, list) else []) if isinstance(pair, list) and len(pair) == 2]
    return [offered.get((str(tool), str(api)), ApiName("", str(tool), str(api))) for tool, api in pairs]


def read(found: Iterable[Source], result: Imported) -> Imported:
    """The documents of all tools that the sources tell of, each distinct API once. Raises InputError where none is."""
    gathering = _Gathering(result)
    for source in found:
        gathering.add(source)
    gathering.attach()
    return documents(list(gathering.tools.values()), result).settled("API")


@dataclass
class _Gathering:
    """Reads source after source; the first to tell something keeps its word, later ones fill what is missing."""

    result: Imported
    tools: dict[tuple[str, str], Tool] = field(default_factory=dict)
    _sketches: list[tuple[Source, dict[str, Json]]] = field(default_factory=list)

    def add(self, source: Source) -> None:
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

    def _add_list(self, source: Source, tree: list[Json]) -> None:
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

    def _add_queries(self, source: Source, tree: list[Json]) -> None:
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

    def _add_api(self, source: Source, item: Json, at: tuple[str | int, ...]) -> None:
        """One entry of an instruction's `api_list`."""
        name, why = _named(item), trouble(item)
        if name is None or why or not isinstance(item, dict):
            self.result.leave_out(source.at(*at), why or "no tool_name and api_name")
            return
        record: dict[str, Json] = {
            _RENAMED.get(str(key), str(key)): value for key, value in item.items() if key not in _WHOSE
        }
        self._merge(self._tool(name.category, name.tool), name.api, record)

    def _add_tool(self, source: Source, tree: dict[str, Json], at: tuple[str | int, ...]) -> None:
        """One tool file; one without any name of a tool only sketches responses, of a tool told elsewhere."""
        names = [tree.get(key) for key in ("tool_name", "title", "standardized_name")]
        name = next((one for one in names if isinstance(one, str) and one.strip()), None)
        if name is None:
            self._sketches.append((source, tree))
            return
        listed = tree["api_list"]
        record = {key: value for key, value in tree.items() if key not in ("api_list", "category_name")}
        why = trouble(record) or ("" if isinstance(listed, list) else "its api_list is no list")
        if why or not isinstance(listed, list):
            self.result.leave_out(source.at(*at), why)
            return
        category = tree.get("category_name")
        tool = self._tool(category if isinstance(category, str) else source.folder, name)
        _fill(tool.record, record | {"tool_name": name})
        if not listed:
            self.result.warnings.append(f"{source.at(*at)}: the tool has no API")
        for place, item in enumerate(listed):
            api, why = item.get("name") if isinstance(item, dict) else None, trouble(item)
            if why or not isinstance(item, dict) or not isinstance(api, str) or not api.strip():
                self.result.leave_out(source.at(*at, "api_list", place), why or "no name")
            else:
                self._merge(tool, api, dict(item))

    def attach(self) -> None:
        """Lay the sketches beside the tools of their name; those of tools that nothing else tells are tools too."""
        by_slug = {(slug(tool.category), slug(tool.name)): tool for tool in self.tools.values()}
        for source, tree in self._sketches:
            tool = by_slug.get((slug(source.folder), slug(source.path.stem)))
            spelled = {slug(name): name for name in tool.apis} if tool else {}
            listed = tree["api_list"]
            if not isinstance(listed, list):
                self.result.leave_out(source.name, "its api_list is no list")
                continue
            for place, item in enumerate(listed):
                name, why = item.get("name") if isinstance(item, dict) else None, trouble(item)
                if why or not isinstance(item, dict) or not isinstance(name, str) or not name.strip():
                    self.result.leave_out(source.at("api_list", place), why or "no name")
                    continue
                tool = tool or self._tool(source.folder, source.path.stem)
                self._merge(tool, spelled.get(slug(name), name), dict(item))

    def _tool(self, category: str, name: str) -> Tool:
        key = (slug(category) or category, name)
        found = self.tools.get(key)
        if found is None:
            found = self.tools[key] = Tool(category, name)
        return found

    def _merge(self, tool: Tool, api: str, record: dict[str, Json]) -> None:
        there = tool.apis.get(api)
        if there is None:
            tool.apis[api] = record | {"name": api}
            return
        self.result.duplicates += 1
        _fill(there, record | {"name": api})


def _named(item: Json) -> ApiName | None:
    if not isinstance(item, dict):
        return None
    category, tool, api = (item.get(key) for key in ("category_name", "tool_name", "api_name"))
    if not isinstance(tool, str) or not isinstance(api, str) or not tool.strip() or not api.strip():
        return None
    return ApiName(category if isinstance(category, str) else "", tool, api)


def _fill(there: dict[str, Json], more: dict[str, Json]) -> None:
    """Take from `more` what `there` lacks; where both say something and not the same, the other stays a variant."""
    differing: dict[str, Json] = {}
    for key, value in more.items():
        if key not in there or (there[key] in _NOTHING and value not in _NOTHING):
            there[key] = value
        elif there[key] != value and value not in _NOTHING:
            differing[key] = value
    variants = there.get("variants", [])
    if differing and isinstance(variants, list) and differing not in variants:
        there["variants"] = [*variants, differing]


def documents(tools: list[Tool], result: Imported) -> Imported:
    """The documents of tools, put into `result`; a tool without an API has none."""
    tools = [tool for tool in tools if tool.apis]
    names = {name: name for tool in tools for name in tool.names()}
    ids = unique({name: function_name(name.api, name.tool) for name in names}, names)
    plain = {(tool.category, tool.name): slug(tool.name) or "tool" for tool in tools}
    counts = Counter(plain.values())
    for key, stem in plain.items():
        if counts[stem] > 1 and slug(key[0]):
            plain[key] = f"{stem}_for_{slug(key[0])}"
    stems = unique(plain, {key: key for key in plain}, limit=100)
    for tool in sorted(tools, key=lambda tool: stems[tool.category, tool.name]):
        stem = stems[tool.category, tool.name]
        result.documents[stem] = document(tool, ids, spots(tool.named()))
    return result


def document(tool: Tool, ids: dict[ApiName, str], where: dict[ApiName, Spot]) -> dict[str, Json]:
    """The document of one tool: `ids` are the operationIds, `where` says where each API is served."""
    records = tool.named()
    made = made_paths(list(records))
    server = next((spot.server for spot in where.values() if spot.server), "")
    paths: dict[str, dict[str, Json]] = {}
    for name, spot in where.items():
        operation = operation_of(name, records[name], spot, made=made[name], operation_id=ids[name])
        if spot.server not in ("", server):
            operation = {"servers": [{"url": spot.server}]} | operation
        paths.setdefault(spot.path, {})[spot.method.lower()] = operation
    return _head(tool, server) | {"paths": paths}


def _head(tool: Tool, server: str) -> dict[str, Json]:
    """All of a document but its paths."""
    rest = {key: value for key, value in tool.record.items() if key != "tool_name"}
    info: dict[str, Json] = {"title": tool.name, "version": "1"}
    if isinstance(text := rest.get("tool_description"), str):
        info |= {"description": text} if text else {}
        del rest["tool_description"]
    for key, usual in (("title", tool.name), ("standardized_name", slug(tool.name))):
        if rest.get(key) == usual:
            del rest[key]
    head: dict[str, Json] = {"openapi": "3.1.0", "info": info}
    if tool.category:
        head |= {CATEGORY: tool.category, "tags": [{"name": tool.category}]}
    head |= {EXTRA: {"tool_name": tool.name} | kept(rest)}
    return head | ({"servers": [{"url": server}]} if server else {})
