"""The texts of an error object, under whatever names they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from docrev.json_values.containers import mapping
from docrev.language.characters import without_long_runs
from docrev.language.words import words
from docrev.records import Json

MAX_TEXT = 4000
TEXTS = ("msg", "message", "defaultMessage", "detail", "description", "reason", "error", "title")
TEXT_KEY = re.compile(
    r"(?:^err|msg|message|details?|description|desc|reason|error|title|text|faultstring|info|summary"
    r"|problem|violation|explanation|complaint|mensaje|mensagem|nachricht|meldung|messaggio|erreur|fehler)$"
)
# A word and another one: looked for from where each begins, for a text may be one word of a million letters.
SENTENCE = re.compile(r"(?<!\S)[^\w\s]*+\w\S*+\s++\S|required|missing|invalid", re.I)
_RESERVED = range(-32768, -31999)
"""Codes of JSON-RPC, whose messages are titles (`Invalid params.`): `data` says what is wrong."""
_MARKUP = re.compile(r"<(?:[?!]|html\b|(?=.*</|.*/>))", re.I | re.DOTALL)
_ENUM = re.compile(r"<\w+\.\w+: ('[^']*'|\d+)>")
"""A member of an enumeration as Python prints it."""
_IN_ANGLES = re.compile(r"(?<![^\s(:,])<((?!/)[^<>\"'`\n:]{1,60})>(?!\w|>|\.<)")
_PRINTED = re.compile(
    r"""\{'type': '(\w+)', 'loc': \(((?:'[^']{0,300}'|[^()']){0,200})\), """
    r"""'msg': ('(?:[^'\\]|\\.){0,500}'|"(?:[^"\\]|\\.){0,500}")"""
)
_TAGGED = re.compile(r"(?:found using|using discriminator) ('[^']+')")
_KEY = re.compile(r"""'([^']*)'|"([^"]*)"|(\d+)""")


def parsed(text: str) -> Json:
    """The object or array that a text is, or the errors that are printed in it; None if it has none."""
    if printed := [_of_printed(match) for match in _PRINTED.finditer(text)]:
        return [*printed]
    if text.strip()[:1] not in ("{", "["):
        return None
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict | list) else None


def _of_printed(match: re.Match[str]) -> dict[str, Json]:
    """An error of pydantic that was printed by Python (`{'type': 'missing', 'loc': ('body', 'name'), 'msg': …`)."""
    kind, keys, message = match.groups()
    named = [single or double or number for single, double, number in _KEY.findall(keys)]
    text = readable(message[1:-1].replace("\\'", "'"))
    union = _TAGGED.search(text)
    beside = {"discriminator": union.group(1), "expected_tags": text.partition("expected tags: ")[2]} if union else {}
    return {"type": kind, "loc": [*named], "msg": text, "ctx": beside}


def is_sentence(text: str) -> bool:
    """Whether a text reads as a sentence, and is no URL, code or JSON."""
    return bool(SENTENCE.search(text)) and "://" not in text and not text.startswith(("type.", "{", "["))


def are_texts(value: list[Json]) -> bool:
    """Whether a list has nothing but texts of several words."""
    return bool(value) and all(is_text(part) and SENTENCE.search(part) for part in value)


def is_text(value: object) -> bool:
    """Whether a value is a text that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def texts_of(body: dict[str, Json]) -> Iterator[str]:
    """The texts of an error object: under common names, or under one that ends so (`status_message`, `errorDetail`)."""
    code, said = body.get("code"), body.get("data")
    if isinstance(code, int) and code in _RESERVED and isinstance(said, str) and is_sentence(said.strip()):
        yield readable(said.strip()[:MAX_TEXT])
        return
    ending = (key for key in body if TEXT_KEY.search("".join(words(key))))
    for key in dict.fromkeys((*TEXTS, *ending)):
        text = body.get(key)
        if isinstance(text, str) and 0 < len(text.strip()) <= MAX_TEXT and not _is_written(text.strip()):
            yield readable(_filled(text.strip(), body.get("parameters")))


def _filled(text: str, parameters: Json) -> str:
    """A text with its parameters where it names them: Magento's `"%fieldName" is required.`"""
    named = mapping(parameters)
    if isinstance(parameters, list):
        named = {str(number): value for number, value in enumerate(parameters, 1)}
    return re.sub(r"%(\w+)", lambda found: str(named.get(found.group(1), found.group(0))), text) if named else text


def readable(text: str) -> str:
    """A message as patterns read it: without runs that they would try from each place, values plain or quoted."""
    return _IN_ANGLES.sub(r"'\1'", _ENUM.sub(r"\1", without_long_runs(text)))


def _is_written(text: str) -> bool:
    """Whether a text is JSON, XML or HTML."""
    return bool(_MARKUP.match(text)) or parsed(text) is not None
