"""Statements in SQL: which of them change something, or run what may."""

from __future__ import annotations

import re

from docrev.json_values.leaves import leaves
from docrev.records import Json

_BEGINNING = r"(?:^|;|\()\s*"
_CHANGING = re.compile(
    rf"{_BEGINNING}(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|merge\s+into|update\s+\S+\s+set|delete\s+from"
    r"|(?:alter|create|drop)\s+(?:or\s+replace\s+)?(?:\w+\s+)?(?:database|function|index|role|schema|table|user|view)\b"
    r"|truncate\s+table|(?:grant|revoke)\s+[^;]*\bon\b|(?:call|execute)\s+\w+\s*\(|copy\s+\S+\s+(?:from|to)\b)"
    r"|\bselect\b[^;]*\binto\s+\w",
    re.IGNORECASE,
)
_LONGEST = 4_000


def changes_by_sql(body: Json) -> bool:
    """Whether a text in a body is, or contains, a statement that changes something."""
    return any(isinstance(text, str) and _CHANGING.search(text[:_LONGEST]) is not None for _, text in leaves(body))
