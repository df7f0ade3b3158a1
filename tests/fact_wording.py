"""What the revision writes of each kind of fact, in one table, which a test compares with the kinds."""

from __future__ import annotations

from docrev.revision import operation_notes, value_notes
from docrev.revision.effect_wording import EFFECTS


def _join() -> dict[str, tuple[object, ...]]:
    entries: list[tuple[str, object]] = [
        *EFFECTS.items(),
        *((kind, sentence) for kind, _, sentence in (*value_notes.SENTENCES, *operation_notes.SENTENCES)),
    ]
    kinds = dict.fromkeys(kind for kind, _ in entries if kind)
    return {kind: tuple(wording for entry, wording in entries if entry == kind) for kind in kinds}


WORDING = _join()
"""The sentences, and functions that write one, for each kind of fact."""
