"""Names of the run in what was there before it, such as the settings of a service: what it made there by itself."""

from __future__ import annotations

from docrev.calls.listings import Listed
from docrev.conventions.run_names import is_made_up
from docrev.json_values.canonical import unique
from docrev.json_values.leaves import parts
from docrev.records import Call, Json


def names_within(call: Call, listed: Listed | None) -> list[str]:
    """The texts with names of the run in an answer, keys too, that stand in none of the things that have IDs."""
    things = [[*ids, thing] for ids, thing in listed.things] if listed is not None else []
    elsewhere = {text for thing in things for text in _made_up_texts(thing)}
    return [text for text in _made_up_texts(call.body) if text not in elsewhere] if call.ok else []


def _made_up_texts(value: Json) -> list[str]:
    return unique(text for pair in parts(value) for text in pair if isinstance(text, str) and is_made_up(text))
