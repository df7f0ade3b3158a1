"""The ids of differences: `SUBJECT-added|removed` and `SUBJECT-ASPECT-added|removed|changed`, all from this table.

Ids are stable: teams keep them in their own ignore lists. A new key of the format is a new line here.
"""

from __future__ import annotations

import re
from typing import Final

from docrev.settings.choices import Edit
from docrev.spec.diff.differences import Verb

DOCS: Final = frozenset({"description", "summary", "title", "example", "examples", "externalDocs", "links", "x-docrev"})
"""Keys that no client notices; a change of any other key is a change of the contract."""

_TEXT = ("description", "summary", "title", "example", "examples", "externalDocs", "x-docrev")
_SCHEMA = (
    *("$id", "$schema", "$anchor", "$comment", "$vocabulary", "$dynamicRef", "$dynamicAnchor", "const"),
    *("type", "format", "enum", "default", "nullable", "readOnly", "writeOnly", "deprecated", "required"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern"),
    *("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
    *("minContains", "maxContains", "contentEncoding", "contentMediaType", "contentSchema", "dependentRequired"),
    *("discriminator", "xml", "collectionFormat", "additionalProperties", "unevaluatedProperties"),
    *("items", "unevaluatedItems", "contains", "propertyNames", "not", "if", "then", "else"),
    *("allOf", "oneOf", "anyOf", "prefixItems", "patternProperties", "dependentSchemas", "$defs", "definitions"),
    "properties",
)
_PARAMETER = ("name", "in", "style", "explode", "allowReserved", "allowEmptyValue", "schema", "content", *_SCHEMA)
_PATH = ("$ref", "parameters", "servers")
_OPERATION = (
    *("operationId", "parameters", "requestBody", "responses", "deprecated", "security", "servers", "tags"),
    *("callbacks", "consumes", "produces", "schemes", "path"),
)

SUBJECTS: Final[dict[str, tuple[str, ...]]] = {
    "document": (
        *("openapi", "swagger", "host", "basePath", "schemes", "consumes", "produces", "security", "servers"),
        *("info", "tags", "paths", "webhooks", "components", "definitions", "parameters", "responses"),
        *("securityDefinitions", "jsonSchemaDialect"),
    ),
    "info": ("version", "termsOfService", "contact", "license"),
    "tag": ("name", "parent", "kind"),
    "server": ("url", "variables", "name"),
    "security-scheme": (
        *("type", "name", "in", "scheme", "bearerFormat", "flow", "flows", "authorizationUrl", "tokenUrl"),
        *("scopes", "openIdConnectUrl"),
    ),
    "path": _PATH,
    "operation": _OPERATION,
    "parameter": _PARAMETER,
    "parameter-property": _SCHEMA,
    "body": ("required", "content", "schema", "encoding", *_SCHEMA, "name", "in"),
    "body-property": (*_SCHEMA, "name", "in", "allowEmptyValue"),
    "response": ("headers", "links", "content", "schema", "encoding", *_SCHEMA),
    "response-property": _SCHEMA,
    "response-header": _PARAMETER,
    "response-header-property": _SCHEMA,
    "schema": _SCHEMA,
    "schema-property": _SCHEMA,
    "example": ("value", "externalValue"),
    "link": ("operationRef", "operationId", "parameters", "requestBody", "server"),
    "callback": (),
    "component": (),
}
"""What may differ, each with the keys it has beside the texts that everything may have."""

_MEDIA = ("parameter", "body", "response", "response-header")
_OTHERS = ("extension", "keyword", "reference", "experience", "enum-value", "docrev")


def identify(subject: str, field: str, verb: Verb, *, schema: bool = False) -> str:
    """The id of a difference in the key `field` of `subject` ("" for the whole of it).

    `schema` tells a text of the schema at the root of a parameter or body from the text of the thing itself.
    """
    return _join(subject, _aspect(subject, field, schema), verb)


def level(field: str) -> Edit:
    """Which edit a change of a field is: of the documentation, or of the contract."""
    return "docs" if field in DOCS else "contract"


def table() -> tuple[str, ...]:
    """Every id that a comparison may report, sorted."""
    found: set[str] = set()
    for subject, fields in SUBJECTS.items():
        aspects = {_aspect(subject, field, False) for field in (*fields, *_TEXT)}
        aspects |= {"", *_OTHERS, *(_aspect(subject, field, True) for field in _TEXT)}
        aspects |= {"media-type"} if subject in _MEDIA else set()
        found |= {_join(subject, aspect, verb) for aspect in aspects for verb in _VERBS}
    return tuple(sorted(found))


_VERBS: Final[tuple[Verb, ...]] = ("added", "removed", "changed")
_ASIDE = frozenset((*_OTHERS, "media-type"))


def _join(*parts: str) -> str:
    return "-".join(part for part in parts if part)


def _aspect(subject: str, field: str, schema: bool) -> str:
    if not field or field in _ASIDE:
        return field
    if field == "$ref":
        return "reference"
    if field == "x-docrev":
        return "docrev"
    if field.startswith("x-"):
        return "extension"
    if field in _TEXT or field in DOCS:
        return f"schema-{_kebab(field)}" if schema else _kebab(field)
    return _kebab(field) if field in SUBJECTS[subject] else "keyword"


def _kebab(field: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", field.lstrip("$")).lower()
