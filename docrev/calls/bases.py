"""Base URLs: where each tool lives, and which of them the user named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from docrev.errors import UsageError


@dataclass(frozen=True, slots=True)
class Base:
    """Where a tool lives: its origin (scheme, host, port) and the prefix put before every path of its spec."""

    origin: str
    prefix: str
    host: str

    @property
    def url(self) -> str:
        return self.origin + self.prefix

    @property
    def foreign(self) -> bool:
        """Whether the host is another machine."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return False
        try:
            return not ip_address(self.host).is_loopback
        except ValueError:
            return True


def parse_base(url: str) -> Base:
    """Read a base URL; UsageError if it is not plain `http[s]://host[:port][/prefix]`."""
    fix = "give http[s]://host[:port][/prefix]"
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise UsageError("not a URL", where="--base-url", fix=fix) from None
    if parts.username or parts.password:
        raise UsageError("credentials in the URL", where="--base-url", fix="give them with -H")
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise UsageError(f"{url.strip()} is not a base URL", where="--base-url", fix=fix)
    if any(segment in (".", "..") for segment in parts.path.split("/")):
        raise UsageError(f"{url.strip()} has dot segments", where="--base-url", fix=fix)
    return Base(origin(parts.scheme, host, port), parts.path.rstrip("/"), host)


def origin(scheme: str, host: str, port: int | None) -> str:
    """Scheme, host and port in one form, the default port left out (RFC 6454 §4)."""
    host = f"[{host}]" if ":" in host else host
    default = {"http": 80, "https": 443}.get(scheme)
    return f"{scheme}://{host}" if port in (None, default) else f"{scheme}://{host}:{port}"


def choose_bases(
    tools: Sequence[str], given: Sequence[str], servers: Mapping[str, Sequence[str]]
) -> tuple[dict[str, str], frozenset[str]]:
    """A base URL for every tool, from `--base-url [TOOL=]URL` and else the spec's absolute servers.

    The second answer is the tools whose URL came from the spec: they are read only, and get no credentials. Raises
    UsageError if a tool has no URL, a URL is none, or a tool is unknown.
    """
    named, common = given_bases(tools, given)
    found: dict[str, str] = {}
    from_spec: set[str] = set()
    for tool in tools:
        absolute = next((url for url in servers.get(tool, ()) if url.startswith(("http://", "https://"))), None)
        chosen = named.get(tool, common)
        base = chosen or absolute
        if base is None:
            raise UsageError(f"no base URL for {tool}", where="--base-url", fix=f"give --base-url {tool}=URL")
        if chosen is None:
            from_spec.add(tool)
        parse_base(base)
        found[tool] = base
    return found, frozenset(from_spec)


def given_bases(tools: Sequence[str], given: Sequence[str]) -> tuple[dict[str, str], str | None]:
    """The URLs that the user named, by tool, and the one for every other tool."""
    named: dict[str, str] = {}
    common: str | None = None
    for text in given:
        tool, equals, url = text.partition("=")
        if not equals or "://" in tool:
            if common is not None:
                raise UsageError("two URLs for every tool", where="--base-url", fix="name the tool: TOOL=URL")
            common = text
        elif tool not in tools:
            raise UsageError(f"no tool named {tool}", where="--base-url", fix=f"the specs have {', '.join(tools)}")
        else:
            named[tool] = url
    return named, common
