"""Experience (ToolBFS+ §3.4) in a spec: under `x-docrev` of the operation that was wrongly chosen.

There it is read before the wrong call is made. It is told in kinds of things ("For the weight of a product, use …"),
as in the operation's description; the change names the calls that showed it. Ways around calls are told only if
experience alone is written: otherwise the statements of these facts say more in fewer words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

from docrev.facts.kind import Name, name_of
from docrev.json_values.containers import mapping
from docrev.models.trust import unsafe
from docrev.records import Change, Json
from docrev.revision.choice_notes import Choice, better_choices, value_choices
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.route_notes import routes
from docrev.spec import Catalog, Operation

MAX_KEPT = 4


def entry(choice: Choice) -> dict[str, Json]:
    """One experience as plain data."""
    place: dict[str, Json] = {"parameter": choice.location} if choice.location else {}
    use: dict[str, Json] = {"use": choice.operation} if choice.operation else {}
    return {**place, "text": choice.text, **use}


def experience_changes(
    catalog: Catalog,
    observations: CatalogObservations,
    trust: Counter[str],
    documented: Container[Name] | None,
) -> list[Change]:
    """The experiences of each operation, under its `x-docrev`; `trust` counts why some are not written.

    `documented` are the facts that the documents state, if nothing but experience is written.
    """
    changes: list[Change] = []
    for observed in observations.operations:
        operation, found = observed.operation, _choices(observed, observations, documented)
        safe = [choice for choice in found if is_safe(choice, trust)]
        kept, added = merged(present_experience(catalog, operation), safe)
        if added:
            change = change_of_experience(catalog, operation, kept, (call for choice in added for call in choice.calls))
            facts = tuple(fact for choice in added for fact in choice.facts)
            changes.append(replace(change, facts=facts, classes=("experience",)))
    return changes


def present_experience(catalog: Catalog, operation: Operation) -> Json:
    """What an operation has under `x-docrev` as its experience; None without any."""
    return mapping(catalog.node(operation.place, "/x-docrev")).get("experience")


def change_of_experience(catalog: Catalog, operation: Operation, after: list[Json], calls: Iterable[str]) -> Change:
    """The change that makes `after` the experience of an operation; `calls` show it."""
    place, before = operation.place, present_experience(catalog, operation)
    shown_by = tuple(dict.fromkeys(calls))
    if isinstance(catalog.node(place, "/x-docrev"), dict):
        return Change(place.file, f"{place.pointer}/x-docrev/experience", before, after, operation.key, calls=shown_by)
    return Change(place.file, f"{place.pointer}/x-docrev", None, {"experience": after}, operation.key, calls=shown_by)


def _choices(
    observed: ObservedOperation, observations: CatalogObservations, documented: Container[Name] | None
) -> Iterator[Choice]:
    yield from better_choices(observed.key, observations)
    yield from value_choices(observed.key, observations)
    if documented is not None:
        yield from (
            route
            for route in routes(observed, observations)
            if not route.facts or any(name_of(fact) not in documented for fact in route.facts)
        )


def is_safe(choice: Choice, trust: Counter[str]) -> bool:
    """Whether an experience gives its reader no instructions: names in it may come from anywhere."""
    doubt = next(unsafe(choice.text), None)
    if doubt is not None:
        trust[doubt.reason] += 1
    return doubt is None


def merged(present: Json, found: Iterable[Choice]) -> tuple[list[Json], list[Choice]]:
    """The list that is present with the choices that it lacks, and those: few in all, an operation to use once.

    What is present is left as it is: a person may have edited it.
    """
    kept: list[Json] = list(present) if isinstance(present, list) else []
    used = {(item.get("parameter", ""), item.get("use") or item.get("text")) for item in kept if isinstance(item, dict)}
    added: list[Choice] = []
    for choice in found:
        identity = (choice.location, choice.operation or choice.text)
        if identity not in used and len(kept) < MAX_KEPT:
            used.add(identity)
            kept.append(entry(choice))
            added.append(choice)
    return kept, added
