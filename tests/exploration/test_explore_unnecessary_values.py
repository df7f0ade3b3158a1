"""What need not be sent, and what is refused for another thing than the error seems to name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, of_body, texts

TEXT = {"type": "string"}


class Counted(Shop):
    """Counts things by their tags, which are a list in JSON; all else fails."""

    def __init__(self, *, required: bool) -> None:
        super().__init__({"/things/1": {"name": "theirs"}})
        self.required = required

    def __call__(self, request: Received) -> Answer:
        if request.path != "/counts":
            return super().__call__(request)
        given = request.query.get("tags")
        if self.required and given is None:
            return reply({"error": "Internal Server Error"}, 500)
        if given and not given[0].startswith("["):
            return reply({"error": "Internal Server Error"}, 500)
        return reply({"things": 3})


@pytest.mark.parametrize(("required", "nullable"), [(False, True), (False, False), (True, True)])
def test_what_may_be_null_in_a_query_is_left_out_after_a_fault(tmp_path: Path, required: bool, nullable: bool) -> None:
    schema = {"oneOf": [TEXT, {"type": "null"}]} if nullable else TEXT
    tags = {"name": "tags", "in": "query", "required": True, "schema": schema}
    counted = Counted(required=required)
    reached, _ = explored(tmp_path, counted, ["GET /things", "GET /counts"], **{"GET /counts": {"parameters": [tags]}})
    assert ("GET /counts" in reached) == (nullable and not required)


class Uploads(Shop):
    """Takes files of one kind by the ending of their names; which, it does not say."""

    def __call__(self, request: Received) -> Answer:
        if request.method != "POST":
            return super().__call__(request)
        if b'.csv"' not in request.body:
            return reply({"detail": "Extension not allowed"}, 400)
        path = f"/uploads/{next(self._numbers)}"
        self.things[path] = {"name": request.body.partition(b'filename="')[2].partition(b'"')[0].decode()}
        return reply(self.shown(path), 201)


def test_a_file_whose_extension_is_refused_is_sent_as_another_one(tmp_path: Path) -> None:
    upload = {
        "requestBody": {
            "content": {
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "required": ["file"],
                        "properties": {"file": {**TEXT, "format": "binary"}},
                    }
                }
            }
        }
    }
    lines = ["GET /uploads", "POST /uploads", "DELETE /uploads/{id}"]
    uploads = Uploads()
    reached, _ = explored(tmp_path, uploads, lines, **{"POST /uploads": upload})
    assert reached == set(lines)
    assert uploads.things == {}


class Prompts(Shop):
    """Each prompt has versions, whose numbers callers give."""

    def __init__(self) -> None:
        super().__init__({"/prompts/9": {"name": "theirs"}})
        self.versions: dict[str, list[dict[str, Any]]] = {"/prompts/9": [{"version": 1, "text": "a"}]}

    def __call__(self, request: Received) -> Answer:
        prompt, found, number = request.path.partition("/versions")
        if not found:
            return super().__call__(request)
        if prompt not in self.things:
            return reply({"error": "not found"}, 404)
        kept = self.versions.setdefault(prompt, [])
        if request.method == "POST":
            if not isinstance(request.json.get("version"), int):
                return reply({"error": "version must be an integer"}, 422)
            kept.append(request.json)
            return reply(kept[-1], 201)
        if not number:
            return reply({"data": kept})
        one = [version for version in kept if str(version["version"]) == number.strip("/")]
        return reply(one[0]) if one else reply({"error": "not found"}, 404)


def test_the_number_of_a_version_is_its_own_in_what_it_is_a_version_of(tmp_path: Path) -> None:
    versions = "/prompts/{prompt_id}/versions"
    lines = [
        *("GET /prompts", "POST /prompts", "GET /prompts/{prompt_id}", "DELETE /prompts/{prompt_id}"),
        *(f"GET {versions}", f"POST {versions}", f"GET {versions}/{{version}}"),
    ]
    version = {"type": "object", "required": ["version"], "properties": {"version": {"type": "integer"}, "text": TEXT}}
    prompts = Prompts()
    bodies = {"POST /prompts": texts("name"), f"POST {versions}": of_body(version)}
    reached, _ = explored(tmp_path, prompts, lines, **bodies)
    assert reached == set(lines)
    assert prompts.versions["/prompts/9"] == [{"version": 1, "text": "a"}]
