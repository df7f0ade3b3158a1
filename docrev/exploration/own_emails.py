"""E-mail addresses that a body may carry where an account must exist: never those of somebody else.

A service may write to an address, or let in who has it. So only accounts that the run has made are named; and the
account that calls, where it is added to something of the run's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from docrev.calls.account import SELF
from docrev.conventions.error_claims import Hint
from docrev.conventions.hint_locations import BODY, sent
from docrev.conventions.run_names import is_made_up
from docrev.graph.values import Values
from docrev.json_values.canonical import unique
from docrev.json_values.pointer import last
from docrev.language.words import singular_words
from docrev.records import Arguments, Json
from docrev.spec import Operation

_HOSTS = frozenset({"domain", "host", "realm"})
"""What services call what stands behind the `@` of an address."""
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.\w+")


def is_email(value: Json) -> bool:
    """Whether a value is an e-mail address."""
    return isinstance(value, str) and _EMAIL.fullmatch(value) is not None


def in_own_hosts(given: Json, hints: Iterable[Hint], suggest: Callable[[str], list[Json]]) -> list[Json]:
    """A refused address of the run at each host that is a thing of the run, where the error says that there is no such
    thing as the host is: "No domain matches the given query." The values for a location come from `suggest`.
    """
    if not is_email(given) or not is_made_up(given):
        return []
    absent = {word for hint in hints if hint.kind == "not-found" for word in singular_words(" ".join(hint.values[:1]))}
    hosts = (host for noun in sorted(absent & _HOSTS) for host in suggest(f"body:/{noun}_name"))
    return [f"{str(given).partition('@')[0]}@{host}" for host in hosts if _is_own_host(host)]


def _is_own_host(value: Json) -> bool:
    """Whether a value is the name of a host that the run has made."""
    return isinstance(value, str) and is_made_up(value) and "." in value and "@" not in value


def emails_refused(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """The locations of the addresses in a body of which an error may say that there is no such thing as their host."""
    if _HOSTS.isdisjoint(singular_words(text)):
        return []
    return [location for location, value in sent(arguments) if location.startswith(BODY) and is_email(value)][:1]


def own_emails(operation: Operation, values: Values) -> list[Json]:
    """The addresses of accounts that the run has made, the newest first; then, below something, that of the caller."""
    places = [place for fields in values.places(operation.tool) for place in fields if "mail" in last(place[1]).lower()]
    shown = [(key.path.rstrip("/").rpartition("/")[2].lower(), values.samples(key, at)) for key, at in places]
    made = [value for _, samples in shown for value in reversed(samples) if is_made_up(value)]
    caller = [value for page, samples in shown for value in samples if page in SELF and is_email(value)]
    return unique([*made, *(caller if "{" in operation.path else ())])
