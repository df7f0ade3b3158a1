"""The calls of one operation from which inference starts: bounded, sorted by how they ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from docrev.conventions.disguised_errors import is_disguised, meant_status, says_why
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.run_names import is_invented
from docrev.evidence.calls import response_weight
from docrev.evidence.queries import arguments
from docrev.facts.shape import MAX_CALLS, Field, Shape, shape
from docrev.json_values.sampling import MAX_TOGETHER
from docrev.records import Call, Json, OperationKey

# Arguments are small: more calls are looked at for them than for bodies.
_MAX_ACCEPTED = 200
_MAX_DISGUISED = 3
STATES = "states"
"""The mark, in place of a scenario, of probes that send only what was accepted before."""


@dataclass(slots=True)
class Accepted:
    """What was sent at one location in calls that were answered 2xx: each value with its call.

    `tried` are the texts of values that probes sent to see whether they would be refused: nobody meant them.
    """

    values: list[tuple[Json, str]] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)


@dataclass
class Sample:
    """At most 20 calls a status of one operation (fewer if they are large), and the argument values of 200 that were
    answered 2xx. `disguised` are some whose body says that they failed: they show nothing else.

    `fruitful` are those of the 200 that found something: a list that came back empty shows of a value only that it
    was not refused. `always` are the locations that all of them had, `free_texts` those at which any call that was
    answered 2xx had a text that the run made up.
    """

    key: OperationKey
    by_status: dict[int, list[Call]] = field(default_factory=dict)
    disguised: list[Call] = field(default_factory=list)
    accepted: dict[str, Accepted] = field(default_factory=dict)
    always: set[str] | None = None
    fruitful: set[str] = field(default_factory=set)
    free_texts: set[str] = field(default_factory=set)
    taken: int = 0
    _weight: int = 0

    def add(self, call: Call) -> bool:
        """Take in a call that got a response; returns False if nothing of it was taken: there are enough like it.

        What was not taken makes no difference to what is taken later.
        """
        assert call.status is not None
        if is_disguised(call):
            if len(self.disguised) == _MAX_DISGUISED:
                return False
            self.disguised.append(call)
            return True
        calls = self.by_status.setdefault(call.status, [])
        heavier = self._weight + response_weight(call)
        is_kept = not calls or (len(calls) < MAX_CALLS and heavier <= MAX_TOGETHER)
        if is_kept:
            self._weight = heavier
            calls.append(call)
        self.free_texts |= _made_up_texts(call)
        # What a probe of reading sends is nonsense, or beyond what is meant: it tells nothing on good values.
        distinct = call.purpose != "probe" or call.key.method not in SAFE_METHODS
        is_accepted = call.ok and distinct and self.taken < _MAX_ACCEPTED
        if is_accepted:
            self.taken += 1
            self._accept(call)
        return is_kept or is_accepted

    def _accept(self, call: Call) -> None:
        # A name that no API has is no property of this one, whatever became of it.
        given = [(location, value) for location, value in arguments(call) if not is_invented(location)]
        if not barren(call.body) and call.body != {}:
            self.fruitful.add(call.id)
        for location, value in given:
            accepted = self.accepted.setdefault(location, Accepted())
            if call.purpose == "probe" and call.scenario != STATES:
                accepted.tried.add(str(value))
                continue
            accepted.values.append((value, call.id))
            accepted.texts.add(str(value))
        names = {location for location, _ in given}
        self.always = names if self.always is None else self.always & names

    @cached_property
    def shapes(self) -> dict[int, Shape]:
        """The shapes of the 2xx bodies by status."""
        good = sorted(status for status in self.by_status if 200 <= status < 300)
        return {status: shape(self.by_status[status]) for status in good}

    @property
    def places(self) -> Iterator[tuple[str, Field]]:
        """(location, field) of every place in the 2xx responses."""
        return ((f"{status}:{at}", field) for status, found in self.shapes.items() for at, field in found.items())


def _made_up_texts(call: Call) -> set[str]:
    """The locations of the texts that the run made up, in a call that was answered 2xx."""
    return {at for at, value in arguments(call) if is_invented(value)} if call.ok else set()


def barren(body: object) -> bool:
    """Whether a response is an empty list or a count of nothing, or an envelope of only empty ones."""
    if isinstance(body, dict):
        lists = [value for value in body.values() if isinstance(value, list)]
        return bool(lists) and not any(lists)
    return body == [] or (body == 0 and not isinstance(body, bool))


def undisguised(call: Call) -> Call:
    """A call that failed under a status of success, with the status that others give for it; as it is, if its body
    does not say why.
    """
    return replace(call, status=meant_status(call)) if is_disguised(call) and says_why(call) else call


def is_sampled(call: Call) -> bool:
    """Whether a call may be in a sample. Replays are left out: they are what facts are checked with."""
    answered = call.status is not None and call.error is None and not (call.ok and call.anonymous)
    return answered and call.purpose not in ("replay", "clean-up")


def samples(calls: Iterable[Call]) -> dict[OperationKey, Sample]:
    """Samples by operation, sorted."""
    found: dict[OperationKey, Sample] = {}
    for call in filter(is_sampled, calls):
        found.setdefault(call.key, Sample(call.key)).add(call)
    return dict(sorted(found.items()))
