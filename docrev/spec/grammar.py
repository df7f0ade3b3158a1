"""Which keys the objects of OpenAPI 3 and Swagger 2.0 have, and what stands under them; a walk that knows it.

Tables, not checks: `validate` judges by the published schemas; this serves findings and repairs that need to know
whether a `required` is a flag or a list, and whether a `$ref` is a reference or somebody's example.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping, sequence
from docrev.records import Json
from docrev.spec.document import Document
from docrev.spec.keywords import COUNTS, EXCLUSIVE, METHODS

Table = dict[str, dict[str, str]]
"""Kind of object → key → what stands there: `bool`, `int`, `num`, `value`, `any`, a kind, `[kind`, or `{kind`."""


def _keys(plain: str, **typed: str) -> dict[str, str]:
    return dict.fromkeys(plain.split(), "any") | typed


_BOUNDS = {"maximum": "num", "minimum": "num", "multipleOf": "num"}
_LIMITS = _BOUNDS | dict.fromkeys(COUNTS, "int") | dict.fromkeys(EXCLUSIVE, "bool") | {"uniqueItems": "bool"}
_SCHEMA = _LIMITS | _keys(
    "title pattern required enum type description format example discriminator externalDocs",
    allOf="[schema", items="schema", properties="{schema", additionalProperties="schema?",
    default="value", readOnly="bool", xml="xml",
)  # fmt: skip
_SHARED: Table = {
    "info": _keys("title summary description termsOfService contact license version"),
    "tag": _keys("name description externalDocs summary kind parent"),
    "xml": _keys("name namespace prefix nodeType", attribute="bool", wrapped="bool"),
}
_PARAMETER = _keys(
    "description style example",
    required="bool", deprecated="bool", allowEmptyValue="bool", explode="bool", allowReserved="bool",
    schema="schema", examples="{example", content="{media",
)  # fmt: skip
OPENAPI3: Table = _SHARED | {
    "document": _keys(
        "openapi security externalDocs jsonSchemaDialect $self",
        info="info", servers="[server", paths="{path", webhooks="{path", components="components", tags="[tag",
    ),
    "server": _keys("url description variables name"),
    "components": _keys(
        "securitySchemes",
        schemas="{schema", responses="{response", parameters="{parameter", examples="{example",
        requestBodies="{body", headers="{header", links="{link", callbacks="{callback", pathItems="{path",
        mediaTypes="{media",
    ),
    "path": _keys("summary description $ref additionalOperations", servers="[server", parameters="[parameter",
                  query="operation", **dict.fromkeys(METHODS, "operation")),
    "operation": _keys(
        "tags summary description externalDocs operationId security",
        parameters="[parameter", requestBody="body", responses="{response", callbacks="{callback",
        deprecated="bool", servers="[server",
    ),
    "callback": {"*": "path"},
    "parameter": _PARAMETER | _keys("name in"),
    "header": _PARAMETER,
    "body": _keys("description", content="{media", required="bool"),
    "media": _keys("example", schema="schema", examples="{example", encoding="{encoding",
                   itemSchema="schema", prefixEncoding="[encoding", itemEncoding="encoding"),
    "encoding": _keys("contentType style encoding prefixEncoding itemEncoding", headers="{header", explode="bool",
                      allowReserved="bool"),
    "response": _keys("description summary", headers="{header", content="{media", links="{link"),
    "link": _keys("operationRef operationId parameters requestBody description server"),
    "example": _keys("summary description value externalValue dataValue serializedValue"),
    "schema": _SCHEMA | _keys("", oneOf="[schema", anyOf="[schema", nullable="bool", writeOnly="bool",
                              deprecated="bool", **{"not": "schema"}),
}  # fmt: skip
OPENAPI31: Table = OPENAPI3 | {
    "schema": OPENAPI3["schema"]
    | {"exclusiveMaximum": "num", "exclusiveMinimum": "num", "minContains": "int", "maxContains": "int"}
    | _keys(
        "const examples", prefixItems="[schema", contains="schema", patternProperties="{schema",
        dependentSchemas="{schema", propertyNames="schema", then="schema", unevaluatedItems="schema?",
        unevaluatedProperties="schema?", **{"if": "schema", "else": "schema", "$defs": "{schema"},
    ),
}  # fmt: skip
_ITEMS = _LIMITS | _keys("type format collectionFormat pattern enum", items="items", default="value")
SWAGGER2: Table = _SHARED | {
    "document": _keys(
        "swagger host basePath schemes consumes produces securityDefinitions security externalDocs",
        info="info", paths="{path", definitions="{schema", parameters="{parameter", responses="{response",
        tags="[tag",
    ),
    "path": _keys("$ref", parameters="[parameter",
                  **dict.fromkeys(METHODS[:-1], "operation")),
    "operation": _keys(
        "tags summary description externalDocs operationId consumes produces schemes security",
        parameters="[parameter", responses="{response", deprecated="bool",
    ),
    "parameter": _ITEMS | _keys("name in description", required="bool", allowEmptyValue="bool", schema="schema"),
    "items": _ITEMS,
    "header": _ITEMS | _keys("description"),
    "response": _keys("description examples", schema="schema", headers="{header"),
    "schema": _SCHEMA,
}  # fmt: skip


def version(tree: object) -> str | None:
    """ "2.0", "3.0.3", "3.1.0" … as the document says it; None if it is no OpenAPI document."""
    if isinstance(tree, dict):
        for key in ("openapi", "swagger"):
            told = tree.get(key)
            if isinstance(told, str | int | float) and not isinstance(told, bool):
                text = str(told).strip()
                return f"{text}.0" if text.isdigit() else text
    return None


def table_of(tree: object) -> Table:
    """The table for a document's version."""
    told = version(tree) or "3.0"
    return SWAGGER2 if told.startswith("2") else OPENAPI3 if told.startswith("3.0") else OPENAPI31


@dataclass(slots=True)
class Visit:
    """One object of a document: of `kind`, at `pointer`. `expected` says what stands under its keys."""

    kind: str
    pointer: str
    node: dict[str, Json]
    expected: dict[str, str]


def visit(document: Document, table: Table, kind: str = "document", pointer: str = "") -> Iterator[Visit]:
    """Every object under `pointer` that the format describes, in file order; `$ref`s are not followed.

    What the format does not describe (examples, defaults, extensions, unknown keys) is not entered.
    """
    stack: list[tuple[str, str, Json]] = [(kind, pointer, document.get(pointer, None))]
    while stack:
        kind, at, node = stack.pop()
        if kind[0] in "[{":
            if isinstance(node, dict) and isinstance(node.get("$ref"), str):
                yield Visit(kind, at, node, {})  # the whole mapping stands elsewhere
            stack.extend(reversed(_members(kind, at, node)))
            continue
        if not isinstance(node, dict):
            continue
        expected = table.get(kind, {})
        yield Visit(kind, at, node, expected)
        below = []
        for key, value in node.items():
            inner = expected.get(key) or (expected.get("*", "any") if not key.startswith("x-") else "any")
            if isinstance(value, dict | list) and inner.rstrip("?").lstrip("[{") in table:
                below.append((inner.rstrip("?"), f"{at}/{pointers.escape(key)}", value))
        stack.extend(reversed(below))


def _members(kind: str, at: str, node: object) -> list[tuple[str, str, Json]]:
    if kind[0] == "[":
        listed = sequence(node)
        return [(kind[1:], f"{at}/{index}", value) for index, value in enumerate(listed)]
    named = mapping(node)
    extensible = kind[1:] in ("path", "response")  # under other maps `x-…` is a name like any other
    return [
        (kind[1:], f"{at}/{pointers.escape(key)}", value)
        for key, value in named.items()
        if isinstance(value, dict | list) and not (extensible and key.startswith("x-"))
    ]
