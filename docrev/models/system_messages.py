"""Saying in the messages themselves what a server or a chat template has no other place for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from docrev.models.backend import Message
from docrev.records import Json


def with_schema(messages: Sequence[Message], schema: Mapping[str, Json] | None) -> list[Message]:
    """The messages, the last of them ending in what the answer must be."""
    if schema is None:
        return list(messages)
    return [*messages[:-1], {**messages[-1], "content": f"{messages[-1]['content']}\n\n{schema_instruction(schema)}"}]


def schema_instruction(schema: Mapping[str, object]) -> str:
    """The schema as an instruction."""
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object that fits this JSON schema, and with nothing else:\n{text}"


def without_system(messages: Sequence[Message]) -> list[Message]:
    """The messages with the system's put before the first of the user, for models that know no system role."""
    told = [message["content"] for message in messages if message["role"] == "system"]
    rest = [dict(message) for message in messages if message["role"] != "system"]
    if told and rest:
        rest[0]["content"] = "\n\n".join([*told, rest[0]["content"]])
    return list(rest)
