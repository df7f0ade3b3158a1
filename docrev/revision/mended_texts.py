"""Clauses of people's texts that calls refute, corrected in place: the rest of the text stays as it is.

A clause names something that others would act on: what identifies a thing, what must be sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from docrev.calls.routes import only_path
from docrev.facts.call_values import sent_properties
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.language.phrases import joined_names, spliced
from docrev.records import Call, Change, Fact
from docrev.revision.false_texts import has_false_example, mended
from docrev.revision.notes import MAX_CALLS, Statement, confidence
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.places import Spot, defined
from docrev.revision.time_claims import mended_order
from docrev.spec import Catalog, Place
from docrev.spec.change_classes import by_worth
from docrev.spec.lock import read_marks
from docrev.spec.schema import properties_of

_MOST_MEMBERS = 3
"""Members of an object that is quoted whole."""
_EITHER = re.compile(
    r"\bby (?:its |their |the )?(?:(?:[UG]U)?ID or (?P<name>\w+)|(?P<name_>\w+) or (?:[UG]U)?ID)\b", re.I
)
_SAME = re.compile(r"\b(?P<before>(?:of|with|having) the same )(?P<name>\w+)\b", re.I)
_ONE_OF = re.compile(
    r"(?:^|(?<=[.\n]))[^.\n]*\bat\s+least\s+one\s+of\s+(?P<names>(?:[`'\"]?[\w.-]+[`'\"]?(?:,?\s+or\s+|,?\s+and\s+|,\s+)?){2,6}?)\s+"
    r"(?:must|has\s+to|needs\s+to|is\s+required)\b[^.]*\.",
    re.IGNORECASE,
)


_BY_BOTH = re.compile(r"\b(?P<by>by (?:its |the )?)(?P<one>\w+) and (?:the )?(?P<other>\w+)\b")
_FAILS = re.compile(
    r"\bFails (?P<when>when|if) (?:the )?(?:\w+(?:'s)? )?(?P<field>\w+) is not "
    r"(?P<values>\w+(?:(?:, | or )(?!or\b)\w+)*)(?:,? or |(?=\.))"
)

_MUST = re.compile(r"\b(?:must|has\s+to|needs\s+to)\b", re.IGNORECASE)


class Mend(NamedTuple):
    """A text with its clause mended, and what shows it."""

    text: str
    facts: tuple[Fact, ...] = ()
    calls: tuple[str, ...] = ()


def mended_texts(catalog: Catalog, observations: CatalogObservations, spots: Iterable[Spot]) -> list[Change]:
    """The changes of texts that have a refuted clause, each text once."""
    changes: dict[tuple[str, str], Change] = {}
    for observed in observations.operations:
        for place, text in _texts(catalog, observed):
            found = next(_mends(text, observed, observations), None)
            if found is not None and (place.file, place.pointer) not in changes:
                changes[place.file, place.pointer] = _change(place, text, found, observed)
    marks, _ = read_marks(catalog.documents)
    for spot in spots:
        if not spot.uses:
            continue
        place, identified = Place(spot.place.file, spot.pointer), observations.field_of(spot.telling_values)
        calls = tuple(dict.fromkeys(call for _, call in spot.values))[:MAX_CALLS]
        of_people = marks[place.file].split(place.pointer, spot.text).original
        text = mended(replace(spot, text=of_people), identified)
        for change in _examples(catalog, spot, identified, calls):
            changes.setdefault((change.file, change.pointer), change)
        if text:
            shown = Mend(f"{text}{spot.text[len(of_people) :]}", calls=calls)
            changes.setdefault((place.file, place.pointer), _change(place, spot.text, shown, spot.first.observed))
    return list(changes.values())


def _examples(catalog: Catalog, spot: Spot, identified: str, calls: tuple[str, ...]) -> Iterator[Change]:
    """The changes that take out examples which are refuted with the text beside them."""
    for owner in (spot.place, *([defined(catalog, spot.schema.place)] if spot.schema is not None else [])):
        stated = catalog.node(owner, "/example")
        if has_false_example(spot, stated, identified):
            place = Place(owner.file, f"{owner.pointer}/example")
            found = _change(place, "", Mend("", (), calls), spot.first.observed)
            yield replace(found, before=stated, after=None)


def _change(place: Place, text: str, found: Mend, observed: ObservedOperation) -> Change:
    return Change(
        place.file,
        place.pointer,
        text,
        found.text,
        observed.key,
        facts=found.facts,
        calls=found.calls,
        classes=("correction",),
        confidence=confidence([Statement(found.text, "", "correction", found.facts, found.calls)]),
    )


def merged(changes: Sequence[Change]) -> list[Change]:
    """The changes, those of one place as one: from the first's text to the last's."""
    order = {(change.file, change.pointer): index for index, change in reversed(list(enumerate(changes)))}
    ordered = sorted(changes, key=lambda change: order[change.file, change.pointer])
    return [_as_one(list(group)) for _, group in groupby(ordered, key=lambda change: (change.file, change.pointer))]


def _as_one(changes: Sequence[Change]) -> Change:
    first, last = changes[0], changes[-1]
    if len(changes) == 1:
        return first
    return replace(
        last,
        before=first.before,
        facts=(*first.facts, *last.facts),
        calls=tuple(dict.fromkeys((*first.calls, *last.calls))),
        classes=by_worth((*first.classes, *last.classes)),
        confidence="high" if {first.confidence, last.confidence} == {"high"} else "medium",
    )


def _texts(catalog: Catalog, observed: ObservedOperation) -> Iterator[tuple[Place, str]]:
    """The texts of an operation and of the schema of its request body, each with its place."""
    operation = observed.operation
    places = [(operation.place, name) for name in ("summary", "description")]
    schema = operation.body_schema
    if schema is not None:
        places.append((defined(catalog, schema.place), "description"))
    for place, name in places:
        text = catalog.node(place, f"/{name}")
        if isinstance(text, str) and text.strip():
            yield Place(place.file, f"{place.pointer}/{name}"), text


def _mends(text: str, observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Mend]:
    yield from _identified(text, observed, observations)
    yield from _same_value(text, observed)
    yield from _not_needed(text, observed)
    yield from _ignored_part(text, observed)
    yield from _not_failing(text, observed, observations)
    yield from (Mend(mended, calls=calls) for mended, calls in mended_order(text, observed, observations))


def _identified(text: str, observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Mend]:
    """ "by ID or name" of a thing that is found by one of them alone, while the other was refused."""
    clause = _EITHER.search(text)
    path = observed.key.path.rstrip("/")
    if clause is None or not path.endswith("}"):
        return
    name, location = clause["name"] or clause["name_"], f"path:{path.rpartition('{')[2].removesuffix('}')}"

    def sent(calls: Iterable[Call], field: str) -> list[str]:
        """The calls that sent a value of a field."""
        return [call.id for call in calls if observations.is_value_of(field, call.arguments.get(location))]

    taken, refused = sent(observed.good, name), sent(observed.bad, "id")
    if taken and refused and not sent(observed.good, "id"):
        yield Mend(spliced(text, clause, f"by {name.lower()}"), calls=(*taken[:2], *refused[:2]))


def _same_value(text: str, observed: ObservedOperation) -> Iterator[Mend]:
    """ "of the same name" where a thing of another name was found, by what it is told apart by."""
    schema = observed.operation.body_schema
    properties = properties_of(schema)
    for fact in observed.all("exists"):
        by, clause = pointers.last(fact.value.get("by") or ""), _SAME.search(text)
        by = "" if fact.value.get("second") else by
        if clause is not None and by and by != clause["name"] and {by, clause["name"]} <= {*properties}:
            yield Mend(spliced(text, clause, f"{clause['before']}{by}"), (fact,), fact.calls[:MAX_CALLS])


def _not_needed(text: str, observed: ObservedOperation) -> Iterator[Mend]:
    """That one of some properties must be sent, where requests without any of them are accepted."""
    for match in _ONE_OF.finditer(text):
        names = [name for name in re.findall(r"[\w.-]+", match["names"]) if name not in ("or", "and", "of")]
        calls = [call for call in observed.good if not _sent_names(call) & {*names}]
        if len(names) > 1 and calls and _knows(observed, names):
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            sentence = _without(match[0].strip(), names, calls, observed)
            yield Mend(f"{text[:start]}{sentence}{text[match.end() :]}", calls=tuple(c.id for c in calls[:MAX_CALLS]))


def _without(said: str, names: Sequence[str], calls: Sequence[Call], observed: ObservedOperation) -> str:
    """What requests without these properties return, in place of what is `said` of them."""
    is_any_sent = any(call.arguments.get("body:") for call in calls)
    returned = _small_object(calls)
    if returned and not is_any_sent:
        # Where nothing at all is sent, nothing may be what is done: other bodies may need one of them all the same.
        wanted = _MUST.sub("should", said.rstrip("."), count=1)
        return f"{wanted}; `{{}}` is accepted, too, and returns `{returned}`."
    neither = f"Neither {' nor '.join(f'`{name}`' for name in names)} is required"
    if len(names) > 2:
        neither = f"None of {joined_names(names)} is required"
    # Other properties may choose as these do, so what nothing at all returns is said of nothing at all.
    without = "without them" if is_any_sent else "with `{}`"
    if returned:
        return f"{neither}: {without}, returns `{returned}`."
    most = max(_weight(call) for call in observed.good)
    is_whole = _weight(calls[0]) > 0 and most in map(_weight, calls)
    return f"{neither}: {without}, nothing is filtered out." if is_whole else f"{neither}."


def _small_object(calls: Iterable[Call]) -> str:
    """The object that all of some calls returned, as JSON, if it is small enough to be shown; else ""."""
    bodies = {canonical(call.body): call.body for call in calls}
    body = next(iter(bodies.values()))
    is_small = isinstance(body, dict) and 0 < len(body) <= _MOST_MEMBERS
    is_flat = is_small and not any(isinstance(value, dict | list) for value in body.values())
    return canonical(body) if is_flat and len(bodies) == 1 else ""


def _weight(call: Call) -> int:
    """The items of the longest list in a response."""
    bodies = call.body.values() if isinstance(call.body, dict) else [call.body]
    return max((len(value) for value in bodies if isinstance(value, list)), default=0)


def _ignored_part(text: str, observed: ObservedOperation) -> Iterator[Mend]:
    """ "by name and path" where the path of the URL decides, and the name in the body is ignored."""
    ignored = {pointers.last(fact.location): fact for fact in observed.all("no-effect") if fact.value == "path"}
    placed = {parameter.name for parameter in observed.operation.parameters if parameter.location == "path"}
    for clause in _BY_BOTH.finditer(text):
        for name, other in ((clause["one"], clause["other"]), (clause["other"], clause["one"])):
            if name in ignored and name not in placed and other in placed:
                mended = spliced(text, clause, f"{clause['by']}{other}")
                yield Mend(mended, (ignored[name],), ignored[name].calls[:MAX_CALLS])


def _not_failing(text: str, observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Mend]:
    """ "Fails when kind is not A or B" where a thing of another kind was accepted: it had no other in any response.

    A sentence that names something else, too, stays: what was accepted may have been so for that, and what is said of
    the rest would be said anew.
    """
    clause = _FAILS.search(text)
    if clause is None:
        return
    listed = {value.casefold() for value in re.split(r", | or ", clause["values"])}
    accepted: dict[str, str] = {}
    for call in observed.good:
        thing = str(next(reversed(only_path(call.arguments).values()), ""))
        held = observations.held_by(observed.key.tool, thing, clause["field"])
        if len(held) == 1 and not {value.casefold() for value in held} & listed:
            accepted.setdefault(held.pop(), call.id)
    stop = re.search(r"\.(?=\s|$)", text[clause.end("values") :])
    end = clause.end("values") + stop.end() if stop is not None else len(text)
    if accepted and not text[clause.end() : end].strip(" ."):
        told = f"Accepted also where `{clause['field']}` is {joined_names(sorted(accepted), 'or')}."
        mended = f"{text[: clause.start()]}{told}{text[end:]}"
        yield Mend(mended, calls=tuple(accepted.values())[:MAX_CALLS])


def _knows(observed: ObservedOperation, names: Iterable[str]) -> bool:
    """Whether the operation takes all that a text names."""
    operation = observed.operation
    schema = operation.body_schema
    return {*names} <= {*properties_of(schema), *(p.name for p in operation.parameters)}


def _sent_names(call: Call) -> set[str]:
    return {*(place.partition(":")[2] for place in call.arguments), *sent_properties(call)}
