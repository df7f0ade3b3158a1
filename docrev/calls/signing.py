"""Puts the credentials of a tool on its requests: headers, cookies, query, and access tokens."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib.metadata import version
from urllib.parse import quote, urlencode

from docrev.calls.authentication import ClientCredentials
from docrev.calls.bases import Base
from docrev.calls.credentials import Header, assign_headers
from docrev.calls.redact import Redactor
from docrev.calls.request import Request

_AUTHORIZATION = "authorization"


class Signer:
    """The credentials of all tools. Raises UsageError for a secret that would go to several hosts.

    `secrets` are the headers that say who calls, in lower case; a request without one of them goes without it.
    `forms` are how the tools with one credential are sent it: see `Header.form`.
    """

    def __init__(
        self,
        bases: Mapping[str, Base],
        headers: Sequence[Header],
        clients: Sequence[ClientCredentials],
        read_only: Collection[str],
    ) -> None:
        # A token is to be as safe as what it is asked for with: it goes by the same rules.
        tokens = [Header.by_scheme("Authorization", client.client_secret, client.tool) for client in clients]
        credentials = [*headers, *tokens]
        self.redactor = Redactor(credentials)
        self.redactor.learn(*(client.basic for client in clients))
        self.secrets = tuple(sorted({_header_of(header) for header in credentials if header.secret}))
        assigned = assign_headers(credentials, {tool: base.host for tool, base in bases.items()}, read_only)
        sent = {tool: [header for header in given if header not in tokens] for tool, given in assigned.items()}
        self.forms = _forms(sent)
        # Read once: it takes a millisecond, and a catalog may have thousands of tools.
        agent = f"docrev/{version('docrev')}"
        self._headers = {tool: _default_headers(bases[tool], given, agent) for tool, given in sent.items()}
        self._queries = {tool: _query(given) for tool, given in sent.items()}

    @staticmethod
    def is_anonymous(request: Request) -> bool:
        """Whether a request is to go without what stands in Authorization: a token, or a key in the query."""
        return _AUTHORIZATION in request.without

    def headers(self, request: Request, headers: Mapping[str, str], token: str | None) -> list[tuple[str, str]]:
        """The `headers` of a request, with those of its tool, but for those that it is to go without."""
        given = self._headers[request.invoke.key.tool]
        if request.without:
            given = [(name, value) for name, value in given if name.lower() not in request.without]
        found = [*headers.items(), *given]
        cookies = [value for name, value in found if name.lower() == "cookie"]
        if len(cookies) > 1:
            found = [(name, value) for name, value in found if name.lower() != "cookie"]
            found.append(("cookie", "; ".join(cookies)))
        return found if token is None else [*found, (_AUTHORIZATION, f"Bearer {token}")]

    def url(self, request: Request, url: str) -> str:
        """The URL of a request, with the credentials that go into its query."""
        query = self._queries[request.invoke.key.tool]
        if not query or self.is_anonymous(request):
            return url
        return f"{url}{'&' if '?' in url else '?'}{query}"


def _forms(sent: Mapping[str, Sequence[Header]]) -> dict[str, str]:
    """How the tools that have one credential are sent it."""
    secret = {tool: [header.form for header in given if header.secret] for tool, given in sent.items()}
    return {tool: forms[0] for tool, forms in sorted(secret.items()) if len(forms) == 1 and forms[0]}


def _header_of(credential: Header) -> str:
    """The header that stands for a credential where a call is made without it."""
    return {"query": _AUTHORIZATION, "cookie": "cookie"}.get(credential.place, credential.name.lower())


def _query(credentials: Sequence[Header]) -> str:
    return urlencode([(header.name, header.value) for header in credentials if header.place == "query"])


def _default_headers(base: Base, given: Sequence[Header], agent: str) -> list[tuple[str, str]]:
    sent = [(header.name, header.value) for header in given if header.place == "header"]
    names = {name.lower() for name, _ in sent}
    ours = {
        "host": base.origin.partition("://")[2],
        "accept-encoding": "gzip, deflate",
        "connection": "keep-alive",
        "user-agent": agent,
    }
    cookies = "; ".join(f"{h.name}={quote(h.value, safe='')}" for h in given if h.place == "cookie")
    own = [(name, value) for name, value in ours.items() if name not in names]
    return [*own, *sent, *([("cookie", cookies)] if cookies else [])]
