"""Public suites from the shared data, mended and as published; ToolBench's format also from data made here."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from docrev.errors import InputError, UnreachableError, UsageError
from docrev.eval.suites.fetching import Remote, fetch, fetched, remotes_of
from docrev.eval.suites.patches import Patch, mend, patches
from docrev.eval.suites.registry import suite, suites
from docrev.eval.suites.suite import serving
from docrev.records import OperationKey

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
shared = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.exists(), reason="the reference data is not here"),
]


def marked(test: Any) -> Any:
    for mark in shared:
        test = mark(test)
    return test


def test_the_suites_are_listed_in_order() -> None:
    assert list(suites()) == [
        "bundled",
        "bundled-heldout",
        "bundled-hard",
        "bundled-hard-2",
        "restbench-tmdb",
        "restbench-spotify",
        "toolbench",
        "toolbench-food",
        "apibench",
        "recovery",
    ]
    assert all(found.title and found.source for found in suites().values())
    with pytest.raises(UsageError, match="no suite is called 'restbench'; choose from bundled, "):
        suite("restbench")
    with pytest.raises(UsageError, match="docrev bench recovery SPEC"):
        suite("recovery").load()


def test_without_data_one_line_says_how_to_give_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(UsageError, match=r"restbench-tmdb is not part of docrev; give its folder with --data DIR"):
        suite("restbench-tmdb").load()


def test_a_folder_without_the_data(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no tmdb\.json"):
        suite("restbench-tmdb").load(tmp_path)
    with pytest.raises(InputError, match="there is no such file or folder"):
        suite("restbench-tmdb").load(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no requests in ToolBench's format"):
        suite("toolbench").load(tmp_path)


@marked
@pytest.mark.parametrize(("part", "tasks", "operations", "faults"), [("tmdb", 100, 54, 5), ("spotify", 57, 40, 1)])
def test_restbench_mended_and_as_published(part: str, tasks: int, operations: int, faults: int) -> None:
    mended = suite(f"restbench-{part}").load(SHARED / "restbench")
    published = suite(f"restbench-{part}").load(SHARED / "restbench", mended=False)
    assert (len(mended.tasks), len(mended.catalog())) == (tasks, operations)
    assert mended.patches == patches(f"restbench-{part}")
    assert (len(mended.patches), mended.findings) == (faults, ())
    assert (len(published.findings), published.patches) == (faults, ())
    changed = [one.id for one, other in zip(mended.tasks, published.tasks, strict=True) if one.gold != other.gold]
    assert changed == [patch.task for patch in mended.patches]


@marked
def test_restbench_paths_are_on_the_specs_own_tool() -> None:
    loaded = suite("restbench-tmdb").load(SHARED)
    tasks = {task.id: task for task in loaded.tasks}
    assert tasks["tmdb-030"].gold == (
        (OperationKey("tmdb_oas", "GET /search/movie"), OperationKey("tmdb_oas", "GET /movie/{movie_id}/credits")),
    )
    assert loaded.serving.service == "simulated"
    assert loaded.serving.allow == ()
    assert suite("restbench-spotify").load(SHARED).serving.allow == ("POST,PUT,PATCH,DELETE",)


def test_a_patch_that_finds_nothing_says_so() -> None:
    assert mend("restbench-tmdb", "tmdb-027", ["x", " GET /movie/now_playing"]) == (
        ["x", "GET /movie/now_playing"],
        [
            Patch(
                "restbench-tmdb",
                "tmdb-027",
                " GET /movie/now_playing",
                "GET /movie/now_playing",
                "a space before the method",
            )
        ],
    )
    assert mend("restbench-tmdb", "tmdb-001", ["x"]) == (["x"], [])
    with pytest.raises(InputError, match=r"restbench-tmdb tmdb-027: a patch mends ' GET /movie/now_playing'"):
        mend("restbench-tmdb", "tmdb-027", ["GET /movie/now_playing"])


def api(tool: str, name: str, category: str = "Food") -> dict[str, Any]:
    return {
        "category_name": category,
        "tool_name": tool,
        "api_name": name,
        "api_description": f"Get {name}.",
        "required_parameters": [{"name": "q", "type": "STRING", "description": "", "default": "a"}],
        "optional_parameters": [],
        "method": "GET",
    }


def request(number: int, *apis: dict[str, Any], right: list[list[str]]) -> dict[str, Any]:
    return {"api_list": [*apis], "query": f"Request {number}?", "relevant APIs": right, "query_id": number}


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


@pytest.fixture
def food(tmp_path: Path) -> Path:
    """Five requests of which two are on food and answered; a third is refused, a fourth is mixed, a fifth not G2."""
    soup, beer, news = api("Soups", "recipes"), api("Beers", "list"), api("News", "today", "Media")
    both = [["Soups", "recipes"], ["Beers", "list"]]
    rows = [
        request(1, soup, beer, right=both),
        request(2, soup, beer, right=[["Beers", "list"]]),
        request(3, soup, api("Pies", "all"), right=[["Pies", "all"]]),
        request(4, soup, news, right=[["News", "today"]]),
    ]
    write(tmp_path / "instruction" / "G2_query.json", rows)
    write(tmp_path / "instruction" / "G1_query.json", [request(1, soup, right=[["Soups", "recipes"]])])
    for number, final in ((1, "Here you are"), (2, "Stout"), (3, "I'm sorry"), (4, "News")):
        answer = {"valid_data": True, "final_answer": json.dumps({"return_type": "give_answer", "final_answer": final})}
        write(
            tmp_path / "answer" / "G2_answer" / f"{number}_ChatGPT_DFS_woFilter_w2.json", {"answer_generation": answer}
        )
    return tmp_path


def test_toolbench_requests_with_their_own_apis(food: Path) -> None:
    loaded = suite("toolbench").load(food)
    assert [task.id for task in loaded.tasks] == [
        "G1_query-1",
        "G2_query-1",
        "G2_query-2",
        "G2_query-3",
        "G2_query-4",
    ]
    second = loaded.tasks[1]
    assert [key.tool for key in second.operations] == ["soups", "beers"]
    assert second.gold == (second.operations,)
    assert loaded.categories == {"beers": "Food", "news": "Media", "pies": "Food", "soups": "Food"}
    assert loaded.findings == ()
    assert all(key in loaded.catalog() for task in loaded.tasks for key in task.operations)


def test_toolbench_food_takes_what_dfsdt_answered(food: Path) -> None:
    loaded = suite("toolbench-food").load(food)
    assert [task.id for task in loaded.tasks] == ["G2_query-1", "G2_query-2"]
    assert all(task.operations == () for task in loaded.tasks)
    assert loaded.catalog().tools == ("beers", "soups")


def test_toolbench_food_without_answers_says_that_nothing_was_filtered(food: Path) -> None:
    for file in (food / "answer" / "G2_answer").iterdir():
        file.unlink()
    loaded = suite("toolbench-food").load(food)
    assert [task.id for task in loaded.tasks] == ["G2_query-1", "G2_query-2", "G2_query-3"]
    assert "the requests are not filtered" in loaded.findings[-1]


def test_relevant_apis_that_no_list_has_are_findings(tmp_path: Path) -> None:
    write(tmp_path / "G1_x.json", [request(1, api("Soups", "recipes"), right=[["Soups", "stock"]])])
    loaded = suite("toolbench").load(tmp_path / "G1_x.json")
    assert loaded.findings[-1] == "toolbench G1_x-1: the gold path names 'stock', which is not in Soups"


def test_the_same_id_twice_is_refused(tmp_path: Path) -> None:
    row = request(1, api("Soups", "recipes"), right=[])
    write(tmp_path / "G1_x.json", [row, row])
    with pytest.raises(InputError, match="two tasks have the id 'G1_x-1'"):
        suite("toolbench").load(tmp_path)


def test_data_that_is_cut_says_where(tmp_path: Path) -> None:
    (tmp_path / "G1_x.json").write_text('[\n{"query": "a",\n', "utf-8")
    with pytest.raises(InputError, match=r"G1_x\.json:3: is not JSON"):
        suite("toolbench").load(tmp_path)


@marked
@pytest.mark.parametrize(
    ("folder", "tasks"), [("toolbench/instruction", 10), ("stabletoolbench/solvable_queries/G2_category.json", 124)]
)
def test_the_published_requests_load(folder: str, tasks: int) -> None:
    loaded = suite("toolbench").load(SHARED / folder)
    assert (len(loaded.tasks), loaded.findings) == (tasks, ())
    assert all(task.gold and task.operations for task in loaded.tasks)


@marked
def test_apibench_questions_load() -> None:
    loaded = suite("apibench").load(SHARED / "apibench")
    assert len(loaded.tasks) == 186
    assert loaded.tasks[0].text == "What is an API that can be used to classify sports activities in videos?"
    with pytest.raises(InputError, match="the suite has no specs"):
        loaded.catalog()


def test_worlds_are_fresh_for_each_task(food: Path, tmp_path: Path) -> None:
    loaded = suite("toolbench-food").load(food)
    with serving(loaded, tmp_path / "worlds") as urls:
        assert urls("G2_query-1").keys() == {"beers", "soups"}
        assert urls("G2_query-1")["beers"].endswith("/G2_query-1/beers")
    assert sorted(file.name for file in (tmp_path / "worlds").iterdir()) == ["beers.yaml", "soups.yaml"]


class _Files(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200 if self.path == "/good" else 404)
        self.end_headers()
        self.wfile.write(b"good" if self.path == "/good" else b"")

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[tuple[str, list[str]]]:
    """A server of files, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    handler = type("Files", (_Files,), {"asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_port}", handler.asked
        found.shutdown()


def test_data_is_fetched_once_and_checked(server: tuple[str, list[str]]) -> None:
    base, asked = server
    good = Remote("a.json", f"{base}/good", hashlib.sha256(b"good").hexdigest())
    folder = fetch("mine", [good])
    assert (folder / "a.json").read_bytes() == b"good"
    assert fetch("mine", [good]) == folder
    assert asked == ["/good"]
    with pytest.raises(InputError, match="not the version that the suite is for"):
        fetch("other", [Remote("a.json", f"{base}/good", "0" * 64)])
    with pytest.raises(UnreachableError, match=r"/missing: cannot be fetched: .*--data DIR"):
        fetch("other", [Remote("b.json", f"{base}/missing")])
    assert not list((folder.parent / "other").glob("*")) if (folder.parent / "other").exists() else True


def test_what_was_fetched_is_found_without_a_folder(server: tuple[str, list[str]], tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "docrev" / "suites" / "restbench-tmdb"
    write(folder / "tmdb.json", [{"query": "Which?", "solution": ["GET /a"]}])
    assert fetched("restbench-tmdb") is None
    write(folder / "tmdb_oas.json", {"openapi": "3.0.0", "info": {}, "paths": {"/a": {"get": {"responses": {}}}}})
    assert fetched("restbench-tmdb") == folder
    assert [task.text for task in suite("restbench-tmdb").load(mended=False).tasks] == ["Which?"]


def test_what_is_not_public_is_not_fetched(server: tuple[str, list[str]]) -> None:
    with pytest.raises(UsageError, match="nothing to fetch for bundled"):
        fetch("bundled")
    assert fetched("restbench-tmdb") is None


@marked
@pytest.mark.parametrize("name", ["restbench-tmdb", "restbench-spotify", "toolbench", "apibench"])
def test_the_sums_are_those_of_the_reference_data(name: str) -> None:
    for remote in remotes_of(name):
        found = sorted(SHARED.rglob(remote.name))
        sums = {hashlib.sha256(file.read_bytes()).hexdigest() for file in found}
        assert not remote.sha256 or remote.sha256 in sums
