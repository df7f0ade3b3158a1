"""Conditional requests (RFC 9110 §13): a write only if nobody else has written since, or only if nothing is there."""

from __future__ import annotations

import re

from docrev.records import Call

IF_MATCH, IF_NONE_MATCH = "If-Match", "If-None-Match"
ANYTHING = "*"
"""As `If-None-Match`: only if there is nothing."""
_FIRST_SIGN = re.compile(r"(?<=\")[0-9A-Za-z]")


def entity_tag(call: Call) -> str:
    """The `ETag` that a response has, if it can stand in `If-Match`; "" if there is none: a weak one never matches."""
    tag = next((value for name, value in call.headers.items() if name.lower() == "etag"), "")
    return tag if _FIRST_SIGN.search(tag) and not tag.startswith("W/") else ""


def another_tag(tag: str) -> str:
    """A tag of the same form, which no version of the thing has; of a time, an earlier one."""
    return _FIRST_SIGN.sub("1" if '"0' in tag else "0", tag, count=1)
