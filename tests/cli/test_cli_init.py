"""`docrev init`: one call, and a settings file that validates."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
from clikit import DOCREV, docrev, spec
from patience import HANGS
from servers import Received, Server, reply
from test_cli_check import SPEC
from test_cli_terminal import on_terminal

import docrev as package
from docrev.settings.file import read_settings
from docrev.settings.groups import ExploreSettings
from docrev.settings.schema import settings_schema

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.yaml").write_text(SPEC)
    return tmp_path


def with_key(request: Received) -> object:
    return reply([]) if request.headers.get("x-key") == "s3" else reply({"error": "who are you?"}, 401)


def test_it_tries_one_call_and_writes_what_explore_reads(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_KEY", "s3")
    with Server({"GET /*": with_key}) as server:
        words = ("init", "shop.yaml", "--base-url", server.url, "-H", "X-Key: env:SHOP_KEY")
        done = docrev(*words, cwd=folder)
        assert (done.code, len(server.requests)) == (0, 1), done.err
        assert "GET /items: 200" in done.out
        assert done.out.endswith("Next: docrev explore shop.yaml\n")
        read = read_settings(folder / "docrev.toml", ExploreSettings, "explore")
        assert read == {"base_urls": (server.url,), "headers": ("X-Key: env:SHOP_KEY",)}
        docrev(*words, cwd=folder).failed(2, "there is a settings file already", "docrev.toml")
    text = (folder / "docrev.toml").read_text()
    assert text.startswith(f"#:schema {settings_schema()['$id']}\n")
    jsonschema.validate(tomllib.loads(text), settings_schema())


def test_it_says_what_is_wanting(folder: Path) -> None:
    with Server({"GET /*": with_key}) as server:
        done = docrev("init", "shop.yaml", "--base-url", server.url, cwd=folder)
    assert (done.code, "The API wants credentials" in done.out) == (0, True), done.err
    docrev("init", cwd=folder).failed(2, "SPECS is missing")
    (folder / "docrev.toml").unlink()
    docrev("init", "shop.yaml", "--base-url", server.url, "-H", "X-Key: s3", cwd=folder).failed(2, "literal value")
    assert not (folder / "docrev.toml").exists()


def test_it_asks_on_a_terminal(folder: Path) -> None:
    with Server({"GET /*": reply([])}) as server:
        outer, inner = pty.openpty()
        process = subprocess.Popen([*DOCREV, "init"], cwd=folder, stdin=inner, stdout=subprocess.PIPE, stderr=inner)
        os.close(inner)
        # The file that is usual is what is offered.
        (folder / "shop.yaml").rename(folder / "openapi.yaml")
        os.write(outer, f"\n{server.url}\n-\n".encode())
        out, _ = process.communicate(timeout=HANGS)
        os.close(outer)
    assert process.returncode == 0
    assert b"GET /items: 200" in out
    assert tomllib.loads((folder / "docrev.toml").read_text()) == {"explore": {"base-url": [server.url]}}


def test_an_answer_that_is_no_credential_is_asked_for_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_KEY", "s3")
    with Server({"GET /*": with_key}) as server:
        shown = on_terminal("init", "shop.yaml", "--base-url", server.url, cwd=folder, keys="s3\nX-Key: env:SHOP_KEY\n")
    assert "Error: " in shown
    assert "GET /items: 200" in shown
    assert tomllib.loads((folder / "docrev.toml").read_text())["explore"]["header"] == ["X-Key: env:SHOP_KEY"]


def test_the_call_needs_nothing_and_shows_whether_the_credentials_are_right(tmp_path: Path) -> None:
    operations = ("GET /errors/{id}", "GET /health", "GET /items")
    file = spec(tmp_path, operations)
    tree = json.loads(file.read_text())
    tree["paths"]["/items"]["get"]["security"] = [{"key": []}]
    tree["components"] = {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}
    file.write_text(json.dumps(tree))
    with Server({"GET /*": with_key}) as server:
        start = package.init(file, base_urls=server.url, folder=tmp_path)
    assert [request.path for request in server.requests] == ["/items"]
    assert 'write auth = ["key=env:VARIABLE"] below [explore]' in start.advice


def test_a_header_that_stands_among_the_parameters_is_named(tmp_path: Path) -> None:
    file = spec(tmp_path, ("GET /items",))
    tree = json.loads(file.read_text())
    tree["paths"]["/items"]["get"]["parameters"] = [{"in": "header", "name": "X-Api-Key", "schema": {}}]
    file.write_text(json.dumps(tree))
    with Server({"GET /*": with_key}) as server:
        start = package.init(file, base_urls=server.url, folder=tmp_path)
    assert 'write header = ["X-Api-Key: env:VARIABLE"] below [explore]' in start.advice


def test_a_function_does_the_same(folder: Path) -> None:
    with Server({"GET /*": reply([])}) as server:
        start = package.init(folder / "shop.yaml", base_urls=server.url, folder=folder)
    assert start.call is not None
    assert (start.call.status, start.advice) == (200, "")
    assert start.path.read_text() == start.text


def test_the_published_schema_is_that_of_the_settings() -> None:
    assert docrev("init", "--schema").out == (ROOT / "docs" / "docrev.schema.json").read_text()


@pytest.mark.parametrize(
    "text",
    ["[explore]\nmax-cals = 3\n", '[explore]\nmax-calls = "3"\n', "[explor]\n", '[revise]\nedit = "all"\n'],
)
def test_what_docrev_refuses_the_schema_refuses_too(text: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(text), settings_schema())
    example = (
        '[explore]\nbase-url = "http://a"\nmax-calls = 5\n[revise]\nedit = "docs"\n[values]\ntenant = "main"\n[check]\n'
    )
    jsonschema.validate(tomllib.loads(example), settings_schema())


def test_bash_completes_commands_and_options() -> None:
    script = docrev("completion", "bash").out
    press = '; COMPREPLY=(); _docrev_completion docrev; echo "${COMPREPLY[@]}"\n'
    asked = f"COMP_WORDS=(docrev ini); COMP_CWORD=1{press}COMP_WORDS=(docrev check --sin); COMP_CWORD=2{press}"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path}
    done = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True, env=environment)
    assert done.stdout.split() == ["init", "--since"], done.stderr


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_of_their_own(shell: str) -> None:
    assert f"{shell}_complete" in docrev("completion", shell).out


def test_the_scheme_that_a_challenge_names_is_named_and_nothing_else_of_it(folder: Path) -> None:
    refusal = reply({"error": "who are you?"}, 401, **{"WWW-Authenticate": 'Token realm="n0nce-of-this-call"'})
    with Server({"GET /*": refusal}) as server:
        start = package.init(folder / "shop.yaml", base_urls=server.url, folder=folder)
        done = docrev("explore", "shop.yaml", "-q", cwd=folder)
    assert 'write header = ["Authorization: Token env:VARIABLE"] below [explore]' in start.advice
    assert start.call is not None
    assert start.call.headers["www-authenticate"] == "Token [redacted]"
    done.failed(3, 'give them with -H "Authorization: Token env:VARIABLE"')
