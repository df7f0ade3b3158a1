"""Plain sentences in the wording that the readers of sentences know: `100 is the limit` is `must be at most 100`.

Whoever writes an error by hand says the same few things in many ways. Each way is put as the one that frameworks use,
before a sentence is taken apart. What is here was met; ways that can be thought of are not added.
"""

from __future__ import annotations

import re
from functools import lru_cache

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
    (r"\bliteral (?:typing\.)?Literal(?=\[)", ""),
    (
        r"^(query|path|header|cookie|form) (?!string|param)(\w+) (?=(?:can(?:'t|not)|must|should|is|has) )",
        r"\1 parameter \2 ",
    ),
    (r"\b(is|are|was|were|does|do|did|has|have|could|would|should)n't\b", r"\1 not"),
    (r"\b(does|do|did) not exists\b", r"\1 not exist"),
    (r"\bdid not find\b", "could not find"),
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
    (r"\bHas a dependency on (\S+)$", r"'\1' is required"),
    (r"^\[(?:path|field|property|parameter) [\"']?[#/$.]*([\w/.\-]+)[\"']?\] ", r"\1: "),
    # What was sent is told, not what is wanted.
    (rf"\bhas (?:a )?value ?>=? ?{_N}", r"must be at most \1"),
    (rf"\bhas (?:a )?value ?<=? ?{_N}", r"must be at least \1"),
    (r"\bexpected an? [\w ]+ \(got undefined\)", "is required"),
    (r"\b(\w+) value found, but (an? \w+) is required\b", r"must be \2, got \1"),
    (r"\b(\w+) found, (\w+) expected\b", r"expected \2, found \1"),
    (rf"^invalid {_FIELD} [\"']/(?:\d+/)*([A-Za-z_][\w/.\-]*)[\"']: ", r'"/\1": '),
    (r"\b(?:is )?too (?:long|many \w+): \d+/(\d+)", r"must have at most \1 items"),
    (r"\b(?:is )?too (?:short|few \w+): \d+/(\d+)|\bnot enough \w+: \d+/(\d+)", r"must have at least \1\2 items"),
    (r"\bno (\w+) has (?:the |this |that )?(?:id|number|name|key) (\S+)", r"\1 with id \2 not found"),
)
_DO = (
    r"(?:be|have|contain|include|exceed|start|begin|end|match|consist|refer|exist|equal|lie|hold|follow|use|satisfy)\b"
)
_LAST = (
    (r"\bcan(?:'t| not)\b", "cannot"),
    (rf"\b(?:ha(?:s|ve)|needs?|ought|(?:is|are|was|were) (?:required|expected|supposed|meant)) to (?={_DO})", "must "),
    (rf"\b(?:is|are) not (?:allowed|permitted|supposed|able) to (?={_DO})", "must not "),
    (
        r"^(?:an )?error (?:parsing|validating|reading|decoding) (?:the )?(?:object|value|input|body|payload)"
        rf" (?:at|in)(?: path)?:? {_NAME}(?: -|:) (?=\S)",
        r"\1: ",
    ),
    (
        r"\bmust be (integer|number|string|boolean|float|array|object|date)s(?: only)?(?=\W|$)(?! and| or)",
        r"must be \1",
    ),
    (r"\b(?:has|have) been (?:used|registered|taken|added|created|claimed) (?:before|already)\b", "already exists"),
    (r"\bmakes? (?:no|little) sense without", "can only be used with"),
    (r"\bonly makes? sense (?:together )?(?:with|when|if)\b", "can only be used with"),
)
_COMPILED = tuple((re.compile(pattern, re.I), plain) for pattern, plain in (*_WORDINGS, *_LAST))


@lru_cache(maxsize=4096)
def plainly(text: str) -> str:
    """A text in the wordings of frameworks, with numbers in figures."""
    text = _COUNTED.sub(lambda match: str(_COUNTS.index(match.group(0).lower())), text)
    for pattern, plain in _COMPILED:
        text = pattern.sub(plain, text)
    return text
