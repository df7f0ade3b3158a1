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
from html import unescape

from docrev.conventions.error_codes import claims_of_code
from docrev.conventions.error_locations import WHOLE, ErrorLocation, location_of, place_of
from docrev.language.characters import without_long_runs
from docrev.language.words import words
from docrev.records import Json

MAX_MESSAGES = 40
_MAX_TEXT = 4000
_MAX_DEPTH = 7
_TEXTS = ("msg", "message", "defaultMessage", "detail", "description", "reason", "error", "title")
_TEXT_KEY = re.compile(
    r"(?:^err|msg|message|details?|description|desc|reason|error|title|text|faultstring|info|summary)$"
)
_LOCATORS = (
    *("loc", "instancePath", "dataPath", "instanceLocation", "pointer", "source", "field", "fieldName", "property"),
    *("attr", "propertyPath", "propertyName", "property_path", "param", "parameter", "parameterName"),
    *("attribute", "path"),
    *("name", "target", "location", "key"),
)
_PATHS = (
    "loc",
    "instancePath",
    "dataPath",
    "instanceLocation",
    "pointer",
    "propertyPath",
    "field",
    "fieldName",
    "param",
    "attr",
)
"""The locators that nothing but an error has."""
_CODES = (
    "code",
    "type",
    "keyword",
    "rule",
    "tag",
    "errorCode",
    "error_code",
    "validator",
    "kind",
    "constraint",
    "Code",
    "key",
    "validation",
)
_BESIDE = ("ctx", "params", "context", "meta", "constraints", "attributes", "extensions", "args")
_CONTAINERS = frozenset(
    "errors error details detail issues violations fieldviolations invalidparams validationerrors message "  # noqa: SIM905
    "messages fields fielderrors globalerrors formerrors validation rootcause causedby causes "
    "constraintviolations failures invalidfields errordetails data exception errormessages "
    "parameterviolations propertyviolations innererror response fault status embedded modelstate body "
    "parametererrors unionerrors diagnostics extra problems msg properties errorcauses responsestatus".split()
)
_MAPS = frozenset(
    "errors fields fielderrors validationerrors details messages invalidparams message detail error "  # noqa: SIM905
    "failures invalidfields validation modelstate data invalid issues properties".split()
)
"""Containers in which names may stand for their messages."""
_BY_NAME = frozenset({"errors", "fielderrors", "validationerrors", "fields"})
# A word and another one: looked for from where each begins, for a text may be one word of a million letters.
_SENTENCE = re.compile(r"(?<!\S)[^\w\s]*+\w\S*+\s++\S|required|missing|invalid|blank|taken|exists|unknown", re.I)
_UNIONS = re.compile(r"/(?:oneOf|anyOf)/\d|union", re.I)
_CLASS = re.compile(r"(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Invalid|NotValid|NotFound)|(?:\w+\.)+[A-Z]\w+")
_PRINTED = re.compile(
    r"""\{'type': '(\w+)', 'loc': \(([^()]*)\), 'msg': ('(?:[^'\\]|\\.){0,500}'|"(?:[^"\\]|\\.){0,500}")"""
)
_TAGGED = re.compile(r"(?:found using|using discriminator) ('[^']+')")
_KEY = re.compile(r"""'([^']*)'|"([^"]*)"|(\d+)""")
_ENUM = re.compile(r"<\w+\.\w+: ('[^']*'|\d+)>")
"""A member of an enumeration as Python prints it."""
_TAGS = re.compile(r"<(?:style|script|head)\b.*?</(?:style|script|head)>|<[^>]+>", re.DOTALL | re.I)
_WRONG = re.compile(r"missing|required|unknown|unexpected|unrecogni[sz]ed|extra|unpermitted|disallowed")
_NAME = re.compile(r"[A-Za-z_$][\w.$\-]{0,60}")
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


def _unwrapped(body: object) -> object:
    """The error that is all a body has, with the number of its status: `{"itemNotFound": {"code": 404, …}}`."""
    members = [value for value in body.values() if value is not None] if isinstance(body, dict) else []
    inner = members[0] if len(members) == 1 else None
    return inner if isinstance(inner, dict) and isinstance(inner.get("code"), int) and any(_texts_of(inner)) else body


def messages(body: object) -> list[Message]:
    """The messages of an error response, at most 40, in the order in which they stand."""
    body = _unwrapped(body)
    found: list[Message] = []
    for message in _walk(body, ErrorLocation(), 0, named=isinstance(body, dict) and not _is_error(body)):
        found.append(message)
        if len(found) >= MAX_MESSAGES:
            break
    return found


def summarise_error(body: object) -> str:
    """The shortest honest rendering of an error response: its message, at most 160 characters."""
    if isinstance(body, str):
        return " ".join(body.split())[:160] if "<html" not in body.lower() else ""
    for message in sorted(messages(body), key=lambda message: not message.texts):
        text, name = (*message.texts, message.code)[0], message.location.name if message.located else ""
        return " ".join((f"{name}: {text}" if name else text).split())[:160]
    return ""


def _walk(
    value: object, at: ErrorLocation, depth: int, *, named: bool = False, located: bool = False
) -> Iterator[Message]:
    """The messages in a value at a location; `named` if the members of an object may be names."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        if len(value) > 1 and isinstance(value[0], str) and _CLASS.fullmatch(value[0]):
            # The class of an exception, and what it says.
            value = value[1:]
        for part in value[:MAX_MESSAGES]:
            yield from _walk(part, at, depth + 1, named=named and isinstance(part, dict), located=located)
    elif isinstance(value, str):
        yield from _of_text(value, at, depth, located)
    elif isinstance(value, dict) and value.keys() == {"lang", "value"}:
        # OData tells the language of a text.
        yield from _walk(value["value"], at, depth, located=located)
    elif isinstance(value, dict):
        yield from _of_object(value, at, depth, named, located)


def _of_text(text: str, at: ErrorLocation, depth: int, located: bool) -> Iterator[Message]:
    """A message, or what is written in it: JSON, XML or HTML."""
    text = text.strip()
    if printed := [_of_printed(match) for match in _PRINTED.finditer(text)]:
        yield from _walk(printed, at, depth + 1)
    elif (inner := _parsed(text)) is not None:
        yield from _walk(inner, at, depth + 1, named=isinstance(inner, dict), located=located)
    elif text.startswith("<") and (elements := _elements(text)):
        yield from _walk(elements, at, depth + 1)
    elif text and len(text) <= _MAX_TEXT:
        yield Message(at, (_readable(text),), located=located)


def _of_printed(match: re.Match[str]) -> dict[str, Json]:
    """An error of pydantic that was printed by Python (`{'type': 'missing', 'loc': ('body', 'name'), 'msg': …`)."""
    kind, keys, message = match.groups()
    named = [single or double or number for single, double, number in _KEY.findall(keys)]
    text = _readable(message[1:-1].replace("\\'", "'"))
    union = _TAGGED.search(text)
    beside = {"discriminator": union.group(1), "expected_tags": text.partition("expected tags: ")[2]} if union else {}
    return {"type": kind, "loc": [*named], "msg": text, "ctx": beside}


def _parsed(text: str) -> Json:
    """The object or array that a text is, or None."""
    if text.strip()[:1] not in ("{", "["):
        return None
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict | list) else None


def _elements(text: str) -> Json:
    """The leaves of XML as an object, or the words of HTML."""
    if re.match(r"\s*<(?:!doctype html|html)", text, re.I):
        return "\n".join(
            line.strip() for line in unescape(_TAGS.sub("\n", " ".join(text.split()))).split("\n") if line.strip()
        )
    return {name.rpartition(":")[2]: unescape(value) for name, value in _ELEMENT.findall(text)}


def _of_object(body: dict[str, Json], at: ErrorLocation, depth: int, named: bool, located: bool) -> Iterator[Message]:
    texts, code = tuple(_texts_of(body)), _code(body)
    telling = bool(texts) or _tells_by_code(body, depth)
    # Under a name, what stands beside a code belongs to the code: Rails' `{"error": "confirmation", "attribute": …}`.
    by_code = bool(at.keys) and located and not any(" " in text for text in texts)
    where = _located(body, at, depth) if telling and not by_code else None
    located, names = located or where is not None, named and not telling and not _is_error(body)
    inner = list(_inside(body, where or at, depth, names, located, has_text=bool(texts)))
    whole = Message(where or at, texts, code, _params(body), located)
    yield from _whole_or_parts(body, whole, inner, telling=telling)


def _whole_or_parts(body: dict[str, Json], whole: Message, inner: list[Message], *, telling: bool) -> Iterable[Message]:
    """An object's own message, or those of its parts: these say it better, but of a union, another may be met."""
    if whole.texts:
        return [whole] if _is_union(body) else _of_parts(body, inner, whole.texts, whole.code) or [whole]
    if whole.code and (telling or not inner):
        return [whole]
    return [] if _is_union(body) else inner


def _of_parts(body: dict[str, Json], inner: list[Message], texts: tuple[str, ...], code: str) -> list[Message]:
    """What the parts of an object with a text say: their own messages, or its text on each field that they list."""
    telling = [part for part in inner if part.located or any(map(_SENTENCE.search, part.texts))]
    fields = body.get("fields")
    listed = [part for part in fields if isinstance(part, dict)] if isinstance(fields, list) and not telling else []
    places = (_located(part, ErrorLocation(), 1) for part in listed)
    return telling or [Message(at, texts, code, located=True) for at in places if at is not None]


def _inside(
    body: dict[str, Json], at: ErrorLocation, depth: int, named: bool, located: bool, *, has_text: bool
) -> Iterator[Message]:
    """The messages below an object: in its containers, and under the names that they are on."""
    has_located = any(map(_are_located, body.values()))
    for key, value in body.items():
        if key in WHOLE or (key.startswith("_") and at.keys):
            yield from _walk(value, at, depth + 1, named=named, located=located)
        elif not at.keys and not has_located and _is_place(key, value, named):
            # `params` are all of them as often as those of the path.
            place = "" if key == "params" else place_of(key)
            yield from _walk(value, ErrorLocation(place), depth + 1, named=True, located=located)
        elif (contained := _contained(key, value, at, depth, named, located)) is not None:
            yield from contained
        elif _holds_messages(value, named) and (not has_text or _has_sentences(value, depth)):
            yield from _walk(value, at.below(location_of(key)), depth + 1, named=True, located=True)


def _contained(
    key: str, value: Json, at: ErrorLocation, depth: int, named: bool, located: bool
) -> Iterable[Message] | None:
    """The messages in a member whose name says that it has errors; None if it does not say so."""
    plain = "".join(words(key))
    if listed := _names_listed(key, value):
        return [Message(at, (listed,), located=True)]
    if plain in _BY_NAME and isinstance(value, dict) and _are_sentences_by_name(value):
        places = ((at.below(location_of(name)), text) for name, text in value.items())
        return (part for there, text in places for part in _walk(text, there, depth + 1, located=True))
    if _is_container(key, value, named):
        inner = _parsed(value) if isinstance(value, str) else value
        return _walk(inner, at, depth + 1, named=plain in _MAPS, located=located)
    if plain == "constraints" and isinstance(value, dict):
        return _of_constraints(value, at, located)
    return None


def _names_listed(key: str, value: Json) -> str:
    """A list of names under what is wrong with them, as a sentence: `{"missing_params": ["a", "b"]}`; or ""."""
    wrong, *what = words(key) or [""]
    if not (_WRONG.fullmatch(wrong) and what and isinstance(value, list) and value):
        return ""
    names = [name for name in value[:MAX_MESSAGES] if isinstance(name, str) and _NAME.fullmatch(name)]
    return f"{wrong} {' '.join(what)}: {', '.join(names)}" if len(names) == len(value[:MAX_MESSAGES]) else ""


def _are_sentences_by_name(value: dict[str, Json]) -> bool:
    """Whether an object of errors has one sentence for each name, as a `summary` or a `title` may be one."""
    texts = all(isinstance(text, str) and _is_sentence(text) for text in value.values())
    return texts and not set(value) & {*_TEXTS[:2], *_CODES, "detail", "error"} and any(map(_TEXT_KEY.search, value))


def _tells_by_code(body: dict[str, Json], depth: int) -> bool:
    """Whether an object inside a response is an error by its code alone."""
    return depth > 0 and bool(claims_of_code(_code(body), _params(body)))


def _of_constraints(constraints: dict[str, Json], at: ErrorLocation, located: bool) -> Iterator[Message]:
    """The messages of class-validator's map from the codes of errors to their texts."""
    for code, text in constraints.items():
        if _is_text(text):
            yield Message(at, (text,), code, located=located)


def _is_place(key: str, value: object, named: bool) -> bool:
    """Whether a member has the messages on one place of the request: `{"query": {"limit": "…"}}`."""
    if not place_of(key) or not isinstance(value, dict):
        return False
    return not _is_container(key, value, named) or (named and any(_texts_of(value)))


def _is_container(key: str, value: object, named: bool) -> bool:
    """Whether a member has errors in it, by its name; as JSON in a text, too."""
    plain = "".join(words(key))
    if isinstance(value, str):
        return plain in _CONTAINERS | set(_TEXTS) and _parsed(value) is not None
    if _are_located(value):
        return True
    return plain in _CONTAINERS and isinstance(value, dict | list) and not _is_by_name(key, value, named)


def _are_located(value: object) -> bool:
    """Whether a value is a list of errors, each with a text and its location: whatever it is called."""
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(part, dict) and any(key in part for key in _PATHS) and any(_texts_of(part)) for part in value)


def _has_sentences(value: object, depth: int) -> bool:
    """Whether a member beside the text of a whole response is a list of messages, and no parameter of the error."""
    return depth == 0 and isinstance(value, list) and _is_texts(value) and all(" " in part for part in value)


def _is_by_name(key: str, value: object, named: bool) -> bool:
    """Whether a member called like a container is a field with its messages (DRF's `{"message": ["…"]}` is none)."""
    if not named or key not in ("data", "body", "validation", "fields"):
        return False
    return _is_texts(value) if isinstance(value, list) else isinstance(value, dict) and any(_texts_of(value))


def _is_sentence(text: str) -> bool:
    return bool(_SENTENCE.search(text)) and "://" not in text and not text.startswith(("type.", "{", "["))


def _holds_messages(value: object, named: bool) -> bool:
    """Whether a member of an object has the messages on its name."""
    if isinstance(value, str):
        return named and _is_sentence(value)
    if isinstance(value, list):
        parts = [part for part in value if not isinstance(part, dict)]
        return _is_texts(parts) if parts and (named or parts == value) else named and bool(value)
    return named and isinstance(value, dict) and bool(value)


def _is_texts(value: list[Json]) -> bool:
    return bool(value) and all(_is_text(part) and _SENTENCE.search(part) for part in value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_error(body: dict[str, Json]) -> bool:
    """Whether an object is an error or has some, so that its members are no names of fields."""
    return any(True for _ in _texts_of(body)) or any(
        key not in WHOLE
        and isinstance(value, dict | list)
        and ("".join(words(key)) in _CONTAINERS or _are_located(value))
        for key, value in body.items()
    )


def _is_union(body: dict[str, Json]) -> bool:
    return "unionErrors" in body or "union" in _code(body)


def _texts_of(body: dict[str, Json]) -> Iterator[str]:
    """The texts of an error object: under common names, or under one that ends so (`status_message`, `errorDetail`)."""
    ending = (key for key in body if _TEXT_KEY.search("".join(words(key))))
    for key in dict.fromkeys((*_TEXTS, *ending)):
        text = body.get(key)
        if isinstance(text, str) and 0 < len(text.strip()) <= _MAX_TEXT and not _is_written(text.strip()):
            yield _readable(_filled(text.strip(), body.get("parameters")))


def _filled(text: str, parameters: Json) -> str:
    """A text with its parameters where it names them: Magento's `"%fieldName" is required.`"""
    named = parameters if isinstance(parameters, dict) else {}
    if isinstance(parameters, list):
        named = {str(number): value for number, value in enumerate(parameters, 1)}
    return re.sub(r"%(\w+)", lambda found: str(named.get(found.group(1), found.group(0))), text) if named else text


def _readable(text: str) -> str:
    """A message as patterns read it: without runs that they would try from each place, and with plain values."""
    return _ENUM.sub(r"\1", without_long_runs(text))


def _is_written(text: str) -> bool:
    """Whether a text is JSON, XML or HTML."""
    return text.startswith("<") or _parsed(text) is not None


def _code(body: dict[str, Json]) -> str:
    """The codes of an error object, in one: `string_too_short`, `minLength`; numbers and URLs are none."""
    codes = (body[key] for key in _CODES if isinstance(body.get(key), str))
    return next((code for code in codes if code and "/" not in code and " " not in code and code != "field"), "")


def _params(body: dict[str, Json]) -> dict[str, Json]:
    found = dict(body)
    for key in _BESIDE:
        if isinstance(beside := body.get(key), dict):
            found |= beside
    return found


def _of_jakarta(path: ErrorLocation) -> ErrorLocation:
    """Jakarta's paths begin with the method and its parameter."""
    return path._replace(keys=path.keys[2:] or path.keys[-1:])


def _located(body: dict[str, Json], at: ErrorLocation, depth: int) -> ErrorLocation | None:
    """The location that an error object tells beside its text; None if it tells none."""
    places = (place_of(str(body.get(key, ""))) for key in ("location", "in", "locationType", "source"))
    place = next(filter(None, places), "query" if body.get("locationType") == "parameter" else "")
    for key in _LOCATORS:
        named = body.get(key)
        if key in body and _is_locator(key, named, depth) and not _is_value(named, body):
            there = location_of(named, place or at.place)
            if body.get("constraintType") == "PARAMETER":
                there = _of_jakarta(there)
            return _under(at, there, named) if named else _whole(at, place)
    return ErrorLocation(place or at.place, at.keys) if place else None


def _is_value(named: object, body: dict[str, Json]) -> bool:
    """Whether what stands in the place of a name is the value: `x is not a valid account name` with target `x`."""
    return isinstance(named, str) and any(text.startswith(f"{named} is not a") for text in _texts_of(body))


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
    if key == "key" and not re.fullmatch(r"[a-z_]\w*", named):
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
    # Spring tells the path of the request at the top.
    return not (key == "path" and named.startswith("/") and depth == 0)
