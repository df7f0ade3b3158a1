"""Request bodies by media type: JSON, forms, multipart with files, XML, lines of JSON, text, and files as they are."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode
from xml.sax.saxutils import escape, quoteattr

from docrev.calls.path_texts import plain
from docrev.calls.sample_files import content_of, ending_for, ending_of, endings, media_type_of, named_endings
from docrev.conventions.run_names import is_made_up
from docrev.json_values.canonical import canonical
from docrev.json_values.containers import mapping
from docrev.language.media_types import essence
from docrev.records import Json
from docrev.spec.operation import FORM, MULTIPART
from docrev.spec.schema import properties_of

if TYPE_CHECKING:
    from docrev.spec.schema import Schema

CONTENT_TYPE = "header:content-type"
"""The argument that names another media type of the spec for the body: how it is written, and no parameter."""
ACCEPT = "header:accept"
"""The argument that asks for the response in another media type than the documented ones."""
_SEQUENCE = "json-seq"
_LINES = ("ndjson", "jsonl", "jsonlines", "json-lines", "stream+json", _SEQUENCE)
_BINARY = ("image/", "audio/", "video/", "font/")
_ANY_FILE, _PLAIN = "application/octet-stream", "text/plain"
_XML_NAME = re.compile(r"[A-Za-z_][\w.-]*(:[A-Za-z_][\w.-]*)?")
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def encode(body: object, media_type: str, schema: Schema | None = None) -> tuple[str, bytes]:
    """The content type and the bytes of a body. What a media type cannot hold is sent as JSON."""
    kind = media_type.lower()
    if isinstance(body, dict) and kind == MULTIPART:
        return _multipart(body, schema)
    if isinstance(body, str) and (ending := _file_ending(body, kind)):
        return media_type, content_of(ending, body)
    text = _text(body, kind, schema)
    if text is None:
        return "application/json", compact(body).encode(errors="replace")
    return media_type or "application/json", text.encode(errors="replace")


def _file_ending(body: str, kind: str) -> str:
    """The ending of the file that a text stands for as a body of a media type; "" if it is sent as it is."""
    return ending_of(body) or ending_for(kind) if is_file_type(kind) else ""


def _text(body: object, kind: str, schema: Schema | None) -> str | None:
    """A body as a text of a media type; None if it cannot be that."""
    if kind == FORM and isinstance(body, dict):
        return urlencode([pair for name, value in body.items() for pair in exploded(name, value)])
    if is_lines(kind):
        return _lines(body, "\x1e" if kind.endswith(_SEQUENCE) else "")
    if _is_sent_as_json(body, kind):
        return compact(body)
    if isinstance(body, str):
        return body
    return _xml(body, schema) if kind.endswith("xml") else _plain_text(body) if kind.startswith("text/") else None


def _is_sent_as_json(body: object, kind: str) -> bool:
    """Whether a body is written as JSON; JSON is YAML too."""
    return "json" in kind or not kind or (kind.endswith("yaml") and not isinstance(body, str))


def _plain_text(body: object) -> str:
    return compact(body) if isinstance(body, dict | list) else plain(body)


def _lines(body: object, mark: str) -> str:
    """A value on each line (NDJSON, JSON Lines), or behind record separators (RFC 7464)."""
    return "".join(f"{mark}{compact(line)}\n" for line in (body if isinstance(body, list) else [body]))


def is_lines(media_type: str) -> bool:
    """Whether a body of a media type has a JSON value on each line, or behind each record separator."""
    return essence(media_type).endswith(_LINES)


def has_object_lines(text: str) -> bool:
    """Whether a text has several lines, each of which is a JSON object."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and all(map(_is_object, lines))


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def is_text_or_file(media_type: str) -> bool:
    """Whether a body of a media type is one text, or a file."""
    kind = media_type.lower()
    return is_file_type(kind) or (kind.startswith("text/") and not kind.endswith("xml"))


def is_file_type(media_type: str) -> bool:
    """Whether a body of a media type is a file that is no text."""
    kind = media_type.lower()
    written = kind.startswith("text/") or kind.endswith(("xml", "json", "yaml", "toml")) or is_lines(kind)
    return not written and (kind == _ANY_FILE or kind.startswith(_BINARY) or ending_for(kind) != "")


def exploded(name: str, value: object) -> list[tuple[str, str]]:
    """A value as pairs of a form or a query: one for each item of a list, or member of an object."""
    if isinstance(value, list):
        return [(name, plain(item)) for item in value]
    if isinstance(value, dict):
        return [(key, plain(item)) for key, item in value.items()]
    return [(name, plain(value))]


# Multipart (RFC 7578)


def _multipart(body: Mapping[str, object], schema: Schema | None) -> tuple[str, bytes]:
    # The boundary is a digest of the content: the same arguments are the same bytes.
    boundary = hashlib.sha256(canonical(dict(body)).encode()).hexdigest()[:32]
    described = properties_of(schema)
    parts = [
        _part(name, item, described.get(name))
        for name, value in body.items()
        for item in (value if isinstance(value, list) else [value])
    ]
    content = b"".join(b"--%s\r\n%s\r\n" % (boundary.encode(), part) for part in parts)
    return f"{MULTIPART}; boundary={boundary}", content + f"--{boundary}--\r\n".encode()


def _part(name: str, value: object, schema: Schema | None) -> bytes:
    shown = f'Content-Disposition: form-data; name="{quote(name, safe=" []$-_.", errors="replace")}"'
    kind, text = _file_kind(schema) or _undeclared_file(value, schema), plain(value)
    if kind is not None:
        # A file is called by what stands for it, and contains that; an ending says what it is, or else its member does.
        said = f"{name} {schema.description}" if schema is not None else name
        named = named_endings(said) if kind == _PLAIN else []
        ending = ending_of(text) or next(iter(named), "") or ending_for(kind) or "txt"
        kind = kind if ending_for(kind) == ending else media_type_of(ending)
        called = quote(text if "." in text else f"{text}.{ending}", safe=" -_.", errors="replace")
        head = f'{shown}; filename="{called}"\r\nContent-Type: {kind}'
        return head.encode() + b"\r\n\r\n" + content_of(ending, text)
    if isinstance(value, dict | list):
        return f"{shown}\r\nContent-Type: application/json\r\n\r\n{compact(value)}".encode(errors="replace")
    return f"{shown}\r\n\r\n{plain(value)}".encode(errors="replace")


def _undeclared_file(value: object, schema: Schema | None) -> str | None:
    """The media type of what nothing declares, and is called as a file of the run; None if it is no file."""
    return _PLAIN if schema is None and is_made_up(value) and ending_of(plain(value)) else None


def is_file(schema: Schema | None) -> bool:
    """Whether a part of a form is a file."""
    return _file_kind(schema) is not None


def other_files(value: object, said: str) -> list[str]:
    """What stands for the same file of other types: those that a refusal names before the others."""
    given = plain(value[0] if isinstance(value, list) and value else value)
    ending = ending_of(given)
    stem = given[: -len(ending) - 1] if ending else given
    others = dict.fromkeys([*named_endings(said), *endings()])
    return [f"{stem}.{other}" for other in others if other != ending]


def _file_kind(schema: Schema | None) -> str | None:
    """The media type of the file that a part of a form is; None if it is no file."""
    if schema is None:
        return None
    item = schema.items() if schema.type == "array" else schema
    if item is None:
        return None
    stated = item.get("contentMediaType")
    if isinstance(stated, str) and not item.get("contentEncoding"):
        return stated
    return _PLAIN if item.format == "binary" or item.node.get("type") == "file" else None


# XML (OpenAPI 3.1 §4.8.26)


def _xml(body: object, schema: Schema | None) -> str:
    default = (
        schema.place.pointer.rpartition("/")[2] if schema is not None and "chemas/" in schema.place.pointer else ""
    )
    return '<?xml version="1.0" encoding="UTF-8"?>' + "".join(_elements(default or "root", body, schema, alone=True))


def _elements(name: str, value: object, schema: Schema | None, *, alone: bool = False) -> Iterator[str]:
    """The elements of a value: several for an array that is not wrapped; `alone`: exactly one."""
    own = _names(schema)
    tag, namespace = _tag(name, own)
    if not isinstance(value, list):
        yield _element(tag, namespace, value, schema)
        return
    items = schema.items() if schema is not None else None
    inner = [
        text for item in value for text in _elements(name if not _names(items) else "item", item, items, alone=True)
    ]
    if alone or own.get("wrapped") is True:
        yield f"<{tag}{namespace}>{''.join(inner)}</{tag}>"
    else:
        yield from inner


def _element(tag: str, attributes: str, value: object, schema: Schema | None) -> str:
    if not isinstance(value, dict):
        text = escape(_NOT_IN_XML.sub("", plain(value)))
        return f"<{tag}{attributes}>{text}</{tag}>"
    described = properties_of(schema)
    inner: list[str] = []
    for name, part in value.items():
        names = _names(described.get(name))
        if names.get("attribute") is True:
            attributes += f" {_tag(name, names)[0]}={quoteattr(_NOT_IN_XML.sub('', plain(part)))}"
        else:
            inner += _elements(name, part, described.get(name))
    return f"<{tag}{attributes}>{''.join(inner)}</{tag}>"


def _names(schema: Schema | None) -> Mapping[str, Json]:
    """The `xml` object of a schema."""
    found = schema.get("xml") if schema is not None else None
    return mapping(found)


def _tag(name: str, names: Mapping[str, object]) -> tuple[str, str]:
    """The name of an element, and its namespace as an attribute."""
    given, prefix, namespace = names.get("name"), names.get("prefix"), names.get("namespace")
    tag = given if isinstance(given, str) else name
    tag = f"{prefix}:{tag}" if isinstance(prefix, str) and prefix else tag
    if not _XML_NAME.fullmatch(tag):
        tag = "_" + re.sub(r"[^\w.-]", "_", tag)
    if not isinstance(namespace, str) or not namespace:
        return tag, ""
    declared = f"xmlns:{prefix}" if isinstance(prefix, str) and _XML_NAME.fullmatch(prefix) else "xmlns"
    return tag, f" {declared}={quoteattr(namespace)}"
