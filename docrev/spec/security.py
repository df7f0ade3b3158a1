"""Security schemes: how a tool wants to be told who calls (OpenAPI 3.1 §4.8.27, Swagger 2.0 `securityDefinitions`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from docrev.json_values.containers import mapping
from docrev.spec.catalog import Catalog
from docrev.spec.findings import Place
from docrev.spec.meaning import string

SchemeKind = Literal["key", "basic", "bearer", "client-credentials", "unsupported"]
_FOLDERS = ("/components/securitySchemes", "/securityDefinitions")
_HTTP: dict[str, SchemeKind] = {"basic": "basic", "bearer": "bearer"}


@dataclass(frozen=True, slots=True)
class SecurityScheme:
    """One scheme of a tool. A `key` goes as `parameter` into the `location`: header, query or cookie.

    `client-credentials` gets its tokens from `token_url` (RFC 6749 §4.4), with these `scopes`.
    """

    tool: str
    name: str
    kind: SchemeKind
    location: str = ""
    parameter: str = ""
    token_url: str = ""
    scopes: tuple[str, ...] = ()


def security_schemes(catalog: Catalog) -> list[SecurityScheme]:
    """The schemes of all tools, in the order of the documents."""
    found = []
    for tool in catalog.tools:
        document = catalog.documents[catalog.files[tool]]
        for folder in _FOLDERS:
            for name in mapping(document.get(folder, None)):
                _, node = catalog.refs.follow(Place(document.name, folder), mapping(document.get(folder, None))[name])
                found.append(_scheme(tool, name, mapping(node)))
    return found


def _scheme(tool: str, name: str, node: Mapping[str, object]) -> SecurityScheme:
    kind = string(node.get("type"))
    if kind == "apiKey":
        return SecurityScheme(tool, name, "key", string(node.get("in")), string(node.get("name")))
    if kind == "oauth2":
        flows = mapping(node.get("flows"))
        old = node if node.get("flow") == "application" else None
        flow = mapping(flows.get("clientCredentials")) or old
        if flow and (url := string(flow.get("tokenUrl"))):
            return SecurityScheme(
                tool, name, "client-credentials", token_url=url, scopes=tuple(mapping(flow.get("scopes")))
            )
    if kind in ("oauth2", "openIdConnect"):
        # Somebody has to sign in: what comes of that is a token.
        return SecurityScheme(tool, name, "bearer")
    scheme = string(node.get("scheme")).lower() if kind == "http" else kind
    return SecurityScheme(tool, name, _HTTP.get(scheme, "unsupported"))
