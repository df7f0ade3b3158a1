"""Whether an answer says what is true. The truth is a JSON value, or an object with one key that says how to compare:

    42, "Paris", true, [..]              the value itself: numbers and texts as below, lists in order
    {number: 343.6, within: 0.5}         a number; `within` is how far off it may be (half of the last place shown)
    {date: 2026-03-11}                   a day, however it is written
    {text: "Nairobi", or: [..]}          a text that the answer is, or contains as whole words; `or` are other spellings
    {list: [..]}                         these items, in this order
    {set: [..]}                          these items, in any order
    {one_of: [..]}                       any one of several truths
    {nothing: true}                      that there is none: null, an empty list, "none"
    {state: [..]}                        not what is said counts but what is there afterwards: see `execution`
    {all: [..]}                          each of several truths (values and states)

An answer is a value, or a sentence. Of a sentence is asked that it contains the truth; what else it says is not
judged, so one of more than `LONGEST` characters, which would contain almost anything, is no answer.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from docrev.language.words import has_word
from docrev.records import Json

LONGEST = 600
NUMBER = re.compile(r"(?<![\w.])[-−+]?\d[\d,  ']*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])", re.IGNORECASE)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
DAY_FIRST = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([A-Za-z]{3})[a-z]*\.?,?\s+(\d{4})\b")
MONTH_FIRST = re.compile(r"\b([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b")
YES, NO = {"yes", "true", "correct"}, {"no", "false", "not"}
NONE = {"", "none", "null", "nothing", "no", "n/a", "there is none", "there are none", "nobody"}


def accepts(truth: object, answer: object) -> bool:
    """Whether an answer says the truth (the grammar is this module's docstring). State is no part of an answer."""
    if isinstance(answer, str):
        answer = _value(answer)
    if isinstance(truth, Mapping):
        kind = next((name for name in _KINDS if name in truth), None)
        return kind is not None and _KINDS[kind](truth, answer)
    return _is(truth, answer)


def _value(answer: str) -> Json:
    """What a text is as JSON, if it is a list, an object, a number or a literal; else the text."""
    text = answer.strip().removesuffix(".")
    if text[:1] in "[{" or text in ("null", "true", "false"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return answer
    return answer


def _is(truth: object, answer: object) -> bool:
    """Whether `said` is the plain value `truth`."""
    if truth is None:
        return _nothing({}, answer)
    if isinstance(truth, bool):
        return _is_bool(truth, _only(answer))
    if isinstance(truth, int | float):
        return _number({"number": truth}, answer)
    if isinstance(truth, str):
        return _text({"text": truth}, answer)
    if isinstance(truth, list):
        return _list({"list": truth}, answer)
    return False


def _only(answer: object) -> Json:
    """The only value of a list or an object; anything else as it is."""
    while isinstance(answer, list | dict) and len(answer) == 1:
        answer = answer[0] if isinstance(answer, list) else next(iter(answer.values()))
    return answer


def _is_bool(truth: bool, answer: object) -> bool:
    if isinstance(answer, bool):
        return answer is truth
    if not isinstance(answer, str):
        return False
    words = set(re.findall(r"[a-z]+", answer.casefold()[:LONGEST]))
    yes, no = bool(words & YES), bool(words & NO) or "n't" in answer
    return (yes and not no) if truth else no


def _number(truth: Mapping[str, Json], answer: object) -> bool:
    wanted, within = truth["number"], truth.get("within", 0)
    answer = _only(answer)
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        return _near(wanted, answer, within)
    return isinstance(answer, str) and any(_near(wanted, number, within) for number in numbers(answer))


def _near(wanted: float, number: float, within: float) -> bool:
    return math.isclose(wanted, number, rel_tol=1e-9, abs_tol=within + 1e-9)


def numbers(text: str) -> list[float]:
    """The numbers that a text names; thousands may be grouped. Too long a text names none."""
    if len(text) > LONGEST:
        return []
    values = []
    for match in NUMBER.finditer(text):
        # "3, 4" are two numbers: only groups of three digits are one.
        for part in re.split(r"(?:,|\s|')(?!\d{3}(?!\d))", match.group().replace("−", "-")):
            plain = re.sub(r"[,\s'  ]", "", part)
            try:
                values.append(float(plain))
            except ValueError:
                continue
    return values


def _date(truth: Mapping[str, object], answer: object) -> bool:
    answer = _only(answer)
    return isinstance(answer, str) and date.fromisoformat(str(truth["date"])) in dates(answer)


def dates(text: str) -> list[date]:
    """The days that a text names: 2026-03-11, 11 March 2026, March 11th, 2026."""
    if len(text) > LONGEST:
        return []
    candidates = [(year, month, day) for year, month, day in ISO.findall(text)]
    candidates += [(year, _month(name), day) for day, name, year in DAY_FIRST.findall(text)]
    candidates += [(year, _month(name), day) for name, day, year in MONTH_FIRST.findall(text)]
    days = []
    for year, month, day in candidates:
        try:
            days.append(date(int(year), int(month), int(day)))
        except ValueError:
            continue
    return days


def _month(name: str) -> int:
    return MONTHS.index(name.lower()) + 1 if name.lower() in MONTHS else 0


def _text(truth: Mapping[str, Json], answer: object) -> bool:
    answer = _only(answer)
    if not isinstance(answer, str | int | float) or isinstance(answer, bool):
        return False
    text = folded(str(answer))
    return len(text) <= LONGEST and any(
        has_word(text, folded(str(one))) for one in (truth["text"], *truth.get("or", ()))
    )


def folded(text: str) -> str:
    """A text as answers are compared: without case, accents and runs of spaces."""
    decomposed = unicodedata.normalize("NFKD", text)
    return " ".join("".join(sign for sign in decomposed if not unicodedata.combining(sign)).casefold().split())


def _list(truth: Mapping[str, Json], answer: object) -> bool:
    wanted = truth["list"]
    items = _items(answer, len(wanted))
    if isinstance(items, list):
        return len(items) == len(wanted) and all(map(accepts, wanted, items))
    return _in_order(wanted, answer)


def _set(truth: Mapping[str, Json], answer: object) -> bool:
    wanted = truth["set"]
    items = _items(answer, len(wanted))
    if isinstance(items, list):
        left = _distinct(items)
        for one in wanted:
            hit = next((item for item in left if accepts(one, item)), None)
            if hit is None:
                return False
            left.remove(hit)
        return not left
    return isinstance(answer, str) and bool(answer.strip()) and all(accepts(one, answer) for one in wanted)


def _distinct(items: Sequence[object]) -> list[Json]:
    return [item for at, item in enumerate(items) if item not in items[:at]]


def _items(answer: object, count: int) -> Json:
    """The items of a list, also if an object contains just one list; a scalar that stands for a list of one."""
    if isinstance(answer, dict) and len(answer) == 1:
        answer = next(iter(answer.values()))
    if isinstance(answer, list):
        return answer
    return [answer] if count == 1 and not isinstance(answer, str) else None


def _in_order(wanted: Sequence[object], answer: object) -> bool:
    """Whether a sentence names all items, one after the other."""
    if not isinstance(answer, str) or len(answer) > LONGEST:
        return False
    text, at = folded(answer), 0
    for one in wanted:
        name = folded(str(one["text"] if isinstance(one, Mapping) and "text" in one else one))
        match = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)").search(text, at)
        if match is None:
            return False
        at = match.end()
    return bool(wanted)


def _nothing(truth: Mapping[str, object], answer: object) -> bool:
    return answer is None or answer in ([], {}) or (isinstance(answer, str) and folded(answer).strip(" .!") in NONE)


def _one_of(truth: Mapping[str, Json], answer: object) -> bool:
    return any(accepts(one, answer) for one in truth["one_of"])


def _all(truth: Mapping[str, Json], answer: object) -> bool:
    return all(accepts(one, answer) for one in truth["all"])


_KINDS: Mapping[str, Callable[[Mapping[str, Json], Json], bool]] = {
    "all": _all,
    "one_of": _one_of,
    "number": _number,
    "date": _date,
    "list": _list,
    "set": _set,
    "text": _text,
    "nothing": _nothing,
    "state": lambda truth, answer: True,
}
KINDS = tuple(_KINDS)
"""The keys that say how a truth is compared."""
