"""One secret, in forty forms and places of a response: no byte of it in any output, in the database or its log."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode

import pytest
from chat_server import ChatServer, said
from clikit import Done, docrev, here, interrupted, spec
from secret_forms import forms
from servers import Answer, Received, Server, reply

SECRET = "tOk-En7f9Qz&LpX+4wMv%k.Z"
FORMS = forms(SECRET)
NAMES = list(FORMS)
JSON = {"Content-Type": "application/json"}
PLACES = (
    *("values", "names", "lists", "nested", "text", "lines", "broken", "page", "long", "headers", "header-names"),
    *("kind", "charset", "coding", "away", "astray", "error", "refused", "json-in-text", "ids", "odd-line"),
)
HIDDEN = re.compile("[\u00ad\u200b\u2060\ufe0f\u202e\u202c\x00\n\r]")


def in_header(name: str) -> bool:
    text = FORMS[name]
    return text.isascii() and text.isprintable()


def respond(request: Received) -> Answer:
    place = request.path.strip("/").partition("/")[0]
    by_name: dict[str, Any] = dict(FORMS)
    spelled = "; ".join(FORMS.values())
    headers = {f"X-{at}": FORMS[name] for at, name in enumerate(filter(in_header, NAMES))}
    answers = {
        "values": lambda: reply(by_name),
        "names": lambda: reply({form: at for at, form in enumerate(FORMS.values())}),
        "lists": lambda: reply({"items": [{"id": at, "of": form} for at, form in enumerate(FORMS.values())]}),
        "nested": lambda: reply({"a": {"b": [{"c": by_name}]}, "total": 1}),
        "text": lambda: Answer(200, spelled.encode(), {"Content-Type": "text/plain"}),
        "lines": lambda: Answer(
            200,
            "\n".join(json.dumps({"x": form}) for form in FORMS.values()).encode(),
            {"Content-Type": "application/x-ndjson"},
        ),
        "broken": lambda: Answer(200, f'{{"a": "{SECRET}" {spelled}'.encode(), JSON),
        "page": lambda: Answer(200, f"<p>{spelled}</p>".encode(), {"Content-Type": "text/html"}),
        "long": lambda: reply({f"v{n}": "x" * (19_990 + n) + SECRET for n in range(12)}),
        "headers": lambda: Answer(200, b"{}", {**JSON, **headers, "X-Long": "y" * 1990 + SECRET}),
        "header-names": lambda: Answer(
            200, b"{}", {**JSON, f"X-{SECRET}": SECRET, "Link": f'</a?key={SECRET}>; rel="next"'}
        ),
        "kind": lambda: Answer(200, b"{}", {"Content-Type": f"application/{SECRET}+json"}),
        "charset": lambda: Answer(200, b"\xff", {"Content-Type": f"application/json; charset={SECRET}"}),
        "coding": lambda: Answer(200, b"{}", {**JSON, "Content-Encoding": "z" * 30 + SECRET}),
        "away": lambda: Answer(302, b"", {"Location": f"http://{SECRET}:{SECRET}@{'h' * 90}.example/?k={SECRET}"}),
        "astray": lambda: Answer(302, b"", {"Location": f"/nowhere?token={SECRET}"}),
        "error": lambda: reply({"detail": f"bad key {SECRET}", "errors": [by_name]}, 422),
        "refused": lambda: reply({"message": f"{SECRET} may not"}, 403),
        "json-in-text": lambda: reply({"log": json.dumps({"auth": json.dumps(by_name)})}),
        "ids": lambda: reply([{"id": f"{at}-{SECRET}", "url": f"/ids/{SECRET}"} for at in range(3)]),
        "odd-line": lambda: Answer(raw=f"HTTP/1.1 200 OK\r\nbad line {SECRET}\x00\r\n\r\n".encode()),
    }
    return answers.get(place, lambda: reply({"nowhere": SECRET}, 404))()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("leaks")
    search = {"parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}]}
    paths = [*(f"GET /{place}" for place in PLACES), "GET /ids/{id}", "POST /values"]
    spec(made, paths, **{f"GET /{place}": search for place in PLACES if place != "headers"})
    return made


def explore(folder: Path, server: Server, out: str, *more: str) -> list[str | Path]:
    words = ["explore", folder / "shop.json", "--base-url", server.url, "--out", folder / out, *more]
    return [*words, "-H", f"Authorization: Bearer {SECRET}", "--allow", "POST", "--max-calls", "150"]


def contents(folder: Path) -> Iterator[tuple[str, str]]:
    """(where, text) of every file under a folder, and of what is compressed in databases."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield str(file), file.read_bytes().decode("utf-8", "replace")
        if file.suffix == ".db":
            with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
                tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
                for table in tables:
                    for row in database.execute(f"SELECT * FROM {table}"):
                        cells = (
                            zlib.decompress(cell).decode() if isinstance(cell, bytes) else str(cell) for cell in row
                        )
                        yield f"{file}: {table}", "\n".join(cells)
            database.close()


DRAWN = {name: HIDDEN.sub("", form).lower() for name, form in FORMS.items()}
PARTS = [SECRET[at : at + 8] for at in range(len(SECRET) - 7)]


def leaks(text: str) -> list[str]:
    """The forms of the secret that a text contains, as they are or once what draws nothing is taken out."""
    plain = HIDDEN.sub("", text).lower()
    found = [name for name, form in FORMS.items() if form in text or DRAWN[name] in plain]
    return found + [part for part in PARTS if part.lower() in plain]


@pytest.mark.long
def test_no_byte_of_a_secret_is_kept_or_printed(folder: Path) -> None:
    outputs: list[Done] = []
    with Server({"GET *": respond, "POST *": respond}) as server:
        outputs.append(docrev(*explore(folder, server, "kept")))
        interrupted(
            explore(folder, server, "killed", "--rate", "60"),
            lambda _, seen=len(server.requests): len(server.requests) > seen + 30,
            cwd=folder,
            number=signal.SIGKILL,
        )
        url = server.url
    assert outputs[0].code == 0, outputs[0].err
    assert (folder / "killed" / "evidence.db-wal").stat().st_size > 0
    kept = folder / "kept"
    for words in (
        ["evidence", kept],
        ["evidence", kept, "--json"],
        ["facts", kept],
        ["facts", kept, "--json"],
        ["revise", folder / "shop.json", "--evidence", kept, "--edit", "contract", "--json"],
        ["revise", folder / "shop.json", "--evidence", kept, "--edit", "contract", "-o", folder / "out"],
        ["revise", folder / "shop.json", "--evidence", kept, "--overlay", folder / "over.json"],
        ["revise", folder / "shop.json", "--evidence", kept, "--overlay", folder / "over", "--marks", "inline"],
        ["diff", folder / "shop.json", folder / "out", "--format", "markdown"],
        ["diff", folder / "shop.json", folder / "out", "--format", "html"],
        ["explore", folder / "shop.json", "--base-url", f"{url}/?key={SECRET}", "--out", folder / "none"],
        ["explore", folder / "shop.json", "--base-url", f"http://me:{SECRET}@127.0.0.1:9", "--out", folder / "none"],
        [
            "explore",
            folder / "shop.json",
            "--base-url",
            url,
            "--model",
            "openai:m",
            "--model-url",
            f"{url}/v1?key={SECRET}",
            "--out",
            folder / "none",
        ],
    ):
        outputs.append(here(*words))
    assert (folder / "out" / "docrev.lock").exists()
    assert (folder / "over.json").exists()
    calls = [json.loads(line) for line in outputs[2].out.splitlines()]
    assert len({call["operation"] for call in calls}) >= len(PLACES)
    texts = [*contents(folder), *((f"output {at}", done.out + done.err) for at, done in enumerate(outputs))]
    assert len(texts) > 100
    assert {where: found for where, text in texts if (found := leaks(text))} == {}


FORMATS = ("text", "json", "sarif", "github", "junit", "markdown")
GIVEN = {"KEY": SECRET}


def others_traffic(url: str) -> str:
    """A HAR in which somebody sent the secret in each place for one, and got it back in every form."""
    parameters = {
        "headers": [{"name": "Authorization", "value": f"Bearer {SECRET}"}, {"name": "X-Key", "value": SECRET}]
    }
    request = {"method": "GET", "url": f"{url}/values?{urlencode({'api_key': SECRET})}", **parameters}
    cookie = {"name": "Set-Cookie", "value": f"sid={SECRET}; Path=/"}
    body = {"mimeType": "application/json", "text": json.dumps({**FORMS, "dump": list(SECRET.encode())})}
    response = {"status": 200, "headers": [cookie], "content": body}
    return json.dumps({"log": {"version": "1.2", "entries": [{"request": request, "response": response}]}})


def with_key(folder: Path) -> Path:
    """The spec, with a key in the query."""
    tree = json.loads((folder / "shop.json").read_text())
    tree["components"] = {"securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "api_key"}}}
    file = folder / "keyed" / "shop.json"
    file.parent.mkdir()
    file.write_text(json.dumps({**tree, "security": [{"key": []}]}))
    return file


@pytest.mark.long
def test_no_byte_of_a_secret_is_in_what_is_written_for_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, written = with_key(folder), folder / "written"
    written.mkdir()
    monkeypatch.chdir(written)
    outputs: list[Done] = []
    with Server({f"{method} *": respond for method in ("GET", "POST", "PUT", "DELETE")}) as server:
        api = ["--base-url", server.url, "--auth", "key=env:KEY"]
        for words in (
            ["explore", file, *api, "--out", "kept", "-v", "--allow", "POST", "--max-calls", "150"],
            ["explore", file, *api, "--out", "kept", "--allow", "POST", "--clean"],
            *(["check", file, *api, "--evidence", "kept", "-v", "--format", name] for name in FORMATS),
            ["check", file, *api, "--evidence", "none", "--format", "markdown"],
            ["report", "kept", "-o", "page.html", "--specs", file, "--examples", "observed"],
            ["export", "har", "kept", "-o", "out.har"],
            ["export", "arazzo", file, "--evidence", "kept", "-o", "out.arazzo.yaml", "--leaving"],
            ["revise", file, "--evidence", "kept", "--edit", "contract", "--examples", "observed", "-o", "revised"],
            ["generate", "instructions", file, "--evidence", "kept", "--count", "5", "-o", "instructions.json"],
            ["collect", file, *api, "--out", "collected", "--max-calls", "60"],
            ["explore", file, *api, "--out", "divided", "--cluster", "local:1", "--max-calls", "60"],
            ["init", file, *api],
        ):
            outputs.append(docrev(*words, env=GIVEN, cwd=written))
            assert outputs[-1].code in (0, 1, 2), outputs[-1].err
        traffic = folder.parent / "traffic.har"
        traffic.write_text(others_traffic(server.url))
        base = ["--base-url", server.url]
        outputs.append(docrev("observe", traffic, "--spec", file, "--out", "watched", *base, "--json", cwd=written))
        assert outputs[-1].json["kept"] == 1
        assert any(SECRET in unquote(request.target) for request in server.requests)
    for name in ("page.html", "out.har", "collected/collection.json", "divided", "docrev.toml", "watched"):
        assert (written / name).exists(), name
    texts = [*contents(written), *((f"output {at}", done.out + done.err) for at, done in enumerate(outputs))]
    assert {where: found for where, text in texts if (found := leaks(text))} == {}


def test_no_model_is_told_a_secret(folder: Path, tmp_path: Path) -> None:
    given = {"OPENAI_API_KEY": "none"}
    with Server({"GET *": respond, "POST *": respond}) as server, ChatServer([said({"answer": "no"})]) as model:
        asked = ["--model", "openai:m", "--model-for", "call=openai:m", "--model-url", model.url]
        words = [*explore(folder, server, "asked"), *asked, "--max-model-calls", "30", "--out", tmp_path / "asked"]
        assert docrev(*words, env=given).code == 0
        revise = ["revise", folder / "shop.json", "--evidence", tmp_path / "asked", *asked[:2], *asked[4:]]
        assert docrev(*revise, "--max-model-calls", "30", env=given).code == 0
    assert len(model.asked) > 10
    assert {
        at: found for at, body in enumerate(model.asked) if (found := leaks(json.dumps(body, ensure_ascii=False)))
    } == {}
