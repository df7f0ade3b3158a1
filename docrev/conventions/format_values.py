"""Values of the formats that errors name: what was sent if it is near to the format, else an example."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import json
import re
import uuid
from collections.abc import Callable

from docrev.conventions.examples import values_of_type
from docrev.records import Json

_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?")


def formatted(form: str, value: object) -> Json:
    """A text of a format: made from the given one if it is near to it, else an example; None if none is known."""
    text = value if isinstance(value, str) else "docrev" if value is None else str(value)
    if form in _FORMS:
        return _FORMS[form](text)
    return next(iter(values_of_type(form)), None)


def _as_date_time(text: str) -> Json:
    """`2024-06-01T12:00:00Z`: the seconds and the zone are added if they are missing."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return f"{text}T00:00:00Z"
    stamp = _DATE_TIME.match(text)
    if stamp is None:
        return values_of_type("date-time")[0]
    whole = stamp.group().replace(" ", "T")
    zone = re.fullmatch(r"(?:Z|[+-]\d\d:\d\d)", text[stamp.end() :])
    return whole + (":00" if whole.count(":") == 1 else "") + (zone.group() if zone else "Z")


def _as_date(text: str) -> Json:
    return text[:10] if re.match(r"\d{4}-\d\d-\d\d", text) else values_of_type("date")[0]


def _as_uuid(text: str) -> Json:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return str(uuid.uuid5(uuid.NAMESPACE_URL, text))


def _as_duration(text: str) -> Json:
    """A duration of ISO 8601; where one was refused, one in units, as Go and many tools write it."""
    return values_of_type("duration-in-units" if text.startswith("P") else "duration")[0]


def _as_email(text: str) -> Json:
    return text if re.fullmatch(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}", text) else f"{_label(text)}@example.org"


def _as_url(text: str) -> Json:
    return text if re.match(r"https?://[^\s/]+", text) else f"https://example.org/{_label(text)}"


def _as_hostname(text: str) -> Json:
    return text if re.fullmatch(r"(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+", text) else f"{_label(text)}.example.org"


def _as_base64(text: str) -> Json:
    return base64.b64encode(text.encode()).decode()


def _as_json(text: str) -> Json:
    try:
        json.loads(text)
    except ValueError:
        return "{}"
    return text


def _as_network(form: str, read: Callable[[str], object]) -> Callable[[str], Json]:
    """What reads an address or a network as it is."""

    def address(text: str) -> Json:
        try:
            read(text)
        except ValueError:
            return values_of_type(form)[0]
        return text

    return address


def _as_id(pattern: str, prefix: str, length: int) -> Callable[[str], Json]:
    """What makes an identifier of hexadecimal digits, which those of other alphabets may consist of, too: one for each
    text."""

    def identifier(text: str) -> Json:
        # Capitals, if the pattern has no others.
        made = prefix + hashlib.sha256(text.encode()).hexdigest()[: length - len(prefix)]
        return text if re.fullmatch(pattern, text) else made if re.fullmatch(pattern, made) else made.upper()

    return identifier


def _label(text: str) -> str:
    """A text as a label of a host name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "docrev"


_FORMS: dict[str, Callable[[str], Json]] = {
    "date": _as_date,
    "date-time": _as_date_time,
    "zoned-date-time": _as_date_time,
    "duration": _as_duration,
    "uuid": _as_uuid,
    "email": _as_email,
    "url": _as_url,
    "hostname": _as_hostname,
    "ipv4": _as_network("ipv4", ipaddress.IPv4Address),
    "ipv6": _as_network("ipv6", ipaddress.IPv6Address),
    "ip": _as_network("ip", ipaddress.ip_address),
    "base64": _as_base64,
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "json": _as_json,
    "slug": _label,
    "hexadecimal": lambda text: text.encode().hex(),
    "object-id": _as_id(r"[0-9a-f]{24}", "", 24),
    "cuid": _as_id(r"c[0-9a-z]{24}", "c", 25),
    "cuid2": _as_id(r"[a-z][0-9a-z]{23}", "c", 24),
    "ulid": _as_id(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", "0", 26),
    "nanoid": _as_id(r"[\w-]{21}", "", 21),
    "xid": _as_id(r"[0-9a-v]{20}", "", 20),
    "ksuid": _as_id(r"[0-9A-Za-z]{27}", "0", 27),
    "md5": _as_id(r"[0-9a-f]{32}", "", 32),
    "sha1": _as_id(r"[0-9a-f]{40}", "", 40),
    "sha256": _as_id(r"[0-9a-f]{64}", "", 64),
}
