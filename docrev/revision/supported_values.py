"""Texts that must be one of those that an API knows, though nothing lists them: that not any will do, with some."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.conventions.error_claims import VALUE_KINDS
from docrev.conventions.error_hints import hints_of
from docrev.conventions.fields import is_name_field
from docrev.conventions.ids import is_id_name
from docrev.conventions.parameters import Role, role_of
from docrev.conventions.run_names import is_invented
from docrev.conventions.statuses import INVALID
from docrev.evidence.queries import arguments
from docrev.facts.shape import format_of
from docrev.facts.status_causes import message
from docrev.json_values.pointer import last
from docrev.language.phrases import joined
from docrev.records import Call
from docrev.revision.documented_values import DocumentedValue, status_facts
from docrev.revision.quotations import values
from docrev.revision.validity_notes import accepted_words

_SHOWN = 2
_KNOWN_WORD = re.compile(r"[A-Za-z][\w.+/-]*[\w]")
"""What names one of several kinds: a word or a code, no sentence, number or time."""
_MEDIA_TYPE = re.compile(r"(?:application|audio|image|multipart|text|video)/")
"""What everybody knows that is asked for the type of a content."""
_NOT_KNOWN = re.compile(
    r"\b(?:unsupported|unknown|invalid|unrecogni[sz]ed|no such"
    r"|not (?:an? )?(?:supported|valid|known|recogni[sz]ed|allowed))\b",
    re.IGNORECASE,
)
"""How APIs say that a value is none of those that they know."""
_EXAMPLE = re.compile(r"\b(?:e\.g\.|i\.e\.|such as|for example|one of)", re.IGNORECASE)
"""How people name some of the values."""
_OF_OTHERS = (Role.CURSOR, Role.SORT)
"""What takes texts that a response has: a cursor, the names of fields."""


def supported(value: DocumentedValue) -> str:
    """That texts were refused as unknown, with values that were accepted."""
    if not _may_be_listed(value) or accepted_words(value) or not any(_refusals(value)):
        return ""
    shown = values(sorted(_accepted(value)), value.spot.name, parents=value.path, examples=value.examples)
    return f"Accepts {joined(shown[:_SHOWN])}, among others." if shown else ""


def _may_be_listed(value: DocumentedValue) -> bool:
    """Whether a place takes texts, neither free ones nor IDs, and nothing says which."""
    use = value.spot.first
    is_id = value.is_in_path or is_id_name(value.spot.name) or "comes-from" in value.known
    is_sent = value.is_parameter or use.location.startswith("body:")
    is_free = use.location in use.observed.free_texts or role_of(value.spot.name, value.spot.schema) in _OF_OTHERS
    return _takes_texts(value) and is_sent and not is_id and not is_free and not _is_told(value)


def _takes_texts(value: DocumentedValue) -> bool:
    """Whether the schema leaves it at that a value is a text."""
    schema = value.spot.schema
    return schema is None or (schema.type in (None, "string") and not schema.enum and not schema.format)


def _is_told(value: DocumentedValue) -> bool:
    """Whether the text, or another sentence, names some of the values."""
    return _EXAMPLE.search(value.spot.text) is not None or "default" in value.known or bool(value.observed)


def _refusals(value: DocumentedValue) -> Iterator[Call]:
    """The refusals of texts which say that these are not known, and state no rule on their form."""
    use = value.spot.first
    blamed = {id for fact, cause in status_facts(use) if cause.cause.endswith(" not valid") for id in fact.calls}
    for call in use.observed.bad:
        is_about = call.id in blamed or (bool(blamed) and _quotes(call, use.location))
        if is_about and call.status in INVALID and _has_text(call, use.location):
            is_of_form = any(hint.kind in VALUE_KINDS for hint in hints_of(call))
            if _NOT_KNOWN.search(message(call.body)) and not is_of_form:
                yield call


def _has_text(call: Call, location: str) -> bool:
    return any(at == location and isinstance(given, str) and given for at, given in arguments(call))


def _quotes(call: Call, location: str) -> bool:
    """Whether a message says the text that was sent at a location: a fact names few of the calls that show it."""
    said = message(call.body)
    return any(at == location and isinstance(given, str) and given and given in said for at, given in arguments(call))


def _accepted(value: DocumentedValue) -> set[str]:
    """The words that were accepted and are no data of this instance: returned, if at all, in fields of that name."""
    declared = str(value.spot.schema.default) if value.spot.schema is not None else ""
    texts = {given for given, _ in value.spot.values if isinstance(given, str)} - {declared}
    words = {
        text for text in texts if _KNOWN_WORD.fullmatch(text) and not (_MEDIA_TYPE.match(text) or format_of([text]))
    }
    return {word for word in words if not is_invented(word) and not _is_of_instance(value, word)}


def _is_of_instance(value: DocumentedValue, word: str) -> bool:
    """Whether a value is the name or ID of a thing, and not only what things of a kind have in the field."""
    fields = value.observations.fields_with(word) - {last(value.spot.name)}
    return any(is_name_field(name) or is_id_name(name) for name in fields)
