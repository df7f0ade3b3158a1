"""Where consent to one operation would let a run make what others are called on, the summary says so."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from callkit import document
from clikit import here
from servers import Server
from shop import Shop
from test_explore_reach import texts

ITEM = "/teams/{team}/boards/{board}"
LINES = [
    *("GET /teams", "GET /teams/{team}", "GET /teams/{team}/boards", "POST /teams/{team}/boards"),
    *(f"GET {ITEM}", f"PATCH {ITEM}", f"POST {ITEM}/cards", f"GET {ITEM}/cards", f"DELETE {ITEM}/cards/{{card}}"),
]


def test_the_consent_that_would_open_most_is_named_and_does_so(tmp_path: Path) -> None:
    file = tmp_path / "shop.json"
    bodies = {line: texts("name") for line in ("POST /teams/{team}/boards", f"PATCH {ITEM}", f"POST {ITEM}/cards")}
    file.write_text(json.dumps(document(LINES, **bodies)))
    words = ("--allow", "POST,PATCH,DELETE", "--out", tmp_path / "e")
    with Server(Shop({"/teams/7": {"name": "theirs"}}).routes) as server:
        done = here("explore", file, "--base-url", server.url, *words)
        row = [line for line in done.out.splitlines() if "your consent would open" in line]
        assert row == ["  your consent would open 6 operations: --within 'team=…'"], done.out
        consent = shlex.split(row[0].partition(": ")[2].replace("…", "7"))
        after = here("explore", file, "--base-url", server.url, *words[:2], *consent, "--out", tmp_path / "f", "--json")
    assert after.json["missed"] == []
    assert after.json["wanted_values"] == []
