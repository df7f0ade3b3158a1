"""What the commands that make data print in the end."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from docrev.language.tables import columns
from docrev.records import Json
from docrev.train.data.collecting import COLLECTION, RULES, Collection
from docrev.train.settings import CollectSettings


def collected(collection: Collection, settings: CollectSettings) -> str:
    """What a collection came to: counts, every operation that was dropped, and the files."""
    kept = sum(one.kept for one in collection.verdicts)
    dropped = [(str(one.key), one.reason, one.detail) for one in collection.verdicts if not one.kept]
    lines = [
        f"kept                  {kept} of {len(collection.verdicts)} operations",
        f"compression rules     {len(collection.rules.by_key)}",
    ]
    if dropped:
        lines += ["", "Dropped:", *(f"  {row}" for row in columns(dropped))]
    if collection.left:
        rows = [(f"{item.tool} {item.path}", item.reason) for item in collection.left]
        lines += ["", "Created and still there:", *(f"  {row}" for row in columns(rows))]
    folder = Path(settings.out)
    return "\n".join([*lines, "", f"{folder / COLLECTION}, {folder / RULES}"])


def annotated(told: Mapping[str, Json], folder: Path) -> str:
    """What annotating came to."""
    finishes = ", ".join(f"{count} {finish}" for finish, count in told["finishes"].items())
    return "\n".join(
        [
            f"kept                  {told['kept']} of {told['instructions']} instructions (judge: {told['judge']})",
            f"ended                 {finishes}",
            "",
            f"{folder / 'conversations.json'}, {folder / 'annotations.json'}, {folder / 'answers'}",
        ]
    )
