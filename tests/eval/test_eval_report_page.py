"""The HTML report of a benchmark, opened in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from chromium import ABSENT, BROWSER, chromium

from docrev.eval.agents.bench import BenchReport, run
from docrev.eval.agents.page import page
from docrev.eval.settings import BenchSettings

pytestmark = pytest.mark.skipif(BROWSER is None, reason=ABSENT)
TASKS = 6


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> BenchReport:
    out = tmp_path_factory.mktemp("report")
    return run("bundled", BenchSettings(docs=("original", "easytool"), runners="react,dfsdt", limit=TASKS, out=out))


def test_a_report_opens_in_a_browser_with_every_trajectory(report: BenchReport, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(page(report), "utf-8")
    with chromium(tmp_path / "profile") as tab:
        tab.open(file.as_uri())
        assert tab.run("document.title").startswith("docrev bench: ")
        assert tab.run("[...document.querySelectorAll('svg, table')].filter(one => one.clientHeight < 40).length") == 0
        assert tab.run("document.querySelectorAll('svg').length") == 4
        assert tab.run("document.querySelectorAll('details[open]').length") == 0
        shown = "[...document.querySelectorAll('.try li')].filter(one => one.checkVisibility()).length"
        assert tab.run(shown) == 0
        tab.run("document.querySelectorAll('summary').forEach(one => one.click())")
        assert tab.run("document.querySelectorAll('details[open]').length") == TASKS
        assert tab.run("document.querySelectorAll('details[open] .try').length") == 4 * TASKS
        steps = tab.run("document.querySelectorAll('.try li').length")
        assert tab.run(shown) == steps >= 8 * TASKS
        # The page itself never scrolls sideways: what is wide scrolls within its own box, on a telephone too.
        for width in (1280, 400):
            tab.open(file.as_uri(), width=width)
            assert tab.run("document.documentElement.scrollWidth") <= width
        assert tab.logged == []


def test_a_page_that_loads_something_from_elsewhere_would_be_noticed(tmp_path: Path) -> None:
    file = tmp_path / "bad.html"
    file.write_text("<img src='missing.png'><script>lost()</script>", "utf-8")
    with chromium(tmp_path / "profile") as tab:
        tab.open(file.as_uri())
        assert len(tab.logged) == 2
