"""What values were seen where: in responses, and as arguments that an operation accepted.

The index answers the question that a spec without descriptions cannot: where does the value of this parameter come
from? It is bounded: at most 50 items of an array, 2,000 leaves of a response, 40 distinct values of a field are looked
at, so that its cost is some tens of microseconds a call.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from docrev.conventions.envelopes import ENVELOPES, plain_name
from docrev.json_values.leaves import leaves
from docrev.json_values.scalars import is_whole
from docrev.language.urls import host_of, named_host
from docrev.language.words import singular
from docrev.records import Arguments, Call, Json, OperationKey

MAX_SAMPLES = 40
MAX_PLACES = 12
MAX_LENGTH = 200


class Sighting(NamedTuple):
    """A value seen in a response: where, and in which call."""

    key: OperationKey
    pointer: str
    call: str


def is_distinctive(value: object) -> bool:
    """Whether two sightings of this value say something: not true, null, 20 or "", which occur everywhere."""
    if isinstance(value, str):
        return 2 <= len(value) <= MAX_LENGTH
    return is_whole(value) and abs(value) >= 100


def flat(arguments: Arguments) -> Iterator[tuple[str, Json]]:
    """Arguments by location, the request body leaf by leaf: `body:/data/title`."""
    for location, value in arguments.items():
        if location == "body:":
            yield from leaves(value, "body:")
        else:
            yield location, value


class Values:
    """The index of observed values. `observe` calls in a deterministic order; everything else follows from it."""

    def __init__(self) -> None:
        self._samples: dict[tuple[OperationKey, str], dict[Json, None]] = {}
        self._sightings: dict[str, list[Sighting]] = {}
        self._fields: dict[OperationKey, dict[str, None]] = {}
        self._accepted: dict[tuple[OperationKey, str], dict[str, tuple[Json, str]]] = {}
        self._named: dict[tuple[str, str], dict[tuple[OperationKey, str], None]] = {}
        self._listed: dict[tuple[str, str], dict[tuple[OperationKey, str], None]] = {}
        self._hosts: dict[str, set[str]] = {}

    def observe(self, call: Call) -> None:
        """Take in the response and the arguments of a call that was answered with 2xx."""
        fields = self._fields.setdefault(call.key, {})
        self._hosts.setdefault(call.key.tool, set()).add(host_of(call.url))
        for pointer, value in leaves(call.body, f"{call.status}:"):
            fields[pointer] = None
            if isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) <= MAX_LENGTH:
                self._sample(call, pointer, value)
        for location, value in flat(call.arguments):
            if isinstance(value, str | int) and not isinstance(value, bool):
                known = self._accepted.setdefault((call.key, location), {})
                if len(known) < MAX_SAMPLES:
                    known.setdefault(str(value), (value, call.id))

    def _sample(self, call: Call, pointer: str, value: str | int) -> None:
        """Keep a value of a field, unless it is known or there are enough."""
        samples = self._samples.setdefault((call.key, pointer), {})
        if value in samples or len(samples) >= MAX_SAMPLES:
            return
        if not samples:
            self._named.setdefault((call.key.tool, pointer.rpartition("/")[2].lower()), {})[call.key, pointer] = None
            for listed in _listed_as(call.key.path, pointer):
                self._listed.setdefault((call.key.tool, listed), {})[call.key, pointer] = None
        samples[value] = None
        sightings = self._sightings.setdefault(str(value), [])
        if len(sightings) < MAX_PLACES:
            sightings.append(Sighting(call.key, pointer, call.id))

    def fields(self, key: OperationKey) -> list[str]:
        """The pointers of the scalar fields seen in 2xx responses of an operation, `200:/items/0/id`."""
        return list(self._fields.get(key, ()))

    def samples(self, key: OperationKey, pointer: str) -> list[Json]:
        """Distinct values of a response field in the order in which they were seen, at most 40."""
        return list(self._samples.get((key, pointer), ()))

    def leads_elsewhere(self, tool: str, name: str, value: Json) -> bool:
        """Whether a value is a URL of another host than those that answered for a tool, or is called as such a host."""
        host = (host_of(value) or named_host(name, value)) if isinstance(value, str) else ""
        return host != "" and host not in self._hosts.get(tool, ())

    def named(self, tool: str, name: str) -> list[tuple[OperationKey, str]]:
        """The response fields of a tool that have this name, whatever the case, in the order of their first value."""
        return list(self._named.get((tool, name.lower()), ()))

    def places(self, tool: str) -> list[list[tuple[OperationKey, str]]]:
        """The response fields of a tool, those of each name together, in the order of their first value."""
        return [list(found) for (of, _), found in self._named.items() if of == tool]

    def listed(self, tool: str, name: str) -> list[tuple[OperationKey, str]]:
        """The lists of plain values of a tool that are called after more than one of a name, by themselves or by the
        path that returns them: `petIDs` of `petID`, `/schemas` of `schema`.
        """
        return list(self._listed.get((tool, name.lower()), ()))

    def sightings(self, value: object) -> list[Sighting]:
        """Where a value occurred in responses."""
        return self._sightings.get(str(value), [])

    def accepted(self, key: OperationKey, location: str) -> list[tuple[Json, str]]:
        """The argument values with which an operation answered 2xx, each with its first call."""
        return list(self._accepted.get((key, location), {}).values())


def _listed_as(path: str, pointer: str) -> Iterator[str]:
    """What a list calls one of its plain values, in small letters: `petid` for `/petIDs/0`; nothing for any other.

    A list whose own name says nothing is called as its path is, too: `["a"]`, or `{"result": ["a"]}`, of `/schemas`.
    """
    parent, _, index = pointer.partition(":")[2].rpartition("/")
    if not index.isdecimal():
        return
    if name := parent.rpartition("/")[2]:
        yield singular(name.lower())
    above = path.rstrip("/").rpartition("/")[2]
    if (not name or plain_name(name) in ENVELOPES) and "}" not in above:
        yield singular(above.lower())
