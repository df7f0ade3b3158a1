"""What a sentence says about the call as a whole and the server's state, rather than about a value.

Another method or media type, something that must exist first or exists already, the wrong state, a feature that is
missing, credentials.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.conventions.error_claims import Claim
from docrev.conventions.error_locations import ErrorLocation
from docrev.conventions.error_subjects import Sentence
from docrev.conventions.statuses import NOT_FOUND

MALFORMED_BODY = Claim("format", ("json",), ErrorLocation("body"))
_BUSY = frozenset({429, 502, 503, 504})
_NOT_ACCEPTABLE = 406
_CONFLICT = 409
_METHOD = r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)"
_USE_METHOD = re.compile(
    rf"(?:\b[Uu]se|[Tt]ry|using|must be (?:a|an)?|only supports?|supports only|expected|requires?|\b[Oo]nly|allowed(?:"
    rf" methods?)?(?: are|:)?|supported(?: methods?)?(?: are|:)?|only (?:accepts?|allows?))\s*:?\s*(?:an? |the "
    rf"|http )?[\"'`\[]*({_METHOD}(?:[\"'`]?(?:\s*,\s*|\s+or\s+|\s+and\s+|\s*\|\s*)[\"'`]?{_METHOD})*)\b"
)
_METHOD_ONLY = re.compile(rf"^({_METHOD}(?:(?:, | or | and ){_METHOD})*) only\b")
_METHOD_REFUSED = re.compile(
    rf"\b{_METHOD}\b.{{0,40}}\bnot (?:allowed|supported)|method\b.{{0,30}}\bnot (?:allowed|supported)|cannot"
    rf" {_METHOD} to",
    re.I,
)
_MEDIA = r"(?:application|text|multipart|image|audio|video)/[\w.+*-]+"
_MEDIA_WANTED = re.compile(
    rf"\b(?:expected|expects?|use|must be|should be|only|supported(?: media types?| types?| content types?)?(?:"
    rf" are|:)?|requires?|was not|is not|set to|acceptable|accepts?|allowed(?: types?)?(?: are"
    rf"|:)?)[^.]{{0,60}}?({_MEDIA}(?:[\"'`\]]?(?:\s*,\s*|\s+or\s+|\s+and\s+)[\"'`]?{_MEDIA})*)",
    re.I,
)
_MEDIA_REFUSED = re.compile(
    r"unsupported (?:media|content)[ -]?type|content[- ]type\b.{0,60}(?:not (?:supported|allowed|acceptable)|must"
    r"|should|expected|invalid|unsupported)|media type|expected content-type",
    re.I,
)
_EXISTS = re.compile(
    r"already (?:exists?|(?:been )?(?:taken|used|registered|claimed|reserved|assigned)|in use|present|a member"
    r"|defined|created)|must be unique|a unique value|(?:is|are) not unique|duplicate (?:key|entry|value|name"
    r"|record|id)|unique constraint|violates unique|exists already|is (?:a )?duplicate|has to be unique|E11000"
    r"|(?:name|id|key|resource) conflict|is taken\b|exists with (?:the |this )?same\b"
    r"|\bthere is already (?:an?|one)\b|already (?:has|have|contains?|holds?) (?:an? |such )|belongs to (?:another"
    r"|someone)|exists$"
    r"|\b(?:names?|id|key|slug|e-?mail|address|username|title|code|number) (?:is )?(?:in use|not available"
    r"|unavailable)",
    re.I,
)
_SAME = re.compile(
    r"exists with (?:the |this |that )?same (\w+)|\bwith (?:this|that|the same|the given|such an?) (\w+) (?:already"
    r" )?exists"
    r"|^(?:the )?(name|id|key|slug|code|username|e-?mail|title|login) [\"'`][^\"'`]+[\"'`] (?:is )?already\b",
    re.I,
)
"""What has the value that exists already."""
_UNIQUE_ITEMS = re.compile(r"(?:items|elements|entries|values) must be unique", re.I)
_STATES = (
    r"started|stopped|running|paused|suspended|resumed|draft|drafts|active|inactive|activated"
    r"|deactivated|open|opened|closed|enabled|published|unpublished|archived|completed|complete"
    r"|finished|pending|locked|unlocked|cancelled|canceled|idle|online|offline|terminated"
    r"|initiali[sz]ed|ready|empty|connected|approved|submitted|paid|processed|shipped|confirmed"
    r"|verified|loaded|mounted|attached|detached|frozen|queued|scheduled|finali[sz]ed|in progress"
    r"|in draft"
)
_STATE = (
    (
        re.compile(
            rf"must (?:first )?be (?:in (?:the )?)?[\"'`]?(?P<state>{_STATES})[\"'`]?(?: state| status)?(?: first|"
            rf" before\b.*| in order\b.*| to be\b.*| when\b.*|$)",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            rf"(?:is|are|was) not (?:currently |yet |in (?:the |an? )?)?[\"'`]?(?P<state>{_STATES})[\"'`]?(?:"
            rf" state| status)?\b",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            rf"(?:only|unless|until) (?:\w+ ){{0,5}}?(?:is |in (?:the )?|are )?[\"'`]?(?P<state>{_STATES})[\"'`]?\b",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"(?P<what>stop|start|pause|resume|close|open|lock|unlock|publish|activate|enable|cancel|archive"
            r"|detach|initiali[sz]e) (?:it|the \w+|this \w+) (?:first|before)",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            rf"(?:is |are |was |has |have )?(?:already|still|currently)(?: been| in(?: the)?)?"
            rf" [\"'`]?(?P<state>{_STATES})\b",
            re.I,
        ),
        "not ",
    ),
    (
        re.compile(
            rf"(?:while|when|because|since|as|if)(?: \w+){{0,12}} (?:is|are)(?: in(?: the)?)?"
            rf" [\"'`]?(?P<state>{_STATES})\b",
            re.I,
        ),
        "not ",
    ),
    (
        re.compile(
            r"(?:current|invalid|wrong|illegal|this|its|its current|present) (?:state|status|lifecycle"
            r"|phase)\b(?! (?:value"
            r"|code|field|parameter)\b|:)"
            r"|state transition|in (?:state|status) [\"'`\[]?\w+"
            r"|(?:state|status) (?:is(?! (?:an? )?(?:required|missing|mandatory|needed|invalid|unknown))|does not"
            r" allow"
            r"|of)\b",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"\bis not (?:currently |yet )?(?P<state>(?!avail|accept|process|read|applic|iter|call|nul|serial|pars"
            r"|hash)[a-z]{3,}able)$",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"\b(?:object|resource|item|document|it|record|version) (?:has been|was) (?:modified|changed|updated)\b"
            r"|\bconditional request failed|\bprecondition (?:failed|not met)|\b(?:current|latest|stale|outdated|old)"
            r" (?:version|revision|etag)|(?:version|revision|update|edit) conflict|marked (?:as |for )?deleted",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"\bis (?:locked|busy|(?<!field is )frozen)\b|in progress\b|not in a (?:valid |suitable )?state"
            r"|wrong state",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"not (?:be )?empty\b.{0,30}(?:delete|remove)|(?:delete|remove)\w*.{0,60}not empty|is not empty$|still"
            r" (?:has|have|referenced|in use|contains)|(?:has|have|because) (?:dependent|active|existing)|because"
            r" .{1,60} exists?\b"
            r"|(?:delete|remove)\w*.{0,60}\b(?:depends?|refers?|references?|uses?) (?:on |to )?(?:it|this)\b",
            re.I,
        ),
        "",
    ),
)
_PAST = re.compile(
    rf"\b(?:has|have) (?:already )?(?:been )?(?P<state>{_STATES})\b|\bis over\b|\bhas (?:ended|expired|begun)\b"
    r"|\bis still [a-z]+ing\b",
    re.I,
)
"""What has happened, where a conflict is told."""
_STATES_LISTED = re.compile(
    r"\bonly\b.{0,80}\b(?:one of the following|in (?:one of )?the following) (?:statuse?s"
    r"|states):\s*(?P<states>[\w, ]+)"
    rf"|\b(?:can|may) (?:only )?be \w+ (?:while|when|if)(?: \w+){{0,3}}? (?P<either>(?:{_STATES})(?:(?:, | or |, or"
    rf" )(?:{_STATES}))*)\b",
    re.I,
)
_PARTICIPLES = {
    verb: verb + ending
    for verb, ending in (
        *(
            ("stop", "ped"),
            ("start", "ed"),
            ("pause", "d"),
            ("resume", "d"),
            ("close", "d"),
            ("open", "ed"),
            ("lock", "ed"),
        ),
        *(("unlock", "ed"), ("publish", "ed"), ("activate", "d"), ("enable", "d"), ("cancel", "ed"), ("archive", "d")),
        *(("detach", "ed"), ("initialize", "d"), ("initialise", "d")),
    )
}
_NO_FEATURE = re.compile(
    r"not (?:yet |currently )?(?:been )?implemented|unimplemented|NotImplemented|(?:feature|plugin|module"
    r"|extension|functionality|endpoint|api|service|operation|action|function|backend|support|capability|method"
    r"|mode)\b.{0,50}?(?:is |are |was |has been |been )?(?:not (?:yet |currently )?(?:supported|enabled|available"
    r"|installed|activated|loaded|configured|licensed)|disabled|turned off|switched off|unavailable"
    r"|unsupported)"
    # Plugins, functions and services may be things of the API, which are not found by their ids.
    r"|(?:feature|functionality|endpoint|api|capability|method)\b.{0,50}?not found"
    r"|unsupported (?:operation|feature|action|method|function|api)|(?:operation|action|feature) not (?:supported"
    r"|available|permitted in)|(?:is|are) disabled\b|(?:has|have) been disabled|not (?:enabled|supported|available"
    r"|activated) (?:on|in|for|by) (?:this|your|the)\b|requires? (?:an? )?(?:\w+ )?(?:license|licence|edition|plan"
    r"|subscription|plugin|module|extension)|\b(?:plan|edition|tier|subscription|licen[cs]e)\b.{0,20}(?:not|n't)"
    r" (?:include|cover|allow)"
    r"|license (?:does|is)|please (?:install|enable)|not installed|is not"
    r" enabled|not licensed|upgrade (?:to|your)|^(?:is |are )?not (?:yet |currently )?(?:supported|available"
    r"|enabled)(?: yet)?$|must be enabled|to be enabled\b|(?:enable|install) the\b|\benvironment variable",
    re.I,
)
_FEATURE_OF_VALUE = re.compile(
    r"(?:value|format|type|encoding|version|character|media|content|parameter|field|variant|algorithm|protocol"
    r"|charset|language|currency|unit)\b.{0,30}(?:not|un)",
    re.I,
)
_CREDENTIALS = re.compile(
    r"authentication (?:credentials|required|failed|is required|token|is needed)|credentials (?:were|are|was|is)?"
    r" ?(?:not|missing|invalid|required)|unauthori[sz]ed|unauthenticated|not authenticated|not authori[sz]ed"
    r"|access denied|accessdenied|permission denied|permissions? to|forbidden$|insufficient (?:permissions?"
    r"|privileges?|scope|rights|access)|(?:log ?in|sign ?in) (?:is )?(?:required|first|to)|please (?:log|sign) ?in"
    r"|must be (?:logged|signed) in|(?:invalid|missing|expired|no|bad|incorrect|wrong)\W+(?:or (?:invalid|missing"
    r"|expired) )?(?:api[ -]?key|(?:access|client)[ -]?token|auth\w*(?:[ -]?(?:token|header|key))?|bearer token|token"
    r"|credentials|jwt|csrf\b.*|password|session|signature)\b|(?:api[ -]?key|access[ -]?token|bearer token|jwt"
    r"|token(?! [\"'])|authorization header)\b.{0,30}(?:missing|invalid|required|expired|not (?:found|valid"
    r"|provided))|csrf"
    r"|full authentication is required|do(?:es)? not have (?:permission|access|the (?:required|necessary))|lacks?"
    r" permission|admin(?:istrator)? (?:access|rights|privileges)|you (?:are not|aren't|don't|do not) (?:allowed"
    r"|permitted|have)",
    re.I,
)
_NOUN = (
    r"(?P<noun>[A-Za-z][\w-]*(?:\.[a-z][\w.-]*(?= [\"']))?(?: (?!with|by|for|id\b|of|in|named|called|not|is"
    r"|was|does|could)[a-z]\w*){0,2})"
)
_ID = r"[\"'`\[(<{]?(?P<id>[^\s\"'`\[\]()<>{},;]{1,120})[\"'`\])>}]?"
_ABSENT = (
    r"(?:(?:was |is |were |are |could |can )?(?:not|n't)(?: be)? (?:found|exist|known|located)|(?:does|do|did)"
    r" ?(?:not|n't) exist|not found|doesn't exist|is unknown|not exist|cannot be found|is gone|(?:has been|was)"
    r" (?:deleted|removed)|no longer"
    r" exists)"
)
_NOT_FOUND = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?:unable to|failed to|could ?n[o']t|cannot|can't) (?:get|fetch|load|retrieve|find) (?:the |an? )?{_NOUN}"
        rf" with (?:the )?(?:id|name|key|uuid|slug):? {_ID}",
        rf"{_NOUN} with (?:the )?(?:id|name|key|uuid|slug):? {_ID} (?:\w+ ){{1,8}}?{_ABSENT}",
        rf"\bno {_NOUN} [\"'`](?P<id>[^\"'`]{{1,120}})[\"'`]",
        rf"(?:invalid pk|pk) {_ID} - (?P<noun>object) does not exist",
        rf"(?:no|could ?n[o']t find(?: an?| the| any)?|cannot find(?: an?| the)?|unable to (?:find|locate)(?: an?|"
        rf" the)?|can't find(?: an?| the)?|there is no) {_NOUN}(?: found)? (?:with|by|for|of|having|named|called"
        rf"|matching)(?: the| this| an?)? *(?:given |specified )?(?:[\"'`]?\w*(?:id|name|key|uuid|slug|identifier"
        rf"|pk|code)[\"'`]?)? ?(?:of |is |=|:)? ?{_ID}",
        rf"{_NOUN}:? (?:with|by|for|of|having|named|called|matching)(?: the| an?)? ?(?:given |specified"
        rf" )?(?:[\"'`]?\w*(?:id|name|key|uuid|slug|identifier|pk|code)s?[\"'`]?)? ?(?:of |=|:|is )? ?{_ID}"
        rf" {_ABSENT}",
        rf"(?:no such|unknown|non-?existent|nonexisting|could ?n[o']t find(?: an?| the)?|cannot find(?: an?| the)?"
        rf"|unable to find(?: an?| the)?|can't find(?: an?| the)?) {_NOUN}:? +{_ID}\.?$",
        rf"{_NOUN}:? (?:[\"'`]|\[|\(|<|\{{)(?P<id>[^\"'`\[\]()<>{{}}]{{1,120}})(?:[\"'`]|\]|\)|>|\}}) (?:\([^)]*\)"
        rf" )?{_ABSENT}",
        rf"^(?:the |requested |specified |this )*{_NOUN} (?P<id>[\w.:\-]*[\d_.:\-][\w.:\-]*) {_ABSENT}",
        rf"{_NOUN} {_ABSENT}\W+{_ID}\.?$",
        rf"^(?:the |requested |specified |this |your |an? |given )*{_NOUN} {_ABSENT}",
        rf"^(?:no such|unknown|non-?existent) {_NOUN}(?: found| exists| available)?\.?$",
        rf"^no {_NOUN} (?:found|exists|available)\.?$",
        r"^<?(?:Model: )?(?:no )?(?P<noun>\w+)>? (?:instance )?match(?:es|ing) (?:the |this |your )?(?:given"
        r" )?(?:query|criteria"
        r"|filters?|request|conditions?)\b",
        r"^no query results for model \[(?:\w+\\)*(?P<noun>\w+)\] ?(?P<id>\S*)",
        rf"^{_NOUN} (?P<id>[\w\-.]+) (?:under|in|on|of) \S+(?: \S+)? {_ABSENT}",
        rf"^(?:could ?n[o']t find|cannot find|unable to find|can't find)(?: an?| the)? {_NOUN}\.?$",
        rf"^{_NOUN} with [\w ]*= ?(?P<id>\S+) does not exist",
        rf"referenc\w+ (?:an? )?(?:non-?existent|unknown|missing) {_NOUN}(?: {_ID})?",
    )
)
_NO_NOUNS = frozenset(
    "page route url uri path endpoint method operation resource handler it value field key parameter "  # noqa: SIM905
    "property argument header attribute option column variable type format error match matching mapping "
    "action data body content that this file_type api reason such response request static view controller "
    "no you template not service input string enum member cookie document_type query content-type entry "
    "schema results result records variant token credentials credential values name feature plugin module "
    "extension functionality support capability function required".split()
)
_NO_FIRST = frozenset({"of", "unknown", "could", "cannot", "can", "does", "do", "did", "is", "was", "has"})
_ABSENT_VALUE = re.compile(
    r"^(?:the )?value [\"'`\[](?P<id>[^\"'`\]]{1,120})[\"'`\]] (?:does not exist|was not found|is not found)", re.I
)
_ABSENT_KEY = re.compile(r"Key \(\w+\)=\((?P<id>[^)]{0,120})\) is not present in table \"(?P<noun>\w+)\"")
_NOT_THERE = re.compile(r"^(?:(?:is |was )?not found|does(?: not|n't) exist)\.?$", re.I)
_MUST_EXIST = re.compile(
    r"^must exist\b|^(?:the )?selected [\w ]+ is invalid$|violates foreign key|foreign key constraint", re.I
)


_MALFORMED = re.compile(
    r"\b(?:malformed|invalid|bad|broken|illegal) (?:json|(?:request )?body)(?!: \S+ error:|: \w+\.|"
    r" (?:value|payload received|\w+ type|for|in the))\b"
    r"|not (?:a )?(?:valid|well-formed) json\b(?! (?:string|object|array|value|text))"
    r"|json (?:parse|parsing|decode|decoding|syntax) error|(?:syntax )?error (?:in|parsing|decoding)"
    r" (?:the )?json\b(?! body:)"
    r"|(?:cannot|can't|could not|couldn't|failed to|unable to|when|while) (?:be )?pars\w* (?:the )?"
    r"(?:(?:request )?(?:body|content)(?! \w+ field)|(?:as )?json)\b|no json object could be decoded"
    r"|\b(?:read|understand|decode) (?:the |your )?(?:body|payload|request) as json\b|unexpected (?:token \S+ in"
    r" json|end of (?:json )?(?:input|file)|eof)|json (?:is )?malformed"
    r"|^expecting (?:value|property name)\b.*(?:line|char) \d|must pass valid application/json",
    re.I,
)
_PARSED = re.compile(r"\b(?:path|query|uri|url|header)\b", re.I)


def media_types(text: str) -> tuple[str, ...]:
    """The media types that a text names."""
    return tuple(dict.fromkeys(name.rstrip(".") for name in re.findall(_MEDIA, text)))


def methods(text: str) -> tuple[str, ...]:
    """The methods that a text names, in its order."""
    return tuple(dict.fromkeys(re.findall(rf"\b{_METHOD}\b", text.upper())))


def method(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    text = sentence.whole
    if wanted := _USE_METHOD.search(text) or _METHOD_ONLY.search(text):
        yield Claim("method", methods(wanted.group(1)))
    elif _METHOD_REFUSED.search(text) and status in (405, None):
        yield Claim("method")


def media_type(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    text = sentence.whole
    if status in (_NOT_ACCEPTABLE, 415) or _MEDIA_REFUSED.search(text):
        wanted = _MEDIA_WANTED.search(re.sub(r"\b(?:but )?(?:got|received|found)\b.*|instead of .*", "", text))
        refused = re.search(rf"[\"'`]?({_MEDIA})[^,]*[\"'`]? (?:is )?(?:not|an unsupported)", text)
        types = (
            tuple(name for name in media_types(wanted.group(1)) if refused is None or name != refused.group(1))
            if wanted
            else ()
        )
        if (
            types
            or status == 415
            or re.search(r"unsupported (?:media|content)|content[- ]type\b.* not supported", text, re.I)
        ):
            yield Claim("media-type", types)


def malformed_body(sentence: Sentence) -> tuple[Claim, ...]:
    """That the body cannot be parsed; on a name, it is the text of a value that is no JSON."""
    found = not sentence.subject.keys and _MALFORMED.search(sentence.whole) and not _PARSED.search(sentence.whole)
    return (MALFORMED_BODY,) if found else ()


def credentials(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    if status in (400, 422) and re.match(r"[\"'`]\w+[\"'`] ", sentence.whole):
        # A name in quotation marks is that of an argument.
        return
    if status in NOT_FOUND and _absent_thing(sentence.whole) is not None:
        # "No authorized device with this ID found" is about a device.
        return
    if status in (400, 422) and re.search(r"does not exist or\b", sentence.whole):
        return
    if _CREDENTIALS.search(sentence.whole) and (
        status in (401, 403, 407, None) or not re.search(r"password|signature|session", sentence.whole, re.I)
    ):
        yield Claim("credentials")


def exists(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    if _EXISTS.search(sentence.whole) and not _UNIQUE_ITEMS.search(sentence.whole):
        same = None if sentence.subject.keys else _SAME.search(sentence.whole)
        named = next(filter(None, same.groups())) if same else ""
        yield Claim("exists", (), ErrorLocation("", (named,)) if named else ErrorLocation())


def state(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    if status is not None and status not in (400, 403, 405, 409, 412, 422, 423, 424, 500):
        return
    if listed := _STATES_LISTED.search(sentence.whole):
        yield Claim(
            "state",
            tuple(re.findall(r"\w+", re.sub(r"\b(?:or|and)\b", "", listed.group("states") or listed.group("either")))),
        )
        return
    for index, (pattern, negation) in enumerate(_STATE):
        match = pattern.search(sentence.whole)
        if match and (index != len(_STATE) - 1 or status in (409, 400, 422, 423, None)):
            groups = match.groupdict()
            state = groups.get("state") or _PARTICIPLES.get((groups.get("what") or "").lower(), "")
            yield Claim("state", (negation + state.lower(),) if state else ())
            return
    if status == _CONFLICT and (past := _PAST.search(sentence.whole)):
        yield Claim("state", (f"not {past['state'].lower()}",) if past["state"] else ())


def unsupported(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    if (
        status not in _BUSY
        and _NO_FEATURE.search(sentence.whole)
        and not (_FEATURE_OF_VALUE.search(sentence.whole) and status != 501)
    ):
        yield Claim("unsupported")


def not_found(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    text = sentence.whole.strip().rstrip(".")
    if status == _NOT_ACCEPTABLE:
        return
    if _MUST_EXIST.search(sentence.text) and not sentence.text.startswith("update or delete"):
        yield Claim("not-found")
        return
    if key := _ABSENT_KEY.search(text):
        yield Claim("not-found", (key.group("noun"), key.group("id")), sentence.subject)
        return
    absent = _absent_thing(text)
    if sentence.subject.keys and (value := _ABSENT_VALUE.search(text)):
        yield Claim("not-found", (sentence.subject.name, value.group("id")), sentence.subject)
    elif absent is not None:
        yield Claim("not-found", _told(*absent))
    elif sentence.subject.keys:
        yield from _subject_absent(sentence)


def _subject_absent(sentence: Sentence) -> Iterator[Claim]:
    """That what a sentence is about is not there."""
    if (absent := _absent_thing(sentence.text.rstrip("."))) is not None:
        yield Claim("not-found", _told(*absent), sentence.subject)
    elif _NOT_THERE.search(sentence.text):
        yield Claim("not-found")


def _told(noun: str, identifier: str) -> tuple[str, ...]:
    return (noun, identifier) if identifier else (noun,)


def _absent_thing(text: str) -> tuple[str, str] | None:
    """The noun and the id ("" if none is told) of what a sentence says is not there; None if it does not say so."""
    for pattern in _NOT_FOUND:
        for match in pattern.finditer(text):
            if (match.groupdict().get("id") or "").lower() in ("that", "this", "the", "such", "given"):
                return re.sub(r"^(?:the|an?) ", "", match.group("noun")), ""
            noun = re.sub(
                r"^(?:the|an?|requested|specified|this|such|given|no|any|your) ", "", match.group("noun"), flags=re.I
            )
            # `deployments.apps` is the kind and the group that it belongs to.
            noun = re.sub(r" (?:with|by|id|name|named|found|found for id)$|\..*", "", noun)
            first, *_, end = (*noun.lower().split(), *noun.lower().split()[-1:])
            if {end, end.removesuffix("s")} & _NO_NOUNS or first in _NO_FIRST or " to " in noun:
                continue
            return noun, (match.groupdict().get("id") or "").rstrip(".")
    return None
