"""A member that is called after a field of a kind of thing: `project_id`, where paths name projects by their slug."""

from __future__ import annotations

import itertools
from pathlib import Path

from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, texts

LINES = [
    *("GET /projects", "POST /projects", "GET /projects/{slug}", "DELETE /projects/{slug}"),
    *("GET /groups", "POST /groups", "GET /groups/{id}", "DELETE /groups/{id}"),
    *("POST /groups/{id}/projects", "POST /groups/{id}/mirror"),
]


class Crews(Shop):
    """Projects have a number and are addressed by their slug; a group takes them by the one or the other."""

    def __init__(self) -> None:
        super().__init__({"/projects/theirs": {"slug": "theirs", "number": 1}, "/groups/2": {"name": "crew"}})
        self.numbers = itertools.count(2)
        self.joined: list[object] = []

    def shown(self, path: str) -> dict[str, object]:
        thing = super().shown(path)
        return {**thing, "id": thing.pop("number")} if path.startswith("/projects") else thing

    def __call__(self, request: Received) -> Answer:
        path, sent = request.path.rstrip("/"), request.json if request.body else {}
        if request.method == "POST" and path == "/projects":
            if not isinstance(slug := sent.get("slug"), str) or f"/projects/{slug}" in self.things:
                return reply({"slug": ["This field is required."]}, 400)
            self.things[f"/projects/{slug}"] = {"slug": slug, "number": next(self.numbers)}
            return reply(self.shown(f"/projects/{slug}"), 201)
        if request.method == "POST" and path.count("/") == 3:
            return self._join(path, sent, "id" if path.endswith("/projects") else "slug")
        return super().__call__(request)

    def _join(self, path: str, sent: dict[str, object], field: str) -> Answer:
        name = f"project_{field}"
        if name not in sent:
            return reply({name: ["This field is required."]}, 400)
        if field == "id" and not isinstance(sent[name], int):
            return reply({name: ["A valid integer is required."]}, 400)
        projects = [self.shown(at) for at in self.things if at.startswith("/projects/")]
        if sent[name] not in [project[field] for project in projects]:
            return reply({name: ["Project not found."]}, 400)
        self.joined.append(sent[name])
        return reply({"name": path}, 200)


def test_a_member_called_after_the_path_below_is_the_number_of_what_lies_elsewhere(tmp_path: Path) -> None:
    crews, lines = Crews(), [*LINES, "DELETE /groups/{id}/projects/{project_id}"]
    reached, _ = explored(tmp_path, crews, lines, **{"POST /projects": texts("slug"), "POST /groups": texts("name")})
    assert reached >= {*LINES}
    assert crews.things == Crews().things
    assert not {1, "theirs"} & {*crews.joined}


def test_the_number_of_the_runs_own_is_sent_where_a_member_is_called_after_it(tmp_path: Path) -> None:
    crews = Crews()
    bodies = {"POST /projects": texts("slug"), "POST /groups": texts("name")}
    reached, _ = explored(tmp_path, crews, LINES, **bodies)
    assert reached == set(LINES)
    assert crews.things == Crews().things
    assert crews.joined
    assert not {1, "theirs"} & {*crews.joined}
