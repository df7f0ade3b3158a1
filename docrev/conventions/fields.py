"""What a field of an item is, by its name and value: a name, a code, free text, a link, or volatile."""

from __future__ import annotations

import re

from docrev.json_values.scalars import is_number
from docrev.language.words import words

NAMES = ("name", "title", "label", "fullname", "displayname", "headline", "subject")
"""Names of fields by which people call an item."""
PLAIN_IDS = ("id", "uuid", "_id", "guid", "pk")
"""What an object calls its own ID."""
CODES = ("code", "iata", "icao", "iso", "symbol", "abbreviation", "isbn", "sku", "tld")
"""Names of fields with a code that identifies an item, and that people use."""
FREE_TEXTS = frozenset("text title name label description note comment content subject summary message".split())
"""Names of fields that take any text."""
_VOLATILE = frozenset(
    "updated modified created timestamp now seen expires etag nonce served generated cached hits views uptime "
    "requested accessed revision age random elapsed duration remaining token".split()
)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\w{3}, \d\d \w{3} \d{4}")
_SPAN = r"(?:(?:about|almost|over|less than) )?(?:\d+|an?|a few|some) ?[a-z]+(?:,? (?:and )?\d+ [a-z]+)*"
_AGE = re.compile(rf"(?:just )?now|{_SPAN} (?:ago|from now)|in {_SPAN}", re.I)
"""A time as people tell it, which is another text later: `2 minutes ago`."""
_LINK = re.compile(r"https?://|/\w")
_EPOCH = 1_000_000_000


def is_name_field(name: str) -> bool:
    """Whether an item is called by this field: `name`, `display_name`, `book_title`."""
    parts = words(name)
    return parts != () and (parts[-1] in NAMES or "".join(parts) in NAMES)


def is_internal(name: str) -> bool:
    """Whether a field is no part of what an API offers, by its name: `__v`, `__started_ms__`; `__typename` is one."""
    return name.startswith("__") and name != "__typename"


def is_free_text(name: str) -> bool:
    """Whether a field takes any text, by the last word of its name."""
    return not FREE_TEXTS.isdisjoint(words(name)[-1:])


def is_volatile_field(name: str, value: object) -> bool:
    """Whether a field looks as if it changed by itself: a time, a count of views, a token."""
    if words(name) == ("seen",) and isinstance(value, int) and not is_epoch(value):
        # `seen: true` marks what was read, `last_seen` a time.
        return False
    return bool(_VOLATILE.intersection(words(name))) or (isinstance(value, str) and is_time(value))


def is_time(value: object) -> bool:
    """Whether a value may be a time: of ISO 8601, of HTTP, as people tell it, or a number."""
    return bool(_TIME.match(value) or _AGE.fullmatch(value)) if isinstance(value, str) else is_epoch(value)


def is_epoch(value: object) -> bool:
    """Whether a value is a number that may be a time, in seconds since 1970 or in parts of one."""
    return is_number(value) and value >= _EPOCH


def is_link(value: object) -> bool:
    """Whether a value is a URL or a path."""
    return isinstance(value, str) and bool(_LINK.match(value))
