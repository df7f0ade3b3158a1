"""What GitHub gives to an action: an API for comments and pull requests, event files, a clone of a bare remote."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from servers import Answer, Received, Server, reply

ROOT = Path(__file__).resolve().parents[1]


@dataclass
class GitHub:
    """Comments and pull requests of one repository."""

    comments: list[dict[str, Any]] = field(default_factory=lambda: [{"id": 7, "body": "Looks good."}])
    pulls: list[dict[str, Any]] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)

    def route(self, request: Received) -> Answer:
        self.tokens.add(request.headers["authorization"])
        things = self.pulls if "/pulls" in request.path else self.comments
        if request.method == "GET":
            return reply(things)
        if request.method == "POST":
            things.append({"id": 100 + len(things), "number": 5, "state": "open"} | request.json)
            return reply(things[-1], 201)
        wanted = request.path.rpartition("/")[2]
        found = next(thing for thing in things if wanted in (str(thing.get("id")), str(thing.get("number"))))
        found.update(request.json)
        return reply(found)

    def server(self) -> Server:
        return Server({f"{method} /*": self.route for method in ("GET", "POST", "PATCH")})


def git(folder: Path, *words: str) -> str:
    """Run git in a folder; what it prints."""
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def clone(folder: Path) -> Path:
    """A clone of a new bare remote that is empty."""
    git(folder, "init", "-q", "--bare", "-b", "main", "remote.git")
    git(folder, "clone", "-q", "remote.git", "work")
    git(folder / "work", "checkout", "-q", "-B", "main")
    return folder / "work"


def with_docrev() -> dict[str, str]:
    """The environment of a person, in which `docrev` is this one."""
    plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    return plain | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def run_action(name: str, work: Path, github: GitHub, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the action as a pull request against `origin/main` does."""
    event = work.parent / "event.json"
    event.write_text(
        json.dumps({"pull_request": {"number": 3, "base": {"sha": git(work, "rev-parse", "origin/main")}}})
    )
    with github.server() as server:
        environment = with_docrev() | {
            "GITHUB_API_URL": server.url,
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REPOSITORY": "shop/api",
            "GITHUB_REF_NAME": "main",
            "GITHUB_TOKEN": "t0ken-of-the-job",
            "SPECS": "specs",
            "EVIDENCE": str(work.parent / "evidence"),
            "FAIL_ON": "lint check",
            "BRANCH": "docrev/refresh",
            **settings,
        }
        script = ROOT / "integrations" / "github" / f"{name}.sh"
        return subprocess.run(["bash", script], cwd=work, env=environment, capture_output=True, text=True)
