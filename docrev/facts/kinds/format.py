"""`format`: the form that all texts of a parameter, a request property or a part of a response have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docrev.conventions.error_claims import Hint
from docrev.conventions.statuses import INVALID
from docrev.evidence.queries import arguments
from docrev.facts.call_values import ids, is_response, present_values, response_values
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import VALUE, Facts, Kind, TextValue
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.samples import Sample
from docrev.facts.shape import EMAIL, UUID
from docrev.facts.stated import STATED_FORMATS, has_format
from docrev.facts.stated_facts import facts_stated, shows_stated
from docrev.json_values import pointer as pointers
from docrev.language.words import words
from docrev.records import Call, Fact, OperationKey

# JSON Schema's formats (RFC 3339 for times): stricter than what `shape` guesses from.
FORMATS: Mapping[str, re.Pattern[str]] = {
    "date": re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"),
    "date-time": re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)"),
    "uuid": UUID,
    "email": EMAIL,
    "uri": re.compile(r"[a-z][a-z0-9+.-]*://[^\s<>\"]+", re.IGNORECASE),
}
# One value may look like something by chance, unless its field is called so.
_MIN_VALUES = 2
_UNMISTAKABLE = ("date-time", "uuid")
_NAMES: Mapping[str, frozenset[str]] = {
    "date": frozenset(["date", "day", "on", "birthday", "since", "until"]),
    "email": frozenset(["email", "mail"]),
    "uri": frozenset(["url", "uri", "href", "link", "next", "prev", "previous"]),
}


def _holds(fact: Fact, value: object) -> bool:
    return isinstance(value, str) and FORMATS[fact.value].fullmatch(value) is not None


def _shows(fact: Fact, call: Call) -> bool:
    if not is_response(fact.location):
        return _states(fact, call)
    values = present_values(call, fact.location)
    return bool(values) and all(_holds(fact, value) for value in values)


def _read(hints: Sequence[Hint]) -> TextValue | None:
    names = {STATED_FORMATS.get(hint.values[0], "") for hint in hints if hint.kind == "format"}
    return TextValue(names.pop()) if len(names) == 1 and names != {""} else None


_states = shows_stated(_read)


def _refutes(fact: Fact, call: Call) -> bool:
    return is_response(fact.location) and any(not _holds(fact, value) for value in present_values(call, fact.location))


def _from_trials(trials: ParameterTrials) -> Facts:
    """Rejections state a format that all accepted texts have."""
    for (name, *_), rejected in trials.statements("format"):
        format = STATED_FORMATS.get(name, "")
        having = [call for value, call in trials.accepted if has_format(value, format)]
        others = [value for value, _ in trials.accepted if isinstance(value, str) and not has_format(value, format)]
        if format and having and not others:
            yield KIND.fact(trials.key, trials.location, TextValue(format), (rejected[0].call.id, having[0]))
            return


def _from_calls(view: EvidenceView) -> Facts:
    yield from facts_stated(KIND, view.stated, _read)
    yield from _of_responses(view)


def _of_responses(view: EvidenceView) -> Facts:
    """Formats of response texts, if no field of that name on the same resource has another text."""
    found: list[Fact] = []
    others: set[tuple[str, str, str]] = set()
    for sample in view.samples.values():
        for location, place in sample.places:
            if set(place.types) != {"string"} or location.endswith(":"):
                continue
            name = _format_of_texts(sample, location)
            if name:
                calls = sample.by_status[int(location.partition(":")[0])]
                having = (call for call in calls if any(response_values(call, location)))
                found.append(KIND.fact(sample.key, location, TextValue(name), ids(having)))
            else:
                others.add(_resource(sample.key, location))
    return (fact for fact in found if _resource(fact.key, fact.location) not in others)


def _format_of_texts(sample: Sample, location: str) -> str:
    """The format that all texts at a place certainly have, or ""."""
    texts: dict[str, bool] = {}
    for call in sample.by_status[int(location.partition(":")[0])]:
        sent = {str(value) for _, value in arguments(call)}
        for text in response_values(call, location):
            if isinstance(text, str):
                texts[text] = texts.get(text, False) or text not in sent
    name = next((name for name, pattern in FORMATS.items() if texts and all(map(pattern.fullmatch, texts))), "")
    return name if name and _is_certain(sample, location, name, texts) else ""


def _is_certain(sample: Sample, location: str, name: str, texts: Mapping[str, bool]) -> bool:
    """Whether texts have a format by no accident; each says whether it is the API's own.

    What was sent comes back as it was: that shows nothing, unless the operation refuses other texts.
    """
    own = len(texts) if _is_guarded(sample, location, name) else sum(texts.values())
    named = not _NAMES.get(name, frozenset()).isdisjoint(words(pointers.last(location)))
    return own >= _MIN_VALUES or (own > 0 and (named or name in _UNMISTAKABLE))


def _is_guarded(sample: Sample, location: str, name: str) -> bool:
    """Whether the operation refused another text where it is sent what comes back here."""
    leaf = location.rpartition("/")[2]
    calls = (call for status in INVALID for call in sample.by_status.get(status, ()))
    sent = ((place.partition(":")[2].rpartition("/")[2], value) for call in calls for place, value in arguments(call))
    texts = (value for place, value in sent if place == leaf and isinstance(value, str) and value)
    return any(not FORMATS[name].fullmatch(text) for text in texts)


def _resource(key: OperationKey, location: str) -> tuple[str, str, str]:
    """The tool, the collection and the name of a field: the same in a list, in an item, and in what was created."""
    parts = [part for part in key.path.split("/") if part and not part.startswith("{")]
    return key.tool, parts[-1] if parts else "", location.rpartition("/")[2]


KIND = Kind(
    "format",
    TextValue,
    VALUE,
    shows=_shows,
    refutes=_refutes,
    proves_read=True,
    from_trials=_from_trials,
    from_calls=_from_calls,
)
