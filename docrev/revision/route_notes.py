"""Experience of ways: what to read before a call, how a thing is found, and what an answer does not mean.

Each rests on facts, so on calls that fresh ones repeated: the call that the document suggests was answered, with
something else than was asked for. Where the facts themselves are written, their statements say the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from docrev.facts.kinds.combines import ALL
from docrev.facts.kinds.matches import BEGINNING
from docrev.facts.kinds.rewrites import REPLACED
from docrev.facts.registry import BOUNDS
from docrev.json_values.pointer import last
from docrev.json_values.scalars import is_number
from docrev.language.path_subjects import subject
from docrev.language.phrases import joined
from docrev.records import Fact, Json, OperationKey
from docrev.revision.choice_notes import Choice
from docrev.revision.identifier_notes import other_identifiers
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.property_notes import equal_field, look_alikes, numbers_by_path
from docrev.revision.quotations import quote
from docrev.revision.response_samples import fields

_COMPARING = ("filters", *BOUNDS)
"""Kinds of facts on a parameter that is compared with a field."""
_CHANGING = ("PUT", "PATCH")
_MIN_SUMS = 3
"""Different things of which a number must be the sum of two others."""
_SHOWN_CALLS = 3


def routes(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """What to know of the ways around an operation, the most important first."""
    for find in (_read_before_change, _by_other_number, _forms, _left_out, _unknown_values, _partial_lists, _hidden):
        yield from find(observed, observations)


def separate_counts(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """The operation that returns apart what a number of a look-alike is the sum of, for the same things."""
    if observed.key.method != "GET":
        return
    names = dict.fromkeys(name for held in numbers_by_path(observed.good).values() for name in held)
    for other, name in product(look_alikes(observed, observations), names):
        parts = _parts(equal_field(observed.good, name, other.good), [*numbers_by_path(other.good).values()])
        if parts:
            text = f"`{name}` counts {parts} together: `{other.key.operation}` returns each of them."
            calls = (call.id for one in (observed, other) for call in one.good[:_SHOWN_CALLS])
            yield Choice(text, other.key.operation, tuple(dict.fromkeys(calls)))


def _parts(whole: str, rows: Sequence[Mapping[str, float]]) -> str:
    """The two fields that a number is the sum of in all rows, if neither is zero in several of them; "" if none are."""
    names = [name for name in rows[0] if name != whole] if whole else []
    found = (pair for pair in combinations(names, 2) if _add_up(pair, whole, rows))
    return " and ".join(f"`{name}`" for name in next(found, ()))


def _add_up(parts: Sequence[str], whole: str, rows: Sequence[Mapping[str, float]]) -> bool:
    held = [[row[name] for name in (*parts, whole)] for row in rows if row.keys() >= {*parts, whole}]
    fit = [(one, other) for one, other, both in held if one + other == both]
    return len(fit) == len(rows) and len({pair for pair in fit if all(pair)}) >= _MIN_SUMS


def _read_before_change(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """That a thing is to be read before it is changed, as what is not sent again is lost."""
    reader = observations.by_key.get(OperationKey(observed.key.tool, f"GET {observed.key.path}"))
    if reader is None or not reader.good or observed.key.method not in _CHANGING:
        return
    noun, read = subject(observed.key.path).noun or "resource", f"`{reader.key.operation}`"
    for fact in observed.all("left-out"):
        if fact.value == "removed" and fact.location == "body:":
            text = f"First read the {noun} with {read} and send its other properties too: what is left out is removed"
            yield _route(f"{text}{_undeclared(observed)}.", fact)
    for fact in observed.all("rewrites"):
        name = last(fact.location)
        if fact.value == REPLACED and name in fields(reader.good):
            text = (
                f"To add to `{name}`, first read it with {read} and send what is there too: it is replaced as a whole."
            )
            yield _route(text, fact)


def _undeclared(observed: ObservedOperation) -> str:
    """The properties that an operation stores and does not declare, behind what is said of all."""
    body = observed.operation.body
    declared = body.schema.properties() if body is not None and body.schema is not None else {}
    names = [_field(fact.location) for fact in observed.all("stored") if _field(fact.location) not in declared]
    which = "which is" if len(names) == 1 else "which are"
    return f", also {joined([f'`{name}`' for name in names])}, {which} not declared here" if names else ""


def _by_other_number(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """How a thing is found by a number that is easily taken for its ID."""
    collection, _, name = observed.key.path.rstrip("/").rpartition("/")
    location = f"path:{name.strip('{}')}"
    taken = [fact for fact in observed.at(location) if fact.kind == "comes-from"]
    if observed.key.method != "GET" or not name.startswith("{") or not taken:
        return
    listing = observations.by_key.get(OperationKey(observed.key.tool, f"GET {collection}"))
    for other in other_identifiers(observed.good, location):
        filters = [fact for fact in _compared(listing) if fact.kind == "filters" and _field(fact.value) == other]
        yield _route(_to_find(observed, listing if filters else None, other, name.strip("{}")), *filters, *taken)


def _to_find(observed: ObservedOperation, listing: ObservedOperation | None, other: str, name: str) -> str:
    """How to find a thing by another number than its ID: by a list that takes it, if any does."""
    if listing is None:
        return f"`{name}` is not the `{other}`, by which no list can be asked: check `{other}` in the response."
    given = [f"`{other}`", *(f"`{_name(fact)}={fact.value}`" for fact in listing.all("catch-all"))]
    thing = subject(observed.key.path).indefinite or "a resource"
    return f"To find {thing} by its `{other}`, use `{listing.key.operation}` with {joined(given)}."


def _forms(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """Which fields to read of a thing before a number is sent: one of them says what the other one means."""
    by_meaning: dict[tuple[OperationKey, str, str, str], list[tuple[str, Fact]]] = {}
    for name, field in _sent_as(observed):
        for fact in _meanings(observed, observations, field):
            meaning = (fact.key, fact.kind, last(fact.location), fact.value["by"])
            by_meaning.setdefault(meaning, []).append((name, fact))
    for (key, kind, field, by), found in by_meaning.items():
        names = joined([f"`{name}`" for name in dict.fromkeys(name for name, _ in found)])
        values = f"in the unit of `{field}`" if kind == "scaled" else f"as in `{field}`, which `{by}` names"
        text = (
            f"Before sending {names}, read `{field}` and `{by}` of {subject(key.path).indefinite or 'one'}"
            f" with `{key.operation}`: values are {values}."
        )
        yield _route(text, found[0][1])


def _meanings(observed: ObservedOperation, observations: CatalogObservations, field: str) -> list[Fact]:
    """The facts by which another operation shows, beside a number, what it means, if this one does not."""
    found = observations.on_fields(observed.key.tool, field)
    shown = [fact for fact in found if fact.kind in ("scaled", "coded") and fact.key.method == "GET"]
    return [] if any(fact.key == observed.key for fact in shown) else shown


def _sent_as(observed: ObservedOperation) -> Iterator[tuple[str, str]]:
    """What an operation declares to be sent, and the field of things that it is compared with or becomes."""
    for fact in _compared(observed):
        yield _name(fact), _field(fact.value)
    body = observed.operation.body
    for name in body.schema.properties() if body is not None and body.schema is not None else ():
        yield name, name


def _hidden(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """Which item to read to see what the values of filters look like that the list does not show."""
    by_key: dict[OperationKey, list[Fact]] = {}
    for fact in _compared(observed) if observed.item_fields else ():
        field = _field(fact.value)
        reader = None if field in observed.item_fields else _item_reader(observed, observations, field)
        if reader is not None and not _is_number(field, fact, reader) and not _meanings(observed, observations, field):
            by_key.setdefault(reader.key, []).append(fact)
    for key, facts in by_key.items():
        names = [f"`{name}`" for name in dict.fromkeys(map(_name, facts))]
        takes = "takes" if len(names) == 1 else "take"
        thing = subject(key.path).indefinite or "one"
        yield _route(f"To see which values {joined(names)} {takes}, read {thing} with `{key.operation}`.", *facts)


def _is_number(field: str, fact: Fact, reader: ObservedOperation) -> bool:
    """Whether a filter is by a number: who looks for one knows it, though not the unit of a bound."""
    values = (call.body.get(field) for call in reader.good if isinstance(call.body, dict))
    return fact.kind == "filters" and all(is_number(value) for value in values)


def _left_out(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """How to get what a list leaves out unless it is asked for."""
    for fact in observed.all("default"):
        around = {other.kind: other.value for other in observed.at(fact.location)}
        if "filters" in around:
            name, every = _name(fact), around.get("catch-all")
            way = f"send `{name}={every}`" if every else "ask for each of the others too"
            yield _route(f"Without `{name}`, returns those with {quote(fact.value)} alone: for all, {way}.", fact)


def _unknown_values(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """What to check in the answer, as a value that is not known, documented or not, is ignored."""
    for fact in observed.all("unknown-values"):
        around = {other.kind: other.value for other in observed.at(fact.location)}
        said = f"`{_name(fact)}` ignores values that it does not know{_documented(observed, fact.location, around)}"
        if "sorts" in around:
            yield _route(f"{said}: check the order of what is returned.", fact)
        elif "filters" in around:
            field = _field(around["filters"])
            reader = _item_reader(observed, observations, field)
            where = f"`{field}` with `{reader.key.operation}`" if reader is not None else f"`{field}`"
            yield _route(f"{said}: check {where}.", fact)


def _documented(observed: ObservedOperation, location: str, around: Mapping[str, Json]) -> str:
    """That documented values are among those that a parameter ignores, if any is."""
    parameter, found = observed.operation.parameter(location), around.get("unrecognised")
    ignored = found["ignored"] if isinstance(found, dict) else []
    text = {*re.findall(r"[\w-]+", parameter.description)} if parameter is not None else set()
    return "" if text.isdisjoint(ignored) else ", documented ones among them"


def _partial_lists(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """How all things are found of which a filter returns a part."""
    many = subject(observed.key.path).many or "resources"
    for fact in observed.all("matches"):
        if fact.value["mode"] == BEGINNING:
            field = last(fact.value["field"])
            text = (
                f"`{_name(fact)}` misses {many} that have the text later in `{field}`: to find all of them, list them"
                f" without it and compare `{field}`."
            )
            yield _route(text, fact)
    for fact in observed.all("combines"):
        if fact.value == ALL:
            yield _route(f"For {many} that have any of several `{_name(fact)}`, ask once for each of them.", fact)
    for fact in observed.all("clamps"):
        if any(other.kind == "limits" for other in observed.at(fact.location)) and observed.all("pages"):
            most = fact.value["maximum"]
            yield _route(f"Returns {most} {many} at most, whatever `{_name(fact)}` says: go on until fewer come.", fact)


def _item_reader(
    observed: ObservedOperation, observations: CatalogObservations, field: str
) -> ObservedOperation | None:
    """The operation on single items of a list that shows a field."""
    below = f"{observed.key.path.rstrip('/')}/{{"
    for other in observations.operations:
        is_below = (other.key.tool, other.key.method) == (observed.key.tool, "GET") and other.key.path.startswith(below)
        if is_below and field in fields(other.good):
            return other
    return None


def _compared(observed: ObservedOperation | None) -> list[Fact]:
    """The facts on declared parameters that are compared with a field."""
    declared = {one.key for one in observed.operation.parameters} if observed is not None else set()
    return [fact for fact in observed.all(*_COMPARING) if fact.location in declared] if observed is not None else []


def _field(location: Json) -> str:
    """The field of an item at a location, of a list in it the field that has the list."""
    return last(str(location).removesuffix("/0"))


def _name(fact: Fact) -> str:
    return fact.location.partition(":")[2]


def _route(text: str, *facts: Fact) -> Choice:
    calls = (call for fact in facts for call in (*fact.calls[:1], *fact.replays[:1]))
    return Choice(text, "", tuple(dict.fromkeys(calls)), facts=facts)
