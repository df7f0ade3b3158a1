"""What people say around a request, and the built-in agent does not need: courtesies, joints, thanks."""

from __future__ import annotations

import re

_BESIDE = re.compile(
    r"(?:also|additionally|in addition|besides(?: that)?|moreover|furthermore|on top of that|apart from that)\b,?\s+",
    re.I,
)
_THANKS = re.compile(
    r"(?:many )?thanks?\b|thank you\b|i (?:really )?(?:would )?appreciate\b|that would (?:help|be)\b"
    r"|you(?:'re| are) the best|cheers\b",
    re.I,
)
_DOING = re.compile(
    r"(?:(?:please|kindly|could you|can you|would you|help me(?: to)?|let's|let us|i need(?: you)? to"
    r"|i want(?: you)? to|i(?:'d| would) (?:like|love)(?: you)? to|it would be (?:great|nice) if you could"
    r"|would you be so kind as to)\s+)+(?!be\b|please\b)",
    re.I,
)
_SHOWING = re.compile(
    r"(?:(?:please )?(?:look up|provide me with|tell me about)|i (?:can't|cannot) wait to see|do you have"
    r"|what can you tell me about|i would be grateful for|i(?:'m| am) looking for|see)\s+",
    re.I,
)
_FOR_WHOM = re.compile(r"(?:,?\s+(?:for (?:me|us)|please))+(?=[.?!]*$)", re.I)


def is_thanks(part: str) -> bool:
    """Whether a sentence only thanks."""
    return _THANKS.match(part) is not None


def is_beside(part: str) -> bool:
    """Whether a sentence asks for another thing beside the one before: both want an answer."""
    return _BESIDE.match(part) is not None


def without_courtesies(part: str) -> str:
    """A sentence without what is said for politeness: `Could you please delete it for me?` → `delete it?`."""
    text = _BESIDE.sub("", part, count=1) if is_beside(part) else part
    if (begun := _DOING.match(text)) is not None:
        text = text[begun.end() :]
    if (begun := _SHOWING.match(text)) is not None:
        text = f"show {text[begun.end() :]}"
    return _FOR_WHOM.sub("", text) if text != part else part
