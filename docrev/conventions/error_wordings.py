"""Plain sentences in the wording that the readers of sentences know: `100 is the limit` is `must be at most 100`.

Whoever writes an error by hand says the same few things in many ways. Each way is put as the one that frameworks use,
before a sentence is taken apart. What is here was met; ways that can be thought of are not added.
"""

from __future__ import annotations

import re
from functools import lru_cache

from docrev.conventions.error_paraphrases import canonical

_NAME = r"[\"'`]?([A-Za-z_$][\w.$\-]*)[\"'`]?"
_FIELD = r"(?:field|parameter|param|property|key|attribute|argument|member|column|header|option)"
_N = r"(-?\d[\d.,]*)"
_COUNTS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_COUNTED = re.compile(
    rf"\b(?:{'|'.join(_COUNTS[2:])}|zero|one(?= (?:character|item|element|digit|letter|entry))|(?<=at least )one"
    rf"|(?<=at most )one)\b"
    r"(?! (?:of|parameter|param|field|property|key|attribute|argument|option|value)s?\b)",
    re.I,
)
_WORDINGS: tuple[tuple[str, str], ...] = (
    # Where in the service it was found.
    (r"^(?:\[[\w\-]+\]){2,} ?(?=\w)", ""),
    (r"\b(be|of|to|is|than|exceeds?|most) (\d{1,3}),(\d{3})(?![\d,\])])", r"\1 \2\3"),
    (r"\bin schema [\w\-#/.]{8,}", ""),
    (r" \(although [^()]{1,80}\)", ""),
    (r"^(missing|invalid|unknown|unexpected|duplicate|unsupported)_([a-z]+): ", r"\1 \2: "),
    (r"^(?:we )?needs? (?:an? |the |your )?([a-z]\w*)\.?$", r"'\1' is required"),
    (r"\bliteral (?:typing\.)?Literal(?=\[)", ""),
    (
        r"^(query|path|header|cookie|form) (?!string|param)(\w+) (?=(?:can(?:'t|not)|must|should|is|has) )",
        r"\1 parameter \2 ",
    ),
    (r"\b(is|are|was|were|does|do|did|has|have|could|would|should)n't\b", r"\1 not"),
    (r"\b(does|do|did) not exists\b", r"\1 not exist"),
    (r"\bis not in format (?=\w)", "must be a "),
    (r"\bdid not find\b", "could not find"),
    (r"\bwrong number of arguments\b", "invalid arguments"),
    (
        rf"\bcould not find {_FIELD} {_NAME} in (?:the )?(?:input|request|body|payload|arguments?)\b",
        r"'\1' is required",
    ),
    (
        r"\binvalid value for (?:an? )?(u?int(?:eger)?\d*|number|float|double|decimal|bool(?:ean)?|date|uuid"
        r"|string(?= type))\b",
        r"must be a \1",
    ),
    (r"\bcontains? (?:invalid|illegal|forbidden) characters\W+(?=(?:may|can|must|should) only )", ""),
    (r"\bcan only be(?: or contain)? (?=[\w\"'`\-]+(?:, [\w\"'`\-]+)+,? or )", "must be one of "),
    (r"\[facet '\w+'\] (?:The value )?", ""),
    (r"\bvariable ([\"'])\$", r"variable \1"),
    (rf"\b({_FIELD})/{_FIELD}\b", r"\1"),
    (r"^<class '[\w.]+'>\.", ""),
    (r"\bmust occur at least (?:1|one) times?\b", "is required"),
    (r"^\w+(?:Error|Exception)\((['\"])(.*)\1,?\)$", r"\2"),
    (r"^the name of (?:an? |the )(?:[\w-]+ ){1,3}?(?=can|must|should|may)", "name "),
    (r"^\[(?:path|field|property|parameter) [\"']?[#/$.]*([\w/.\-]+)[\"']?\] ", r"\1: "),
    (rf"^KeyError: {_NAME}$", r"'\1' is required"),
    (r"\b(\w+) found, (\w+) expected\b", r"expected \2, found \1"),
    (rf"{_N} is the (?:maximum|limit|highest|largest|most|upper (?:bound|limit))\b", r"must be at most \1"),
    (rf"{_N} is the (?:minimum|lowest|smallest|least|lower (?:bound|limit))\b", r"must be at least \1"),
    # What was sent is told, not what is wanted.
    (rf"\bhas (?:a )?value ?>=? ?{_N}", r"must be at most \1"),
    (rf"\bhas (?:a )?value ?<=? ?{_N}", r"must be at least \1"),
    (r"\bexceeds(?: the)?(?: (?!max)\w+){1,3} (?:limit|maximum)(?: of)?(?= \d)", "exceeds"),
    (r"\bbe (?:an )?even(?: number)?\b", "be a multiple of 2"),
    (rf"^.*\binvalid value at \.{_NAME}: ", r"'\1': invalid: "),
    (rf"^invalid value undefined supplied to .*/{_NAME}: .*$", r"'\1' is required"),
    (rf"^invalid value .* supplied to .*/{_NAME}: (.+)$", r"'\1' must be \2"),
    (rf"\bcannot store \w+ value in (\w+) column (?:\w+\.)*{_NAME}$", r"'\2' must be \1"),
    (rf"\bstrictly between {_N} and {_N}", r"between \1 and \2 (exclusive)"),
    (r"\bInvalid (start|end): Expected\b", r"must \1 with"),
    (r"\bInvalid multiple: Expected %", "must be a multiple of "),
    (rf"^{_NAME} (?:is|was) (?:empty|blank)\.?$", r"\1 must not be empty"),
    (rf"\b{_FIELD} {_NAME} (?:was |is )?not found in (?:type|model|schema|class|table|input)\b", r"Unknown field '\1'"),
    (
        rf"^(?!{_FIELD} |value|login|payment)((?-i:[a-z][\w.]*|[A-Z]\w*(?:-\w+)+))(?: ({_FIELD}))?"
        r" (required|missing|taken)\.?$",
        r"\2 '\1' is \3",
    ),
    (rf"^invalid {_FIELD} [\"']/(?:\d+/)*([A-Za-z_][\w/.\-]*)[\"']: ", r'"/\1": '),
    (r"\bHas a dependency on (\S+)$", r"'\1' is required"),
    (r"\b(?:is )?too (?:long|many \w+): \d+/(\d+)", r"must have at most \1 items"),
    (r"\b(?:is )?too (?:short|few \w+): \d+/(\d+)|\bnot enough \w+: \d+/(\d+)", r"must have at least \1\2 items"),
    (r"\bno (\w+) has (?:the |this |that )?(?:id|number|name|key) (\S+)", r"\1 with id \2 not found"),
)
_COMPILED = tuple((re.compile(pattern, re.I), plain) for pattern, plain in _WORDINGS)


@lru_cache(maxsize=4096)
def plainly(text: str) -> str:
    """A text in the wordings of frameworks, with numbers in figures."""
    text = _COUNTED.sub(lambda match: str(_COUNTS.index(match.group(0).lower())), text)
    for pattern, plain in _COMPILED:
        text = pattern.sub(plain, text)
    return canonical(text)
