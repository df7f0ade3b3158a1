"""Names that read like names: of people, organisations, places and works. Made of parts; nothing here is anybody's."""

from __future__ import annotations

import re


def each(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())


FIRST = each(
    "Ada Amir Anna Aron Bela Bruno Clara Dario Dina Edith Elias Emil Erika Felix Flora Gita Hana Hugo Ida Ines Ivo"
    " Jana "
    "Jonas Juno Karim Lara Leo Lena Lukas Maja Marco Mina Nadia Nico Nora Olga Omar Otto Paula Petra Rafi Rosa Sami "
    "Selma Tara Theo Tilda Uma Vera Viktor Wanda Yara Yusuf Zoe"
)
LAST = each(
    "Abbott Almeida Baxter Berger Bianchi Carver Castell Dorsey Dumont Ekberg Farrow Fontaine Garland Hadley Haugen "
    "Ibarra Jensen Kaplan Keller Lindqvist Lombard Marlow Mercer Moreau Nakata Norwood Okafor Orlov Paget Quintero "
    "Rahman Rosen Salgado Sorensen Tanaka Thorne Ulrich Vasquez Verne Whitlock Yamada Zeller"
)
ADJECTIVES = each(
    "Amber Ancient Autumn Bitter Blue Borrowed Bright Broken Burning Calm Crimson Distant Electric Empty Endless"
    " Fading "
    "Final Fragile Frozen Gentle Golden Hidden Hollow Humble Ivory Lonely Lost Lucky Midnight Narrow Northern Pale"
    " Paper "
    "Quiet Restless Rising Salted Scarlet Secret Silent Silver Sleeping Slow Southern Stolen Velvet Wandering Wild"
    " Winter"
)
NOUNS = each(
    "Anchor Avenue Balcony Bridge Canyon Carnival Cathedral Circle Comet Compass Corridor Current Desert Dream Echo"
    " Ember "
    "Engine Feather Field Fountain Garden Harbor Horizon Island Journey Kingdom Lantern Letter Lighthouse Machine"
    " Maple "
    "Meadow Mirror Mountain Ocean Orchard Painter Parade Pilot River Road Shadow Signal Station Storm Summer Tower "
    "Traveler Valley Voyage Window"
)
SUFFIXES = each("Group Labs Works Partners Pictures Media Holdings Industries Studios Collective")
PLACE_ENDS = each("ford ton haven bridge field mouth wick burg dale port")
PLACE_STARTS = each("Alder Ash Birch Brook Cedar Elm Fern Glen Hazel Kings Lang Mill North Oak Pine Rock Stone West")

PEOPLE = frozenset(
    each(
        "person people user artist author customer owner member actor contact employee patient student player profile "
        "account guest driver creator"
    )
)
BODIES = frozenset(each("company network publisher organization organisation brand team vendor supplier studio"))
PLACES = frozenset(each("city town country location place airport hotel venue store region station"))
TAGS = frozenset(each("genre keyword category tag topic label"))

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*", re.UNICODE)
_HARSH = re.compile(r"[bcdfghjklmnpqrstvwxz]{6,}|(.)\1\1", re.IGNORECASE)


def name_of(kind: str, number: int) -> str:
    """A name that suits what `kind` names; the same for the same large `number`."""

    def pick(parts: tuple[str, ...], place: int) -> str:
        return parts[(number >> place) % len(parts)]

    if kind in PEOPLE:
        return f"{pick(FIRST, 3)} {pick(LAST, 17)}"
    if kind in BODIES:
        return f"{pick(ADJECTIVES, 3)} {pick(SUFFIXES, 23)}"
    if kind in PLACES:
        return pick(PLACE_STARTS, 3) + pick(PLACE_ENDS, 19)
    if kind in TAGS:
        return f"{pick(ADJECTIVES, 3)} {pick(NOUNS, 17)}".lower() if kind != "genre" else pick(ADJECTIVES, 3)
    start = "The " if number % 3 == 0 else ""
    return f"{start}{pick(ADJECTIVES, 3)} {pick(NOUNS, 17)}"


def is_name(text: str) -> bool:
    """Whether a text can be the name of something: words with vowels, short numbers; not `zq7x-nothing`.

    A single word in small letters is a word to look for, and nobody's name.
    """
    found = _WORD.findall(text)
    proper = text != text.lower() or " " in text.strip() or not text.isascii()
    return proper and bool(found) and len(text) <= 80 and all(map(_wordlike, found))


def _wordlike(word: str) -> bool:
    if word.isdigit():
        return len(word) <= 4
    if any(char.isdigit() for char in word):
        return len(word) <= 4
    if _HARSH.search(word):
        return False
    return len(word) <= 3 or not word.isascii() or any(char in "aeiouyAEIOUY" for char in word)


def titled(text: str) -> str:
    """A name as it is shown: the spaces made single, capitals put if there are none."""
    clean = " ".join(text.split())
    return clean if clean != clean.lower() else " ".join(word[:1].upper() + word[1:] for word in clean.split(" "))
