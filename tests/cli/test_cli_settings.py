"""Settings files from outside: each setting has its effect, and a stranger's file has none."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from chat_answers import answer
from chat_server import ChatServer
from clikit import Done, here, spec
from servers import Answer, Received, Server, reply

from docrev.settings.base import Settings
from docrev.settings.file import read_settings
from docrev.settings.groups import CheckSettings
from docrev.settings.serving import McpSettings, ObserveSettings

OPERATIONS = ("GET /items", "GET /items/{id}", "POST /items")
KEY = "k3y-of-the-user"


@dataclass
class Shop:
    """A working directory with `specs/`, and the API that they describe."""

    folder: Path
    server: Server
    settings: Path = field(init=False)

    def __post_init__(self) -> None:
        self.settings = self.folder / "docrev.toml"

    def explore(self, *words: str, base: bool = True, **env: str) -> Done:
        where = ("--base-url", self.server.url) if base else ()
        return here("explore", "specs", *where, "--json", *words, env=env)

    @property
    def methods(self) -> set[str]:
        return {request.method for request in self.server.requests}

    def sent(self, header: str) -> set[str | None]:
        return values(self.server, header)


def values(server: Server, header: str) -> set[str | None]:
    """What a header was sent with; without it, a few GETs see what those get who have no credentials."""
    found = {request.headers.get(header) for request in server.requests}
    without = sum(request.headers.get(header) is None for request in server.requests)
    return found - {None} if len(found) > 1 and without < 10 else found


def item(request: Received) -> Answer:
    return reply({"id": 7, "name": "new"}, 201) if request.method == "POST" else reply({"items": [{"id": 1}]})


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    spec(tmp_path / "specs", OPERATIONS)
    monkeypatch.chdir(tmp_path)
    with Server({"GET /items": item, "POST /items": item, "GET /items/*": reply({"id": 1})}) as server:
        yield Shop(tmp_path, server)


def test_the_base_url_and_the_number_of_calls_are_taken_and_the_first_line_says_from_where(shop: Shop) -> None:
    shop.settings.write_text(f'[explore]\nbase-url = "{shop.server.url}"\nmax-calls = 5\n')
    done = shop.explore(base=False)
    assert done.json["requests"] == 5 == len(shop.server.requests)
    assert done.err.splitlines()[0] == f"settings from {shop.settings}: base-url, max-calls"


def test_an_option_wins_over_the_file(shop: Shop) -> None:
    shop.settings.write_text("[explore]\nmax-calls = 5\n")
    done = shop.explore("--max-calls", "6")
    assert done.json["requests"] == 6
    assert "settings from" not in done.err


def test_headers_of_the_file_are_sent(shop: Shop) -> None:
    shop.settings.write_text('[explore]\nheader = ["X-Api-Key: env:SHOP_KEY"]\n')
    assert shop.explore(SHOP_KEY=KEY).code == 0
    assert shop.sent("x-api-key") == {KEY}


def test_the_api_and_its_credentials_hold_for_a_check_too(tmp_path: Path) -> None:
    file = tmp_path / "docrev.toml"
    file.write_text(
        '[explore]\nbase-url = "http://a.test"\nheader = ["X-Key: env:KEY"]\nmax-calls = 9\n[check]\nrate = 2\n'
    )
    read = read_settings(file, CheckSettings, "check")
    assert read == {"base_urls": ("http://a.test",), "headers": ("X-Key: env:KEY",), "rate": 2}
    file.write_text(file.read_text() + 'base-url = "http://b.test"\n')
    assert read_settings(file, CheckSettings, "check")["base_urls"] == ("http://b.test",)


@pytest.mark.parametrize(
    ("group", "names"), [(McpSettings, {"base_urls", "headers", "answer"}), (ObserveSettings, {"out"})]
)
def test_serving_and_watching_read_the_file_too(tmp_path: Path, group: type[Settings], names: set[str]) -> None:
    file = tmp_path / "docrev.toml"
    file.write_text(
        '[explore]\nbase-url = "http://a.test"\nheader = ["X-Key: env:KEY"]\nallow = "POST"\n'
        '[mcp]\nanswer = 900\n[observe]\nout = "watched"\n'
    )
    table = group.__name__.removesuffix("Settings").lower()
    assert read_settings(file, group, table).keys() == names


def test_writes_that_the_own_file_allows_are_made(shop: Shop) -> None:
    shop.settings.write_text('[explore]\nallow = "POST"\n')
    assert shop.explore().code == 0
    assert "POST" in shop.methods


def test_the_file_of_the_repository_s_root_counts_in_its_folders(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    (shop.folder / ".git").mkdir()
    (shop.folder / "work").mkdir()
    monkeypatch.chdir(shop.folder / "work")
    shop.settings.write_text("[explore]\nmax-calls = 5\n")
    done = here("explore", "../specs", "--base-url", shop.server.url, "--json")
    assert done.json["requests"] == 5


def test_a_folder_above_that_is_no_repository_does_not_count(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    (shop.folder / "work").mkdir()
    monkeypatch.chdir(shop.folder / "work")
    shop.settings.write_text("[explore]\nmax-calls = 5\n")
    done = here("explore", "../specs", "--base-url", shop.server.url, "--json")
    assert done.json["requests"] > 5


def test_a_file_can_be_named(shop: Shop) -> None:
    (shop.folder / "other.toml").write_text("[explore]\nmax-calls = 5\n")
    shop.settings.write_text("[explore]\nmax-calls = 6\n")
    done = shop.explore("--config", "other.toml")
    assert done.json["requests"] == 5
    assert done.err.splitlines()[0] == "settings from other.toml: max-calls"


@pytest.fixture
def stranger(shop: Shop) -> Path:
    """Where the settings of whoever wrote the specs lie."""
    return shop.folder / "specs" / "docrev.toml"


def test_a_stranger_s_file_is_named_and_not_read(shop: Shop, stranger: Path) -> None:
    stranger.write_text('[explore]\nallow = "POST"\nmax-calls = 1\n')
    done = shop.explore()
    assert shop.methods == {"GET"}
    assert len(shop.server.requests) > 1
    [line] = [line for line in done.err.splitlines() if "docrev.toml" in line]
    assert line.startswith("specs/docrev.toml is not read: settings come from the working directory")


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give a file away")
def test_a_file_of_another_user_in_the_working_directory_is_named_and_not_read(shop: Shop) -> None:
    shop.settings.write_text('[explore]\nallow = "POST"\n')
    os.chown(shop.settings, 54321, 54321)
    done = shop.explore()
    assert shop.methods == {"GET"}
    assert f"{shop.settings} is not read: it belongs to another user" in done.err


def test_not_even_a_broken_one_of_a_stranger_is_read(shop: Shop, stranger: Path) -> None:
    stranger.write_text("[explore\n")
    assert shop.explore().code == 0


def test_a_stranger_s_base_url_gets_no_call(shop: Shop, stranger: Path) -> None:
    with Server({"GET /*": reply([])}) as evil:
        stranger.write_text(f'[explore]\nbase-url = "shop={evil.url}"\n')
        assert shop.explore().code == 0
        assert evil.requests == []


def test_a_stranger_s_header_is_not_sent(shop: Shop, stranger: Path) -> None:
    stranger.write_text('[explore]\nheader = ["X-Api-Key: env:SHOP_KEY"]\n')
    assert shop.explore(SHOP_KEY=KEY).code == 0
    assert shop.sent("x-api-key") == {None}


def test_a_stranger_s_model_server_gets_neither_key_nor_question(shop: Shop, stranger: Path) -> None:
    with ChatServer(answer) as evil:
        stranger.write_text(f'[models]\nmodel = "openai:x"\nmodel-url = "{evil.url}"\n')
        assert shop.explore(OPENAI_API_KEY=KEY).code == 0
        assert here("revise", "specs", env={"OPENAI_API_KEY": KEY}).code == 0
        assert evil.headers == []


@pytest.mark.parametrize("given", ["option", "file"])
def test_the_key_goes_to_the_model_server_that_the_user_gave(shop: Shop, given: str) -> None:
    with ChatServer(answer) as server:
        shop.settings.write_text(f'[models]\nmodel-url = "{server.url}"\n' if given == "file" else "")
        words = ("--model-url", server.url) if given == "option" else ()
        done = shop.explore("--model", "openai:x", "--max-calls", "10", *words, OPENAI_API_KEY=KEY)
        assert done.code == 0, done.err
        assert server.headers
        assert {sent["authorization"] for sent in server.headers} == {f"Bearer {KEY}"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[explore]\nbase_url = 'x'\n", "unknown setting base_url; write base-url"),
        ("[explore]\nheader = ['Authorization: Bearer abc']\n", "header Authorization has a literal value"),
        ("[explore\n", "not readable as TOML"),
        ("[explore]\nmax-calls = 'many'\n", "max-calls should be a valid integer"),
        ("[explorer]\n", "unknown table explorer; write explore"),
    ],
)
def test_a_bad_settings_file_is_one_line(shop: Shop, text: str, words: str) -> None:
    shop.settings.write_text(text)
    assert "abc" not in shop.explore().failed(2, words)


def test_a_missing_settings_file_is_one_line(shop: Shop) -> None:
    shop.explore("--config", "nowhere.toml").failed(2, "nowhere.toml: no such file; check --config")


@dataclass
class Two:
    """Two tools on loopback under two names of it: for a browser, and for docrev, two hosts."""

    left: Server
    right: Server
    other_host: bool

    def explore(self, *headers: str) -> Done:
        right = self.right.url.replace("127.0.0.1", "localhost") if self.other_host else self.right.url
        bases = ("--base-url", f"left={self.left.url}", "--base-url", f"right={right}")
        return here("explore", "specs", *bases, *(word for text in headers for word in ("-H", text)), "--json")

    def sent(self, header: str) -> tuple[set[str | None], set[str | None]]:
        return values(self.left, header), values(self.right, header)


@pytest.fixture(params=[False, True], ids=["one host", "two hosts"])
def two(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Two]:
    for name in ("left", "right"):
        spec(tmp_path / "specs", ("GET /items",), f"{name}.json")
    monkeypatch.chdir(tmp_path)
    with Server({"GET /items": item}) as left, Server({"GET /items": item}) as right:
        yield Two(left, right, request.param)


def test_a_secret_of_one_tool_goes_to_that_tool_alone(two: Two) -> None:
    assert two.explore(f"left=X-Key: {KEY}").code == 0
    assert two.sent("x-key") == ({KEY}, {None})


def test_two_tools_get_a_secret_each(two: Two) -> None:
    assert two.explore("left=X-Key: one", "right=X-Key: other").code == 0
    assert two.sent("x-key") == ({"one"}, {"other"})


def test_a_secret_without_a_tool_goes_to_one_host_and_never_to_two(two: Two) -> None:
    done = two.explore(f"X-Key: {KEY}")
    if two.other_host:
        said = done.failed(2, "-H X-Key: a secret for tools on several hosts: 127.0.0.1, localhost", "left=X-Key: …")
        assert KEY not in said
        assert two.sent("x-key") == (set(), set())
    else:
        assert two.sent("x-key") == ({KEY}, {KEY})


def test_what_is_no_secret_goes_to_every_tool(two: Two) -> None:
    assert two.explore("Accept-Language: de").code == 0
    assert two.sent("accept-language") == ({"de"}, {"de"})


def test_a_header_of_a_tool_that_is_none_is_one_line_without_its_value(two: Two) -> None:
    assert KEY not in two.explore(f"middle=X-Key: {KEY}").failed(
        2, "no tool named middle", "the specs have left, right"
    )


def test_a_secret_is_not_sent_to_a_server_that_a_spec_names(shop: Shop) -> None:
    file = shop.folder / "specs" / "shop.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "servers": [{"url": shop.server.url}]}))
    assert shop.explore("-H", f"X-Key: {KEY}", base=False).code == 0
    assert shop.sent("x-key") == {None}
    said = shop.explore("-H", f"shop=X-Key: {KEY}", base=False).failed(2, "-H X-Key", "give --base-url shop=URL")
    assert KEY not in said
