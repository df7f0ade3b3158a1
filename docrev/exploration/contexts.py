"""Which path arguments belong together: `/buckets/{bucket_id}/collections/{id}` wants a collection of that bucket.

Known tuples are kept by the shape of the path (parameter names forgotten, since `{id}` of one path is `{bucket_id}` of
the next): from calls that were answered 2xx, from lists, and from what the run created.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import quote, unquote

from docrev.calls.journal_items import names_of
from docrev.calls.seen_things import is_unique_id
from docrev.conventions.error_claims import Hint
from docrev.conventions.ids import (
    find_id,
    ids_of,
    label_of,
    segment_identifies,
)
from docrev.conventions.lists import ListFound, list_of
from docrev.conventions.parameters import takes_paths
from docrev.conventions.run_names import is_made_up
from docrev.exploration.ids_by_kind import IdsByKind, Tuples
from docrev.exploration.listed_ids import ListedIds
from docrev.exploration.nested_maps import nested_arguments
from docrev.exploration.path_answers import (
    MAX_IDS,
    is_empty,
    is_missing_item,
    missing_ids,
    paths_inside,
    values_of,
)
from docrev.exploration.path_ranks import DEAD, EMPTY, GOOD, UNTRIED, Namesakes, PathRanks, takes_things
from docrev.exploration.path_shapes import beginnings, ends_in_paths, fill, segments_of, tail_of
from docrev.graph.tool_graph import ToolGraph
from docrev.language.path_templates import heads_of, parameters_of, shape_of
from docrev.language.urls import split_url
from docrev.language.words import words
from docrev.records import Call, JournalItem, Json, OperationKey
from docrev.spec import Catalog, Operation
from docrev.spec.route_places import called

MAX_TUPLES = 30


class Contexts:
    """Known tuples of path arguments by (tool, shape), in the order in which they became known."""

    def __init__(self, catalog: Catalog, graph: ToolGraph) -> None:
        self._known: Tuples = {}
        self._owned: Tuples = {}
        self._children: dict[tuple[str, str], list[OperationKey]] = {}
        self._below: dict[tuple[str, str], dict[str, Operation]] = {}
        self._called: dict[tuple[str, str], set[tuple[str, ...]]] = {}
        self._names: set[tuple[str, str, tuple[Json, ...]]] = set()
        self._own_paths: set[tuple[str, str]] = set()
        self._aliases: dict[tuple[str, str], list[JournalItem]] = {}
        self._members: dict[str, list[str]] = {}
        self._tails: dict[tuple[str, str], list[str]] = {}
        self._ranks, self._namesakes = PathRanks(), Namesakes()
        self._literal: set[tuple[str, str]] = set()
        self._whole = {(operation.tool, shape_of(operation.route.path)) for operation in catalog.operations}
        self._routes = {op.key: op.route for op in catalog.operations}
        self._listed = ListedIds(self._routes, graph)
        self.by_kind = IdsByKind(self._known, self._owned, self._called, self._names, self._ranks)
        for operation in catalog.operations:
            for head in heads_of(operation.route.path):
                self._learn_head(operation, head)
            self._literal.update((operation.tool, shape) for shape in beginnings(shape_of(operation.route.path)))

    def _learn_head(self, operation: Operation, head: str) -> None:
        """Learn the beginning of an operation's path up to a parameter: it addresses one thing of a collection."""
        tool, shape, name = operation.tool, shape_of(head), words(called(parameters_of(head)[-1]))
        self._known.setdefault((tool, shape), {})
        tails = self._tails.setdefault((tool, tail_of(shape)), [])
        if shape not in tails:
            tails.append(shape)
        self._called.setdefault((tool, shape), set()).add(name)
        self._namesakes.learn(tool, shape, name)
        self._children.setdefault((tool, shape.rpartition("/")[0]), []).append(operation.key)
        if (outer := shape.removesuffix("/{}")).endswith("/{}"):
            self._below.setdefault((tool, _without_parameters(outer)), {}).setdefault(shape, operation)
        self._learn_member(tool, shape)

    def _learn_member(self, tool: str, shape: str) -> None:
        """Learn what stands before the value of a member in paths: `name` in `/variables/name/{}`."""
        above, _, last = shape.rpartition("/")
        member, members = above.rpartition("/")[2], self._members.setdefault(tool, [])
        if last == "{}" and segment_identifies(member) and member not in members:
            insort(members, member)

    def observe(self, call: Call) -> None:
        """Learn from a 2xx call: its own path arguments, and the ids of the list that it returned."""
        route = self._routes[call.key]
        if not call.ok or route.method == "DELETE":
            return
        values = values_of(route, call)
        for head in heads_of(route.path):
            self._add(self._known, call.key.tool, shape_of(head), values[: len(parameters_of(head))])
            rank = EMPTY if is_empty(call) else GOOD
            self._ranks.note((call.key.tool, shape_of(head)), values[: len(parameters_of(head))], rank)
        if route.method == "GET":
            self._learn_items(call, values)
            self._learn_inside(call, values)
        self._learn_beside(call, values)

    def observe_missing(self, call: Call, hints: Iterable[Hint]) -> None:
        """Learn from a call that found nothing: which of its path arguments are good for nothing."""
        route = self._routes[call.key]
        values = values_of(route, call)
        missing = missing_ids(route, call, values, hints)
        count = next((count for count, value in enumerate(values, 1) if str(value) in missing), 0)
        if not count and is_missing_item(route, call):
            count = len(values)
        if count:
            head = list(heads_of(route.path))[count - 1]
            self._ranks.note((call.key.tool, shape_of(head)), tuple(values[:count]), DEAD)

    def count(self, tool: str, path: str) -> int:
        """How many tuples are known for the parameters of a path and of the shorter paths in it."""
        heads = list(map(shape_of, heads_of(path)))
        alike = ((head, *self._alike(tool, head), *self._namesakes.of(tool, head)) for head in heads)
        shapes = [(tool, shape) for shapes in alike for shape in shapes]
        return sum(len(self._known.get(shape, ())) + len(self._owned.get(shape, ())) for shape in shapes)

    def _learn_items(self, call: Call, values: tuple[Json, ...]) -> None:
        """What a list, or an object, tells of the paths below its own."""
        shape, found = shape_of(self._routes[call.key].path), list_of(call)
        children = self._children.get((call.key.tool, shape), ())
        if children and self._learn_nested(call, shape, values):
            return
        for value, is_further in self._listed.of(call, found, children, len(values)) if children else ():
            self._add(self._known, call.key.tool, f"{shape}/{{}}", (*values, value), is_further=is_further)
        if children:
            self._learn_labels(call, values, found)

    def _learn_nested(self, call: Call, shape: str, values: tuple[Json, ...]) -> bool:
        """What an object tells of the paths below its own whose parameters stand for its members; False for others."""
        learnt = False
        for below, operation in self._below.get((call.key.tool, shape), {}).items():
            names = parameters_of(operation.route.path)[len(values) : below.count("{}")]
            for found in nested_arguments(call.body, operation, names):
                learnt = True
                for count in range(1, len(found) + 1):
                    head = f"{shape.rstrip('/')}{'/{}' * count}"
                    self._add(self._known, call.key.tool, head, (*values, *found[:count]))
        return learnt

    def _learn_beside(self, call: Call, values: tuple[Json, ...]) -> None:
        """The ids in what a search or a filter beside the items returns: `/items/search` lists `/items/{}`."""
        shape = shape_of(self._routes[call.key].path)
        above, _, last_part = shape.rpartition("/")
        tool, found = call.key.tool, list_of(call)
        if last_part == "{}" or (tool, shape) in self._children or (tool, above) not in self._children:
            return
        for id in ids_of(found, above.rpartition("/")[2])[:MAX_IDS] if found is not None else ():
            if id is not None:
                self._add(self._known, tool, f"{above}/{{}}", (*values, id))

    def _learn_inside(self, call: Call, values: tuple[Json, ...]) -> None:
        """What a call lists that addresses a place in a tree by a path."""
        route = self._routes[call.key].path
        if ends_in_paths(route):
            for path in paths_inside(call, parameters_of(route)[-1], values[-1]):
                self._add(self._known, call.key.tool, shape_of(route), (*values[:-1], path))

    def _learn_labels(self, call: Call, values: tuple[Json, ...], found: ListFound | None) -> None:
        """What a list calls its items beside their ids: paths may want that."""
        tool, shape = call.key.tool, f"{shape_of(self._routes[call.key].path)}/{{}}"
        mine = {tuple(map(str, known)) for known in self._owned.get((tool, shape), {})}
        for thing in found.things if found is not None else ():
            label, identified = label_of(thing), find_id(thing)
            if label and identified is not None and str(identified.value) != label:
                self._add(self._known, tool, shape, (*values, label), is_further=True)
                addresses = [(*values, identified.value), (*values, label)]
                # The policy judges whether either is certain to be that of the run's own thing.
                if is_made_up(label) and any(tuple(map(str, address)) in mine for address in addresses):
                    for address in addresses:
                        self._add(self._owned, tool, shape, address)

    def learn_created(self, item: JournalItem) -> None:
        """Learn what the run created: it comes before everything else, and is all that unsafe calls may touch."""
        self._own_paths.add((item.tool, item.path))
        for shape, values in [*self._addresses(item), *self._other_addresses(item)]:
            self._add(self._owned, item.tool, shape, values)

    def leads_to_own(self, tool: str, link: str) -> bool:
        """Whether a link leads to something that the run created, or into it."""
        path = f"{split_url(link).path.rstrip('/')}/"
        return any(owner == tool and f"{own}/" in path for owner, own in self._own_paths)

    def _other_addresses(self, item: JournalItem) -> list[tuple[str, tuple[str, ...]]]:
        """The shapes of paths that lie elsewhere and take the ID of an item, if nothing else can have it, or all by
        which it is addressed."""
        id, things = item.path.rpartition("/")[2], names_of(item)
        if not is_unique_id(unquote(id)):
            return []
        alone = (entry for entry in self._called.items() if entry[0][0] == item.tool and entry[0][1].count("{}") == 1)
        fitting = (shape for (_, shape), names in alone if takes_things(names, things, id))
        called = [(shape, (unquote(id),)) for shape in fitting if fill(shape, item.path) is None]
        return [*self._namesakes.addresses(item.tool, self._addresses(item)), *called]

    def all_addresses(self, item: JournalItem) -> list[tuple[str, tuple[str, ...]]]:
        """The shapes of all paths by which an item may be addressed, also by its names, with their arguments."""
        named = (address for one in self._aliases.get((item.tool, item.path), ()) for address in self._addresses(one))
        return list(dict.fromkeys((*self._addresses(item), *self._other_addresses(item), *named)))

    def _addresses(self, item: JournalItem) -> list[tuple[str, tuple[str, ...]]]:
        """The shapes of paths by which an item may be addressed, with their arguments."""
        shapes = (shape for tool, shape in self._known if tool == item.tool)
        return [(shape, values) for shape in shapes if (values := fill(shape, item.path)) is not None]

    def learn_names(self, item: JournalItem, names: Iterable[str]) -> list[JournalItem]:
        """Learn by which names or ids that it has an item may be addressed; returns it at each path beside its own."""
        place = item.path.rpartition("/")[0]
        for name in names:
            path = f"{place}/{quote(name, safe='')}"
            if unquote(path) != unquote(item.path):
                self._learn_alias(item, replace(item, path=path))
                self.learn_created(replace(item, path=path))
            for member in self._members.get(item.tool, ()) if is_made_up(name) else ():
                self._learn_alias(item, replace(item, path=f"{place}/{member}/{quote(name, safe='')}"))
        return self._aliases.get((item.tool, item.path), [])

    def _learn_alias(self, item: JournalItem, named: JournalItem) -> None:
        """Learn another path by which an item may be addressed."""
        aliases = self._aliases.setdefault((item.tool, item.path), [])
        for shape, values in self._addresses(named) if named not in aliases else ():
            self._names.add((item.tool, shape, values))
            self._add(self._owned, item.tool, shape, values)
            aliases.append(named)

    def learn_link(self, tool: str, path: str) -> None:
        """Learn the path arguments in a path that a response linked to, and in the shorter paths in it."""
        parts = path.rstrip("/").split("/")
        for kind, shape in self._known:
            count = shape.count("/") + 1
            head, rest = "/".join(parts[:count]), parts[count:]
            if kind == tool and (values := fill(shape, head)) is not None:
                self._add(self._known, tool, shape, values)
                if rest and self._is_tree(tool, shape):
                    inner = unquote("/".join([head.rpartition("/")[2], *rest]))
                    self._add(self._known, tool, shape, (*values[:-1], inner))

    def _is_tree(self, tool: str, shape: str) -> bool:
        """Whether the last parameter of a shape takes whole paths."""
        called = self._called.get((tool, shape), ())
        return shape.endswith("/{}") and any(takes_paths(" ".join(name)) for name in called)

    def tree_paths(self, tool: str) -> list[tuple[Json, ...]]:
        """The paths that are known of any operation that takes whole paths: several may look into one tree."""
        shapes = [shape for name, shape in self._known if name == tool and shape.count("{}") == 1]
        found = (values for shape in shapes if self._is_tree(tool, shape) for values in self.tuples(tool, shape))
        return list(dict.fromkeys(found))

    def suppose(self, tool: str, path: str, value: Json) -> None:
        """Take it that a value is good for a path with one parameter."""
        self._add(self._known, tool, shape_of(path), (value,))

    def forget(self, item: JournalItem) -> None:
        """Forget what was deleted."""
        for named in self._aliases.pop((item.tool, item.path), ()):
            self.forget(named)
        self._own_paths.discard((item.tool, item.path))
        parts = [unquote(part) for part in item.path.rstrip("/").split("/")]
        elsewhere = self._other_addresses(item)
        for kept in (self._owned, self._known):
            for (tool, shape), tuples in kept.items():
                if tool == item.tool:
                    for values in list(tuples):
                        if segments_of(shape, values)[: len(parts)] == parts or (shape, values) in elsewhere:
                            del tuples[values]

    def names(self, tool: str, path: str) -> set[tuple[str, ...]]:
        """The words of the names that operations have for the last parameter of a path."""
        return self._called.get((tool, shape_of(path)), set())

    def shapes(self, tool: str) -> list[str]:
        """The shapes with one parameter for which something is known."""
        return [s for (name, s), known in self._known.items() if name == tool and known and s.count("{}") == 1]

    def tuples(self, tool: str, path: str, *, owned: int = 0) -> list[tuple[Json, ...]]:
        """Known tuples for all parameters of a path: what the run created first, newest first among those.

        Only those whose first `owned` values are of something that the run created. What was answered with something
        comes before what was not tried, then what showed nothing, and what is not there at last.
        """
        key, heads = (tool, shape_of(path)), list(heads_of(path))
        mine = list(reversed(self._owned.get(key, {})))
        others = [values for values in self._known.get(key, {}) if values not in self._owned.get(key, {})]
        if not owned:
            elsewhere = (values for shape in self._alike(*key) for values in self._found(tool, shape))
            return self._ranked(key, list(dict.fromkeys((*mine, *others, *elsewhere))))
        parents = self._owned.get((tool, shape_of(heads[owned - 1])), {}) if owned <= len(heads) else {}
        texts = {tuple(map(str, values)) for values in parents}
        return self._ranked(key, mine + [values for values in others if tuple(map(str, values[:owned])) in texts])

    def shown(self, tool: str, path: str) -> set[tuple[str, ...]]:
        """The values, as texts, for all parameters of a path that answers showed for it, or by which it leads to the
        run's own.
        """
        key, own = (tool, shape_of(path)), {unquote(place) for owner, place in self._own_paths if owner == tool}
        mine = (values for values in self._owned.get(key, ()) if "/".join(segments_of(key[1], values)) in own)
        return {tuple(map(str, values)) for values in (*self._known.get(key, ()), *mine)}

    def namesakes(self, tool: str, path: str) -> list[tuple[str, tuple[Json, ...]]]:
        """The shapes of a path's namesakes, with tuples of two or more values that are known of them."""
        shapes = self._namesakes.of(tool, shape_of(path))
        return [(shape, known) for shape in shapes for known in self._found(tool, shape)]

    def _found(self, tool: str, shape: str) -> list[tuple[Json, ...]]:
        """The tuples of one shape that are not known to be dead, the run's own first."""
        key = (tool, shape)
        found = self._ranked(key, [*reversed(self._owned.get(key, {})), *self._known.get(key, {})])
        return [values for values in found if self._ranks.of(key, values) != DEAD]

    def _alike(self, tool: str, shape: str) -> list[str]:
        """The shapes that lead to the same kind of thing under another beginning: `/paged/users/{}` for `/users/{}`."""
        same = self._tails.get((tool, tail_of(shape)), ())
        return [other for other in same if other != shape]

    def _ranked(self, key: tuple[str, str], tuples: list[tuple[Json, ...]]) -> list[tuple[Json, ...]]:
        mine = self._owned.get(key, {})

        def rank(values: tuple[Json, ...]) -> tuple[int, bool, int]:
            found = self._ranks.of(key, values)
            slashed = any("/" in str(value) for value in values)
            is_name = values in mine and (*key, values) in self._names
            is_further = values not in mine and self._ranks.is_further(key, values)
            place = EMPTY if is_further else 0 if found in (GOOD, UNTRIED) else found
            return place, slashed or is_name or is_further, 0 if values in mine else found

        return sorted(tuples, key=rank)

    def _add(self, kept: Tuples, tool: str, shape: str, values: tuple[Json, ...], *, is_further: bool = False) -> None:
        """Keep a tuple; `is_further` says that its thing has one that is likelier to be taken."""
        tuples = kept.setdefault((tool, shape), {})
        if not is_further or values not in tuples:
            self._ranks.learn((tool, shape), values, is_further=is_further)
        above, _, after = shape.rpartition("{}")
        if (tool, shape) in self._whole and not after and (tool, f"{above}{values[-1]}") in self._literal:
            # The path of another operation: `/files/latest`.
            return
        usable = (isinstance(value, (str, int, float)) and value != "" and "{" not in str(value) for value in values)
        if len(tuples) < MAX_TUPLES and all(usable):
            tuples.setdefault(values)


def _without_parameters(shape: str) -> str:
    """A shape without the parameters at its end: `/rules` of `/rules/{}/{}`."""
    while shape.endswith("/{}"):
        shape = shape.removesuffix("/{}")
    return shape
