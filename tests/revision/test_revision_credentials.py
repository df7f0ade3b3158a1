"""How credentials are sent, told where the document does not: after a call with them, and the same without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev

SECRET = "s3cr3t-0f-m1ne"


def notes(request: Received) -> Answer:
    known = SECRET in request.headers.get("authorization", request.headers.get("x-key", ""))
    return reply({"plan": "none"}) if known else reply({"error": "who are you?"}, 401)


def head(folder: Path, header: str, schemes: dict[str, Any], text: str = "") -> str:
    """The description of the whole API once it was explored with a header and revised."""
    get = {"responses": {"200": {"description": "ok"}}}
    spec = {
        "openapi": "3.0.3",
        "info": {"title": "notes", "version": "1", "description": text},
        "paths": {f"/{name}": {"get": get} for name in ("plan", "owner")},
        "components": {"securitySchemes": schemes},
    }
    path = folder / "notes.json"
    path.write_text(json.dumps(spec))
    with Server({"GET /plan": notes, "GET /owner": notes}) as server:
        docrev.explore(path, base_urls=server.url, headers=[header], out=folder / "out", max_calls=60)
    revision = docrev.revise(path, evidence=folder / "out", write_to=folder / "new")
    assert docrev.revise(folder / "new" / "notes.json", evidence=folder / "out").changes == ()
    assert SECRET.encode() not in (folder / "out" / "evidence.db").read_bytes()
    assert SECRET not in repr(revision.changes)
    return str(revision.documents[str(path)].get("/info/description"))


BASIC = {"login": {"type": "http", "scheme": "basic"}}


@pytest.mark.parametrize(
    ("header", "schemes", "expected"),
    [
        (f"Authorization: Token {SECRET}", {}, "`Authorization: Token <token>`"),
        (f"Authorization: Token {SECRET}", BASIC, "`Authorization: Token <token>`"),
        (f"X-Key: {SECRET}", {}, "`X-Key: <key>`"),
    ],
)
def test_what_was_sent_is_told_where_no_declared_scheme_says_so(
    tmp_path: Path, header: str, schemes: dict[str, Any], expected: str
) -> None:
    told = f"Credentials are accepted as {expected}; requests that need them return 401 otherwise."
    assert told in head(tmp_path, header, schemes)


@pytest.mark.parametrize(
    ("header", "scheme", "text"),
    [
        (f"Authorization: Bearer {SECRET}", {"type": "http", "scheme": "bearer"}, ""),
        (f"X-Key: {SECRET}", {"type": "apiKey", "in": "header", "name": "X-KEY"}, ""),
        # The first word may be part of the secret.
        (f"Authorization: open {SECRET}", BASIC["login"], ""),
        (f"Authorization: Token {SECRET}", BASIC["login"], "Send your token in the Authorization header."),
    ],
)
def test_what_the_document_says_or_nobody_knows_is_not_told(
    tmp_path: Path, header: str, scheme: dict[str, Any], text: str
) -> None:
    assert "Credentials" not in head(tmp_path, header, {"known": scheme}, text)
