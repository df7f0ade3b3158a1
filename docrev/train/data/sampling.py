"""Samples of operations for instructions: of one tool, of tools of one category, of one collection (ToolLLM §2.2).

Categories and collections are what the documents tell (`x-category`, `x-collections`, tags that several tools share);
if they tell nothing, the communities of the tool graph. Whoever was sampled least is sampled next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from docrev.errors import UsageError
from docrev.prompts.training import Kind
from docrev.records import OperationKey
from docrev.spec import Catalog
from docrev.spec.formats.toolbench.api_names import CATEGORY

COLLECTIONS = "x-collections"
TOOLS = (2, 5)
OPERATIONS = 3
"""Operations of each tool in a sample of several tools, at most."""
OF_ONE = 8
"""Operations in a sample of one tool, at most."""
Groups = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class OperationSample:
    """Operations for one instruction; `group` is the tool, category or collection that they are of."""

    kind: Kind
    group: str
    operations: tuple[OperationKey, ...]


class Sampler:
    """Draws samples; `usable` are the operations that may be drawn, `communities` groups tools if nothing else does.

    Raises UsageError if no sample of the kind can be made.
    """

    def __init__(
        self, catalog: Catalog, usable: Collection[OperationKey], communities: Callable[[], Groups], seed: int
    ) -> None:
        self._random = Random(seed)
        self._uses: Counter[OperationKey] = Counter()
        self._catalog, self._communities = catalog, communities
        chosen = set(usable)
        self._of_tool = {tool: [op.key for op in catalog.of_tool(tool) if op.key in chosen] for tool in catalog.tools}
        self._tools = [tool for tool, keys in self._of_tool.items() if keys]

    def groups(self, kind: Kind) -> dict[str, list[str]]:
        """What a kind draws from: the tools, or the categories or collections that have tools enough."""
        if kind == "I1":
            return {tool: [tool] for tool in self._tools}
        documented = categories(self._catalog) if kind == "I2" else collections(self._catalog)
        groups = self._wide(documented) or self._wide(self._communities())
        if not groups and len(self._tools) > 1:
            groups = {"": self._tools}
        return groups

    def draw(self, kind: Kind) -> Iterator[OperationSample]:
        """Samples without end, group after group."""
        groups = self.groups(kind)
        if not groups:
            tools = "one tool" if self._tools else "no operation that can be used"
            raise UsageError(f"{kind} needs several tools, and there is {tools}", where="--kind", fix="give more specs")
        while True:
            names = sorted(groups)
            self._random.shuffle(names)
            for name in names:
                yield OperationSample(kind, name, self._operations(kind, groups[name]))

    def _operations(self, kind: Kind, tools: Sequence[str]) -> tuple[OperationKey, ...]:
        if kind == "I1":
            return tuple(self._least(self._of_tool[tools[0]], OF_ONE))
        most = min(TOOLS[1], len(tools))
        chosen = self._random.sample(list(tools), self._random.randint(TOOLS[0], most))
        return tuple(key for tool in chosen for key in self._least(self._of_tool[tool], OPERATIONS))

    def _least(self, keys: Sequence[OperationKey], most: int) -> list[OperationKey]:
        """Some of the operations, those first that were drawn least."""
        mixed = self._random.sample(list(keys), len(keys))
        count = min(len(keys), self._random.randint(min(2, most), most))
        chosen = sorted(mixed, key=lambda key: self._uses[key])[:count]
        self._uses.update(chosen)
        return chosen

    def _wide(self, groups: Groups) -> dict[str, list[str]]:
        """The groups with at least two tools that can be used."""
        usable = {name: [tool for tool in tools if tool in self._tools] for name, tools in groups.items()}
        return {name: tools for name, tools in sorted(usable.items()) if len(tools) >= TOOLS[0]}


def categories(catalog: Catalog) -> dict[str, list[str]]:
    """Tools by the category that their documents tell; if none tells one, by the tags that they share."""
    return _by_name(catalog, CATEGORY) or _by_tag(catalog)


def collections(catalog: Catalog) -> dict[str, list[str]]:
    """Tools by the collections that their documents tell; if none tells any, by the tags that they share."""
    taken = {name.casefold() for name in _by_name(catalog, CATEGORY)}
    by_tag = {name: tools for name, tools in _by_tag(catalog).items() if name.casefold() not in taken}
    return _by_name(catalog, COLLECTIONS) or by_tag


def communities(catalog: Catalog, seed: int = 0) -> dict[str, list[str]]:
    """Tools that feed each other, by the tool graph: its communities (Louvain), named by their first tool."""
    import networkx as nx

    from docrev.graph.tool_graph import ToolGraph

    links: nx.Graph[str] = nx.Graph()
    links.add_nodes_from(catalog.tools)
    for edge in ToolGraph(catalog).edges():
        one, other = edge.source.tool, edge.target.tool
        if one != other:
            weight = links.get_edge_data(one, other, {"weight": 0.0})["weight"]
            links.add_edge(one, other, weight=weight + edge.score)
    groups = nx.community.louvain_communities(links, seed=seed)
    return {min(tools): sorted(tools) for tools in sorted(map(sorted, groups))}


def _by_name(catalog: Catalog, extension: str) -> dict[str, list[str]]:
    """Tools by what their documents say at their root under an extension: a name, or a list of them."""
    named: dict[str, list[str]] = {}
    for tool in catalog.tools:
        names = catalog.documents[catalog.files[tool]].get(f"/{extension}", None)
        for name in names if isinstance(names, list) else [names]:
            if isinstance(name, str) and name.strip():
                named.setdefault(name, []).append(tool)
    return named


def _by_tag(catalog: Catalog) -> dict[str, list[str]]:
    tools_by_tag: dict[str, dict[str, None]] = {}
    for operation in catalog.operations:
        for tag in operation.tags:
            tools_by_tag.setdefault(tag.casefold(), {})[operation.tool] = None
    return {tag: list(tools) for tag, tools in sorted(tools_by_tag.items()) if len(tools) > 1}
