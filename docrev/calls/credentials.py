"""Request headers that a user gives, `-H "[TOOL=]Name: VALUE|env:VAR|file:PATH"`, and the tools that get them.

Whatever is wrong with one, its value is never shown.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import UsageError

_HEADER = re.compile(r"(?:([^=:]+)=)?([^=:]*):(.*)", re.S)
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SOURCE = re.compile(r"(?:([A-Za-z]+) +)?(env|file):(.+)")
_VALUE = re.compile(r"[\x20-\x7e\x80-\xff]+")
_HARMLESS = frozenset(
    (
        "accept accept-language accept-encoding content-type user-agent prefer if-match if-none-match "
        "cache-control x-request-id x-requested-with x-api-version api-version"
    ).split()
)
_SCHEMES = frozenset("bearer basic token apikey api-key key jwt oauth bot".split())
"""Words before a credential. Any other first word of a value may be part of the secret."""
_OURS = frozenset(["host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer"])


@dataclass(frozen=True, slots=True)
class Header:
    """A header for the requests to `tool`, or to every tool if that is "".

    `secret`: its value is redacted wherever it would be stored or shown. `place` is "query" or "cookie" for a
    credential that goes there instead. `given` is the option that it was given by.
    """

    name: str
    value: str = field(repr=False)
    secret: bool = True
    tool: str = ""
    place: str = "header"
    given: str = "-H"

    @classmethod
    def by_scheme(cls, name: str, value: str, tool: str, place: str = "header") -> Header:
        """A credential that was given for a security scheme of a document."""
        return cls(name, value, tool=tool, place=place, given="--auth")

    @property
    def form(self) -> str:
        """The header and what stands before its value: `X-Api-Key`, `Authorization: Token`; "" if that is not known."""
        scheme, space, _ = self.value.partition(" ")
        if space:
            return f"{self.name}: {scheme}" if scheme.lower() in _SCHEMES else ""
        return self.name if self.place == "header" else ""


def parse_header(text: str, environ: Mapping[str, str] | None = None) -> Header:
    """Read `[TOOL=]Name: VALUE`; VALUE may be `env:VAR`, `file:PATH`, or one of them after a scheme, `Bearer env:VAR`.

    A literal value counts as a secret unless the header's name is known to be harmless; one from a variable or a
    file always does. Raises UsageError.
    """
    match = _HEADER.fullmatch(text)
    tool, name, value = ((part or "").strip() for part in match.groups()) if match else ("", "", "")
    if not _NAME.fullmatch(name):
        fix = 'write -H "[TOOL=]Name: VALUE", or env:VAR or file:PATH for VALUE'
        raise UsageError("not a header", where="-H", fix=fix)
    where = f"-H {name}"
    if name.lower() in _OURS:
        raise UsageError("this header belongs to the connection", where=where, fix="leave it out")
    source = _SOURCE.fullmatch(value)
    if source:
        value = _value_from(source, where, environ)
    return Header(name, check_header_value(value, where), source is not None or name.lower() not in _HARMLESS, tool)


def shell_headers(texts: Iterable[str], tool: str) -> list[str]:
    """The headers of a tool as words of curl: what is secret stands as the variable that it comes from."""
    words = []
    for match in filter(None, map(_HEADER.fullmatch, texts)):
        given, name, value = ((part or "").strip() for part in match.groups())
        source = _SOURCE.fullmatch(value)
        if given not in ("", tool):
            continue
        if source is None and name.lower() in _HARMLESS:
            words += ["-H", shlex.quote(f"{name}: {value}")]
            continue
        scheme, kind, place = source.groups() if source is not None else ("", "", "")
        words += ["-H", shlex.quote(f"{name}: {f'{scheme} ' if scheme else ''}") + shell_variable(kind, place)]
    return words


def shell_variable(kind: str, place: str) -> str:
    """What stands for a secret in a command: its own variable, else one to be set."""
    return f'"${place if kind == "env" and place.isidentifier() else "SECRET"}"'


def check_header_value(value: str, where: str) -> str:
    """The value, if a header may have it. Raises UsageError, which does not show it."""
    if not _VALUE.fullmatch(value):
        raise UsageError("the value is empty or has characters that no header may have", where=where, fix="check it")
    return value


def secret_from(kind: str, place: str, where: str, environ: Mapping[str, str] | None) -> str:
    """The secret in an `env` variable or a `file`. Raises UsageError if there is none."""
    return _variable(place, where, environ) if kind == "env" else _file(place, where)


def _value_from(source: re.Match[str], where: str, environ: Mapping[str, str] | None) -> str:
    """The value in a variable or a file, behind its scheme if one is given."""
    scheme, kind, place = source.groups()
    found = secret_from(kind, place, where, environ)
    return f"{scheme} {found}" if scheme else found


def assign_headers(
    headers: Iterable[Header], hosts: Mapping[str, str], read_only: Collection[str]
) -> dict[str, list[Header]]:
    """The headers of each tool: a secret goes only to the host that it is for.

    `hosts` gives the host of each tool. Tools that are `read_only` get no secret, since the specs chose their hosts. A
    header that names its tool replaces one that does not. Raises UsageError for a header that names an unknown or a
    read-only tool, and for a secret that names none if the tools have several hosts.
    """
    assigned: dict[str, dict[tuple[str, str], Header]] = {tool: {} for tool in hosts}
    for header in sorted(headers, key=lambda header: header.tool != ""):
        for tool in _tools_of(header, hosts, read_only):
            assigned[tool][header.place, header.name.lower()] = header
    return {tool: list(by_name.values()) for tool, by_name in assigned.items()}


def _tools_of(header: Header, hosts: Mapping[str, str], read_only: Collection[str]) -> list[str]:
    where = f"{header.given} {header.name}"
    if header.tool and header.tool not in hosts:
        raise UsageError(f"no tool named {header.tool}", where="-H", fix=f"the specs have {', '.join(hosts)}")
    if not header.secret:
        return [header.tool] if header.tool else list(hosts)
    if header.tool in read_only:
        fix = f"give --base-url {header.tool}=URL"
        raise UsageError(
            f"no secret is sent to the servers that the specs name for {header.tool}", where=where, fix=fix
        )
    tools = [header.tool] if header.tool else [tool for tool in hosts if tool not in read_only]
    if len(found := sorted({hosts[tool] for tool in tools})) > 1:
        what = f"a secret for tools on several hosts: {', '.join(found)}"
        raise UsageError(what, where=where, fix=f"name its tool: -H '{tools[0]}={header.name}: …'")
    return tools


def _variable(name: str, where: str, environ: Mapping[str, str] | None) -> str:
    value = (os.environ if environ is None else environ).get(name, "").strip()
    if not value:
        raise UsageError(f"the environment variable {name} is not set", where=where, fix=f"export {name}")
    return value


def _file(path: str, where: str) -> str:
    try:
        return Path(path).expanduser().read_text("utf-8").strip()
    except (OSError, ValueError):
        raise UsageError(f"the file {path} cannot be read", where=where, fix="check path and rights") from None
