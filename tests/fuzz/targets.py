"""What is damaged, by target: each draws a case."""

from __future__ import annotations

import functools
import gzip
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from clikit import here
from damaged import PROMPTS, corpus
from hypothesis import strategies as st
from importkit import PACKAGES, TOOL, WEATHER
from servers import Received, Server, reply

from docrev.cli import COMMANDS, cli
from fuzz.cases import Case, packed, unpacked
from fuzz.damage import TOKENS, Draw, damaged_bytes, damaged_tree, small_text, values, written

TARGETS: dict[str, Callable[[Draw], Case]] = {}
SPECS = Path(__file__).resolve().parents[2] / "specs"


def target(function: Callable[[Draw], Case]) -> Callable[[Draw], Case]:
    TARGETS[function.__name__] = function
    return function


def _schema(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


SHOP: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Shop", "version": "1", "description": "A shop."},
    "servers": [{"url": "https://shop.example/v1"}],
    "security": [{"key": []}],
    "paths": {
        "/items": {
            "get": {
                "operationId": "listItems",
                "summary": "Lists items.",
                "parameters": [
                    {"$ref": "#/components/parameters/Limit"},
                    {"name": "sort", "in": "query", "schema": {"type": "string", "enum": ["id", "name"]}},
                ],
                "responses": {
                    "200": {"description": "ok", "content": {"application/json": {"schema": _schema("Page")}}}
                },
            },
            "post": {
                "requestBody": {"content": {"application/json": {"schema": _schema("Item"), "example": {"name": "a"}}}},
                "responses": {"201": {"description": "made", "links": {"it": {"operationId": "getItem"}}}},
            },
        },
        "/items/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}],
            "get": {
                "operationId": "getItem",
                "responses": {
                    "200": {"description": "ok", "content": {"application/json": {"schema": _schema("Item")}}},
                    "404": {"description": "none"},
                },
            },
            "delete": {"responses": {"204": {"description": "gone"}}},
        },
    },
    "components": {
        "parameters": {"Limit": {"name": "limit", "in": "query", "schema": {"type": "integer", "default": 20}}},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
        "schemas": {
            "Page": {"type": "object", "properties": {"items": {"type": "array", "items": _schema("Item")}}},
            "Item": {
                "type": "object",
                "required": ["name"],
                "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "of": _schema("Loop")},
            },
            "Loop": {"allOf": [{"type": "object", "properties": {"next": _schema("Loop")}}, {"nullable": True}]},
        },
    },
}
SWAGGER: dict[str, Any] = {
    "swagger": "2.0",
    "info": {"title": "Old", "version": "1"},
    "host": "old.example",
    "basePath": "/v2",
    "schemes": ["https"],
    "consumes": ["application/json"],
    "paths": {
        "/items": {
            "get": {
                "parameters": [
                    {
                        "name": "tags",
                        "in": "query",
                        "type": "array",
                        "items": {"type": "string"},
                        "collectionFormat": "csv",
                    }
                ],
                "responses": {
                    "200": {"description": "ok", "schema": {"type": "array", "items": {"$ref": "#/definitions/I"}}}
                },
            },
            "post": {
                "parameters": [{"name": "body", "in": "body", "schema": {"$ref": "#/definitions/I"}}],
                "responses": {"default": {"description": "any"}},
            },
        }
    },
    "definitions": {"I": {"type": "object", "properties": {"id": {"type": "integer", "format": "int64"}}}},
}
MODERN = {
    **json.loads(json.dumps(SHOP)),
    "openapi": "3.1.0",
    "webhooks": {"new": {"post": {"responses": {"200": {"description": "ok"}}}}},
    "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
}
BASES: list[dict[str, Any]] = [SHOP, SWAGGER, MODERN]


@functools.cache
def explored() -> dict[str, str]:
    """The spec of a shop, the evidence of an exploration of it, and what its revision wrote."""

    def answer(request: Received) -> Any:
        items = [{"id": number, "name": f"n{number}", "extra": number} for number in range(1, 4)]
        last = request.path.rpartition("/")[2]
        if last == "items":
            return reply({"items": items, "total": 3})
        return reply(items[0]) if last in "123" else reply({"detail": "no such item"}, 404)

    with tempfile.TemporaryDirectory() as name, Server({"GET *": answer}) as server:
        file = Path(name, "shop.json")
        file.write_text(json.dumps(SHOP, indent=1))
        done = here("explore", file, "--base-url", server.url, "--out", f"{name}/kept", "--max-calls", "60")
        assert done.code == 0, done.err
        revised = here("revise", file, "--evidence", f"{name}/kept", "-o", f"{name}/out")
        assert revised.code == 0, revised.err
        found = {path: Path(name, path).read_bytes() for path in ("kept/evidence.db", "shop.json", "out/docrev.lock")}
        return {path: packed(content) for path, content in found.items()}


@target
def specs(draw: Draw) -> Case:
    tree = damaged_tree(draw, draw(st.sampled_from(BASES)))
    case = Case({"shop.json": packed(written(draw, tree)), "old.json": json.dumps(SHOP)})
    case.commands = draw(
        st.sampled_from(
            [
                [["lint", "shop.json", "--json"], ["lint", "shop.json", "--fix"], ["lint", "shop.json"]],
                [["diff", "old.json", "shop.json", "--format", kind] for kind in ("text", "markdown", "json", "html")],
                [["export", kind, "shop.json", "-o", kind] for kind in ("functions", "mcp", "toolbench")],
                [
                    ["retrieve", "one item", "shop.json"],
                    ["explore", "shop.json", "--dry-run", "--allow", "POST,DELETE"],
                ],
                [["explore", "shop.json", "--base-url", "http://127.0.0.1:9", "--out", "kept"]],
            ]
        )
    )
    return case


@target
def revisions(draw: Draw) -> Case:
    """A damaged spec, or lock file, that is revised by whole evidence, twice."""
    files = dict(explored())
    lock = files.pop("out/docrev.lock")
    if draw(st.booleans()):
        files["shop.json"] = packed(written(draw, damaged_tree(draw, SHOP)))
    if draw(st.booleans()):
        files["docrev.lock"] = packed(damaged_bytes(draw, lock.encode()))
    revise = [
        "revise",
        "shop.json",
        "--evidence",
        "kept",
        "--in-place",
        "--edit",
        draw(st.sampled_from(["docs", "contract"])),
    ]
    more = draw(st.sampled_from([[], ["--links"], ["--pretty"], ["--marks", "inline"], ["--profile", "openai"]]))
    return Case(files, [["revise", "shop.json", "--evidence", "kept", "--json"], [*revise, *more], [*revise, *more]])


BODIES = [
    b"[" * 100_000,
    b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    gzip.compress(b"0" * 20_000_000),
    gzip.compress(json.dumps([{"id": n} for n in range(50_000)]).encode()),
    b"[" + b"{}," * 100_000 + b"{}]",
    b'{"id": ' + b"9" * 50_000 + b"}",
    b'"' + b"\\u0000" * 20_000 + b'"',
    b"\xff\xfe" + '{"id": 1}'.encode("utf-16-le"),
    b"<a>" * 50_000,
    b"data: {}\n\n" * 1000,
]
"""Large, deep, packed: what no mutation arrives at."""


@target
def responses(draw: Draw) -> Case:
    heads = ["Content-Type: application/json", "Content-Type: text/html; charset=x", "Content-Type: text/event-stream"]
    heads += [
        "Content-Encoding: gzip",
        "Transfer-Encoding: chunked",
        "Retry-After: 0",
        "Location: /items/1",
        "Location: //[",
    ]
    heads += [
        "Link: <>; rel=next, <",
        "X-Total-Count: 9" * 60,
        "Set-Cookie: a=b",
        "ETag: \x80",
        "Content-Length: 7",
        "a b: c",
    ]
    heads += [
        "Connection: close",
        ": none",
        "Content-Type: application/xml",
        "Content-Type: multipart/form-data",
        "Date: 0",
    ]
    given = []
    for _ in range(draw(st.integers(1, 4))):
        tree = draw(
            st.sampled_from([{"items": [{"id": 1, "name": "a"}], "total": 1}, {"id": 1, "name": "a"}, [{"id": 2}]])
        )
        body = json.dumps(damaged_tree(draw, tree) if draw(st.booleans()) else tree).encode()
        body = damaged_bytes(draw, body, most=2) if draw(st.integers(0, 2)) == 0 else body
        body = draw(st.sampled_from(BODIES)) if draw(st.integers(0, 9)) == 0 else body
        status = draw(
            st.sampled_from([200, 200, 200, 201, 204, 206, 301, 303, 400, 401, 404, 422, 429, 500, 503, 100, 999])
        )
        lines = [*draw(st.lists(st.sampled_from(heads), max_size=3)), f"Content-Length: {len(body)}"]
        head = "\r\n".join([f"HTTP/1.1 {status} x", *lines]).encode("latin-1")
        whole = head + b"\r\n\r\n" + body
        given.append(packed(damaged_bytes(draw, whole, most=2) if draw(st.integers(0, 4)) == 0 else whole))
    explore = ["explore", "shop.json", "--base-url", "URL", "--out", "kept", "--concurrency", "1", "--timeout", "0.3"]
    explore += ["--max-calls", "16", *draw(st.sampled_from([[], ["--allow", "POST,DELETE"]]))]
    then = [["facts", "kept"], ["evidence", "kept", "--json"], ["revise", "shop.json", "--evidence", "kept"]]
    base = draw(st.sampled_from([SHOP, SWAGGER]))
    return Case({"shop.json": json.dumps(base)}, [explore, draw(st.sampled_from(then))], given)


@functools.cache
def answers() -> list[Any]:
    return corpus()


@target
def model_answers(draw: Draw) -> Case:
    prompt = draw(st.sampled_from(sorted(PROMPTS)))
    texts = [case.text for case in answers() if case.prompt == prompt] or ["{}"]
    text = draw(st.sampled_from(texts))
    if draw(st.booleans()):
        text += draw(st.sampled_from(["", "\n", " " * 1000, "```json\n"])) + draw(st.sampled_from(texts))
    if draw(st.integers(0, 3)) == 0:
        text = json.dumps(
            draw(st.dictionaries(small_text | st.sampled_from(["text", "answer", "thought"]), values, max_size=4))
        )
    return Case(prompt=prompt, answer=damaged_bytes(draw, text.encode(errors="surrogatepass")).decode(errors="replace"))


@functools.cache
def options() -> dict[str, list[click.Option]]:
    """The options of each command that neither runs on nor leaves its folder."""
    context, found = click.Context(cli), dict[str, list[click.Option]]()
    for name in ("explore", "revise", "lint", "diff", "export", "retrieve", "facts", "evidence", "import"):
        assert name in COMMANDS
        command = cli.get_command(context, name)
        assert command is not None
        found[name] = [option for option in command.params if isinstance(option, click.Option)]
    return found


words = st.one_of(
    st.sampled_from(["", "0", "-1", "nan", "inf", "1e400", "9" * 400, "POST", "a=b", "=", ":", "*", "env:X", "file:x"]),
    st.sampled_from(
        ["x: env:HOME", "X: file:none", "openai:x", "recorded:none", "local:none", "correction", "GET x:y=1", "[", "ü"]
    ),
    small_text,
).filter(lambda text: "/" not in text and ".." not in text and "\0" not in text and "~" not in text)


@target
def settings(draw: Draw) -> Case:
    name = draw(st.sampled_from(sorted(options())))
    files = {"shop.json": json.dumps(SHOP)}
    if name in ("facts", "evidence", "revise"):
        files["kept/evidence.db"] = explored()["kept/evidence.db"]
    arguments = {"diff": ["shop.json", "shop.json"], "export": ["functions", "shop.json", "-o", "x"], "facts": ["kept"]}
    arguments |= {"import": ["functions", "shop.json", "-o", "x"], "evidence": ["kept"], "retrieve": ["x", "shop.json"]}
    arguments |= {"explore": ["shop.json", "--base-url", "http://127.0.0.1:9", "--dry-run"]}
    line = [name, *arguments.get(name, ["shop.json"])]
    for option in draw(st.lists(st.sampled_from(options()[name]), max_size=3)):
        line += [
            draw(st.sampled_from([*option.opts, *option.secondary_opts])),
            *([] if option.is_flag else [draw(words)]),
        ]
    if draw(st.booleans()):
        files["docrev.toml"] = packed(_toml(draw))
    return Case(files, [line])


def _toml(draw: Draw) -> bytes:
    lines = list[str]()
    for name in draw(
        st.lists(st.sampled_from(["explore", "revise", "lint", "values", "models", "prices", "x"]), max_size=3)
    ):
        lines.append(f"[{name}]")
        known = [option.name or "x" for option in options().get(name, [])] or ["a", "openai:x"]
        for key in draw(st.lists(st.sampled_from(known) | small_text, max_size=4)):
            value = draw(values)
            try:
                text = json.dumps(value) if value is not None else "none"
            except ValueError:
                continue
            lines.append(f"{json.dumps(key.replace('_', '-'))} = {text}")
    return damaged_bytes(draw, "\n".join(lines).encode(errors="replace"), most=1)


@target
def databases(draw: Draw) -> Case:
    files = {name: text for name, text in explored().items() if not name.startswith("out")}
    content = unpacked(files["kept/evidence.db"])
    for _ in range(draw(st.integers(1, 3))):
        # Most of a page is free: what is written is damaged.
        at = draw(st.integers(0, len(content) - 1))
        while at < len(content) - 1 and not content[at]:
            at += 1
        kind = draw(st.sampled_from(["flip", "flip", "flip", "page", "cut", "bytes", "swap"]))
        page = at // 4096 * 4096
        if kind == "flip":
            content = content[:at] + bytes([content[at] ^ 1 << draw(st.integers(0, 7))]) + content[at + 1 :]
        elif kind == "page":
            content = content[:page] + bytes([draw(st.integers(0, 255))]) * 4096 + content[page + 4096 :]
        elif kind == "cut":
            content = content[: draw(st.sampled_from([at, page])) or 1]
        elif kind == "bytes":
            token = draw(st.sampled_from(TOKENS))
            content = content[:at] + token + content[at + len(token) :]
        else:
            content = content[:page] + content[:4096] + content[page + 4096 :]
    files["kept/evidence.db"] = packed(content)
    if draw(st.integers(0, 4)) == 0:
        files["kept/evidence.db-wal"] = packed(draw(st.binary(max_size=60)) + content[: draw(st.integers(0, 9000))])
    explore = ["explore", "shop.json", "--base-url", "URL", "--out", "kept", "--max-calls", "60"]
    then = [
        [["facts", "kept"], ["evidence", "kept"]],
        [["evidence", "kept", "--json"]],
        [["revise", "shop.json", "--evidence", "kept", "--edit", "contract"]],
        [["evidence", "kept", "--prune"], ["facts", "kept", "--json"]],
        [explore, ["facts", "kept"]],
        [[*explore, "--clean"]],
    ]
    body = b"HTTP/1.1 200 x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    return Case(files, draw(st.sampled_from(then)), [packed(body)], store=True)


@target
def imports(draw: Draw) -> Case:
    tree, kind = draw(
        st.sampled_from(
            [
                (PACKAGES, "toolbench"),
                ({"api_list": PACKAGES["api_list"], "query": "x", "relevant APIs": [["a", "b"]]}, "toolbench"),
                ([WEATHER], "functions"),
                ({"tools": [WEATHER["function"]]}, "functions"),
                ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}}, "mcp"),
                ({"tool_guidelines": {"a": {"name": "a", "description": "b", "parameters": {}}}}, "draft"),
                ([{"tool_name": "t", "tool_description": "d", "api_list": PACKAGES["api_list"]}], "easytool"),
                (SWAGGER, "functions"),
            ]
        )
    )
    files = {"source.json": packed(written(draw, damaged_tree(draw, tree)))}
    lines = [
        ["import", kind, "source.json", "-o", "out"],
        ["lint", "out", "--json"],
        ["export", "functions", "out", "-o", "back"],
    ]
    return Case(files, lines)


def _har_of(shop: str) -> Any:
    def entry(path: str, body: Any, status: int = 200, **more: Any) -> Any:
        content = {"size": 9, "mimeType": "application/json", "text": json.dumps(body)}
        headers = [{"name": "Authorization", "value": "Bearer abcdefgh12"}]
        request = {"method": "GET", "url": shop + path, "headers": headers, "queryString": [], **more}
        return {"request": request, "response": {"status": status, "headers": headers, "content": content}}

    listed = {"items": [{"id": n, "name": "a", "kind": "b"} for n in range(12)], "next": "c"}
    posted = {"method": "POST", "postData": {"mimeType": "application/json", "text": '{"name": "x"}'}}
    entries = [entry("/things", listed), entry("/things?cursor=c", listed), entry("/things/1", {"id": 1})]
    return {
        "log": {
            "version": "1.2",
            "entries": [*entries, entry("/things/2", {}, 404), entry("/things", {}, 201, **posted)],
        }
    }


def _collection_of(shop: str) -> Any:
    url = {
        "raw": "{{base}}/things/:id?q=1",
        "query": [{"key": "q", "value": "1"}],
        "variable": [{"key": "id", "value": "1"}],
    }
    body = {"mode": "raw", "raw": '{"a": 1}', "options": {"raw": {"language": "json"}}}
    request = {"method": "POST", "url": url, "header": [{"key": "X-A", "value": "b"}], "body": body, "description": "d"}
    example = {"name": "e", "originalRequest": request, "code": 200, "header": [], "body": '{"id": 1}'}
    item = {"name": "Get", "request": request, "response": [example]}
    return {
        "info": {"name": "S"},
        "variable": [{"key": "base", "value": shop}],
        "item": [{"name": "F", "item": [item, item]}],
    }


@target
def traffic(draw: Draw) -> Case:
    shop = "http://shop.example"
    tree = draw(st.sampled_from([_har_of(shop), _har_of(shop), _collection_of(shop)]))
    damaged = damaged_tree(draw, tree)
    content = written(draw, damaged)
    if draw(st.integers(0, 3)) == 0 and isinstance(damaged, dict) and isinstance(damaged.get("log"), dict):
        entries = damaged["log"].get("entries")
        content = b"\n".join(written(draw, entry) for entry in entries) if isinstance(entries, list) else content
    operations = ["GET /things", "POST /things", "GET /things/{id}", "POST /things/{id}"]
    answer = {"responses": {"200": {"description": ""}}}
    paths: dict[str, Any] = {}
    for operation in operations:
        method, path = operation.lower().split()
        paths.setdefault(path, {})[method] = answer
    spec = {"openapi": "3.1.0", "info": {"title": "s", "version": "1"}, "paths": paths}
    files = {"source.json": packed(content), "shop.json": json.dumps(spec)}
    observed = ["observe", "source.json", "--spec", "shop.json", "--out", "out"]
    lines = draw(
        st.sampled_from(
            [
                [[*observed, "--json"], ["facts", "out"], ["export", "har", "out", "-o", "back.har"]],
                [[*observed, "--base-url", shop], ["revise", "shop.json", "--evidence", "out", "--edit", "contract"]],
                [["import", "postman", "source.json", "-o", "specs"], ["lint", "specs", "--json"]],
            ]
        )
    )
    return Case(files, lines)
