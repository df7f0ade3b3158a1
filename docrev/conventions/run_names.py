"""The names that a run gives to what it creates: made, recognised, and translated on their way to an API and back.

Above the wire each name has a fixed placeholder, `docrev-00000000-1`; on the wire eight digits that are drawn once a
run (its nonce) stand in its place. So leftovers of an earlier run neither collide with the names of a later one nor
pass for its own, and two runs still have the same arguments, call ids, facts and documents.
"""

from __future__ import annotations

import re
import secrets
from base64 import b64decode, b64encode
from collections.abc import Collection

from docrev.conventions.shaped_values import redrawn
from docrev.records import Json

PREFIX = "docrev"
PLACEHOLDER = "00000000"
"""What stands for the nonce of a run everywhere but on the wire."""
SCENARIOS, PROBES = "a", "b"
"""The series of the names that scenarios and probes give; those of the survey have none. Later is greater."""
_SERIES = ("", SCENARIOS, PROBES)

_SEPARATOR = r"(?:%(?:25)*[0-9a-f]{2}|\\u00[0-9a-f]{2}|&#x?[0-9a-f]{1,6};|[^0-9a-z])"
_HEAD = rf"({PREFIX}{_SEPARATOR}{{0,3}}|d0c4e5ed-?0000-?4000-?800[012]-?)"
# A name that was cut short still begins with digits of the nonce; fewer than four could be anybody's.
_NAMED = re.compile(rf"{_HEAD}([0-9]{{8}}|[0-9]{{4,7}}(?![0-9]))", re.IGNORECASE)
_MADE_UP = re.compile(rf"{_HEAD}({PLACEHOLDER}|0{{4,7}}(?![0-9]))", re.IGNORECASE)
_NUMBERED = re.compile(rf"({PREFIX}{_SEPARATOR}{{0,3}}{PLACEHOLDER}{_SEPARATOR}?)([a-z]?)([0-9]+)", re.IGNORECASE)
_NUMBERED_UUID = re.compile(rf"(d0c4e5ed-?0000-?4000-?800)([012])(-?{PLACEHOLDER})([0-9]{{4}})", re.IGNORECASE)
_INVENTED_ENCODED = "ZG9jcmV2"
"""What base64 begins with of a text that docrev made up."""
_INVENTED_UUIDS = ("d0c4e5ed", "6f1d1a3e-0000-4000")
"""What UUIDs begin with that docrev made: those of a run, and the one that stands for any."""
_INVENTED_NUMBERS = ("900", "909")
"""What numbers of nine digits begin with that are sent as ids nobody has."""


def draw_nonce() -> str:
    """Eight random digits, the first of them no zero: a nonce never looks like the placeholder."""
    return str(10**7 + secrets.randbelow(9 * 10**7))


def run_name(number: int, series: str = "") -> str:
    """`docrev-00000000-7`, a slug that most rules for names accept, or `docrev-00000000-a7` in a series."""
    return f"{PREFIX}-{PLACEHOLDER}-{series}{number}"


def run_email(number: int, series: str = "") -> str:
    """An e-mail address of the run's own, at a domain that is reserved for examples (RFC 2606)."""
    return f"{run_name(number, series)}@example.org"


def run_url(number: int, series: str = "") -> str:
    """A URL of the run's own, at a domain that is reserved for examples (RFC 2606)."""
    return f"https://example.org/{run_name(number, series)}"


def run_uuid(number: int, series: str = "") -> str:
    """A UUID of the run's own, of version 4 by its form: its last four digits are the number."""
    return f"d0c4e5ed-0000-4000-800{_SERIES.index(series)}-{PLACEHOLDER}{number % 10_000:04d}"


def run_base64(number: int, series: str = "") -> str:
    """A name of the run's own, as bytes are written in JSON: in base64."""
    return encoded(run_name(number, series))


def encoded(text: str) -> str:
    """A text in base64 (RFC 4648)."""
    return b64encode(text.encode()).decode()


def _encoded_head(digits: str) -> str:
    """How a name with these eight digits begins in base64: its 15 signs are 20, whatever follows them."""
    return encoded(f"{PREFIX}-{digits}")


_MADE_UP_ENCODED = _encoded_head(PLACEHOLDER)


def _decoded(text: str) -> str:
    """The name of this run that a text is in base64; any other text as it is."""
    if not text.startswith(_MADE_UP_ENCODED):
        return text
    try:
        return b64decode(text, validate=True).decode()
    except ValueError:
        return text


def is_made_up(value: object) -> bool:
    """Whether a text contains a name of this run: nobody else can have given it."""
    return isinstance(value, str) and (_MADE_UP.search(value) is not None or _MADE_UP_ENCODED in value)


def carries_made_up(value: object) -> bool:
    """Whether a JSON value contains a name of this run, at any depth and also as a key."""
    if isinstance(value, dict):
        return any(is_made_up(name) or carries_made_up(inner) for name, inner in value.items())
    return any(map(carries_made_up, value)) if isinstance(value, list) else is_made_up(value)


def is_invented(value: object) -> bool:
    """Whether docrev invented a text, in this run or in another one: it says nothing about an API."""
    return isinstance(value, str) and (
        PREFIX in value.lower() or value.lower().startswith(_INVENTED_UUIDS) or value.startswith(_INVENTED_ENCODED)
    )


def is_invented_id(value: object) -> bool:
    """Whether docrev invented an id: a text, or a number of nine digits from 900 or 909."""
    text = str(value)
    return is_invented(text) or (len(text) == 9 and text.isdecimal() and text.startswith(_INVENTED_NUMBERS))


def renumbered(value: object, number: int, series: str = "", *, fixed: Collection[str] = ()) -> Json:
    """A JSON value with another number in the names that were made up for it; the shape of each name stays.

    A name that is older than the newest in the value is that of something made earlier, and stays, as `fixed` texts do.
    """
    newest = max(_numbers(value, fixed), default=None)
    return value if newest is None else _replaced(value, newest, (series, number), fixed)


def mark_of(value: object) -> str:
    """The series and number of the newest name that was made up in a value, by which its codes are drawn."""
    return _mark(max(_numbers(value), default=("", 0)))


def number_of(value: object) -> int:
    """The number of the newest name that was made up in a value; 0 without one."""
    return max(_numbers(value), default=("", 0))[1]


_Number = tuple[str, int]
"""Series and number of a name: what was named later is greater."""


def _numbers(value: object, fixed: Collection[str] = ()) -> list[_Number]:
    """The series and number of each name in the values of a JSON value, without the `fixed` ones."""
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return [found for one in inner for found in _numbers(one, fixed)]
    if not isinstance(value, str) or value in fixed:
        return []
    value = _decoded(value)
    named = [_number_of(match) for match in _NUMBERED.finditer(value)]
    return named + [_number_of_uuid(match) for match in _NUMBERED_UUID.finditer(value)]


def _number_of(match: re.Match[str]) -> _Number:
    return match[2].lower(), int(match[3])


def _number_of_uuid(match: re.Match[str]) -> _Number:
    return _SERIES[int(match[2])], int(match[4])


def _mark(number: _Number) -> str:
    return f"{number[0]}{number[1]}"


def _replaced(value: object, newest: _Number, new: _Number, fixed: Collection[str]) -> Json:
    if isinstance(value, dict):
        return {name: _replaced(inner, newest, new, fixed) for name, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, newest, new, fixed) for inner in value]
    if not isinstance(value, str) or value in fixed:
        return value
    if (plain := _decoded(value)) != value:
        return encoded(str(_replaced(plain, newest, new, fixed)))
    series, number = new
    text = _NUMBERED.sub(lambda m: f"{m[1]}{series}{number}" if _number_of(m) == newest else m[0], value)
    uuid = f"{number % 10_000:04d}"
    text = _NUMBERED_UUID.sub(
        lambda m: f"{m[1]}{_SERIES.index(series)}{m[3]}{uuid}" if _number_of_uuid(m) == newest else m[0], text
    )
    return text if is_invented(text) else redrawn(text, _mark(newest), _mark(new))


class RunNames:
    """Translates between the names of the documents and those on the wire.

    `nonce` is eight decimal digits. Both directions exchange nonce and placeholder, so that what an API calls by the
    placeholder itself never passes for the run's own. Only digits behind `docrev` and at most three signs (or in
    the run's form of a UUID) are touched, and every text keeps its length.
    """

    def __init__(self, nonce: str = PLACEHOLDER) -> None:
        self.nonce = nonce
        self._encoded_head = _encoded_head(nonce)

    def outgoing(self, text: str) -> str:
        """`text` as an API is to see it: each name with the nonce of the run."""
        return self._exchanged(text)

    def incoming(self, text: str) -> str:
        """`text` of an API as everybody else is to see it: each name with the placeholder."""
        return self._exchanged(text)

    def outgoing_bytes(self, content: bytes) -> bytes:
        """`outgoing` for the content of a request, of whatever encoding: names are ASCII."""
        return self.outgoing(content.decode("latin-1")).encode("latin-1")

    def _exchanged(self, text: str) -> str:
        if self.nonce == PLACEHOLDER:
            return text
        text = self._exchanged_encoded(text)
        if self.nonce[:4] not in text and PLACEHOLDER[:4] not in text:
            return text
        return _NAMED.sub(lambda match: match[1] + self._other(match[2]), text)

    def _exchanged_encoded(self, text: str) -> str:
        """A text with the names in it that are in base64 exchanged."""
        ours, fixed = self._encoded_head, _MADE_UP_ENCODED
        if ours not in text and fixed not in text:
            return text
        return fixed.join(part.replace(fixed, ours) for part in text.split(ours))

    def _other(self, digits: str) -> str:
        count = len(digits)
        if digits == self.nonce[:count]:
            return PLACEHOLDER[:count]
        return self.nonce[:count] if digits == PLACEHOLDER[:count] else digits
