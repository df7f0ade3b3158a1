"""Which values, known only to a person, would let a run reach most of what it did not reach."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from docrev.calls.consent import fits, is_bare, names_of
from docrev.calls.content import required_content
from docrev.calls.effects import Effects
from docrev.calls.policy import Policy
from docrev.calls.routes import template
from docrev.conventions.disguised_errors import meant_status
from docrev.conventions.error_claims import TYPED, Hint
from docrev.conventions.error_hints import hints_of
from docrev.conventions.hint_locations import is_sent
from docrev.conventions.ids import is_called
from docrev.conventions.lists import list_of
from docrev.conventions.parameters import takes_paths
from docrev.conventions.ranks import ranking_members
from docrev.conventions.statuses import CREDENTIALS, is_client_error
from docrev.exploration.given_values import GivenValues, all_places
from docrev.json_values.pointer import last
from docrev.language.characters import one_line
from docrev.language.path_templates import heads_of, parameters_of, shape_of
from docrev.language.words import words
from docrev.records import Arguments, Call, OperationKey
from docrev.spec import Catalog, Operation

MAX_WANTED = 5
"""The few values that are worth asking a person for."""
MAX_MEANING = 100
"""Characters of what the documentation says of such a value."""
_ABOUT_VALUES = frozenset({"required", "invalid", "pattern", "not-found", *TYPED})
"""Kinds of hints that a better value would answer."""
_UNHELPED = CREDENTIALS | {405, 406, 415, 429}
"""Statuses that no value changes."""


@dataclass(frozen=True, slots=True)
class WantedValue:
    """A value that would open `operations`: where it belongs, `path:tenant`, and the option that gives it.

    `operation` is the first of them, and `meaning` what its documentation says of the value: its type without a text.
    """

    tool: str
    location: str
    operations: int
    option: str
    operation: str = ""
    meaning: str = ""


def wanted_places(
    missed: Iterable[OperationKey],
    calls: Iterable[Call],
    catalog: Catalog,
    effects: Effects,
    policy: Policy,
    given: GivenValues,
) -> dict[OperationKey, str]:
    """The location of the value that each of the operations that were `missed` is wanting, if one is.

    A path parameter is wanting if nothing that answered was ever found under it; another one, or a member of a body,
    if errors are about it, and nothing that was sent for it led to an error about something else. Operations that the
    policy denies are left out: a value is no consent. So are members that would place a thing among others, and what a
    person has `given` already, or named as a thing in which the run may act: it did not help.
    """
    wanted = sorted(missed)
    seen = _Seen({*wanted})
    for call in calls:
        seen.observe(call)
    places: dict[OperationKey, str] = {}
    for operation in map(catalog.__getitem__, wanted):
        if policy.permits(operation) is None:
            effect = effects.of(operation)
            place = seen.lacking(operation, 0 if effect.kind == "read" else effect.parents)
            withheld = place is not None and not effect.parents and _ranks(operation, place)
            if place is not None and not withheld and not _was_given(operation, place, given, policy):
                places[operation.key] = place
    return places


def _ranks(operation: Operation, place: str) -> bool:
    """Whether a member of the body would place the run's thing among others, which no value makes harmless."""
    name, required = last(place), required_content(operation)
    ranking = (member for value in (1, True) for member in ranking_members({name: value}, required))
    return place == f"body:/{name}" and any(ranking)


def _was_given(operation: Operation, place: str, given: GivenValues, policy: Policy) -> bool:
    """Whether a person gave a value for a location, as a value or as a thing to act in."""
    path, (where, _, name) = template(operation.path), place.partition(":")
    number = path.names.index(name) + 1 if where == "path" else 0
    named = number and any(fits(thing, path, number) for thing, _ in policy.within)
    return bool(named or given.values(operation, place))


def wanted_values(places: Mapping[OperationKey, str], catalog: Catalog) -> tuple[WantedValue, ...]:
    """The values that would open most of the operations that want one, those that open most first."""
    options = {key: (key.tool, _option(catalog[key], place)) for key, place in places.items()}
    kinds: dict[tuple[str, str], set[str]] = defaultdict(set)
    for key, option in options.items():
        kinds[option].add(_kind(catalog[key], places[key]))
    wanting: dict[tuple[str, str], list[OperationKey]] = defaultdict(list)
    for key, place in places.items():
        kind = _kind(catalog[key], place) if len(kinds[options[key]]) > 1 else ""
        wanting[(key.tool, f"--value {kind}=…") if kind else options[key]].append(key)
    found = [
        WantedValue(tool, places[keys[0]], len(keys), option, keys[0].operation, _meaning(catalog[keys[0]], place))
        for (tool, option), keys in wanting.items()
        for place in [places[keys[0]]]
    ]
    return opening_most(found, MAX_WANTED)


def opening_most(found: Iterable[WantedValue], most: int) -> tuple[WantedValue, ...]:
    """Those that open most operations, at most so many."""
    return tuple(sorted(found, key=lambda value: (-value.operations, value.tool, value.option))[:most])


@dataclass(slots=True)
class _Seen:
    """What the calls showed: the shapes of paths under which something was found, and what errors said.

    `refusals` are, for each of the operations that were `missed`, what was sent and what the errors said of it.
    """

    missed: set[OperationKey]
    good: set[tuple[str, str]] = field(default_factory=set)
    called: set[OperationKey] = field(default_factory=set)
    refusals: dict[OperationKey, list[tuple[Arguments, list[Hint]]]] = field(default_factory=dict)

    def observe(self, call: Call) -> None:
        self.called.add(call.key)
        if call.ok:
            self.good.update((call.key.tool, shape) for shape in _shapes(call))
        elif call.key in self.missed and is_client_error(call.status) and meant_status(call) not in _UNHELPED:
            hints = [hint for hint in hints_of(call) if hint.kind in _ABOUT_VALUES]
            self.refusals.setdefault(call.key, []).append((call.arguments, hints))

    def lacking(self, operation: Operation, owned: int) -> str | None:
        """The location for which a value is wanting; None if no value of a person would help.

        The first `owned` path arguments must be the run's own, so they cannot be somebody's.
        """
        if operation.key in self.called and operation.key not in self.refusals:
            return None
        heads = heads_of(operation.path)
        head = next((head for head in heads if (operation.tool, shape_of(head)) not in self.good), None)
        if head is not None:
            names = parameters_of(head)
            return f"path:{names[-1]}" if len(names) > owned else None
        return self._blamed(operation)

    def _blamed(self, operation: Operation) -> str | None:
        """The location outside the path that most errors are about, whatever was sent there."""
        refusals = [
            (sent, {place for hint in hints for place in _places(hint, operation)})
            for sent, hints in self.refusals.get(operation.key, ())
        ]
        counts = Counter(place for _, places in refusals for place in sorted(places))
        met = {place for place in counts for sent, blamed in refusals if place not in blamed and is_sent(sent, place)}
        return next((place for place, _ in counts.most_common() if place not in met), None)


def _shapes(call: Call) -> Iterator[str]:
    """The shapes of what an answer shows to be there. An empty list shows nothing."""
    listed = list_of(call)
    if call.body == [] or (listed is not None and not listed.items):
        return
    yield from map(shape_of, heads_of(call.key.path))
    if listed is not None:
        yield f"{shape_of(call.key.path)}/{{}}"


def _places(hint: Hint, operation: Operation) -> list[str]:
    """The locations outside the path that a hint is about."""
    name = hint.name or (str(hint.values[0]) if hint.kind == "not-found" and hint.values else "")
    keys = [key for key in all_places(operation) if not key.startswith("path:")]
    return [key for key in keys if name and is_called(last(key) if "/" in key else key.partition(":")[2], name)]


def _kind(operation: Operation, place: str) -> str:
    """What the things are called whose ID is wanting, where their collection says more than the parameter does:
    `volume_backup` for `/volume-backups/{backupId}`; "" if it does not."""
    where, _, name = place.partition(":")
    if where != "path":
        return ""
    path = template(operation.path)
    noun, *others = names_of(path, path.names.index(name) + 1)
    return next((other for other in others if words(other)[1:] and words(other)[-1] == words(noun)[-1]), "")


def _meaning(operation: Operation, place: str) -> str:
    """What the documentation says of the value at a location: how its text begins, or its type."""
    parameter, schema = operation.parameter(place), operation.body_schema
    parts = schema.walk() if schema is not None else ()
    found = parameter.schema if parameter else next((part for at, part in parts if place == f"body:{at}"), None)
    if found is None:
        return ""
    described = (parameter.description if parameter else "") or found.description
    begun = one_line(described.strip().partition(". ")[0].rstrip("."), MAX_MEANING)
    return begun or found.format or found.type or ""


def _option(operation: Operation, place: str) -> str:
    """The option that gives a value for a location, ready to copy."""
    where, _, name = place.partition(":")
    if where == "path" and not takes_paths(name):
        path = template(operation.path)
        name = names_of(path, path.names.index(name) + 1)[0]
    elif where == "body":
        name = last(name)
    if is_bare(name) and not takes_paths(name):
        name = f"{operation.key.operation}:{name}"
    return f"--value {shlex.quote(name)}=…" if shlex.quote(name) == name else f"--value {shlex.quote(name + '=…')}"
