"""The client of an OpenAI-compatible server: which address, which key, and whether a network may be used at all."""

from __future__ import annotations

import os
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from docrev.errors import UsageError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"
NO_NETWORK = "DOCREV_NO_NETWORK_MODELS"
"""Where this environment variable is set, only servers on loopback are spoken to: for tests."""


def find_key(url: str) -> str | None:
    """The key for the server at `url`, from OPENAI_API_KEY.

    None if there is none: a server of one's own needs none. The key never goes to another machine unencrypted. Raises
    UsageError if OpenAI itself is to be asked without a key.
    """
    parts = urlsplit(url)
    is_safe = parts.scheme == "https" or is_loopback(parts.hostname or "")
    key = os.environ.get(KEY_VARIABLE, "").strip() if is_safe else ""
    if not key and url == OPENAI_URL:
        fix = "export the key, or name another server with --model-url"
        raise UsageError("holds no key for OpenAI", where=f"${KEY_VARIABLE}", fix=fix)
    return key or None


def is_loopback(host: str) -> bool:
    """A name or address of this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def check_url(url: str) -> str:
    """The host of `url`. Raises UsageError if it is no HTTP URL, holds a password, or may not be spoken to."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(f"{url} is no HTTP URL", where="--model-url", fix="give one, such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise UsageError("the URL holds a password", where="--model-url", fix=f"put the key into ${KEY_VARIABLE}")
    if os.environ.get(NO_NETWORK) and not is_loopback(host):
        raise UsageError(f"${NO_NETWORK} forbids models on the network", where=url, fix="unset it, or use offline")
    return host


def open_client(url: str, key: str | None, *, timeout: float) -> AsyncOpenAI:
    """A client that retries nothing and follows no redirect, so that the key goes to this server alone."""
    import openai

    return openai.AsyncOpenAI(
        base_url=url,
        api_key=key or "none",
        max_retries=0,
        http_client=openai.DefaultAsyncHttpxClient(
            follow_redirects=False,
            # A proxy of the environment knows nothing of this machine's own servers.
            trust_env=not is_loopback(check_url(url)),
            timeout=openai.Timeout(timeout, connect=min(timeout, 10.0)),
        ),
    )


def withheld(url: str, key: str | None) -> dict[str, object]:
    """Headers that a request must not have: the client takes them from the environment and sends them to any server."""
    import openai

    ours = check_url(url) == urlsplit(OPENAI_URL).hostname
    names = [] if ours else ["OpenAI-Organization", "OpenAI-Project"]
    return {name: openai.Omit() for name in (*names, *(["Authorization"] if key is None else []))}
