"""Experience (ToolBFS+ §3.4) in a spec: under `x-docrev` of the operation that was wrongly chosen.

There it is read before the wrong call is made. It is told in kinds of things ("For the weight of a product, use …"),
as in the operation's description; the change names the calls that showed it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from docrev.models.trust import unsafe
from docrev.records import Change, Json
from docrev.revision.choice_notes import Choice, better_choices, value_choices
from docrev.revision.observations import CatalogObservations
from docrev.spec import Catalog

MAX_KEPT = 4


def entry(choice: Choice) -> dict[str, Json]:
    """One experience as plain data."""
    place: dict[str, Json] = {"parameter": choice.location} if choice.location else {}
    return {**place, "text": choice.text, "use": choice.operation}


def experience_changes(catalog: Catalog, observations: CatalogObservations, trust: Counter[str]) -> list[Change]:
    """The experiences of each operation, under its `x-docrev`; `trust` counts why some are not written."""
    changes: list[Change] = []
    for operation in catalog.operations:
        found = (*better_choices(operation.key, observations), *value_choices(operation.key, observations))
        safe = [choice for choice in found if is_safe(choice, trust)]
        place = operation.place
        extension = catalog.node(place, "/x-docrev")
        inside = isinstance(extension, dict)
        before = extension.get("experience") if inside else None
        kept, added = merged(before, safe)
        if added:
            calls = tuple(dict.fromkeys(call for choice in added for call in choice.calls))
            pointer = f"{place.pointer}/x-docrev" + ("/experience" if inside else "")
            after: Json = kept if inside else {"experience": kept}
            changes.append(Change(place.file, pointer, before, after, operation.key, calls=calls, classes=("trap",)))
    return changes


def is_safe(choice: Choice, trust: Counter[str]) -> bool:
    """Whether an experience gives its reader no instructions: names in it may come from anywhere."""
    doubt = next(unsafe(choice.text), None)
    if doubt is not None:
        trust[doubt.reason] += 1
    return doubt is None


def merged(present: Json, found: Iterable[Choice]) -> tuple[list[Json], list[Choice]]:
    """The list that is present with the choices that it lacks, and those: an operation to use once, few in all.

    What is present is left as it is: a person may have edited it.
    """
    kept: list[Json] = list(present) if isinstance(present, list) else []
    used = {(item.get("parameter", ""), item.get("use")) for item in kept if isinstance(item, dict)}
    added: list[Choice] = []
    for choice in found:
        if (choice.location, choice.operation) not in used and len(kept) < MAX_KEPT:
            used.add((choice.location, choice.operation))
            kept.append(entry(choice))
            added.append(choice)
    return kept, added
