"""IDs for entities that no example shows, in the form that schema and examples have them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from docrev.language.words import words
from docrev.records import Json
from docrev.simulator import names, patterns
from docrev.simulator.drawn_values import NAMES, Draws, scalar
from docrev.simulator.kinds import EntityKind
from docrev.spec import Schema
from docrev.spec.meaning import MISSING


def fresh_id(kind: EntityKind, shown: Iterable[str], draw: Draws, known: Collection[str]) -> Json:
    """An ID that is not one of `known`; None if the enum is used up. `shown` are those of the examples."""
    examples = list(shown)
    ids = (_id(kind, examples, draw) for _ in range(200))
    return next((id for id in ids if str(id) not in known), None)


def _id(kind: EntityKind, examples: Sequence[str], draw: Draws) -> Json:
    schema = kind.key_schema
    if schema is not None and schema.type != "string":
        return _id_number(schema, examples, draw)
    if schema is not None and (schema.enum or schema.format or schema.pattern):
        return scalar(draw, kind.key, schema)
    example = schema.example if schema is not None else MISSING
    return _id_text(kind, [example] if isinstance(example, str) and not examples else examples, draw)


def _id_number(schema: Schema, examples: Iterable[str], draw: Draws) -> int:
    low, high = schema.get("minimum"), schema.get("maximum")
    base = int(low) if low is not None else 100
    if high is not None:
        return base + draw(int(high) - base + 1)
    short = any(len(text) <= 6 for text in examples)
    return base + draw(900_000 if short else 9_000_000)


def _id_text(kind: EntityKind, examples: Sequence[str], draw: Draws) -> str:
    if examples and patterns.is_code(examples[0]):
        return patterns.like(examples[draw(len(examples))], draw)
    if words(kind.key)[-1:] == ("name",) or kind.key in NAMES:
        return names.name_of(kind.name, draw(1 << 40)).lower().replace(" ", "-")
    if examples and 0 < len(examples[0]) < 6:
        return "".join("ABCDEFGHJKLMNPQRSTUVWXYZ"[draw(24)] for _ in examples[0])
    return "".join("abcdefghijkmnpqrstuvwxyz23456789"[draw(32)] for _ in range(12))
