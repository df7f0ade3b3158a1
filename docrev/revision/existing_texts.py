"""What is to be thought of a text that is already there: good, short, the name restated, or in another language.

Good is a text of six words or more that is not the name restated and that nothing observed contradicts: it is left
alone, and only appended to. A short text that says something is kept where the calls prove nothing better.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from docrev.records import Fact, Json
from docrev.spec.texts import is_good_text, is_restated

Judgement = Literal["empty", "restated", "short", "good", "contradicted", "foreign"]
GOOD_WORDS = 6
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENGLISH = (
    "the a an of to in is are for and or by with from this that be as on at it its if not you can will has have which"
    " all any each when where how use used only must may one returns return get list lists gets"
)
_OTHER = (
    "der die das und ist ein eine für mit von des dem den nicht oder wird zum zur alle"
    " le la les de des une et est pour avec dans par sur qui que du aux cette"
    " el los las una y es para con por del al que se como"
    " il lo gli di che per con della dei delle sono"
    " het een van en voor met niet zijn deze"
    " o os uma para com não do da dos em"
)
_KNOWN, _OTHERS = frozenset(_ENGLISH.split()), frozenset(_OTHER.split())
_TYPES = {
    "integer": r"\b(?:an?\s+)?(?:integer|int)\b",
    "number": r"\b(?:a\s+)?(?:float|decimal number)\b",
    "string": r"\b(?:a\s+)?string\b",
    "boolean": r"\b(?:a\s+)?(?:boolean|bool)\b",
    "array": r"\b(?:an?\s+)?array of\b",
}
_DATES = re.compile(r"\b(?:DD|MM|YYYY|YY|dd|mm|yyyy)(?:([-./])(?:DD|MM|YYYY|YY|dd|mm|yyyy)){1,2}\b")


def judge(text: str, names: Iterable[str], *, facts: Sequence[Fact] = (), values: Sequence[Json] = ()) -> Judgement:
    """The judgement of `text`, which documents something called `names`.

    `facts` and accepted `values` are those of the same location: a text that names another type, or another date
    format, is contradicted.
    """
    plain = text.strip()
    if not plain:
        return "empty"
    if foreign(plain):
        return "foreign"
    if is_restated(plain, *names):
        return "restated"
    if contradicted(plain, facts, values):
        return "contradicted"
    return "good" if is_good_text(plain, *names) else "short"


def foreign(text: str) -> bool:
    """Whether `text` is in another language than English: by its letters, and in longer texts by its small words."""
    letters = [char for char in text if char.isalpha()]
    if not letters:
        return False
    if sum(not char.isascii() for char in letters) * 3 > len(letters):
        return True
    said = [word.lower() for word in _WORD.findall(text)]
    if len(said) < GOOD_WORDS:
        return sum(not char.isascii() for char in letters) >= 2 or len(_OTHERS & set(said)) >= min(2, len(said))
    return not _KNOWN & set(said) or len(_OTHERS & set(said)) > len(_KNOWN & set(said))


def contradicted(text: str, facts: Sequence[Fact], values: Sequence[Json]) -> bool:
    """Whether a replayed fact, or every accepted value, speaks against what `text` says."""
    kinds = {str(fact.value) for fact in facts if fact.kind == "type"}
    said = {kind for kind, pattern in _TYPES.items() if re.search(pattern, text, re.IGNORECASE)}
    if "number" in kinds:
        said.discard("integer")
    if len(said) == 1 and len(kinds) == 1 and not said & _compatible(kinds):
        return True
    form = _DATES.search(text)
    if form and (dates := [value for value in values if isinstance(value, str) and value]):
        pattern = re.compile(re.sub(r"[A-Za-z]", r"\\d", re.escape(form.group())))
        return not any(pattern.match(value) for value in dates)
    return False


def _compatible(kinds: set[str]) -> set[str]:
    return kinds | ({"number"} if "integer" in kinds else set())
