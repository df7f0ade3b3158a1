"""Statements in SQL: where they are wanted, and which of them change something, or run what may."""

from __future__ import annotations

import re

from docrev.json_values.leaves import leaves
from docrev.language.words import words
from docrev.records import Json
from docrev.spec import Schema

_WANTED = re.compile(r"\bSQL (?:command|expression|quer(?:y|ies)|select|statement|string|text)s?\b", re.I)
_MAX_DESCRIPTION = 500
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


def own_query(name: str, schema: Schema, own: str) -> str:
    """A name of the run as what asks for it alone, and reads nothing: SQL where that is wanted, else as it is."""
    is_sql = words(name)[-1:] == ("sql",) or _WANTED.search(schema.description[:_MAX_DESCRIPTION]) is not None
    return f"SELECT '{own}'" if is_sql and schema.type in (None, "string") else own
