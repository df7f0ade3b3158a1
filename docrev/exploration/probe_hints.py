"""What errors state of a parameter that is probed: its type, the values that it may have, and its bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docrev.conventions.error_claims import TYPED, Hint
from docrev.conventions.error_hints import hints_about
from docrev.conventions.parameters import Role, role_in
from docrev.conventions.run_names import PROBES, run_name
from docrev.exploration.probe_bench import Bench
from docrev.facts.kinds.allowed_values import MAX_ALLOWED
from docrev.facts.parameter_trials import HUGE
from docrev.json_values.canonical import unique
from docrev.prompts.steps import Steps
from docrev.records import Call, Json
from docrev.spec import Parameter

_NUMERIC = ("integer", "number")


def try_bounds(bench: Bench, location: str) -> Steps[None]:
    """Try what messages state: the bound itself, and what lies just beyond it."""
    for statement in bench.statements(location):
        yield from bench.tries(location, bench.unlike(location, beyond(statement, location)))


def beyond(statement: Hint, location: str = "") -> list[Json]:
    """The values that show a stated bound: it, and the next one beyond it. Texts in bodies are names of the run."""
    try:
        bound = int(float(statement.values[0])) if statement.values else 0
    except ValueError:
        return []
    if abs(bound) > 10 * HUGE:
        return []
    length = 0 <= bound <= 10_000
    tried: dict[str, list[Json]] = {
        "minimum": [bound, bound - 1],
        "maximum": [bound, bound + 1],
        "exclusive-minimum": [bound + 1, bound],
        "exclusive-maximum": [bound - 1, bound],
        "min-length": [_text(bound, location), _text(bound - 1, location)] if length and bound else [],
        "max-length": [_text(bound, location), _text(bound + 1, location)] if length else [],
    }
    return tried.get(statement.kind, [])


def _text(length: int, location: str) -> str:
    name = run_name(0, PROBES)
    return name.ljust(length, "x") if location.startswith("body:") and length >= len(name) else "a" * length


def statements_in(answers: Iterable[tuple[Json, Call]], location: str) -> list[Hint]:
    """What the refusals among answers state of the argument at a location."""
    place, _, name = location.partition(":")
    return [s for _, call in answers if not call.ok for s in hints_about(call, name, place)]


def few_allowed(statements: Iterable[Hint]) -> Sequence[str]:
    """The values that errors allow, if they are few."""
    allowed = next((s.values for s in statements if s.kind == "allowed-values"), ())
    return allowed if len(allowed) <= MAX_ALLOWED else ()


def is_numeric(parameter: Parameter, statements: Iterable[Hint]) -> bool:
    """Whether a parameter takes numbers: as errors state, or else by its type or its role."""
    stated = {statement.values[0] for statement in statements if statement.kind in TYPED}
    if stated:
        return bool(stated & set(_NUMERIC))
    return parameter.schema.type in _NUMERIC or role_in(parameter) in (Role.PAGE_SIZE, Role.PAGE, Role.OFFSET)


def states_length(call: Call, location: str) -> bool:
    """Whether a refusal states a length of the argument at a location."""
    place, _, name = location.partition(":")
    return not call.ok and any("length" in s.kind for s in hints_about(call, name, place))


def distinct(chosen: Iterable[Json]) -> list[Json]:
    """Each value once, without those that are empty."""
    return unique(value for value in chosen if value not in (None, ""))
