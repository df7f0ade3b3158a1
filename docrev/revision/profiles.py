"""How long texts may be, by who reads them: the papers' bounds, and what the consumers of documentation cut off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from docrev.settings.choices import Profile

PROFILES: tuple[Profile, ...] = get_args(Profile)


@dataclass(frozen=True, slots=True)
class TextBudget:
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


DEFAULT = TextBudget()
_BUDGETS: dict[Profile, TextBudget] = {
    "none": DEFAULT,
    "openai": TextBudget(operation=1024),
    "gpt-actions": TextBudget(operation=300, parameter=700),
    "bedrock": TextBudget(operation=1000, closed=True),
    "mcp": DEFAULT,
}


def budget(profile: Profile) -> TextBudget:
    """The bounds of a profile."""
    return _BUDGETS[profile]


def fits(text: str, *, most_words: int = DEFAULT.paragraph_words, most_characters: int = DEFAULT.paragraph) -> bool:
    """Whether a text keeps to a bound in words and to one in characters."""
    return len(text.split()) <= most_words and len(text) <= most_characters


def fits_purpose(text: str) -> bool:
    """Whether a text is a purpose of a parameter or property that is short enough."""
    return bool(text) and fits(text, most_words=DEFAULT.purpose_words)
