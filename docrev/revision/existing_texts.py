"""The judgement of a text that is already there: good, short, the name restated, contradicted, in another language.

A good text has six words or more, is not the name restated, and nothing observed contradicts it: it is left alone, and
only appended to. A short text that says something is kept if the calls prove nothing better.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from docrev.facts.registry import BOUNDS
from docrev.records import Fact, Json
from docrev.spec.texts import is_good_text, is_restated

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
_TYPES = {
    "integer": r"\b(?:an?\s+)?(?:integer|int)\b",
    "number": r"\b(?:a\s+)?(?:float|decimal number)\b",
    "string": r"\b(?:a\s+)?string\b",
    "boolean": r"\b(?:a\s+)?(?:boolean|bool)\b",
    "array": r"\b(?:an?\s+)?array of\b",
}
_MULTIPLES = re.compile(r"\bin (?:hundreds|thousands|millions|billions)\b", re.IGNORECASE)
_DATES = re.compile(r"\b(?:DD|MM|YYYY|YY|dd|mm|yyyy)(?:([-./])(?:DD|MM|YYYY|YY|dd|mm|yyyy)){1,2}\b")


def judge(text: str, names: Iterable[str], *, facts: Sequence[Fact] = (), values: Sequence[Json] = ()) -> Judgement:
    """The judgement of `text`, which documents something called `names`.

    `facts` and accepted `values` are those of the same location: a text that names another type, or another date
    format, is contradicted.
    """
    plain = text.strip()
    if not plain:
        return "empty"
    if is_foreign(plain):
        return "foreign"
    if is_restated(plain, *names):
        return "restated"
    if _contradicts_type(plain, facts) or _contradicts_date(plain, values) or _contradicts_multiple(plain, facts):
        return "contradicted"
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
    return not english or other > english


def _contradicts_type(text: str, facts: Sequence[Fact]) -> bool:
    """Whether a text names one type and a replayed fact another."""
    shown = {str(fact.value) for fact in facts if fact.kind == "type"}
    named = {kind for kind, pattern in _TYPES.items() if re.search(pattern, text, re.IGNORECASE)}
    if "number" in shown:
        named.discard("integer")
    compatible = shown | ({"number"} if "integer" in shown else set())
    return len(named) == len(shown) == 1 and not named & compatible


def _contradicts_multiple(text: str, facts: Sequence[Fact]) -> bool:
    """Whether a text claims thousands of something where calls show that values are compared with a field as it is."""
    return _MULTIPLES.search(text) is not None and any(fact.kind in BOUNDS for fact in facts)


def _contradicts_date(text: str, values: Sequence[Json]) -> bool:
    """Whether a text names a date format that no accepted value has."""
    form = _DATES.search(text)
    dates = [value for value in values if isinstance(value, str) and value]
    if form is None or not dates:
        return False
    pattern = re.compile(re.sub(r"[A-Za-z]", r"\\d", re.escape(form.group())))
    return not any(pattern.match(value) for value in dates)
