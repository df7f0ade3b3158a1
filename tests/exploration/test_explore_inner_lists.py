"""What is made in a thing of the run's own and shown in a list of that alone, with which the creation is answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, texts

LINES = ["GET /products", "POST /products", "GET /products/{id}", "DELETE /products/{id}"]
OPTIONS = ["POST /products/{id}/options", "POST /products/{id}/options/{option_id}"]
OPTIONS += ["DELETE /products/{id}/options/{option_id}", "POST /products/{id}/options/{option_id}/values"]
BODIES = dict.fromkeys(["POST /products", *OPTIONS[:2], OPTIONS[3]], texts("title"))


class Products(Shop):
    """Products with options, and those with values: what is done to either is answered with the product."""

    wrapped, listed_empty = True, True

    def __init__(self) -> None:
        size = {"id": 1, "title": "Size", "values": []}
        super().__init__({"/products/7": {"title": "Shirt", "options": [size]}})
        self.last = 1

    def __call__(self, request: Received) -> Answer:
        below = request.path.strip("/").split("/")[2:]
        place = "/".join(request.path.split("/")[:3])
        if not below:
            return super().__call__(request)
        if place not in self.things:
            return reply({"message": "no such product"}, 404)
        return self._changed(request, place, below)

    def shown(self, path: str) -> dict[str, Any]:
        found = super().shown(path)
        return {"options": [], **found} if self.listed_empty else found

    def _changed(self, request: Received, place: str, below: list[str]) -> Answer:
        options = self.things[place].setdefault("options", [])
        sent = request.json if request.body else {}
        option = next((one for one in options if below[1:2] == [str(one["id"])]), None)
        if len(below) == 1:
            self.last += 1
            options.append({"id": self.last, "values": [], **sent})
        elif option is None:
            return reply({"message": "no such option"}, 404)
        elif len(below) == 3:
            option["values"].append(sent["title"])
        elif request.method == "DELETE":
            options.remove(option)
        else:
            option |= sent
        shown = self.shown(place)
        return reply({"product": shown, "ok": True} if self.wrapped else shown)


class Bare(Products):
    """Without an envelope, and without the list where it is empty."""

    wrapped, listed_empty = False, False


@pytest.mark.parametrize("kind", [Products, Bare])
def test_what_came_into_a_list_of_the_parent_is_used_and_removed(tmp_path: Path, kind: type[Products]) -> None:
    shop = kind()
    before = json.dumps(shop.things)
    reached, server = explored(tmp_path, shop, [*LINES, *OPTIONS], **BODIES)
    assert reached == {*LINES, *OPTIONS}
    assert not [one for one in server.requests if one.method != "GET" and one.path.startswith("/products/7")]
    assert json.dumps(shop.things) == before


TRACKS = ["d19e914e-c110-4ad4-94c9-4c94ad7a5c05", "0b5e7b1c-6a0e-4d7b-9a53-0e3a4c1e8f21"]
LISTED = ["GET /tracks", "GET /tracks/{id}"]
PLAYLISTS = ["GET /playlists", "POST /playlists", "GET /playlists/{id}", "DELETE /playlists/{id}"]
ADDING = ["POST /playlists/{id}/tracks", "DELETE /playlists/{id}/tracks/{track_id}", "DELETE /tracks/{id}"]


class Playlists(Shop):
    """Whatever is asked for, a track of somebody else's comes into the playlist; removed there, it is gone for good."""

    def __init__(self) -> None:
        super().__init__({f"/tracks/{id}": {"title": id[:4]} for id in TRACKS})

    def __call__(self, request: Received) -> Answer:
        parts = request.path.strip("/").split("/")
        place = "/".join(["", *parts[:2]])
        if len(parts) < 3:
            return super().__call__(request)
        if place not in self.things:
            return reply({"message": "no such playlist"}, 404)
        if request.method == "DELETE":
            self._remove(f"/tracks/{parts[3]}")
        else:
            self.things[place]["tracks"] = [{"id": TRACKS[0], "title": TRACKS[0][:4]}]
        return reply({"playlist": self.shown(place)})


@pytest.mark.parametrize("listed", [LISTED, []])
def test_what_a_list_of_the_parent_only_refers_to_is_not_taken_for_the_runs_own(
    tmp_path: Path, listed: list[str]
) -> None:
    lines = [*listed, *PLAYLISTS, *ADDING]
    bodies = {"POST /playlists": texts("title"), ADDING[0]: texts("mood")}
    shop = Playlists()
    reached, server = explored(tmp_path, shop, lines, **bodies)
    assert ADDING[0] in reached
    assert [path for path in shop.things if path.startswith("/tracks")] == [f"/tracks/{id}" for id in TRACKS]
    assert not [one for one in server.requests if one.method == "DELETE" and TRACKS[0] in one.path]
