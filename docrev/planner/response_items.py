"""Reading a response: the items that it is about, with their scalar fields. Each response is read once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from docrev.conventions.envelopes import ENVELOPES
from docrev.language.words import singular, words
from docrev.records import Json

MAX_ITEMS = 50
MAX_FIELDS = 60

_META = frozenset(
    "total count page pages limit offset size next previous prev first last per cursor has more links meta "  # noqa: SIM905
    "pagination number start skip took query status message success ok results copyright version generated".split()
)
_CHANGING = frozenset(
    "updated modified created timestamp now seen expires etag nonce served generated cached hits views uptime "  # noqa: SIM905
    "requested accessed revision age random elapsed duration remaining token".split()
)
_COUNTING = frozenset({"total", "count", "hits", "found"})
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
_LINK = re.compile(r"https?://|/\w")


class ResponseItem(NamedTuple):
    """One object of a response. `fields` maps the path inside it to a scalar: `name`, `country/code`.

    `pattern` is its pointer with `/0` for any item of an array; `noun` is set where its key says what it is.
    """

    pattern: str
    noun: str
    fields: dict[str, Json]


@dataclass(frozen=True, slots=True)
class ResponseItems:
    """The items that a response is about: those of its list (`is_list`), or the one that it is.

    `is_partial`: the list is a page of a longer one, by its own account, or longer than what is looked at.
    """

    items: tuple[ResponseItem, ...]
    is_list: bool
    is_partial: bool = False


def read_items(body: Json) -> ResponseItems:
    """The main items of a response body, at most 50; none where it holds nothing that can be named."""
    pattern, noun, value = _main(body, "", "")
    if isinstance(value, list):
        items = (_item(f"{pattern}/0", noun, part) for part in value[:MAX_ITEMS])
        partial = len(value) > MAX_ITEMS or _paged(body, len(value))
        return ResponseItems(tuple(item for item in items if item.fields), True, partial)
    item = _item(pattern, noun, value)
    return ResponseItems((item,) if item.fields else (), False)


def _main(body: Json, pattern: str, noun: str) -> tuple[str, str, Json]:
    """Through envelopes to what the response is about."""
    if not isinstance(body, dict):
        return pattern, noun, body
    for key, value in body.items():
        if key.lower() in ENVELOPES and (isinstance(value, list) or (isinstance(value, dict) and _wrapped(body, key))):
            return _main(value, f"{pattern}/{key}", noun)
    lists = [key for key, value in body.items() if isinstance(value, list) and _objects(value)]
    if len(lists) == 1 and all(_about_paging(key) for key in body if key != lists[0]):
        return f"{pattern}/{lists[0]}", singular((words(lists[0]) or ("",))[-1]), body[lists[0]]
    return pattern, noun, body


def _wrapped(body: dict[str, Json], key: str) -> bool:
    """Whether everything else in the body is about the answer and not part of it: `{"data": …, "permissions": …}`."""
    return all(isinstance(part, (dict, list)) or _about_paging(name) for name, part in body.items() if name != key)


def _paged(body: Json, count: int) -> bool:
    """Whether the body says that there is more: a larger total, or a next page."""
    if not isinstance(body, dict):
        return False
    for name, part in body.items():
        if isinstance(part, dict) and name.lower() in ("meta", "paging", "pagination", "links", "_links", "page"):
            if _paged(part, count):
                return True
        elif name.lower().startswith("next") or name.lower() in ("has_more", "hasmore"):
            if part:
                return True
        elif _COUNTING.intersection(words(name)) and isinstance(part, int) and part > count and "page" not in name:
            return True
    return False


def _objects(value: list[Json]) -> bool:
    return not value or isinstance(value[0], dict)


def _about_paging(key: str) -> bool:
    return bool(_META.intersection(words(key)))


def _item(pattern: str, noun: str, value: Json) -> ResponseItem:
    fields: dict[str, Json] = {}
    if isinstance(value, dict):
        _flatten(value, "", fields)
    elif value is not None and not isinstance(value, list):
        fields[""] = value
    return ResponseItem(pattern, noun, fields)


def _flatten(value: dict[str, Json], prefix: str, fields: dict[str, Json]) -> None:
    for name, part in value.items():
        if len(fields) >= MAX_FIELDS:
            return
        if isinstance(part, dict):
            if prefix.count("/") < 2:
                _flatten(part, f"{prefix}{name}/", fields)
        elif not isinstance(part, list):
            fields[f"{prefix}{name}"] = part


def is_volatile_field(name: str, value: Json) -> bool:
    """Whether a field looks as if it changed by itself: a time of change, a counter of views, a token."""
    if _CHANGING.intersection(words(name)):
        return True
    return isinstance(value, str) and bool(_DATED.match(value))


def is_id_name(name: str) -> bool:
    """Whether a field is an id: nothing that a person would name a thing by."""
    return words(name)[-1:] in (("id",), ("uuid",), ("guid",), ("key",))


def is_link(value: Json) -> bool:
    """Whether a value is an address rather than something to ask for."""
    return isinstance(value, str) and bool(_LINK.match(value))


def same_scalar(one: Json, other: Json) -> bool:
    """Whether two scalars say the same: 7 and "7", "Paris" and "paris"; True is not 1."""
    if isinstance(one, str) and isinstance(other, str):
        return one == other or (len(one) == len(other) and one.casefold() == other.casefold())
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other or str(one).lower() == str(other).lower()
    return one == other or str(one).casefold() == str(other).casefold()
