"""How requests ask, by tone, for what is to be shown and for what is to be done, and how they go on."""

from __future__ import annotations

SHOW = {
    "polite": (
        "Could you please give me {}?",
        "Can you provide me with {}?",
        "I would be grateful for {}.",
        "Would you show me {}, please?",
        "Please fetch {}.",
        "I would like to see {}.",
    ),
    "plain": (
        "Give me {}.",
        "I need {}.",
        "Show me {}.",
        "Find {}.",
        "I'm looking for {}.",
        "Get {}.",
        "What can you tell me about {}?",
    ),
    "warm": (
        "It would be great if you could find {} for me!",
        "I'd love to see {}.",
        "Could you look up {} for me?",
        "I can't wait to see {}!",
        "Do you have {} for us?",
    ),
}
DO = {
    "polite": (
        "Could you please {}?",
        "Can you {} for me?",
        "Please {}.",
        "I would like you to {}.",
        "Help me {}, please.",
    ),
    "plain": ("{}.", "I want to {}.", "I need to {}.", "Help me {}.", "I need you to {}."),
    "warm": (
        "It would be great if you could {}!",
        "Could you {} for us?",
        "Would you be so kind as to {}?",
        "Let's {}!",
    ),
}
BESIDE = ("Also, {}", "Additionally, {}", "Besides that, {}", "Moreover, {}")
JOINTS = (*BESIDE, "After that, {}", "Then {}")
