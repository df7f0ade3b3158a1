"""Kinto, which nobody here wrote: installed, started, explored, revised, stopped."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from counting_proxy import Counted, counting
from kinto_server import CREDENTIALS, kinto, spec
from patience import HANGS

pytestmark = [pytest.mark.real, pytest.mark.long]
OTHER = "Basic " + base64.b64encode(b"somebody:else").decode()
DOCREV = [sys.executable, "-m", "docrev"]


def request(method: str, url: str, body: Any = None) -> Any:
    """As somebody else, with an account of their own."""
    headers = {"Authorization": OTHER, "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=HANGS) as answer:
        return json.loads(answer.read())


class Explored:
    """One exploration of one Kinto, with everything that the tests look at."""

    def __init__(self, folder: Path, told: dict[str, Any], proxy: Counted, untouched: bool, buckets: list[str]) -> None:
        self.folder, self.told, self.proxy = folder, told, proxy
        self.untouched, self.buckets = untouched, buckets
        self.document, self.evidence = folder / "kinto.json", folder / "evidence"


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explored]:
    folder = tmp_path_factory.mktemp("kinto")
    with kinto() as url, counting(url) as proxy:
        everyone = {"permissions": {"write": ["system.Everyone"]}, "data": {"note": "not to be touched"}}
        request("PUT", f"{url}/buckets/theirs", everyone)
        request("PUT", f"{url}/buckets/theirs/collections/kept", everyone)
        before = [request("GET", f"{url}/buckets/theirs{path}") for path in ("", "/collections/kept", "/collections")]
        document = spec(url, folder / "kinto.json")
        command = [*DOCREV, "explore", str(document), "--base-url", proxy.url, "-H", f"Authorization: {CREDENTIALS}"]
        command += ["--allow", "POST,PUT,PATCH,DELETE", "--max-calls", "600"]
        command += ["--out", str(folder / "evidence"), "--json"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=HANGS)
        assert result.returncode == 0, result.stderr
        after = [request("GET", f"{url}/buckets/theirs{path}") for path in ("", "/collections/kept", "/collections")]
        buckets = [bucket["id"] for bucket in request("GET", f"{url}/buckets")["data"]]
        yield Explored(folder, json.loads(result.stdout), proxy, before == after, buckets)


def test_at_least_31_of_34_operations_answer_in_600_requests(explored: Explored) -> None:
    assert len(explored.proxy.requests) == explored.told["requests"] <= 600
    assert explored.told["operations"] == 36
    assert explored.told["operations_2xx"] >= 31


def test_nothing_is_touched_that_it_did_not_create_and_nothing_is_left(explored: Explored) -> None:
    assert explored.untouched
    assert explored.told["left"] == []
    assert explored.buckets == ["theirs"]
    changed = [target for method, target, _ in explored.proxy.requests if method in ("PUT", "PATCH", "DELETE")]
    assert changed
    assert not [target for target in changed if "/buckets/theirs" in target or "__user_data__" in target]


def test_the_credentials_are_nowhere_in_the_evidence(explored: Explored) -> None:
    secret = CREDENTIALS.partition(" ")[2].encode()
    assert (explored.evidence / "evidence.db").is_file()
    for path in explored.evidence.iterdir():
        assert secret not in path.read_bytes()


def test_the_revision_is_valid_small_and_repeats_as_nothing(explored: Explored, tmp_path: Path) -> None:
    command = [*DOCREV, "revise", str(explored.document), "--evidence", str(explored.evidence)]
    subprocess.run([*command, "-o", str(tmp_path / "once")], check=True, capture_output=True)
    revised = tmp_path / "once" / "kinto.json"
    before, after = json.loads(explored.document.read_text()), json.loads(revised.read_text())
    # What holds for operations alike stands once, at the head of the document: it may be all there is to say.
    described = [
        operation["description"]
        for item in after["paths"].values()
        for method, operation in item.items()
        if method != "parameters" and operation.get("description")
    ]
    head = after["info"]["description"]
    assert head != before["info"].get("description", "")
    assert all(len(text) <= 1000 and len(text.split("\n\n")[0]) <= 300 for text in described)
    assert len(head) <= 2000
    assert all(len(paragraph) <= 512 for paragraph in head.split("\n\n"))
    assert _bare(before) == _bare(after)
    again = [*DOCREV, "revise", str(revised), "--evidence", str(explored.evidence), "-o", str(tmp_path / "twice")]
    subprocess.run(again, check=True, capture_output=True)
    assert (tmp_path / "twice" / "kinto.json").read_bytes() == revised.read_bytes()
    difference = [*DOCREV, "diff", str(explored.document), str(revised), "--format", "json", "--exit-code"]
    result = subprocess.run(difference, capture_output=True, text=True)
    assert result.returncode == 1
    assert json.loads(result.stdout)["summary"]["contract"] == 0


DOCS = {"description", "summary", "example", "examples", "x-docrev", "x-example"}


def _bare(node: Any) -> Any:
    """A document without what `--edit docs` may write."""
    if isinstance(node, dict):
        return {key: _bare(value) for key, value in node.items() if key not in DOCS}
    return [_bare(value) for value in node] if isinstance(node, list) else node
