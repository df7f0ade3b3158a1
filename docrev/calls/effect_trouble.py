"""Why an operation is not called unless the user names it: by what it says, it would act on more than the run's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docrev.calls.account import changes_own_profile
from docrev.calls.effects import Effects
from docrev.calls.restorations import brings_back
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.ranks import distinguishes

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

OWN_ACCOUNT = "it would change the caller's own account"
_OF_ALL = "it says that it is about all that there are"
_MANY = "it changes all of a collection, or what its arguments select"
_RUNS_ON = "it changes the cluster that the service itself runs on"
_BRINGS_BACK = "it puts what a copy holds in the place of what there is by now"
_DISTINGUISHES = "it makes its thing the default or the like, which another may be by now"
_WITHOUT_TARGET = {
    "acting-read": "it says that it acts, though by GET",
    "action": "it acts on nothing that a run could create",
    "singleton": "there is only one of what it changes",
}


def effect_trouble(operation: Operation, effects: Effects | None) -> str | None:
    """Why an operation that nobody named would act on more than the run's own; None if it may be sent."""
    reason = _reason(operation, effects)
    return f"{reason}; name it: --allow '{operation.key.operation}'" if reason is not None else None


def _reason(operation: Operation, effects: Effects | None) -> str | None:
    if operation.route.method not in SAFE_METHODS and distinguishes(operation.route.path):
        return _DISTINGUISHES
    if effects is None:
        return None
    of_more = {
        _OF_ALL: effects.adds_to_all(operation),
        _RUNS_ON: effects.changes_cluster(operation),
        _BRINGS_BACK: brings_back(operation, effects),
        OWN_ACCOUNT: changes_own_profile(operation),
    }
    if why := next((why for why, holds in of_more.items() if holds), None):
        return why
    effect = effects.of(operation)
    if effect.parents or effect.kind not in _WITHOUT_TARGET:
        return None
    many = effect.kind == "singleton" and effects.routes.item_under(operation.key) is not None
    return _MANY if many else _WITHOUT_TARGET[effect.kind]
