"""`docrev explore` and `docrev revise` with models, from outside: a scripted server, a record, and what goes wrong."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from chat_answers import answer
from chat_server import Body, ChatServer, Reply, wanted
from clikit import DOCREV, LIST_AND_ITEM, Done, calls, docrev, here, spec
from patience import HANGS
from servers import Server, closed_port, reply
from services import running

ROOT = Path(__file__).resolve().parents[2]
ATLAS = ROOT / "specs" / "atlas.yaml"
FEW = ("--max-calls", "120")
ITEMS = [{"id": number, "name": name} for number, name in enumerate(("anchor", "bell", "compass"), start=11)]
SHOP = {
    "GET /items": reply({"items": ITEMS, "total": 3}),
    "GET /items/*": lambda request: reply(*_item(request.path.rpartition("/")[2])),
    "GET /shop": reply({"name": "Chandler", "city": "Ghent"}),
}


@dataclass
class Live:
    """An exploration and a revision that were recorded, and the server that answered."""

    explored: dict[str, Any]
    revised: Done
    out: Path
    texts: dict[str, bytes]
    asked: int


@dataclass
class Shop:
    """A small API that answers the same at any time: its spec, and where it is."""

    spec: Path
    url: str

    def explore(self, out: Path, *more: str | Path, env: Mapping[str, str] | None = None) -> Done:
        return here("explore", self.spec, "--base-url", self.url, "--out", out, "--json", *more, env=env)

    def revise(self, evidence: Path, *more: str | Path) -> Done:
        return here("revise", self.spec, "--evidence", evidence, *more)


def _item(id: str) -> tuple[Any, int]:
    found = next((item for item in ITEMS if str(item["id"]) == id), None)
    return ({**found, "weight": 3}, 200) if found else ({"error": "no such item"}, 404)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    number = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
    extras: dict[str, Any] = {"GET /items/{id}": {"parameters": [number]}}
    file = spec(tmp_path_factory.mktemp("shop"), [*LIST_AND_ITEM, "GET /shop"], **extras)
    with Server(SHOP) as server:
        yield Shop(file, server.url)


def explore(url: str, out: Path, *more: str | Path, env: Mapping[str, str] | None = None) -> Done:
    return docrev("explore", ATLAS, "--base-url", url, "--out", out, "--json", *FEW, *more, env=env)


def revise(evidence: Path, *more: str | Path) -> Done:
    return docrev("revise", ATLAS, "--evidence", evidence, *more)


def chat(server: ChatServer) -> tuple[str, ...]:
    return ("--model", "openai:tiny", "--model-url", server.url)


def told(done: Done) -> dict[str, Any]:
    assert done.code == 0, done.err
    summary = dict(done.json)
    del summary["seconds"]
    return summary


@pytest.fixture(scope="module")
def explored(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Evidence of the shop, that no model took part in."""
    out = tmp_path_factory.mktemp("explored") / "evidence"
    told(shop.explore(out))
    return out


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Live:
    """Explored and revised with a model, recorded into one file; on a service of its own."""
    place = tmp_path_factory.mktemp("live")
    record = ("--record", place / "answers.db")
    with running("atlas") as urls, ChatServer(answer) as server:
        explored = told(explore(urls["atlas"], place / "evidence", *chat(server), *record))
        revised = revise(place / "evidence", *chat(server), *record, "-o", place / "revised", "--json")
        assert revised.code == 0, revised.err
    texts = {path.name: path.read_bytes() for path in (place / "revised").iterdir()}
    return Live(explored, revised, place, texts, len(server.asked))


def test_a_run_with_a_model_tells_what_it_asked(live: Live) -> None:
    model = live.explored["model"]
    assert model["calls"] > 15
    assert model["tokens_in"] > 1000 < model["tokens_out"] * 100
    assert {"FindDoubts", "DesignTasks", "NextTurn", "JudgeTraces"} <= set(model["by_prompt"])
    assert 0 < model["tokens_cached"] < model["tokens_in"]
    assert sum(row["asks"] for row in model["by_prompt"].values()) == model["asks"]
    assert sum(row["tokens_in"] for row in model["by_prompt"].values()) == model["tokens_in"]
    assert (model["cached"], model["cost"], model["budget_spent"]) == (0, None, [])
    assert live.explored["solved"] > 5
    assert live.explored["facts"] > 50


def test_the_words_of_the_model_are_in_the_revised_spec(live: Live) -> None:
    [*changes, last] = live.revised.lines
    assert changes
    assert last["model"]["by_prompt"]["DocumentOperation"]["calls"] > 5
    assert any(name.startswith("atlas GET /") for name in last["model"]["by_operation"])
    assert b"Gives back what its path names." in live.texts["atlas.yaml"]


def test_a_recorded_run_needs_no_server_and_comes_to_the_same(live: Live, tmp_path: Path) -> None:
    """The server is gone: what the record does not hold could not be answered."""
    recorded = ("--model", f"recorded:{live.out / 'answers.db'}")
    with running("atlas") as urls:
        again = told(explore(urls["atlas"], tmp_path / "evidence", *recorded))
    assert again == live.explored
    revised = revise(tmp_path / "evidence", *recorded, "-o", tmp_path / "revised", "--json")
    assert revised.lines[-1] == live.revised.lines[-1]
    assert {path.name: path.read_bytes() for path in (tmp_path / "revised").iterdir()} == live.texts
    assert sorted(path.name for path in live.out.iterdir()) == ["answers.db", "evidence", "revised"]
    assert not (tmp_path / "evidence" / "models.db").exists()


def test_a_replay_loads_no_client_of_a_model(live: Live) -> None:
    code = (
        "import sys; from docrev.cli import run; "
        f"run(['revise', {str(ATLAS)!r}, '--evidence', {str(live.out / 'evidence')!r}, "
        f"'--model', 'recorded:{live.out / 'answers.db'}']); "
        "print({'openai', 'torch', 'transformers'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([DOCREV[0], "-c", code], capture_output=True, text=True, timeout=HANGS)
    assert done.stderr.splitlines()[-1] == "set()"


def test_what_was_not_recorded_is_named(live: Live, shop: Shop, tmp_path: Path) -> None:
    done = shop.explore(tmp_path, "--model", f"recorded:{live.out / 'answers.db'}", "--single-tool")
    assert done.code == 3
    assert done.out == ""
    for words in ("FindDoubts", "role plan", "--record FILE"):
        assert words in done.err.splitlines()[-1]
    assert calls(tmp_path)


def test_a_revision_is_asked_only_once(shop: Shop, explored: Path, tmp_path: Path) -> None:
    with ChatServer(answer) as server:
        first = shop.revise(explored, *chat(server), "-o", tmp_path / "one", "--json")
        asked = len(server.asked)
        again = shop.revise(explored, *chat(server), "-o", tmp_path / "two", "--json")
        # Only whether the model is there.
        assert [wanted(body) for body in server.asked[asked:]] == ["Ready"]
        anew = shop.revise(explored, *chat(server), "--no-model-cache", "--json")
        assert len(server.asked) > asked + 3
    assert first.lines[:-1] == again.lines[:-1] == anew.lines[:-1]
    model = again.lines[-1]["model"]
    assert (model["calls"], model["tokens_in"]) == (0, 0)
    assert model["cached"] == first.lines[-1]["model"]["calls"]


@pytest.mark.parametrize(("option", "value"), [("--max-model-calls", "9"), ("--max-tokens", "2000")])
def test_a_spent_budget_ends_the_run_well_and_a_larger_one_goes_on(
    shop: Shop, tmp_path: Path, option: str, value: str
) -> None:
    with ChatServer(answer) as server:
        small = told(shop.explore(tmp_path, *chat(server), option, value))
        spent = {"--max-model-calls": "calls", "--max-tokens": "tokens_in"}[option]
        largest = max(sum(len(part["content"]) for part in body["messages"]) // 4 for body in server.asked)
        over = {"calls": 0, "tokens_in": 8 * largest}[spent]
        assert small["model"]["budget_spent"] == [option]
        assert 0 < small["model"][spent] <= int(value) + over
        assert small["facts"] > 3
        shown = here(*("explore", shop.spec, "--base-url", shop.url, "--out", tmp_path, *chat(server), option, value))
        assert f"{option} was reached" in shown.out
        asked = len(server.asked)
        large = told(shop.explore(tmp_path, *chat(server)))
        assert large["model"]["budget_spent"] == []
        # What was answered before was not asked again, and still counts.
        fresh = sum(wanted(body) != "Ready" for body in server.asked[asked:])
        assert large["model"]["calls"] == small["model"]["calls"] + fresh
        assert large["scenarios"] >= small["scenarios"]


def test_a_budget_is_handed_out_the_same_at_any_concurrency(shop: Shop, tmp_path: Path) -> None:
    found = []
    for number in ("1", "16"):
        with ChatServer(answer) as server:
            bounds = ("--max-model-calls", "7", "--model-concurrency", number, "--concurrency", number)
            found.append(told(shop.explore(tmp_path / number, *chat(server), *bounds)))
    assert found[0] == found[1]
    assert found[0]["model"]["calls"] == 7


def test_money_needs_a_price_and_is_counted_by_it(live: Live, tmp_path: Path) -> None:
    evidence = live.out / "evidence"
    with ChatServer(answer) as server:
        without = here("revise", ATLAS, "--evidence", evidence, *chat(server), "--max-cost", "1")
        without.failed(2, "--max-cost", "openai:tiny has no price", "[models]")
        assert server.asked == []
        (tmp_path / "docrev.toml").write_text(
            f'[models]\nmodel = "openai:tiny"\nmodel-url = "{server.url}"\nno-model-cache = true\n'
            'prices = {"openai:tiny" = {in = 1000, out = 2000}}\n'
        )
        settings = ("--config", tmp_path / "docrev.toml", "--max-cost", "1")
        done = here("revise", ATLAS, "--evidence", evidence, *settings, "--json")
    model = done.lines[-1]["model"]
    assert model["cost"] == pytest.approx((model["tokens_in"] * 1000 + model["tokens_out"] * 2000) / 1e6)
    assert model["cost"] >= 1
    assert model["budget_spent"] == ["--max-cost"]
    assert "the rest was written by template" in done.err
    assert any("Gives back" in str(row["after"]) for row in done.lines[:-1])
    assert len(done.lines) > 5


def test_each_role_is_asked_of_its_own_model(shop: Shop, tmp_path: Path) -> None:
    with ChatServer(answer) as server:
        roles = ("--model-for", "judge=openai:strict,parse=offline", "--model-for", "call=offline")
        done = told(shop.explore(tmp_path, *chat(server), *roles))
        asked = {(body["model"], wanted(body)) for body in server.asked} - {("tiny", "Ready"), ("strict", "Ready")}
    plain = {("tiny", name) for name in ("FindDoubts", "DesignTasks", "NextTurn")}
    assert asked == {*plain, ("strict", "JudgeTraces")}
    assert "SuggestCall" not in done["model"]["by_prompt"]


def test_gibberish_is_counted_and_the_offline_engine_answers(shop: Shop, tmp_path: Path) -> None:
    with ChatServer([Reply("colourless green ideas { sleep furiously")]) as server:
        done = told(shop.explore(tmp_path, *chat(server), "--max-model-calls", "30"))
        assert done["model"]["fallbacks"] > 5
        assert sum(done["model"]["errors"].values()) == done["model"]["fallbacks"]
        assert done["scenarios"] > 0
        assert done["facts"] > 3
        revised = shop.revise(tmp_path, *chat(server), "--max-model-calls", "12")
    assert revised.code == 0
    assert "answers could not be used; the offline engine answered instead." in revised.err
    assert "The response contains" in revised.out


def test_a_model_that_is_not_there_is_told_before_the_api_is_called(shop: Shop, tmp_path: Path) -> None:
    with closed_port() as url:
        model = ("--model", "openai:tiny", "--model-url", f"{url}/v1")
        shop.explore(tmp_path, *model).failed(3, f"{url}/v1", "--model-url")
    assert calls(tmp_path) == []


def test_a_model_that_goes_away_ends_the_run_and_the_same_command_goes_on(shop: Shop, tmp_path: Path) -> None:
    dying = _Dying(6)
    with ChatServer(dying) as server:
        done = shop.explore(tmp_path, *chat(server))
        assert done.code == 3
        assert done.out == ""
        assert done.err.splitlines()[-1].startswith("docrev: ")
        kept = {call["id"] for call in calls(tmp_path)}
        assert len(kept) > 3
        dying.left = 10_000
        asked = len(server.asked)
        whole = told(shop.explore(tmp_path, *chat(server)))
        # Those that were answered before are not asked again.
        assert whole["model"]["calls"] >= len(server.asked) - asked + 4
    assert kept <= {call["id"] for call in calls(tmp_path)}


class _Dying:
    """Answers some requests, and then lets nobody in."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __call__(self, body: Body) -> Reply:
        self.left -= 1
        return answer(body) if self.left >= 0 else Reply("Incorrect API key provided.", 401)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--model", "oracle"], 2, ["no model oracle", "openai:NAME"]),
        (["--model-for", "wizard=offline"], 2, ["no role wizard", "judge"]),
        (["--model-for", "judge"], 2, ["ROLE=MODEL"]),
        (["--model-for", "judge=oracle"], 2, ["no model oracle"]),
        (["--model", "recorded:nowhere.db"], 2, ["nowhere.db", "--record"]),
        (["--model", "recorded:docrev.txt"], 4, ["docrev.txt", "damaged"]),
        (["--model", "openai:x", "--model-url", "ftp://x"], 2, ["--model-url"]),
        (["--model", "openai:x", "--templates", "nowhere"], 2, ["nowhere", "templates"]),
        (["--model", "openai:x", "--model-url", "http://example.com"], 2, ["forbids models on the network"]),
    ],
)
@pytest.mark.parametrize("command", ["explore", "revise"])
def test_wrong_use_is_one_line(
    explored: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    arguments: list[str],
    code: int,
    words: list[str],
) -> None:
    (tmp_path / "docrev.txt").write_text("this is no database " * 100)
    place = {
        "explore": ("--out", "evidence", "--base-url", "http://127.0.0.1:9"),
        "revise": ("--evidence", explored),
    }
    monkeypatch.chdir(tmp_path)
    here(command, ATLAS, *place[command], *arguments).failed(code, *words)


def test_a_record_never_holds_the_key(shop: Shop, tmp_path: Path) -> None:
    key = "sk-very-secret-0123456789"
    with ChatServer(answer) as server:
        done = shop.explore(
            *(tmp_path / "evidence", *chat(server), "--record", tmp_path / "kept.db", "--max-model-calls", "10"),
            env={"OPENAI_API_KEY": key},
        )
        assert server.headers[-1]["authorization"] == f"Bearer {key}"
    assert key not in json.dumps(told(done)) + done.err
    assert (tmp_path / "kept.db").is_file()
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or key.encode() not in path.read_bytes(), path
