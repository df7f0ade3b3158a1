"""A new user's life with docrev: a service, its generated spec, a repository with a bare remote, and its CI."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from counterparts import python_programs
from githubkit import ROOT, GitHub, clone, git, run_action, with_docrev
from patience import HANGS

HOW_TO = ROOT / "docs" / "how-to" / "generated-specs.md"
APP = '''\
"""A shop."""

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

PAGE = 20
app = FastAPI(title="Shop", version="1")
COLORS = ["red", "green"]
ITEMS = [{"id": n, "name": f"thing {7 * n % 60}", "color": COLORS[n % 2], "price": 3 * n % 47} for n in range(1, 61)]


class Item(BaseModel):
    id: int
    name: str
    color: str
    price: int


@app.get("/items", operation_id="listItems")
def list_items(limit: int | None = None, sort: str = "", color: str = "") -> list[Item]:
    if sort not in ("", "name", "price"):
        raise HTTPException(422, "sort must be one of: name, price")
    found = [item for item in ITEMS if color in ("", item["color"])]
    found = sorted(found, key=lambda item: item[sort]) if sort else found
    return found[: min(limit or PAGE, 50)]


@app.get("/items/{id}", operation_id="getItem")
def get_item(id: int) -> Item:
    for item in ITEMS:
        if item["id"] == id:
            return item
    raise HTTPException(404, "no such item")
'''
BUILD = '''\
"""Writes the spec."""

import json
import pathlib
import sys

from app import app

out = pathlib.Path(sys.argv[1])
out.parent.mkdir(exist_ok=True)
out.write_text(json.dumps(app.openapi(), indent=2) + "\\n")
'''


@dataclass
class Life:
    """A clone of a bare remote in `folder`, what GitHub has of it, and what was typed and printed so far."""

    folder: Path
    programs: Path
    github: GitHub = field(default_factory=GitHub)
    transcript: list[str] = field(default_factory=list)

    @property
    def work(self) -> Path:
        return self.folder / "work"

    def note(self, text: str) -> None:
        """Say in the transcript what comes."""
        self.transcript.append(f"\n## {text}\n")

    def write(self, name: str, text: str) -> None:
        """Write a file of the repository."""
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def edit(self, name: str, *changes: tuple[str, str]) -> None:
        """Replace texts in a file of the repository, as a person does."""
        text = (self.work / name).read_text()
        for before, after in changes:
            assert before in text, before
            text = text.replace(before, after)
            self.transcript.append(f"(edit {name}: {before!r} -> {after!r})")
        self.write(name, text)

    def run(self, line: str) -> tuple[int, str]:
        """Run a line of shell in the repository; its exit code, and what it prints."""
        path = f"{self.programs}{os.pathsep}{with_docrev()['PATH']}"
        # Python is the service's; docrev has one of its own.
        environment = with_docrev() | {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(["bash", "-c", line], cwd=self.work, env=environment, capture_output=True, text=True)
        return self._keep(line, done)

    def git(self, *words: str) -> None:
        """Run git, and keep the line."""
        out = git(self.work, *words)
        self.transcript.append(f"$ git {' '.join(words)}" + (f"\n{out}" if out else ""))

    def review(self, **settings: str) -> tuple[int, str]:
        """What the action does on a pull request from the work as it is."""
        done = run_action("review", self.work, self.github, **{"EVIDENCE": ".docrev", **settings})
        said = " ".join(f"{name.lower().replace('_', '-')}={value}" for name, value in settings.items())
        return self._keep(f"(GitHub runs the action: {said})", done)

    def _keep(self, line: str, done: subprocess.CompletedProcess[str]) -> tuple[int, str]:
        printed = (done.stdout + done.stderr).strip()
        self.transcript.append(f"$ {line}\n{printed}\n[exit code {done.returncode}]")
        return done.returncode, printed

    @contextmanager
    def service(self) -> Iterator[str]:
        """The service as the code is now, on a free port of loopback."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [self.programs / "python", "-m", "uvicorn", "app:app", "--port", str(port), "--log-level", "error"]
        process = subprocess.Popen(command, cwd=self.work)
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=HANGS)


def _wait_for(port: int) -> None:
    end = time.monotonic() + HANGS
    while time.monotonic() < end:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)


def begin(folder: Path) -> Life:
    """A repository with the service's code, pushed to its remote; skipped where FastAPI cannot be installed."""
    programs = python_programs("fastapi", "fastapi==0.121.1", "uvicorn==0.38.0")
    clone(folder)
    life = Life(folder, programs)
    life.note("A fresh repository with a bare remote, and a service whose spec is generated from its code")
    life.write("app.py", APP)
    life.write("build_spec.py", BUILD)
    life.write(".gitignore", "build/\npublished/\n__pycache__/\n")
    life.git("add", "-A")
    life.git("commit", "-qm", "A shop")
    life.run("python build_spec.py specs/shop.json")
    life.git("add", "-A")
    life.git("commit", "-qm", "Its spec")
    life.git("push", "-q", "origin", "main")
    return life


def workflows(path: Path) -> list[str]:
    """The workflows for GitHub that a how-to shows."""
    blocks: list[str] = re.findall(r"```yaml\n(.*?)```", path.read_text(), re.S)
    return [block for block in blocks if "\njobs:" in block]


def recipe_steps() -> list[str]:
    """The commands of the workflow of the how-to, without those that install something."""
    [recipe] = workflows(HOW_TO)
    [job] = yaml.safe_load(recipe)["jobs"].values()
    return [step["run"] for step in job["steps"] if "run" in step and not step["run"].startswith("pip ")]


def a_pull_request_with_errors(life: Life) -> list[int]:
    """A pull request that breaks the spec, its review, the repair, the review again, and the merge; the exit codes."""
    life.note("A pull request: a path without its parameter, found by the action, with one comment")
    life.git("switch", "-qc", "sizes")
    spec = "specs/shop.json"
    life.edit(spec, ('"name": "id",', '"name": "item",'), ('"summary": "List Items"', '"summary": "List the items"'))
    life.git("commit", "-qam", "Say what is listed")
    first, _ = life.review()
    life.transcript.append(f"(the comment)\n{life.github.comments[-1]['body']}")
    life.edit(spec, ('"name": "item",', '"name": "id",'))
    life.git("commit", "-qam", "Name the parameter as the path does")
    second, _ = life.review()
    life.transcript.append(f"(the comment, updated in place: {len(life.github.comments) - 1} of docrev)")
    life.git("switch", "-q", "main")
    life.git("merge", "-q", "--no-ff", "-m", "Merge sizes", "sizes")
    life.git("push", "-q", "origin", "main")
    return [first, second]


def an_overlay(life: Life) -> list[int]:
    """The service is explored, and its revision kept as an overlay; the exit codes."""
    life.note("The service is explored, and the revision kept as an overlay")
    with life.service() as url:
        codes = [life.run("python build_spec.py build/shop.json")[0]]
        codes.append(life.run(f"docrev explore build/shop.json --base-url {url}")[0])
    codes.append(life.run("docrev revise build/shop.json --overlay overlays/shop.overlay.yaml")[0])
    life.git("add", "-A")
    life.git("commit", "-qm", "Keep what the service does as an overlay")
    return codes


def continuous_integration(life: Life, what: str) -> list[tuple[int, str]]:
    """The steps of the how-to's workflow, until one fails, on a port that is free."""
    life.note(f"The workflow of the how-to, {what}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    results = []
    for step in recipe_steps():
        # What a step leaves running ends with it.
        line = f"set -e\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{step}".replace("8000", port)
        results.append(life.run(line))
        if results[-1][0]:
            break
    return results


def the_next_version(life: Life) -> list[tuple[int, str]]:
    """The code moves an operation, renames a parameter and describes another: the build writes a new spec."""
    life.note("The next version of the code: an operation moves, a parameter is described, another is gone")
    life.edit(
        "app.py",
        ('@app.get("/items/{id}"', '@app.get("/v2/items/{item_id}"'),
        ("def get_item(id: int)", "def get_item(item_id: int)"),
        ('if item["id"] == id:', 'if item["id"] == item_id:'),
        ("from fastapi import FastAPI,", "from fastapi import FastAPI, Query,"),
        ('sort: str = ""', 'sort: str = Query("", description="Field to sort by.")'),
        (', color: str = ""', ""),
        ('    found = [item for item in ITEMS if color in ("", item["color"])]\n', "    found = ITEMS\n"),
    )
    life.git("commit", "-qam", "Version 2")
    return continuous_integration(life, "on the next version")


def a_drifted_service(life: Life) -> list[tuple[int, str]]:
    """The service returns shorter pages: the check fails, in the workflow and in the action."""
    life.note("The service drifts: pages are shorter, which no spec says")
    life.edit("app.py", ("PAGE = 20", "PAGE = 10"))
    life.git("commit", "-qam", "Shorter pages")
    results = continuous_integration(life, "on the drifted service")
    with life.service() as url:
        results.append(life.review(SPECS="published/shop.json", BASE_URL=url))
    return results


def the_repair(life: Life) -> list[tuple[int, str]]:
    """The service is explored again, the overlay written anew, and the workflow passes."""
    life.note("The repair: explore again, and write the overlay anew")
    with life.service() as url:
        life.run(f"docrev explore build/shop.json --base-url {url} --fresh")
    life.run("docrev revise build/shop.json --overlay overlays/shop.overlay.yaml")
    life.git("diff", "--stat")
    life.git("commit", "-qam", "Say what the service does now")
    results = continuous_integration(life, "after the repair")
    life.git("push", "-q", "origin", "main")
    return results
