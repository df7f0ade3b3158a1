"""Files of the type that an error, or the contract, names."""

from __future__ import annotations

import bz2
import io
import json
import zipfile
from pathlib import Path
from typing import Any

from callkit import document
from servers import Answer, Received, Server, reply

import docrev

FILE = {"type": "string", "format": "binary"}


def form(**described: str) -> dict[str, Any]:
    schema = {"type": "object", "required": ["upload"], "properties": {"upload": {**FILE, **described}}}
    return {"requestBody": {"content": {"multipart/form-data": {"schema": schema}}}}


class Archive:
    """Takes one type of files at each of its addresses, and lists how many it has."""

    def __init__(self) -> None:
        self.kept: dict[str, list[str]] = {"/dumps": [], "/bundles": [], "/tables": []}

    def answer(self, request: Received) -> Answer:
        if request.method == "GET":
            return reply(self.kept[request.path])
        try:
            name = getattr(self, request.path.strip("/"))(request.body)
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            return reply({"detail": str(error)}, 400)
        self.kept[request.path].append(name)
        return reply({"name": name}, 201)

    def dumps(self, body: bytes) -> str:
        try:
            return bz2.decompress(body).decode().strip()
        except OSError:
            raise ValueError("not a bzip2 stream") from None

    def bundles(self, body: bytes) -> str:
        boundary, _, part = body.partition(b"\r\n")
        content = part.partition(b"\r\n\r\n")[2].partition(b"\r\n" + boundary)[0]
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return archive.read(archive.namelist()[0]).decode().strip()

    def tables(self, body: bytes) -> str:
        if b'.csv"' not in body:
            raise ValueError("this cannot be imported")
        return body.split(b"name,value\r\n")[-1].split(b",")[0].decode()


def test_the_type_of_a_file_is_what_an_error_or_the_contract_names(tmp_path: Path) -> None:
    file, archive = tmp_path / "archive.json", Archive()
    operations = [f"{method} /{name}" for name in ("dumps", "bundles", "tables") for method in ("GET", "POST")]
    bodies = {
        "POST /dumps": {"requestBody": {"content": {"application/octet-stream": {"schema": FILE}}}},
        "POST /bundles": form(),
        "POST /tables": form(description="A CSV file with names"),
    }
    file.write_text(json.dumps(document(operations, **bodies)))
    with Server({"GET /*": archive.answer, "POST /*": archive.answer}) as server:
        summary = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=60, allow=[*bodies]
        ).summary
    assert summary["missed"] == []
    assert all(archive.kept.values())
