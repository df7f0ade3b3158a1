"""What can be created, read, changed and deleted: the operations on one kind of thing, by the shape of their paths."""

from __future__ import annotations

from dataclasses import dataclass, field

from docrev.planner.knowledge import Knowledge, View


@dataclass(slots=True)
class Resource:
    """A kind of thing that can be made: `/buckets/{id}` and its collection `/buckets`. Only operations that worked.

    `maker` creates one without its id being told, `putter` under an id of one's own choice. `parent` is the kind of
    thing that it lies in; None where it lies in nothing that can be made.
    """

    noun: str
    depth: int
    maker: View | None = None
    putter: View | None = None
    changer: View | None = None
    deleter: View | None = None
    clearer: View | None = None
    reader: View | None = None
    lister: View | None = None
    parent: Resource | None = None

    @property
    def views(self) -> list[View]:
        parts = (self.maker, self.putter, self.changer, self.deleter, self.clearer, self.reader, self.lister)
        return [part for part in parts if part is not None]


@dataclass(slots=True)
class Resources:
    """The resources of all tools, found again whenever something was learned."""

    knowledge: Knowledge
    _version: int = -1
    _found: list[Resource] = field(default_factory=list)

    def of(self, view: View) -> Resource | None:
        """The resource that an operation is about."""
        if self._version != self.knowledge.version:
            self._version, self._found = self.knowledge.version, _find(self.knowledge)
        return next((found for found in self._found if any(part is view for part in found.views)), None)


def shape(path: str) -> str:
    """A path without the names of its parameters: `/buckets/{id}` and `/buckets/{bucket_id}` are one."""
    return "/".join("{}" if part.startswith("{") else part for part in path.rstrip("/").split("/"))


def _find(knowledge: Knowledge) -> list[Resource]:
    at: dict[tuple[str, str], dict[str, View]] = {}
    for view in knowledge.views.values():
        if view.good:
            at.setdefault((view.key.tool, shape(view.key.path)), {})[view.key.method] = view
    found: dict[tuple[str, str], Resource] = {}
    for tool, place in sorted(at, key=lambda name: (name[1].count("{}"), name)):
        collection = place.removesuffix("/{}")
        if (tool, collection) not in found:
            made = _resource(at.get((tool, collection), {}), at.get((tool, f"{collection}/{{}}"), {}), place)
            above = collection[: collection.rindex("{}") - 1] if "{}" in collection else None
            if made is not None and (above is None or (tool, above) in found):
                made.parent = found[tool, above] if above is not None else None
                found[tool, collection] = made
    return list(found.values())


def _resource(whole: dict[str, View], one: dict[str, View], place: str) -> Resource | None:
    """What the operations on a collection and on its items make up, where something can be made and seen again."""
    put = one.get("PUT")
    creating = put is not None and put.created > 0
    maker = whole.get("POST")
    if (maker is None and not creating) or not (one or (maker is not None and maker.created)):
        return None
    noun = (maker or put or next(iter(one.values()))).noun
    found = Resource(
        noun=noun,
        depth=place.count("{}"),
        maker=maker if maker is not None and any(seen.reading.items for seen in maker.seen) else None,
        putter=put if creating else None,
        changer=one.get("PATCH") or put,
        deleter=one.get("DELETE"),
        clearer=whole.get("DELETE"),
        reader=one.get("GET"),
        lister=whole.get("GET"),
    )
    return found if (found.maker or found.putter) and (found.reader or found.lister) else None
