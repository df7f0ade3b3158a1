"""Keys of objects that are the IDs of what they hold, and no names of members."""

from __future__ import annotations

import re
from collections.abc import Collection

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.I)


def looks_like_id(key: str) -> bool:
    """Whether a key of an object is an id rather than a name: `1042`, `-NxK3f…`, `ISBN:0451526538`, a date, a UUID."""
    digits = sum(char.isdigit() for char in key)
    return key.isdecimal() or digits >= 3 or (digits > 0 and (key[:1] in "-_" or ":" in key))


def are_uuids(keys: Collection[str]) -> bool:
    """Whether keys are UUIDs, which nothing but IDs are: what they hold need not be of one shape."""
    return bool(keys) and all(map(_UUID.fullmatch, keys))
