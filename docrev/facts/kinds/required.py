"""`required`: a request without this parameter, property or body is refused."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from docrev.conventions.error_cases import asks_with_reason
from docrev.conventions.error_claims import RELATIONS
from docrev.conventions.error_hints import hints_of
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.run_names import is_invented
from docrev.conventions.statuses import BODY_REFUSED, INVALID
from docrev.facts.call_values import argument, comparable, ids, sends_object
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import ARGUMENT, Facts, Holds, Kind
from docrev.facts.observations import Observations
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.passed_refusals import PassedRefusals
from docrev.facts.trials import TrialCalls
from docrev.grouping import parted
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import members
from docrev.records import Call, Fact, Json
from docrev.spec import Schema


def _refutes(fact: Fact, call: Call) -> bool:
    """Whether a call without it was accepted; a property can be missing only in a parent that was sent."""
    parent = pointers.parent(fact.location)
    parent_sent = not parent.startswith("body:") or argument(call.arguments, parent)[0]
    return call.ok and parent_sent and not argument(call.arguments, fact.location)[0]


def _shows(fact: Fact, call: Call) -> bool:
    """Whether a refusal says of a request without it that it is required."""
    name = pointers.last(fact.location.rpartition(":")[2])
    is_refused = call.status in INVALID and not argument(call.arguments, fact.location)[0]
    return is_refused and any(hint.kind == "required" and hint.name == name for hint in hints_of(call))


def _from_trials(trials: ParameterTrials) -> Facts:
    """A call without what the base has was rejected."""
    for one in trials.all:
        was_sent, value = argument(one.base.arguments, trials.location)
        needless = _is_one_flag(one, value) or _is_conditional(one.call, one.location)
        if not one.sent and one.rejected and was_sent and not needless:
            yield KIND.fact(trials.key, trials.location, Holds(), (one.call.id, one.base.id))
            return


def _is_conditional(call: Call, location: str) -> bool:
    """Whether a refusal gives a reason why something is required, which may not be so for another thing."""
    name = pointers.last(location.rpartition(":")[2])
    return any(hint.kind == "required" and hint.name == name and asks_with_reason(hint.text) for hint in hints_of(call))


def _is_one_flag(one: TrialCalls, value: Json) -> bool:
    """Whether a flag was left out of which a refusal does not speak: one of several may have to be set."""
    name = pointers.last(one.location.rpartition(":")[2])
    return isinstance(value, bool) and name not in {hint.name for hint in hints_of(one.call)}


_FIRST = "0"
"""The first item of a list, which stands for all of them and has no name that could be required."""
_LEAST = 2
"""Requests that must have been refused without a property, or without a body."""

_Members = dict[str, Json]
"""The members of a request body by pointer, objects before what is in them."""


def _from_calls(view: EvidenceView) -> Facts:
    for seen in view.observations.values():
        schema = view.catalog[seen.key].body_schema
        kinds = variants(schema) if schema is not None else {}
        yield from _of_body(seen)
        yield from _of_properties(seen, kinds)
        if not seen.good:
            yield from _of_refused(seen, PassedRefusals(seen, view.catalog[seen.key]), kinds)


def _of_body(seen: Observations) -> Facts:
    """All accepted requests have a body, and some without one were refused."""
    with_body, refused = parted(seen.with_status(*BODY_REFUSED), lambda call: "body:" in call.arguments)
    alike = {_without_body(call) for call in with_body}
    # What is refused in the same words with a body is refused for something else.
    refused = [call for call in refused if _without_body(call) not in alike]
    if len(refused) >= _LEAST and seen.good and all("body:" in call.arguments for call in seen.good):
        yield KIND.fact(seen.key, "body:", Holds(), ids(refused))


def _without_body(call: Call) -> tuple[str, str]:
    """What else a request has, and what was said of it."""
    others = {at: value for at, value in call.arguments.items() if at != "body:"}
    return canonical(others), summarise_error(call.body)


def _of_properties(seen: Observations, kinds: Variants) -> Facts:
    """All accepted bodies have a property, and what lacks just this was refused; `kinds` are the `variants`."""
    bodies = _Bodies.of(seen)
    for pointer in filter(bodies.is_always_sent, sorted(bodies.values)):
        if pointers.last(pointer) == _FIRST:
            continue
        saying = bodies.named_missing(pointer, kinds)
        # Others may have been refused for what they had.
        lacking = saying if len(saying) >= _LEAST else bodies.refused_without(pointer)
        if len(saying) < _LEAST and bodies.may_depend(pointer, lacking, kinds):
            continue
        told_why = any(_is_conditional(call, f"body:{pointer}") for call, _ in lacking)
        if len(lacking) >= _LEAST and not told_why and bodies.is_only_cause(pointer, lacking, kinds):
            yield KIND.fact(seen.key, f"body:{pointer}", Holds(), ids(call for call, _ in lacking))


def _of_refused(seen: Observations, passed: PassedRefusals, kinds: Variants) -> Facts:
    """What refusals say is required, where with it something else was refused: nothing had to be accepted for that."""
    for location, calls in passed.lacking():
        pointer = location.removeprefix("body:")
        of_all = (call for call in calls if not _is_of_this_one(call, kinds))
        telling = [call for call in of_all if not speaks_of_kind(call, pointer, kinds)]
        if len(telling) >= (1 if seen.key.method in SAFE_METHODS else _LEAST):
            yield KIND.fact(seen.key, location, Holds(), ids(telling))


def _is_of_this_one(call: Call, kinds: Variants) -> bool:
    """Whether a refusal may say only that this request lacks something, where kinds of requests differ."""
    return bool(kinds) and _OF_THIS_ONE.fullmatch(summarise_error(call.body)) is not None


_QUOTED = re.compile(r"[\"'`‘“](\w[\w.-]{0,30})[\"'`’”]")


_OF_THIS_ONE = re.compile(r"no (?:\w+ ){1,2}(?:was |were )?(?:provided|specified|supplied|given)\.?", re.IGNORECASE)
"""What says that this body lacks something, and not that it is required."""


Variants = Mapping[str, Collection[str]]
"""The properties that choose between documented values, on which may depend what else is needed."""


def variants(schema: Schema) -> Variants:
    """These properties of a request body, by pointer, with their values."""
    texts = ((at, part) for at, part in schema.walk() if at and part.type in (None, "string"))
    found = ((at, {*map(str, part.enum or _QUOTED.findall(part.description))}) for at, part in texts)
    return {at: values for at, values in found if len(values) > 1}


@dataclass(frozen=True)
class _Bodies:
    """The request bodies of an operation: those accepted, those refused, and the values accepted at each pointer."""

    accepted: list[_Members]
    refused: list[tuple[Call, _Members]]
    values: dict[str, set[str]]

    @classmethod
    def of(cls, seen: Observations) -> _Bodies:
        accepted = [_members(call) for call in seen.good if sends_object(call)]
        values: dict[str, set[str]] = {}
        for pointer, value in (pair for body in accepted for pair in body.items()):
            values.setdefault(pointer, set()).add(comparable(value))
        refused = [(call, _members(call)) for call in seen.with_status(*INVALID) if sends_object(call)]
        return cls(accepted, refused, values)

    def is_one_value(self, pointer: str) -> bool:
        """Whether a single value of a property was accepted."""
        return len(self.values.get(pointer, ())) == 1

    def is_always_sent(self, pointer: str) -> bool:
        """Whether no accepted body that has its parent lacks a property."""
        parent = pointers.parent(pointer)
        within = [body for body in self.accepted if not parent or parent in body]
        return len(within) >= _LEAST and all(pointer in body for body in within)

    def refused_without(self, pointer: str) -> list[tuple[Call, _Members]]:
        """The refused bodies that are an accepted one without one property, their values accepted ones."""
        having = (body for body in self.accepted if pointer in body)
        rests = [{at for at in body if not pointers.is_within(at, pointer)} for body in having]
        return [(call, body) for call, body in self.refused if set(body) in rests and self._is_known(body)]

    def named_missing(self, pointer: str, kinds: Variants) -> list[tuple[Call, _Members]]:
        """The refused bodies that lack a property, of which the refusal says so: whatever else they have."""
        parent = pointers.parent(pointer)
        return [
            (call, body)
            for call, body in self.refused
            if pointer not in body and (not parent or parent in body) and says_required(call, pointer, kinds)
        ]

    def _is_known(self, body: _Members) -> bool:
        """Whether all values of a body were accepted."""
        plain = ((at, value) for at, value in body.items() if not isinstance(value, dict))
        return all(comparable(value) in self.values.get(at, ()) for at, value in plain)

    def may_depend(self, pointer: str, lacking: list[tuple[Call, _Members]], kinds: Variants) -> bool:
        """Whether a property may be needed for one kind of thing alone: only one was accepted, or refusals say so."""
        is_one_kind = any(at != pointer and self.is_one_value(at) for at in kinds)
        return is_one_kind or any(speaks_of_kind(call, pointer, kinds) for call, _ in lacking)

    def is_only_cause(self, pointer: str, lacking: list[tuple[Call, _Members]], kinds: Variants) -> bool:
        """Whether bodies were refused for lacking a property: one of two may be needed, unless the other was sent."""
        if all(says_required(call, pointer, kinds) for call, _ in lacking):
            return True
        if any(_says_one_of(call, pointer) for call, _ in lacking):
            return False
        parent, sent = pointers.parent(pointer), {at for _, body in lacking for at in body}
        beside = (at for at in self.values if pointers.parent(at) == parent and at != pointer)
        # What was sent under a name that nobody documents is no alternative.
        return all(at in sent or is_invented(pointers.last(at)) for at in beside)


def _members(call: Call) -> _Members:
    """The members of a body, those of the first item of each list at its top among them."""
    body = call.arguments["body:"]
    items = {pointers.join(name, 0): value[0] for name, value in body.items() if isinstance(value, list) and value}
    of_items = (pair for at, item in items.items() for pair in members(item, at))
    return {
        **dict(members(body)),
        **{at: item for at, item in items.items() if isinstance(item, dict)},
        **dict(of_items),
    }


def says_required(call: Call, pointer: str, kinds: Variants) -> bool:
    """Whether a refusal says of the very property that it is missing, of no other, and of bodies of all kinds."""
    named = {hint.name for hint in hints_of(call) if hint.kind == "required" and hint.name}
    if _is_of_this_one(call, kinds):
        return False
    return named == {pointer.rpartition("/")[2]} and not speaks_of_kind(call, pointer, kinds)


def _says_one_of(call: Call, pointer: str) -> bool:
    """Whether a refusal says that a property is one of several of which some are needed."""
    return any(hint.kind in RELATIONS and pointers.last(pointer) in hint.values for hint in hints_of(call))


def speaks_of_kind(call: Call, pointer: str, kinds: Variants) -> bool:
    """Whether a refusal names a documented value of another property: "Must specify format of file contents"."""
    # "A" is also an article.
    values = {value.lower() for at, values in kinds.items() if at != pointer for value in values if len(value) > 1}
    told = {*re.findall(r"[\w.-]+", summarise_error(call.body).lower())} - {*re.findall(r"\w+", pointer.lower())}
    return bool(told & values)


KIND = Kind(
    "required",
    Holds,
    ARGUMENT,
    shows=_shows,
    refutes=_refutes,
    proves_read=True,
    from_trials=_from_trials,
    from_calls=_from_calls,
)
