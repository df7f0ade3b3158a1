"""`needs-first`: the operation is refused unless another one has created what it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docrev.conventions.run_names import is_invented_id
from docrev.conventions.statuses import INVALID, NOT_FOUND, NOT_THERE
from docrev.facts.call_values import ids
from docrev.facts.creations import concrete_path
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record, Replay, shows_status
from docrev.facts.observations import Observations
from docrev.facts.status_causes import message
from docrev.json_values.leaves import leaves
from docrev.language.path_templates import PARAMETER, shape_of
from docrev.records import Call, OperationKey


@dataclass(frozen=True)
class Need(Record):
    """The operation that creates what is needed, and the status that is returned without it."""

    operation: str
    status: int


_CONFLICT = 409
_NOWHERE = re.compile(r"\b(?:does not|doesn't|do not) exist\b|\bnot found\b|\bno such\b", re.IGNORECASE)


def _from_calls(view: EvidenceView) -> Facts:
    """Operations that are refused if what they lie under, or are about, was not created before."""
    taken = _names_given(view)
    makers: dict[tuple[str, str], set[OperationKey]] = {}
    known: dict[tuple[str, str], set[str]] = {}
    for one in view.created:
        shape = one.item.tool, one.shape
        makers.setdefault(shape, set()).add(one.call.key)
        known.setdefault(shape, set()).add(one.item.path)
    for key, seen in view.observations.items():
        for parameter in PARAMETER.finditer(key.path):
            shape = key.tool, shape_of(key.path[: parameter.end()])
            # What creates the items itself, under ids that the caller chooses, needs none of them.
            if shape in makers and key not in makers[shape]:
                maker = min(makers[shape], key=lambda maker: (maker.method != "PUT", maker))
                yield from _needs(_Parent(seen, parameter, known[shape], taken), maker)


@dataclass(frozen=True)
class _Parent:
    """One parameter in the path of an operation, with the concrete paths of what was created for it.

    `taken` are the names that something has, or had: what is called so may be refused for what it became.
    """

    seen: Observations
    parameter: re.Match[str]
    known: set[str]
    taken: set[str]

    def exists(self, call: Call) -> bool:
        """Whether a call is about, or lies under, something that was created."""
        return concrete_path(call, self.parameter.end()) in self.known

    def above(self, call: Call) -> str:
        return concrete_path(call, self.parameter.start())

    def id(self, call: Call) -> str:
        return str(call.arguments.get(f"path:{self.parameter.group(1)}"))

    def missing(self, worked: list[Call]) -> list[Call]:
        """The calls that were refused for an id that nobody has, under what exists."""
        accepted, above = {self.id(call) for call in self.seen.good}, {self.above(call) for call in worked}
        stated = (call for call in self.seen.with_status(*INVALID, _CONFLICT) if self._says_missing(call))
        refused = [*self.seen.with_status(*NOT_THERE), *stated]
        unknown = (call for call in refused if self._is_nobodys(call) and self.id(call) not in accepted)
        return [call for call in unknown if self.above(call) in above and not self.exists(call)]

    def _is_nobodys(self, call: Call) -> bool:
        """Whether nothing ever had the ID of a call: 403 may be on what there is."""
        return is_invented_id(self.id(call)) and (call.status in NOT_FOUND or self.id(call) not in self.taken)

    def _says_missing(self, call: Call) -> bool:
        """Whether a message says that the very ID is nowhere: 400 and 409 alone may mean anything."""
        text = message(call.body)
        return self.id(call) in text and _NOWHERE.search(text) is not None


def _names_given(view: EvidenceView) -> set[str]:
    """The texts in the bodies of what was accepted, but for readings."""
    good = (call for key, seen in view.observations.items() if key.method != "GET" for call in seen.good)
    sent = (value for call in good for _, value in leaves(call.arguments.get("body:"), ""))
    return {str(value) for value in sent if is_invented_id(value)}


def _needs(parent: _Parent, maker: OperationKey) -> Facts:
    least = 1 if parent.seen.key.method == "GET" else 2
    worked = list(filter(parent.exists, parent.seen.good))
    missing = parent.missing(worked)
    statuses = [status for status in {call.status for call in missing} if status is not None]
    if min(len(missing), len(worked)) >= least and len(statuses) == 1:
        yield KIND.fact(parent.seen.key, "", Need(str(maker), statuses[0]), ids(missing))


KIND = Kind("needs-first", Need, OPERATION, shows=shows_status, replay=Replay(weight=4), from_calls=_from_calls)
