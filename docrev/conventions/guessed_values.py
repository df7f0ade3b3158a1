"""Values for formats, and for words of names, where nothing is stated or seen: harmless ones, and plainly made up."""

from __future__ import annotations

from docrev.conventions.run_names import encoded
from docrev.language.words import words
from docrev.records import Json

_PASSWORD = "Vm7#qTz2!kRw9"
"""What the usual rules for passwords accept: signs of each kind, and nothing of the name or the address beside it."""
INTEGERS = ("int32", "int64", "uint32", "uint64")
"""Formats of whole numbers, which a text may have too."""
FORMATS: dict[str, Json] = {
    "date": "2024-06-01",
    "date-time": "2024-06-01T12:00:00Z",
    "zoned-date-time": "2024-06-01T12:00:00Z",
    "time": "12:00:00",
    "email": "docrev@example.org",
    "uri": "https://example.org/docrev",
    "url": "https://example.org/docrev",
    "uuid": "6f1d1a3e-0000-4000-8000-000000000001",
    "ipv4": "192.0.2.1",
    "ip": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "cidr": "192.0.2.0/24",
    "mac-address": "02:00:00:00:00:01",
    "hostname": "example.org",
    "duration": "PT1H",
    "duration-in-units": "1h",
    "cron": "0 0 * * *",
    "semver": "1.0.0",
    # An area that is there, of numbers that are kept for films.
    "phone": "+12025550100",
    "regex": ".*",
    "port": 8080,
    "timezone": "Europe/Paris",
    "color": "#336699",
    "iban": "DE89370400440532013000",
    "isbn": "9780306406157",
    "mime-type": "text/plain",
    "isin": "US0378331005",
    "issn": "2049-3630",
    "ean": "4006381333931",
    "bic": "DEUTDEFF",
    # The number that shops try their tills with.
    "credit-card": "4111111111111111",
    "postal-code": "10115",
    "country-code": "FR",
    "iso-3166-1-alpha-2": "FR",
    "iso-3166-1-alpha-3": "FRA",
    "currency-code": "EUR",
    "language-tag": "en",
    "latitude": 48.85,
    "longitude": 2.35,
    "lat-long": "48.85,2.35",
    "jwt": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.ZG9jcmV2",
    "xml": "<docrev/>",
    "base58": "docrev",
    "json-pointer": "/docrev",
    "base64url": "ZG9jcmV2",
    "data-uri": "data:text/plain;base64,ZG9jcmV2",
    "password": _PASSWORD,
    # What OpenAPI 2 and 3.0 call base64, and JSON Schema the encoding of a content.
    "byte": encoded("docrev"),
    "base64": encoded("docrev"),
    # Where JSON has 64 bits as a text, as protobuf writes them.
    **dict.fromkeys(INTEGERS, 1),
}
BY_WORD: dict[str, Json] = {
    "email": "docrev@example.org",
    "mail": "docrev@example.org",
    "url": "https://example.org/docrev",
    "uri": "https://example.org/docrev",
    "date": "2024-06-01",
    "day": "2024-06-01",
    "time": "2024-06-01T12:00:00Z",
    **dict.fromkeys(("since", "until", "start", "end"), "2024-06-01"),
    "year": 2024,
    "month": 6,
    "lat": 48.85,
    "latitude": 48.85,
    "lon": 2.35,
    "lng": 2.35,
    "longitude": 2.35,
    "language": "en",
    "lang": "en",
    "locale": "en",
    "country": "FR",
    "currency": "EUR",
    "limit": 2,
    "size": 2,
    "count": 2,
    "page": 1,
    "offset": 0,
    "radius": 100,
    "password": _PASSWORD,
    "passwd": _PASSWORD,
    "passphrase": _PASSWORD,
    "pwd": _PASSWORD,
}

_RARE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("country", "countries"), ("IS", "NZ")),
    **dict.fromkeys(("currency", "currencies"), ("ISK", "NZD")),
    **dict.fromkeys(("language", "languages", "lang", "locale", "locales"), ("is", "mi")),
}
"""Codes that few things have yet, where there may be one thing for each."""


def rare_values(name: str, given: Json) -> list[Json]:
    """Other codes in place of one that something has already, written as that is; of a list, lists of one."""
    text = given[0] if isinstance(given, list) and len(given) == 1 else given
    known = next((_RARE[word] for word in reversed(words(name)) if word in _RARE), ())
    if not isinstance(text, str):
        return []
    codes = [code.lower() if text.islower() else code for code in known if len(code) == len(text)]
    return [[code] if isinstance(given, list) else code for code in codes if code != text]
