"""What an API answered, as it may stand in a prompt: cut, cleaned, and behind a fence that it cannot close.

A fence is named after a digest of what it holds, and the name does not occur in it, so no response can end its own
fence: who writes the content cannot know the digest of content that holds the digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from itertools import count, islice

from docrev.language.characters import visible
from docrev.records import Json

# Items of a list, characters of a text, and levels that are shown: the first that fits is taken.
_LEVELS = ((100, 2000, 20), (40, 400, 12), (12, 200, 10), (6, 120, 8), (3, 80, 6), (2, 40, 5), (1, 24, 4))
_MAX_FIELDS = 80


def fence(text: str, *, name: str = "data") -> str:
    """`text` between `<data-1a2b3c4d>` and `</data-1a2b3c4d>`, on lines of their own."""
    content = text.encode(errors="replace")
    digests = (hashlib.sha256(content + str(turn).encode()).hexdigest()[:8] for turn in count())
    tag = next(f"{name}-{digest}" for digest in digests if digest not in text.lower())
    return f"<{tag}>\n{text}\n</{tag}>"


def show_value(value: Json, limit: int = 2000, focus: Sequence[str] = ()) -> str:
    """A JSON value on one line of at most `limit` characters: lists and texts are cut, and then what lies deep, so
    that the names of fields are the last to go. Items that hold one of `focus` (casefolded) are kept before others.
    """
    text = ""
    for items, characters, levels in _LEVELS:
        text = visible(_dump(_cut(value, items, characters, levels, focus)))
        if len(text) <= limit:
            return text
    return f"{text[: limit - 1]}…"


def _dump(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _cut(value: Json, items: int, characters: int, levels: int, focus: Sequence[str]) -> Json:
    if isinstance(value, str):
        text = visible(value[: 4 * characters])
        return text if len(text) <= characters else f"{text[:characters]}…"
    if not isinstance(value, dict | list) or not value:
        return value
    if levels == 0:
        return "{…}" if isinstance(value, dict) else f"[… {len(value)} items]"
    if isinstance(value, list):
        kept = [_cut(part, items, characters, levels - 1, focus) for part in _chosen(value, items, focus)]
        return kept if len(kept) == len(value) else [*kept, f"… {len(value) - len(kept)} more"]
    cut = {
        visible(name[:100]): _cut(part, items, characters, levels - 1, focus)
        for name, part in islice(value.items(), _MAX_FIELDS)
    }
    return cut if len(value) <= _MAX_FIELDS else {**cut, "…": f"{len(value) - _MAX_FIELDS} more"}


def _chosen(value: list[Json], items: int, focus: Sequence[str]) -> list[Json]:
    """`items` of a list in their order: those that hold what is looked for, then the first."""
    if len(value) <= items or not focus:
        return value[:items]
    held = [at for at, part in enumerate(value[:2000]) if _holds(part, focus)]
    kept = sorted(list(dict.fromkeys([*held, *range(items)]))[:items])
    return [value[at] for at in kept]


def _holds(part: Json, focus: Sequence[str]) -> bool:
    text = _dump(part).casefold() if isinstance(part, dict | list) else str(part).casefold()
    return any(word in text for word in focus)
