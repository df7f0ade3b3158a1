"""How far each operation may be called, before anything is sent: what `docrev explore --dry-run` prints."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from docrev.calls.consent import names_of, reaches
from docrev.calls.effects import Effect, Effects
from docrev.calls.policy import Policy
from docrev.calls.routes import Path, Routes
from docrev.language.words import article
from docrev.records import Json, OperationKey

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

Verdict = Literal["allowed", "own", "within", "consent", "denied"]
_Place = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Permission:
    """How far an operation may be called.

    `allowed`: whatever its arguments; `own`: on things of the run's own alone; `within`: in what the user named by
    `--within`, and on things of the run's own if there can be any; `consent`: not, unless the user gives one of the
    `options`; `denied`: not at all as things are. `where` says on what it may be called ("on a zone of its own"), and
    `reason` why no further.
    """

    key: OperationKey
    verdict: Verdict
    where: str = ""
    reason: str = ""
    options: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """A row of `--dry-run --json`."""
        return {
            "tool": self.key.tool,
            "operation": self.key.operation,
            "verdict": self.verdict,
            "where": self.where,
            "reason": self.reason,
            "options": list(self.options),
        }


def permissions(operations: Sequence[Operation], policy: Policy, routes: Routes) -> list[Permission]:
    """How far each of the operations of a catalog may be called, in their order."""
    effects = Effects(routes)
    judging = policy.judging(effects)
    makeable = _makeable(operations, judging, effects)
    return [_permission(operation, judging, effects, makeable) for operation in operations]


def opened_by_consent(
    operations: Sequence[Operation], policy: Policy, routes: Routes
) -> Iterator[tuple[Permission, set[OperationKey]]]:
    """The operations that need consent and alone make what others are called on; and these others."""
    effects = Effects(routes)
    judging = policy.judging(effects)
    makeable = _makeable(operations, judging, effects)
    places = {op.key: _places(op, routes.path(op.key)) for op in operations}
    for operation in operations:
        made = _made_by(operation, effects)
        asking = _permission(operation, judging, effects, makeable)
        if asking.verdict == "consent" and made is not None and made not in makeable:
            more = _makeable(operations, judging, effects, (made,)) - makeable
            yield asking, {key for key, heads in places.items() if not more.isdisjoint(heads)}


def _places(operation: Operation, path: Path) -> set[_Place]:
    """The paths of the things that an operation is called on, and in."""
    return {_place(operation.tool, path.head(number)) for number in range(1, len(path.names) + 1)}


def _permission(operation: Operation, policy: Policy, effects: Effects, makeable: frozenset[_Place]) -> Permission:
    key = operation.key
    effect, path = effects.of(operation), effects.routes.path(key)
    if (denial := policy.permits(operation)) is not None:
        if policy.lacks_a_name(operation):
            return Permission(key, "consent", "", denial, (_naming(operation),))
        return Permission(key, "denied", reason=denial)
    return _permitted(operation, policy, effect, path, makeable)


def _permitted(
    operation: Operation, policy: Policy, effect: Effect, path: Path, makeable: frozenset[_Place]
) -> Permission:
    """On what an operation may be called that is not denied as such."""
    key, options = operation.key, _options(operation, path)
    parents = _parents(effect, path)
    own = _created_target(operation, effect, path, parents, makeable)
    if effect.kind == "read" or (not parents and effect.kind in ("creation", "item")):
        return Permission(key, "allowed", "" if effect.removable else "once: nothing removes what it creates")
    if policy.names(operation):
        return Permission(key, "allowed", f"on anything, {own} first" if own else "on anything")
    if operation.route.method != "DELETE" and (named := reaches(policy.within, path)) is not None:
        return Permission(key, "within", " or ".join(filter(None, (f"in {'='.join(named)}", own))), options=options)
    if own:
        return Permission(key, "own", own, options=options)
    return Permission(key, "consent", "", f"the run cannot create {_noun(path, parents)}", options)


def _makeable(
    operations: Sequence[Operation], policy: Policy, effects: Effects, known: Iterable[_Place] = ()
) -> frozenset[_Place]:
    """The paths of items that the run may make beside `known` ones: by POST in their collection, or by PUT."""
    makers: list[tuple[_Place, _Place | None]] = []
    for operation in operations:
        effect = effects.of(operation)
        made = _made_by(operation, effects)
        if made is not None and policy.permits(operation) is None:
            path = effects.routes.path(operation.key)
            parents = _parents(effect, path)
            makers.append((made, _place(operation.tool, path.head(parents)) if parents else None))
    makeable: set[_Place] = {*known}
    while more := {made for made, parent in makers if parent is None or parent in makeable} - makeable:
        makeable |= more
    return frozenset(makeable)


def _made_by(operation: Operation, effects: Effects) -> _Place | None:
    routes = effects.routes
    if effects.puts(operation):
        return _place(operation.tool, routes.path(operation.key))
    item = effects.item_operation(operation) if effects.of(operation).kind == "creation" else None
    return None if item is None else _place(operation.tool, routes.path(item.key))


def _place(tool: str, path: Path) -> _Place:
    return tool, path.literals


def _parents(effect: Effect, path: Path) -> int:
    """How many path parameters must address things of the run's own: also where what is added could not be removed."""
    return effect.parents if effect.removable or effect.kind != "creation" else len(path.names)


def _created_target(operation: Operation, effect: Effect, path: Path, parents: int, makeable: frozenset[_Place]) -> str:
    """On what of the run's own a call may go: "on a zone of its own"; "" if there can be nothing of the kind."""
    if effect.kind == "collection":
        return "while it lists nothing but what the run created"
    if effect.kind == "batch":
        return "with requests that may be sent by themselves"
    if effect.kind == "query" and not parents:
        return "for what it created, first"
    for number in range(parents, 0, -1):
        if _place(operation.tool, path.head(number)) in makeable:
            on = "on" if number == len(path.names) and effect.kind != "creation" else "in"
            return f"{on} {_noun(path, number)} of its own"
    return ""


def _noun(path: Path, number: int) -> str:
    noun = names_of(path, number)[0].replace("_", " ")
    return f"{article(noun)} {noun}"


def _options(operation: Operation, path: Path) -> tuple[str, ...]:
    """The options that permit more, ready to copy, the narrowest first."""
    inside = len(path.names) - path.ends_in_parameter
    if not inside or operation.route.method == "DELETE":
        return (_naming(operation),)
    return f"--within '{names_of(path, inside)[0]}=…'", _naming(operation)


def _naming(operation: Operation) -> str:
    return f"--allow {shlex.quote(operation.key.operation)}"
