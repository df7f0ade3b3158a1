"""Credentials by security scheme: real servers that check them, tokens that end, and secrets that are nowhere else."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from callkit import document
from clikit import Done, here
from servers import Answer, Received, Server, reply

SECRET = "s3cr3t-Value+7"
OPERATIONS = tuple(f"GET /things{number}" for number in range(6))
KEY_OF: dict[str, dict[str, Any]] = {
    "header": {"type": "apiKey", "in": "header", "name": "X-Shop-Key"},
    "query": {"type": "apiKey", "in": "query", "name": "shop_key"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "shop"},
    "basic": {"type": "http", "scheme": "basic"},
    "bearer": {"type": "http", "scheme": "Bearer"},
    "open": {"type": "openIdConnect", "openIdConnectUrl": "https://example.org/x"},
    "digest": {"type": "http", "scheme": "digest"},
}


def write(folder: Path, schemes: dict[str, Any], name: str = "shop", operations: tuple[str, ...] = OPERATIONS) -> Path:
    content = document(operations)
    content["components"] = {"securitySchemes": schemes}
    content["security"] = [{scheme: []} for scheme in schemes]
    file = folder / f"{name}.json"
    file.write_text(json.dumps(content))
    return file


def explore(folder: Path, url: str, *words: str, **env: str) -> Done:
    return here("explore", folder / "shop.json", "--base-url", url, "--out", folder / "out", "--json", *words, env=env)


def everything(folder: Path, done: Done) -> str:
    """All that was written and shown."""
    files = [path for path in (folder / "out").rglob("*") if path.is_file()]
    assert files
    facts = here("facts", folder / "out", "--json").out + here("evidence", folder / "out", "--json").out
    return done.out + done.err + facts + "".join(path.read_bytes().decode("latin-1") for path in files)


def sent_key(request: Received) -> str | None:
    return request.headers.get("x-shop-key")


def sent_query(request: Received) -> str | None:
    return request.query.get("shop_key", [None])[0]  # type: ignore[list-item]


def sent_cookie(request: Received) -> str | None:
    return request.headers.get("cookie", "").removeprefix("shop=").replace("%2B", "+") or None


def sent_pair(request: Received) -> str | None:
    value = request.headers.get("authorization", "")
    return base64.b64decode(value.removeprefix("Basic ")).decode() if value.startswith("Basic ") else None


def sent_bearer(request: Received) -> str | None:
    return request.headers.get("authorization", "").removeprefix("Bearer ") or None


@pytest.mark.parametrize(
    ("scheme", "secret", "sent"),
    [
        ("header", SECRET, sent_key),
        ("query", SECRET, sent_query),
        ("cookie", SECRET, sent_cookie),
        ("basic", f"ann:{SECRET}", sent_pair),
        ("bearer", SECRET, sent_bearer),
        ("open", SECRET, sent_bearer),
    ],
)
@pytest.mark.parametrize("source", ["env", "file"])
def test_a_credential_goes_where_its_scheme_says_and_is_kept_nowhere(
    tmp_path: Path, scheme: str, secret: str, sent: Callable[[Received], str | None], source: str
) -> None:
    write(tmp_path, {scheme: KEY_OF[scheme]})
    (tmp_path / "key").write_text(secret + "\n")

    def guarded(request: Received) -> Answer:
        # What a server tells back of a request may hold the secret.
        seen = sent(request)
        return reply({"you": request.headers, "at": request.target}, 200 if seen == secret else 401)

    with Server({"GET /*": guarded}) as server:
        where = "env:SHOP_KEY" if source == "env" else f"file:{tmp_path / 'key'}"
        done = explore(tmp_path, server.url, "--auth", f"{scheme}={where}", SHOP_KEY=secret)
        assert done.code == 0, done.err
        assert done.json["operations_2xx"] == len(OPERATIONS)
        anonymous = [request for request in server.requests if sent(request) is None]
    # What needs credentials is found out by calls without them, whatever the scheme.
    assert anonymous
    assert '"needs-credentials"' in here("facts", tmp_path / "out", "--json").out
    assert SECRET not in everything(tmp_path, done)
    assert base64.b64encode(secret.encode()).decode() not in everything(tmp_path, done)


def test_without_credentials_the_line_says_which_scheme_they_are_for(tmp_path: Path) -> None:
    write(tmp_path, {name: KEY_OF[name] for name in ("header", "query")})
    with Server({"GET /*": reply({}, 401)}) as server:
        explore(tmp_path, server.url).failed(
            3, "it wants credentials", "give them with -H or --auth header=env:VARIABLE"
        )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("nothing=env:K", "no security scheme nothing; the specs have basic, digest, header"),
        ("header=s3cr3t", "not credentials for a security scheme"),
        ("header=env:NOPE", "the environment variable NOPE is not set"),
        ("digest=env:K", "docrev cannot use this kind of scheme; use -H"),
        ("basic=env:K", "the value is not of the form that the scheme needs; give user:password"),
        ("bank=header=env:K", "no security scheme header of bank"),
    ],
)
def test_wrong_use_is_one_line_without_the_secret(tmp_path: Path, given: str, words: str) -> None:
    write(tmp_path, {name: KEY_OF[name] for name in ("header", "basic", "digest")})
    with Server({}) as server:
        line = explore(tmp_path, server.url, "--auth", given, K=SECRET).failed(2, words)
        assert server.requests == []
    assert SECRET not in line
    assert "s3cr3t" not in line


def test_each_tool_gets_its_own_and_no_other(tmp_path: Path) -> None:
    for name in ("left", "right"):
        write(tmp_path, {f"{name}_key": KEY_OF["header"], "shared": KEY_OF["query"]}, name)
    with Server({"GET /*": reply({})}) as left, Server({"GET /*": reply({})}) as right:
        bases = ("--base-url", f"left={left.url}", "--base-url", f"right={right.url}")
        words = ("--auth", "left_key=env:ONE", "--auth", "right=shared=env:TWO", "--out", str(tmp_path / "out"))
        done = here(
            "explore",
            tmp_path / "left.json",
            tmp_path / "right.json",
            *bases,
            *words,
            env={"ONE": "1" * 9, "TWO": "2" * 9},
        )
        assert done.code == 0, done.err
        assert {sent_key(request) for request in left.requests} == {"1" * 9, None}
        assert {sent_query(request) for request in left.requests} == {None}
        assert {sent_key(request) for request in right.requests} == {None}
        assert "2" * 9 in {sent_query(request) for request in right.requests}


class Issuer:
    """A token URL and what its tokens open; a token serves for `uses` requests, and is said to live for `life`."""

    def __init__(self, *, uses: int = 1000, life: float | None = 3600, by_form: bool = False) -> None:
        self.uses, self.life, self.by_form = uses, life, by_form
        self.tokens: dict[str, int] = {}

    def token(self, request: Received) -> Answer:
        form = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
        pair = f"{form.get('client_id')}:{form.get('client_secret')}" if self.by_form else sent_pair(request)
        good = pair in (f"docs:{SECRET}", "docs:s3cr3t-Value%2B7")
        if not good or form["grant_type"] != "client_credentials" or form.get("scope") != "read":
            return reply({"error": "invalid_client"}, 401)
        value = f"token-number-{len(self.tokens)}-of-many"
        self.tokens[value] = 0
        return reply({"access_token": value, **({} if self.life is None else {"expires_in": self.life})})

    def guarded(self, request: Received) -> Answer:
        token = sent_bearer(request)
        if token not in self.tokens or self.tokens[token] >= self.uses:
            return reply({"error": "who are you?"}, 401)
        self.tokens[token] += 1
        return reply({"with": token})

    @property
    def routes(self) -> dict[str, Any]:
        return {"POST /oauth/token": self.token, "GET /*": self.guarded}


def oauth(url: str) -> dict[str, Any]:
    return {"app": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": url, "scopes": {"read": "all"}}}}}


@pytest.mark.parametrize("by_form", [False, True])
def test_a_token_is_fetched_once_for_client_credentials(tmp_path: Path, by_form: bool) -> None:
    issuer = Issuer(by_form=by_form)
    with Server(issuer.routes) as server:
        write(tmp_path, oauth("/oauth/token"))
        done = explore(tmp_path, server.url, "--auth", "app=env:APP", APP=f"docs:{SECRET}")
    assert done.code == 0, done.err
    assert done.json["operations_2xx"] == len(OPERATIONS)
    assert len(issuer.tokens) == 1
    text = everything(tmp_path, done)
    assert SECRET not in text
    assert "token-number" not in text


def test_a_token_that_ends_in_mid_run_is_renewed_and_nothing_is_lost(tmp_path: Path) -> None:
    issuer = Issuer(uses=7, life=None)
    with Server(issuer.routes) as server:
        write(tmp_path, oauth("/oauth/token"))
        done = explore(tmp_path, server.url, "--auth", "app=env:APP", APP=f"docs:{SECRET}")
    assert done.code == 0, done.err
    assert done.json["operations_2xx"] == len(OPERATIONS)
    assert len(issuer.tokens) > 1
    kept = [json.loads(line) for line in here("evidence", tmp_path / "out", "--json").out.splitlines()]
    refused = [call for call in kept if call["status"] == 401]
    # Only what was sent without credentials on purpose was refused.
    assert all("header:authorization" in call["arguments"] for call in refused)


def test_a_token_is_renewed_before_it_ends_by_its_own_word(tmp_path: Path) -> None:
    issuer = Issuer(life=0)
    with Server(issuer.routes) as server:
        write(tmp_path, oauth("/oauth/token"))
        done = explore(tmp_path, server.url, "--auth", "app=env:APP", "--max-calls", "8", APP=f"docs:{SECRET}")
    assert done.code == 0, done.err
    assert len(issuer.tokens) > 4


def test_an_operation_that_refuses_any_token_does_not_ask_for_one_each_time(tmp_path: Path) -> None:
    issuer = Issuer()
    routes = issuer.routes | {"GET /things5": reply({"error": "staff only"}, 401)}
    with Server(routes) as server:
        write(tmp_path, oauth("/oauth/token"))
        done = explore(tmp_path, server.url, "--auth", "app=env:APP", APP=f"docs:{SECRET}")
    assert done.code == 0, done.err
    assert done.json["operations_2xx"] == len(OPERATIONS) - 1
    assert len(issuer.tokens) <= 4


def test_client_credentials_that_are_refused_are_one_line(tmp_path: Path) -> None:
    with Server(Issuer().routes) as server:
        write(tmp_path, oauth("/oauth/token"))
        done = explore(tmp_path, server.url, "--auth", "app=env:APP", APP="docs:wrong-one-99")
        line = done.failed(3, "/oauth/token: the client credentials are refused, 401", "check --auth")
        assert {request.path for request in server.requests} == {"/oauth/token"}
    assert "wrong-one-99" not in line


def test_a_token_url_on_another_host_is_used_only_if_it_is_named(tmp_path: Path) -> None:
    issuer = Issuer()
    with Server(issuer.routes) as server:
        other = server.url.replace("127.0.0.1", "localhost")
        write(tmp_path, oauth(f"{other}/oauth/token"))
        done = explore(tmp_path, server.url, "--auth", "app=env:APP", APP=f"docs:{SECRET}")
        done.failed(2, f"the token URL {other}/oauth/token is not on {server.url}", "name it if you trust it")
        assert server.requests == []
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        named = explore(tmp_path, server.url, "--auth", f"app=env:APP {other}/oauth/token", APP=f"docs:{SECRET}")
    assert named.code == 0, named.err
    assert named.json["operations_2xx"] == len(OPERATIONS)
    assert len(issuer.tokens) == 1


def test_old_specs_have_schemes_too(tmp_path: Path) -> None:
    content = {
        "swagger": "2.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/things": {"get": {"responses": {"200": {"description": "ok"}}}}},
        "securityDefinitions": {
            "pair": {"type": "basic"},
            "app": {"type": "oauth2", "flow": "application", "tokenUrl": "/oauth/token", "scopes": {"read": "all"}},
        },
    }
    (tmp_path / "shop.json").write_text(json.dumps(content))
    issuer = Issuer()
    with Server(issuer.routes) as server:
        done = explore(tmp_path, server.url, "--auth", "app=env:APP", APP=f"docs:{SECRET}")
        assert done.json["operations_2xx"] == 1, done.err
        again = explore(tmp_path, server.url, "--auth", "pair=env:PAIR", "--fresh", PAIR=f"ann:{SECRET}")
        assert again.code == 3
        assert sent_pair(server.requests[-1]) == f"ann:{SECRET}"


def test_the_servers_that_specs_name_get_no_credentials(tmp_path: Path) -> None:
    with Server({"GET /*": reply({})}) as server:
        file = write(tmp_path, {"query": KEY_OF["query"]})
        file.write_text(json.dumps({**json.loads(file.read_text()), "servers": [{"url": server.url}]}))
        done = here("explore", file, "--auth", "query=env:KEY", "--out", tmp_path / "out", env={"KEY": SECRET})
        done.failed(2, "--auth shop_key: no secret is sent to the servers that the specs name for shop")
        assert server.requests == []
