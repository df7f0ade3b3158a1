"""How credentials are sent, where a document declares no scheme, or another one than what was sent follows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docrev.records import Fact
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.spec.security import SecurityScheme

_COOKIE = "cookie"


def credential_form(
    operations: Sequence[ObservedOperation],
    form: str,
    schemes: Sequence[SecurityScheme],
    text: str,
    shared: Sequence[Statement],
) -> Iterator[Statement]:
    """The header that credentials are accepted in, where a request was refused without them and answered with them.

    `form` is how they were sent, `schemes` are those that the document declares; a `text` that names both the header
    and the scheme says it already. `shared` are the other statements on the whole API.
    """
    name, _, scheme = form.partition(": ")
    facts = tuple(fact for one in operations for fact in _refused(one))
    is_known = _is_told(text, name, scheme) or any(_declares(one, name, scheme) for one in schemes)
    if facts and name.lower() != _COOKIE and not is_known:
        said = f"Credentials are accepted as `{_written(name, scheme)}`"
        statuses = {fact.value["status"] for fact in facts}
        if len(statuses) == 1 and "needs-credentials" not in {statement.kind for statement in shared}:
            said += f"; requests that need them return {statuses.pop()} otherwise"
        yield Statement(f"{said}.", "", "trap", facts)


def _is_told(text: str, *parts: str) -> bool:
    return all(re.search(rf"\b{re.escape(part)}\b", text, re.IGNORECASE) for part in parts)


def _written(name: str, scheme: str) -> str:
    placeholder = "<token>" if scheme.lower() in ("bearer", "token", "jwt") else "<key>"
    return f"{name}: {scheme} {placeholder}" if scheme else f"{name}: {placeholder}"


def _refused(observed: ObservedOperation) -> Iterator[Fact]:
    """The facts that an operation needs credentials, if it has answered a request with them."""
    return iter(observed.all("needs-credentials")[:1] if observed.good else [])


def _declares(declared: SecurityScheme, name: str, scheme: str) -> bool:
    """Whether a declared scheme says how to send what was sent."""
    if declared.kind == "key":
        return declared.location == "header" and declared.parameter.lower() == name.lower() and not scheme
    kind = "bearer" if declared.kind == "client-credentials" else declared.kind
    return name.lower() == "authorization" and kind == scheme.lower()
