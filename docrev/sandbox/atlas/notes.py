"""Notes on countries: the part of Atlas that can be written. They live as long as the process."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from docrev.records import Json
from docrev.sandbox.tables import load
from docrev.sandbox.web import InvalidRequest, NotFound, Param, ParameterFault, answer, encode, read_body

FIELDS = (
    Param("country_code", required=True),
    Param("text", required=True, length=(1, 280)),
    Param("rating", "integer", minimum=1, maximum=5, nullable=True),
    Param("status", default="draft", choices=("draft", "published")),
)


class Notes:
    """Notes by id; ids count up, so the same requests get the same ids."""

    def __init__(self) -> None:
        self.notes: dict[str, dict[str, Json]] = {}
        self.created = 0
        self.countries = {row["code"] for row in load("atlas", "countries")}

    def routes(self) -> list[Route]:
        """`POST /notes`, and GET, PATCH and DELETE of one."""
        return [
            Route("/notes", self.create, methods=["POST"]),
            Route("/notes/{id}", self.get),
            Route("/notes/{id}", self.update, methods=["PATCH"]),
            Route("/notes/{id}", self.delete, methods=["DELETE"]),
        ]

    async def create(self, request: Request) -> Response:
        fields = self._checked(await read_body(request, FIELDS))
        self.created += 1
        note = {"id": f"note_{self.created:04}", **fields, "revision": 1}
        self.notes[note["id"]] = note
        return answer(encode(note), 201, {"location": f"/notes/{note['id']}"})

    async def get(self, request: Request) -> Response:
        return answer(encode(self._note(request)))

    async def update(self, request: Request) -> Response:
        note = self._note(request)
        note.update(self._checked(await read_body(request, FIELDS, partial=True)))
        note["revision"] += 1
        return answer(encode(note))

    async def delete(self, request: Request) -> Response:
        del self.notes[self._note(request)["id"]]
        return Response(status_code=204)

    def _note(self, request: Request) -> dict[str, Json]:
        key = request.path_params["id"]
        if key not in self.notes:
            raise NotFound("Note")
        return self.notes[key]

    def _checked(self, fields: dict[str, Json]) -> dict[str, Json]:
        if fields.get("country_code", "FR") not in self.countries:
            raise InvalidRequest([ParameterFault("body", "country_code", "unknown", FIELDS[0])])
        return fields
