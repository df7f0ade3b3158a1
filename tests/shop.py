"""A service with state for tests: collections of things that can be listed, created, changed and removed."""

from __future__ import annotations

import itertools
from typing import Any

from servers import Answer, Received, reply


class Shop:
    """`things` by path (`/items/7`, `/items/7/notes/1`); what is there from the start is somebody else's.

    A collection is listed under `data`, and selected from by query (`?tag=t`). A thing that is created gets the next
    number for an id; deleting one removes what lies in it. `headers` are sent with each list.
    """

    def __init__(self, things: dict[str, dict[str, Any]] | None = None) -> None:
        self.things = dict(things or {})
        self.headers: dict[str, str] = {}
        self._numbers = itertools.count(1)

    @property
    def routes(self) -> dict[str, Any]:
        return {f"{method} *": self for method in ("GET", "POST", "PUT", "PATCH", "DELETE")}

    def __call__(self, request: Received) -> Answer:
        path = request.path.rstrip("/")
        in_collection = path.count("/") % 2 == 1
        above = path.rpartition("/")[0]
        if in_collection and above and above not in self.things:
            return reply({"error": "not found"}, 404)
        return self._collection(request, path) if in_collection else self._item(request, path)

    def listed(self, collection: str, **selected: list[str]) -> list[dict[str, Any]]:
        """The things of a collection, in order of creation."""
        found = [self.shown(path) for path in self.things if path.rpartition("/")[0] == collection]
        return [thing for thing in found if all(str(thing.get(name)) in values for name, values in selected.items())]

    def shown(self, path: str) -> dict[str, Any]:
        """A thing as it is answered: with its id."""
        id = path.rpartition("/")[2]
        return {"id": int(id) if id.isdecimal() else id, **self.things[path]}

    def _collection(self, request: Received, path: str) -> Answer:
        if request.method == "POST":
            place = next(free for n in self._numbers if (free := f"{path}/{n}") not in self.things)
            self.things[place] = dict(request.json) if request.body else {}
            return reply(self.shown(place), 201)
        found = self.listed(path, **request.query)
        if request.method == "GET":
            return reply({"data": found}, 200, **self.headers)
        if request.method != "DELETE":
            return reply({"error": "method not allowed"}, 405)
        for thing in found:
            self._remove(f"{path}/{thing['id']}")
        return Answer(204)

    def _item(self, request: Received, path: str) -> Answer:
        there = path in self.things
        if request.method == "PUT":
            self.things[path] = dict(request.json) if request.body else {}
            return reply(self.shown(path), 200 if there else 201)
        if not there:
            return reply({"error": "not found"}, 404)
        if request.method == "DELETE":
            self._remove(path)
            return Answer(204)
        if request.method == "PATCH":
            self.things[path] |= request.json if request.body else {}
        return reply(self.shown(path))

    def _remove(self, path: str) -> None:
        self.things = {p: thing for p, thing in self.things.items() if p != path and not p.startswith(path + "/")}


class CopyingShop(Shop):
    """Its things have the `name` of the body for an ID; a change of it makes a copy under the new one."""

    def _collection(self, request: Received, path: str) -> Answer:
        if request.method != "POST":
            return super()._collection(request, path)
        place = f"{path}/{request.json.get('name', '')}"
        if place in self.things or not request.json.get("name"):
            return reply({"error": "name is taken, or missing"}, 422)
        self.things[place] = dict(request.json)
        return reply({}, 201)

    def _item(self, request: Received, path: str) -> Answer:
        if request.method not in ("PUT", "PATCH") or path not in self.things:
            return reply({"error": "not found"}, 404) if path not in self.things else super()._item(request, path)
        kept = self.things[path] if request.method == "PATCH" else {}
        thing = {**kept, **(request.json if request.body else {})}
        if not isinstance(thing.get("name"), str):
            return reply({"error": "name is required"}, 422)
        place = f"{path.rpartition('/')[0]}/{thing['name']}"
        self.things[place] = thing
        return reply(self.shown(place))
