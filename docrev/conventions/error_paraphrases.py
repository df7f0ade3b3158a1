"""A sentence in canonical words: a subject, a modal and a complement, each of which is said in many ways.

`The title you sent has to have no more than 80 characters` is `title must have at most 80 characters`. The readers of
sentences know the canonical words; a synonym is added here, to the part of the sentence that it is of.
"""

from __future__ import annotations

import re

_QUOTE = r"[\"'`]"
_NAME = rf"{_QUOTE}?(?P<name>[A-Za-z_$][\w$]*(?:[.\-][\w$]+)*){_QUOTE}?"
_OWN = rf"(?:(?<!the )|(?=(?-i:[a-z_\"'`]))){_NAME}"
"""A name beside its value: after an article, in small letters, since `The Deployment "web"` is a thing."""
_VALUE = r"(?:\"[^\"]{0,80}\"|'[^']{0,80}'|`[^`]{0,80}`|\(=?[^()]{0,80}\)|=\S{1,80})"
_LABEL = r"(?:(?:field|parameter|param|property|attribute|argument|column|option)s? )?"
_NOUNS = (
    r"(?!(?:value|type|length|size|number|format|count|amount|range|maximum|minimum|field|parameter|param|property"
    r"|attribute|argument|column|option|key|header|input|data|item|element|string|character|variable|member|rest|sum"
    r"|list|array|object|body|request|query|json|error|row|of|for|in|on|the|an?|not|is|are|no|and|or)s?\b)"
)
"""What stands for any value, and so is no subject."""
_VERB = (
    r"(?:must|should|shall|has|have|needs?|is|are|was|were|cannot|can|may|does|do|did|could|expects?|requires?|accepts?"
    r"|exceeds?|contains?|fails?|failed|not (?!found)|too|already|missing)\b"
)
_ABSENT = (
    r"(?!(?:\w+ ){0,2}(?:not|n't|never|no|already|cannot)(?: be)? (?:found|exist|known|there|match)"
    r"|(?:\w+ ){0,2}(?:exists?|unknown)\b)"
)
"""Before what says that a thing is not there, or is: then the value beside its name is told."""
_REFUSED = (
    r"(?:is|was) (?:not (?:allowed|permitted|recogni[sz]ed|expected|accepted|supported)|unexpected|unrecogni[sz]ed"
    r"|unsupported)\b"
)
_GIVEN = r"(?:provided|given|specified|supplied|submitted|passed|sent|entered|received|used|included|filled in|defined)"
_GAVE = r"(?:provided|gave|specified|supplied|submitted|passed|sent|entered|used|chose|selected|requested|included)"
_FAULT = r"(?:invalid|incorrect|bad|wrong|illegal|unsupported|malformed|unacceptable)"
_N = r"-?\d"
_NEVER = (
    r"\b(?:cannot|must not|may not|should not)"
    r"((?: (?:be|go|have|contain|get|drop|set|include|fall|rise|hold)){1,2}?)(?: to)?"
)
_LISTED = (
    rf"(?:{_QUOTE}[^\"'`]{{1,60}}{_QUOTE}|[\w.\-]{{1,60}})(?:(?:, ?(?:or )?| or | and |\|)"
    rf"(?:{_QUOTE}[^\"'`]{{1,60}}{_QUOTE}|[\w.\-]{{1,60}}))+\W*$"
)
"""A list of values that ends a sentence."""
_DO = (
    r"(?:be|have|contain|include|exceed|start|begin|end|match|consist|refer|exist|equal|lie|hold|follow|use|satisfy)\b"
)

_SUBJECTS = (
    # The value is told by whoever sent it, or beside its name.
    (rf"^(?:the |your |an? )?{_GIVEN} {_NOUNS}{_NAME} (?={_VERB}){_ABSENT}", "{name} "),
    (rf"^(?:the |your )?{_NAME} (?:that |which )?(?:you|was|were|has been)(?: have)? {_GAVE} (?={_VERB})", "{name} "),
    (rf"^your {_NOUNS}{_NAME} (?={_VERB})", "{name} "),
    (rf"^(?:the )?values? (?:of|for|in) (?:the )?{_LABEL}{_NAME} (?={_VERB})", "{name} "),
    (rf"^(?:the )?{_NOUNS}{_NAME} (?:of|in|on) (?:the|this|your) \w+ (?={_VERB}){_ABSENT}", "{name} "),
    (rf"^(?:the )?(?:{_GIVEN} )?{_NOUNS}{_OWN} ?{_VALUE} {_REFUSED}", "{name} is invalid"),
    (rf"^(?:the )?(?:{_GIVEN} )?{_NOUNS}{_OWN} ?{_VALUE} (?={_VERB}){_ABSENT}", "{name} "),
    (rf"^\[(?P<name>(?-i:[a-z_])[\w.]*)\]:? (?={_VERB})", "{name} "),
    # What failed is told before a colon.
    (
        rf"^(?:(?:could not|cannot|failed to|unable to) \w+|(?:an? )?(?:error|problem|issue|trouble) (?:in|with|on|at"
        rf"|for)) (?:the )?{_LABEL}{_NAME}: (?={_VERB}|not |required|missing)",
        "{name}: ",
    ),
    (
        r"^(?:an )?error (?:parsing|validating|reading|decoding) (?:the )?(?:object|value|input|body|payload)"
        rf" (?:at|in)(?: path)?:? {_NAME}(?: -|:) (?=\S)",
        "{name}: ",
    ),
    (
        rf"^{_FAULT} (?:value|input|format)(?: {_VALUE})? (?:for|of|in) (?:the )?{_LABEL}{_NAME}: (?=\S+ \S)",
        "{name}: ",
    ),
    (rf"^{_FAULT} {_NOUNS}{_NAME} {_VALUE}: (?=\S+ \S)", "{name}: "),
    (
        rf"^{_VALUE} (?:is|was) (?:not (?:an? )?(?:valid|allowed|acceptable)|an? {_FAULT}) {_NOUNS}{_NAME}[.:;,]"
        rf" (?=(?:it )?{_VERB}|not )",
        "{name}: ",
    ),
)
_MODALS = (
    (r"\bcan(?:'t| not)\b", "cannot"),
    (r"\b(must|should|may|did|need)n't\b", r"\1 not"),
    (
        rf"\b(?:ha(?:s|ve)|needs?|ought|(?:is|are|was|were) (?:required|expected|supposed|meant)) to (?={_DO})",
        "must ",
    ),
    (rf"\b(?:is|are) not (?:allowed|permitted|supposed|able) to (?={_DO})", "must not "),
    (r"\bshould have been\b", "must be"),
    (r"\b(must|should|not|n't) lie (?=between|in|within|outside)", r"\1 be "),
    (r"\blies outside\b", "is outside"),
)
_TYPES = (
    (r"\ba (?:number without (?:decimals|a fraction|decimal places)|round number)\b", "an integer"),
    (r"\b(is|are) no (?=(?:valid |known )?(?:\w+ ){0,2}\w+\.?$)(?!longer|such|more|less|\w+er\b)", r"\1 not a "),
    (
        r"\b(?:does not|do not|doesn't)"
        r" (?:look like|represent|parse as|resemble|have (?:the )?type|contain(?= an? valid))"
        r"|\bcannot be (?:interpreted|read|used|understood|treated|parsed|converted) (?:as|to|into)\b(?! json)",
        "is not",
    ),
    (
        r"\b(?:must|should) be "
        r"(?:given|formatted|written|specified|encoded|expressed|passed|sent|provided) (?:as|in)\b",
        "must be",
    ),
    (r"\b(?:must|should) (?:hold|store|represent) (?=an? )", "must be "),
    (
        r"\b(?:only )?(?:takes?|wants?|needs?|accepts?|allows?)(?: only)? (?=(?:an? )?(?:valid )?(?:integer|int|number"
        r"|float|string|bool(?:ean)?|array|list|object|date|uuid|url|e-?mail)s?\b)",
        "must be ",
    ),
    (
        r"\bmust be (integer|number|string|boolean|float|array|object|date)s(?: only)?(?=\W|$)(?! and| or)",
        r"must be \1",
    ),
    (
        r"\b(?:is|was|got|found) an? (\w+),? (?:not|but (?:must|should) be|expected|instead of) (an? \w+)\.?$",
        r"must be \2, got \1",
    ),
)
_BOUNDS = (
    (rf"\b(?:equal to or (?:greater|more|larger|higher)(?: than)?|(?:above|over) or equal to) (?={_N})", "at least "),
    (rf"\b(?:equal to or (?:less|lower|smaller|fewer)(?: than)?|(?:below|under) or equal to) (?={_N})", "at most "),
    (rf"\b(must|should) exceed (?={_N})", r"\1 be greater than "),
    (
        rf"{_NEVER} (?:below|under|(?:less|lower|smaller|fewer|shorter) than) (?={_N})",
        r"must\1 at least ",
    ),
    (
        rf"{_NEVER} (?:above|over|beyond|(?:more|greater|higher|larger|bigger|longer) than) (?={_N})",
        r"must\1 at most ",
    ),
    (rf"\b(?:is|are) (?:capped|limited|restricted) (?:at|to) (?={_N})", "must be at most "),
    (rf"\bgoes up to (?={_N})", "must be at most "),
    (rf"\bstarts? (?:at|from) (?={_N}[\d.]*\.?$)", "must be at least "),
)
_CHOICES = (
    (r"\b(?:is|are|was) (?:none|not any) of\b", "is not one of"),
    (r"\b(?:is|are|was) not among (?=[\w\"'`\[(])(?!the\b)", "is not one of "),
    (r"\b(?:is|are|was) neither (\S+) nor (\S+?)(?=[.,]?$)", r"is not one of \1, \2"),
    (
        rf"\b(?:can|may|(?:must|should) (?:be )?(?:equal(?: to)?|in|from the list:?|any of)) (?:be )?(?={_LISTED})",
        "must be one of ",
    ),
    (
        rf"\b(?:only )?(?:accepts?|takes?|supports?|allows?)(?: only)?(?: the)?(?: values?| options?)?:? (?={_LISTED})"
        r"(?!one of|either|[\w ]+(?:characters|letters|digits|numbers))",
        "must be one of ",
    ),
    (
        r"\b(?:options|choices|possibilities|(?:allowed|valid|possible|accepted|permitted)) are:?"
        r" (?=\S+(?:,| or | and ))",
        "allowed values are ",
    ),
)
_TEXTS = (
    (
        r"\b(?:conform(?:s)? (?:to|with)|compl(?:y|ies) with|adheres? to|correspond(?:s)? to|satisf(?:y|ies)|follows?"
        r"|obeys?)(?: the| a)?(?: (?:pattern|regex(?:p)?|regular expression))?:? (?=\S*[\[\\^$*+]\S*)",
        "match ",
    ),
    (r"\bbe of the form:? (?=\S*[\[\\^$*+]\S*)", "match "),
    (r"\bviolates (?:the )?(?=pattern|regex)", "does not match "),
    (r"\bbe prefixed (?:with|by)\b|\b(?:have|start with|begin with) the prefix\b", "start with"),
    (r"\bbe suffixed (?:with|by)\b|\b(?:have|end with) the suffix\b", "end with"),
    (r"\bbe free of\b", "not contain"),
    (r"\b(must|should|may|can) (?:only (?:include|have|use)|(?:include|use|have|comprise) only)\b", r"\1 contain only"),
    (
        r"\bcontains? ((?:white)?spaces?|\w+ characters)(?:, (?:which|and these)|, but (?:these|they))?"
        r" (?:is|are) not (?:allowed|permitted)",
        r"must not contain \1",
    ),
)
_REQUIRED = (
    (
        r"\b(?:cannot|must not|may not|should not) be (?:omitted|left (?:out|empty|blank)|missing|skipped|absent)\b",
        "is required",
    ),
    (
        r"\b(?:is|are|was|were) (?:absent|left out|omitted|compulsory|obligatory|not optional|mandatory)(?=\W*$)"
        r"|\bha(?:s|ve) no value(?=\W*$)|\b(?:needs|requires|must have) a value(?=\W*$)"
        rf"|\bha(?:s|ve) not been (?:{_GIVEN}|set)\b|\b(?:must|should) be (?:{_GIVEN}|part of the request)(?=\W*$)"
        r"|\b(?:(?:is|was) )?expected(?:,? but (?:is |was )?(?:not found|missing|absent|not given))(?=\W*$)"
        r"|\bmust be a non-?empty (?:string|value|text|list|array)(?=\W*$)",
        "is required",
    ),
)
_UNKNOWN = (
    (r"\b(?:is|are) not (?:writable|writeable|settable|editable|modifiable|changeable|updatable)\b", "is read-only"),
    (
        r"\b(?:is|are) not (?:part of|in|defined (?:in|by)) the (?:schema|model|specification)\b"
        r"|\b(?:does not|doesn't) exist (?:in|on) the (?:schema|model|specification)\b",
        "is unknown",
    ),
    (
        rf"^(?:i|we) (?:do not|don't) know (?:the |a )?(?:field|parameter|property|option) {_NAME}",
        "'{name}' is unknown",
    ),
)
_EXISTING = (
    (
        r"\b(?:is|are) (?:used|taken|in use|owned|claimed)(?: already)?"
        r"(?: by (?:another|some) \w+| already)(?=\W*$)",
        "is already used",
    ),
    (r"\b(?:should|must) be unique\b", "must be unique"),
    (r"\b(?:has|have) been (?:used|registered|taken|added|created|claimed) (?:before|already)\b", "already exists"),
    (r"\bonly makes? sense (?:together )?(?:with|when|if)\b", "can only be used with"),
    (
        r"\b(?:collides|clashes|conflicts) with an? (?:existing|other) \w+|\bconflicts with another \w+"
        r"|\bis (?:a duplicate|duplicated?)(?=\W*$)",
        "already exists",
    ),
    (
        r"\b(?:refers?|references?|points?) (?:to )?an? (?:non-?existent|non-?existing|unknown|missing) (\w+)"
        r"|\bpoints to an? (\w+) that does not exist",
        "does not exist",
    ),
    (
        r"\b(?:does not|doesn't|do not) (?:refer to|match|identify|reference|belong to|correspond to|point to)"
        r" (?:any|an?|an existing|any existing|a known) (?!pattern|regex|of)(?:existing )?"
        r"(?!endpoint|route|path|url)\w+(?=\W*$)|\b(?:is|are) not an existing (?!field|parameter|property|option"
        r"|attribute|type|format|value|key)\w+(?=\W*$)"
        r"|\bmust (?:refer to|reference|be|be the id of|identify|point to) an existing \w+(?=\W*$)",
        "does not exist",
    ),
)
_REFUSALS = (
    (
        r"\b(?:could not|cannot) be (?:processed|decoded|understood|resolved|recogni[sz]ed|validated|handled)(?=\W*$)"
        r"|\b(?:did not pass|failed) validation(?=\W*$)|\bwas (?:rejected|refused|not accepted)(?=\W*$)"
        r"|\bis (?:bad|no good|badly formatted|badly formed|not well-?formed|a reserved (?:word|name))(?=\W*$)"
        r"|\bhas (?:bad|wrong|invalid) syntax(?=\W*$)",
        "is invalid",
    ),
)
_RULES = tuple(
    (re.compile(pattern, re.I), re.sub(r"\{name\}", r"\\g<name>", plain))
    for part in (_MODALS, _SUBJECTS, _TYPES, _BOUNDS, _CHOICES, _TEXTS, _REQUIRED, _UNKNOWN, _EXISTING, _REFUSALS)
    for pattern, plain in part
)


def canonical(text: str) -> str:
    """A text with synonyms of the modals, and of what is said of a subject, as the readers know them."""
    for pattern, plain in _RULES:
        text = pattern.sub(plain, text)
    return text
