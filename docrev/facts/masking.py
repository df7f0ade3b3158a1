"""Examples that look personal are masked before they are written: API responses may be about real people."""

from __future__ import annotations

import re

from docrev.facts.shape import UUID
from docrev.records import Json

# It begins where a word does: from every letter of a long text on, the search would take the square of its length.
_EMAIL = re.compile(r"(?<![^@\s])[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_PHONE = re.compile(r"\+\d[\d ().-]{6,}\d|(\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}")
_IP = re.compile(r"(\d{1,3}\.){3}\d{1,3}|[0-9a-f]{1,4}(:[0-9a-f]{0,4}){5,7}", re.IGNORECASE)
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
# Letters and digits mixed, with no word in it: 32 random characters are a token, a slug or a path is not.
_TOKEN = re.compile(r"(?=[^-_.]*\d)(?=.*[A-Za-z])[A-Za-z0-9+_=.-]{32}[A-Za-z0-9+/_=.-]*")
# A user as some services name them: how they signed in, and a hash of who they are.
_PRINCIPAL = re.compile(r"[a-z][a-z0-9_-]*:[0-9a-f]{32,}")

# Fields that are personal by their own name, whatever their parent is.
_NAMED = re.compile(
    r"(first|last|given|family|middle|full|display|real|sur|user|nick|maiden)[-_ ]?names?|login|screen[-_ ]?name"
    r"|phone|mobile|telephone|fax|(phone|mobile)[-_ ]?number|e?[-_ ]?mail([-_ ]?address)?|birth[-_ ]?(date|day)"
    r"|date[-_ ]?of[-_ ]?birth|dob|ssn|passport([-_ ]?(no|number))?|tax[-_ ]?id|iban"
    r"|credit[-_ ]?card.*|card[-_ ]?number|street([-_ ]?address)?|address[-_ ]?line.*|ip([-_ ]?address)?|salary",
    re.IGNORECASE,
)
# A plain `name`, `address` or `bio` is personal only in something that is a person.
_OF_PERSON = re.compile(r"names?|address|bio|biography|about|city|zip|postal[-_ ]?code", re.IGNORECASE)
_PERSON = re.compile(
    r"(.*[-_ ])?(users?|persons?|people|customers?|contacts?|employees?|members?|authors?|owners?|creators?|patients?"
    r"|guests?|recipients?|senders?|subscribers?|followers?|profiles?|accounts?|accountholders?|assignees?|reviewers?)",
    re.IGNORECASE,
)
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def mask(value: object, field: str = "", *, parents: str = "") -> Json:
    """`value` with what looks personal replaced: `user@example.com`, `+1-555-0100`, `[name]`, `[token]`.

    `field` is the name of the field or parameter, or a pointer to it; `parents` what it belongs to (`users`, or the
    pointer above). Numbers in personal fields become 0. Never raises; what is not personal comes back as it is.
    """
    *above, name = _parts(field, "[/:.]") or [""]
    above += _parts(parents, "[/:. {}]")
    if isinstance(value, dict):
        return {key: mask(part, key, parents="/".join([*above, name])) for key, part in value.items()}
    if isinstance(value, list):
        return [mask(part, name, parents="/".join(above)) for part in value]
    if isinstance(value, bool) or value is None or value == "":
        return value
    personal = _personal(_WORDS.sub("_", name), above)
    if isinstance(value, str):
        return _mask_text(value, name, personal)
    return 0 if personal else value


def _parts(text: str, separators: str) -> list[str]:
    return [part for part in re.split(separators, text) if part and part != "0"]


def _personal(name: str, above: list[str]) -> bool:
    if _NAMED.fullmatch(name):
        return True
    return bool(_OF_PERSON.fullmatch(name) and any(_PERSON.fullmatch(_WORDS.sub("_", part)) for part in above))


def _mask_text(text: str, name: str, personal: bool) -> str:
    if _EMAIL.search(text):
        return _EMAIL.sub("user@example.com", text)
    if _IP.fullmatch(text):
        return "192.0.2.1" if "." in text else "2001:db8::1"
    if _PHONE.fullmatch(text.strip()):
        return "+1-555-0100"
    if personal:
        return f"[{_WORDS.sub('_', name).replace('-', '_').lower() or 'personal'}]"
    if _IBAN.fullmatch(text) or _PRINCIPAL.fullmatch(text) or (_TOKEN.fullmatch(text) and not UUID.fullmatch(text)):
        return "[token]"
    return text
