"""What a plain YAML scalar stands for: read as YAML 1.2 (§10.3.2, core schema), told apart as YAML 1.1."""

from __future__ import annotations

import math
import re
from typing import Final

from docrev.records import Json

NAN: Final = math.nan

_WORDS: Final[dict[str, Json]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), NAN),
}
_INT = re.compile(r"[-+]?[0-9]{1,4000}")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_FIRST = frozenset("+-.0123456789")

_OLD_WORDS = frozenset(("", "yes", "no", "on", "off", "true", "false", "null", "y", "n"))
_OLD_FIRST = _FIRST | frozenset("=~<")
_OLD_NUMBER = re.compile(
    r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
    r"|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN)|[=~]|<<"
)
_OLD_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t][-+:.0-9 \tZ]*)?")


def resolve(text: str) -> Json:
    """The value of a plain scalar: `010` is ten, `0o17` fifteen; `no`, `1_000` and dates are strings.

    A number too large for a float stays a string too: it is a hash, like `5886e001361`.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _FIRST:
        return text
    if _INT.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text[2:], 8)
    if _HEX.fullmatch(text):
        return int(text[2:], 16)
    number = float(text) if _FLOAT.fullmatch(text) else math.inf
    return text if math.isinf(number) else number


def ambiguous(text: str) -> bool:
    """Whether a string, written plain, would be read as something else by YAML 1.1 or 1.2."""
    if text[:1] not in _OLD_FIRST:
        return text.lower() in _OLD_WORDS
    return (
        not isinstance(resolve(text), str)
        or _OLD_NUMBER.fullmatch(text) is not None
        or _OLD_DATE.fullmatch(text) is not None
    )
