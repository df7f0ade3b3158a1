"""Word lists of the built-in agent: words to ignore, and words that mean much the same."""

from __future__ import annotations

import re
from functools import lru_cache

from docrev.language.function_words import OF_REQUESTS
from docrev.language.stems import content_stems, stem
from docrev.language.words import word_set

_COMPOUND = re.compile(r"\b(time|watch|data|web|play)[ -](zone|list|base|site)(s?)\b", re.I)
STOP = OF_REQUESTS | word_set(
    "above all being common doing dose down few go here him just list many most much no not off one other out over "
    "put request result results return returns right see set show under until up when where whom whose why"
)
SELF = "me"
"""The stem that says that something is the user's own."""
_ALIKE = (
    "film movie",
    "song track music",
    "show tv series television",
    "singer artist",
    "photo picture image poster cover logo still backdrop",
    "actor actress cast star starred crew director directed credit",
    "people person",
    "recommend recommendation suggest",
    "rated rating vote",
    "birthday birth born",
    "favorite favourite top",
    "airport airfield",
    "elevation altitude height high sea",
    "latitude lat north south",
    "longitude lon east west",
    "population people inhabitant populous live",
    "density densest dense inhabitant",
    "neighbour border",
    "calling telephone phone prefix dialling",
    "subdivision state province",
    "direction bearing course",
    "distance far away",
    "spoken language",
    "area square",
    "money currency pay",
    "remove delete",
    "create add",
    "add save append put",
    "remove unfollow clear cancel",
    "change update edit rename modify",
    "skip next",
    "resume play start",
    "nearby near nearest closest within",
    "follow following followed",
    "now current right",
    "nation country",
    "town city",
    "theater theatre theaters",
)


_GROUPS: dict[str, set[int]] = {}
for _number, _line in enumerate(_ALIKE):
    for _word in _line.split():
        _GROUPS.setdefault(stem(_word), set()).add(_number)


@lru_cache(maxsize=65536)
def alike(stemmed: str, other: str) -> float:
    """How far two stems say the same: 1 for the same one, 0.6 where English takes them as much the same."""
    if stemmed == other:
        return 1.0
    return 0.6 if _GROUPS.get(stemmed, set()) & _GROUPS.get(other, set()) else 0.0


@lru_cache(maxsize=8192)
def neighbours(word: str) -> tuple[str, ...]:
    """The other stems of a stem's groups."""
    return tuple(sorted(other for other, of in _GROUPS.items() if other != word and of & _GROUPS.get(word, set())))


def spelt(text: str) -> str:
    """A text with some compounds as one word, as names have them: `time zone`, `watch-list`."""
    return _COMPOUND.sub(r"\1\2\3", text)


@lru_cache(maxsize=8192)
def topic_stems(text: str) -> tuple[str, ...]:
    """The stems of a text's content words, in order."""
    return tuple(content_stems(spelt(text), STOP))
