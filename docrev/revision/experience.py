"""Experience (ToolBFS+ §3.4) in a spec: under `x-docrev` of the operation after which the choice is made."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.language.characters import visible
from docrev.records import Experience, Json

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


def merged(there: Json, experiences: Iterable[Experience]) -> tuple[list[Json], list[Experience]]:
    """The list that is there with the experiences that it lacks, and those: the same choice is kept once, three in all.

    What stands there is left as it is: a person may have edited it.
    """
    kept: list[Json] = list(there) if isinstance(there, list) else []
    known = {_choice(item) for item in kept}
    added: list[Experience] = []
    for experience in experiences:
        item = entry(experience)
        if _choice(item) not in known and len(kept) < MAX_KEPT:
            known.add(_choice(item))
            kept.append(item)
            added.append(experience)
    return kept, added


def _choice(item: Json) -> tuple[str, str]:
    """What a lesson is about: which operation is right, and which is wrong."""
    found = item if isinstance(item, dict) else {}
    sides = (found.get("right"), found.get("wrong"))
    right, wrong = (str(side.get("operation", "")) if isinstance(side, dict) else "" for side in sides)
    return right, wrong


def _operation(key: tuple[str, str], tool: str) -> str:
    """`GET /path`, with the tool in front where it is another one than that of the operation it stands on."""
    return key[1] if key[0] == tool else f"{key[0]} {key[1]}"


def _text(text: str) -> str:
    line = visible(text)
    return line if len(line) <= MAX_TEXT else f"{line[: MAX_TEXT - 1].rstrip()}…"
