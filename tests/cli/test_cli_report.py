"""`docrev report`: an exploration as one page, opened in a browser on wide and narrow screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from chromium import ABSENT, BROWSER, chromium
from clikit import docrev
from servers import Received, Server, reply
from test_cli_check import SPEC, Shop

import docrev as package
from docrev.evidence import Evidence
from docrev.records import OperationKey
from docrev.sessions.report_figures import LONGEST, MOST_NODES, PERIODS, draw_graph, periods

HOSTILE = "<img src=x onerror=alert(1)>"


class Strange(Shop):
    """A shop whose names are markup, and in which no thing can be looked at."""

    def shown(self, item: dict[str, object]) -> dict[str, object]:
        return item | {"name": HOSTILE, "email": "ada@lovelace.org"}

    def closed(self, request: Received) -> object:
        return reply({"error": HOSTILE}, 403)


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, shop = tmp_path_factory.mktemp("report"), Strange()
    (folder / "shop.yaml").write_text(SPEC)
    with Server({"GET /items": shop.list, "GET /items/*": shop.closed}) as server:
        done = docrev("explore", "shop.yaml", "--base-url", server.url, cwd=folder)
        assert done.code == 0, done.err
    return folder


def test_the_page_has_what_was_learned_and_what_was_not(explored: Path) -> None:
    done = docrev("report", "--specs", "shop.yaml", "-o", "report.html", cwd=explored)
    assert (done.code, done.out.startswith("report.html: ")) == (0, True), done.err
    page = (explored / "report.html").read_text()
    for words in ("<b>1 of 2</b>", "curl -sS", "Defaults to `5`.", "needs other credentials", "<b>default</b>"):
        assert words in page
    assert HOSTILE not in page
    assert "ada@lovelace.org" not in page
    assert page.count("<script") == 1


def test_a_function_returns_the_same_page(explored: Path) -> None:
    assert docrev("report", "-o", "plain.html", cwd=explored).code == 0
    assert package.report(explored / ".docrev") == (explored / "plain.html").read_text()
    assert "ada@lovelace.org" in package.report(explored / ".docrev", examples="observed")


def test_a_run_that_was_cut_off_has_a_page_too(explored: Path, tmp_path: Path) -> None:
    with Evidence.open(explored / ".docrev", write=False) as whole, Evidence.open(tmp_path, write=True) as cut:
        cut.begin({"base_urls": {"shop": "http://127.0.0.1:1"}})
        for call in whole.calls.select():
            cut.calls.put(call)
    page = package.report(tmp_path, specs=explored / "shop.yaml")
    assert "The run is not finished" in page


def test_where_nothing_was_explored_it_says_what_to_do(tmp_path: Path) -> None:
    docrev("report", "-o", "report.html", cwd=tmp_path).failed(2, ".docrev")
    assert not (tmp_path / "report.html").exists()


@pytest.mark.skipif(BROWSER is None, reason=ABSENT)
def test_it_opens_filters_and_follows_keys(explored: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    package.report(explored / ".docrev", specs=explored / "shop.yaml", write_to=file)
    visible = "[...document.querySelectorAll('.operation')].filter(one => one.checkVisibility()).length"
    with chromium(tmp_path / "profile") as tab:
        for width in (1280, 400):
            tab.open(file.as_uri(), width=width)
            assert tab.run("document.documentElement.scrollWidth") <= width
            assert tab.run(visible) == 2
        tab.run("words.value = 'ID'; words.dispatchEvent(new Event('input'))")
        assert (tab.run(visible), tab.run("count.textContent")) == (1, "1 of 2")
        tab.run("words.value = ''; only.value = 'missed'; only.dispatchEvent(new Event('change'))")
        assert tab.run(visible) == 1
        tab.run("only.value = ''; only.dispatchEvent(new Event('change'))")
        for key, place in (("j", 0), ("j", 1), ("k", 0)):
            tab.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
            focused = "[...document.querySelectorAll('.operation')].indexOf(document.activeElement.parentElement)"
            assert tab.run(focused) == place, key
        follow = (
            "new Promise(done => { addEventListener('hashchange', () => setTimeout(done)); location.hash = '#o2' })"
        )
        assert tab.run(f"{follow}.then(() => document.getElementById('o2').open)")
        assert tab.logged == []


def test_periods_are_of_one_size_and_few() -> None:
    key = OperationKey("shop", "GET /items")
    found = periods([("survey", key, "refused" if n < 100 else "good") for n in range(1000)], 1000)
    assert len(found) <= PERIODS
    assert {period.calls.total() for period in found[:-1]} == {13}
    assert (found[0].reached, found[-1].reached) == (0, 1)


def test_the_graph_is_drawn_from_left_to_right_and_of_the_most_alone() -> None:
    drawing = draw_graph({1: "GET /a", 2: "GET /a/{id}", 3: f"GET /{'b' * 60}"}, {(1, 2), (2, 3), (3, 2)})
    places = {node.number: node.x for node in drawing.nodes}
    assert places[1] < places[2] < places[3]
    assert len(drawing.nodes[2].text) <= LONGEST
    many = draw_graph(dict.fromkeys(range(200), "GET /a"), {(0, n) for n in range(1, 200)})
    assert (len(many.nodes), many.left_out) == (MOST_NODES, 200 - MOST_NODES)
