"""Credentials by security scheme: `--auth [TOOL=]SCHEME=env:VAR`, what they become in a request, and for which tool."""

from __future__ import annotations

import base64
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin

from docrev.calls.bases import parse_base
from docrev.calls.credentials import Header, check_header_value, secret_from, shell_variable
from docrev.errors import UsageError
from docrev.language.urls import split_url

if TYPE_CHECKING:
    from docrev.spec.security import SecurityScheme

_AUTH = re.compile(r"(?:([^=]+)=)?([^=]+)=(env|file):(.+?)(?:\s+(https?://\S+))?", re.S)
_FORM = "write [TOOL=]SCHEME=env:VARIABLE or [TOOL=]SCHEME=file:PATH"


@dataclass(frozen=True, slots=True)
class ClientCredentials:
    """Who asks for access tokens of one tool, and where (RFC 6749 §4.4)."""

    tool: str
    token_url: str
    client_id: str
    client_secret: str = field(repr=False)
    scopes: tuple[str, ...] = ()

    @property
    def basic(self) -> str:
        """The value of Authorization that the token URL gets (§2.3.1: both parts are form-encoded)."""
        return basic(f"{quote(self.client_id, safe='')}:{quote(self.client_secret, safe='')}")


@dataclass(frozen=True, slots=True)
class Credentials:
    """What `--auth` gives: credentials that are sent as they are, and those that tokens are asked for with."""

    headers: tuple[Header, ...] = ()
    clients: tuple[ClientCredentials, ...] = ()


def parse_auth(
    texts: Sequence[str],
    schemes: Sequence[SecurityScheme],
    bases: Mapping[str, str],
    environ: Mapping[str, str] | None = None,
) -> Credentials:
    """Read `[TOOL=]SCHEME=env:VAR` or `…=file:PATH`; behind it may stand the token URL, if it is on another host.

    `bases` are the tools' base URLs. Raises UsageError, which never shows a value.
    """
    headers: list[Header] = []
    clients: list[ClientCredentials] = []
    for text in texts:
        match = _AUTH.fullmatch(text.strip())
        if match is None:
            raise UsageError("not credentials for a security scheme", where="--auth", fix=_FORM)
        tool, name, kind, place, token_url = match.groups()
        where = f"--auth {name.strip()}"
        secret = secret_from(kind, place, where, environ)
        for scheme in _schemes(name.strip(), (tool or "").strip(), schemes):
            if scheme.kind == "client-credentials":
                url = _token_url(scheme, token_url or "", bases[scheme.tool])
                user, colon, password = secret.partition(":")
                _need(bool(colon and user), where, "client_id:client_secret")
                clients.append(ClientCredentials(scheme.tool, url, user, password, scheme.scopes))
            else:
                headers.append(_header(scheme, secret, where))
    return Credentials(tuple(headers), tuple(clients))


def shell_auth(texts: Sequence[str], schemes: Sequence[SecurityScheme], tool: str) -> list[str]:
    """The credentials of a tool as words of curl: each secret stands as the variable that it comes from."""
    words: list[str] = []
    for match in filter(None, (_AUTH.fullmatch(text.strip()) for text in texts)):
        given, name, kind, place, _ = match.groups()
        for scheme in schemes:
            if scheme.name == name.strip() and scheme.tool == tool and (given or "").strip() in ("", tool):
                words += _shell_words(scheme, shell_variable(kind, place))
    return words


def _shell_words(scheme: SecurityScheme, variable: str) -> list[str]:
    if scheme.kind == "basic":
        return ["-u", variable]
    if scheme.kind == "key":
        option, mark = {"query": ("--url-query", "="), "cookie": ("-b", "=")}.get(scheme.location, ("-H", ": "))
        return [option, shlex.quote(f"{scheme.parameter}{mark}") + variable]
    # Whoever has a client's credentials asks for a token first.
    return ["-H", "'Authorization: Bearer '" + ('"$TOKEN"' if scheme.kind == "client-credentials" else variable)]


def _schemes(name: str, tool: str, schemes: Sequence[SecurityScheme]) -> list[SecurityScheme]:
    """The schemes of this name: of one tool, if it is named."""
    found = [scheme for scheme in schemes if scheme.name == name and tool in ("", scheme.tool)]
    if not found:
        names = ", ".join(sorted({scheme.name for scheme in schemes if tool in ("", scheme.tool)}))
        fix = f"the specs have {names}" if names else "the specs have none: use -H"
        raise UsageError(f"no security scheme {name}{f' of {tool}' if tool else ''}", where="--auth", fix=fix)
    return found


def _header(scheme: SecurityScheme, secret: str, where: str) -> Header:
    """The credential of a scheme as it is sent."""
    if scheme.kind == "basic":
        _need(":" in secret, where, "user:password")
        return Header.by_scheme("Authorization", basic(secret), scheme.tool)
    if scheme.kind == "bearer":
        return Header.by_scheme("Authorization", check_header_value(f"Bearer {secret}", where), scheme.tool)
    if scheme.kind == "key" and scheme.parameter and scheme.location in ("header", "query", "cookie"):
        value = check_header_value(secret, where) if scheme.location == "header" else secret
        return Header.by_scheme(scheme.parameter, value, scheme.tool, scheme.location)
    raise UsageError("docrev cannot use this kind of scheme", where=where, fix="use -H")


def _token_url(scheme: SecurityScheme, given: str, base: str) -> str:
    """Where tokens come from: the URL that the user names, or the spec's if it is on the tool's host."""
    url = given or _below(base, scheme.token_url)
    parts, home = split_url(url), parse_base(base)
    downgraded = parts.scheme != "https" and home.origin.startswith("https:")
    if not given and (parts.hostname != home.host or downgraded):
        where = f"--auth {scheme.name}"
        fix = f"name it if you trust it: --auth '{scheme.name}=env:VARIABLE {url}'"
        raise UsageError(f"the token URL {url} is not on {home.origin}", where=where, fix=fix)
    return url


def _below(base: str, url: str) -> str:
    try:
        return urljoin(f"{base.rstrip('/')}/", url)
    except ValueError:
        return url


def _need(holds: bool, where: str, form: str) -> None:
    if not holds:
        raise UsageError("the value is not of the form that the scheme needs", where=where, fix=f"give {form}")


def basic(pair: str) -> str:
    """The header value of HTTP's basic authentication (RFC 7617 §2), given `user:password`."""
    return f"Basic {base64.b64encode(pair.encode()).decode()}"
