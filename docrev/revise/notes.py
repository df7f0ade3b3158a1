"""What is appended to purposes: values, examples and bounds of parameters and properties, traps of operations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docrev.facts.masking import Examples
from docrev.models.offline.phrases import humanise, subject
from docrev.models.offline.samples import fields, lists
from docrev.records import Call, Experience, Fact, Json, OperationKey
from docrev.render import render
from docrev.revise.drafting import common_facts
from docrev.revise.observing import Observed, View
from docrev.revise.profiles import Budget
from docrev.revise.quoting import example, quote, values
from docrev.revise.spots import Spot, Use
from docrev.spec import MISSING
from docrev.wording import article, words

MAX_VALUES = 8
MAX_SENT = 5
_CODE = re.compile(r"[a-z][a-z0-9_-]*|[A-Z][A-Z0-9_-]*")
_SAFE = ("GET", "HEAD", "OPTIONS")
MAX_CHOICES = 2
MAX_CALLS = 5


@dataclass(frozen=True, slots=True)
class Notes:
    """Sentences, each of which can stand alone, with the facts and the calls that show them."""

    sentences: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    calls: tuple[str, ...] = ()


def of_value(spot: Spot, *, examples: Examples, budget: Budget) -> Notes:
    """The notes on a parameter or a property: its values or an example, and what facts say of its bounds."""
    facts = {fact.kind: fact for fact in common_facts(spot)}
    parents = spot.first.observed.key.path
    seen = [(value, call) for use in spot.uses for value, call in use.values]
    closed = _closed(spot, facts, examples)
    listed_values = [] if closed else _seen(spot, facts.get("observed-values"), parents, examples)
    shown = "" if closed or listed_values or _declares_example(spot) else _example(spot, seen, parents, examples)
    refusal = _refusal(spot) if examples != "none" else None
    context: dict[str, Any] = {
        "closed": closed,
        "seen": listed_values,
        "example": shown,
        "default": quote(facts["default"].value) if "default" in facts else "",
        "range": _range(facts["range"].value) if "range" in facts else "",
        "needed": _needed_status(spot),
        "refusal": refusal,
    }
    used = ["default", "range", "allowed-values", *(["observed-values"] if listed_values else [])]
    told = [facts[kind] for kind in used if kind in facts]
    told += [fact for use in spot.uses[:1] for fact, _ in _statuses(use) if context["needed"] or refusal]
    called = dict.fromkeys(call for value, call in seen if not shown or quote(value) == shown)
    calls = list(called) or [call for _, call in seen]
    calls = calls[:MAX_CALLS] + [fact.calls[0] for fact in told if fact.kind == "status" and fact.calls]
    return Notes(_lines("revise/notes.j2", context), tuple(told), tuple(dict.fromkeys(calls)))


def _lines(template: str, context: dict[str, Any]) -> tuple[str, ...]:
    return tuple(line.strip() for line in render(template, **context).splitlines() if line.strip())


def _closed(spot: Spot, facts: dict[str, Fact], examples: Examples) -> list[str]:
    """The allowed values: by a fact, or by the schema, where one of them was accepted."""
    if "allowed-values" in facts and isinstance(facts["allowed-values"].value, list):
        return [quote(value) for value in facts["allowed-values"].value]
    enum = spot.schema.enum if spot.schema is not None and spot.kind == "parameter" else None
    accepted = {str(value) for use in spot.uses for value, _ in use.values}
    if not enum or len(enum) < 2 or not accepted <= {str(value) for value in enum}:
        return []
    return [quote(value) for value in enum if value is not None]


def _seen(spot: Spot, fact: Fact | None, parents: str, examples: Examples) -> list[str]:
    """The observed values, where they are words of a small set and not samples of ids, numbers or free text."""
    if fact is None or not isinstance(fact.value, list) or not 2 <= len(fact.value) <= MAX_VALUES:
        return []
    if spot.kind == "parameter" and (spot.first.location.startswith("path:") or _sourced(spot)):
        return []
    found = [value for value in fact.value if not _invented(value)]
    if len(found) < 2 or not all(isinstance(value, str) and len(value.split()) <= 3 for value in found):
        return []
    # What was sent as a parameter is a sample of what may be; only short lists of codes are worth quoting.
    if spot.kind == "parameter" and (len(found) > MAX_SENT or not all(_CODE.fullmatch(value) for value in found)):
        return []
    return values(found, spot.name, parents=parents, examples=examples)


def _sourced(spot: Spot) -> bool:
    return any(fact.kind == "comes-from" for use in spot.uses for fact in use.facts)


def _declares_example(spot: Spot) -> bool:
    return spot.schema is not None and spot.schema.example is not MISSING


def _example(spot: Spot, seen: Sequence[tuple[Json, str]], parents: str, examples: Examples) -> str:
    telling = [value for value, _ in seen if not isinstance(value, bool) and value not in (None, "", 0)]
    telling = [value for value in telling if not _invented(value)]
    return example(telling, spot.name, parents=parents, examples=examples)


def _invented(value: Json) -> bool:
    """Whether docrev made a value up to have one: it shows that it was accepted, and nothing else."""
    return isinstance(value, str) and value.lower().startswith("docrev")


def _range(value: Json) -> str:
    low, high = (value.get("minimum"), value.get("maximum")) if isinstance(value, dict) else (None, None)
    if low is not None and high is not None:
        return f"From {quote(low)} to {quote(high)}"
    return f"At least {quote(low)}" if low is not None else f"At most {quote(high)}" if high is not None else ""


def _statuses(use: Use) -> Iterator[tuple[Fact, dict[str, Json]]]:
    """The status facts of an operation that are about the location of `use`."""
    for fact in use.observed.at(""):
        if fact.kind == "status" and isinstance(fact.value, dict) and fact.value.get("parameter") == use.location:
            yield fact, fact.value


def _needed_status(spot: Spot) -> int | None:
    """The status of calls without a parameter that its document does not require, where all users answer so."""
    if spot.kind != "parameter":
        return None
    found: set[int | None] = set()
    for use in spot.uses:
        parameter = use.observed.operation.parameter(use.location)
        lacking = [told["status"] for _, told in _statuses(use) if str(told["cause"]).endswith(" missing")]
        found.add(lacking[0] if lacking and parameter is not None and not parameter.required else None)
    return found.pop() if len(found) == 1 else None


def _refusal(spot: Spot) -> dict[str, Json] | None:
    """Status and message for values that are not valid, as the API itself says it."""
    for use in spot.uses:
        for _, told in _statuses(use):
            message = str(told.get("message", ""))
            if str(told["cause"]).endswith("not valid") and message:
                return {"status": told["status"], "message": quote(message)}
    return None


def of_operation(observed: Observed, view: View, spots: Sequence[Spot], *, examples: Examples) -> Notes:
    """The traps of an operation: that it fails, what to use instead, which values only it accepts."""
    failing = _failing(observed)
    misuses = [found for found in view.experiences if found.wrong == observed.key and _advisable(found)]
    context = {
        "failing": failing,
        "choices": _choices(misuses, view),
        "narrower": _narrower(observed, spots, examples),
    }
    calls: list[str] = [call.id for call in observed.bad[:MAX_CALLS]] if failing else []
    calls += [call for found in misuses for call in found.calls[-2:]]
    return Notes(_lines("revise/traps.j2", context), (), tuple(dict.fromkeys(calls)))


def _advisable(found: Experience) -> bool:
    """Whether the right operation may be recommended: never one that changes things in place of one that reads."""
    return found.right != found.wrong and (found.right.method in _SAFE or found.wrong.method not in _SAFE)


def _failing(observed: Observed) -> dict[str, str] | None:
    """How every call of an operation was answered, where none was answered with 2xx."""
    if observed.good or not observed.bad:
        return None
    statuses = sorted({str(call.status) for call in observed.bad})
    count = len(observed.bad)
    return {"statuses": " or ".join(statuses), "calls": f"All {count} calls were" if count > 1 else "The only call was"}


def _choices(misuses: Sequence[Experience], view: View) -> list[dict[str, str]]:
    """What to use instead and for what: what most scenarios showed, at most two operations, each once."""
    counted = Counter((found.right, *_what(found, view)) for found in misuses)
    best = sorted(counted, key=lambda choice: (choice[1], -counted[choice], choice))
    chosen: dict[OperationKey, str] = {}
    for right, rank, what in best:
        # What the operation does not even deal with is worth one sentence, where there is nothing better to say.
        if right not in chosen and len(chosen) < MAX_CHOICES and not (chosen and rank > 1):
            chosen[right] = what
    wrong = misuses[0].wrong.tool if misuses else ""
    return [
        {"what": what, "operation": right.operation, "tool": right.tool if right.tool != wrong else ""}
        for right, what in chosen.items()
    ]


def _what(found: Experience, view: View) -> tuple[int, str]:
    """(rank, what the right operation is to be used for): a field that the wrong one lacks, a way to find a thing
    by what is known of it, or else just what it is about."""
    scenario = view.scenarios.get(found.scenario)
    goal = scenario.goal if scenario else None
    right, wrong = view.by_key.get(found.right), view.by_key.get(found.wrong)
    about, other = subject(found.right.path), subject(found.wrong.path)
    if goal is None or right is None or wrong is None:
        return 3, f"For {about.many or about.noun}{about.of}"
    noun = " ".join(words(goal.noun)) or about.noun
    same = about.noun in (noun, "") and not goal.want.endswith("ed")
    if same and goal.want in _answered(right.good) and goal.want not in _answered(wrong.good):
        whose = f" of {article(noun)} {noun}" if noun else ""
        return (0 if other.noun == noun else 2), f"For the {humanise(goal.want)}{whose}"
    known = next((given for given in goal.givens if " ".join(words(given.noun)) in (about.noun, "")), None)
    label = humanise(known.label) if known is not None else ""
    if about.noun and label and (label == about.by or not (about.by or about.parent)):
        return (1 if other.noun == about.noun else 2), f"To find {about.one} by its {label}"
    return 3, _about(right)


def _about(observed: Observed) -> str:
    about = subject(observed.key.path)
    if about.by and about.one:
        return f"For {about.one} by its {about.by}"
    many = about.many and lists(observed.good) and not about.single
    return f"For {about.many}{about.of}" if many else f"For the {about.noun}{about.of}"


def _answered(calls: Sequence[Call]) -> set[str]:
    found = set(fields(calls))
    for call in calls:
        if isinstance(call.body, dict):
            found |= {name for value in call.body.values() if isinstance(value, dict) for name in value}
    return found


def _narrower(observed: Observed, spots: Sequence[Spot], examples: Examples) -> list[tuple[str, list[str]]]:
    """The values that this operation accepted for a shared parameter, where they are not those of its other users."""
    found: list[tuple[str, list[str]]] = []
    for spot in spots:
        use = next((one for one in spot.uses if one.observed.key == observed.key), None)
        if spot.kind != "parameter" or use is None or len(spot.uses) < 2:
            continue
        sets = [fact.value for one in spot.uses for fact in one.facts if fact.kind == "observed-values"]
        own: list[Json] = next((fact.value for fact in use.facts if fact.kind == "observed-values"), [])
        spoken = bool(own) and all(isinstance(value, str) for value in own)
        differs = len(sets) == len(spot.uses) and any(set(map(str, one)) != set(map(str, own)) for one in sets)
        shown = values(own, spot.name, parents=observed.key.path, examples=examples) if spoken and differs else []
        if shown:
            found.append((spot.name, shown))
    return found
