"""How requests begin, ask and go on, and words that mean about the same."""

from __future__ import annotations

OPENERS = (
    "I'm planning a surprise party for my best friend.",
    "I'm planning a trip with my family.",
    "My friends and I are planning a weekend together.",
    "My company is organizing an event for our employees.",
    "I'm working on a project for school.",
    "I'm writing an article for my blog.",
    "My brother asked me to help him.",
    "I am building a website and need some help.",
    "I'm developing a mobile app.",
    "As a student I have an assignment due next week.",
    "We are preparing a presentation for a client.",
    "I run a small business and want to grow it.",
    "I'm organizing a charity event.",
    "My sister is moving to another city.",
    "Our team is doing research.",
    "I'm a developer who wants to test something.",
    "It's my parents' anniversary soon.",
    "I want to surprise my colleagues.",
    "I'm hosting a dinner next month.",
    "My boss wants a report by Friday.",
    "I have some free time this evening.",
)
TOPICS = (
    "I'm interested in {topic}.",
    "I'm a big fan of {topic} and want to know more.",
    "I'm curious about {topic}.",
    "I'm doing research on {topic}.",
    "My company works in {topic}.",
    "My friend is a {topic} enthusiast.",
    "I need help with {topic}.",
    "I'm writing about {topic} for a magazine.",
)
ASKS = (
    "Can you provide me with {}?",
    "Could you give me {}?",
    "Please fetch {}.",
    "Can you fetch {}?",
    "I would like to know {}.",
    "I need {}.",
    "Give me {}.",
    "Show me {}.",
    "Can you retrieve {} for me?",
    "It would be great if you could provide {}.",
    "I'd like to see {}.",
    "Find {}.",
    "Can you tell me {}?",
    "I want to get {}.",
    "Please provide {}.",
    "Could you help me find {}?",
    "I'm looking for {}.",
    "What can you tell me about {}?",
)
DOES = (
    "Can you {}?",
    "Could you {} for me?",
    "Please {}.",
    "I want to {}.",
    "I need to {}.",
    "Can you help me {}?",
    "I would like you to {}.",
    "Is it possible to {}?",
    "It would be great if you could {}.",
    "Help me {}.",
)
JOINTS = (
    "Additionally,",
    "Also,",
    "Furthermore,",
    "Moreover,",
    "After that,",
    "Then,",
    "Besides that,",
    "Finally,",
    "On top of that,",
    "And",
)
_SAME = """
movie film|picture image photo|soccer football|price cost|stock share|weather forecast|song track music|person people
user account profile|news articles headlines|company business firm|car vehicle|video clip|list collection overview
details information data info|get fetch|create make generate|delete remove
update change|check verify validate|translate convert|quote saying|recipe dish|game match|team club
player athlete|score result|country nation|city town|address location|website site page|url link|email mail
phone mobile|currency money|crypto cryptocurrency coin|exchange trade|history past records|latest newest most recent
current present|random arbitrary|popular trending|similar related|available offered|status state|language tongue
text message|word term|tag label|comment remark|review rating|rank ranking|top best|id identifier|number count
hotel accommodation|flight plane|airport airfield|ticket pass|event happening|job position vacancy|book novel
author writer|category type kind|product item|order purchase|package parcel|track follow|calculate compute|tv television
show series|episode part|actor cast member|statistics stats figures|standings table|season year|fixture schedule
nearby close|distance|temperature heat|medicine drug|disease illness|shorten abbreviate
endpoint service|retrieve obtain|returns shows|specific particular|all every|given certain
"""


def _others() -> dict[str, tuple[str, ...]]:
    """Each first word with what may stand for it, and the reverse if that is one word too."""
    found: dict[str, tuple[str, ...]] = {}
    for group in _SAME.replace("\n", "|").split("|"):
        words = group.split()
        for word in words[:1] if len(words) > 3 else words:
            found[word] = tuple(other for other in words if other != word)
    return found


OTHER_WORDS = _others()
