"""What a response is for, in a few words: the text of one that is declared by what the calls show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus

from docrev.conventions.hint_locations import name_at
from docrev.conventions.ids import is_id_name
from docrev.conventions.statuses import INVALID, is_client_error
from docrev.facts.status_causes import Cause
from docrev.language.path_subjects import subject
from docrev.language.phrases import joined
from docrev.records import Fact
from docrev.revision.observations import ObservedOperation
from docrev.revision.quotations import is_quotable, quote_message
from docrev.revision.value_sources import operation_key

_RULE = re.compile(r"[^\d\"'`“”‘’…{}<>]+")
"""A message that is a rule for everybody: it quotes nothing that was sent."""
_LEAST_WORDS = 4
"""Words of a message that says more than that something is not valid."""


def response_text(observed: ObservedOperation, status: int, causes: Sequence[Cause]) -> str:
    """The one cause of an error, if the calls show what it is about; else the name of the status in HTTP."""
    plain = HTTPStatus(status).phrase
    # What is wrong with a body may be many things, of which a call had one.
    is_any = status in INVALID and observed.operation.body is not None
    if not is_client_error(status) or is_any:
        return plain
    if len(causes) == 1 and causes[0].parameter:
        return _of_cause(observed, causes[0].parameter, causes[0]) or plain
    return _of_absent(observed.all("needs-first"), status) or plain


def _of_cause(observed: ObservedOperation, location: str, cause: Cause) -> str:
    """What is wrong with the one location that an error is about; "" if that is nothing that its name tells."""
    name = name_at(location)
    if cause.cause.startswith("unknown "):
        # A count or a size that a path does not accept is not found, either.
        is_of_thing = is_id_name(name) or any(fact.kind == "comes-from" for fact in observed.at(location))
        return f"`{name}` does not exist" if is_of_thing else ""
    what = f"`{name}`" if name else "The request body"
    if cause.cause.endswith(" missing"):
        return f"{what} is missing"
    rule = _rule(cause.message or "")
    return f"{what} is not valid{f': {rule}' if rule else ''}"


def _rule(message: str) -> str:
    """What an API says of values that are not valid, quoted, if that is of use to all who send one."""
    is_whole = _RULE.fullmatch(message) is not None and len(message.split()) >= _LEAST_WORDS
    return quote_message(message) if is_whole and is_quotable(message) else ""


def _of_absent(needed: Sequence[Fact], status: int) -> str:
    """What does not exist where an operation is refused, if that is what must be made before it."""
    made = [operation_key(str(fact.value["operation"])) for fact in needed if fact.value["status"] == status]
    nouns = dict.fromkeys(subject(key.path).noun for key in sorted(made, key=lambda key: key.path.count("/")))
    return f"The {joined([*nouns], 'or')} does not exist" if all(nouns) and nouns else ""
