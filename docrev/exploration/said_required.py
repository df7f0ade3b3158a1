"""Which properties refusals called required, though no schema does: leaving out each of these shows most."""

from __future__ import annotations

from docrev.conventions.error_hints import hints_of
from docrev.conventions.hint_locations import BODY, is_sent, located, schema_at
from docrev.conventions.statuses import INVALID
from docrev.facts.observations import Observations
from docrev.json_values.leaves import members
from docrev.json_values.pointer import last, parent
from docrev.records import Json
from docrev.spec import Operation


def said_required(operation: Operation, seen: Observations, body: Json) -> list[str]:
    """The pointers of the members of an accepted body without which others were refused, as the refusals said."""
    said: set[str] = set()
    for call in seen.with_status(*INVALID):
        hinted = located(operation, call.arguments, hints_of(call)) if BODY in call.arguments else {}
        required = (at for at, hints in hinted.items() if any(hint.kind == "required" for hint in hints))
        said.update(at for at in required if not is_sent(call.arguments, at))
    found = (at for at, _ in members(body, depth=2) if f"{BODY}{at}" in said)
    return [at for at in found if not _is_declared(operation, at)]


def _is_declared(operation: Operation, at: str) -> bool:
    """Whether the schema of the object that has a member calls that required."""
    schema = schema_at(operation, f"{BODY}{parent(at)}")
    return schema is not None and last(at) in schema.required
