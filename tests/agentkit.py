"""Documents for the agent's tests: sheets and small tool sets, written in one line each."""

from __future__ import annotations

from docrev.agent.documents import AgentDocuments, Doc, read_documents
from docrev.prompts.agents import Argument, ResponseField, Sheet
from docrev.records import OperationKey


def argument(name: str, place: str = "query", **more: object) -> Argument:
    """A parameter; a property of the body with place "body"."""
    location = f"body:/{name}" if place == "body" else f"{place}:{name}"
    return Argument.model_validate({"name": name, "location": location, "type": "string", **more})


def sheet(operation: str, description: str = "", *arguments: Argument, fields: str = "", tool: str = "shop") -> Sheet:
    """A sheet; `fields` are pointers of the response, apart by spaces."""
    key = OperationKey(tool, operation)
    name = "_".join(part.strip("{}") for part in operation.replace("/", " ").split()).lower()
    found = tuple(ResponseField(pointer=pointer, type="string") for pointer in fields.split())
    return Sheet(name=name, key=key, description=description, parameters=arguments, fields=found)


COUNTRIES = sheet("GET /countries", "Lists countries.", fields="/data/0/code /data/0/name")
COUNTRY = sheet(
    "GET /countries/{code}",
    "Returns a country by its code.",
    argument(
        "code", "path", required=True, description="A country code, as in `code` of `GET /countries`.", example="FR"
    ),
    fields="/name /capital /population",
)
CITIES = sheet(
    "GET /cities",
    "Lists cities. For the capital of a country, use `GET /countries/{code}`.",
    argument("country", description="Returns only cities with this `country`."),
    argument("sort", description="One of `name`, `-population`."),
    argument("limit", type="integer", description="Must be between 1 and 100."),
    argument("cursor", description="Pagination cursor: the `next` value of the previous page."),
    argument("q", description="Text to search for in `name`."),
    fields="/data/0/id /data/0/name /data/0/population",
)
CREATE = sheet(
    "POST /notes",
    "Creates a note.",
    argument("text", "body", required=True),
    argument("rating", "body", type="integer"),
    fields="/id /text",
)
DELETE = sheet("DELETE /notes/{id}", "Deletes a note.", argument("id", "path", required=True))
SHEETS = (COUNTRIES, COUNTRY, CITIES, CREATE, DELETE)


def docs() -> AgentDocuments:
    return read_documents(SHEETS)


def doc(one: Sheet) -> Doc:
    return docs().by_name[one.name]
