"""A call as the object of a request: "the cities of the country "BE" with the limit 2".

Where the documentation says enough, its own words are taken; of paths that name resources, the noun and what it is of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from docrev.language.path_subjects import PathSubject, subject
from docrev.language.path_templates import parameters_of
from docrev.language.phrases import humanise, joined
from docrev.language.words import article, plural
from docrev.planner.scenario_texts import quoted
from docrev.records import Json
from docrev.retrieval.documents import OperationText
from docrev.spec import Operation
from docrev.spec.texts import is_good_text
from docrev.train.operation_phrases import OperationPhrase, determined, phrases

_WRITES = {"POST": "create", "PUT": "save", "PATCH": "change", "DELETE": "delete"}
_PLAIN = ("from", "to", "since", "until", "between", "near", "in")
_SOUGHT = ("q", "query", "search", "term", "keyword", "keywords")
"""Parameters whose names are no nouns: prepositions, and what is looked for."""
_WORDED = {"sort": " sorted by {}", "sort by": " sorted by {}", "order by": " sorted by {}", "unit": " in {}",
           "units": " in {} units", "limit": " ({} at most)", "per page": " ({} at most)"}  # fmt: skip
"""Parameters that are said in a way of their own, behind all others."""
_OF_SERVICE = frozenset({"status", "health", "version", "info", "ping", "uptime", "statistic", "service"})
"""Nouns of what there is of every service: said with its name."""
_LONGEST = 120
Told = dict[str, Json]


def say(operation: Operation, text: OperationText, arguments: Mapping[str, object], random: Random) -> OperationPhrase:
    """The operation with these arguments; `doing` if it is something to be done."""
    values = {location: value for location, value in arguments.items() if _is_tellable(value)}
    about = subject(operation.path)
    good = is_good_text(operation.description, operation.path) or is_good_text(operation.summary, operation.path)
    resource = _resource(operation, about, values, text.tool) if about.noun and _is_resource(operation) else None
    if resource is not None and (not good or random.random() < 0.5):
        return resource
    phrase = phrases(text)[0] if good else random.choice(phrases(text))
    return OperationPhrase(determined(phrase, random) + details(values), phrase.doing)


def details(values: Mapping[str, object], word: str = "for") -> str:
    """` from "ABV" for the region "Europe" and the page 2`: every value as it stands; "" without any."""
    plain, sought, worded, others = [], [], [], []
    for location, value in values.items():
        name = spoken_name(location)
        if name in _PLAIN:
            plain.append(f" {name} {quoted(value)}")
        elif name in _SOUGHT:
            sought.append(f" for {quoted(value)}")
        elif name in _WORDED:
            worded.append(_WORDED[name].format(_bare(value)))
        else:
            others.append(_valued(name, value))
    if sought:
        word = "with"
    return "".join([*plain, *sought, f" {word} {joined(others)}" if others else "", *worded])


def _valued(name: str, value: object) -> str:
    """A parameter with its value: `radius in kilometres` is a radius of 5 kilometres."""
    head, _, unit = name.partition(" in ")
    return f"{article(head)} {head} of {value} {unit}" if unit and head else f"the {name} {quoted(value)}"


def _bare(value: object) -> str:
    """A value as a word: `-name` is the name, the other way round."""
    text = str(value)
    return f"{humanise(text[1:])}, the last first" if text[:1] == "-" and text[1:2].isalpha() else text


def spoken_name(location: str) -> str:
    """A parameter's name as words."""
    name = location.partition(":")[2].rpartition("/")[2]
    spoken = humanise(name) or name
    # `review_on` is a date.
    head, _, tail = spoken.rpartition(" ")
    return f"{head} date" if head and tail == "on" else spoken


def _is_resource(operation: Operation) -> bool:
    """Whether the path alternates nouns and their ids, as REST does, or ends in a known verb."""
    last = operation.path.rstrip("/").rpartition("/")[2]
    if "#" in operation.path:
        return False
    return operation.method != "GET" or "{" in operation.path or not re.search(r"[A-Z_]", last)


def _resource(operation: Operation, about: PathSubject, values: Told, tool: str) -> OperationPhrase:
    rest = dict(values)
    names = parameters_of(operation.path)
    own = rest.pop(f"path:{names[-1]}", None) if operation.path.endswith("}") else None
    above = rest.pop(f"path:{names[-1]}", None) if own is None and names else None
    if own is not None and len(names) > 1:
        above = rest.pop(f"path:{names[-2]}", None)
    if about.action:
        return OperationPhrase(
            f"{_base(about.action.lower())} {plural(about.noun)}{_of(about, above)}{details(rest)}", True
        )
    thing = _thing(about, own, above, many=operation.method == "GET")
    if about.noun in _OF_SERVICE and not about.parent and own is None:
        thing += f" of {tool}"
    if operation.method != "GET":
        return OperationPhrase(f"{_WRITES.get(operation.method, 'send')} {_written(operation, about, thing, above)}"
                      f"{details(rest, 'with')}", True)  # fmt: skip
    return OperationPhrase(thing + details(rest, "with"), False)


def _thing(about: PathSubject, own: object, above: object, *, many: bool) -> str:
    if own is not None:
        by = f"{about.by} " if about.by and about.by not in (about.noun, "name") else ""
        return (
            f"the {about.noun} with the {by}{quoted(own)}{_of(about, above)}"
            if by
            else f"the {about.noun} {quoted(own)}"
        )
    one = about.single or not many or (about.as_written and plural(about.as_written) != about.as_written)
    noun = about.noun if one else about.many
    return f"the {about.select(noun)}{_of(about, above)}"


def _of(about: PathSubject, above: object) -> str:
    if above is None:
        return ""
    return f" of the {about.parent} {quoted(above)}" if about.parent else f" of {quoted(above)}"


def _written(operation: Operation, about: PathSubject, thing: str, above: object) -> str:
    """What is written: a new thing, or the one that is named."""
    if operation.method == "POST":
        return f"{article(about.noun)} {about.noun}{_of(about, above)}"
    if operation.method == "DELETE" and not operation.path.endswith("}"):
        return f"all {about.many}{_of(about, above)}"
    return thing


def _base(verb: str) -> str:
    """`searches` → `search`."""
    return verb[:-2] if verb.endswith(("ches", "shes", "sses")) else verb.removesuffix("s")


def _is_tellable(value: object) -> bool:
    return value is not None and not isinstance(value, dict | list) and len(str(value)) <= _LONGEST
