"""Where a message of an error response belongs: `["body(
    ", "
)items", 0]`, `$.age`, `data['r']`, `/data/title`, `a[0].b`."""

from __future__ import annotations

import re
from typing import NamedTuple

from docrev.json_values.pointer import join, unescape

PLACES = {
    "query": "query",
    "querystring": "query",
    "queryparameter": "query",
    "queryvalue": "query",
    "querystringparameter": "query",
    "urlparameter": "query",
    "params": "path",
    "path": "path",
    "pathvariable": "path",
    "pathparameter": "path",
    "pathparam": "path",
    "routeparameter": "path",
    "uri": "path",
    "body": "body",
    "json": "body",
    "form": "body",
    "formdata": "body",
    "payload": "body",
    "requestbody": "body",
    "header": "header",
    "headers": "header",
    "cookie": "cookie",
    "cookies": "cookie",
}
"""What frameworks call the places of a request."""
WHOLE = frozenset({"", "non_field_errors", "nonFieldErrors", "__all__", "_schema", "_errors", "__root__", "base", "$"})
"""Names under which stand messages on no field."""
_ROOTS = frozenset({"$", "request", "req", "(root)", "root", "instance", "#"})
_GRAPHS = frozenset({"Query", "Mutation"})
"""Roots of GraphQL, which may be names if nothing follows."""
_NO_KEYS = ("", "__root__")
"""What stands in a path without being a key: so pydantic calls a value that has no name of its own."""
_TOKEN = re.compile(r"\[(?:'([^']*)'|\"([^\"]*)\"|(\d+)|([\w\-]+))\]|([^./\[\]]+)")
# pydantic puts the member of a union that it tried into `loc`.
_TRIED = re.compile(r"[\w\-]+[\[(].*|(?:int|str|float|bool|list|dict|bytes|none)", re.DOTALL)


class ErrorLocation(NamedTuple):
    """A place of a request (query, path, header, cookie, body, or "" if unknown) and the keys that lead to a value."""

    place: str = ""
    keys: tuple[str, ...] = ()

    @property
    def pointer(self) -> str:
        """The keys as a JSON pointer; "" stands for the whole."""
        return join(*self.keys)

    @property
    def name(self) -> str:
        """The last key that is no index; "" if there is none."""
        return next((key for key in reversed(self.keys) if not key.isdecimal()), "")

    def below(self, other: ErrorLocation) -> ErrorLocation:
        """`other` as seen from here: its keys come after these, its place counts only if none is known here."""
        return ErrorLocation(self.place or other.place, self.keys + other.keys)


def location_of(named: object, place: str = "") -> ErrorLocation:
    """The location that a member of an error object gives: a list of keys, a path, a JSON pointer, or one of these.

    JSON:API writes `{"pointer": …}`, `{"parameter": …}` or `{"header": …}`.
    """
    if isinstance(named, dict):
        return _of_source(named, place)
    if isinstance(named, list):
        return _of_keys(named, place)
    text = re.sub(r"^'(\w+)'$", r"\1", str(named).strip())
    if text.startswith(("/", "#/")):
        return _placed([unescape(key) for key in text.lstrip("#").split("/")[1:]], place)
    keys = [next(filter(None, groups), "") for groups in _TOKEN.findall(text)]
    if text.endswith("[]") and keys:
        # So PHP, Rails and others call a parameter that may be given several times.
        keys[-1] += "[]"
    whole = len(keys) > 1 and keys[0] == "data"
    return _placed(keys[1:] if whole else keys, place)


def _of_keys(named: list[object], place: str) -> ErrorLocation:
    """The location that a list of keys gives; valibot's keys are objects that tell what a key is in."""
    told = [key.get("key") if isinstance(key, dict) else key for key in named]
    keys = [str(key) for key in told if isinstance(key, str | int)]
    tried = len(keys) > 2 and _TRIED.fullmatch(keys[-1])
    return _placed(keys[:-1] if tried else keys, place, bare=True)


def _of_source(source: dict[str, object], place: str) -> ErrorLocation:
    for key, where in (("pointer", "body"), ("parameter", "query"), ("header", "header"), ("path", "")):
        if isinstance(source.get(key), str):
            return location_of(source[key], where)
    return ErrorLocation(place)


def _placed(keys: list[str], place: str, *, bare: bool = False) -> ErrorLocation:
    """The keys without the roots and the place that stand in front of them; with `bare`, a place may stand alone."""
    rest = [key for key in keys if key not in _NO_KEYS]
    rest = rest[1:] if rest[:1] == ["obj"] and len(rest) > 1 else rest
    while rest and (rest[0] in _ROOTS or (rest[0] in _GRAPHS and len(rest) > 1)):
        rest = rest[1:]
    if (len(rest) > 1 or (rest and bare and not place)) and (found := place_of(rest[0])):
        return ErrorLocation(found, tuple(rest[1:]))
    return ErrorLocation(place, tuple(rest))


def place_of(word: str) -> str:
    """The place of a request that a word or two name: `Query`, `request body`, `querystring`; or ""."""
    plain = re.sub(r"[^a-z]", "", word.lower())
    return PLACES.get(plain, PLACES.get(plain.removeprefix("request"), "")) if plain else ""
