"""What can be created, read, changed and deleted: the operations on one kind of item, by the shape of their paths."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.language.path_templates import shape_of
from docrev.planner.knowledge import Knowledge, Memo
from docrev.planner.operation_views import OperationView

OperationsByMethod = dict[str, OperationView]


@dataclass(slots=True)
class Resource:
    """A kind of item that can be created: `/buckets/{id}` and its collection `/buckets`; only operations that worked.

    `poster` creates an item and chooses its ID, `putter` creates one under an ID of the caller's choice. `parent` is
    the kind of item that it is part of, None if that cannot be created.
    """

    noun: str
    poster: OperationView | None = None
    putter: OperationView | None = None
    changer: OperationView | None = None
    deleter: OperationView | None = None
    clearer: OperationView | None = None
    reader: OperationView | None = None
    lister: OperationView | None = None
    parent: Resource | None = None

    @property
    def views(self) -> list[OperationView]:
        parts = (self.poster, self.putter, self.changer, self.deleter, self.clearer, self.reader, self.lister)
        return [part for part in parts if part is not None]

    @property
    def is_usable(self) -> bool:
        """Whether an item can be created, and seen again."""
        return bool((self.poster or self.putter) and (self.reader or self.lister))

    @property
    def ancestors(self) -> list[Resource]:
        """What it is part of, the outermost first."""
        return [*self.parent.ancestors, self.parent] if self.parent is not None else []


class Resources:
    """The resources of all tools."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._resources: Memo[list[Resource]] = knowledge.memo()

    def of(self, view: OperationView) -> Resource | None:
        """The resource that an operation is about."""
        resources = self._resources.get("all", lambda: _find(self._knowledge))
        return next((resource for resource in resources if any(part is view for part in resource.views)), None)


def _find(knowledge: Knowledge) -> list[Resource]:
    by_shape: dict[tuple[str, str], OperationsByMethod] = {}
    for view in knowledge.views.values():
        if view.successes:
            by_shape.setdefault((view.key.tool, shape_of(view.key.path)), {})[view.key.method] = view
    resources: dict[tuple[str, str], Resource] = {}
    for tool, path in sorted(by_shape, key=lambda name: (name[1].count("{}"), name)):
        collection = path.removesuffix("/{}")
        if (tool, collection) in resources:
            continue
        parent = collection[: collection.rindex("{}") - 1] if "{}" in collection else None
        resource = _resource(by_shape.get((tool, collection), {}), by_shape.get((tool, f"{collection}/{{}}"), {}))
        if resource is not None and (parent is None or (tool, parent) in resources):
            resource.parent = resources[tool, parent] if parent is not None else None
            resources[tool, collection] = resource
    return list(resources.values())


def _resource(collection: OperationsByMethod, item: OperationsByMethod) -> Resource | None:
    """The resource of the operations on a collection and on its items, if one can be created and seen again."""
    post, put = collection.get("POST"), item.get("PUT")
    creator = post or put
    if creator is None or not (item or creator.creations):
        return None
    resource = Resource(
        noun=creator.noun,
        poster=post if post is not None and post.item_count else None,
        putter=put if put is not None and put.creations else None,
        changer=item.get("PATCH") or put,
        deleter=item.get("DELETE"),
        clearer=collection.get("DELETE"),
        reader=item.get("GET"),
        lister=collection.get("GET"),
    )
    return resource if resource.is_usable else None
