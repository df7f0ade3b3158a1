"""How long texts may be, by who reads them: the papers' bounds, and what the consumers of documentation cut off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from docrev.settings.choices import Profile

PROFILES: tuple[Profile, ...] = get_args(Profile)


@dataclass(frozen=True, slots=True)
class Budget:
    """Bounds of the texts that docrev writes: words and characters of the first paragraph and of a purpose (ToolBFS+
    tables 10 and 11), characters of the whole description of an operation, and of a parameter or a property.

    `closed`: allowed values stand in the text although the schema has them, for consumers that drop `enum`.
    """

    paragraph_words: int = 50
    paragraph: int = 300
    operation: int = 1000
    purpose_words: int = 10
    parameter: int = 300
    closed: bool = False


_BUDGETS: dict[Profile, Budget] = {
    "none": Budget(),
    "openai": Budget(operation=1024),
    "gpt-actions": Budget(operation=300, parameter=700),
    "bedrock": Budget(operation=1000, closed=True),
    "mcp": Budget(),
}


def budget(profile: Profile) -> Budget:
    """The bounds of a profile."""
    return _BUDGETS[profile]
