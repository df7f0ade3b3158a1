"""Reach on Kinto, beside schemathesis; both counted by a proxy in between, neither by itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from counting_proxy import counting
from kinto_server import CREDENTIALS, ROOT, kinto, spec
from table import Row, render

SCHEMATHESIS = "4.32.5"
LIMIT = 600
CAN_ANSWER = 34
"""Operations of Kinto that can answer 2xx on memory backends; __version__ and __user_data__ cannot."""


def reached(requests: Iterable[tuple[str, str, int]], document: Path) -> set[str]:
    """The operations of a spec that answered 2xx, as the proxy saw it."""
    paths = json.loads(document.read_text())["paths"]
    patterns = [
        (method.upper(), path, re.compile(r"/v1" + re.sub(r"\\\{[^/]+?\\\}", r"[^/]+", re.escape(path)) + "/?"))
        for path, item in sorted(paths.items(), key=lambda entry: entry[0].count("{"))
        for method in item
        if method != "parameters"
    ]
    found = set()
    for method, target, status in requests:
        if 200 <= status < 300:
            path = target.partition("?")[0]
            match = next((f"{m} {p}" for m, p, pattern in patterns if m == method and pattern.fullmatch(path)), None)
            if match:
                found.add(match)
    return found


def ours(folder: Path) -> tuple[int, set[str], bool]:
    """Requests, operations reached, and whether what was there before is untouched."""
    with kinto() as url, counting(url) as proxy:
        bystander = _bystander(url)
        document = spec(url, folder / "kinto.json")
        command = [os.path.join(os.path.dirname(sys.executable), "docrev"), "explore", str(document)]
        command += ["--base-url", proxy.url, "-H", f"Authorization: {CREDENTIALS}", "--max-calls", str(LIMIT)]
        command += ["--allow", "POST,PUT,PATCH,DELETE", "--out", str(folder / "evidence"), "--json"]
        subprocess.run(command, check=True, capture_output=True)
        return len(proxy.requests), reached(proxy.requests, document), _bystander(url) == bystander


def theirs(folder: Path) -> tuple[int, set[str]]:
    """The same for schemathesis, cut off by the proxy's count after the first LIMIT requests."""
    command = _schemathesis()
    with kinto() as url, counting(url) as proxy:
        document = spec(url, folder / "kinto.json")
        arguments = ["run", str(document), "--url", proxy.url, "-H", f"Authorization: {CREDENTIALS}"]
        arguments += ["--generation-deterministic", "--max-examples", "20"]
        subprocess.run([str(command), *arguments], capture_output=True, timeout=400, cwd=folder)
        first = proxy.requests[:LIMIT]
        return len(first), reached(first, document)


def _bystander(url: str) -> str:
    """A record of somebody else, made once and read again: its state must stay as it is."""
    import urllib.request

    headers = {"Authorization": "Basic c29tZWJvZHk6ZWxzZQ==", "Content-Type": "application/json"}
    place = f"{url}/buckets/theirs"
    body = b'{"data": {"note": "not to be touched"}, "permissions": {"write": ["system.Everyone"]}}'
    read = urllib.request.Request(place, headers=headers)
    try:
        return urllib.request.urlopen(read, timeout=10).read().decode()
    except OSError:
        urllib.request.urlopen(urllib.request.Request(place, data=body, headers=headers, method="PUT"), timeout=10)
        return urllib.request.urlopen(read, timeout=10).read().decode()


def _schemathesis() -> Path:
    venv = ROOT / ".venv-schemathesis"
    command = venv / "bin" / "schemathesis"
    if not command.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "-q", f"schemathesis=={SCHEMATHESIS}"]
        subprocess.run(pip, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return command


def main() -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        requests, operations, untouched = ours(folder)
        other_requests, other_operations = theirs(folder)
    rows = [
        Row("docrev: operations with 2xx", f"{len(operations)} of {CAN_ANSWER}", ">= 31", len(operations) >= 31),
        Row("docrev: requests", str(requests), f"<= {LIMIT}", requests <= LIMIT),
        Row("docrev: somebody else's bucket is as it was", str(untouched), "True", untouched),
        Row(f"schemathesis {SCHEMATHESIS}: operations with 2xx", f"{len(other_operations)} of {CAN_ANSWER}"),
        Row(f"schemathesis {SCHEMATHESIS}: requests", str(other_requests)),
    ]
    return render("Reach on Kinto, counted by a proxy", rows)
