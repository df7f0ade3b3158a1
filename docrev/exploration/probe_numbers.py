"""Probing a parameter that takes numbers."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.conventions.parameters import Role, role_in
from docrev.conventions.statuses import INVALID
from docrev.exploration import probe_values as values
from docrev.exploration.probe_bench import Bench
from docrev.exploration.probe_hints import distinct
from docrev.facts.kinds.clamps import echoes
from docrev.facts.parameter_trials import HUGE, NONSENSE
from docrev.facts.trials import items_at, list_in, stated_about
from docrev.facts.wire_values import number
from docrev.prompts.steps import Steps
from docrev.records import Call, Json
from docrev.spec import Parameter


def try_numbers(bench: Bench, parameter: Parameter) -> Steps[None]:
    """Send numbers for a parameter: those that are likely, very large ones, and what these were cut to."""
    location, role = parameter.key, role_in(parameter)
    _fit_page(bench, role)
    middle = values.middle_values(location, bench.items) if role not in values.PROBED else []
    known = [value for value in (bench.arguments.get(location),) if number(value) is not None]
    near = [int(n) + 0.5 for value in (*known, *middle, 2) if (n := number(value)) is not None][:1]
    far = values.far_numbers(role, bool(known or middle))
    years = values.year_values(parameter.name, bench.items)
    chosen = _likely_numbers(bench, parameter, middle)
    yield from bench.tries(location, distinct([*years, *chosen[:3], *far, *near]))
    yield from _try_none(bench, location)
    if role is Role.PAGE:
        yield from _try_before_first(bench, location)
    if any((call := bench.answer(location, value)) is not None and call.ok for value in near):
        yield from bench.tries(location, NONSENSE[1:])
    yield from _most(bench, location, role)


def _try_none(bench: Bench, location: str) -> Steps[None]:
    """Send 0 if less was refused and no message says what the least is."""
    least = bench.answer(location, -HUGE)
    if least is not None and least.status in INVALID and not stated_about(least, location):
        yield from bench.tries(location, [0])


def _try_before_first(bench: Bench, location: str) -> Steps[None]:
    """Send 0 for a page if 1 is another than the one that is returned without it: pages may be counted from there."""
    first = bench.answer(location, 1)
    if first is not None and first.ok and not bench.is_unchanged(first):
        yield from bench.tries(location, [0])


def _likely_numbers(bench: Bench, parameter: Parameter, middle: Sequence[Json]) -> list[Json]:
    """What is documented, returned under the parameter's name, in the middle of a field, or as long as the list."""
    returned = [value for _, value in echoes(parameter.key, bench.base.body)]
    chosen = [*values.documented(parameter), *returned, *middle]
    return [*chosen, len(bench.items)] if role_in(parameter) is Role.PAGE_SIZE and bench.items else chosen


def _most(bench: Bench, location: str, role: Role) -> Steps[None]:
    """If a huge number was accepted: what it was cut to, and the number after that."""
    huge = bench.answer(location, HUGE)
    if huge is None or not huge.ok:
        return
    echo = next((value for _, value in echoes(location, huge.body) if isinstance(value, int)), None)
    most = echo if echo != HUGE else None
    if most is None and role is Role.PAGE_SIZE:
        most = _shown_of(bench, huge)
    if most is None:
        return
    yield from bench.tries(location, [most, most + 1])
    if echo is None and role is Role.PAGE_SIZE:
        yield from bench.elsewhere(location, [HUGE])
        yield from bench.further_on(location, [HUGE])


def _shown_of(bench: Bench, call: Call) -> int | None:
    """How many items a call shows of the list that the base has; None for no list and no items."""
    found = list_in(bench.base)
    items = items_at(call, found.pointer) if found is not None else None
    return len(items) if items else None


def _fit_page(bench: Bench, role: Role) -> None:
    """Give a page the size at which a parameter of this role shows what it does."""
    if role is Role.PAGE:
        bench.narrow()
    elif role is Role.OFFSET:
        # Moved by one and by two, a page of two shows nothing.
        bench.plain()
    elif role is Role.PAGE_SIZE:
        bench.widen()
