"""`combines`: several values with commas between them choose what has any of them, or what has all."""

from __future__ import annotations

from docrev.facts.kind import PARAMETER, Facts, Kind, TextValue
from docrev.facts.kinds.excludes import members
from docrev.facts.parameter_trials import ListTrial, ParameterTrials
from docrev.facts.wire_values import key_of

ANY, ALL = "any", "all"


def _from_trials(trials: ParameterTrials) -> Facts:
    """Of a filter by the members of a list: whether items that have one of two values alone are found."""
    if not _chooses_by_members(trials):
        return
    singles = {one.key: one for one in trials.lists if one.items}
    for one in trials.several:
        parts = [part for part in str(one.value).split(",") if part in singles]
        mode = _mode(trials.location, one, parts) if len(parts) > 1 else ""
        alone = next((singles[part] for part in parts if _has_but_one(trials.location, singles[part], parts)), None)
        if mode and alone is not None:
            yield KIND.fact(trials.key, trials.location, TextValue(mode), dict.fromkeys([one.id, alone.id]))
            return


def _chooses_by_members(trials: ParameterTrials) -> bool:
    chosen = trials.effects.get("choose", ())
    return any(fact.kind == "filters" and str(fact.value).endswith("/0") for fact in chosen)


def _mode(location: str, one: ListTrial, parts: list[str]) -> str:
    """`all` if every item that was found has all parts, `any` if each has one and some but one."""
    for held in members(location, one.items).values():
        counts = {sum(part in values for part in map(key_of, parts)) for values in held}
        if counts and 0 not in counts:
            return ALL if counts == {len(parts)} else ANY
    return ""


def _has_but_one(location: str, one: ListTrial, parts: list[str]) -> bool:
    """Whether a single value finds an item that has none of the others: `all` must leave it out, `any` keeps it."""
    rows = members(location, one.items).values()
    return any(sum(part in values for part in parts) == 1 for held in rows for values in held)


KIND = Kind("combines", TextValue, PARAMETER, from_trials=_from_trials)
