"""Experience (ToolBFS+ §3.4) in a spec: under `x-docrev` of the operation after which the choice is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from docrev.language.characters import shortened, visible
from docrev.models.trust import unsafe
from docrev.records import Change, Experience, Json
from docrev.spec import Catalog

MAX_KEPT = 3
MAX_TEXT = 300


def entry(experience: Experience) -> dict[str, Json]:
    """One experience as plain data. The scenario is docrev's own text; its values are cut and cleaned like all text."""
    tool = experience.key.tool
    return {
        "scenario": _text(experience.scenario),
        "known": _text(experience.known),
        "right": {"operation": _operation(experience.right, tool), "plan": _text(experience.right_plan)},
        "wrong": {"operation": _operation(experience.wrong, tool), "plan": _text(experience.wrong_plan)},
        "why": _text(experience.why),
        "calls": list(experience.calls),
    }


def experience_changes(catalog: Catalog, experiences: Sequence[Experience], trust: Counter[str]) -> list[Change]:
    """The experiences of each operation, under its `x-docrev`; `trust` counts why some are not written."""
    changes: list[Change] = []
    for operation in catalog.operations:
        own = [item for item in experiences if item.key == operation.key and _is_safe(item, trust)]
        place = operation.place
        extension = catalog.documents[place.file].get(f"{place.pointer}/x-docrev", None)
        inside = isinstance(extension, dict)
        before = extension.get("experience") if inside else None
        kept, added = merged(before, own)
        if added:
            calls = tuple(dict.fromkeys(call for item in added for call in item.calls))
            pointer = f"{place.pointer}/x-docrev" + ("/experience" if inside else "")
            after: Json = kept if inside else {"experience": kept}
            changes.append(Change(place.file, pointer, before, after, operation.key, calls=calls, classes=("trap",)))
    return changes


def _is_safe(experience: Experience, trust: Counter[str]) -> bool:
    """Whether an experience gives its reader no instructions: its texts and values may come from anywhere."""
    texts = (experience.scenario, experience.known, experience.right_plan, experience.wrong_plan, experience.why)
    doubt = next((doubt for text in texts for doubt in unsafe(text)), None)
    if doubt is not None:
        trust[doubt.reason] += 1
    return doubt is None


def merged(present: Json, experiences: Iterable[Experience]) -> tuple[list[Json], list[Experience]]:
    """The list that is present with the experiences that it lacks, and those: each choice once, three in all.

    What is present is left as it is: a person may have edited it.
    """
    kept: list[Json] = list(present) if isinstance(present, list) else []
    choices = {_choice(item) for item in kept}
    added: list[Experience] = []
    for experience in experiences:
        item = entry(experience)
        if _choice(item) not in choices and len(kept) < MAX_KEPT:
            choices.add(_choice(item))
            kept.append(item)
            added.append(experience)
    return kept, added


def _choice(item: Json) -> tuple[str, str]:
    """What an experience is about: which operation is right, and which is wrong."""
    sides = [item.get(side) if isinstance(item, dict) else None for side in ("right", "wrong")]
    right, wrong = (str(side.get("operation", "")) if isinstance(side, dict) else "" for side in sides)
    return right, wrong


def _operation(key: tuple[str, str], tool: str) -> str:
    """`GET /path`, with the tool in front if it is not that of the operation which the experience is on."""
    return key[1] if key[0] == tool else f"{key[0]} {key[1]}"


def _text(text: str) -> str:
    return shortened(visible(text), MAX_TEXT)
