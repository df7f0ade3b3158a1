"""What a new user types wrong: one line that says what, where and what to do, with the right exit code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from clikit import here, spec
from servers import Server, reply

FILES = {
    "text.txt": "hello",
    "broken.yaml": "a: [1",
    "list.json": "[]",
    "plain.yaml": "a: 1\n",
    "empty.yaml": "",
    "pathless.yaml": 'openapi: 3.0.0\ninfo: {title: x, version: "1"}\npaths: {}\n',
    "old.yaml": 'swagger: "1.2"\npaths: {}\n',
    "overlay.json": json.dumps({"overlay": "1.0.0", "info": {"title": "x", "version": "1"}, "actions": []}),
    "broken.toml": "[explore\n",
    "odd.toml": "[explore]\nmaxcalls = 3\n",
    "none.har": "{}",
    "damaged/evidence.db": "this is no database",
}
SHOP, URL, NOBODY = "explore shop.json --base-url URL", "--base-url URL", "--base-url http://127.0.0.1:9"
KEPT = "revise shop.json --evidence kept"
HELP = "see docrev "
WRONG: tuple[tuple[str, int, str], ...] = (
    ("explore", 2, "missing argument 'SPECS...'"),
    ("expolre shop.json", 2, "Did you mean 'explore'"),
    (f"explore nowhere {NOBODY}", 2, "nowhere: no such file; check the path"),
    (f"explore empty {NOBODY}", 2, "empty: the folder holds no .json, .yaml or .yml file; name another"),
    (f"explore text.txt {NOBODY}", 2, "text.txt: this is neither JSON nor YAML"),
    (f"explore broken.yaml {NOBODY}", 2, "broken.yaml:1: this is not YAML"),
    (f"explore list.json {NOBODY}", 2, "list.json:1: not an OpenAPI document"),
    (f"explore plain.yaml {NOBODY}", 2, "plain.yaml:1: not an OpenAPI document"),
    (f"explore empty.yaml {NOBODY}", 2, "empty.yaml: this file is empty"),
    (f"explore pathless.yaml {NOBODY}", 2, "pathless.yaml: the specs describe no operation"),
    (f"explore old.yaml {NOBODY}", 2, "old.yaml:1: OpenAPI version 1.2 is not supported; convert it"),
    (f"explore https://me:s3cret@host/api.json?k=s3cret {NOBODY}", 2, "SPECS: a URL is not read; save it (curl"),
    ("lint http://host/api.yaml", 2, "SPECS: a URL is not read; save it (curl"),
    ("explore shop.json", 2, "--base-url: no base URL for shop; give --base-url shop=URL"),
    (f"explore shop.json {NOBODY} --out a", 3, "no answer (refused: connection refused); check --base-url"),
    ("explore shop.json --base-url TLS --out b", 3, "no answer (tls: the server speaks no TLS); check --base-url"),
    ("explore shop.json --base-url URL/wrong --out c", 3, "returned nothing but errors: 404 to 3 of 3 calls; check"),
    ("explore shop.json --base-url example.org", 2, "--base-url: example.org is not a base URL; give http"),
    ("explore shop.json --base-url {server}/v1", 2, "--base-url: {server}/v1 is not a base URL; give http"),
    (f"{SHOP} -H Authorization", 2, "-H: not a header; write -H"),
    (f"{SHOP} -H X-Key:env:NONE_SUCH", 2, "the environment variable NONE_SUCH is not set; export NONE_SUCH"),
    (f"{SHOP} -H X-Key:file:/none", 2, "the file /none cannot be read; check path and rights"),
    (f"{SHOP} --auth key=abc", 2, "--auth: not credentials for a security scheme; write"),
    (f"{SHOP} --allow PSOT", 2, "--allow: PSOT is no method"),
    (f"{SHOP} --within a", 2, "--within: 'a' is not NAME=VALUE; name a path parameter"),
    (f"{SHOP} --within none=1", 2, "--within: no path parameter is called none; docrev explore --dry-run"),
    (f"{SHOP} --value none", 2, "--value: 'none' gives no value; write NAME=VALUE"),
    (f"{SHOP} --value none=1", 2, "--value: no parameter is called none; name"),
    (f"{SHOP} --value none=1 --dry-run", 2, "--value: no parameter is called none; name"),
    (f"{SHOP} --max-calls 0", 2, "0 is not in the range x>=1; see docrev explore --help"),
    (f"{SHOP} --max-call 5", 2, "no such option '--max-call'"),
    (f"{SHOP} --config none.toml", 2, "none.toml: no such file; check --config"),
    (f"{SHOP} --config empty", 2, "empty: cannot be read: Is a directory; check --config"),
    (f"{SHOP} --config broken.toml", 2, "broken.toml: not readable as TOML"),
    (f"{SHOP} --config odd.toml", 2, "odd.toml: unknown setting maxcalls; write max-calls"),
    (f"{SHOP} --out shop.json", 2, "shop.json: this is not a folder; choose another folder with --out"),
    (f"{SHOP} --out damaged", 4, "evidence.db: the evidence file is damaged (file is not a database); move"),
    (f"{SHOP} --model gpt", 2, "--model: no model gpt; use offline, openai:NAME"),
    (f"{SHOP} --model openai:gpt --out d", 2, "$OPENAI_API_KEY: holds no key for OpenAI; export the key, or name"),
    (f"{SHOP} --model openai:m --model-url http://127.0.0.1:9 --out e", 3, "no model's server answers"),
    (f"{SHOP} --model local:/none --out f", 2, "/none: no such model folder; name the folder"),
    (f"{SHOP} --templates none", 2, "--templates: none is no folder; check the path"),
    (f"{SHOP} --cluster here", 2, "--cluster: here is no cluster; give local"),
    ("revise shop.json --evidence nowhere", 2, "nowhere: no such folder; run docrev explore first"),
    ("revise shop.json --evidence empty", 2, "empty: no evidence in this folder; run docrev explore first"),
    ("revise shop.json --evidence shop.json", 2, "shop.json: not a folder; name the folder that docrev explore"),
    (f"{KEPT} -o out --in-place", 2, "both -o and --in-place were given; give one of them"),
    (f"{KEPT} --only none", 2, "'none' is not one of 'correction', 'trap'"),
    (f"{KEPT} --interactive", 2, "--interactive: nothing would be written; add --in-place"),
    ("facts nowhere", 2, "nowhere: no such folder; run docrev explore first"),
    ("report kept", 2, "missing option '-o' / '--out'"),
    ("diff shop.json", 2, "missing argument 'NEW'"),
    ("diff shop.json plain.yaml", 2, "plain.yaml:1: not an OpenAPI document"),
    (f"check shop.json {NOBODY} --evidence kept", 3, "no answer (refused: connection refused); check --base-url"),
    (f"check shop.json {URL} --operations GET/none", 2, "--operations GET/none: no operation matches; name"),
    ("apply shop.json shop.json", 2, "shop.json: this is not an overlay; name a file"),
    ("apply overlay.json", 2, "overlay.json:1: an overlay has a list of actions; add one"),
    ("observe none.har", 2, "missing option '--spec'"),
    ("observe none.har --spec shop.json", 2, "none.har:1: no record of a request and its response; give HAR"),
    ("import functions shop.json -o x", 2, "shop.json:1: this is an OpenAPI document already; use it as it is"),
    ("import postman nowhere -o x", 2, "nowhere: no such file or folder; name another"),
    ("export openapi shop.json -o x", 2, "'openapi' is not one of 'functions'"),
    ("export har nowhere -o x.har", 2, "nowhere: no such folder; run docrev explore first"),
    ("retrieve items", 2, "missing argument 'SPECS...'"),
    ("mcp shop.json", 2, "--base-url: no base URL for shop; give --base-url shop=URL"),
    ("simulate pathless.yaml", 2, "pathless.yaml: the specs describe no operation; run docrev lint"),
    ("init shop.json", 2, "--base-url is missing, and nobody can be asked here; give --base-url"),
    ("generate instructions shop.json -o empty", 2, "empty: this is a folder, not a file; choose another place"),
    ("bench tooleval nowhere", 2, "nowhere: no such file or folder; name another"),
    ("bench bundled --runner none", 2, "--runner: no runner none; one of react"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("wrong")
    spec(made)
    (made / "empty").mkdir()
    (made / "damaged").mkdir()
    for name, text in FILES.items():
        (made / name).write_text(text)
    return made


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with Server({"GET /items": reply([{"id": 1}]), "GET /items/1": reply({"id": 1})}) as server:
        done = here("explore", folder / "shop.json", "--base-url", server.url, "--out", folder / "kept")
        assert done.code == 0, done.err
        yield server.url


@pytest.fixture(autouse=True)
def in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for name in ("OPENAI_API_KEY", "DOCREV_NO_NETWORK_MODELS"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("line", "code", "says"), WRONG, ids=[line for line, _, _ in WRONG])
def test_wrong_use_is_one_line(url: str, line: str, code: int, says: str) -> None:
    words = [word.replace("URL", url).replace("TLS", url.replace("http", "https")) for word in line.split()]
    told = here(*words).failed(code, says)
    assert "; " in told, "what to do"
    assert "s3cret" not in told


def test_what_nobody_answers_is_not_called_an_answer(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = spec(tmp_path)
    monkeypatch.chdir(tmp_path)
    done = here("init", file, *NOBODY.split())
    assert "No answer (refused: connection refused); check base-url in docrev.toml" in done.out
    assert "The API answered" not in done.out
