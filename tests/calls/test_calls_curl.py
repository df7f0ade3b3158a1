"""A call as a command of curl: the shell sends what docrev sent."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from callkit import Api, catalog, invoke
from servers import Received, Server, reply

from docrev.calls.curl import as_curl
from docrev.calls.redact import MASK

BODY = {"name": "a 'b' $c", "size": 3}


@pytest.mark.parametrize("media", ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_the_command_sends_what_was_sent(tmp_path: Path, media: str) -> None:
    arrived: list[Received] = []

    def create(request: Received) -> Any:
        arrived.append(request)
        return reply({"id": 1}, 201)

    with Server({"POST /items": create}) as server:
        specs = catalog(tmp_path, ["POST /items"], POST_items={"requestBody": {"content": {media: {}}}})
        api = Api(specs, server.url, tmp_path, allow=["POST /items"])
        [call] = api.call(invoke("POST /items", {"body:": BODY, "header:content-type": media}))
        subprocess.run(["sh", "-c", as_curl(call, specs[call.key])], check=True, capture_output=True)
    kinds = [request.headers["content-type"] for request in arrived]
    assert kinds[0] == kinds[1]
    assert kinds[0].startswith(media)
    assert arrived[0].body == arrived[1].body


def test_a_secret_stands_as_a_variable(tmp_path: Path) -> None:
    seen: list[str] = []

    def keep(request: Received) -> Any:
        seen.append(request.headers["x-key"])
        return reply([])

    with Server({"GET /items": keep}) as server:
        api = Api(catalog(tmp_path, ["GET /items"]), server.url, tmp_path)
        command = as_curl(api.get({"header:X-Key": MASK}), None)
        subprocess.run(["sh", "-c", command], check=True, capture_output=True, env={**os.environ, "SECRET": "s3"})
    assert seen[1:] == ["s3"]
