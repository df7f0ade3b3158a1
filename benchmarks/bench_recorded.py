"""Replayed answers: a whole explore-and-revise of the bundled services beside the same by the offline engine."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

from chat_answers import answer
from chat_server import ChatServer
from table import Row, render

from docrev import api
from docrev.records import Json
from docrev.sandbox import serve

ROUNDS = 3
MOST = 1.5
"""How much longer a replay may take than the offline engine."""


def main() -> str:
    with tempfile.TemporaryDirectory() as place:
        record = str(Path(place, "answers.db"))
        with ChatServer(answer) as server:
            live = _run(Path(place, "live"), model="openai:scripted", model_url=server.url, record=record)
        # The server is gone: what is replayed now asks nobody.
        offline, replayed = [], []
        for number in range(ROUNDS):
            offline.append(_run(Path(place, f"offline{number}"), model="offline"))
            replayed.append(_run(Path(place, f"replayed{number}"), model=f"recorded:{record}"))
    same = all(told == live[1] for _, told in replayed)
    ratio = median(one[0] / other[0] for one, other in zip(replayed, offline, strict=True))
    asks = sum(part["asks"] for part in live[1])
    rows = [
        Row("questions that were recorded", f"{asks:,}"),
        Row("offline, seconds", f"{median(seconds for seconds, _ in offline):.2f}"),
        Row("replayed, seconds", f"{median(seconds for seconds, _ in replayed):.2f}"),
        Row("replayed, over offline", f"{ratio:.2f} x", f"<= {MOST} x", ratio <= MOST),
        Row("the replay tells what the recorded run told", "yes" if same else "no", "yes", same),
    ]
    return render("Recorded answers (explore and revise the bundled services, median of pairs)", rows)


def _run(out: Path, **models: Json) -> tuple[float, list[Json]]:
    """Seconds, and what the models were asked."""
    with serve() as urls:
        bases = [f"{tool}={url}" for tool, url in urls.items()]
        started = time.perf_counter()
        explored = api.explore("specs", base_urls=bases, out=str(out), **models)
        revision = api.revise("specs", evidence=out, **models)
        return time.perf_counter() - started, [explored.summary["model"], revision.model]
