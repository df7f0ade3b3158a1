"""Takes secrets out of everything before it is stored, shown, or sent to a model."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from docrev.calls.credentials import Header
from docrev.calls.secret_search import SecretSearch
from docrev.json_values.canonical import canonical
from docrev.json_values.sampling import MAX_TEXT
from docrev.records import Arguments, Json

MASK = "[redacted]"

_SECRET_NAMES = frozenset(
    (
        "password passwd pwd passphrase secret apikey apitoken xapikey accesstoken refreshtoken idtoken authtoken "
        "bearertoken sessiontoken sessionid privatekey secretkey accesskey authorization proxyauthorization "
        "cookie setcookie credential credentials csrftoken xsrftoken jwt otp clientsecret wwwauthenticate"
    ).split()
)
_SPELLED = 4
"""Items of a list that may spell a secret."""
_SPELLINGS = [re.compile(rf"{item},\s*{item},\s*{item},") for item in (r"\d\d\d?", r'"[^"\\]"')]
"""Bytes and characters in a list. Apart: a text is searched for both together in four times as long."""
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
_PLAIN_WORD = re.compile(r"[a-z]{1,14}(?:['’][a-z]{1,3})?|\d{1,3}")
_OF_COMPLAINTS = frozenset("blank cannot empty expected invalid least long missing must required short".split())
"""Words of which each sentence on what is wrong with a value has one."""
_CHALLENGE = "www-authenticate"
_SCHEME = re.compile(r"(?:^|,)\s*([A-Za-z][\w.+-]{0,30})(?=\s+[\w\"]|\s*(?:,|$))")
"""The name of a scheme in a challenge (RFC 9110 §11.6.1): what is behind it may be a secret, the name is none."""
_SECRET_HEADERS = frozenset(
    (
        "set-cookie cookie authorization proxy-authorization x-api-key x-auth-token x-csrf-token x-access-token "
        "authentication-info"
    ).split()
)


def has_mask(arguments: Arguments) -> bool:
    """Whether a secret was taken out of a call's arguments: the call cannot be made again."""
    return MASK in canonical(arguments)


class Redactor:
    """Replaces credential values, in every form that `SecretSearch` finds, and the values of fields named as secrets.

    Paging tokens (`_token`, `cursor`, `next_page_token`) are no secrets.
    """

    def __init__(self, headers: Iterable[Header] = ()) -> None:
        self._secrets: tuple[str, ...] = ()
        self._search = SecretSearch()
        self.learn(*(header.value for header in headers if header.secret))

    @property
    def learned(self) -> int:
        """How many secrets it knows of: with more of them, the same text may be redacted otherwise."""
        return len(self._secrets)

    def learn(self, *secrets: str) -> None:
        """Take in more secrets; what was redacted before is not looked at again."""
        self._secrets = tuple(dict.fromkeys([*self._secrets, *secrets]))
        self._search = SecretSearch(self._secrets)

    def text(self, text: str) -> str:
        """`text` without credential values."""
        return self._search.masked(text, MASK)

    def _value(self, text: str) -> str:
        return self._search.masked(text, MASK, MAX_TEXT)

    def headers(self, headers: dict[str, str]) -> dict[str, str]:
        """Headers by lower-case name, the secret ones masked."""
        return {self.text(name): self._header(name, value) for name, value in headers.items()}

    def _header(self, name: str, value: str) -> str:
        if name.lower() == _CHALLENGE and (schemes := _SCHEME.findall(value)):
            return self.text(", ".join(f"{scheme} {MASK}" for scheme in schemes))
        return MASK if secret_header(name) else self.text(value)

    def value(self, value: object) -> Json:
        """A JSON value without credential values and without the values of fields named as secrets, its texts cut."""
        if isinstance(value, str):
            return self._value(value)
        if isinstance(value, dict):
            named = value.get("name", value.get("key"))
            if "value" in value and isinstance(named, str) and secret_name(named):
                value = {**value, "value": _masked(value["value"])}
            return {self.text(name): self._field(name, item) for name, item in value.items()}
        if isinstance(value, list):
            return _masked(value) if self._spells(value) else [self.value(item) for item in value]
        return MASK if self._is_number(value) else value

    def without_credentials(self, value: object) -> Json:
        """A JSON value without credential values; other secrets stay, as docrev made them up itself."""
        if not self._search:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(name): self.without_credentials(item) for name, item in value.items()}
        return [self.without_credentials(item) for item in value] if isinstance(value, list) else value

    def body(self, body: object, source: str) -> Json:
        """`body` redacted; `source` is the text it was parsed from, and decides whether there is anything to do."""
        return self.value(body) if self.suspect(source) else body

    def suspect(self, source: str) -> bool:
        """Whether a text may contain a secret: it names one, or could spell one with escapes."""
        if self._search.may_be_in(source):
            return True
        if self._search and any(spelling.search(source) for spelling in _SPELLINGS):
            return True
        lower = source.lower()
        return any(hint in lower for hint in _HINTS)

    def _is_number(self, value: object) -> bool:
        """Whether a number is a secret of digits, with a sign or as a float."""
        whole = type(value) is int or (isinstance(value, float) and value.is_integer())
        return whole and self.text(str(value).lstrip("-").removesuffix(".0")) == MASK

    def _spells(self, items: list[object]) -> bool:
        """Whether the bytes or characters in a list spell a secret, as in a dump of a buffer."""
        if not self._search or len(items) < _SPELLED:
            return False
        chars = [chr(item) if isinstance(item, int) and 0 <= item < 256 else item for item in items]
        text = "".join(char for char in chars if isinstance(char, str) and len(char) == 1)
        return len(text) == len(items) and self.text(text) != text

    def _field(self, name: str, value: object) -> Json:
        if secret_name(name) and not (name.lower() == "token" and isinstance(value, dict)):
            return self.value(_masked(value))
        return self.value(value)


def _masked(value: object) -> Json:
    """`value` with every text and number masked; what is empty, or says what is wrong with a secret, stays."""
    if isinstance(value, dict):
        return {name: _masked(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_masked(item) for item in value]
    says_nothing = value is None or isinstance(value, bool) or value == ""
    return value if says_nothing or (isinstance(value, str) and _is_complaint(value)) else MASK


def _is_complaint(text: str) -> bool:
    """Whether a text is a sentence of plain words on what a value must be: "This field is required."."""
    said = [word.strip(".,:;!()\"'").lower() for word in text.split()]
    plain = all(_PLAIN_WORD.fullmatch(word) for word in said)
    return len(said) > 2 and plain and not _OF_COMPLAINTS.isdisjoint(said)


def secret_header(name: str) -> bool:
    """Whether a header of this name contains a secret."""
    return name.lower() in _SECRET_HEADERS or secret_name(name.lower().removeprefix("x-"))


@lru_cache(maxsize=4096)
def secret_name(name: str) -> bool:
    """Whether a field of this name contains a secret: `access_token` and `token` do, `next_page_token` does not."""
    if name.lower() == "token":
        return True
    plain = name.lower().replace("_", "").replace("-", "").replace(" ", "")
    return plain in _SECRET_NAMES or plain.endswith(_SECRET_ENDS)
