"""All kinds of facts, and the groups of them that other packages use; a group follows from what its kinds say.

A new kind is a module in `docrev.facts.kinds` and a line here. What other packages do by kind (the wording of the
revision, the scoring of the evaluation) are tables there, which `tests/facts/test_facts_registry.py` compares with
`KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from docrev.facts.kind import AnyKind, BoundField, Effect, Ends, ItemField, never
from docrev.facts.samples import undisguised
from docrev.records import Call, Fact

_ORDER = (
    "required format allowed_values"
    " filters at_least more_than at_most less_than in_day searches matches in_year excludes includes combines"
    " sorts selects limits clamps pages"
    " type range length pattern characters partners whole_days default ignored unknown_values unrecognised catch_all"
    " unknown_parameters operators"
    " field observed_values status comes_from nullable"
    " alternatives broken empty needs_credentials wrapped_in creates needs_first"
    " exists missing left_out stored no_effect substitutes type_by on_request scaled coded rewrites"
    " deletes also_deletes not_empty referred unknown_properties returns_deleted conditions nulls also_creates"
    " sent_back becomes withheld newest_first sets repeated reveals starts_as stays_taken"
    " unknown_references spelled past_end fills"
)
"""The modules of all kinds, in the order of inference: a kind may look at what those before it found."""

_MODULES = (import_module(f"docrev.facts.kinds.{name}") for name in _ORDER.split())
KINDS: Mapping[str, AnyKind] = {module.KIND.name: module.KIND for module in _MODULES}
"""Every kind by its name."""


def kind_of(fact: Fact) -> AnyKind:
    """The kind of a fact. Raises KeyError if no such kind exists."""
    return KINDS[fact.kind]


def value_of(fact: Fact) -> Any:
    """The value of a fact as the dataclass of its kind. Raises ValueError if it is not of that type."""
    return kind_of(fact).value_of(fact)


def shows(fact: Fact, call: Call) -> bool:
    """Whether `call`, to the fact's operation, shows `fact`; never for facts that only several calls show together."""
    return _answers(fact, call) and kind_of(fact).shows(fact, undisguised(call))


def refutes(fact: Fact, call: Call) -> bool:
    """Whether `call`, to the fact's operation, could not have been answered so if `fact` were true."""
    kind = kind_of(fact)
    return kind.refutes is not never and _answers(fact, call) and kind.refutes(fact, undisguised(call))


def _answers(fact: Fact, call: Call) -> bool:
    """Whether a call of the fact's operation got a response; an error page called JSON is one of a broken operation."""
    whole = call.error is None or (call.error == "not-json" and fact.kind == "broken")
    return call.status is not None and call.key == fact.key and whole


def names(belongs: Callable[[AnyKind], bool]) -> tuple[str, ...]:
    """The names of the kinds for which `belongs` is true, in the order of `KINDS`."""
    return tuple(kind.name for kind in KINDS.values() if belongs(kind))


def with_effect(*effects: Effect) -> tuple[str, ...]:
    """The names of the kinds with one of these effects."""
    return names(lambda kind: kind.effect in effects)


BOUNDS = names(lambda kind: issubclass(kind.value, BoundField))
"""Kinds whose value is the field that a parameter bounds."""
BY_FIELD = names(lambda kind: issubclass(kind.value, ItemField))
"""Kinds of parameters that choose items by one field, which is the value."""
ENDS = names(lambda kind: issubclass(kind.value, Ends))
"""Kinds whose value is a minimum, a maximum, or both."""
LIST_EFFECTS = with_effect("choose", "sort", "window", "project")
"""What a parameter may do to the list that is returned: choose, sort, page its items, or project their fields."""
SHOWS_PAGES = with_effect("window")
"""Kinds that show that a list comes in pages; only whole numbers have such an effect."""
PROVES_READ = frozenset(names(lambda kind: kind.proves_read))
"""Kinds that show that the API reads a request property: what is not read is neither required nor refused."""
FROM_TRIALS = frozenset(names(lambda kind: kind.from_trials is not None))
"""Kinds that trials of a parameter show."""
