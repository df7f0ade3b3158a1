"""E-mail addresses that a body may carry where an account must exist: never those of somebody else.

A service may write to an address, or let in who has it. So only accounts that the run has made are named; and the
account that calls, where it is added to something of the run's own.
"""

from __future__ import annotations

import re

from docrev.calls.account import SELF
from docrev.conventions.run_names import is_made_up
from docrev.graph.values import Values
from docrev.json_values.canonical import unique
from docrev.json_values.pointer import last
from docrev.records import Json
from docrev.spec import Operation

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.\w+")


def is_email(value: Json) -> bool:
    """Whether a value is an e-mail address."""
    return isinstance(value, str) and _EMAIL.fullmatch(value) is not None


def own_emails(operation: Operation, values: Values) -> list[Json]:
    """The addresses of accounts that the run has made, the newest first; then, below something, that of the caller."""
    places = [place for fields in values.places(operation.tool) for place in fields if "mail" in last(place[1]).lower()]
    shown = [(key.path.rstrip("/").rpartition("/")[2].lower(), values.samples(key, at)) for key, at in places]
    made = [value for _, samples in shown for value in reversed(samples) if is_made_up(value)]
    caller = [value for page, samples in shown for value in samples if page in SELF and is_email(value)]
    return unique([*made, *(caller if "{" in operation.path else ())])
