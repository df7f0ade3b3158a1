"""What an error hints at without saying it, by what was sent and what is documented."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from docrev.conventions.error_claims import Hint
from docrev.conventions.fields import is_name_field
from docrev.conventions.hint_locations import (
    BODY,
    in_path,
    is_sent,
    located,
    members_of_body,
    name_at,
    repeated,
    schema_at,
    sent,
    value_at,
)
from docrev.conventions.methods import UNSAFE_METHODS
from docrev.conventions.run_names import is_made_up
from docrev.exploration.own_emails import emails_refused
from docrev.exploration.sent_files import files_refused
from docrev.json_values.pointer import join
from docrev.json_values.scalars import is_json_text
from docrev.language.words import word_set, words
from docrev.records import Arguments
from docrev.spec import Operation

_FEW = 2
"""Locations of which an error without a name may speak at once."""
_OF_BODY = re.compile(r"\b(?:json|body|payload|EOF|end of (?:file|input))\b", re.I)
"""What an error on a request without a body mentions if it should have one."""
_MISMATCH = re.compile(r"\b(?:match\w*|mismatch\w*|differ\w*|correspond\w*|equal|same|inconsistent)\b", re.I)
_OF_NOTHING = re.compile(r"\b(?:can ?not|can't|must not|may not|should not) be empty\b|\bat least one\b", re.I)
"""What an error mentions if something must be in what was sent with nothing in it."""
_OF_PATH = re.compile(r"\b(?:ur[il]s?|paths?|routes?)\b", re.I)
"""What an error mentions if the body calls a thing otherwise than the path does."""
_OF_FORM = re.compile(r"\b(?:(?:in)?valid|illegal|malformed|bad|characters?|letters?)\b", re.I)
"""What an error mentions if the form of a value is meant, and not what it stands for."""
_OF_PARSING = re.compile(r"\b(?:pars(?:e|ing)|decod(?:e|ing)|deseriali[sz](?:e|ing))\b", re.I)
"""What an error mentions if a text should be written in another language, most often JSON."""
_NOT_JSON = re.compile(
    r"\b(?:(?:invalid|malformed|bad|not(?: a)? valid) json|json (?:is )?(?:not valid|invalid))\b", re.I
)
"""What an error says of a text in a body, if the body itself is JSON."""
_OF_TIME = re.compile(r"\b(?:date ?times?|times?|timestamps?|iso[ -]?(?:8601|format)|isoformat|rfc ?3339)\b", re.I)
_OF_DATE = re.compile(r"\bdates?\b", re.I)
_ILL_FORMED = re.compile(r"\b(?:formats?|formatted|invalid|not (?:a )?valid|pars(?:e|ing)|isoformat)\b", re.I)
_DATED = re.compile(r"\d{4}-?\d\d")
_TIMELY = word_set("start end from to since until before after date day time at on begin begins ends starts")
"""Words of names that may want a time."""
_PLAIN_SIGNS = "[A-Za-z0-9_]", "[A-Za-z0-9]"
"""The signs that names may have where nothing is said of them, the stricter rule last."""


def hinted(operation: Operation, arguments: Arguments, text: str) -> list[Hint]:
    """What an error hints at without saying it: a body, or a documented thing that it names, is missing; a value that
    it repeats is bad, or what the body calls a thing is not what the path calls it."""
    for kind, values, rule in _RULES:
        if found := rule(operation, arguments, text):
            return [Hint(kind, *_place_and_pointer(at), values, text) for at in found]
    return []


def _missing_body(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """The body, if there is none and an error speaks of one."""
    is_missing = BODY not in arguments and operation.method in UNSAFE_METHODS
    return [BODY] if is_missing and _OF_BODY.search(text) else []


def _unlike_path(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """Members of the body that should be what the path has: "The id in the body does not match the URL"."""
    if not _MISMATCH.search(text) or not _OF_PATH.search(text):
        return []
    return [at for at in members_of_body(operation) if in_path(operation, arguments, at)][:_FEW]


def _empty_objects(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """The object of any properties in a body that has none, if an error says that something is empty."""
    if not _OF_NOTHING.search(text) or operation.body_schema is None:
        return []
    places = (BODY + at for at, part in operation.body_schema.walk() if part.type == "object")
    return [at for at in places if is_sent(arguments, at) and value_at(arguments, at) == {}][:1]


def _named_but_missing(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """What an error names, and what was not sent."""
    missing = (location for location in _documented(operation) if not is_sent(arguments, location))
    return _named_in(text, missing)[:_FEW]


def _repeated_value(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """No location, if an error repeats a value: whoever looks for what was sent finds it by that."""
    return [""] if repeated(arguments, Hint("invalid", "", "", (), text)) is not None else []


def _to_be_written(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """The locations of the texts that an error wants in another language: those that it names, or else those in the
    body that are the run's own and no names."""
    named = _named_and_sent(operation, arguments, text) if _OF_PARSING.search(text) else []
    if named or not _NOT_JSON.search(text):
        return named
    texts = (
        (at, value) for at, value in sent(arguments) if at.startswith(f"{BODY}/") and not is_name_field(name_at(at))
    )
    return [at for at, value in texts if is_made_up(value)]


def _named_and_sent(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """The locations of the texts outside the path that an error names and that were sent."""
    return _named_in(text, (at for at in _documented(operation) if isinstance(value_at(arguments, at), str)))


def _mentioned_choices(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """The locations of what was chosen among documented values, if an error mentions it: "Source nodes cannot …"."""
    said = set(words(text))
    return [
        location
        for location, value in sent(arguments)
        if (part := schema_at(operation, location)) is not None and len(part.enum or ()) > 1
        if (named := words(str(value))) and said.issuperset(named)
    ]


def _times_refused(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """What was sent as a time and is none, if an error calls the form of a time bad, and not which one."""
    return _no_times(arguments) if _OF_TIME.search(text) and _ILL_FORMED.search(text) else []


def _dates_refused(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """The same for dates."""
    return _no_times(arguments) if _OF_DATE.search(text) and _ILL_FORMED.search(text) else []


def _no_times(arguments: Arguments) -> list[str]:
    texts = ((at, value) for at, value in sent(arguments) if isinstance(value, str) and not at.startswith("path:"))
    return [at for at, value in texts if not _DATED.match(value) and not _TIMELY.isdisjoint(words(name_at(at)))]


_Rule = Callable[[Operation, Arguments, str], list[str]]

_RULES: tuple[tuple[str, tuple[str, ...], _Rule], ...] = (
    ("required", (), _missing_body),
    ("invalid", (), _unlike_path),
    ("invalid", (), _empty_objects),
    ("required", (), _named_but_missing),
    ("invalid", (), _repeated_value),
    ("invalid", (), files_refused),
    ("not-found", ("domain",), emails_refused),
    ("format", ("json",), _to_be_written),
    ("format", ("date-time",), _times_refused),
    ("format", ("date",), _dates_refused),
    ("invalid", (), _mentioned_choices),
)
"""The kind and the values of what is hinted at, and where that is, if it is: the first of them that is anywhere."""


def supposed(operation: Operation, arguments: Arguments, hints: Sequence[Hint]) -> list[Hint]:
    """What may be meant where an error calls a name of the run invalid and does not say why: it has other signs than
    letters, digits and underscores, or than letters and digits."""
    found = []
    for location, on_it in located(operation, arguments, hints).items():
        given, said = value_at(arguments, location), " ".join(hint.text for hint in on_it)
        named = is_made_up(given) and not is_json_text(str(given))
        if named and {hint.kind for hint in on_it} == {"invalid"} and _OF_FORM.search(said):
            stricter = next((signs for signs in _PLAIN_SIGNS if not re.fullmatch(f"{signs}+", str(given))), None)
            if stricter is not None:
                found.append(Hint("characters", *_place_and_pointer(location), (stricter,), on_it[0].text))
    return found


def _named_in(text: str, locations: Iterable[str]) -> list[str]:
    """The locations that an error names."""
    return [at for at in locations if re.search(rf"\b{re.escape(name_at(at))}\b", text, re.I)]


def _documented(operation: Operation) -> list[str]:
    """The locations of the query parameters and of the members of the body, by names that are no everyday words."""
    queried = [parameter.key for parameter in operation.parameters if parameter.location == "query"]
    return [location for location in (*members_of_body(operation), *queried) if len(name_at(location)) > 2]


def _place_and_pointer(location: str) -> tuple[str, str]:
    """The place and the pointer of a location, as a hint has them."""
    place, _, rest = location.partition(":")
    return place, rest if place == "body" or not rest else join(rest)
