"""Codes that a run makes up: with the shape of those that others have, where no name of the run is taken.

Numbers of invoices, registration marks and keys of projects have a form that a service checks and hardly ever
documents. A new one has a letter for each letter and a digit for each digit of one that was seen, or that an error
gives as an example ("must look like AB-123"). Its shape and a mark say which: the mark is the number of the run's names
beside it, so that the next thing gets another code with its other name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase, digits

from docrev.records import Json

_MAX_LENGTH = 40
_MIN_SIGNS = 3
"""Letters and digits that a code must have: with fewer, a word of somebody might be what the run would draw."""
_EXAMPLE = re.compile(
    r"\b(?:looks? like|e\.g\.|for example|for instance|such as|example:)[,:]?\s+"
    r"(?:[\"'`](?P<quoted>[^\"'`\s]+)[\"'`]|(?P<bare>[^\s\"'`]*\w))",
    re.I,
)
_OWN = {sign: signs for signs in (ascii_lowercase, ascii_uppercase, digits[1:]) for sign in signs} | {"0": digits[1:]}


def examples_in(text: str) -> list[str]:
    """The examples of a value that an error gives: `AB-123` of "must look like AB-123"."""
    return [found["quoted"] or found["bare"] for found in _EXAMPLE.finditer(text)]


def shaped_like(samples: Iterable[Json], mark: str) -> list[Json]:
    """A code of the run for each shape of the samples that are codes; the same mark gives the same codes."""
    found = (_drawn(sample, mark) for sample in samples if isinstance(sample, str) and _is_code(sample))
    return [*dict.fromkeys(found)]


def redrawn(code: str, old: str, new: str) -> str:
    """A code that was drawn with the `old` mark as it is with the `new` one; any other text as it is."""
    return _drawn(code, new) if _is_code(code) and _drawn(code, old) == code else code


def _is_code(text: str) -> bool:
    """Whether a text has no words in it that mean something: it is in capitals, or has digits."""
    plain = text.isascii() and len(text) <= _MAX_LENGTH and not re.search(r"[\s@/:]", text)
    telling = any(sign.isdigit() for sign in text) or text.isupper()
    return plain and telling and sum(sign in _OWN for sign in text) >= _MIN_SIGNS


def _drawn(sample: str, mark: str) -> str:
    """The sample with other letters and digits, which only its shape and the mark choose."""
    shape = "".join(_OWN[sign][0] if sign in _OWN else sign for sign in sample)
    stream = hashlib.sha512(f"{shape} {mark}".encode()).digest()
    pairs = zip(sample, stream, strict=False)
    return "".join(_OWN[sign][byte % len(_OWN[sign])] if sign in _OWN else sign for sign, byte in pairs)
