"""What a GET must show before an unsafe call on something that is not certainly the run's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from docrev.calls.journal import Journal
from docrev.calls.route_arguments import addressed, argument, key_of
from docrev.calls.routes import template
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

ProofKind = Literal["gone", "own"]


@dataclass(frozen=True, slots=True)
class Proof:
    """A GET whose answer must show that an unsafe call touches nothing but what this run created.

    `gone`: what this run deleted is still gone, and nobody else got its id. `own`: the collection that is to be
    deleted lists items of this run and nothing else.
    """

    invoke: Invoke
    kind: ProofKind


def absence_of_target(operation: Operation, arguments: Arguments, journal: Journal) -> list[Proof]:
    """The GET that must show that nothing is where a call goes to, if the run deleted that; or, of what adds an item,
    made up its id. How such a call is refused is worth knowing.
    """
    effect, path = journal.effects.of(operation), journal.routes.path(operation.key)
    adds = effect.kind in ("creation", "item")
    # Below what is not there is nothing either: the first of the path's things that nobody has says it all.
    for number in range(1, effect.parents + 1):
        place = path.head(number).item(arguments) if number else None
        if place is not None and journal.nobody_has(operation.tool, place, made_up=adds):
            look = journal.routes.get(operation.tool, place)
            return [Proof(look, "gone")] if look is not None else []
    return []


def proof_kind(operation: Operation, arguments: Arguments, journal: Journal) -> ProofKind | None:
    """What a GET must show before an unsafe call on something that is not ours; None if nothing would do."""
    if not journal.routes.path(operation.key).ends_in_parameter:
        return "own" if operation.route.method == "DELETE" else None
    changes = operation.route.method != "PUT" and not journal.below_own(operation, arguments)
    return "gone" if changes and journal.had(operation, arguments) else None


def twin_arguments(operation: Operation, twin: Operation, arguments: Arguments, *, query: bool) -> Mapping[str, Json]:
    """The arguments of the GET on the same path; parameters may be called differently there."""
    ours, theirs = (template(one.route.path).names for one in (operation, twin))
    named = zip(ours, theirs, strict=True)
    found = addressed({}, {key_of(new): argument(arguments, old) for old, new in named})
    if query:
        found.update({location: value for location, value in arguments.items() if location.startswith("query:")})
    return found
