"""What a call of an operation would do, judged from the spec before anything is sent.

A request may add an item of the run's own to a collection, or change what the run created; everything else needs the
user's consent. What an operation is, and which part of its path must address something of the run's own, follows from
its method, its path, and the operations beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from docrev.calls.acting_reads import acts_by_get
from docrev.calls.lists_elsewhere import lists_elsewhere, reads_parts
from docrev.calls.path_texts import last_segment, noun_of
from docrev.calls.routes import Path, Routes
from docrev.calls.seen_things import Alike
from docrev.conventions.ids import is_id_name, refers_to
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.parameters import Role, role_of
from docrev.language.verbs import ACTING, AMBIGUOUS, base_forms, reading_verb
from docrev.language.words import singular_words, words
from docrev.records import OperationKey
from docrev.spec.bulk_paths import makes_several
from docrev.spec.deeds import VERBS, Deed
from docrev.spec.route_places import called
from docrev.spec.schema import Schema, properties_of

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_LISTING = frozenset({"browse", "fetch", "filter", "find", "get", "list", "query", "retrieve", "search", "select"})
"""Reading verbs of operations that return the things which are there, and not a number or one part of them."""

_COPYING = frozenset({"clone", "copy", "duplicate", "fork"})

_OWN_CLUSTER = frozenset({"cluster", "raft", "swarm"})
"""Segments, in the singular, for what a service itself runs on: a member too many may stop it for everybody."""

_LEAVING = frozenset((word,) for word in ("abandon", "forget", "leave", "quit"))
"""Words of actions after which nobody can do anything more with a thing, though it is still there."""

EffectKind = Literal[
    "read", "acting-read", "query", "creation", "item", "part", "collection", "action", "batch", "singleton"
]


@dataclass(frozen=True, slots=True)
class Effect:
    """What an operation does.

    `read` only reads; `acting-read` is a GET that says that it acts; `query` is a POST that says that it reads;
    `creation` adds an item to a collection; `item` is a PUT, PATCH or DELETE of one item, or a POST beside a GET and a
    DELETE of it, which makes it if a PUT changes it; `part` of something below an item, `collection` a DELETE of many
    items at the top; `batch` carries other requests, by which it is judged; `action` is every other POST; `singleton`
    is there once.

    The first `parents` parameters of the path must address something that the run created, or that lies in it.
    `removable` says whether some operation removes what is created.
    """

    kind: EffectKind
    parents: int = 0
    removable: bool = True


class Effects:
    """The effects of a catalog's operations, each worked out once."""

    def __init__(self, routes: Routes) -> None:
        self.routes = routes
        self._effects: dict[OperationKey, Effect] = {}
        self._made: dict[str, set[str]] = {}
        self._collections: dict[str, set[str]] = {}
        self._kinds: dict[str, dict[str, set[tuple[str, ...]]]] = {}
        self._listings: dict[OperationKey, tuple[Operation, Path] | None] = {}
        self._items: dict[OperationKey, Operation | None] = {}

    def of(self, operation: Operation) -> Effect:
        """The effect of an operation."""
        if operation.key not in self._effects:
            self._effects[operation.key] = classify(operation, self.routes)
        return self._effects[operation.key]

    def posted_listing(self, operation: Operation) -> tuple[Operation, Path] | None:
        """An operation on one item of those that a POST lists by its name, and the path of their collection: of
        `POST /flows/filter`, `/flows/{id}` and `/flows`. None if it lists nothing of the kind.
        """
        if operation.key not in self._listings:
            found = _posted_listing(operation, self.routes) if self.of(operation).kind == "query" else None
            self._listings[operation.key] = found
        return self._listings[operation.key]

    def item_operation(self, operation: Operation) -> Operation | None:
        """The operation of one item of those that an operation lists or creates; None without one."""
        if operation.key not in self._items:
            self._items[operation.key] = item_operation(operation, self.routes)
        return self._items[operation.key]

    def puts(self, operation: Operation) -> bool:
        """Whether an operation may create the item that its path addresses, under an ID that its caller chooses."""
        return operation.route.method in ("PUT", "POST") and self.of(operation).kind == "item"

    def removes(self, operation: Operation) -> bool:
        """Whether an operation removes the thing that its path addresses: by its method, or as an action called so."""
        route = operation.route
        return route.method == "DELETE" or (self.of(operation).kind == "action" and says_removal(route.path))

    def takes_away(self, operation: Operation) -> bool:
        """Whether an operation removes the thing that its path addresses; or, where nothing does, ends what the run can
        do with it: `POST /rooms/{id}/leave`."""
        if self.removes(operation) or self.of(operation).kind != "action":
            return self.removes(operation)
        thing, _, last = operation.route.path.rstrip("/").rpartition("/")
        path = self.routes.path(operation.key)
        is_lasting = path.names and self.routes.on_path(operation.tool, path.head(len(path.names)), "DELETE") is None
        return bool(is_lasting) and thing.endswith("}") and words(last)[:1] in _LEAVING

    def copied(self, operation: Operation) -> Operation | None:
        """What removes a copy that an action makes of its target, beside it; None for other operations.

        What could not be removed is not made for the sake of looking.
        """
        path = self.routes.path(operation.key)
        if self.of(operation).kind != "action" or _COPYING.isdisjoint(words(last_segment(path.literals[-1]))):
            return None
        return self.routes.on_path(operation.tool, path.head(len(path.names)), "DELETE") if path.names else None

    def changes_cluster(self, operation: Operation) -> bool:
        """Whether an operation changes the cluster that the service itself runs on: `POST /cluster/members`.

        Where a path has an ID after the word, clusters are things of the service: `/cluster/{id}`.
        """
        fixed = operation.path.partition("{")[0].split("/")
        word = next((segment for segment in fixed if segment.lstrip("_") in _OWN_CLUSTER), "")
        if not word or self.of(operation).kind in ("read", "query"):
            return False
        return word not in self._before_parameters(operation.tool)

    def _before_parameters(self, tool: str) -> set[str]:
        """The segments of the paths of a tool that a parameter comes after."""
        if tool not in self._collections:
            steps = (pair for op in self.routes.operations if op.tool == tool for pair in pairwise(op.path.split("/")))
            self._collections[tool] = {segment for segment, after in steps if after.startswith("{")}
        return self._collections[tool]

    def adds_to_all(self, operation: Operation) -> bool:
        """Whether an operation says that it puts something into all things of a kind, or changes all of them, whosever
        they are: `POST /fields/all-projects`. Below one thing, it is about what is in that.
        """
        above = operation.path.partition("{")[0].split("/")
        kind = self.of(operation).kind
        return kind in ("creation", "item", "part", "singleton") and any("all" in words(part) for part in above)

    def alike(self, operation: Operation) -> Alike:
        """How the body of an operation may name another thing of the kind that it acts on, makes or changes."""
        path = self.routes.path(operation.key)
        if path.names and self.of(operation).kind == "action":
            return Alike.beside(_kind(path.head(len(path.names))))
        return Alike.above(_kind(path)) if path.literals else Alike()

    def addressed_kinds(self, operation: Operation) -> frozenset[str]:
        """What the things are called that the path of an operation goes through, or ends in."""
        return frozenset(kind for kind, _ in self._addressed(operation))

    def _addressed(self, operation: Operation) -> Iterator[tuple[str, str]]:
        """The kinds of the things that the path of an operation goes through, each with its parameter."""
        path = self.routes.path(operation.key)
        for count, name in enumerate(path.names, start=1):
            if kind := _kind(path.head(count)):
                yield kind, name

    def makes(self, tool: str, noun: str) -> bool:
        """Whether some operation of a tool makes things that are called so."""
        if tool not in self._made:
            makers = (op for op in self.routes.operations if op.tool == tool and self._is_maker(op))
            self._made[tool] = {kind for op in makers if (kind := _kind(self.routes.path(op.key)))}
        return noun in self._made[tool]

    def kind_called(self, tool: str, name: str) -> str:
        """The kind of thing of a tool that a member is called after: `zone` for `zone_id`; "" for none.

        A member may be called as the parameter of a path instead: `workflow_id` for `/wf/{workflow_id}`.
        """
        kinds, called = self._kinds_of(tool), words(name)
        if kind := next((kind for kind in kinds if refers_to(name, kind)), ""):
            return kind
        return next((kind for kind, parameters in kinds.items() if len(called) > 1 and called in parameters), "")

    def _kinds_of(self, tool: str) -> dict[str, set[tuple[str, ...]]]:
        """The kinds that paths of a tool address, in order, each with the words of its parameters."""
        if tool not in self._kinds:
            of_tool = (operation for operation in self.routes.operations if operation.tool == tool)
            found = self._kinds[tool] = {}
            for kind, parameter in sorted(place for each in of_tool for place in self._addressed(each)):
                found.setdefault(kind, set()).add(words(parameter))
        return self._kinds[tool]

    def _is_maker(self, operation: Operation) -> bool:
        return self.of(operation).kind == "creation" or self.puts(operation) or _is_called_maker(operation)


def _is_called_maker(operation: Operation) -> bool:
    """Whether the name of an operation of RPC style says that it makes things, though nothing may show or remove them.

    The route of what does something else to a thing ends in its name.
    """
    route, last = operation.rpc_route, operation.path.rstrip("/").rpartition("/")[2]
    return route is not None and route.method == "POST" and not route.path.endswith(f"/{last}")


def classify(operation: Operation, routes: Routes) -> Effect:
    """The effect of an operation among those of its tool."""
    path = routes.path(operation.key)
    method = operation.route.method
    if method in SAFE_METHODS:
        return Effect("acting-read" if acts_by_get(operation, routes) else "read", len(path.names))
    if method == "POST" and not _posts_item(operation.tool, path, routes):
        return _posted(operation, path, routes)
    if _ends_in_new_value(operation.tool, path, routes):
        return Effect("part" if len(path.names) > 1 else "singleton", len(path.names) - 1)
    if method == "PUT" and _is_verb_before_target(operation.tool, path, routes):
        return Effect("part", len(path.names))
    if path.ends_in_parameter:
        above = parents_above(operation.tool, path, len(path.names) - 1, routes)
        parents = above if method in ("PUT", "POST") else len(path.names)
        return Effect("item", parents, bool(routes.on_path(operation.tool, path, "DELETE")))
    if path.names:
        return Effect("part", len(path.names))
    return Effect("collection" if method == "DELETE" else "singleton")


def _ends_in_new_value(tool: str, path: Path, routes: Routes) -> bool:
    """Whether a path ends in what something is to be from now on, and not in which thing: `PUT /wallet/{new_name}`."""
    is_new = path.ends_in_parameter and "new" in words(called(path.names[-1]))
    return is_new and routes.on_path(tool, path, "GET") is None


def _is_verb_before_target(tool: str, path: Path, routes: Routes) -> bool:
    """Whether a path says what is done to what it ends in (`/server/restart/{device}`), and is no item of a list."""
    if not path.ends_in_parameter or (ACTING | AMBIGUOUS).isdisjoint(
        words(last_segment(path.collection.literals[-1]))[:1]
    ):
        return False
    beside = ((path, "GET"), (path, "DELETE"), (path.collection, "GET"), (path.collection, "POST"))
    return not any(routes.on_path(tool, at, method) for at, method in beside)


def says_removal(path: str) -> bool:
    """Whether a path ends in what removes the thing before it: `/pads/{id}/deletePad`, not `/pads/{id}/removeUser`."""
    thing, _, last = path.rstrip("/").rpartition("/")
    verb, *kind = singular_words(last) or ("",)
    named = singular_words(thing.rpartition("/")[0].rpartition("/")[2])
    return thing.endswith("}") and VERBS.get(verb) == "remove" and tuple(kind) in ((), named)


def item_operation(operation: Operation, routes: Routes) -> Operation | None:
    """The operation of one item of those that a POST creates: below its path, or at `/WORD/{id}` elsewhere, or where
    its path names what they lie in: `/repos/{org}/{name}` of `POST /orgs/{org}/repos`.
    """
    under, path = routes.item_under(operation.key), routes.path(operation.key)
    word = last_segment(path.literals[-1])
    if under is not None or not word or reads_parts(routes, operation):
        return under
    return routes.elsewhere(operation.tool, word) or routes.elsewhere(operation.tool, word, len(path.names))


def _posted_listing(operation: Operation, routes: Routes) -> tuple[Operation, Path] | None:
    path = routes.path(operation.key)
    if path.ends_in_parameter or reading_verb(operation) not in _LISTING:
        return None
    collection = path.around
    item = routes.item_of(operation.tool, collection) if collection.literals[-1] else None
    return None if item is None else (item, collection)


def _kind(path: Path) -> str:
    """What the items of a collection, or the item, at a path are called: `zone` for `/zones` and for `/zones/{id}`."""
    collection = path.collection if path.ends_in_parameter else path
    return noun_of(collection.literals[-1])


def is_batch(operation: Operation) -> bool:
    """Whether an operation is named as one that carries requests: at the end of its path or, if that does not say that
    it reads, in its operationId; not as one that makes several things, nor one whose body has IDs of things alone.
    """
    above, _, end = operation.path.rstrip("/").rpartition("/")
    if makes_several(operation) or _names_things(operation.body_schema, above.rpartition("/")[2]):
        return False
    last = words(end)
    return "batch" in last or ("batch" in words(operation.operation_id) and not _LISTING.intersection(last[:1]))


def _names_things(schema: Schema | None, noun: str) -> bool:
    """Whether a body has nothing but lists of IDs: `product_ids`, `customers` of objects with an `id`, or what is
    called as the segment before: `products` for `/rates/{id}/products/batch`.
    """
    lists = [(name, part.items()) for name, part in properties_of(schema).items()]
    return bool(lists) and all(item is not None and _is_of_ids(name, item, noun) for name, item in lists)


def _is_of_ids(name: str, item: Schema, noun: str) -> bool:
    """Whether a list has IDs, or objects with an ID alone."""
    inner = properties_of(item)
    if item.type in ("string", "integer"):
        return is_id_name(name) or words(name) == words(noun)
    return item.type == "object" and bool(inner) and all(map(is_id_name, inner))


def _posted(operation: Operation, path: Path, routes: Routes) -> Effect:
    if is_batch(operation):
        return Effect("batch")
    if not path.ends_in_parameter and _creates(operation, routes):
        removable = _removable(operation, routes)
        return Effect("creation", parents_above(operation.tool, path, len(path.names), routes), removable)
    return Effect("query" if reading_verb(operation) else "action", len(path.names))


def _posts_item(tool: str, path: Path, routes: Routes) -> bool:
    """Whether a POST to an item's path makes or changes it, as a PUT would: others show it and remove it there. Where a
    PUT says that it changes what is there, the POST must say that it makes it.
    """
    beside = [routes.on_path(tool, path, method) for method in ("POST", "GET", "DELETE")]
    post, put = beside[0], routes.on_path(tool, path, "PUT")
    if not path.ends_in_parameter or post is None or None in beside:
        return False
    return put is None or (_says(post, "make") and _says(put, "change"))


def _says(operation: Operation, deed: Deed) -> bool:
    """Whether the name or the summary of an operation begins with a verb for what it does to things."""
    first = [word for text in (operation.operation_id, operation.summary) for word in base_forms(*words(text)[:1])]
    return any(VERBS.get(word) == deed for word in first)


def _creates(operation: Operation, routes: Routes) -> bool:
    """Whether a POST makes an item: a path of one lies under it, or its path can be listed and an item removed; or it
    says so, some list shows such items, and a part of one can be read, as by `/rooms/{id}/members`.
    """
    if routes.item_under(operation.key) is not None:
        return True
    is_listed = routes.twin(operation.key, "GET") is not None
    if is_listed and (_removable(operation, routes) or _deletes_by_id(routes.twin(operation.key, "DELETE"))):
        return True
    if not _says(operation, "make") or not reads_parts(routes, operation):
        return False
    return is_listed or next(lists_elsewhere(routes, operation.tool, operation.route.path), None) is not None


def _removable(operation: Operation, routes: Routes) -> bool:
    """Whether a DELETE of its own path removes one of the items that a POST makes.

    One of the collection, with an id in the query, is never sent: where that is ignored, it removes everything.
    """
    item = item_operation(operation, routes)
    return item is not None and routes.twin(item.key, "DELETE") is not None


def _deletes_by_id(delete: Operation | None) -> bool:
    return delete is not None and any(
        parameter.location == "query" and role_of(parameter.name) is Role.ID for parameter in delete.parameters
    )


def _made_elsewhere(tool: str, item: Path, routes: Routes) -> bool:
    """Whether the run may make and remove, in something else, what is addressed by its ID alone, or after what it lies
    in: the tickets of `/tickets/{id}/notes` by `POST /boards/{id}/tickets`.
    """
    word, above = item.word_before, len(item.names) - 1
    posts = (op for op in routes.operations if op.tool == tool and op.route.method == "POST")
    makers = (op for op in posts if word and op.route.path.rstrip("/").endswith(f"}}/{word}"))
    fitting = (op for op in makers if above in (0, len(routes.path(op.key).names)))
    return any(_creates(op, routes) and _removable(op, routes) for op in fitting)


def parents_above(tool: str, path: Path, count: int, routes: Routes) -> int:
    """How many parameters address the nearest thing above that the spec lets the run make and remove; 0 for none."""
    for number in range(count, 0, -1):
        item = path.head(number)
        makes = routes.on_path(tool, item, "PUT") or routes.on_path(tool, item.collection, "POST")
        if (makes or _posts_item(tool, item, routes)) and routes.on_path(tool, item, "DELETE"):
            return number
        if _made_elsewhere(tool, item, routes):
            return number
    return 0
