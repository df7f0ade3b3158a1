"""What is made in one thing, and addressed beside it by both: `/repos/{org}/{name}` of `POST /orgs/{org}/repos`."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, texts

REPO = "/repos/{owner}/{repo}"
ISSUES = f"{REPO}/issues"
LINES = [
    *("GET /orgs", "POST /orgs", "GET /orgs/{org}", "DELETE /orgs/{org}"),
    *("GET /orgs/{org}/repos", "POST /orgs/{org}/repos", f"GET {REPO}", f"PATCH {REPO}", f"DELETE {REPO}"),
    *("GET /repos", f"GET {ISSUES}", f"POST {ISSUES}", f"DELETE {ISSUES}/{{id}}"),
]
BODIES = {line: texts("name") for line in LINES if line.startswith(("POST", "PATCH"))}


class Forge(Shop):
    """Organisations with repositories of the caller's naming, and issues in them."""

    def __init__(self) -> None:
        super().__init__({"/orgs/anna": {"name": "anna"}, "/orgs/anna/repos/tools": {"name": "tools"}})
        self.ids = itertools.count(40)

    def __call__(self, request: Received) -> Answer:
        kind, *rest = request.path.strip("/").split("/")
        path = (
            "/".join(["/orgs", rest[0], "repos", *rest[1:]]) if kind == "repos" and rest else request.path.rstrip("/")
        )
        if request.path == "/repos":
            repos = [one.split("/") for one in self.things if one.count("/") == 4]
            return reply([{"owner": one[2], "repo": one[4], "name": one[4]} for one in repos])
        if request.method == "POST" and not path.endswith("/issues"):
            place, name = path, (request.json or {}).get("name")
            if not isinstance(name, str) or (place.count("/") == 3 and place.rpartition("/")[0] not in self.things):
                return reply({"message": "name is missing"}, 422)
            self.things[f"{place}/{name}"] = {"name": name, "number": next(self.ids)}
            return reply(self.shown(f"{place}/{name}"), 201)
        return super().__call__(replace(request, target=path))


def test_what_is_made_in_a_thing_is_the_runs_own_where_both_address_it(tmp_path: Path) -> None:
    forge = Forge()
    reached, server = explored(tmp_path, forge, LINES, **BODIES)
    assert reached == set(LINES)
    assert forge.things == Forge().things
    assert not [line for line in server.changes if "/repos/anna/" in line]
