"""The messages of an error response, each with the place that it stands at: one walk over all formats.

An object that has a text is an error (pydantic, ajv, zod, problem+json, Spring, JSON:API, cornice, gRPC, AWS, OData):
what stands beside the text tells its location, its code and its parameters. A map from names to texts has the
messages of these names (DRF, Rails, Laravel, marshmallow, cerberus, ASP.NET). Anything else is a whole message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import NamedTuple

from docrev.conventions.error_locations import WHOLE, ErrorLocation, location_of, place_of
from docrev.conventions.error_locators import are_located, leads, listed_by, located_by, said_by
from docrev.conventions.error_members import (
    BY_NAME,
    MAPS,
    MAX_MESSAGES,
    are_codes_by_name,
    are_sentences_by_name,
    code_of,
    has_sentences,
    holds_messages,
    is_container,
    is_error,
    is_place,
    is_union,
    names_listed,
    params_of,
    tells_by_code,
)
from docrev.conventions.error_texts import MAX_TEXT, SENTENCE, is_text, parsed, readable, texts_of
from docrev.conventions.error_unions import nearest_member
from docrev.grouping import only
from docrev.json_values.canonical import compact
from docrev.json_values.leaves import parts
from docrev.language.words import words
from docrev.records import Json

_MAX_DEPTH = 7
_MAX_PARTS = 200
_FAILED = frozenset({"error", "fail", "failure"})
_SAYS_FAILURE = re.compile(r"(?:FAIL(?:ED)?|ERROR)(?: - |: )")
_UNIONS = re.compile(r"/(?:oneOf|anyOf)/\d|union", re.I)
_CLASS = re.compile(r"(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Invalid|NotValid|NotFound)|(?:\w+\.)+[A-Z]\w+")
_TAGS = re.compile(r"<(?:style|script|head)\b.*?</(?:style|script|head)>|<[^>]+>", re.DOTALL | re.I)
_ELEMENT = re.compile(r"<([\w:.\-]+)(?:\s[^>]*)?>([^<]+)</\1>")


@dataclass(frozen=True, slots=True)
class Message:
    """What an error response says in one place.

    `texts` are the sentences, the most telling first; `code` and `params` are what stands beside them for programs.
    """

    location: ErrorLocation
    texts: tuple[str, ...]
    code: str = ""
    params: dict[str, Json] = field(default_factory=dict)
    located: bool = False
    """Whether the response itself tells the location, outside the text."""

    @property
    def alternative(self) -> bool:
        """Whether it is on one of several schemas, of which another may be met."""
        return bool(_UNIONS.search(str(self.params.get("schemaPath", ""))))


class _Spot(NamedTuple):
    """Where the walk through a response is.

    `named`: the members of an object may be names. `located`: the response itself tells the location.
    """

    at: ErrorLocation = ErrorLocation()
    depth: int = 0
    named: bool = False
    located: bool = False

    def below(self, at: ErrorLocation | None = None, *, named: bool = False, located: bool = False) -> _Spot:
        """A spot one level deeper, at another location if one is given."""
        return _Spot(self.at if at is None else at, self.depth + 1, named, located)


def unwrapped(body: object) -> object:
    """The error that is all a body has, with the number of its status (`{"itemNotFound": {"code": 404, …}}`), or an
    object with an error in an envelope of one member.
    """
    members = [value for value in body.values() if value is not None] if isinstance(body, dict) else []
    inner = only(members)
    if not isinstance(inner, dict):
        return _why_failed(inner) or body
    error = inner.get("error")
    numbered = isinstance(inner.get("code"), int) and any(texts_of(inner))
    return inner if numbered or (isinstance(error, dict) and is_error(error)) else body


def _why_failed(result: object) -> str:
    """The text in a pair that says that something failed, and why; "" if it is none."""
    told = result[-1] if isinstance(result, list) and result[:1] == [False] else ""
    # A code in capitals may stand in front.
    return re.sub(r"^[A-Z]{3,}\s+(?=\S+\s)", "", told) if isinstance(told, str) else ""


def says_failure(body: object) -> bool:
    """Whether the body of a success says that it is none: GraphQL, JSON-RPC, JSend and chats tell their errors so."""
    if isinstance(body, str) and _SAYS_FAILURE.match(body):
        return True
    return isinstance(unwrapped(body), str) != isinstance(body, str) or any(
        _tells_failure(part) for part in (body, unwrapped(body), *_coded(body, _MAX_DEPTH)) if isinstance(part, dict)
    )


def _coded(body: object, depth: int) -> Iterator[object]:
    """The objects within an object, outside lists, that have an error and its number."""
    for part in body.values() if isinstance(body, dict) and depth else ():
        if isinstance(part, dict) and isinstance(part.get("error_code", part.get("errorCode")), int):
            yield part
        yield from _coded(part, depth - 1)


def _tells_failure(body: dict[str, Json]) -> bool:
    # A thing with an id may be a job that failed.
    failed = str(body.get("status")) in _FAILED and "id" not in body and any(texts_of(body))
    told = body.get("ok") is False or body.get("success") is False or failed
    return told or bool(body.get("error") or body.get("errors"))


def messages(body: object) -> list[Message]:
    """The messages of an error response, at most 40, in the order in which they stand."""
    # An API has few errors, which are told again and again.
    text = compact(body)
    return [*_messages_of_text(text)] if len(text) <= MAX_TEXT else _messages(body)


@lru_cache(maxsize=1024)
def _messages_of_text(text: str) -> tuple[Message, ...]:
    return tuple(_messages(json.loads(text)))


def _messages(body: object) -> list[Message]:
    body = unwrapped(body)
    named = isinstance(body, dict) and not is_error(body)
    if named and (coded := [*_coded(body, _MAX_DEPTH)]):
        return [*islice(_walk(coded, _Spot(depth=1)), MAX_MESSAGES)]
    found = list(islice(_walk(body, _Spot(named=named)), MAX_MESSAGES))
    if any(message.located or any(" " in text for text in message.texts) for message in found):
        return found
    return next(_of_lists(body), found) or next(_of_envelopes(body), [])


def _of_lists(body: object) -> Iterator[list[Message]]:
    """The messages of each list of sentences: beside a code that says what is wrong in general, it may say it in words,
    wherever it stands."""
    for _, part in islice(parts(body), _MAX_PARTS):
        if has_sentences(part, 0):
            yield list(_walk(part, _Spot(depth=1)))


def _of_envelopes(body: object) -> Iterator[list[Message]]:
    """The messages of each object that is an error, in an envelope that nobody else has."""
    for _, part in islice(parts(body), _MAX_PARTS):
        found = islice(_walk(part, _Spot(depth=1)), MAX_MESSAGES) if isinstance(part, dict) and is_error(part) else ()
        if read := [*found]:
            yield read


def summarise_error(body: object) -> str:
    """The shortest honest rendering of an error response: its message, at most 160 characters."""
    if isinstance(body, str):
        return " ".join(body.split())[:160] if "<html" not in body.lower() else ""
    for message in sorted(messages(body), key=lambda message: not message.texts):
        text, name = (*message.texts, message.code)[0], message.location.name if message.located else ""
        return " ".join((f"{name}: {text}" if name else text).split())[:160]
    return ""


def _walk(value: object, spot: _Spot) -> Iterator[Message]:
    """The messages in a value."""
    if spot.depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        if len(value) > 1 and isinstance(value[0], str) and _CLASS.fullmatch(value[0]):
            # The class of an exception, and what it says.
            value = value[1:]
        for part in nearest_member(value)[:MAX_MESSAGES]:
            yield from _walk(part, spot.below(named=spot.named and isinstance(part, dict), located=spot.located))
    elif isinstance(value, str):
        yield from _of_text(value, spot)
    elif isinstance(value, dict) and value.keys() == {"lang", "value"}:
        # OData tells the language of a text.
        yield from _walk(value["value"], spot._replace(named=False))
    elif isinstance(value, dict):
        yield from _of_object(value, spot)


def _of_text(text: str, spot: _Spot) -> Iterator[Message]:
    """A message, or what is written in it: JSON, XML or HTML."""
    text = text.strip()
    if (inner := parsed(text)) is not None:
        yield from _walk(inner, spot.below(named=isinstance(inner, dict), located=spot.located))
    elif text.startswith("<") and (elements := _elements(text)):
        yield from _walk(elements, spot.below())
    elif text and len(text) <= MAX_TEXT:
        yield Message(spot.at, (readable(text),), located=spot.located)


def _elements(text: str) -> Json:
    """The leaves of XML as an object, or the words of HTML."""
    if re.match(r"\s*<(?:!doctype html|html)", text, re.I):
        return "\n".join(
            line.strip() for line in unescape(_TAGS.sub("\n", " ".join(text.split()))).split("\n") if line.strip()
        )
    leaves = [(name.rpartition(":")[2], unescape(value)) for name, value in _ELEMENT.findall(text)]
    return {name: "\n".join(value for other, value in leaves if other == name) for name, _ in leaves[:_MAX_PARTS]}


def _of_object(body: dict[str, Json], spot: _Spot) -> Iterator[Message]:
    texts, code = said_by(body), code_of(body)
    telling = bool(texts) or tells_by_code(body, spot.depth)
    # Under a name, what stands beside a code belongs to the code: Rails' `{"error": "confirmation", "attribute": …}`.
    by_code = bool(spot.at.keys) and spot.located and not any(" " in text for text in texts)
    where = located_by(body, spot.at, spot.depth) if telling and not by_code else None
    are_names = spot.named and not telling and not is_error(body)
    here = _Spot(where or spot.at, spot.depth, are_names, spot.located or where is not None)
    inner = list(_inside(body, here, has_text=bool(texts)))
    whole = Message(here.at, texts, code, params_of(body), here.located)
    yield from _whole_or_parts(body, whole, inner, telling=telling)


def _whole_or_parts(body: dict[str, Json], whole: Message, inner: list[Message], *, telling: bool) -> Iterable[Message]:
    """An object's own message, or those of its parts: these say it better, but of a union, another may be met."""
    if whole.texts:
        return [whole] if is_union(body) else _of_parts(body, inner, whole) or [whole]
    said = any(SENTENCE.search(text) for part in inner for text in part.texts)
    if (telling and not said) or (whole.code and not inner):
        return [whole]
    return [] if is_union(body) else inner


def _of_parts(body: dict[str, Json], inner: list[Message], whole: Message) -> list[Message]:
    """What the parts of an object with a text say: their own messages, or its text on each field that they list."""
    telling = [part for part in inner if part.located or any(map(SENTENCE.search, part.texts))]
    listed = [] if any(leads(*member) for member in body.items()) else listed_by(body) or _fields_of(body)
    return telling or [Message(at, whole.texts, whole.code, located=True) for at in listed]


def _fields_of(body: dict[str, Json]) -> list[ErrorLocation]:
    """The locations of the objects under `fields`, which have no texts of their own."""
    fields = body.get("fields")
    listed = [part for part in fields if isinstance(part, dict)] if isinstance(fields, list) else []
    places = (located_by(part, ErrorLocation(), 1) for part in listed)
    return [at for at in places if at is not None]


def _inside(body: dict[str, Json], spot: _Spot, *, has_text: bool) -> Iterator[Message]:
    """The messages below an object: in its containers, and under the names that they are on."""
    has_located = any(map(are_located, body.values()))
    for key, value in body.items():
        if key in WHOLE or (key.startswith("_") and spot.at.keys):
            yield from _walk(value, spot.below(named=spot.named, located=spot.located))
        elif not spot.at.keys and not has_located and is_place(key, value, spot.named):
            # `params` are all of them as often as those of the path.
            place = "" if key == "params" else place_of(key)
            yield from _walk(value, spot.below(ErrorLocation(place), named=True, located=spot.located))
        elif (contained := _contained(key, value, spot)) is not None:
            yield from contained
        elif holds_messages(key, value, spot.named) and (not has_text or has_sentences(value, spot.depth)):
            yield from _walk(value, spot.below(spot.at.below(location_of(key)), named=True, located=True))


def _contained(key: str, value: Json, spot: _Spot) -> Iterable[Message] | None:
    """The messages in a member whose name says that it has errors; None if it does not say so."""
    plain = "".join(words(key))
    if not spot.located and (listed := names_listed(key, value)):
        return [Message(spot.at, (listed,), located=True)]
    if plain in BY_NAME and (by_name := _by_name(value, spot)) is not None:
        return by_name
    if is_container(key, value, spot.named):
        inner = parsed(value) if isinstance(value, str) else value
        return _walk(inner, spot.below(named=plain in MAPS, located=spot.located))
    if plain == "constraints" and isinstance(value, dict):
        return _of_constraints(value, spot)
    return None


def _by_name(value: Json, spot: _Spot) -> Iterable[Message] | None:
    """The messages of a map from names to sentences or codes; None if it is none."""
    if are_codes_by_name(value):
        return _of_codes(value, spot.at)
    if isinstance(value, dict) and are_sentences_by_name(value):
        places = ((spot.at.below(location_of(name)), text) for name, text in value.items())
        return (part for there, text in places for part in _walk(text, spot.below(there, located=True)))
    return None


def _of_codes(value: Json, at: ErrorLocation) -> Iterator[Message]:
    """The messages of a map from names to codes, at any depth."""
    if isinstance(value, str):
        yield Message(at, (), value, located=True)
    members = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, part in members:
        yield from _of_codes(part, at.below(ErrorLocation("", (str(key),))))


def _of_constraints(constraints: dict[str, Json], spot: _Spot) -> Iterator[Message]:
    """The messages of class-validator's map from the codes of errors to their texts."""
    for code, text in constraints.items():
        if is_text(text):
            yield Message(spot.at, (text,), code, located=spot.located)
