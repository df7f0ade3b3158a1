"""Experience of routes: what to read before a change, how to find a thing, and what a response leaves out.

The call that the document suggests succeeded, but returned something else than was asked for. Most routes rest on
facts, and so on calls that were repeated; where the facts themselves are written, their statements say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from docrev.evidence.queries import reader_at
from docrev.facts.kinds.combines import ALL
from docrev.facts.kinds.matches import BEGINNING
from docrev.facts.kinds.rewrites import REPLACED
from docrev.json_values.pointer import last
from docrev.language.path_subjects import subject
from docrev.language.phrases import joined
from docrev.records import Fact
from docrev.revision.choice_notes import Choice
from docrev.revision.identifier_notes import other_identifiers
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.property_notes import equal_field, look_alikes, numbers_by_path
from docrev.revision.quotations import quote
from docrev.revision.response_samples import fields
from docrev.spec.schema import properties_of

_CHANGING = ("PUT", "PATCH")
_MIN_SUMS = 3
"""Different things of which a number must be the sum of two others."""
_SHOWN_CALLS = 3


def routes(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """What to know of the ways around an operation, the most important first."""
    for find in (_separate_counts, _read_before_change, _by_other_number, _left_out, _partial_lists):
        yield from find(observed, observations)


def _separate_counts(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
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
    reader = reader_at(observations.by_key, observed.key.tool, observed.key.path)
    if reader is None or not reader.good or observed.key.method not in _CHANGING:
        return
    noun, read = subject(observed.key.path).noun or "resource", f"`{reader.key.operation}`"
    for fact in observed.all("left-out") if _can_send_all(observed) else ():
        if fact.value == "removed" and fact.location == "body:":
            text = f"First read the {noun} with {read} and send its other properties too: what is left out is removed."
            yield _route(text, fact)
    for fact in observed.all("rewrites"):
        name = last(fact.location)
        if fact.value == REPLACED and name in fields(reader.good):
            text = (
                f"To add to `{name}`, first read it with {read} and send what is there too: it is replaced as a whole."
            )
            yield _route(text, fact)


def _can_send_all(observed: ObservedOperation) -> bool:
    """Whether all properties that an operation is known to store are declared: others an agent cannot send."""
    declared = properties_of(observed.operation.body_schema)
    return all(last(fact.location) in declared for fact in observed.all("stored"))


def _by_other_number(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """Which list finds a thing by a number that is easily taken for its ID."""
    collection, _, name = observed.key.path.rstrip("/").rpartition("/")
    listing = reader_at(observations.by_key, observed.key.tool, collection)
    if observed.key.method == "GET" and name.startswith("{") and listing is not None:
        yield from _in_list(observed, f"path:{name.strip('{}')}", listing)


def _in_list(observed: ObservedOperation, location: str, listing: ObservedOperation) -> Iterator[Choice]:
    """How a list finds a thing by another number than the one that a parameter takes."""
    taken = [fact for fact in observed.at(location) if fact.kind == "comes-from"]
    for other in other_identifiers(observed.good, location):
        filters = [fact for fact in _filters(listing) if last(str(fact.value)) == other]
        given = [f"`{other}`", *(f"`{_name(fact)}={fact.value}`" for fact in listing.all("catch-all"))]
        thing = subject(observed.key.path).indefinite or "a resource"
        if filters and taken:
            text = f"To find {thing} by its `{other}`, use `{listing.key.operation}` with {joined(given)}."
            yield _route(text, *filters, *taken)


def _left_out(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Choice]:
    """How to get what a list leaves out unless it is asked for."""
    for fact in observed.all("default"):
        around = {other.kind: other.value for other in observed.at(fact.location)}
        if "filters" in around:
            name, every = _name(fact), around.get("catch-all")
            way = f"send `{name}={every}`" if every else "ask for each of the others too"
            yield _route(f"Without `{name}`, returns those with {quote(fact.value)} alone: for all, {way}.", fact)


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


def _filters(observed: ObservedOperation) -> list[Fact]:
    """The facts on declared parameters that filter."""
    declared = {one.key for one in observed.operation.parameters}
    return [fact for fact in observed.all("filters") if fact.location in declared]


def _name(fact: Fact) -> str:
    return fact.location.partition(":")[2]


def _route(text: str, *facts: Fact) -> Choice:
    calls = (call for fact in facts for call in (*fact.calls[:1], *fact.replays[:1]))
    return Choice(text, "", tuple(dict.fromkeys(calls)), facts=facts)
