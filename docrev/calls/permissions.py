"""How far each operation may be called, before anything is sent: what `docrev explore --dry-run` prints."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from docrev.calls.consent import names_of, reaches
from docrev.calls.effects import Effect, classify, item_operation
from docrev.calls.policy import Policy
from docrev.calls.routes import Path, Routes
from docrev.conventions.verbs import acting_verb
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
    makeable = _makeable(operations, policy, routes)
    return [_permission(operation, policy, routes, makeable) for operation in operations]


def _permission(operation: Operation, policy: Policy, routes: Routes, makeable: frozenset[_Place]) -> Permission:
    key = operation.key
    if (denial := policy.permits(operation)) is not None:
        return Permission(key, "denied", reason=denial)
    effect, path = classify(operation, routes), routes.path(key)
    own = _own(operation, effect, path, makeable)
    if effect.kind == "read" or (not effect.parents and effect.kind in ("creation", "item", "query")):
        return Permission(key, "allowed")
    if policy.names(operation):
        return Permission(key, "allowed", where=f"--allow names it; {own} where it can be" if own else "")
    options = _options(operation, effect, path)
    if (named := reaches(policy.within, path)) is not None and effect.kind != "acting-read":
        return Permission(key, "within", " or ".join(filter(None, ("=".join(named), own))), options=options)
    if own and effect.kind != "acting-read":
        return Permission(key, "own", own, options=options)
    return Permission(key, "consent", reason=_reason(operation, effect, path), options=options)


def _makeable(operations: Sequence[Operation], policy: Policy, routes: Routes) -> frozenset[_Place]:
    """The paths of items that the run may make: by POST in their collection, or by PUT."""
    makers: list[tuple[_Place, _Place | None]] = []
    for operation in operations:
        made, effect = _made_by(operation, routes), classify(operation, routes)
        if made is not None and policy.permits(operation) is None:
            path = routes.path(operation.key)
            makers.append((made, _place(operation.tool, path.head(effect.parents)) if effect.parents else None))
    makeable: set[_Place] = set()
    while more := {made for made, parent in makers if parent is None or parent in makeable} - makeable:
        makeable |= more
    return frozenset(makeable)


def _made_by(operation: Operation, routes: Routes) -> _Place | None:
    kind = classify(operation, routes).kind
    if kind == "item" and operation.method == "PUT":
        return _place(operation.tool, routes.path(operation.key))
    item = item_operation(operation, routes) if kind == "creation" else None
    return None if item is None else _place(operation.tool, routes.path(item.key))


def _place(tool: str, path: Path) -> _Place:
    return tool, path.literals


def _own(operation: Operation, effect: Effect, path: Path, makeable: frozenset[_Place]) -> str:
    """On what of the run's own a call may go: "on a zone of its own"; "" if there can be nothing of the kind."""
    if effect.kind == "collection":
        return "while it lists nothing but what the run created"
    for number in range(effect.parents, 0, -1):
        if _place(operation.tool, path.head(number)) in makeable:
            on = "on" if number == len(path.names) and effect.kind != "creation" else "in"
            return f"{on} {_noun(path, number)} of its own"
    return ""


def _noun(path: Path, number: int) -> str:
    noun = names_of(path, number)[0].replace("_", " ")
    return f"{article(noun)} {noun}"


def _reason(operation: Operation, effect: Effect, path: Path) -> str:
    if effect.kind == "acting-read":
        return f"it says that it acts: '{acting_verb(operation)}'"
    if not path.names:
        what = "acts on" if effect.kind == "action" else "changes"
        return f"it {what} what the run did not create"
    return f"the run cannot create {_noun(path, effect.parents)}"


def _options(operation: Operation, effect: Effect, path: Path) -> tuple[str, ...]:
    """The options that permit more, ready to copy, the narrowest first."""
    inside = len(path.names) - path.ends_in_parameter
    naming = f"--allow {shlex.quote(operation.key.operation)}"
    if not inside or effect.kind == "acting-read":
        return (naming,)
    return f"--within '{names_of(path, inside)[0]}=…'", naming
