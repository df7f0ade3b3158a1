"""What a reader must know of an operation before using it: what it needs first, paging, traps, how it fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from docrev.language.phrases import humanise, joined, subject
from docrev.language.words import article, words
from docrev.records import Call, Experience, Fact, Json, OperationKey
from docrev.revision.notes import Notes, lines
from docrev.revision.observations import Observed, View
from docrev.revision.place_facts import Known, common_facts, last
from docrev.revision.places import Spot
from docrev.revision.purposes import header_name
from docrev.revision.quotations import values
from docrev.revision.response_samples import fields
from docrev.settings.choices import Examples

_SAFE = ("GET", "HEAD", "OPTIONS")
MAX_CHOICES = 2
MAX_CALLS = 5
_TOLD = ("broken", "needs-credentials", "needs-first", "wrapped-in", "creates", "unknown-parameters", "empty", "pages")


def of_operation(observed: Observed, view: View, spots: Sequence[Spot], *, examples: Examples) -> Notes:
    """The notes on an operation, beside its first paragraph."""
    broken = bool(observed.all("broken"))
    credentials = next((fact.value["status"] for fact in observed.all("needs-credentials")), None)
    failing = None if broken or credentials else _failing(observed)
    misuses = [found for found in view.experiences if found.wrong == observed.key and _advisable(found)]
    context: dict[str, Any] = {
        "broken": next((fact.value["status"] for fact in observed.all("broken")), None),
        "credentials": credentials,
        "failing": failing,
        "first": _first(observed),
        "wrapped": next((str(fact.value) for fact in observed.all("wrapped-in")), ""),
        "created": _created(observed),
        "onward": _onward(observed),
        "unknown": _unknown(observed),
        "empty": _empty(observed),
        "choices": _choices(misuses, view),
        "absent": _absent(observed),
        "ignored": _ignored(observed, spots),
        "narrower": _narrower(observed, spots, examples),
        "bounds": [*_own_bounds(observed, spots)],
    }
    calls: list[str] = [call.id for call in observed.bad[:MAX_CALLS]] if failing else []
    calls += [call for found in misuses for call in found.calls[-2:]]
    return Notes(lines("revise/traps.j2", context), tuple(observed.all(*_TOLD)), tuple(dict.fromkeys(calls)))


def _first(observed: Observed) -> dict[str, str] | None:
    """What must be created before, from the outermost on, and how it is answered where that is missing."""
    found = sorted(_parents(observed), key=lambda one: one[0].path.count("/"))
    steps: dict[str, tuple[str, Json]] = {}
    for maker, status in found:
        about = subject(maker.path)
        steps.setdefault(about.noun, (f"the {about.noun} (`{maker.operation}`)", status))
    if not steps:
        return None
    statuses = list(dict.fromkeys(str(status) for _, status in steps.values()))
    told = [what for what, _ in steps.values()]
    return {"what": joined(told), "them": "them" if len(told) > 1 else "it", "statuses": " or ".join(statuses)}


def _parents(observed: Observed) -> Iterator[tuple[OperationKey, Json]]:
    """What an operation lies under: not the thing itself that it is about."""
    for fact in observed.all("needs-first"):
        tool, _, operation = str(fact.value["operation"]).partition(" ")
        maker = OperationKey(tool, operation)
        if not _same_place(maker.path, observed.key.path) and maker != observed.key:
            yield maker, fact.value["status"]


def _same_place(one: str, other: str) -> bool:
    """Whether two paths address the same kind of thing, by PUT to its own path or by POST to the list of them."""
    parts, others = ([part for part in path.split("/") if part] for path in (one, other))
    static = [part for part in parts if "{" not in part]
    return static == [part for part in others if "{" not in part]


def _absent(observed: Observed) -> dict[str, str] | None:
    """How an id is answered that nothing has, where the operation is of one thing."""
    about = subject(observed.key.path)
    if not about.by:
        return None
    own = [fact for fact in observed.all("needs-first") if _same_place(_path(fact), observed.key.path)]
    statuses = {fact.value["status"] for fact in own}
    for fact in observed.at(""):
        value = fact.value
        unknown = fact.kind == "status" and str(value.get("cause", "")).startswith("unknown ")
        if unknown and observed.key.path.endswith("{" + str(value.get("parameter", "")).partition(":")[2] + "}"):
            statuses.add(value["status"])
    return {"by": about.by, "status": str(statuses.pop())} if len(statuses) == 1 else None


def _path(fact: Fact) -> str:
    return str(fact.value["operation"]).rpartition(" ")[2]


def _created(observed: Observed) -> dict[str, str] | None:
    """Which field of the answer to a POST is the id of what it created, and who reads it."""
    for fact in observed.all("creates"):
        operation = str(fact.value["operation"]).partition(" ")[2]
        if fact.value.get("replaces"):
            return {"field": "", "operation": operation}
        if fact.value.get("field") and operation.endswith("}"):
            field = ".".join(str(fact.value["field"]).partition(":")[2].strip("/").split("/"))
            return {"field": field, "operation": operation}
    return None


def _onward(observed: Observed) -> dict[str, str] | None:
    """How the next page is reached: by the URL in a header, or by a cursor."""
    for fact in observed.all("pages"):
        next_at = str(fact.value.get("next", ""))
        if ":header:" in next_at:
            return {"header": header_name(next_at.rpartition(":")[2]), "field": "", "parameter": ""}
        if fact.value.get("by") == "cursor" and fact.location.startswith("query:"):
            field = ".".join(part for part in next_at.partition(":")[2].split("/") if part)
            return {"header": "", "field": field, "parameter": fact.location.partition(":")[2]}
    return None


def _unknown(observed: Observed) -> str:
    return next((str(fact.value) for fact in observed.all("unknown-parameters")), "")


def _empty(observed: Observed) -> dict[str, str] | None:
    for fact in observed.all("empty"):
        return {"list": last(fact.location) if "/" in fact.location else "", "status": str(fact.value["status"])}
    return None


def _own_bounds(observed: Observed, spots: Sequence[Spot]) -> Iterator[tuple[str, str]]:
    """(name, what holds here) of parameters that other operations share and take other numbers for."""
    for spot in spots:
        use = next((one for one in spot.uses if one.observed.key == observed.key), None)
        if spot.kind != "parameter" or use is None or len(spot.uses) < 2:
            continue
        shared = common_facts(spot)
        own = Known.of(fact for fact in use.facts if fact.kind in ("clamps", "range") and fact not in shared)
        kinds = {fact.kind for fact in shared}
        clamps = own.value("clamps", {}).get("maximum") if "clamps" not in kinds else None
        most = own.value("range", {}).get("maximum") if "range" not in kinds else None
        if clamps is not None:
            yield spot.name, f"at most {clamps}; larger values are cut"
        elif most is not None:
            yield spot.name, f"at most {most}"


def _ignored(observed: Observed, spots: Sequence[Spot]) -> list[str]:
    """The parameters that other operations share and heed, and this one does not."""
    found: list[str] = []
    for spot in spots:
        use = next((one for one in spot.uses if one.observed.key == observed.key), None)
        if spot.kind != "parameter" or use is None or len(spot.uses) < 2:
            continue
        here, anywhere = (any(fact.kind == "ignored" for fact in facts) for facts in (use.facts, common_facts(spot)))
        if here and not anywhere:
            found.append(spot.name)
    return found


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
        if what and right not in chosen and len(chosen) < MAX_CHOICES and not (chosen and rank > 1):
            chosen[right] = what
    wrong = misuses[0].wrong.tool if misuses else ""
    return [
        {"what": what, "operation": right.operation, "tool": right.tool if right.tool != wrong else ""}
        for right, what in chosen.items()
    ]


def _what(found: Experience, view: View) -> tuple[int, str]:
    """(rank, what the right operation is to be used for): a field that the wrong one lacks, or a way to find a thing
    by what is known of it; "" where there is nothing that helps to choose."""
    scenario = view.scenarios.get(found.scenario)
    goal = scenario.goal if scenario else None
    right, wrong = view.by_key.get(found.right), view.by_key.get(found.wrong)
    about, other = subject(found.right.path), subject(found.wrong.path)
    if goal is None or right is None or wrong is None:
        return 3, ""
    noun = " ".join(words(goal.noun)) or about.noun
    same = about.noun in (noun, "") and not goal.want.endswith("ed")
    if same and goal.want in _answered(right.good) and goal.want not in _answered(wrong.good):
        whose = f" of {article(noun)} {noun}" if noun else ""
        return (0 if other.noun == noun else 2), f"For the {humanise(goal.want)}{whose}"
    known = next((given for given in goal.givens if " ".join(words(given.noun)) in (about.noun, "")), None)
    label = humanise(known.label) if known is not None else ""
    if about.noun and label and (label == about.by or not (about.by or about.parent)):
        return (1, f"To find {about.one} by its {label}") if other.noun == about.noun else (3, "")
    return 3, ""


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
