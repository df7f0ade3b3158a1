"""What error messages state that the calls answered 2xx deny."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.conventions.error_claims import Hint
from docrev.conventions.error_hints import hints_of
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
            for hint in hints_of(call):
                why = _denied(hint, given, good)
                if why:
                    found.setdefault(why)
    return list(found)


def _denied(hint: Hint, given: dict[str, str], good: list[dict[str, str]]) -> str:
    """What a hint says that an accepted call denies, in words; "" if none does."""
    name, refused = hint.name, _values(hint.name, given)
    if hint.kind == "required" and not refused and any(one.keys() == given.keys() for one in good):
        return f"'{name}' is required"
    lists = hint.kind == "allowed-values" and len(hint.values) >= 2 and _is_quoted(hint)
    if lists and refused and not _are_allowed(hint, [value for one in good for value in _values(name, one)]):
        return f"'{name}' is one of {', '.join(hint.values[:4])}"
    return ""


def _are_allowed(hint: Hint, sent: list[str]) -> bool:
    """Whether a list of allowed values has all that were sent, or each single one in a list of several.

    An empty value is often taken for none.
    """
    allowed = {"", *(value.lower() for value in hint.values)}
    return all(set(value.lower().split(",")) <= allowed for value in sent)


def _values(name: str, given: dict[str, str]) -> list[str]:
    """The values that were given under a name."""
    return [value for place, value in given.items() if place.partition(":")[2].rpartition("/")[2] == name]


def _is_quoted(hint: Hint) -> bool:
    """Whether the values of a hint were taken from a list that says so, not from a sentence that may go on."""
    return all(value in hint.text for value in hint.values)
