"""How the requests of a Postman collection say who asks, as security schemes of OpenAPI; secrets are left behind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docrev.json_values.containers import mapping, sequence
from docrev.records import Json
from docrev.spec.formats.postman.collection import Item, filled
from docrev.spec.meaning import string

_HTTP = {"basic": "basic", "bearer": "bearer", "digest": "digest", "hawk": "hawk", "jwt": "bearer"}
_NO_SECRETS = frozenset({"key", "in", "grant_type", "accessTokenUrl", "scope"})


class Authentication:
    """The security `schemes` that requests of one collection use, and the kinds that have `no_scheme` in OpenAPI."""

    def __init__(self) -> None:
        self.schemes: dict[str, dict[str, Json]] = {}
        self.no_scheme: set[str] = set()

    def of(self, item: Item) -> list[Json]:
        """What stands as the `security` of an operation: [] if nothing is sent."""
        kind = string(item.auth.get("type"))
        name, scheme = _scheme(kind, _details(item.auth.get(kind), item.variables))
        if not kind:
            name, scheme = _of_header(item.request.headers.get("authorization", ""))
        if not name:
            self.no_scheme |= {kind} - {"", "noauth"}
            return []
        while self.schemes.setdefault(name, scheme) != scheme:
            name += "_2"
        return [{name: [*mapping(mapping(scheme.get("flows")).get("clientCredentials")).get("scopes", ())]}]


def _details(told: object, variables: Mapping[str, str]) -> dict[str, str]:
    """What a collection says of a kind, by name: in a list since v2.1, in an object in v2.0; without secrets."""
    listed = ((string(entry.get("key")), entry.get("value")) for entry in map(mapping, sequence(told)))
    pairs = mapping(told).items() or listed
    return {name: filled(string(value), variables) for name, value in pairs if name in _NO_SECRETS}


def _scheme(kind: str, told: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """The name and the scheme of a kind; ("", {}) if OpenAPI has none for it."""
    if kind == "apikey" and told.get("key"):
        place = "query" if told.get("in") == "query" else "header"
        return "apiKey", {"type": "apiKey", "in": place, "name": told["key"]}
    if kind == "oauth2":
        url = told.get("accessTokenUrl", "").partition("?")[0]
        if told.get("grant_type") == "client_credentials" and "://" in url and "@" not in url:
            scopes = dict.fromkeys(told.get("scope", "").split(), "")
            return "oauth2", {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": url, "scopes": scopes}}}
        # Somebody has to sign in: what comes of that is a token.
        return _http("bearer")
    return _http(_HTTP[kind]) if kind in _HTTP else ("", {})


def _of_header(value: str) -> tuple[str, dict[str, Any]]:
    """The scheme of a header `Authorization` that stands among the others; its value may be the secret itself."""
    word = value.partition(" ")[0].lower()
    if word in _HTTP.values():
        return _http(word)
    return ("apiKey", {"type": "apiKey", "in": "header", "name": "Authorization"}) if value else ("", {})


def _http(scheme: str) -> tuple[str, dict[str, Any]]:
    return scheme, {"type": "http", "scheme": scheme}
