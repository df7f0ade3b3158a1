"""Probing the properties of request bodies, by creations and by changes of what the run itself created."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from docrev.calls.effects import is_batch
from docrev.calls.redact import MASK as REDACTED
from docrev.conventions import examples
from docrev.conventions.error_claims import TYPED
from docrev.conventions.run_names import PROBES, run_name
from docrev.evidence import Evidence
from docrev.exploration import probe_values as values
from docrev.exploration.probe_bench import Bench, Known
from docrev.facts.call_values import argument
from docrev.facts.kinds.default import returned
from docrev.facts.parameter_trials import HUGE, NONSENSE
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import escape
from docrev.prompts.steps import Steps
from docrev.records import Call, Json
from docrev.spec import Operation
from docrev.spec.schema import properties_of

MAX_PROPERTIES = 8
MAX_CHOICES = 5
_MAX_KNOWN = 40
_LONG = 400


def body_bench(evidence: Evidence, operation: Operation) -> Bench | None:
    """A bench around the accepted call with the least in its body; None if there is none that can be sent again."""
    if operation.body is None or is_batch(operation):
        return None
    calls = (call for call in evidence.calls.select(key=operation.key, ok=True) if _repeatable(call))
    best = min(islice(calls, _MAX_KNOWN), key=lambda call: len(dict(properties(call.arguments["body:"]))), default=None)
    if best is None:
        return None
    return Bench(operation, Known([dict(best.arguments)], {}))


_SIGNS = "+~@"
"""Signs that names seldom may have."""


def _repeatable(call: Call) -> bool:
    body = call.arguments.get("body:")
    return call.purpose in ("survey", "scenario") and isinstance(body, dict) and REDACTED not in canonical(body)


def subjects(operation: Operation, body: dict[str, Json]) -> list[tuple[str, Json]]:
    """(location, value) of what is sent, and of what is documented beside it with a value of its type."""
    found = dict(properties(body))
    schema = operation.body_schema
    for name, part in properties_of(schema).items():
        location = f"body:/{escape(name)}"
        if name not in body and part.type not in ("object", "array") and not part.get("readOnly"):
            guessed = (examples.named_after_run(guess, 0) for guess in (*examples.guess_values(name, part), "docrev"))
            found[location] = next(chain(examples.documented_values(part), guessed))
    return list(found.items())[:MAX_PROPERTIES]


def properties(body: dict[str, Json], pointer: str = "body:", depth: int = 2) -> Iterator[tuple[str, Json]]:
    """(location, value) of the scalars of a body, also inside the objects that it has."""
    for name, value in body.items():
        below = f"{pointer}/{escape(name)}"
        if isinstance(value, dict) and depth > 1:
            yield from properties(value, below, depth - 1)
        elif not isinstance(value, dict | list):
            yield below, value


def nonsense(value: Json) -> list[Json]:
    """What a property like this one hardly takes: a text, a long, an empty, one of other signs; numbers far out."""
    if isinstance(value, bool):
        return [NONSENSE[0]]
    if isinstance(value, int | float):
        return [NONSENSE[0], -HUGE, HUGE]
    return [NONSENSE[0], run_name(0, PROBES).ljust(_LONG, "x"), "", f"{run_name(1, PROBES)} é"]


def probe_property(bench: Bench, location: str, value: Json) -> Steps[None]:
    """Send other values for one property, then what the answers state, then nothing."""
    answers: list[tuple[Json, Call]] = yield from bench.tries(location, nonsense(value))
    if not all(call.ok for _, call in answers[:1]) and isinstance(value, str):
        yield from bench.tries(location, NONSENSE[1:])
    statements = bench.statements(location)
    choices = next((s.values for s in statements if s.kind == "allowed-values"), ())
    yield from bench.tries(location, choices[:MAX_CHOICES])
    for statement in statements:
        if statement.kind == "characters" and isinstance(value, str):
            # What an error says of its characters may leave out some that are taken.
            other = next((sign for sign in _SIGNS if sign not in statement.values[0]), "")
            yield from bench.tries(location, [f"{run_name(2, PROBES)}{other}other"] if other else ())
        if statement.kind in TYPED:
            yield from bench.tries(location, examples.values_of_type(statement.values[0]))
            if statement.values[0] in ("integer", "number") and isinstance(value, str):
                yield from bench.tries(location, [-HUGE, HUGE, 1.5])
    yield from _default_property(bench, location, value, choose=not choices)


def _default_property(bench: Bench, location: str, value: Json, *, choose: bool) -> Steps[None]:
    """Send what the API filled in for a property that was left out, and with `choose` other values beside it."""
    if bench.operation.method not in ("POST", "PUT") or argument(bench.arguments, location)[0]:
        return
    default = returned(bench.base, location)
    if default is not None:
        others = [other for other in (value, *values.values_by_name(location.rpartition("/")[2])) if other != default]
        yield from bench.tries(location, [default, *others[:2]] if choose else [default])
