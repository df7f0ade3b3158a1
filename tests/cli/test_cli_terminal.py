"""What a terminal would obey never reaches it: every command, with a hostile spec, a hostile API and hostile names."""

from __future__ import annotations

import ast
import json
import os
import pty
import re
import select
import shutil
import termios
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clikit import docrev, plain_environment, spec
from forked import Forked
from servers import Received, Server, reply

from docrev.language.characters import escaped
from docrev.spec.document import Document
from docrev.spec.formats.imported import yaml_text

ROOT = Path(__file__).resolve().parents[2]
CLEAR, TITLE, LINK = "\x1b[2J\x1b[H", "\x1b]0;owned\x07", "\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\"
BIDI, C1, ODD = (
    "\u202ereversed\u202c \u2066x\u2069",
    "\x9b2J\x9d0;owned\x9c",
    "\u200b\u2028\ufeff\U000e0041\x07\x08\x7f\r",
)
HOSTILE = CLEAR + TITLE + LINK + BIDI + C1 + ODD
OWN = re.compile(r"\r?\x1b\[(?:1A|2K|[\d;]*m)|\r\n")
"""What docrev itself sends to a terminal: a line anew, colours; a terminal makes `\\r\\n` of line ends."""


def document() -> dict[str, Any]:
    def operation(name: str) -> dict[str, Any]:
        parameter = {"name": "q" + BIDI, "in": "query", "description": HOSTILE, "schema": {"enum": ["a", HOSTILE]}}
        schema = {"type": "object", "properties": {"name" + TITLE: {"type": "string", "example": HOSTILE}}}
        return {
            "operationId": name,
            "summary": f"{name} {HOSTILE}",
            "description": HOSTILE,
            "tags": [HOSTILE],
            "parameters": [parameter],
            "responses": {"200": {"description": HOSTILE, "content": {"application/json": {"schema": schema}}}},
        }

    broken = {**operation("broken" + HOSTILE), "requestBody": {"$ref": f"#/components/{HOSTILE}"}}
    plain = {"summary": "Lists plain items.", "responses": operation("plain")["responses"]}
    paths = {
        "/plain/items": {"get": plain},
        "/items": {"get": operation("list")},
        f"/x{BIDI}{TITLE}": {"get": operation("odd"), "post": broken},
    }
    return {"openapi": "3.0.3", "info": {"title": HOSTILE, "version": HOSTILE}, "paths": paths}


def answer(request: Received) -> Any:
    values = [{"id": f"{number}{HOSTILE}", f"name{BIDI}": HOSTILE, "n": number} for number in range(4)]
    return reply(values if "items" in request.path else {"error": HOSTILE}, 200 if "items" in request.path else 422)


def changed(request: Received) -> Any:
    """What the API answers later: nothing that was shown is true any more."""
    return reply({f"name{BIDI}": 5, HOSTILE: [HOSTILE]}, 200 if "plain" in request.path else 500)


def on_terminal(*words: str | Path, cwd: Path, keys: str = "", width: int = 100) -> str:
    """What a command sends to a terminal of this width; `keys` are typed at once."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, width))
    environment = {name: value for name, value in plain_environment().items() if name != "COLUMNS"}
    os.write(ours, keys.encode())
    process = Forked(words, (os.ttyname(theirs),) * 3, cwd, environment)
    shown = b""
    # Once it has ended nothing is added to what it wrote.
    ended = False
    while not ended:
        ended = process.wait(0.01) is not None
        while select.select([ours], [], [], 0)[0]:
            shown += os.read(ours, 65536)
    os.close(ours)
    os.close(theirs)
    return shown.decode()


def lines_of(shown: str) -> str:
    """What was on a terminal, without colours, each line that was drawn anew on a line of its own."""
    return OWN.sub("\n", re.sub(r"\x1b\[[\d;]*m", "", shown))


def obeyed(shown: str) -> list[str]:
    """The characters in what a terminal was sent that are no text, and not docrev's own."""
    rest = OWN.sub("", shown)
    return sorted(
        {char for char in rest if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") and char not in "\n\t"}
    )


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a hostile spec, and the evidence of a hostile API."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "shop.json").write_text(json.dumps(document()))
    other = document()
    other["paths"]["/items"]["get"]["summary"] = f"another {HOSTILE}"
    (folder / "other.json").write_text(json.dumps(other))
    functions = [{"name": f"f{number}", "description": HOSTILE, "parameters": {}} for number in range(2)]
    (folder / "tools.json").write_text(json.dumps([*functions, {"name": HOSTILE}]))
    (folder / f"odd{BIDI}.json").write_text("{" + HOSTILE)
    action = {"target": f"$.paths['{HOSTILE}']", "update": {"summary": HOSTILE}}
    overlay = {"overlay": "1.0.0", "info": {"title": HOSTILE, "version": "1"}, "actions": [action]}
    (folder / "hostile.overlay.json").write_text(json.dumps(overlay))
    request = {"method": "GET", "url": f"http://h/{HOSTILE}", "headers": [{"name": HOSTILE, "value": HOSTILE}]}
    traffic = {"log": {"version": "1.2", "entries": [{"request": request, "response": {"status": HOSTILE}}, HOSTILE]}}
    (folder / "traffic.har").write_text(json.dumps(traffic))
    items = [{"name": HOSTILE, "request": {"method": HOSTILE, "url": f"http://h/items?{HOSTILE}=1"}}, {"name": HOSTILE}]
    collection = {"info": {"name": HOSTILE, "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"}}
    (folder / "collection.json").write_text(json.dumps({**collection, "item": items}))
    (folder / "docrev.toml").write_text("")
    with Server({"GET *": answer, "POST *": answer}) as server:
        words = [
            "explore",
            "shop.json",
            "--base-url",
            server.url,
            "--out",
            "kept",
            "--max-calls",
            "60",
            "--allow",
            "POST",
        ]
        (folder / "explored.txt").write_bytes(on_terminal(*words, cwd=folder).encode())
    shutil.copytree(folder / "kept", folder / "copy")
    for edit, out in (("contract", "corrected"), ("docs", "revised")):
        on_terminal("revise", "shop.json", "--evidence", "kept", "--edit", edit, "-o", out, cwd=folder)
    assert (folder / "revised" / "docrev.lock").exists()
    overlay = ["revise", "shop.json", "--evidence", "kept", "--overlay", "own.overlay.json"]
    on_terminal(*overlay, cwd=folder)
    with Server({"GET *": changed, "POST *": changed}) as server:
        (folder / "url.txt").write_text(server.url)
        yield folder


LIVE = ("--base-url", "URL")
COMMANDS: list[list[str]] = [
    ["lint", "shop.json"],
    ["lint", "shop.json", "--json"],
    ["lint", "."],
    ["diff", "shop.json", "other.json"],
    ["diff", "shop.json", "other.json", "--format", "markdown"],
    ["diff", "shop.json", "other.json", "--format", "html"],
    ["diff", "shop.json", "other.json", "--format", "json"],
    ["evidence", "kept"],
    ["evidence", "kept", "--json"],
    ["facts", "kept"],
    ["facts", "kept", "--json"],
    ["revise", "shop.json", "--evidence", "kept"],
    ["revise", "shop.json", "--evidence", "kept", "--json"],
    ["revise", "shop.json", "--evidence", "kept", "--edit", "contract", "-o", "out"],
    ["revise", "shop.json", "--evidence", "kept", "--overlay", "over.json", "--marks", "inline"],
    ["diff", "shop.json", "revised/shop.json"],
    ["diff", "shop.json", "revised/shop.json", "--format", "markdown"],
    ["diff", "shop.json", "revised/shop.json", "--format", "html"],
    ["lint", "revised"],
    ["evidence", "copy", "--prune"],
    ["retrieve", "items", "shop.json"],
    ["retrieve", HOSTILE, "shop.json", "--json"],
    ["export", "functions", "shop.json", "-o", "functions"],
    ["import", "functions", "tools.json", "-o", "imported"],
    ["explore", "shop.json", "--base-url", "http://127.0.0.1:9", "--dry-run", "--allow", "POST"],
    ["explore", "shop.json", "--base-url", f"http://{HOSTILE}"],
    ["explore", "shop.json", "--base-url", "http://127.0.0.1:9", "--value", f"q={HOSTILE}", "--dry-run"],
    ["explore", "shop.json", "--base-url", "http://127.0.0.1:9", "--auth", f"{HOSTILE}=env:X"],
    ["explore", f"no{HOSTILE}.json", "--base-url", "http://127.0.0.1:9"],
    ["simulate", f"odd{BIDI}.json"],
    ["bench", f"no{HOSTILE}.json"],
    ["collect", "shop.json", "--base-url", f"http://{BIDI}"],
    ["generate", "instructions", "shop.json", "--count", "2", "-o", "instructions.jsonl"],
    ["train", "retriever", f"no{HOSTILE}"],
    ["check", "shop.json", "--evidence", "kept", "--base-url", "http://127.0.0.1:9"],
    ["apply", "hostile.overlay.json", "shop.json"],
    ["observe", "traffic.har", "--spec", "shop.json", "--out", "watched"],
    ["report", "kept", "-o", "page.html"],
    ["import", "postman", "collection.json", "-o", "from-postman"],
    ["export", "har", "kept", "-o", "out.har"],
    ["export", "arazzo", "shop.json", "--evidence", "kept", "-o", "out.arazzo.yaml"],
    ["check", "revised/shop.json", "--evidence", "kept", *LIVE],
    ["check", "revised/shop.json", "--evidence", "kept", "--format", "github", *LIVE],
    ["check", "revised/shop.json", "--evidence", "kept", "--format", "markdown", *LIVE],
    ["check", "shop.json", "--evidence", "none", "-v", *LIVE],
    ["collect", "shop.json", "--out", "collected", "-v", *LIVE],
    ["explore", "shop.json", "--out", "kept", "--allow", "POST", "--clean", "-v", *LIVE],
    ["apply", "own.overlay.json", "other.json", "--json"],
    ["lint", "revised", "--format", "junit"],
    ["lint", "revised", "--format", "github"],
    ["mcp", f"odd{BIDI}.json", "--base-url", f"http://{HOSTILE}"],
    [f"no{HOSTILE}"],
    ["--no" + BIDI],
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: ascii(" ".join(words))[:60])
def test_no_command_sends_what_a_terminal_obeys(shop: Path, words: list[str]) -> None:
    url = (shop / "url.txt").read_text()
    shown = on_terminal(*(url if word == "URL" else word.replace("\0", "") for word in words), cwd=shop)
    assert shown.strip()
    assert obeyed(shown) == []
    assert "Traceback" not in shown


def test_no_question_sends_it_and_no_file_has_it(shop: Path) -> None:
    words = ["revise", "shop.json", "--evidence", "kept", "--edit", "contract", "-o", "chosen", "--interactive"]
    shown = on_terminal(*words, cwd=shop, keys="o\n?\n" + "y\n" * 60)
    assert "Write it?" in shown
    assert obeyed(shown) == []
    on_terminal(*words[:6], "--overlay", "own.json", cwd=shop)
    # What docrev itself writes; texts of the spec stay as they are.
    for file in (*shop.glob("*/docrev.lock"), shop / "own.json"):
        assert obeyed(file.read_text()) == [], file


def test_an_exploration_sends_none_either(shop: Path) -> None:
    shown = (shop / "explored.txt").read_bytes().decode()
    assert "survey" in shown
    assert obeyed(shown) == []


def test_what_is_asked_about_an_api_sends_none_either(shop: Path) -> None:
    (shop / "docrev.toml").unlink()
    keys = f"shop.json\n{(shop / 'url.txt').read_text()}\n{BIDI}\n-\n"
    shown = on_terminal("init", cwd=shop, keys=keys)
    assert "wrote " in shown
    # What is typed is echoed by the terminal itself.
    assert obeyed(shown.replace(BIDI, "")) == []
    (shop / "docrev.toml").write_text("")


def test_what_is_written_out_means_the_same_in_yaml() -> None:
    tree = {"a": HOSTILE, f"b{BIDI}": [BIDI, f"two\nlines {ODD}", "naïve 你好 🙂 👩\u200d👧"]}
    text = yaml_text(tree)
    assert obeyed(text.replace("\u200d", "")) == []
    assert Document.parse(text, "a.yaml").tree == tree
    assert "naïve 你好 🙂 👩\u200d👧" in text


def test_what_is_written_out_means_the_same_in_json() -> None:
    for text in (HOSTILE, "plain", "naïve ü 你好 🙂 👩\u200d👧", "a\nb\tc"):
        assert json.loads(escaped(json.dumps(text, ensure_ascii=False))) == text
    assert escaped("naïve ü 你好 👩\u200d👧 a\nb\tc") == "naïve ü 你好 👩\u200d👧 a\nb\tc"
    assert escaped(BIDI) == "\\u202ereversed\\u202c \\u2066x\\u2069"


def test_commands_print_in_one_way_only() -> None:
    files = [file for file in (ROOT / "docrev" / "cli").glob("*.py") if file.name != "printing.py"]
    assert len(files) > 20
    for file in files:
        calls = [node.func for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
        names = {ast.unparse(call) for call in calls}
        assert not names & {"print", "click.echo", "click.secho", "sys.stdout.write", "sys.stderr.write"}, file.name


def test_a_terminal_is_told_what_is_waited_for(tmp_path: Path) -> None:
    def late(request: Received) -> Any:
        time.sleep(1.5)
        return reply([{"id": 1}])

    file = spec(tmp_path, ("GET /items",))
    with Server({"GET *": late}) as server:
        words = ["explore", file, "--base-url", server.url, "--out", "kept", "--max-calls", "2"]
        shown = on_terminal(*words, cwd=tmp_path)
    line = next(line for line in lines_of(shown).split("\n") if "of 2 requests" in line)
    assert "survey" in line
    assert "0:01" in line
    # A line that is longer than the terminal would be left behind.
    assert len(line) <= 100
    quiet = on_terminal(*words, "--fresh", "-q", cwd=tmp_path)
    assert "of 2 requests" not in quiet


@pytest.mark.parametrize("width", [40, 70])
def test_tables_fit_the_terminal_and_lose_nothing(shop: Path, width: int) -> None:
    for words in (["facts", "kept"], ["evidence", "kept"], ["retrieve", "items", "shop.json"]):
        piped = docrev(*words, cwd=shop)
        shown = lines_of(on_terminal(*words, cwd=shop, width=width))
        assert Counter(re.sub(r"\s", "", shown)) == Counter(re.sub(r"\s", "", piped.out)), words
        # The line before and after a table is text.
        table = [line for line in shown.splitlines() if "  " in line.strip()]
        assert table
        assert max(map(len, table)) <= width, words
