"""The objects that answers showed: values of one object belong together, and so do those of two of which one refers
to the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from os.path import commonpath

from docrev.conventions.ids import created_object, find_id, label_of, own_link, referred_to
from docrev.conventions.lists import list_of
from docrev.exploration.near_values import nouns_in
from docrev.exploration.path_shapes import path_arguments
from docrev.json_values.canonical import unique
from docrev.json_values.containers import mapping
from docrev.language.path_templates import shape_of
from docrev.language.urls import split_url
from docrev.language.words import singular_words, words
from docrev.records import Arguments, Call, Json, OperationKey
from docrev.spec import Operation

MAX_ROWS = 20
"""Objects of the responses of an operation whose values are known to belong together."""
MAX_VALUES = 6
MAX_LINKS = 500
"""Objects of a tool whose links are kept, the newest of them."""


class SeenObjects:
    """The objects of responses, the items as GETs show them, and the query arguments in links."""

    def __init__(self) -> None:
        self._items: dict[tuple[str, str], Json] = {}
        self._own_items: set[tuple[str, str]] = set()
        self._linked: dict[tuple[OperationKey, str], list[Json]] = {}
        self._rows: dict[str, dict[OperationKey, list[dict[str, Json]]]] = {}
        self._links: dict[str, dict[str, None]] = {}

    def observe(self, call: Call) -> None:
        """Take in the objects of a response: values that stand in one object belong together."""
        rows = self._rows.setdefault(call.key.tool, {}).setdefault(call.key, [])
        found = list_of(call)
        for thing in [*(found.things if found is not None else ()), call.body]:
            if link := own_link(thing):
                self._see_link(call.key.tool, link)
            row = {"".join(words(name)): value for name, value in mapping(thing).items()}
            row = {name: value for name, value in row.items() if isinstance(value, str | int | float)}
            if len(row) > 1 and row not in rows and len(rows) < MAX_ROWS:
                rows.append(row)

    def _see_link(self, tool: str, link: str) -> None:
        links = self._links.setdefault(tool, {})
        links.setdefault(link)
        if len(links) > MAX_LINKS:
            del links[next(iter(links))]

    def links(self, tool: str, name: str) -> list[str]:
        """The links to objects of the kind that a member is called after, the highest and newest first.

        `/remotes/file/7/` for `remote`: each word of the name is that of a collection above the object.
        """
        kinds = referred_to(name)
        shown = ((link, split_url(link).path.rstrip("/")) for link in reversed(self._links.get(tool, {})))
        of_kind = [(path.count("/"), link) for link, path in shown if _lies_in(path.rpartition("/")[0], kinds)]
        return [link for _, link in sorted(of_kind, key=lambda entry: entry[0])]

    def together(self, operation: Operation, locations: list[str]) -> list[dict[str, Json]]:
        """Values for all of two or more locations, each from one object of a response."""
        names = {location: "".join(words(location.partition(":")[2])) for location in locations}
        rows = (row for _, row in self.objects(operation.tool) if len(names) > 1 and row.keys() >= {*names.values()})
        return [{location: row[name] for location, name in names.items()} for row in islice(rows, MAX_VALUES)]

    def fields(self, tool: str, collection: str, name: str) -> list[Json]:
        """The values of a field in the objects that operations in a collection returned, the newest of each first."""
        field = "".join(words(name))
        rows = (row for key, row in self.objects(tool) if f"{key.path}/".startswith(f"{collection}/"))
        return unique([row[field] for row in rows if field in row])[:MAX_VALUES]

    def listed_under(self, operation: Operation, noun: str) -> list[Json]:
        """What the objects are known by that GETs show whose path ends in a noun, those of the nearest path first."""
        shown = [
            (len(commonpath([key.path, operation.path])), known)
            for key, row in self.objects(operation.tool)
            if key.method == "GET" and singular_words(key.path.rstrip("/").rpartition("/")[2]) == (noun,)
            if (known := _known_as(row, noun))
        ]
        return unique([value for _, value in sorted(shown, key=lambda entry: -entry[0])])[:MAX_VALUES]

    def objects(self, tool: str) -> Iterator[tuple[OperationKey, dict[str, Json]]]:
        """The objects of responses of a tool, with the operations that returned them, the newest of each first."""
        return ((key, row) for key, rows in self._rows.get(tool, {}).items() for row in reversed(rows))

    def joined(self, operation: Operation, names: list[str]) -> Iterator[dict[str, Json]]:
        """Values for two path parameters from two objects, of which one refers to the other by its id.

        `/deployments/name/{flow_name}/{deployment_name}`: a deployment with a `flow_id`, and the flow with that `id`.
        """
        (*one, first), (*other, second) = (words(name) or ("",) for name in names)
        objects = list(self.objects(operation.tool))
        for kind, below in objects:
            reference = below.get("".join((*one, "id")))
            if not one or reference is None or second not in below or not {*other} <= nouns_in(kind.path):
                continue
            for _, above in objects:
                if above.get("id") == reference and first in above:
                    yield path_arguments(operation.path, (above[first], below[second]))
                    break

    def see_linked(self, operation: Operation, arguments: Arguments) -> None:
        """Take in with which query arguments a response linked to an operation."""
        for location, value in arguments.items():
            kept = self._linked.setdefault((operation.key, location), [])
            if location.startswith("query:") and value not in kept and len(kept) < MAX_VALUES:
                kept.append(value)

    def see_item(self, operation: Operation, call: Call, *, own: bool) -> None:
        """Take in an item as a GET shows it; the run's own stand for their kind."""
        place = (operation.tool, shape_of(operation.route.path))
        if own:
            self._own_items.add(place)
        if own or place not in self._items:
            self._items[place] = created_object(call.body)

    def has_seen_own(self, operation: Operation) -> bool:
        """Whether a GET showed an item of the run's own at an operation's path."""
        return (operation.tool, shape_of(operation.route.path)) in self._own_items

    def linked(self, operation: Operation, location: str) -> list[Json]:
        """The values that links gave to a query location of an operation."""
        return self._linked.get((operation.key, location), [])

    def item(self, operation: Operation) -> Json:
        """The item at an operation's path, as a GET shows it; None if none was read."""
        return self._items.get((operation.tool, shape_of(operation.route.path)))


def _known_as(row: dict[str, Json], noun: str) -> Json:
    """The ID of an object, or else its name; "" if it has neither."""
    identified = find_id(row, noun)
    return identified.value if identified is not None else label_of(row)


def _lies_in(path: str, kinds: Iterable[tuple[str, ...]]) -> bool:
    """Whether the words of one of some kinds are those of collections in a path."""
    nouns = nouns_in(path)
    return any(kind and (nouns.issuperset(kind) or "".join(kind) in nouns) for kind in kinds)
