"""Why somebody asks, said before the request: for oneself, friends, family or a company; or about what is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from docrev.language.phrases import joined

NONE, TWO = 0.3, 0.2
"""How many requests come without a situation, and how many tell more of it."""
ABOUT = 0.3
"""Of the situations, how many are about the things that the operations are about."""
_SITUATIONS = (
    "I have a free afternoon on {day}.",
    "I am getting ready for {occasion}.",
    "I promised to have this sorted out by {day}.",
    "I am writing an article for my blog.",
    "I am a student, and my assignment is due on {day}.",
    "I am building a small website and need some help.",
    "I am testing an app that I have been working on.",
    "I am putting a newsletter together.",
    "I have been asked to give a short talk on {day}.",
    "I am tidying up before {occasion}.",
    "My friend {person} is coming over on {day}.",
    "{person} and I are planning a trip in {month}.",
    "My friends and I are planning {occasion}.",
    "{person} asked me to help out.",
    "We are having a quiz night with friends on {day}.",
    "I am planning a surprise for my friend {person}.",
    "My daughter {woman} has a school project due on {day}.",
    "My brother {man} is moving abroad in {month}.",
    "Our family is getting together for {occasion}.",
    "My parents are travelling in {month} and asked me to prepare a few things.",
    "I want to surprise my sister {woman}.",
    "My boss at {company} wants a report by {day}.",
    "At {company} we are preparing a presentation for a client.",
    "Our team at {company} is doing research.",
    "{company} is organising an event for its employees in {month}.",
    "I run a small business called {company}.",
    "A customer of {company} is waiting for an answer.",
    "We at {company} are cleaning up our records.",
)
_TOPICS = (
    "I am curious about {topic}.",
    "I am doing some research on {topic}.",
    "I am writing a piece about {topic} for a magazine.",
    "My friend {person} cannot stop talking about {topic}.",
    "We are collecting facts about {topic} for a school project.",
    "{company} works a lot with {topic}.",
)
_MORE = (
    "There is not much time left.",
    "I have never done this before.",
    "It should be ready soon.",
    "{person} will look at it afterwards.",
    "I would like to get the details right.",
    "Everybody is counting on me!",
    "I can hardly wait!",
    "It does not have to be perfect.",
)
_SLOTS: dict[str, tuple[str, ...]] = {
    "day": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "the weekend"),
    "month": ("January", "March", "May", "July", "September", "November"),
    "person": ("Ines", "Tom", "Aiko", "Grace", "Luca", "Nadia", "Pieter", "Chloe", "Samir", "Marta"),
    "woman": ("Ines", "Aiko", "Grace", "Nadia", "Chloe", "Marta"),
    "man": ("Tom", "Luca", "Pieter", "Samir", "Mateo", "Jonas"),
    "company": ("Brightside", "Harbour Foods", "Kestrel Travel", "Oak & Sons", "Lumen Studio", "Nordlicht GmbH"),
    "occasion": ("a birthday party", "our anniversary", "a summer party", "the reunion", "a charity evening"),
}


def situation(topics: Sequence[str], random: Random, *, none: float = NONE, about: float = ABOUT) -> list[str]:
    """No sentence, one or two; `topics` are the nouns of what is asked for, in the plural.

    The share `none` has no sentence; of the others the share `about` is about the topics.
    """
    chance = random.random()
    if chance < none:
        return []
    is_topical = topics and random.random() < about
    first = random.choice(_TOPICS if is_topical else _SITUATIONS)
    more = [random.choice(_MORE)] if chance > 1 - TWO else []
    slots = {name: random.choice(values) for name, values in _SLOTS.items()} | {"topic": joined(list(topics))}
    return [one.replace("by the weekend", "before the weekend").replace("on the weekend", "at the weekend")
            for one in (text.format(**slots) for text in (first, *more))]  # fmt: skip
