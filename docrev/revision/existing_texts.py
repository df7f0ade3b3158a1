"""Whether a text that is already there is good, short, a restated name, contradicted, or in another language.

A good text has six words or more, is not the name restated, and nothing observed contradicts it: it is left alone, and
only appended to. A short text that says something is kept if the calls prove nothing better.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from docrev.language.verbs import begins_with_verb
from docrev.revision.refutations import MUCH
from docrev.spec.texts import count_words, is_good_text, is_restated

Judgement = Literal["empty", "restated", "short", "good", "contradicted", "foreign"]
GOOD_WORDS = 6
_FOREIGN_SHARE = 3
"""One letter in so many that is not ASCII makes a text foreign."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENGLISH_WORDS = (
    "the a an of to in is are for and or by with from this that be as on at it its if not you can will has have which"
    " all any each when where how use used only must may one returns return get list lists gets"
)
_OTHER_WORDS = (
    "der die das und ist ein eine für mit von des dem den nicht oder wird zum zur alle"
    " le la les de des une et est pour avec dans par sur qui que du aux cette"
    " el los las una y es para con por del al que se como"
    " il lo gli di che per con della dei delle sono"
    " het een van en voor met niet zijn deze"
    " o os uma para com não do da dos em"
)
_ENGLISH, _OTHERS = frozenset(_ENGLISH_WORDS.split()), frozenset(_OTHER_WORDS.split())


def judge(text: str, names: Iterable[str], refuted: str = "") -> Judgement:
    """The judgement of `text`, which documents something called `names`.

    A short text of which calls refute something is contradicted; a longer one says more than that.
    """
    plain = text.strip()
    if not plain:
        return "empty"
    if is_foreign(plain):
        return "foreign"
    if refuted and count_words(plain) < MUCH:
        return "contradicted"
    if is_restated(plain, *names):
        return "restated"
    return "good" if is_good_text(plain, *names) else "short"


def is_foreign(text: str) -> bool:
    """Whether `text` is in another language than English: by its letters, and in longer texts by its small words."""
    letters = [char for char in text if char.isalpha()]
    accented = sum(not char.isascii() for char in letters)
    if accented * _FOREIGN_SHARE > len(letters):
        return True
    used = [word.lower() for word in _WORD.findall(text)]
    english, other = len(_ENGLISH & set(used)), len(_OTHERS & set(used))
    if len(used) < GOOD_WORDS:
        return bool(letters) and (accented > 1 or other >= min(2, len(used)))
    # A title may have no small words at all: "Find near misses matching specific request".
    return other > english or not (english or begins_with_verb(text))
