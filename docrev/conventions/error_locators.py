"""Where an error object says that it belongs: a member that names a field, a parameter or a path, beside its text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.conventions.error_locations import WHOLE, ErrorLocation, location_of, place_of
from docrev.conventions.error_texts import MAX_TEXT, are_texts, readable, texts_of
from docrev.language.words import words
from docrev.records import Json

_MAX_MEMBERS = 8
_LOCATORS = (
    *("loc", "instancePath", "dataPath", "instanceLocation", "pointer", "source", "field", "fieldName", "property"),
    *("attr", "propertyPath", "propertyName", "property_path", "param", "parameter", "parameterName"),
    *("attribute", "path"),
    *("name", "target", "location", "key"),
)
_PATHS = frozenset({"loc", "instanceLocation", "field", "param", "attr"})
_NAMED_SO = re.compile(
    r"(?:(?:instance|data|property|field|json|x|error|attribute|param|parameter|input|argument|element)path"
    r"|(?:json)?pointer|(?:.+)?(?:field|param|parameter|attribute|property|argument|column)(?:name|key|id)?|where"
    r"|selector)"
)
"""How members are called that lead to the value that an error is on, whoever wrote it."""
_LISTED_SO = re.compile(
    r"(?:member|field|property|param|parameter|attribute|column|argument)(?:names?|s)|properties|paths|expression"
)
_LEADS = re.compile(r"'[A-Za-z_]\w*'|(?:\$\.?|#?/|\.)?[A-Za-z_@][\w\-$]*(?:[.\[/\]][\w\-$]*)*")
_GIVEN = re.compile(r"(?:value|input|got|given|received|actual|provided|sent|rejected.*|path|url|instance|.*id)$")
"""Members that repeat what was sent."""


def _plain(key: str) -> str:
    return "".join(words(key))


def leads(key: str, value: object) -> bool:
    """Whether a member leads to the value that an error is on, by its name and by what it is."""
    if key in _PATHS or key == "instancePath":
        return True
    # Rails tells the attribute that another one has to confirm.
    named = key != "attribute" and _NAMED_SO.fullmatch(_plain(key))
    # A path from the root is one under any name.
    rooted = (
        isinstance(value, str) and re.match(r"\$\.|#/", value) and not key.lower().startswith(("schema", "keyword"))
    )
    return bool((named or rooted) and isinstance(value, str) and (not value or _LEADS.fullmatch(value)))


def said_by(body: dict[str, Json]) -> tuple[str, ...]:
    """The texts of an error object; beside a member that leads to a value, under any name."""
    if texts := tuple(texts_of(body)):
        return texts
    several = body.get("messages")
    if (
        isinstance(several, list)
        and are_texts(several)
        and any(isinstance(body.get(key), str) for key in ("name", "field"))
    ):
        return tuple(map(str, several))
    beside = any(leads(key, value) or (key == "key" and isinstance(value, str)) for key, value in body.items())
    return tuple(_unnamed(body)) if beside and len(body) <= _MAX_MEMBERS else ()


def _unnamed(body: dict[str, Json]) -> Iterator[str]:
    """The sentences among the members of an object, but for what was sent."""
    for key, value in body.items():
        if isinstance(value, str) and " " in value.strip() and len(value) <= MAX_TEXT and not _GIVEN.match(_plain(key)):
            yield readable(value.strip())


def are_located(value: object) -> bool:
    """Whether a value is a list of errors, each with a text and its location: whatever it is called."""
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(part, dict) and any(leads(*one) for one in part.items()) and said_by(part) for part in value)


def listed_by(body: dict[str, Json]) -> list[ErrorLocation]:
    """The locations of an error on several values: ASP.NET's `memberNames`, Salesforce's `fields`."""
    lists = (value for key, value in body.items() if _LISTED_SO.fullmatch(_plain(key)) and isinstance(value, list))
    names = next(filter(None, lists), [])
    all_names = all(isinstance(name, str) and _LEADS.fullmatch(name) for name in names)
    return [location_of(name) for name in names] if all_names else []


def _of_jakarta(path: ErrorLocation) -> ErrorLocation:
    """Jakarta's paths begin with the method and its parameter."""
    return path._replace(keys=path.keys[2:] or path.keys[-1:])


def located_by(body: dict[str, Json], at: ErrorLocation, depth: int) -> ErrorLocation | None:
    """The location that an error object tells beside its text; None if it tells none."""
    place = _place_told(body)
    called_so = (key for key, value in body.items() if leads(key, value))
    for key in dict.fromkeys((*_LOCATORS, *called_so)):
        named = body.get(key)
        if key in body and _is_locator(key, named, depth) and not _is_value(named, body):
            there = location_of(named, place or at.place)
            if body.get("constraintType") == "PARAMETER":
                there = _of_jakarta(there)
            return _whole(at, place) if _is_whole(key, named) else _under(at, there, named)
    return ErrorLocation(place or at.place, at.keys) if place else None


def _is_whole(key: str, named: Json) -> bool:
    """Whether a locator says that an error is on no field; one may be called `base` where nobody writes as Rails."""
    return not named or (isinstance(named, str) and named in WHOLE and (named != "base" or key == "attribute"))


def _place_told(body: dict[str, Json]) -> str:
    places = (place_of(str(body.get(key, ""))) for key in ("location", "in", "locationType", "source"))
    return next(filter(None, places), "query" if body.get("locationType") == "parameter" else "")


def _is_value(named: object, body: dict[str, Json]) -> bool:
    """Whether what stands in the place of a name is the value: `x is not a valid account name` with target `x`."""
    return isinstance(named, str) and any(text.startswith(f"{named} is not a") for text in texts_of(body))


def _under(at: ErrorLocation, there: ErrorLocation, named: Json) -> ErrorLocation:
    """A location inside another one, if it is not told from the root."""
    if there.keys[: len(at.keys)] == at.keys or str(named).startswith(("/", "#/")):
        return there
    return ErrorLocation(at.place or there.place, at.keys + there.keys)


def _whole(at: ErrorLocation, place: str) -> ErrorLocation | None:
    """The location of an error on the whole: told, but empty."""
    return ErrorLocation(at.place or place, at.keys) if at.keys or place else None


def _is_text_or_class(key: str, named: str) -> bool:
    """Whether a member that may name a field has a text, a URL, a class of errors or a code instead."""
    if key == "name" and re.match(r"(?:invalid|missing|bad|unknown|duplicate)_|(?-i:(?:[A-Z][a-z]+){2,}$)", named):
        return True
    if key == "key" and not re.fullmatch(r"[a-z_][\w.\[\]]*", named):
        return True
    if re.match(r"\s*[{<]|[^\n]*\n", named):
        # The text of the body that could not be read.
        return True
    locates = key in ("name", "key", "target", "path", "location")
    return locates and bool(re.search(r"(?:error|exception)$|\s|://|^(?-i:[A-Z]+(?:_[A-Z]+)+)$", named, re.I))


def _is_locator(key: str, named: object, depth: int) -> bool:
    if not named:
        return key in ("loc", "instancePath", "path") and named in ([], "")
    if not isinstance(named, str):
        return key in ("loc", "path", "source", "field", "instancePath") and isinstance(named, list | dict)
    if key in ("location", "source") and place_of(named):
        return False
    if _is_text_or_class(key, named):
        return False
    # At the top stands the path of the request, as Spring tells it, unless it begins with a place of one.
    return not (key == "path" and "/" in named and depth == 0 and not place_of(named.partition("/")[0]))
