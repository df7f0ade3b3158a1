"""Watch-lists of airports: the part of Airfield that can be written. They live as long as the process."""

from __future__ import annotations

from datetime import date

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from docrev.records import Json
from docrev.sandbox.tables import load
from docrev.sandbox.web import InvalidRequest, NotFound, Param, ParameterFault, answer, encode, read_body, read_query

VISIBILITIES = ("private", "shared", "public")
FIELDS = (
    Param("name", required=True, length=(1, 60)),
    Param("visibility", default="private", choices=VISIBILITIES),
    Param("review_on", "date", nullable=True),
)
ITEM_FIELDS = (Param("iata", required=True), Param("note", length=(0, 200), nullable=True))
LIST = (Param("visibility", choices=VISIBILITIES),)
Item = dict[str, Json]


class Watchlists:
    """Watch-lists and their items by id; ids count up, so the same requests get the same ids."""

    def __init__(self) -> None:
        self.lists: dict[str, Item] = {}
        self.items: dict[str, dict[str, Item]] = {}
        self.created, self.created_items = 0, 0
        self.airports = {row["iata"]: row for row in load("airfield", "airports")}

    def routes(self) -> list[Route]:
        """The watch-lists, one of them, its items, one of them."""
        one, items = "/watchlists/{watchlist_id}", "/watchlists/{watchlist_id}/items"
        return [
            Route("/watchlists", self.list),
            Route("/watchlists", self.create, methods=["POST"]),
            Route(one, self.get),
            Route(one, self.replace, methods=["PUT"]),
            Route(one, self.delete, methods=["DELETE"]),
            Route(items, self.list_items),
            Route(items, self.add_item, methods=["POST"]),
            Route(items + "/{item_id}", self.remove_item, methods=["DELETE"]),
        ]

    async def list(self, request: Request) -> Response:
        wanted = read_query(request, LIST)["visibility"]
        found = [self._with_item_count(one) for one in self.lists.values() if wanted in (None, one["visibility"])]
        return answer(encode({"results": found, "count": len(found)}))

    async def create(self, request: Request) -> Response:
        fields = _checked(await read_body(request, FIELDS))
        self.created += 1
        one = {"id": f"wl_{self.created:04}", **fields}
        self.lists[one["id"]] = one
        self.items[one["id"]] = {}
        return answer(encode(self._with_item_count(one)), 201, {"location": f"/watchlists/{one['id']}"})

    async def get(self, request: Request) -> Response:
        return answer(encode(self._with_item_count(self._list(request))))

    async def replace(self, request: Request) -> Response:
        one = self._list(request)
        one.update(_checked(await read_body(request, FIELDS)))
        return answer(encode(self._with_item_count(one)))

    async def delete(self, request: Request) -> Response:
        key = self._list(request)["id"]
        del self.lists[key], self.items[key]
        return Response(status_code=204)

    async def list_items(self, request: Request) -> Response:
        items = [*self.items[self._list(request)["id"]].values()]
        return answer(encode({"items": items}))

    async def add_item(self, request: Request) -> Response:
        key = self._list(request)["id"]
        fields = await read_body(request, ITEM_FIELDS)
        if fields["iata"] not in self.airports:
            raise InvalidRequest([ParameterFault("body", "iata", "unknown", ITEM_FIELDS[0])])
        self.created_items += 1
        airport = self.airports[fields["iata"]]
        item = {"item_id": f"wi_{self.created_items:04}", **fields, "airport_name": airport["name"]}
        self.items[key][item["item_id"]] = item
        return answer(encode(item), 201)

    async def remove_item(self, request: Request) -> Response:
        items = self.items[self._list(request)["id"]]
        if items.pop(request.path_params["item_id"], None) is None:
            raise NotFound
        return Response(status_code=204)

    def _list(self, request: Request) -> Item:
        key = request.path_params["watchlist_id"]
        if key not in self.lists:
            raise NotFound
        return self.lists[key]

    def _with_item_count(self, one: Item) -> Item:
        return {**one, "item_count": len(self.items[one["id"]])}


def _checked(fields: Item) -> Item:
    try:
        date.fromisoformat(fields["review_on"] or "2000-01-01")
    except ValueError:
        raise InvalidRequest([ParameterFault("body", "review_on", "type", FIELDS[2])]) from None
    return fields
