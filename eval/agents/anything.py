"""The policy for services that are made for one task and thrown away: an agent may do there whatever can be sent."""

from __future__ import annotations

from docrev.calls.bases import Base
from docrev.calls.creations import Creation
from docrev.calls.journal import Journal
from docrev.calls.policy import Policy, Proof, missing
from docrev.records import Arguments
from docrev.spec import Operation


class Anything(Policy):
    """Permits every call that has its path arguments. Never for a service that anybody else uses."""

    def permits(self, operation: Operation) -> str | None:
        return None

    def verdict(
        self,
        operation: Operation,
        arguments: Arguments,
        journal: Journal,
        *,
        base: Base | None = None,
        proven: bool = False,
    ) -> str | None:
        name = missing(operation, arguments)
        return None if name is None else f"no value for path parameter {name}"

    def proofs(self, operation: Operation, arguments: Arguments, journal: Journal) -> list[Proof]:
        return []

    def creation(self, operation: Operation, arguments: Arguments, journal: Journal) -> Creation | None:
        return None
