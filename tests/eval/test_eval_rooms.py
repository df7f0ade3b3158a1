"""Rooms: what is written in one is not there in another."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx2
from patience import HANGS

from docrev.eval.rooms import Rooms, serve_bundled_rooms, serve_simulated_rooms

LIBRARY = Path(__file__).resolve().parents[1] / "library.yaml"


def test_each_room_has_a_service_of_its_own() -> None:
    with serve_bundled_rooms() as base, httpx2.Client(timeout=HANGS) as client:
        made = client.post(f"{base}/one/airfield/watchlists", json={"name": "Islands"})
        assert made.status_code == 201
        identifier = made.json()["id"]
        assert client.get(f"{base}/one/airfield/watchlists/{identifier}").status_code == 200
        assert client.get(f"{base}/two/airfield/watchlists/{identifier}").status_code == 404


def test_paths_are_seen_as_the_service_serves_them() -> None:
    with serve_bundled_rooms() as base, httpx2.Client(timeout=HANGS) as client:
        assert client.get(f"{base}/a%20b/atlas/countries/IS").json()["code"] == "IS"
        assert client.get(f"{base}/room/atlas/nothing").status_code == 404
        assert client.get(f"{base}/room/nobody/countries").status_code == 404


def test_worlds_of_specs_are_served_in_rooms() -> None:
    with serve_simulated_rooms({"library": LIBRARY}, seed=3) as base, httpx2.Client(timeout=HANGS) as client:
        one = client.get(f"{base}/1/library/books")
        assert one.status_code == 200
        assert one.content == client.get(f"{base}/2/library/books").content


def test_the_room_left_alone_longest_goes_first() -> None:
    made: list[str] = []

    def make() -> object:
        made.append("x")

        async def app(scope: object, receive: object, send: object) -> None:
            pass

        return app

    rooms = Rooms({"t": make})  # type: ignore[dict-item]

    async def nothing(*_: object) -> None:
        pass

    async def enter(name: str) -> None:
        await rooms({"type": "http", "path": f"/{name}/t/x"}, nothing, nothing)  # type: ignore[arg-type]

    async def visit() -> None:
        for number in range(256):
            await enter(str(number))
        for name in ("0", "new", "0"):
            await enter(name)
        assert len(made) == 257
        await enter("1")
        assert len(made) == 258

    asyncio.run(visit())
