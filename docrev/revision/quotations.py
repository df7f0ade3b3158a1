"""Observed values as quotations: what an API returns is data, and occurs in a text only between backticks.

Cut to 80 characters, without control and invisible characters, so that no response can write prose, hide text or turn
its direction (bidirectional controls) in somebody's documentation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace

from docrev.conventions.run_names import is_invented
from docrev.facts.masking import mask
from docrev.language.characters import shortened, visible
from docrev.records import Call, Json
from docrev.settings.choices import Examples

MAX_QUOTED = 80
_UUID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE)
_OF_CODE = re.compile(
    r"cannot (?:read|set) propert|is not a function\b|is not iterable\b"
    r"|undefined (?:method|index|variable|offset|array)|object has no attribute"
    r"|object is not (?:subscriptable|callable)|indices must be integers"
    r"|(?:list|string) index out of range|IndexOutOfBounds|null ?pointer|nil pointer|object reference not set"
    r"|stack overflow|traceback|segmentation fault|unexpected keyword argument|required positional argument|ClassCast",
    re.IGNORECASE,
)
"""What interpreters and runtimes say of the code of a service, which no caller sees: Python's, JavaScript's, Java's,
Go's, PHP's, Ruby's and .NET's texts."""


_OF_INSTALLATION = re.compile(
    r"\bcurrently (?:available|configured|enabled|installed|known|supported)\b"
    r"|\b(?:none|not) (?:configured|enabled|installed)\b",
    re.IGNORECASE,
)
"""What messages say of how a service is set up, or stands at the moment, and not of what it takes."""


def is_quotable(message: str) -> bool:
    """Whether what an API said is of use to others: it names no thing that the run made, and no fault in the code, and
    tells no state of one installation."""
    is_own = is_invented(message) or any(found.search(message) for found in (_UUID, _OF_INSTALLATION))
    return message != "" and not is_own and _OF_CODE.search(message) is None


def quote(value: Json) -> str:
    """`value` as a quotation: `` `BRU` ``, `` `42` ``; "" if nothing visible is left."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = shortened(visible(text).replace("`", "'"), MAX_QUOTED)
    return f"`{text}`" if text else ""


def quote_message(text: str) -> str:
    """A message as a quotation at the end of a sentence, which has a full stop of its own."""
    return quote(text.strip().removesuffix("."))


def example(values: Iterable[Json], field: str, *, parents: str = "", examples: Examples = "masked") -> str:
    """The first of `values` that can be shown, quoted; "" if there is none.

    Only scalars are shown. A personal value is replaced by a stand-in that shows its form (`user@example.com`), and
    passed over if that would only be `[name]`.
    """
    for value in values:
        shown = showable(value, field, parents=parents, examples=examples)
        if shown is not None and (text := quote(shown)):
            return text
    return ""


def showable(value: Json, field: str, *, parents: str = "", examples: Examples = "masked") -> Json:
    """`value` as it may be written; None if it may not."""
    if examples == "none" or isinstance(value, dict | list) or value is None or value == "":
        return None
    if examples == "observed":
        return value
    shown = mask(value, field, parents=parents)
    if shown != value and (not isinstance(shown, str) or shown.startswith("[")):
        return None
    return shown


def masked_call(call: Call) -> Call:
    """A call as a model may see it: personal values masked, and nothing that says where it was sent."""
    parents = call.key.path
    arguments = {at: mask(value, at.partition(":")[2], parents=parents) for at, value in call.arguments.items()}
    return replace(call, arguments=arguments, body=mask(call.body, parents=parents), url="", headers={})


def values(found: Iterable[Json], field: str, *, parents: str = "", examples: Examples = "masked") -> list[str]:
    """`found` quoted, in order and without duplicates; [] if one of them may not be shown."""
    shown = [showable(value, field, parents=parents, examples=examples) for value in found]
    if any(value is None for value in shown):
        return []
    return list(dict.fromkeys(text for text in map(quote, shown) if text))
