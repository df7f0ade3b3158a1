"""Whether error messages say what is so: what they state is held against the calls that were answered 2xx."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.conventions.error_messages import Statement, read_statements
from docrev.evidence.queries import arguments
from docrev.records import Call


def contradictions(calls: Iterable[Call]) -> list[str]:
    """What error messages of one operation say that its own answers deny, each once, in words.

    A message is wrong where it requires what an accepted call with the same arguments otherwise lacked, or allows only
    values beside which another was accepted.
    """
    known = [(call, {place: str(value) for place, value in arguments(call)}) for call in calls]
    good = [given for call, given in known if call.ok]
    found: dict[str, None] = {}
    for call, given in known:
        if call.status is not None and 400 <= call.status < 500 and call.error is None:
            for statement in read_statements(call.body):
                why = _denied(statement, given, good)
                if why:
                    found.setdefault(why)
    return list(found)


def _denied(statement: Statement, given: dict[str, str], good: list[dict[str, str]]) -> str:
    name = statement.name
    if statement.kind == "required":
        lacks = not any(_is_called(place, name) for place in given)
        if lacks and any(one.keys() == given.keys() for one in good):
            return f"'{name}' is required"
    if statement.kind == "allowed-values" and len(statement.values) >= 2:
        allowed = {value.lower() for value in statement.values}
        sent = [one[place] for one in good for place in one if _is_called(place, name)]
        refused = [value for place, value in given.items() if _is_called(place, name)]
        # A list of several values may be accepted where each single one of them is allowed.
        other = [value for value in sent if not set(value.lower().split(",")) <= allowed]
        if other and refused and _named(statement):
            return f"'{name}' is one of {', '.join(statement.values[:4])}"
    return ""


def _is_called(place: str, name: str) -> bool:
    return place.partition(":")[2].rpartition("/")[2] == name


def _named(statement: Statement) -> bool:
    """Whether the values of a statement were taken from a list that says so, not from a sentence that may go on."""
    return all(value in statement.text for value in statement.values)
