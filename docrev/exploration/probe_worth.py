"""What probing a parameter is expected to show, and at the cost of how many calls: what is worth most comes first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from docrev.conventions.parameters import ORDERING, SEARCHES, Role, role_in, role_of
from docrev.exploration import probe_values as values
from docrev.exploration.experiments import Experiment
from docrev.exploration.probe_reader import Reader
from docrev.json_values.pointer import split
from docrev.language.words import singular, words
from docrev.spec import MISSING, Operation, Parameter, Schema

_EXPECTED: dict[Role, tuple[int, int]] = {
    **dict.fromkeys([Role.SEARCH, Role.NAME], (6, 20)),
    **dict.fromkeys(ORDERING, (6, 15)),
    Role.FIELDS: (1, 10),
    Role.EXPAND: (3, 8),
    Role.PAGE_SIZE: (5, 18),
    Role.PAGE: (4, 12),
    Role.OFFSET: (2, 8),
    Role.CURSOR: (1, 4),
}
"""New facts and calls by the role of a parameter, as they were counted over a number of services."""
_CLAIM = 3
"""What it is worth to check a number that a text claims: nobody who believes it finds out that it is another."""
_LEFT_OUT = (1.0, 3.0)
"""Facts and calls of leaving out what all calls have: is it required?"""
_OTHER = (3, 11)
"""The same for a parameter of any other role."""
_OF_ITEMS = (1, 3)
"""Further facts, and calls, if the items that such a parameter chooses can be read one by one."""
_OF_FIELD = 1.2
"""How much more such a parameter shows if items have a field that is called as it is."""
_HIDES = 1.5
"""How much more one shows by whose name a list may leave things out until it is asked for them."""
_STATES = frozenset(
    "active archived closed deleted disabled draft enabled expired hidden published resolved state status trashed "
    "visibility".split()
)
"""Words in the names of what is chosen by, of which one value is often taken if none is sent."""
_PLAIN = (2.5, 5)
"""The same for one in a path or a header: little can be asked of those."""
_CREATED, _CHANGED = (3, 22), (3.5, 14)
"""The same for a property of a body, of what is created and of what is changed: each creation is looked at before and
after, and removed at the end."""
_CHOICE_CALLS = 10
"""Calls that a property of a POST takes that reads: nothing is created, so nothing is looked at or removed."""
_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "pattern")
_KNOWN = 0.15
"""What each thing that is documented takes off."""


def parameter_experiments(
    operation: Operation, chosen: Sequence[Parameter], reader: Reader, share: float, more: Mapping[str, float]
) -> Iterator[Experiment]:
    """One experiment for each parameter, before those that it makes the better; first what all calls have is left out.

    `share` of the facts is expected: what cuts and orders a list shows little as long as two items are in it. `more`
    says how many times as much they are worth, by parameter.
    """
    for parameter in chosen:
        if reader.needs(parameter.key) and not parameter.required:
            run = partial(reader.without, parameter.key)
            yield Experiment(operation.key, f"{parameter.key} left out", *_LEFT_OUT, run)
    roles = {parameter.key: role_in(parameter) for parameter in chosen if parameter.location == "query"}
    worth: dict[str, tuple[float, float]] = {}
    for parameter in chosen:
        facts, calls = _of_items(parameter, roles.get(parameter.key), reader)
        facts *= more.get(parameter.key, 1.0)
        worth[parameter.key] = (facts * share if parameter.key in roles else facts), calls
    for first, others in _leads(roles, reader):
        _lead(worth, first, others)
    for parameter in chosen:
        facts, calls = worth[parameter.key]
        yield Experiment(operation.key, parameter.key, facts, calls, partial(reader.parameter, parameter))


def _of_items(parameter: Parameter, role: Role | None, reader: Reader) -> tuple[float, float]:
    """Facts and calls that are expected of a parameter, more of one that chooses by what items show."""
    facts, calls = expected(parameter)
    if role is None or role in values.PROBED:
        return facts, calls
    if reader.reads_items:
        facts, calls = facts + _OF_ITEMS[0], calls + _OF_ITEMS[1]
    hides = _HIDES if _STATES.intersection(map(singular, words(parameter.name))) else 1.0
    return facts * hides * (_OF_FIELD if reader.shows(parameter.key) else 1.0), calls


def _leads(roles: Mapping[str, Role], reader: Reader) -> Iterator[tuple[str, list[str]]]:
    """A limit shows that there is a next page, a search that is needed is what fills the list: these come first."""
    pages = [key for key, role in roles.items() if role in (Role.PAGE, Role.OFFSET, Role.CURSOR)]
    others = [key for key, role in roles.items() if role not in SEARCHES]
    yield from ((key, pages) for key, role in roles.items() if role is Role.PAGE_SIZE)
    yield from ((key, others) for key, role in roles.items() if role in SEARCHES and reader.needs(key))


def _lead(worth: dict[str, tuple[float, float]], first: str, others: Iterable[str]) -> None:
    """Let `first` be worth what it comes to together with the best of the others, and those a little less."""
    facts, calls = worth[first]
    own, following = calls, sorted(others, key=lambda key: worth[key][1] / worth[key][0])
    for key in following:
        more, cost = worth[key]
        if more / cost > facts / calls:
            facts, calls = facts + more, calls + cost
    best = facts / calls
    worth[first] = best * own, own
    for key in following:
        worth[key] = min(worth[key][0], 0.999 * best * worth[key][1]), worth[key][1]


def expected(parameter: Parameter) -> tuple[float, float]:
    """New facts that probing a parameter may show, fewer if more is documented; and the calls that it takes."""
    facts, calls = _EXPECTED.get(role_in(parameter), _OTHER) if parameter.location == "query" else _PLAIN
    claims = _CLAIM if any(map(str.isdigit, parameter.description)) else 0
    return facts * _unknown_part(parameter.schema, parameter.description) + claims, calls


def expected_of_property(operation: Operation, location: str) -> tuple[float, float]:
    """The same of a property of the body."""
    facts, calls = _CREATED if operation.method == "POST" else _CHANGED
    schema = _property(operation, location)
    known = 1.0 if schema is None else _unknown_part(schema, schema.description)
    return facts * known, calls


def expected_of_choice(operation: Operation, location: str) -> tuple[float, float]:
    """The same of a property of the body of a POST that reads: one that pages or sorts is worth most."""
    schema, name = _property(operation, location), location.rpartition("/")[2]
    facts = _EXPECTED.get(role_of(name, schema), _OF_ITEMS)[0]
    return facts * (1.0 if schema is None else _unknown_part(schema, schema.description)), _CHOICE_CALLS


def _property(operation: Operation, location: str) -> Schema | None:
    """The schema of a property of the body; None if the document has none."""
    schema = operation.body_schema
    for name in split(location.removeprefix("body:")):
        schema = schema.properties().get(name) if schema is not None else None
    return schema


def _unknown_part(schema: Schema, description: str) -> float:
    """The part of what calls may show that neither a schema nor a description says."""
    is_bounded = bool(schema.enum) or any(schema.get(keyword) not in (None, MISSING) for keyword in _BOUNDS)
    documented = [bool(schema.type), is_bounded, bool(description), schema.default is not MISSING]
    return 1 - _KNOWN * sum(documented)
