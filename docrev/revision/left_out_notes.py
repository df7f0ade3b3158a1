"""What becomes of what a change leaves out: of the thing itself, and of the objects in it."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.conventions.envelopes import ENVELOPES, plain_name
from docrev.facts.call_values import sent_properties
from docrev.facts.kinds.left_out import KEPT, REMOVED
from docrev.json_values.pointer import join, last, split
from docrev.language.phrases import joined_names
from docrev.records import Fact
from docrev.revision import labels
from docrev.revision.change_notes import in_method
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.spec import Schema
from docrev.spec.schema import properties_of

_WHOLE = "whole"
"""What a statement is about that is on the thing itself, though an object may lie around its fields in a request."""
_FATES = {KEPT: "keep their values", REMOVED: "are removed"}


def left_out(observed: ObservedOperation) -> Iterator[Statement]:
    """That a PUT keeps what is not sent (of a PATCH everybody expects it), and that what is not sent is removed."""
    facts = observed.all("left-out")
    for fact in facts if observed.key.method == "PUT" else ():
        if fact.value == KEPT:
            about = _WHOLE if _is_of_whole(observed, fact) else ""
            yield Statement(_kept_members(observed, fact), facts=(fact,), about=about)
    yield from _removed(observed, [fact for fact in facts if fact.value == REMOVED])


def in_changes(statement: Statement) -> str:
    """A statement on what is left out, as most operations with its method share it: of the thing itself, whatever its
    fields lie in."""
    if statement.about != _WHOLE:
        return in_method(statement)
    fact = statement.facts[0]
    return f"In a `{fact.key.method}`, properties that are left out {_FATES[fact.value]}."


def _removed(observed: ObservedOperation, facts: list[Fact]) -> Iterator[Statement]:
    inner = [fact for fact in facts if fact.location != "body:"]
    if whole := [fact for fact in facts if fact.location == "body:"]:
        yield Statement("Properties that are left out are removed.", facts=tuple(whole), about=_WHOLE)
    if inner:
        objects = joined_names(_around_fields(fact) for fact in inner)
        about = _WHOLE if len(inner) == 1 and _is_of_whole(observed, inner[0]) else ""
        text = f"Fields of {objects} that are left out are removed."
        if not about and _has_other_objects(observed, inner):
            # What one object comes to, the others do, too: who reads of that one alone takes them to be merged.
            text = f"Objects such as {objects} are replaced whole."
        yield Statement(text, facts=tuple(inner), about=about)


def _has_other_objects(observed: ObservedOperation, told: list[Fact]) -> bool:
    """Whether a body has, by its schema, other objects beside those that facts are about, of which none is kept; what
    lies around the thing itself (`data`) is none of them."""
    if any(plain_name(last(fact.location)) in ENVELOPES for fact in told):
        return False
    parts = properties_of(observed.operation.body_schema)
    objects = {f"body:{join(name)}" for name, part in parts.items() if part.type == "object"}
    known = {fact.location for fact in observed.all("left-out")}
    return bool(objects - known) and known - {"body:"} == {fact.location for fact in told}


def _is_of_whole(observed: ObservedOperation, fact: Fact) -> bool:
    """Whether a fact is on the body, or on the one object that a body has, as far as is declared and was sent."""
    sent = {name for call in observed.good for name in sent_properties(call)}
    names = {*properties_of(observed.operation.body_schema), *sent}
    return fact.location == "body:" or [*names] == split(fact.location.removeprefix("body:"))


def _kept_members(observed: ObservedOperation, fact: Fact) -> str:
    """What is kept: every member if several were seen to be, else such as the one that was."""
    around = _around_fields(fact)
    left_out = observed.left_out.get(fact.location, frozenset())
    if len(left_out) != 1 or _optional_members(observed, fact) == left_out:
        members = f"Fields of `{around}`" if around else "Properties"
        return f"{members} that are left out keep their values."
    (name,) = left_out
    return f"Properties such as `{f'{around}.{name}' if around else name}` that are left out keep their values."


def _optional_members(observed: ObservedOperation, fact: Fact) -> set[str]:
    """The members of the object that its schema declares and a request may leave out."""
    schema = object_at(observed, fact)
    return {*schema.properties()} - {*schema.required} if schema is not None else set()


def object_at(observed: ObservedOperation, fact: Fact) -> Schema | None:
    """What the document says of the object in a request body that a fact is about."""
    schema = observed.operation.body_schema
    if schema is None or fact.location == "body:":
        return schema
    return dict(schema.walk()).get(fact.location.removeprefix("body:"))


def _around_fields(fact: Fact) -> str:
    """The object whose fields a fact is about; "" for the body."""
    return ".".join(step for step in labels.steps(fact.location.removeprefix("body")) if step != "0")
