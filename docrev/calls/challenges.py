"""Answers to challenges of HTTP authentication with the user and the password that the path of a request names.

An operation whose path says who calls (`/basic-auth/{user}/{password}`) wants the same in `Authorization`. No other
credentials are ever sent so: those are the user's to give.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import urlsplit

from docrev.calls.authentication import basic
from docrev.calls.path_texts import plain
from docrev.calls.request import Request
from docrev.conventions.statuses import NOT_FOUND, UNAUTHENTICATED
from docrev.language.words import word_set
from docrev.records import Arguments

_SCHEMES = {name.lower(): name for name in ("Bearer", "Basic", "Token", "ApiKey", "Bot", "JWT")}
"""Schemes whose credential is one text behind the name. Others compute what they send."""


def credential_header(headers: Mapping[str, str]) -> str:
    """The header that a challenge asks for, up to the credential: `Authorization: Bearer`; "" if it names none."""
    named = (
        part.split(maxsplit=1)[0].lower() for part in headers.get("www-authenticate", "").split(",") if part.strip()
    )
    return next((f"Authorization: {_SCHEMES[name]}" for name in named if name in _SCHEMES), "")


Answer = Callable[[Callable[[str], str]], str]
"""The value of `Authorization`; what it is called with writes the run's own names as they are on the wire."""

_USERS = frozenset({"user", "username", "login"})
_PASSWORDS = frozenset({"password", "passwd", "pass", "pwd", "secret"})
_PART = re.compile(r"""(\w+)=(?:"([^"]*)"|([^\s,"]+))""")
_HASHES = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}


def answer_to(status: int | None, headers: Mapping[str, str], request: Request) -> Answer | None:
    """The answer to a refusal of a request that only reads; None if its path has no password, or nothing is asked."""
    challenge = headers.get("www-authenticate", "")
    # Some hide what wants a password.
    asks = status == UNAUTHENTICATED or (status in NOT_FOUND and not challenge)
    if not asks or not request.safe:
        return None
    user, password = (_named(request.invoke.arguments, names) for names in (_USERS, _PASSWORDS))
    if user is None or password is None:
        return None
    if challenge.lower().startswith("digest "):
        return _digest_answer(challenge, request, user, password)
    return lambda outgoing: basic(f"{outgoing(user)}:{outgoing(password)}")


def _named(arguments: Arguments, names: frozenset[str]) -> str | None:
    """The path argument that is called by one of some words."""
    paths = ((location, value) for location, value in arguments.items() if location.startswith("path:"))
    return next((plain(value) for location, value in paths if word_set(location[5:]) & names), None)


def _digest_answer(challenge: str, request: Request, user: str, password: str) -> Answer | None:
    """The answer to a challenge to prove by a hash that the password is known; None if the hash is not known here."""
    parts = {name.lower(): quoted or bare for name, quoted, bare in _PART.findall(challenge)}
    is_answerable = parts.get("algorithm", "MD5").upper() in _HASHES and "nonce" in parts
    return partial(_digest, parts, request, user, password) if is_answerable else None


def _digest(
    parts: Mapping[str, str], request: Request, user: str, password: str, outgoing: Callable[[str], str]
) -> str:
    """RFC 7616 §3.4, for the quality `auth` or none; the client's nonce is fixed, as nothing here is secret."""
    algorithm, realm, nonce = parts.get("algorithm", "MD5"), parts.get("realm", ""), parts["nonce"]
    url = urlsplit(outgoing(request.url))
    target = url.path + (f"?{url.query}" if url.query else "")

    def hashed(*texts: str) -> str:
        return _HASHES[algorithm.upper()](":".join(texts).encode()).hexdigest()

    name = outgoing(user)
    who, what = hashed(name, realm, outgoing(password)), hashed(request.method, target)
    sent = {"username": name, "realm": realm, "nonce": nonce, "uri": target}
    if "auth" in re.split(r"[\s,]+", parts.get("qop", "")):
        response = hashed(who, nonce, "00000001", "docrev", "auth", what)
        more = {"qop": "auth", "nc": "00000001", "cnonce": '"docrev"'}
    else:
        response, more = hashed(who, nonce, what), {}
    if "opaque" in parts:
        sent["opaque"] = parts["opaque"]
    quoted = [f'{key}="{value}"' for key, value in {**sent, "response": response}.items()]
    plainly = [f"{key}={value}" for key, value in {"algorithm": algorithm, **more}.items()]
    return "Digest " + ", ".join([*quoted, *plainly])
