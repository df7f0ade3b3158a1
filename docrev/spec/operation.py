"""Operations and what belongs to them, as every other part of docrev sees them: resolved, whatever the format."""

from __future__ import annotations

from dataclasses import dataclass, field

from docrev.records import Json, OperationKey
from docrev.spec.findings import Place
from docrev.spec.meaning import MISSING, Absent
from docrev.spec.schema import Schema
from docrev.spec.texts import is_restated

FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
"""The media types in which forms are sent."""


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """One argument of an operation. `location` is path, query, header or cookie.

    `declared` is False for a name that the path holds and the document does not declare; `place` is then the
    operation. `style` and `explode` say how lists are written (OpenAPI 3; Swagger 2.0's collectionFormat is mapped);
    `json` stands for a parameter whose `content` is JSON. `of` names the object that it is a member of, if it is one:
    the name is then as in the URL, and in JSON the member's own.
    """

    name: str
    location: str
    required: bool
    schema: Schema
    description: str
    example: Json | Absent
    place: Place
    declared: bool = True
    style: str = "form"
    explode: bool = True
    of: str = ""

    @property
    def key(self) -> str:
        """Its location in the grammar of facts: `query:NAME`."""
        return f"{self.location}:{self.name}"


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The request body. Of several media types JSON is taken, then a form, then the first; `others` are the rest."""

    required: bool
    media_type: str
    schema: Schema | None
    description: str
    place: Place
    example: Json | Absent = MISSING
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """What an operation answers with one status: "200", "2XX" or "default". `headers` are its headers' schemas.

    `media_types` are all that are documented for it, as the document writes them; `media_type` is that of the schema.
    """

    status: str
    description: str
    media_type: str
    schema: Schema | None
    place: Place
    example: Json | Absent = MISSING
    headers: dict[str, Schema] = field(default_factory=dict)
    media_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """`METHOD /path` of a tool. `operation_id` is "" if the document gives none; `name` never is.

    `rpc_route` is where an operation of RPC style would stand in an API of resources (`procedures`), `address_route`
    where one stands whose path takes the whole address of a thing (`addresses`), `bare_route` where one would stand if
    its path had no format at its end, no parameter that can have one value alone, and no `id` before an ID
    (`bare_paths`). `objects` are the query parameters in whose place the members are among `parameters`
    (`object_parameters`).
    """

    key: OperationKey
    operation_id: str
    summary: str
    description: str
    tags: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    body: Body | None
    responses: dict[str, Response]
    security: tuple[str, ...]
    place: Place
    rpc_route: OperationKey | None = None
    address_route: OperationKey | None = None
    bare_route: OperationKey | None = None
    objects: tuple[Parameter, ...] = ()

    @property
    def written_parameters(self) -> tuple[Parameter, ...]:
        """The parameters as the document has them: objects in the place of their members."""
        by_name = {parameter.name: parameter for parameter in self.objects}
        found = (by_name[p.of] if p.of in by_name and p.location == "query" else p for p in self.parameters)
        return tuple(dict.fromkeys(found))

    @property
    def route(self) -> OperationKey:
        """The method and the path that say what it does to which thing: its own, if they say that."""
        return self.rpc_route or self.address_route or self.bare_route or self.key

    @property
    def tool(self) -> str:
        return self.key.tool

    @property
    def method(self) -> str:
        return self.key.method

    @property
    def path(self) -> str:
        return self.key.path

    @property
    def name(self) -> str:
        """The operationId, or one made of method and path: `get_movie_by_movie_id`."""
        return self.operation_id or _made_name(self.method, self.path)

    @property
    def body_schema(self) -> Schema | None:
        """The schema of the request body; None without a body, and if it has none."""
        return self.body.schema if self.body is not None else None

    @property
    def text(self) -> str:
        """Summary and description, as one reads them together; the description alone if it has the summary's words."""
        summary, text = self.summary.strip(), self.description.strip()
        if not summary:
            return self.description
        if text and is_restated(summary, text):
            return text
        closed = summary if summary.endswith((".", "!", "?")) or not text else f"{summary}."
        return f"{closed} {text}".strip()

    @property
    def success(self) -> Response | None:
        """The first response of status 2xx, or else `default`."""
        good = (found for status, found in self.responses.items() if status[:1] == "2")
        return next(good, None) or self.responses.get("default")

    def response(self, status: int) -> Response | None:
        """The response that the document gives for `status`: the exact one, its class (`2XX`), or `default`."""
        found = self.responses.get(str(status)) or self.responses.get(f"{status // 100}XX")
        return found or self.responses.get("default")

    def parameter(self, key: str) -> Parameter | None:
        """The parameter of this location: `query:NAME`."""
        return next((parameter for parameter in self.parameters if parameter.key == key), None)

    def __repr__(self) -> str:
        return f"Operation({self.key})"


def _made_name(method: str, path: str) -> str:
    words = [method.lower()]
    for segment in path.split("/"):
        inner = segment.strip("{}")
        word = "".join(char if char.isalnum() else "_" for char in inner).strip("_")
        words += (["by", word] if segment.startswith("{") else [word]) if word else []
    return "_".join(words)
