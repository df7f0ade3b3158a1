"""Plain sentences in the wording that the readers of sentences know: `capped at 100` is `must be at most 100`.

Whoever writes an error by hand says the same few things in many ways. Each way is put as the one that frameworks use,
before a sentence is taken apart; what is quoted in a sentence stays as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

_NAME = r"[\"'`]?([A-Za-z_$][\w.$\-]*)[\"'`]?"
_NOT = r"(?:can't|cannot|can not|must not|may not|should not|mustn't|shouldn't|won't)"
_FIELD = r"(?:field|parameter|param|property|key|attribute|argument|member|column|header|option)"
_N = r"(-?\d[\d.,]*)"
_RANGE = rf"{_N}\s*(?:\.\.+|-|–|to|and|through|,)\s*{_N}"
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
    (r"\b(is|are|was|were)n't\b", r"\1 not"),
    # How libraries write names.
    (r"(?<![\w\-])--(?=[a-z])", ""),
    (r"\bvariable ([\"'])\$", r"variable \1"),
    (r"\(?(?:\"\w+\"\.)+(\"\w+\")\)?", r"column \1"),
    (r"^\[(?:path|field|property|parameter) [\"']?[#/$.]*([\w/.\-]+)[\"']?\] ", r"\1: "),
    (r"\b(min|max)(?:imum)?(Length|Items)\b", r"\1imum \2"),
    (r"\[\[([^\[\]]+)\]\]", r"[\1]"),
    # Bounds.
    (
        rf"\b{_NOT} (?:(?:go|be|fall|drop|get|lie) )?(?:below|under|less than|lower than|smaller than) (?=\d)",
        "must be at least ",
    ),
    (rf"\b{_NOT} (?:(?:go|be|rise|get|lie) )?(?:above|over|beyond|past) (?=\d)", "must be at most "),
    (r"\b(?:is |are )?(?:capped at|tops out at|ends at) (?=\d)", "must be at most "),
    (r"\b(?:starts?|begins?|is counted|are counted|counts?) (?:at|from|with) (?=\d)", "must be at least "),
    (r"\bmust (?:have reached|reach) (?=\d)", "must be at least "),
    (rf"\b(?:goes|go|ranges?|runs?|reach(?:es)?) from {_RANGE}", r"must be between \1 and \2"),
    (
        rf"\b(?:lies?|be|is|are|falls?) outside(?: of)?(?: the)?(?: allowed)?(?: range)?(?: of)? ?[\[(]?{_RANGE}",
        r"must be between \1 and \2",
    ),
    (rf"\b(?:the )?(?:smallest|lowest|least|shortest|fewest)(?: [a-z]+){{0,4}} is {_N}", r"must be at least \1"),
    (
        rf"\b(?:the )?(?:largest|biggest|highest|greatest|longest|upper limit|limit)(?: [a-z]+){{0,4}} is {_N}",
        r"must be at most \1",
    ),
    (rf"{_N} is the (?:maximum|limit|highest|largest|most|upper (?:bound|limit))\b", r"must be at most \1"),
    (rf"{_N} is the (?:minimum|lowest|smallest|least|lower (?:bound|limit))\b", r"must be at least \1"),
    (r"(?:^|(?<=be )|(?<=: ))(\d+)( [a-z]+)? at (most|least)\.?$", r"at \3 \1\2"),
    (r"\b(?:bigger|greater|more|larger|longer|higher) than (?:the )?(?=max)", "exceeds "),
    (r"\b(?:smaller|less|fewer|lower|shorter) than (?:the )?(?=min)", "at least "),
    (r"\bexceeds(?: the)?(?: (?!max)\w+){1,3} (?:limit|maximum)(?: of)?(?= \d)", "exceeds"),
    (r"\bshould (?=bigger|greater|less|smaller|longer|shorter)", "should be "),
    (rf"\bstrictly between {_RANGE}", r"between \1 and \2 (exclusive)"),
    (r"\bstrictly positive\b", "positive"),
    (
        r"\b(?:is|are|be) an? (\d+)[- ](?:character|char|letter|digit)(?:s\b(?! long)| (?:string|text|code|word"
        r"|name)\b)",
        r"must be exactly \1 characters",
    ),
    (r"\bhas \d+ (\w+), (\d+) (?:are|is) (?:needed|required|wanted)", r"must have at least \2 \1"),
    # Characters.
    (r"\b(?:is|are) (?:made (?:up )?(?:of|from|out of)|composed of) ", "must only contain "),
    (
        rf"\b{_NOT} (?:hold|use|have(?: any)?|include) (?=(?:any )?(?:white ?)?(?:spaces?|blanks?|slash|dots?"
        rf"|commas?|quotes?))",
        "must not contain ",
    ),
    (
        rf"^no ((?:white ?)?spaces|blanks|slashes|dots|commas|dashes|hyphens|underscores) in {_NAME}",
        r"\2 must not contain \1",
    ),
    # Types and formats.
    (
        r"\b(?:wants|takes|is looking for|is meant to be|is supposed to be|ought to be|is to be) (?=an? |the )",
        "must be ",
    ),
    (r"\bneither an? (.{2,20}?) nor an? ", r"must be \1 or "),
    (r"\b(?:is|are) no (?=[A-Z][A-Z]|valid |number|integer|date|array|list|object|e-?mail)", "is not a "),
    (r"\b(?:doesn't|does not|don't) look like an? ", "is not a valid "),
    (r"\bbadly formed (?:hexadecimal )?", "is not a valid "),
    (r"\bnot in (?=iso)", "must be in "),
    (r"\bis not (?:numeric|a numeric value)\b", "must be a number"),
    (r"\b(\w+) found, (\w+) expected\b", r"expected \2, found \1"),
    (r"\bof type \w+ did not match the following types?: ", "must be of type "),
    (r"\b(?:appears?|seems?) to be ", "be "),
    (r"\bvalue too (?:large|long) for column\b", "value is longer than maximum length for column"),
    # What is missing.
    (r"\bbe left (blank|empty|null)\b", r"be \1"),
    (rf"^required validation failed on {_NAME}", r"missing field '\1'"),
    (rf"\bexpecting a value for (?:non-nullable )?(?:variable|{_FIELD}):? {_NAME}", r"missing field '\1'"),
    (
        r"\b(?:was |were |is |are )?(?:left out|absent|omitted|lacking|forgotten|not filled in|not there)\b(?<!be"
        r" absent)(?<!be omitted)(?<!be left out)",
        "is missing",
    ),
    (
        rf"\b(?:lacks|is lacking|has no|forgot(?: to (?:send|give|provide|include|set))?|no value for|misses) (?:the"
        rf" |an? |its )?(?:required )?(?:{_FIELD} )?{_NAME}(?=\.?$)",
        r"missing field '\1'",
    ),
    (r"\b(is|are) (?:mandatory|compulsory|obligatory|needed|not optional)\b(?=\.?$)", r"\1 required"),
    (
        r"\b(?:must|has to|have to|needs to|should) (?:have something in it|say something|be filled(?: in| out)?)\b",
        "must not be empty",
    ),
    (rf"^{_NAME} (?:is|was) empty\.?$", r"\1 must not be empty"),
    (
        r"^(?:invalid|illegal|incorrect) (?:value )?(?:for |of )?"
        r"(?!json|body|request|token|cred|api|pass|sign|sess|csrf|arg|param|value|input|e-?mail|date|ur[il]|uuid)"
        r"([a-z_]\w*)\.?$",
        r"\1 is invalid",
    ),
    # What is too much.
    (
        rf"^{_FIELD} {_NAME} is (?:unsupported|not supported|not allowed|not permitted|unexpected|undefined)\.?$",
        r"Unknown field '\1'",
    ),
    (rf"\b{_FIELD} {_NAME} (?:was |is )?not found in (?:type|model|schema|table|input)\b", r"Unknown field '\1'"),
    (rf"\bcan(?: ?not|'t) match {_NAME} to any\b", r"Unknown field '\1'"),
    (rf"^{_NAME}(?: is|:) (?:no such|not an?|no) (?:known |valid )?{_FIELD}\b", r"Unknown field '\1'"),
    (
        rf"\bdo(?:n't| not) (?:know|have|understand|recogni[sz]e|expect) (?:of )?(?:an? |any )?{_FIELD} (?:called "
        rf"|named )?{_NAME}",
        r"Unknown field '\1'",
    ),
    (
        rf"^(?:please )?(?:do not|don't|never) (?:send|set|give|pass|include|specify|provide) (?:the |an?"
        rf" )?{_NAME}\.?$",
        r"Unknown field '\1'",
    ),
    (
        r"\b(?:is|was) not (?:a )?part of (?:this|the|our) (?:schema|request|body|api|model|resource|type)",
        "is unknown",
    ),
    (r"\bis not something (?:we|that|you|this)\b.*(?:accept|know|take|send|set|expect|support)\w*", "is unknown"),
    (r"\bmust be (?:dropped|removed|left out|omitted)(?: from the (?:request|body))?\.?$", "must be omitted"),
    # Several names.
    (
        rf"^{_NAME} (?:only (?:makes sense|works|counts|applies)(?: together)?|goes(?: only)?|comes) with {_NAME}\.?$",
        r"\1 requires '\2'",
    ),
    (rf"^{_NAME} needs (?:(?:a|an|the) )?{_NAME}(?: as well| too)?\.?$", r"\1 requires '\2'"),
    (
        rf"^(?:if|when) {_NAME} is (?:given|set|sent|used|present),? {_NAME} (?:must|has to|should|needs to) be"
        rf" (?:given|set|sent|used|present)(?: too| as well)?",
        r"\1 requires '\2'",
    ),
    (rf"^{_NAME} and {_NAME} (?:go|belong|come) together\b", r"\1 and \2 must be set together"),
    (rf"^{_NAME} and {_NAME} {_NOT} both be\b", r"\1 and \2 cannot be"),
    (
        r"^either (.{2,60}? or .{2,40}?) (?:has|have|needs|ought) to be (?:present|given|set|sent|there)",
        r"either \1 must be given",
    ),
    (r"\b(?:lies|comes|is|falls) (before|after|earlier than|later than) (?=[a-z])", r"must not be \1 "),
    # What there is already, what there is not, and in which state.
    (
        r"\b(?:somebody|someone|another \w+)(?: else)? (?:already )?(?:uses|has|took|owns) (?:that|this|the same"
        r"|the) (\w+)",
        r"\1 is already in use",
    ),
    (r"\bhas been (?:used|taken|chosen) (?:before|already)", "is already in use"),
    (r"\bwe (?:have|know)(?: of)? no (?=\w+ \S+$)", "no such "),
    (r"\bthere is no (\w+) (?:with|of|under|for) (?:that|this|the|such)(?: \w+){1,2}\.?$", r"\1 not found"),
    (
        r"\bpoints? to nothing\b|\brefers? to (?:an? )?\w+ that do(?:es)? not exist\b|\bleads? nowhere\b",
        "does not exist",
    ),
    (r"\bno (\w+) has (?:the |this |that )?(?:id|number|name|key) (\S+)", r"\1 with id \2 not found"),
    (r"\b(?:couldn't|could not|cannot|can't) find (?:what|the thing|anything|it)\b.*", "not found"),
    (r"\b(?:is|are) (?:switched|turned) off\b", "are disabled"),
)
_COMPILED = tuple((re.compile(pattern, re.I), plain) for pattern, plain in _WORDINGS)


@lru_cache(maxsize=4096)
def plainly(text: str) -> str:
    """A text in the wordings of frameworks, with numbers in figures."""
    text = _COUNTED.sub(lambda match: str(_COUNTS.index(match.group(0).lower())), text)
    for pattern, plain in _COMPILED:
        text = pattern.sub(plain, text)
    return text
