"""Takes secrets out of everything before it is stored, shown, or sent to a model."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus

from docrev.calls.credentials import Header
from docrev.records import Json

MASK = "[redacted]"

_SECRET_NAMES = frozenset(
    [
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "secret",
        "apikey",
        "apitoken",
        "xapikey",
        "accesstoken",
        "refreshtoken",
        "idtoken",
        "authtoken",
        "bearertoken",
        "sessiontoken",
        "sessionid",
        "privatekey",
        "secretkey",
        "accesskey",
        "authorization",
        "proxyauthorization",
        "cookie",
        "setcookie",
        "credential",
        "credentials",
        "csrftoken",
        "xsrftoken",
        "jwt",
        "otp",
        "clientsecret",
        "wwwauthenticate",
    ]
)
_SECRET_ENDS = ("password", "passwd", "secret", "apikey", "accesstoken", "refreshtoken", "privatekey", "secretkey")
_HINTS = (
    "passw",
    "secret",
    "token",
    'key"',
    "authoriz",
    "cookie",
    "credential",
    "session",
    "jwt",
    "pwd",
    "otp",
    "passphrase",
)
_SECRET_HEADERS = frozenset(
    [
        "set-cookie",
        "cookie",
        "authorization",
        "proxy-authorization",
        "x-api-key",
        "x-auth-token",
        "x-csrf-token",
        "x-access-token",
        "authentication-info",
    ]
)


class Redactor:
    """Replaces credential values, as they stand, URL-encoded or in base64, and the values of fields named as secrets.

    Paging tokens (`_token`, `cursor`, `next_page_token`) are no secrets.
    """

    def __init__(self, headers: Iterable[Header] = ()) -> None:
        self._variants: tuple[str, ...] = ()
        self._pattern: re.Pattern[str] | None = None
        self.learn(*(header.value for header in headers if header.secret))

    def learn(self, *secrets: str) -> None:
        """Take in more secrets; what was redacted before is not looked at again."""
        variants = {*self._variants, *(variant for secret in secrets for variant in _variants(secret))}
        self._variants = tuple(sorted(variants, key=lambda v: (-len(v), v)))
        self._pattern = re.compile("|".join(map(_guarded, self._variants))) if self._variants else None

    def text(self, text: str) -> str:
        """`text` without credential values."""
        if self._pattern is not None and any(variant in text for variant in self._variants):
            return self._pattern.sub(MASK, text)
        return text

    def headers(self, headers: dict[str, str]) -> dict[str, str]:
        """Headers by lower-case name, the secret ones masked."""
        return {
            name: MASK if name in _SECRET_HEADERS or secret_name(name.removeprefix("x-")) else self.text(value)
            for name, value in headers.items()
        }

    def value(self, value: Json) -> Json:
        """A JSON value without credential values and without the values of fields named as secrets."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            named = value.get("name", value.get("key"))
            if "value" in value and isinstance(named, str) and secret_name(named):
                value = {**value, "value": _masked(value["value"])}
            return {self.text(name): self._field(name, item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.value(item) for item in value]
        # A key made of digits may come back as a number.
        return MASK if type(value) is int and str(value) in self._variants else value

    def without_credentials(self, value: Json) -> Json:
        """A JSON value without credential values; other secrets stay, as docrev made them up itself."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(name): self.without_credentials(item) for name, item in value.items()}
        return [self.without_credentials(item) for item in value] if isinstance(value, list) else value

    def body(self, body: Json, source: str) -> Json:
        """`body` redacted; `source` is the text it was parsed from, and decides whether there is anything to do."""
        return self.value(body) if self.suspect(source) else body

    def suspect(self, source: str) -> bool:
        """Whether a text may contain a secret: it names one, or could spell one with escapes."""
        if self._variants and (any(v in source for v in self._variants) or "\\u" in source or "\\/" in source):
            return True
        lower = source.lower()
        return any(hint in lower for hint in _HINTS)

    def _field(self, name: str, value: Json) -> Json:
        if secret_name(name) and not (name.lower() == "token" and isinstance(value, dict)):
            return _masked(value)
        return self.value(value)


def _masked(value: Json) -> Json:
    """`value` with every text and number masked; what is empty says nothing and stays."""
    if isinstance(value, dict):
        return {name: _masked(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_masked(item) for item in value]
    return value if value is None or isinstance(value, bool) or value == "" else MASK


def secret_name(name: str) -> bool:
    """Whether a field of this name contains a secret: `access_token` and `token` do, `next_page_token` does not."""
    if name.lower() == "token":
        return True
    plain = name.lower().replace("_", "").replace("-", "").replace(" ", "")
    return plain in _SECRET_NAMES or plain.endswith(_SECRET_ENDS)


def _variants(value: str) -> Iterator[str]:
    for part in _parts(value):
        yield part
        encoded = quote(part, safe="")
        yield from (encoded, encoded.lower(), quote_plus(part), json.dumps(part)[1:-1])
        yield json.dumps(part, ensure_ascii=False)[1:-1]
        if len(part) >= 4:
            yield base64.b64encode(part.encode()).decode().rstrip("=")
            yield base64.urlsafe_b64encode(part.encode()).decode().rstrip("=")


def _parts(value: str) -> Iterator[str]:
    yield value
    scheme, _, rest = value.partition(" ")
    rest = rest.strip()
    if not rest:
        return
    yield rest
    if scheme.lower() == "basic":
        try:
            pair = base64.b64decode(rest, validate=True).decode("utf-8")
        except (binascii.Error, ValueError):
            return
        yield pair
        if password := pair.partition(":")[2]:
            yield password


def _guarded(variant: str) -> str:
    # A secret of one to three characters would mask half of every text: it counts only as a word of its own.
    return re.escape(variant) if len(variant) >= 4 else rf"(?<!\w){re.escape(variant)}(?!\w)"
