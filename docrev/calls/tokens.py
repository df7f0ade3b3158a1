"""Access tokens by client credentials (RFC 6749 §4.4), fetched before the first call, renewed when they end."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import quote_plus, urlencode

from docrev.calls.authentication import ClientCredentials
from docrev.calls.http import Reply, Wire
from docrev.conventions.statuses import CREDENTIALS, UNAUTHENTICATED, is_success
from docrev.errors import CredentialsError, UnreachableError
from docrev.json_values.containers import mapping
from docrev.records import Json
from docrev.spec.operation import FORM

_EARLY = 0.1
"""The share of its life that a token has left when it is renewed: the clocks and the wire are not exact."""
_MAX_USELESS = 3
"""Renewals after a 401 that may be of no use: an operation may answer 401 whatever the token."""


@dataclass(slots=True)
class _Token:
    value: str
    until: float | None
    worked: bool = False


class Tokens:
    """The access tokens of the tools that have client credentials. `learn` is told every token: it is a secret."""

    def __init__(self, clients: Sequence[ClientCredentials], wire: Wire, learn: Callable[[str], None]) -> None:
        self._clients = {client.tool: client for client in clients}
        self._wire, self._learn = wire, learn
        self._locks = {client.tool: asyncio.Lock() for client in clients}
        self._tokens: dict[str, _Token] = {}
        self._useless: dict[str, int] = {}

    async def current(self, tool: str) -> str | None:
        """The access token of a tool, fetched or renewed if it must be; None for a tool that has none.

        Raises CredentialsError or UnreachableError if there is no token to be had.
        """
        if tool not in self._clients:
            return None
        async with self._locks[tool]:
            token = self._tokens.get(tool)
            if token is None or (token.until is not None and time.monotonic() >= token.until):
                token = await self._fetch(tool)
            return token.value

    async def after(self, tool: str, sent: str, status: int | None) -> bool:
        """Take in the answer to a request that was sent with a token; True if it should be sent again with a new one.

        A token that worked before and is refused now has ended.
        """
        async with self._locks[tool]:
            token = self._tokens[tool]
            if status != UNAUTHENTICATED:
                token.worked = token.worked or (token.value == sent and status is not None)
                return False
            if token.value != sent:
                return True
            if not token.worked or self._useless.get(tool, 0) >= _MAX_USELESS:
                return False
            await self._fetch(tool)
            return True

    def note_useless(self, tool: str) -> None:
        """Take in that a new token was refused like the old one."""
        self._useless[tool] = self._useless.get(tool, 0) + 1

    async def _fetch(self, tool: str) -> _Token:
        client = self._clients[tool]
        form = {"grant_type": "client_credentials", **({"scope": " ".join(client.scopes)} if client.scopes else {})}
        reply = await self._ask(client, form, [("authorization", client.basic)])
        if reply.status in (400, UNAUTHENTICATED):
            # Some servers read the client from the form alone (§2.3.1).
            pair = {"client_id": client.client_id, "client_secret": client.client_secret}
            reply = await self._ask(client, form | pair, [])
        token = self._tokens[tool] = _read(client, reply)
        self._learn(token.value)
        return token

    async def _ask(self, client: ClientCredentials, form: dict[str, str], headers: list[tuple[str, str]]) -> Reply:
        host = client.token_url.partition("://")[2].partition("/")[0]
        sent = [
            ("host", host),
            ("accept", "application/json"),
            ("content-type", FORM),
            *headers,
        ]
        return await self._wire.exchange("POST", client.token_url, sent, urlencode(form, quote_via=quote_plus).encode())


def _read(client: ClientCredentials, reply: Reply) -> _Token:
    """The token in an answer of a token URL. Raises CredentialsError or UnreachableError."""
    if reply.status == 400 or reply.status in CREDENTIALS:
        what = f"the client credentials are refused, {reply.status}"
        raise CredentialsError(what, where=client.token_url, fix="check --auth")
    answer = _object(reply.content) if is_success(reply.status) and reply.error is None else {}
    value = answer.get("access_token")
    if not isinstance(value, str) or not value or not value.isprintable():
        what = f"no access token ({reply.error or reply.status}{': ' if reply.detail else ''}{reply.detail})"
        raise UnreachableError(what, where=client.token_url, fix="check --auth")
    seconds = _seconds(answer.get("expires_in"))
    return _Token(value, None if seconds is None else time.monotonic() + seconds * (1 - _EARLY))


def _object(content: bytes) -> dict[str, Json]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return mapping(value)


def _seconds(value: Json) -> float | None:
    """The life of a token; some servers write the number as a text."""
    return float(value) if re.fullmatch(r"\d{1,9}(\.\d+)?", str(value)) else None
