"""Experiences as they stand in a spec, under `x-docrev` of the operation after which a choice is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docrev.prompts.agents import Lesson
from docrev.records import Json, OperationKey
from docrev.spec import Catalog

MAX_TEXT = 300


def lessons(catalog: Catalog, names: Mapping[OperationKey, str]) -> dict[OperationKey, tuple[Lesson, ...]]:
    """The experiences of each operation in `names`; one that names an operation the agent has not is left out."""
    return {key: tuple(_of(catalog, key, names)) for key in names if key in catalog}


def _of(catalog: Catalog, key: OperationKey, names: Mapping[OperationKey, str]) -> Iterator[Lesson]:
    place = catalog[key].place
    node = catalog.documents[place.file].get(place.pointer, None)
    extension = node.get("x-docrev") if isinstance(node, dict) else None
    entries = extension.get("experience") if isinstance(extension, dict) else None
    for entry in entries if isinstance(entries, list) else []:
        lesson = _lesson(entry, key, names) if isinstance(entry, dict) else None
        if lesson is not None:
            yield lesson


def _lesson(entry: dict[str, Json], key: OperationKey, names: Mapping[OperationKey, str]) -> Lesson | None:
    right, wrong = entry.get("right"), entry.get("wrong")
    if not isinstance(right, dict) or not isinstance(wrong, dict):
        return None
    right_name = _operation(right.get("operation"), key, names)
    if not right_name:
        return None
    return Lesson(
        scenario=_text(entry.get("scenario")),
        known=_text(entry.get("known")),
        right=right_name,
        right_plan=_text(right.get("plan")),
        wrong=_operation(wrong.get("operation"), key, names),
        wrong_plan=_text(wrong.get("plan")),
        why=_text(entry.get("why")),
    )


def _operation(named: Json, key: OperationKey, names: Mapping[OperationKey, str]) -> str:
    """The function of `GET /path`, or of `TOOL GET /path`; "" if the agent has none."""
    text = named if isinstance(named, str) else ""
    own_name = names.get(OperationKey(key.tool, text))
    return own_name or next((name for other, name in names.items() if str(other) == text), "")


def _text(text: Json) -> str:
    return " ".join(text.split())[:MAX_TEXT] if isinstance(text, str) else ""
